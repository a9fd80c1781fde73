/// What lets one into a network: what a person types, checked.
public enum WiFiKey: Sendable, Equatable {
    /// A password.
    case passphrase(String)
    /// The key that a password and a network's name make, as 64 hexadecimal digits. WPA3 cannot be spoken with it.
    case raw(String)

    /// Takes what somebody typed, as it is: no blank is cut off.
    ///
    /// - Throws: `ApplianceError.badValue`, which says what is wrong and never what was typed.
    public init(_ text: String) throws(ApplianceError) {
        let bytes = Array(text.utf8)
        func refuse(_ why: String) -> ApplianceError {
            .badValue(
                of: "the Wi-Fi password", expected: "8 to 63 characters, or a key of 64 hexadecimal digits; \(why)")
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw refuse("letters with accents, other scripts and control characters do not exist in Wi-Fi passwords")
        }
        switch bytes.count {
        case 8...63: self = .passphrase(text)
        case 64 where bytes.allSatisfy({ hexadecimalValue($0) != nil }): self = .raw(text)
        case 64: throw refuse("these are 64 characters, and not all of them are hexadecimal digits")
        default: throw refuse("this has \(bytes.count)")
        }
    }

    /// As NetworkManager stores it: it tells the two apart by their length.
    var text: String {
        switch self {
        case .passphrase(let text), .raw(let text): text
        }
    }

    var isRaw: Bool {
        if case .raw = self { true } else { false }
    }
}
