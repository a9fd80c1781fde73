internal import SDLKit

/// A shape that is painted by stretching its middle: coverage in alpha, white.
enum ShapeKey: Hashable {
    /// Four corners of a filled rectangle, each `ceil(radius)` wide; the radius in quarters of a pixel.
    case corners(radius: Int)
    /// Four corners of an edge, each `side` wide.
    case edgeCorners(radius: Int, width: Int, side: Int)
    /// A blurred rectangle.
    case shadow(width: Int, height: Int, radius: Int, blur: Int)
    /// The `part` of a light that fades out; `grain` is the strength of the noise that hides its steps.
    case glow(radius: Int, grain: Int, part: PixelRect)
    /// An arc, its length in fractions of 1024.
    case arc(radius: Int, width: Int, fraction: Int)
    /// Colours that change; the colours as 0xAARRGGBB.
    case gradient(GradientKey)
}

/// A gradient's tile.
struct GradientKey: Hashable {
    let width: Int
    let height: Int
    let radius: Int
    let from: UInt32
    let to: UInt32
    let isVertical: Bool
    let grain: Int
}

/// Shapes as textures, made when they are first needed.
final class Shapes {
    private let renderer: Renderer
    private var cache = BudgetCache<ShapeKey, Texture?>(budget: 16 << 20)

    init(renderer: Renderer) { self.renderer = renderer }

    var usage: (count: Int, bytes: Int) { (cache.count, cache.bytes) }

    func beginFrame() { cache.beginFrame() }

    /// The texture of a shape; `nil` when there is no memory for it.
    func texture(_ key: ShapeKey) -> Texture? {
        if let known = cache.value(key) { return known }
        let image = Shapes.image(key)
        let texture = try? Texture(renderer, image, isOpaque: Shapes.isOpaque(key), isSmooth: true)
        cache.insert(texture, bytes: texture?.byteCount ?? 64, for: key)
        return texture
    }

    private static func isOpaque(_ key: ShapeKey) -> Bool {
        guard case .gradient(let key) = key else { return false }
        return key.radius == 0 && key.from >> 24 == 255 && key.to >> 24 == 255
    }

    static func image(_ key: ShapeKey) -> PixelImage {
        switch key {
        case .corners(let radius): corners(radius: Double(radius) / 4)
        case .edgeCorners(let radius, let width, let side):
            edgeCorners(radius: Double(radius) / 4, width: width, side: side)
        case .shadow(let width, let height, let radius, let blur):
            Blur.shadow(width: width, height: height, radius: radius, blur: blur)
        case .glow(let radius, let grain, let part): glow(radius: radius, grain: Double(grain), part: part)
        case .arc(let radius, let width, let fraction):
            arc(radius: Double(radius), width: Double(width) / 4, fraction: Double(fraction) / 1024)
        case .gradient(let key): Gradients.tile(key)
        }
    }

    /// A white pixel of a coverage from 0 to 1.
    static func white(_ coverage: Double) -> UInt32 {
        UInt32(max(0, min(255, coverage * 255 + 0.5))) << 24 | 0x00FF_FFFF
    }

    /// How much of a pixel lies in a rounded corner at the origin, which bends around (radius, radius).
    static func cornerCoverage(_ x: Int, _ y: Int, radius: Double) -> Double {
        let dx = radius - (Double(x) + 0.5)
        let dy = radius - (Double(y) + 0.5)
        guard dx > 0, dy > 0 else { return 1 }
        return max(0, min(1, radius - (dx * dx + dy * dy).squareRoot() + 0.5))
    }

    /// Cuts the corners of a picture.
    static func roundCorners(of image: inout PixelImage, radius: Int) {
        let side = min(radius, image.width / 2, image.height / 2)
        guard side > 0 else { return }
        for y in 0..<side {
            for x in 0..<side {
                let coverage = cornerCoverage(x, y, radius: Double(side))
                guard coverage < 1 else { continue }
                for place in [
                    (x, y), (image.width - 1 - x, y), (x, image.height - 1 - y),
                    (image.width - 1 - x, image.height - 1 - y),
                ] {
                    let pixel = image[place.0, place.1]
                    let alpha = UInt32(Double(pixel >> 24) * coverage + 0.5)
                    image[place.0, place.1] = alpha << 24 | pixel & 0x00FF_FFFF
                }
            }
        }
    }

