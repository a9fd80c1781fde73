public import SystemKit

/// A file of the boot partition that this program may replace.
public enum BootFile: String, Sendable, CaseIterable {
    /// What the firmware does.
    case configuration = "config.txt"
    /// What the kernel is told.
    case commandLine = "cmdline.txt"

    /// Its name.
    public var name: BytePath { BytePath(rawValue) }
    /// The name of the copy that the machine is known to have started with.
    public var backupName: BytePath { BytePath(rawValue + ".bak") }

    /// What shows that these bytes are no such file: an interrupted writer leaves nothing, zeros, or what other files
    /// had. `nil` where they may be one.
    public func damage(in bytes: [UInt8]) -> String? {
        guard bytes.contains(where: { $0 > 0x20 }) else { return "it is empty" }
        if bytes.contains(0) { return "it contains zero bytes" }
        // 0x1A ends a text of old Windows editors.
        if bytes.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x1A].contains($0) || $0 == 0x7F }) {
            return "it contains control characters"
        }
        switch self {
        case .configuration:
            let lines = ConfigurationText.lines(of: bytes).map(ConfigurationText.content).filter { !$0.isEmpty }
            let known = lines.filter(ConfigurationText.isStatement)
            return known.count * 2 < lines.count ? "its lines are no settings" : nil
        case .commandLine:
            let line = CommandLineText(bytes)
            if line.lineCount > 1 { return "it has more than one line" }
            return line.root == nil ? "it does not say where the root filesystem is (root=)" : nil
        }
    }
}

/// `cmdline.txt`: one line of words. The firmware reads the first line only.
public struct CommandLineText: Sendable, Equatable {
    /// The words, in order.
    public var words: [String]
    /// How many lines have something in them.
    public let lineCount: Int

    /// Reads the bytes of a file.
    public init(_ bytes: [UInt8]) {
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { $0.contains { $0 > 0x20 } }
        lineCount = lines.count
        words = (lines.first ?? []).split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// What `root=` says.
    public var root: String? {
        words.last { $0.hasPrefix("root=") }.map { String($0.dropFirst(5)) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The file's bytes: one line.
    public var bytes: [UInt8] { Array(words.joined(separator: " ").utf8) + [0x0A] }

    /// Replaces all words that begin so by the given ones, at the place of the first.
    mutating func replace(prefix: String, with new: [String]) {
        let place = words.firstIndex { $0.hasPrefix(prefix) } ?? words.endIndex
        words.removeAll { $0.hasPrefix(prefix) }
        words.insert(contentsOf: new, at: min(place, words.endIndex))
    }

    /// A line for a machine whose own is lost, from what its running kernel was told: only words that people put
    /// there, none that the firmware adds by itself. `nil` where it was not told where its root is.
    static func rebuilt(from running: [UInt8]) -> [UInt8]? {
        var line = CommandLineText(running)
        let names = [
            "console", "root", "rootfstype", "rootflags", "rootdelay", "fsck.repair", "video",
            "cfg80211.ieee80211_regdom",
        ]
        let flags = ["rootwait", "ro", "rw", "quiet", "splash"]
        line.words = line.words.filter { word in
            flags.contains(word) || names.contains { word.hasPrefix($0 + "=") }
        }
        return line.root == nil ? nil : line.bytes
    }
}
