/// A colour in sRGB with straight alpha, each part from 0 to 1.
public struct Color: Sendable, Equatable {
    /// Red.
    public var red: Double
    /// Green.
    public var green: Double
    /// Blue.
    public var blue: Double
    /// Opacity.
    public var alpha: Double

    /// A colour from its parts.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A colour from 0xRRGGBB.
    public init(hex: UInt32, alpha: Double = 1) {
        self.init(
            red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255, blue: Double(hex & 0xFF) / 255,
            alpha: alpha)
    }

    /// Opaque white.
    public static var white: Color { Color(hex: 0xFFFFFF) }
    /// Opaque black.
    public static var black: Color { Color(hex: 0x000000) }
    /// Nothing.
    public static var clear: Color { Color(hex: 0, alpha: 0) }

    /// The same colour with its opacity multiplied.
    public func faded(_ factor: Double) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha * factor)
    }

    /// The colour on the way to another one: 0 is this, 1 is `other`.
    public func mixed(with other: Color, _ fraction: Double) -> Color {
        let rest = 1 - fraction
        return Color(
            red: red * rest + other.red * fraction, green: green * rest + other.green * fraction,
            blue: blue * rest + other.blue * fraction, alpha: alpha * rest + other.alpha * fraction)
    }

    /// Relative luminance as WCAG 2 defines it, for choosing readable text.
    public var luminance: Double {
        func linear(_ part: Double) -> Double {
            // The piecewise curve of sRGB is close enough to a power of 2.2 for choosing black or white.
            part <= 0 ? 0 : part * part * (0.8 + 0.2 * part)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Near-black or white, whichever reads better on this colour.
    public var readableText: Color { luminance > 0.36 ? Color(hex: 0x0B0D12) : .white }
}
