internal import CSDL

/// Paints rectangles and textures, on a window or on a surface.
public final class Renderer {
    /// Who computes the pixels.
    public enum Kind: Sendable, Equatable {
        /// The graphics chip.
        case accelerated
        /// The processor.
        case software
    }

    /// SDL's name of the driver, e.g. `opengles2`.
    public let name: String
    /// Longest side of a texture, in pixels.
    public let maximumTextureSide: Int
    let pointer: OpaquePointer
    // SDL frees textures with their renderer and renderers with their window: each owner is kept alive by its user.
    private let window: VideoWindow?
    private let surface: Surface?

    /// A renderer for a window.
    ///
    /// - Parameter driver: SDL's name of the driver to use; `nil` lets SDL choose.
    /// - Throws: `SDLError` of `SDL_CreateRenderer`.
    public init(window: VideoWindow, kind: Kind, vsync: Bool, driver: String? = nil) throws(SDLError) {
        var flags: UInt32
        switch kind {
        case .accelerated: flags = SDL_RENDERER_ACCELERATED.rawValue
        case .software: flags = SDL_RENDERER_SOFTWARE.rawValue
        }
        if vsync { flags |= SDL_RENDERER_PRESENTVSYNC.rawValue }
        if let driver { SDL_SetHint(SDL_HINT_RENDER_DRIVER, driver) }
        // Otherwise SDL brings software pictures to a window through OpenGL, which costs all that it was to save.
        // The bare console has no other way.
        let chosen = SDL_GetHint(SDL_HINT_RENDER_DRIVER).map { String(cString: $0) }
        if kind == .software || chosen == "software", window.system.driver != "KMSDRM" {
            SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0")
        }
        guard let pointer = SDL_CreateRenderer(window.pointer, -1, flags) else {
            throw SDLError.latest("SDL_CreateRenderer")
        }
        self.pointer = pointer
        self.window = window
        surface = nil
        (name, maximumTextureSide) = Renderer.facts(pointer)
        SDL_SetRenderDrawBlendMode(pointer, SDL_BLENDMODE_BLEND)
    }

    /// A renderer that paints on a surface, without any display.
    ///
    /// - Throws: `SDLError` of `SDL_CreateSoftwareRenderer`.
    public init(surface: Surface) throws(SDLError) {
        guard let pointer = SDL_CreateSoftwareRenderer(surface.pointer) else {
            throw SDLError.latest("SDL_CreateSoftwareRenderer")
        }
        self.pointer = pointer
        window = nil
        self.surface = surface
        (name, maximumTextureSide) = Renderer.facts(pointer)
    }

    deinit { SDL_DestroyRenderer(pointer) }

    /// Pixels of the drawing area.
    public var outputSize: (width: Int, height: Int) {
        var width: Int32 = 0
        var height: Int32 = 0
        SDL_GetRendererOutputSize(pointer, &width, &height)
        return (Int(width), Int(height))
    }

    /// Paints everything in one colour.
    public func clear(_ color: PixelColor) {
        SDL_SetRenderDrawColor(pointer, color.red, color.green, color.blue, 255)
        SDL_RenderClear(pointer)
    }

    /// Limits painting to an area; `nil` lifts the limit.
    public func setClip(_ rect: PixelRect?) {
        guard let rect else {
            SDL_RenderSetClipRect(pointer, nil)
            return
        }
        var raw = rect.raw
        SDL_RenderSetClipRect(pointer, &raw)
    }

    /// Paints a rectangle.
    public func fill(_ rect: PixelRect, _ color: PixelColor) {
        guard !rect.isEmpty, color.alpha > 0 else { return }
        var raw = rect.raw
        // Copying is several times cheaper than blending on the processor.
        SDL_SetRenderDrawBlendMode(pointer, color.alpha == 255 ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND)
        SDL_SetRenderDrawColor(pointer, color.red, color.green, color.blue, color.alpha)
        SDL_RenderFillRect(pointer, &raw)
    }

    /// Paints a part of a texture, multiplied by a colour.
    public func copy(_ texture: Texture, from source: PixelRect, to target: PixelRect, tint: PixelColor) {
        guard !source.isEmpty, !target.isEmpty, tint.alpha > 0 else { return }
        let raw = texture.pointer
        SDL_SetTextureColorMod(raw, tint.red, tint.green, tint.blue)
        SDL_SetTextureAlphaMod(raw, tint.alpha)
        let blends = !texture.isOpaque || tint.alpha < 255
        SDL_SetTextureBlendMode(raw, blends ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
        let scaled = source.width != target.width || source.height != target.height
        SDL_SetTextureScaleMode(raw, scaled && texture.isSmooth ? SDL_ScaleModeLinear : SDL_ScaleModeNearest)
        var from = source.raw
        var to = target.raw
        SDL_RenderCopy(pointer, raw, &from, &to)
    }

    /// Shows what was painted.
    public func present() { SDL_RenderPresent(pointer) }

    /// The pixels painted since the last `present`.
    ///
    /// - Throws: `SDLError` of `SDL_RenderReadPixels`.
    public func readPixels() throws(SDLError) -> Surface {
        let size = outputSize
        let target = try Surface(width: size.width, height: size.height, hasAlpha: false)
        let format = SDL_PIXELFORMAT_RGB888.rawValue
        let raw = target.pointer.pointee
        guard SDL_RenderReadPixels(pointer, nil, format, raw.pixels, raw.pitch) == 0 else {
            throw SDLError.latest("SDL_RenderReadPixels")
        }
        return target
    }

    private static func facts(_ pointer: OpaquePointer) -> (String, Int) {
        var info = SDL_RendererInfo()
        guard SDL_GetRendererInfo(pointer, &info) == 0 else { return ("", 2048) }
        let side = min(info.max_texture_width, info.max_texture_height)
        return (info.name.map { String(cString: $0) } ?? "", side > 0 ? Int(side) : 16384)
    }
}

/// Pixels where the renderer wants them; frees them with the last reference.
public final class Texture {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// Whether every pixel covers what is below it.
    public let isOpaque: Bool
    /// Whether pixels are mixed when it is painted at another size.
    public let isSmooth: Bool
    let pointer: OpaquePointer
    private let renderer: Renderer

    /// Hands a picture to a renderer.
    ///
    /// - Throws: `SDLError` when it is too large or there is no memory.
    public init(_ renderer: Renderer, _ image: PixelImage, isOpaque: Bool = false, isSmooth: Bool = true)
        throws(SDLError)
    {
        let format = SDL_PIXELFORMAT_ARGB8888.rawValue
        let access = Int32(SDL_TEXTUREACCESS_STATIC.rawValue)
        guard
            let pointer = SDL_CreateTexture(renderer.pointer, format, access, Int32(image.width), Int32(image.height))
        else { throw SDLError.latest("SDL_CreateTexture") }
        let result = image.pixels.withUnsafeBytes {
            SDL_UpdateTexture(pointer, nil, $0.baseAddress, Int32(image.width * 4))
        }
        guard result == 0 else {
            let error = SDLError.latest("SDL_UpdateTexture")
            SDL_DestroyTexture(pointer)
            throw error
        }
        self.pointer = pointer
        self.renderer = renderer
        width = image.width
        height = image.height
        self.isOpaque = isOpaque
        self.isSmooth = isSmooth
    }

    deinit { SDL_DestroyTexture(pointer) }

    /// Bytes of its pixels.
    public var byteCount: Int { width * height * 4 }
    /// All of it.
    public var bounds: PixelRect { PixelRect(0, 0, width, height) }
}
