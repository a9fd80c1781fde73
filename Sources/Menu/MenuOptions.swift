public import SystemKit

/// What the command line of `retro-menu` asks for.
public struct MenuOptions: Sendable, Equatable {
    /// Where the menu is shown.
    public enum Mode: Sendable, Equatable {
        /// The whole screen.
        case fullscreen
        /// A window of this size.
        case windowed(width: Int, height: Int)
        /// No display at all: pictures are drawn in memory.
        case headless(width: Int, height: Int)
    }

    /// What the process does.
    public enum Action: Sendable, Equatable {
        /// Shows the menu.
        case run
        /// Prints how to use it.
        case help
        /// Prints the version.
        case version
    }

    /// What to do.
    public var action = Action.run
    /// The data root, when one was given.
    public var root: BytePath?
    /// The folder of games, when it is elsewhere.
    public var roms: BytePath?
    /// Where the menu is shown.
    public var mode = Mode.fullscreen
    /// A script that drives the menu.
    public var script: BytePath?
    /// Where to write what happens.
    public var trace: BytePath?

    /// A command line that is not understood, as a sentence.
    public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The sentence.
        public let description: String
    }

    /// How to use it.
    public static let usage = """
        usage: retro-menu [--root DIR] [--roms DIR] [--fullscreen | --windowed WxH | --headless WxH]
                          [--script FILE] [--trace FILE]

          --root DIR       the data root (default: $RETRO_HOME, else /srv/retro on the appliance, else ~/retro)
          --roms DIR       the folder that holds a folder for each system (default: ROOT/roms)
          --fullscreen     use the whole screen (default)
          --windowed WxH   use a window, e.g. 1280x720
          --headless WxH   draw in memory, without a display
          --script FILE    drive the menu: one step a line (press BUTTON, hold BUTTON SECONDS,
                           key NAME [SECONDS], type TEXT, touch X Y, wait idle|TEXT|SECONDS, screenshot FILE, expect TEXT, quit);
                           buttons joined by + are held together; ends with status 1 where a step fails
          --trace FILE     write what happens as JSON lines with monotonic nanoseconds
          -h, --help       this text
          --version        the version

        """

    /// Reads a command line without the program's name.
    ///
    /// - Throws: `UsageError` for a word that is not understood.
    public init(_ arguments: [BytePath]) throws(UsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            let text = word.displayString
            let equals = word.bytes.firstIndex(of: UInt8(ascii: "="))
            let isLong = word.bytes.starts(with: "--".utf8)
            let name = isLong ? BytePath(bytes: word.bytes[..<(equals ?? word.bytes.endIndex)]).displayString : text
            var inline = isLong ? equals.map { BytePath(bytes: word.bytes[($0 + 1)...]) } : nil
            func value() throws(UsageError) -> BytePath {
                if let given = inline {
                    inline = nil
                    return given
                }
                guard let next = rest.popFirst(), !next.bytes.isEmpty else {
                    throw UsageError(description: "\(name) needs a value")
                }
                return next
            }
            switch name {
            case "--root": root = try value()
            case "--roms": roms = try value()
            case "--fullscreen": mode = .fullscreen
            case "--windowed":
                let size = try Self.size(try value(), name)
                mode = .windowed(width: size.0, height: size.1)
            case "--headless":
                let size = try Self.size(try value(), name)
                mode = .headless(width: size.0, height: size.1)
            case "--script": script = try value()
            case "--trace": trace = try value()
            case "-h", "--help": action = .help
            case "--version": action = .version
            default: throw UsageError(description: "\(text) is not an option of retro-menu")
            }
            if inline != nil { throw UsageError(description: "\(name) takes no value") }
        }
    }

    private static func size(_ word: BytePath, _ option: String) throws(UsageError) -> (Int, Int) {
        let parts = word.displayString.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), (160...16384).contains(width),
            (120...16384).contains(height)
        else { throw UsageError(description: "\(option) needs a size such as 1280x720, not \(word)") }
        return (width, height)
    }
}
