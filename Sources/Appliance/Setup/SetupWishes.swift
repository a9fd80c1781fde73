/// What the lines of `retro-setup.txt` ask for.
struct SetupWishes: Sendable {
    /// One thing to do, and the lines that it comes from.
    struct Wish: Sendable {
        let change: MachineChange
        let lines: [SetupText.Line]
    }

    private(set) var wishes: [Wish] = []
    /// What is wrong with a line, by its number.
    private(set) var faults: [Int: String] = [:]
    /// Whether a country is among them.
    var hasCountry: Bool { wishes.contains { if case .wifi(.country) = $0.change { true } else { false } } }
    var hasNetwork: Bool { wishes.contains { if case .wifi(.remember) = $0.change { true } else { false } } }

    static let networkWords = ["ssid", "ssid-hex", "passphrase", "hidden"]
    static let words = ["country", "hostname", "password-hash", "ssh", "ssh-key", "timezone"] + networkWords
    /// What must not stay on the card. What is not understood may be a misspelled one of them.
    static func isSecret(_ line: SetupText.Line) -> Bool {
        line.word == "passphrase" || line.word == "password-hash" || !words.contains(line.word)
    }

    init(_ lines: [SetupText.Line]) {
        for line in lines where !line.key.isEmpty && SetupWishes.words.contains(line.word) {
            if !SetupWishes.networkWords.contains(line.word), line.word != line.key {
                faults[line.number] = "\(line.word) takes no number"
            } else if line.word != "ssh-key", lines.contains(where: { $0.isSame(as: line) && $0.number < line.number })
            {
                faults[line.number] = "\(line.key) was said before"
            }
        }
        for line in lines where faults[line.number] == nil { add(line, lines) }
        // Without its country the radio may be off.
        let isCountry: (Wish) -> Bool = { if case .wifi(.country) = $0.change { true } else { false } }
        wishes = wishes.filter(isCountry) + wishes.filter { !isCountry($0) }
    }

    private mutating func add(_ line: SetupText.Line, _ lines: [SetupText.Line]) {
        if line.key.isEmpty { return faults[line.number] = "this is no KEY=VALUE line" }
        guard SetupWishes.words.contains(line.word) else {
            return faults[line.number] =
                "there is no such setting; there are " + SetupWishes.words.sorted().joined(separator: ", ")
        }
        switch line.word {
        case "ssid", "ssid-hex": addNetwork(line, lines)
        case "passphrase", "hidden":
            let hasName = lines.contains { ["ssid", "ssid-hex"].contains($0.word) && $0.index == line.index }
            if !hasName { faults[line.number] = "there is no ssid\(line.index == 1 ? "" : "\(line.index)") for it" }
        default:
            guard let text = line.text, !text.isEmpty else {
                return faults[line.number] = line.value.isEmpty ? "nothing is said" : "this is not UTF-8 text"
            }
            addText(line, text)
        }
    }

    private mutating func addText(_ line: SetupText.Line, _ text: String) {
        switch line.word {
        case "country": wishes.append(Wish(change: .wifi(.country(text)), lines: [line]))
        case "hostname": wishes.append(Wish(change: .account(.hostName(text)), lines: [line]))
        case "password-hash": wishes.append(Wish(change: .account(.passwordHash(text)), lines: [line]))
        case "ssh-key": wishes.append(Wish(change: .account(.addKey(text)), lines: [line]))
        case "timezone": wishes.append(Wish(change: .place(.timeZone(text)), lines: [line]))
        default:
            guard let isOn = SetupWishes.yesOrNo(text) else { return faults[line.number] = "this must be on or off" }
            wishes.append(Wish(change: .account(.ssh(isOn: isOn)), lines: [line]))
        }
    }

    private mutating func addNetwork(_ line: SetupText.Line, _ lines: [SetupText.Line]) {
        let others = lines.filter {
            $0.index == line.index && ["passphrase", "hidden"].contains($0.word) && faults[$0.number] == nil
        }
        var ssid = line.value
        if line.word == "ssid-hex" {
            guard let bytes = bytesOfHexadecimal(line.value) else {
                return faults[line.number] = "this must be hexadecimal digits, two a byte"
            }
            ssid = bytes
        }
        var passphrase: String?
        if let secret = others.first(where: { $0.word == "passphrase" }) {
            guard let text = secret.text else {
                return refuse(line, for: secret, "letters with accents do not exist in Wi-Fi passwords")
            }
            do throws(ApplianceError) { _ = try WiFiKey(text) } catch {
                return refuse(line, for: secret, error.description)
            }
            passphrase = text
        }
        var isHidden = false
        if let hidden = others.first(where: { $0.word == "hidden" }) {
            guard let text = hidden.text, let isYes = SetupWishes.yesOrNo(text) else {
                return refuse(line, for: hidden, "this must be yes or no")
            }
            isHidden = isYes
        }
        wishes.append(
            Wish(
                change: .wifi(.remember(ssid: ssid, passphrase: passphrase, isHidden: isHidden)),
                lines: [line] + others))
    }

    /// Without what belongs to it a network is not saved either.
    private mutating func refuse(_ network: SetupText.Line, for line: SetupText.Line, _ reason: String) {
        faults[line.number] = reason
        faults[network.number] = "it was not saved, because of line \(line.number)"
    }

    private static func yesOrNo(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "on", "true", "1": true
        case "no", "off", "false", "0": false
        default: nil
        }
    }
}

extension SetupText.Line {
    /// Whether two lines say the same thing of the same network.
    fileprivate func isSame(as other: SetupText.Line) -> Bool {
        let (one, two) = (word == "ssid-hex" ? "ssid" : word, other.word == "ssid-hex" ? "ssid" : other.word)
        return one == two && index == other.index
    }
}
