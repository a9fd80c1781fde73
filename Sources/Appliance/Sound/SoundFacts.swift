import SystemKit

/// Where sound can come out, where it does, and how loud.
public struct SoundFacts: Sendable, Equatable {
    /// A card that can play, by the name that stays the same: the numbers of cards differ between starts.
    public struct Card: Sendable, Equatable {
        /// ALSA's name, e.g. `vc4hdmi0`, `Headphones`.
        public let name: String
        /// What people read, e.g. `HDMI 1`, `Headphones`, `USB Audio CODEC`.
        public let title: String
        /// What it is.
        public let kind: Kind
        /// Whether something that can be heard is plugged in, as far as the card knows.
        public let isConnected: Bool?
    }

    /// Kinds of cards.
    public enum Kind: String, Sendable, Equatable {
        /// The television's loudspeakers.
        case hdmi
        /// The socket for headphones.
        case headphones
        /// A card on USB.
        case usb
        /// Another, e.g. a board on the pins.
        case other
    }

    /// Cards that can play, in the kernel's order.
    public let cards: [Card]
    /// The card that was chosen, also where it is not plugged in now; `nil` for the best one that is there.
    public let chosen: String?
    /// The card that programs play on now, as `/etc/asound.conf` says.
    public let current: String?
    /// The card that they should play on: the chosen one where it is there, else the best. `nil` without any card.
    public let right: String?
    /// How loud it is; `nil` where the card has no control for it (or has it only once something was played).
    public let volume: SoundVolume?
    /// A program that mixes the sound of others, e.g. `PipeWire`: it has its own mind about outputs.
    public let server: String?

    /// What a person should know; `nil` where all is well.
    public var advice: String? {
        if cards.isEmpty {
            return
                "There is no sound card. On a Raspberry Pi, config.txt must have 'dtparam=audio=on' for the headphones "
                + "and 'dtoverlay=vc4-kms-v3d' for HDMI."
        }
        if let chosen, !cards.contains(where: { $0.name == chosen }) {
            return "The chosen sound card \(chosen) is not there; \(right ?? "none") is used meanwhile."
        }
        if let card = cards.first(where: { $0.name == right }), card.isConnected == false {
            return "The screen at \(card.title) does not say that it takes sound."
        }
        return server.map { "\($0) runs and decides itself where sound comes out." }
    }

    /// Reads everything now, without root; asks `amixer` for the volume.
    public static func read(_ machine: Machine) -> SoundFacts {
        let cards = cards(machine)
        let chosen = SoundChoice.chosen(machine)
        let right = best(cards, chosen)
        return SoundFacts(
            cards: cards, chosen: chosen, current: SoundChoice.current(machine), right: right,
            volume: right.flatMap { SoundVolume.read(machine, card: $0) }, server: server(machine))
    }

    /// The chosen card, else a screen that takes sound, else headphones, else whatever there is.
    static func best(_ cards: [Card], _ chosen: String?) -> String? {
        if let chosen, cards.contains(where: { $0.name == chosen }) { return chosen }
        return
            (cards.first { $0.kind == .hdmi && $0.isConnected == true } ?? cards.first { $0.kind == .headphones }
            ?? cards.first { $0.kind == .usb } ?? cards.first)?.name
    }

    /// ` 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0`, and a line with a longer name below.
    static func cards(_ machine: Machine) -> [Card] {
        var found: [Card] = []
        for line in machine.files.lines("proc/asound/cards") {
            guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
                let number = Int(trimmingSpaces(line[..<open]))
            else { continue }
            let name = trimmingSpaces(line[line.index(after: open)..<close])
            let folder = machine.path("proc/asound/card\(number)")
            let entries = ((try? directoryNames(folder)) ?? []).map(\.displayString)
            guard isName(name), entries.contains(where: { $0.hasPrefix("pcm") && $0.hasSuffix("p") }) else { continue }
            let rest = line[line.index(after: close)...].drop { $0 == ":" || $0 == " " }
            let parts = rest.split(separator: " - ", maxSplits: 1).map { trimmingSpaces($0) }
            let kind = kind(name, driver: parts.first ?? "", entries)
            found.append(
                Card(
                    name: name, title: title(name, kind, parts.last ?? name), kind: kind,
                    isConnected: isConnected(machine, number, entries)))
        }
        return found
    }

    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count < 16
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func kind(_ name: String, driver: String, _ entries: [String]) -> Kind {
        if entries.contains("usbid") || driver == "USB-Audio" { return .usb }
        let lower = name.lowercased()
        if lower.contains("hdmi") || driver.lowercased().contains("hdmi") { return .hdmi }
        return lower.contains("headphone") || lower == "alsa" ? .headphones : .other
    }

