internal import CSDL
internal import SystemKit

/// A picture in main memory that SDL can paint on.
public final class Surface {
    let pointer: UnsafeMutablePointer<SDL_Surface>

    init(owning pointer: UnsafeMutablePointer<SDL_Surface>) { self.pointer = pointer }

    deinit { SDL_FreeSurface(pointer) }

    /// An empty surface; without alpha it is the cheapest target for blending.
    ///
    /// - Throws: `SDLError` when there is no memory.
    public init(width: Int, height: Int, hasAlpha: Bool) throws(SDLError) {
        let format = hasAlpha ? SDL_PIXELFORMAT_ARGB8888 : SDL_PIXELFORMAT_RGB888
        guard
            let pointer = SDL_CreateRGBSurfaceWithFormat(0, Int32(width), Int32(height), 32, format.rawValue)
        else { throw SDLError.latest("SDL_CreateRGBSurfaceWithFormat") }
        self.pointer = pointer
    }

    /// Decodes a picture file that is in memory.
    ///
    /// - Parameter type: SDL_image's name of the format, e.g. `PNG`.
    /// - Throws: `SDLError` when it is damaged or of no known kind.
    public convenience init(decoding bytes: [UInt8], type: String) throws(SDLError) {
        let result = bytes.withUnsafeBytes { buffer -> UnsafeMutablePointer<SDL_Surface>? in
            guard let stream = SDL_RWFromConstMem(buffer.baseAddress, Int32(clamping: buffer.count)) else { return nil }
            return IMG_LoadTyped_RW(stream, 1, type)
        }
        guard let result else { throw SDLError.latest("IMG_LoadTyped_RW") }
        self.init(owning: result)
    }

    /// Draws an SVG file that is in memory into a box of pixels, keeping its proportions.
    ///
    /// - Throws: `SDLError` when it cannot be read.
    public convenience init(svg bytes: [UInt8], width: Int, height: Int) throws(SDLError) {
        let result = bytes.withUnsafeBytes { buffer -> UnsafeMutablePointer<SDL_Surface>? in
            guard let stream = SDL_RWFromConstMem(buffer.baseAddress, Int32(clamping: buffer.count)) else { return nil }
            defer { SDL_RWclose(stream) }
            return IMG_LoadSizedSVG_RW(stream, Int32(width), Int32(height))
        }
        guard let result else { throw SDLError.latest("IMG_LoadSizedSVG_RW") }
        self.init(owning: result)
    }

    /// Pixels across.
    public var width: Int { Int(pointer.pointee.w) }
    /// Pixels down.
    public var height: Int { Int(pointer.pointee.h) }

    /// Some of its rows as 0xAARRGGBB, whatever its own format is.
    ///
    /// - Throws: `SDLError` when there is no memory or the format cannot be converted.
    public func rows(_ rows: Range<Int>) throws(SDLError) -> PixelImage {
        var image = PixelImage(width: width, height: rows.count)
        let target = try Surface(width: width, height: max(1, rows.count), hasAlpha: true)
        SDL_SetSurfaceBlendMode(pointer, SDL_BLENDMODE_NONE)
        var from = SDL_Rect(x: 0, y: Int32(rows.lowerBound), w: Int32(width), h: Int32(rows.count))
        guard SDL_UpperBlit(pointer, &from, target.pointer, nil) == 0 else { throw SDLError.latest("SDL_UpperBlit") }
        target.copyPixels(into: &image)
        return image
    }

    /// All of it as 0xAARRGGBB.
    ///
    /// - Throws: `SDLError` when there is no memory or the format cannot be converted.
    public func image() throws(SDLError) -> PixelImage { try rows(0..<height) }

    /// The picture as a PNG file.
    ///
    /// - Throws: `SDLError` of `IMG_SavePNG_RW`.
    public func pngBytes() throws(SDLError) -> [UInt8] {
        // Incompressible pixels grow a little; the slack covers the headers and that.
        let capacity = width * height * 4 + width * height / 64 + (64 << 10)
        var bytes = [UInt8](repeating: 0, count: capacity)
        let surface = pointer
        let length = bytes.withUnsafeMutableBytes { buffer -> Int64 in
            guard let stream = SDL_RWFromMem(buffer.baseAddress, Int32(clamping: buffer.count)) else { return -1 }
            defer { SDL_RWclose(stream) }
            guard IMG_SavePNG_RW(surface, stream, 0) == 0 else { return -1 }
            return SDL_RWtell(stream)
        }
        guard length > 0 else { throw SDLError.latest("IMG_SavePNG_RW") }
        return Array(bytes.prefix(Int(length)))
    }

    private func copyPixels(into image: inout PixelImage) {
        let pitch = Int(pointer.pointee.pitch)
        guard let base = pointer.pointee.pixels else { return }
        let width = image.width
        let height = min(image.height, self.height)
        image.pixels.withUnsafeMutableBytes { target in
            for row in 0..<height {
                target.baseAddress?.advanced(by: row * width * 4)
                    .copyMemory(from: base + row * pitch, byteCount: width * 4)
            }
        }
    }
}
