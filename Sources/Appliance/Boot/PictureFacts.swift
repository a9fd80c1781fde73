import SystemKit

/// What screens are there and how their pictures are set.
public struct PictureFacts: Sendable, Equatable {
    /// A socket that a screen is, or could be, plugged into.
    public struct Output: Sendable, Equatable {
        /// The kernel's name, e.g. `HDMI-A-1`.
        public let name: String
        /// Whether a screen is plugged in.
        public let isConnected: Bool
        /// Resolutions that the screen offers, each once, its own choice first, e.g. `1920x1080`.
        public let modes: [String]
        /// The one that is set for the next start; `nil` for the screen's own choice.
        public let setting: String?
        /// Pixels that are left free at the edges.
        public let margins: Margins
    }

    /// Pixels at the four edges.
    public struct Margins: Sendable, Equatable, Codable {
        /// At the left.
        public let left: Int
        /// At the right.
        public let right: Int
        /// At the top.
        public let top: Int
        /// At the bottom.
        public let bottom: Int

        /// Margins.
        public init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
            self.left = left
            self.right = right
            self.top = top
            self.bottom = bottom
        }

        /// The most that an edge may lose.
        static let limit = 200
    }

    /// All outputs, in the order of their names.
    public let outputs: [Output]
    /// Whether the kernel drives the screen, so that resolutions can be chosen; else the firmware does.
    public let isKernels: Bool
    /// Margins that the firmware was told.
    public let firmwareMargins: Margins
    /// Whether settings can be written: there is a `cmdline.txt`.
    public let isChangeable: Bool

    /// Reads everything now, without root.
    public static func read(_ machine: Machine) -> PictureFacts {
        let files = BootPartition.find(machine).map { BootFiles($0, machine) }
        let line = CommandLineText((try? files?.read(.commandLine)) ?? [])
        let configuration = ConfigurationText((try? files?.read(.configuration)) ?? [])
        let outputs = connectors(machine).map { output(machine, $0.path, $0.name, line) }
        func margin(_ side: String) -> Int { configuration.value("overscan_" + side).flatMap { Int($0) } ?? 0 }
        return PictureFacts(
            outputs: outputs, isKernels: !outputs.isEmpty,
            firmwareMargins: Margins(
                left: margin("left"), right: margin("right"), top: margin("top"), bottom: margin("bottom")),
            isChangeable: files != nil && line.root != nil)
    }

    /// `card1-HDMI-A-1` and the like; the number of the card differs between starts, the connector's name does not.
    private static func connectors(_ machine: Machine) -> [(name: String, path: String)] {
        let names = (try? directoryNames(machine.path("sys/class/drm"))) ?? []
        return names.map(\.displayString).compactMap { entry in
            guard entry.hasPrefix("card"), let dash = entry.firstIndex(of: "-") else { return nil }
            let name = String(entry[entry.index(after: dash)...])
            guard !name.hasPrefix("Writeback"), isName(name) else { return nil }
            return (name, "sys/class/drm/" + entry)
        }.sorted { $0.name < $1.name }
    }

    private static func output(_ machine: Machine, _ path: String, _ name: String, _ line: CommandLineText) -> Output {
        var modes: [String] = []
        for mode in machine.files.lines(path + "/modes").map({ trimmingSpaces($0) })
        where isMode(mode) && !modes.contains(mode) { modes.append(mode) }
        let parts = VideoWord.find(name, in: line)
        return Output(
            name: name, isConnected: machine.files.text(path + "/status") == "connected", modes: modes,
            setting: parts?.mode, margins: parts?.margins ?? Margins())
    }

    /// `1920x1080`, `1920x1080i`.
    static func isMode(_ text: String) -> Bool {
        let numbers = (text.hasSuffix("i") ? text.dropLast() : text[...]).split(
            separator: "x", omittingEmptySubsequences: false)
        return numbers.count == 2
            && numbers.allSatisfy {
                (2...5).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    /// What the kernel calls connectors.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count < 32
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// A word `video=HDMI-A-1:1920x1080,margin_left=20` of the kernel's command line.
struct VideoWord: Sendable, Equatable {
    var mode: String?
    var margins: PictureFacts.Margins
    /// Options of others, e.g. `rotate=90`, `e`.
    var rest: [String]

    static func prefix(_ output: String) -> String { "video=\(output):" }

    static func find(_ output: String, in line: CommandLineText) -> VideoWord? {
        line.words.last { $0.hasPrefix(prefix(output)) }.map { VideoWord(String($0.dropFirst(prefix(output).count))) }
    }

    init(mode: String? = nil, margins: PictureFacts.Margins = PictureFacts.Margins(), rest: [String] = []) {
        self.mode = mode
        self.margins = margins
        self.rest = rest
    }

    init(_ text: String) {
        var parts = text.split(separator: ",").map(String.init)
        if let first = parts.first, first.first?.isNumber == true {
            mode = first
            parts.removeFirst()
        }
        var found: [String: Int] = [:]
        rest = []
        for part in parts {
            if let pair = ConfigurationText.pair(part), pair.key.hasPrefix("margin_"), let value = Int(pair.value) {
                found[pair.key] = value
            } else {
                rest.append(part)
            }
        }
        margins = PictureFacts.Margins(
            left: found["margin_left"] ?? 0, right: found["margin_right"] ?? 0, top: found["margin_top"] ?? 0,
            bottom: found["margin_bottom"] ?? 0)
    }

    /// The whole word; `nil` where nothing is set.
    func word(_ output: String) -> String? {
        let sides = [
            ("left", margins.left), ("right", margins.right), ("top", margins.top), ("bottom", margins.bottom),
        ]
        let parts = [mode].compactMap { $0 } + rest + sides.filter { $0.1 > 0 }.map { "margin_\($0.0)=\($0.1)" }
        return parts.isEmpty ? nil : VideoWord.prefix(output) + parts.joined(separator: ",")
    }
}