    private static func title(_ name: String, _ kind: Kind, _ long: String) -> String {
        switch kind {
        case .hdmi:
            // The kernel counts from 0, the board's print from there too, people from 1.
            name.last.flatMap { Int(String($0)) }.map { "HDMI \($0 + 1)" } ?? "HDMI"
        case .headphones: "Headphones"
        case .usb, .other: long.isEmpty ? name : BytePath.displayString(of: Array(long.utf8))
        }
    }

    /// What the screen told the card about itself; `nil` where the card cannot know.
    private static func isConnected(_ machine: Machine, _ number: Int, _ entries: [String]) -> Bool? {
        let reports = entries.filter { $0.hasPrefix("eld#") }
        guard !reports.isEmpty else { return nil }
        return reports.contains { report in
            machine.files.lines("proc/asound/card\(number)/\(report)").contains { line in
                let words = line.split { $0 == " " || $0 == "\t" }
                return words.first == "eld_valid" && words.last == "1"
            }
        }
    }

    private static func server(_ machine: Machine) -> String? {
        let known = ["pipewire-pulse": "PipeWire", "pipewire": "PipeWire", "pulseaudio": "PulseAudio"]
        for entry in (try? directoryNames(machine.path("proc"))) ?? [] {
            guard let first = entry.bytes.first, (0x30...0x39).contains(first),
                let name = machine.files.text("proc/\(entry.displayString)/comm"), let server = known[name]
            else { continue }
            return server
        }
        return nil
    }
}

/// How loud a card is.
public struct SoundVolume: Sendable, Equatable {
    /// The control's name, e.g. `PCM`.
    public let control: String
    /// 0 to 100, as ears hear it.
    public let percent: Int
    /// Whether it is silent; `nil` where the control cannot be.
    public let isMuted: Bool?

    /// The controls that people mean by "volume", best first.
    private static let preferred = [
        "Master", "PCM", "Headphones", "Headphone", "Speaker", "HDMI", "Digital", "Playback", "Line Out", "Front",
    ]

    /// Asks `amixer`; `nil` without it, or where the card has no control for loudness.
    static func read(_ machine: Machine, card: String) -> SoundVolume? {
        guard let list = try? mixer(machine, card, ["scontents"]), list.succeeded else { return nil }
        let controls = parse(list.text)
        for name in preferred {
            if let control = controls.first(where: { $0.control == name }) { return control }
        }
        return controls.first
    }

    static func mixer(
        _ machine: Machine, _ card: String, _ arguments: [BytePath]
    ) throws(ApplianceError) -> ProgramResult {
        try machine.programs.run(
            "amixer", ["-M", "-c", BytePath(card)] + arguments, package: "alsa-utils", seconds: 10)
    }

    /// Controls that change how loud something is played, as `amixer scontents` prints them.
    static func parse(_ text: String) -> [SoundVolume] {
        var found: [SoundVolume] = []
        var name: String?
        var canPlay = false
        var percent: Int?
        var isMuted: Bool?
        func finish() {
            if let name, canPlay, let percent {
                found.append(SoundVolume(control: name, percent: percent, isMuted: isMuted))
            }
        }
        for line in text.split(separator: "\n") {
            if line.hasPrefix("Simple mixer control '") {
                finish()
                let rest = line.dropFirst("Simple mixer control '".count)
                name = rest.lastIndex(of: "'").map { String(rest[..<$0]) }
                canPlay = false
                percent = nil
                isMuted = nil
            } else if line.contains("Capabilities:") {
                let words = line.split(separator: " ")
                canPlay = words.contains { $0.hasPrefix("pvolume") || $0 == "volume" || $0 == "volume-joined" }
            } else {
                // What is said of recording comes last on the line.
                let played = line.firstRange(of: "Capture").map { line[..<$0.lowerBound] } ?? line
                let words = bracketed(played)
                guard let value = words.first(where: { $0.hasSuffix("%") }).flatMap({ Int($0.dropLast()) }) else {
                    continue
                }
                // The louder of two sides.
                percent = max(percent ?? 0, value)
                if let word = words.first(where: { $0 == "on" || $0 == "off" }) {
                    isMuted = (isMuted ?? true) && word == "off"
                }
            }
        }
        finish()
        return found
    }

    private static func bracketed(_ line: Substring) -> [Substring] {
        line.split(separator: "[").dropFirst().compactMap { $0.split(separator: "]").first }
    }
}
