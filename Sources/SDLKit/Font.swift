internal import CSDL
public import SystemKit

/// SDL_ttf, started with the first reference and ended with the last.
public final class TextSystem {
    /// Starts it.
    ///
    /// - Throws: `SDLError` of `TTF_Init`.
    public init() throws(SDLError) {
        guard TTF_Init() == 0 else { throw SDLError.latest("TTF_Init") }
    }

    deinit { TTF_Quit() }
}

/// One font file at one size. Not for several threads.
public final class Font {
    /// Pixels from the baseline to the top of the tallest letters.
    public let ascent: Int
    /// Pixels from the top to the bottom of a line of its own.
    public let height: Int
    private let pointer: OpaquePointer
    private let system: TextSystem
    private var setting: (isRightToLeft: Bool, script: String)?

    /// Opens a font.
    ///
    /// - Parameter index: which font of a collection file.
    /// - Parameter pixels: height of the em square.
    /// - Throws: `SDLError` when the file is missing or no font.
    public init(_ system: TextSystem, path: BytePath, index: Int, pixels: Int) throws(SDLError) {
        // The e is for close-on-exec: fonts stay open while a game runs, and are none of its business.
        guard let stream = path.withCString({ SDL_RWFromFile($0, "rbe") }) else {
            throw SDLError.latest("SDL_RWFromFile")
        }
        guard let pointer = TTF_OpenFontIndexRW(stream, 1, Int32(pixels), index) else {
            throw SDLError.latest("TTF_OpenFontIndexRW")
        }
        self.pointer = pointer
        self.system = system
        // Vertical hinting only, with glyphs at fractions of a pixel: even spacing at every size.
        TTF_SetFontHinting(pointer, TTF_HINTING_LIGHT_SUBPIXEL)
        TTF_SetFontKerning(pointer, 1)
        ascent = Int(TTF_FontAscent(pointer))
        height = Int(TTF_FontHeight(pointer))
    }

    deinit { TTF_CloseFont(pointer) }

    /// Whether it has a glyph for a character.
    public func has(_ scalar: Unicode.Scalar) -> Bool { TTF_GlyphIsProvided32(pointer, scalar.value) != 0 }

    /// How far a character reaches from the baseline, in pixels; positive is up.
    public func reach(of scalar: Unicode.Scalar) -> (bottom: Int, top: Int)? {
        var bottom: Int32 = 0
        var top: Int32 = 0
        guard TTF_GlyphMetrics32(pointer, scalar.value, nil, nil, &bottom, &top, nil) == 0 else { return nil }
        return (Int(bottom), Int(top))
    }

    /// Sets direction and script (ISO 15924, four letters) of the texts that follow.
    public func set(isRightToLeft: Bool, script: String) {
        if let setting, setting.isRightToLeft == isRightToLeft, setting.script == script { return }
        setting = (isRightToLeft, script)
        TTF_SetFontDirection(pointer, isRightToLeft ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR)
        TTF_SetFontScriptName(pointer, script)
    }

    /// Pixels from the start of a text to its end; 0 when it cannot be told.
    public func width(of text: String) -> Int {
        var width: Int32 = 0
        guard TTF_SizeUTF8(pointer, text, &width, nil) == 0 else { return 0 }
        return Int(width)
    }

    /// The text in white on nothing.
    ///
    /// - Throws: `SDLError`, also when the text has no width.
    public func render(_ text: String) throws(SDLError) -> Surface {
        guard let raw = TTF_RenderUTF8_Blended(pointer, text, SDL_Color(r: 255, g: 255, b: 255, a: 255)) else {
            throw SDLError.latest("TTF_RenderUTF8_Blended")
        }
        return Surface(owning: raw)
    }
}
