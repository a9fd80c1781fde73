internal import CSDL

/// A key that is not text.
public enum SDLKey: Sendable, Equatable {
    case up, down, left, right, enter, escape, backspace, space, tab, pageUp, pageDown, home, end, delete
    case leftShift, rightShift, f1, f2, f3, f4
    /// Any other, by SDL's key code.
    case other(Int32)
}

/// What SDL reports.
public enum SDLEvent: Sendable, Equatable {
    /// The program shall end.
    case quit
    /// The window has another size.
    case sizeChanged
    /// The window must be painted again.
    case exposed
    /// The window's contents on the graphics chip are lost.
    case texturesLost
    /// A key went down or up.
    case key(SDLKey, isPressed: Bool, isRepeat: Bool)
    /// Typed text.
    case text(String)
    /// The mouse moved, in window units.
    case mouseMoved(x: Int, y: Int)
    /// A mouse button (1 is the left one) went down or up.
    case mouseButton(Int, isPressed: Bool, x: Int, y: Int)
    /// The wheel turned; positive is away from the person.
    case wheel(Double, x: Int, y: Int)
    /// A finger went down, moved or went up, in fractions of the window.
    case finger(FingerPhase, x: Double, y: Double)
    /// Somebody called `EventQueue.pushWake`.
    case wake
    /// Anything else, by SDL's number.
    case unknown(UInt32)

    /// What a finger did.
    public enum FingerPhase: Sendable, Equatable {
        /// Touched.
        case down
        /// Dragged.
        case moved
        /// Left.
        case up
    }
}

/// SDL's one queue of events; alive while there is a `VideoSystem`.
public enum EventQueue {
    /// The next event, when there is one.
    public static func poll() -> SDLEvent? {
        var event = SDL_Event()
        return SDL_PollEvent(&event) != 0 ? SDLEvent(event) : nil
    }

    /// Sleeps until there is an event.
    ///
    /// - Parameter milliseconds: the longest wait; `nil` waits for ever.
    public static func wait(milliseconds: Int?) -> SDLEvent? {
        var event = SDL_Event()
        let result = SDL_WaitEventTimeout(&event, milliseconds.map { Int32(clamping: $0) } ?? -1)
        return result != 0 ? SDLEvent(event) : nil
    }

    /// Wakes `wait`; from any thread.
    public static func pushWake() {
        var event = SDL_Event()
        event.type = SDL_USEREVENT.rawValue
        SDL_PushEvent(&event)
    }
}

extension SDLEvent {
    init(_ event: SDL_Event) {
        switch SDL_EventType(event.type) {
        case SDL_QUIT: self = .quit
        case SDL_USEREVENT: self = .wake
        case SDL_RENDER_TARGETS_RESET: self = .exposed
        case SDL_RENDER_DEVICE_RESET: self = .texturesLost
        case SDL_WINDOWEVENT: self = SDLEvent.windowEvent(event.window)
        case SDL_KEYDOWN: self = SDLEvent.keyEvent(event.key, isPressed: true)
        case SDL_KEYUP: self = SDLEvent.keyEvent(event.key, isPressed: false)
        case SDL_TEXTINPUT: self = .text(SDLEvent.typed(event.text))
        case SDL_MOUSEMOTION: self = .mouseMoved(x: Int(event.motion.x), y: Int(event.motion.y))
        case SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP:
            let button = event.button
            self = .mouseButton(
                Int(button.button), isPressed: event.type == SDL_MOUSEBUTTONDOWN.rawValue, x: Int(button.x),
                y: Int(button.y))
        case SDL_MOUSEWHEEL:
            let wheel = event.wheel
            let sign = wheel.direction == SDL_MOUSEWHEEL_FLIPPED.rawValue ? -1.0 : 1.0
            self = .wheel(Double(wheel.preciseY) * sign, x: Int(wheel.mouseX), y: Int(wheel.mouseY))
        case SDL_FINGERDOWN: self = SDLEvent.fingerEvent(.down, event.tfinger)
        case SDL_FINGERMOTION: self = SDLEvent.fingerEvent(.moved, event.tfinger)
        case SDL_FINGERUP: self = SDLEvent.fingerEvent(.up, event.tfinger)
        default: self = .unknown(event.type)
        }
    }

    private static func windowEvent(_ event: SDL_WindowEvent) -> SDLEvent {
        switch SDL_WindowEventID(UInt32(event.event)) {
        case SDL_WINDOWEVENT_SIZE_CHANGED: .sizeChanged
        case SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_SHOWN: .exposed
        case SDL_WINDOWEVENT_CLOSE: .unknown(event.type)
        default: .unknown(event.type)
        }
    }

    private static func fingerEvent(_ phase: FingerPhase, _ event: SDL_TouchFingerEvent) -> SDLEvent {
        .finger(phase, x: Double(event.x), y: Double(event.y))
    }

    private static func typed(_ event: SDL_TextInputEvent) -> String {
        withUnsafeBytes(of: event.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func keyEvent(_ event: SDL_KeyboardEvent, isPressed: Bool) -> SDLEvent {
        .key(key(event.keysym.sym), isPressed: isPressed, isRepeat: event.repeat != 0)
    }

    private static func key(_ code: SDL_Keycode) -> SDLKey {
        switch SDL_KeyCode(UInt32(bitPattern: code)) {
        case SDLK_UP: .up
        case SDLK_DOWN: .down
        case SDLK_LEFT: .left
        case SDLK_RIGHT: .right
        case SDLK_RETURN, SDLK_RETURN2, SDLK_KP_ENTER: .enter
        case SDLK_ESCAPE, SDLK_AC_BACK: .escape
        case SDLK_BACKSPACE: .backspace
        case SDLK_SPACE: .space
        case SDLK_TAB: .tab
        case SDLK_PAGEUP: .pageUp
        case SDLK_PAGEDOWN: .pageDown
        case SDLK_HOME: .home
        case SDLK_END: .end
        case SDLK_DELETE: .delete
        case SDLK_LSHIFT: .leftShift
        case SDLK_RSHIFT: .rightShift
        case SDLK_F1: .f1
        case SDLK_F2: .f2
        case SDLK_F3: .f3
        case SDLK_F4: .f4
        default: .other(code)
        }
    }
}
