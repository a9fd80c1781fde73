internal import CSDL

/// A rectangle of whole pixels.
public struct PixelRect: Sendable, Hashable {
    /// Left edge.
    public var x: Int
    /// Top edge.
    public var y: Int
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A rectangle.
    public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether it has no pixel.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The shared area; of zero size where there is none.
    public func intersection(_ other: PixelRect) -> PixelRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return PixelRect(left, top, max(0, right - left), max(0, bottom - top))
    }

    var raw: SDL_Rect { SDL_Rect(x: clamped(x), y: clamped(y), w: clamped(width), h: clamped(height)) }

    private func clamped(_ value: Int) -> Int32 { Int32(max(-1_000_000, min(1_000_000, value))) }
}

/// A colour of eight bits a part, with straight alpha.
public struct PixelColor: Sendable, Hashable {
    /// Red.
    public var red: UInt8
    /// Green.
    public var green: UInt8
    /// Blue.
    public var blue: UInt8
    /// Opacity.
    public var alpha: UInt8

    /// A colour.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}

/// A picture in memory: 0xAARRGGBB with straight alpha, row after row without gaps.
public struct PixelImage: Sendable, Equatable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// `width * height` pixels.
    public var pixels: [UInt32]

    /// A picture of one colour; sizes below one become one.
    public init(width: Int, height: Int, filled pixel: UInt32 = 0) {
        self.width = max(1, width)
        self.height = max(1, height)
        pixels = [UInt32](repeating: pixel, count: self.width * self.height)
    }

    /// The pixel at a place inside.
    public subscript(x: Int, y: Int) -> UInt32 {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }
}
