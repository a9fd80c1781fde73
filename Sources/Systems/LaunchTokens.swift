/// What stands in braces in a program's arguments and is replaced at launch.
package let launchTokens = [
    "rom", "core", "config", "stem", "romDirectory", "saves", "states", "screenshots", "bios", "system",
]

/// Words in braces that look like a token but are none.
func unknownTokens(in argument: String) -> [String] {
    var unknown: [String] = []
    for part in argument.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
        guard let end = part.firstIndex(of: "}") else { continue }
        let word = String(part[..<end])
        let isWord = !word.isEmpty && word.utf8.allSatisfy { asciiLetter($0) }
        if isWord, !launchTokens.contains(word) { unknown.append(word) }
    }
    return unknown
}

private func asciiLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
}
