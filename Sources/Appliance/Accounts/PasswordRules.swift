import SystemKit

/// Which passwords people may have.
enum PasswordRules {
    /// What images really come with. A hash is compared with these only: hashing is slow by design.
    private static let shipped = [
        "raspberry", "retro", "retropie", "recalboxroot", "linux", "root", "pi", "admin", "password", "changeme",
    ]
    /// What else everybody knows, and programs on the network try.
    private static let wellKnown = [
        "raspberrypi", "recalbox", "batocera", "lakka", "libreelec", "openelec", "toor", "administrator", "user",
        "guest", "debian", "ubuntu", "armbian", "orangepi", "osmc", "kodi", "volumio", "dietpi", "password1",
        "password123", "passw0rd",
        "default", "letmein", "welcome", "qwerty", "qwertyui", "qwertyuiop", "12345", "123456", "1234567",
        "12345678", "123456789", "1234567890", "87654321", "00000000", "11111111", "88888888", "abcdefgh", "abc12345",
        "iloveyou", "alpine", "odroid", "rock", "temppwd",
    ]

    /// Why a password cannot be used for logging in; `nil` where it can.
    static func loginProblem(_ password: String, user: String, hostName: String) -> ApplianceError? {
        if let problem = problem(password, of: "the password", shortest: 8, longest: 128) { return problem }
        if isPublished(password, user: user, hostName: hostName) {
            return .refused("this password is one that everybody tries first; choose another one")
        }
        return nil
    }

    /// Why a password cannot be the share's; `nil` where it can.
    static func shareProblem(_ password: String, user: String, hostName: String) -> ApplianceError? {
        if let problem = problem(password, of: "the share's password", shortest: 8, longest: 64) { return problem }
        if isPublished(password, user: user, hostName: hostName) {
            return .refused("this password is one that everybody tries first; choose another one")
        }
        return nil
    }

    /// Whether a hash of `/etc/shadow` is that of a published password.
    static func isPublished(hash: String, user: String, hostName: String) -> Bool {
        guard hash.hasPrefix("$") else { return false }
        return (shipped + [user, hostName]).contains { !$0.isEmpty && passwordMatches($0, hash: hash) }
    }

    private static func isPublished(_ password: String, user: String, hostName: String) -> Bool {
        let lower = password.lowercased()
        return (shipped + wellKnown + [user.lowercased(), hostName.lowercased()]).contains(lower)
            || Set(password.unicodeScalars).count == 1
    }

    private static func problem(
        _ password: String, of subject: String, shortest: Int, longest: Int
    ) -> ApplianceError? {
        let scalars = password.unicodeScalars
        if scalars.contains(where: {
            ($0.value < 0x20) || (0x7F..<0xA0).contains($0.value) || (0x2028...0x2029).contains($0.value)
        }) {
            return .badValue(of: subject, expected: "one line without control characters")
        }
        if scalars.first == " " || scalars.last == " " {
            return .badValue(of: subject, expected: "a text that neither begins nor ends with a blank")
        }
        guard scalars.count >= shortest, password.utf8.count <= longest else {
            return .badValue(of: subject, expected: "at least \(shortest) characters and at most \(longest) bytes long")
        }
        return nil
    }
}
