internal import CSDL

/// SDL's video and event subsystems, from the start of the display to its release.
///
/// One at a time; windows keep it alive. With the last reference everything of the display is given back: the
/// connection to the window system, or the graphics card and its master right.
public final class VideoSystem {
    /// SDL's name of the driver in use, e.g. `x11` or `KMSDRM`.
    public let driver: String

    /// Starts video.
    ///
    /// - Parameter cardIndex: the N of `/dev/dri/cardN` for a screen without window system; `nil` leaves it to SDL.
    /// - Throws: `SDLError` when there is no usable display.
    public init(cardIndex: Int?) throws(SDLError) {
        SDL_SetMainReady()
        // SIGTERM and SIGINT belong to the program, not to SDL.
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
        SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "0")
        SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0")
        // Fingers and the mouse are told apart; neither is invented from the other.
        SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0")
        SDL_SetHint(SDL_HINT_MOUSE_TOUCH_EVENTS, "0")
        // An explicitly chosen render driver would switch batching off.
        SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1")
        // Without that folder there is no Wayland, and asking its library for it prints an error.
        if SDL_getenv("XDG_RUNTIME_DIR") == nil { SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,KMSDRM") }
        if let cardIndex { SDL_SetHint(SDL_HINT_KMSDRM_DEVICE_INDEX, String(cardIndex)) }
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { throw SDLError.latest("SDL_InitSubSystem") }
        driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? ""
    }

    deinit { SDL_QuitSubSystem(SDL_INIT_VIDEO) }

    /// Shows or hides the pointer.
    public func setCursorVisible(_ visible: Bool) { SDL_ShowCursor(visible ? SDL_ENABLE : SDL_DISABLE) }
}

/// One window, or the whole screen where there is no window system.
public final class VideoWindow {
    /// How it lies on the screen.
    public enum Placement: Sendable, Equatable {
        /// A window that can be resized, of a size in the window system's units.
        case windowed(width: Int, height: Int)
        /// All of the screen in the mode it has.
        case fullscreen
    }

    let pointer: OpaquePointer
    let system: VideoSystem

    /// Opens it and lets text be typed into it.
    ///
    /// - Throws: `SDLError` of `SDL_CreateWindow`.
    public init(_ system: VideoSystem, title: String, placement: Placement) throws(SDLError) {
        var flags = SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        var size: (Int32, Int32) = (1280, 720)
        switch placement {
        case .windowed(let width, let height):
            size = (Int32(max(1, min(16384, width))), Int32(max(1, min(16384, height))))
            flags |= SDL_WINDOW_RESIZABLE.rawValue
        case .fullscreen:
            flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
        }
        // SDL_WINDOWPOS_CENTERED is a macro that Swift does not see.
        let centered: Int32 = 0x2FFF_0000
        guard let pointer = SDL_CreateWindow(title, centered, centered, size.0, size.1, flags) else {
            throw SDLError.latest("SDL_CreateWindow")
        }
        self.pointer = pointer
        self.system = system
        SDL_StartTextInput()
    }

    deinit { SDL_DestroyWindow(pointer) }

    /// Its size in the units of pointer events.
    public var size: (width: Int, height: Int) {
        var width: Int32 = 0
        var height: Int32 = 0
        SDL_GetWindowSize(pointer, &width, &height)
        return (Int(width), Int(height))
    }
}
