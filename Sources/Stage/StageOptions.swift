public import SystemKit

/// Where the stage stands.
public enum StageMode: Sendable, Equatable {
    /// A window that can be resized, of a size in the window system's units.
    case windowed(width: Int, height: Int)
    /// All of the screen, with or without a window system.
    case fullscreen
    /// No display: pictures are painted in memory, for screenshots and tests.
    case headless(width: Int, height: Int)
}

/// How to open a stage.
public struct StageOptions: Sendable {
    /// Where it stands.
    public var mode: StageMode
    /// The window's title.
    public var title: String
    /// Gives the SVG of a drawing that `ImageSource.icon` names.
    public var icons: @Sendable (String) -> [UInt8]?
    /// Whether `present` waits for the screen's next refresh.
    public var vsync: Bool
    /// Bytes that decoded pictures may take.
    public var pictureBudget: Int
    /// Bytes that drawn texts may take.
    public var textBudget: Int

    /// Options.
    public init(
        mode: StageMode, title: String, icons: @escaping @Sendable (String) -> [UInt8]?, vsync: Bool = true,
        pictureBudget: Int = 64 << 20, textBudget: Int = 12 << 20
    ) {
        self.mode = mode
        self.title = title
        self.icons = icons
        self.vsync = vsync
        self.pictureBudget = pictureBudget
        self.textBudget = textBudget
    }
}

/// Why there is no picture.
public enum StageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No display can be used; the reason is SDL's.
    case noDisplay(SDLFailure)
    /// Another program has the screen.
    case taken
    /// There is a display, but nothing that can paint on it.
    case noRenderer(SDLFailure)
    /// Text cannot be drawn at all.
    case noText(SDLFailure)
    /// The kernel refused something the stage needs.
    case system(SystemError)
    /// A picture of the screen was asked for while there is none.
    case nothingShown
    /// A picture of the screen could not be made.
    case screenshot(SDLFailure)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .noDisplay(let failure): "The screen cannot be opened (\(failure))."
        case .taken: "Another program has the screen."
        case .noRenderer(let failure): "Nothing can draw on this screen (\(failure))."
        case .noText(let failure): "Text cannot be drawn (\(failure))."
        case .system(let error): "The screen cannot be used (\(error))."
        case .nothingShown: "There is nothing on the screen to take a picture of."
        case .screenshot(let failure): "The picture of the screen could not be made (\(failure))."
        }
    }
}

/// A failed call of the graphics library: which one, and its own words.
public struct SDLFailure: Sendable, Equatable, CustomStringConvertible {
    /// The call.
    public let call: String
    /// The library's reason.
    public let message: String

    /// A failure.
    public init(call: String, message: String) {
        self.call = call
        self.message = message
    }

    /// `SDL_CreateWindow: No available displays`.
    public var description: String { message.isEmpty ? call : "\(call): \(message)" }
}

/// What the stage holds at the moment.
public struct StageStatistics: Sendable, Equatable {
    /// Draw lists shown since the start.
    public var frames = 0
    /// Drawn texts that are kept.
    public var texts = 0
    /// Bytes of them.
    public var textBytes = 0
    /// Decoded pictures and icons that are kept.
    public var pictures = 0
    /// Bytes of them.
    public var pictureBytes = 0
    /// Shapes (corners, shadows, gradients) that are kept.
    public var shapes = 0
    /// Bytes of them.
    public var shapeBytes = 0
    /// Font files that are open.
    public var fonts = 0
    /// Who paints: SDL's names of the video and render driver, `-` where there is none.
    public var drivers = "-"

    /// Nothing yet.
    public init() {}
}
