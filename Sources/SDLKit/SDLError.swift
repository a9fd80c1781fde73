internal import CSDL

/// A call of SDL or of one of its companions that failed, and SDL's reason.
///
/// SDL keeps one text for the latest failure, so it is copied at the failing line.
public struct SDLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The C function, e.g. `SDL_CreateWindow`.
    public let call: String
    /// SDL's sentence; may be empty.
    public let message: String

    /// A failure with a known reason.
    public init(call: String, message: String) {
        self.call = call
        self.message = message
    }

    /// `SDL_CreateWindow: No available displays`.
    public var description: String { message.isEmpty ? "\(call) failed" : "\(call): \(message)" }

    static func latest(_ call: String) -> SDLError {
        SDLError(call: call, message: SDL_GetError().map { String(cString: $0) } ?? "")
    }
}
