import SystemKit

/// Where the choice of an output is kept, and how all programs come to follow it.
enum SoundChoice {
    private static let begin = "# retro-appliance begin"
    private static let end = "# retro-appliance end"

    private static func choicePath(_ machine: Machine) -> BytePath { machine.state.appending("sound-card") }
    static func configurationPath(_ machine: Machine) -> BytePath { machine.path("etc/asound.conf") }

    /// The card that a person chose.
    static func chosen(_ machine: Machine) -> String? {
        guard let bytes = try? readRegularFile(choicePath(machine), limit: 64) else { return nil }
        let name = trimmingSpaces(String(decoding: bytes, as: UTF8.self))
        return SoundFacts.isName(name) ? name : nil
    }

    static func choose(_ card: String?, _ machine: Machine) throws(ApplianceError) {
        try system { () throws(SystemError) in
            try createDirectories(machine.state)
            guard let card else { return try removeFile(choicePath(machine)) }
            try replaceFile(at: choicePath(machine), with: Array((card + "\n").utf8))
        }
    }

    /// The card that ALSA's own configuration names in our lines.
    static func current(_ machine: Machine) -> String? {
        for line in split(machine).own where line.hasPrefix("defaults.pcm.!card ") {
            let name = line.dropFirst("defaults.pcm.!card ".count).filter { $0 != "\"" }
            return SoundFacts.isName(String(name)) ? String(name) : nil
        }
        return nil
    }

    /// Makes programs play on a card, by its name. The rest of the file stays as it is.
    static func write(_ card: String?, _ machine: Machine) throws(ApplianceError) {
        let parts = split(machine)
        var lines = parts.others
        if let card {
            lines += [begin, "defaults.pcm.!card \"\(card)\"", "defaults.ctl.!card \"\(card)\"", end]
        }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        try system { () throws(SystemError) in
            try createDirectories(configurationPath(machine).parent)
            try replaceFile(at: configurationPath(machine), with: bytes)
        }
    }

    /// Whether somebody else's lines name a default too.
    static func isOverridden(_ machine: Machine) -> Bool {
        split(machine).others.contains { line in
            let text = trimmingSpaces(line)
            return text.hasPrefix("pcm.!default") || text.hasPrefix("pcm.default") || text.hasPrefix("defaults.pcm.")
        }
    }

    private static func split(_ machine: Machine) -> (others: [String], own: [String]) {
        var lines = machine.files.lines("etc/asound.conf")
        var own: [String] = []
        while let last = lines.firstIndex(of: end), let first = lines[..<last].lastIndex(of: begin) {
            own = Array(lines[(first + 1)..<last])
            lines.removeSubrange(first...last)
        }
        return (lines, own)
    }
}