    private static func corners(radius: Double) -> PixelImage {
        mirrored(side: Int(radius.rounded(.up))) { cornerCoverage($0, $1, radius: radius) }
    }

    private static func edgeCorners(radius: Double, width: Int, side: Int) -> PixelImage {
        let inner = max(0, radius - Double(width))
        return mirrored(side: side) { x, y in
            let outside = cornerCoverage(x, y, radius: radius)
            guard x >= width, y >= width else { return outside }
            return outside * (1 - cornerCoverage(x - width, y - width, radius: inner))
        }
    }

    /// Four corners from the upper left one.
    private static func mirrored(side: Int, _ coverage: (Int, Int) -> Double) -> PixelImage {
        var image = PixelImage(width: side * 2, height: side * 2)
        let last = side * 2 - 1
        for y in 0..<side {
            for x in 0..<side {
                let pixel = white(coverage(x, y))
                image[x, y] = pixel
                image[last - x, y] = pixel
                image[x, last - y] = pixel
                image[last - x, last - y] = pixel
            }
        }
        return image
    }

    private static func glow(radius: Int, grain: Double, part: PixelRect) -> PixelImage {
        var image = PixelImage(width: part.width, height: part.height, filled: 0x00FF_FFFF)
        let middle = Float(radius)
        let size = (width: image.width, height: image.height)
        let strength = Float(grain)
        // A light over the whole screen has two million pixels: this loop is kept plain.
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<size.height {
                let dy = (Float(y + part.y) + 0.5 - middle) / middle
                for x in 0..<size.width {
                    let dx = (Float(x + part.x) + 0.5 - middle) / middle
                    let rest = 1 - dx * dx - dy * dy
                    guard rest > 0 else { continue }
                    // Flat at both ends, so that neither the middle nor the rim shows as an edge.
                    let noise = (Grain.part(x, y) - 0.5) * strength * min(1, rest * 8)
                    let alpha = UInt32(max(0, min(255, rest * rest * 255 + noise + 0.5)))
                    pixels[y * size.width + x] = alpha << 24 | 0x00FF_FFFF
                }
            }
        }
        return image
    }

    private static func arc(radius: Double, width: Double, fraction: Double) -> PixelImage {
        let side = Int(radius.rounded(.up)) * 2
        var image = PixelImage(width: side, height: side, filled: 0x00FF_FFFF)
        let middle = Double(side) / 2
        let line = radius - width / 2
        let end = Circle.point(fraction)
        let tip = (x: end.x * line, y: end.y * line)
        for y in 0..<side {
            for x in 0..<side {
                let dx = Double(x) + 0.5 - middle
                let dy = Double(y) + 0.5 - middle
                let distance = (dx * dx + dy * dy).squareRoot()
                guard abs(distance - line) < width / 2 + 1 else { continue }
                var away = abs(distance - line)
                if fraction < 1 {
                    // Beyond an end the distance to its round cap counts.
                    if Circle.turn(x: dx, y: dy) > fraction {
                        let start = (dx * dx + (dy + line) * (dy + line)).squareRoot()
                        let stop = ((dx - tip.x) * (dx - tip.x) + (dy - tip.y) * (dy - tip.y)).squareRoot()
                        away = min(start, stop)
                    }
                }
                image[x, y] = white(max(0, min(1, width / 2 - away + 0.5)))
            }
        }
        return image
    }
}

/// Noise that hides the steps of slow changes of colour.
enum Grain {
    /// From 0 to 1, the same for the same pixel.
    static func value(_ x: Int, _ y: Int) -> Double { Double(part(x, y)) }

    /// The same in less precision.
    @inline(__always) static func part(_ x: Int, _ y: Int) -> Float {
        var bits = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
        bits = (bits ^ bits >> 15) &* 0x2C1B_3C6D
        bits = (bits ^ bits >> 12) &* 0x297A_2D39
        bits ^= bits >> 15
        return Float(bits & 0xFFFF) / 65536
    }
}
