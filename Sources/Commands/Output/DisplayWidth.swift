/// How many terminal columns a text takes: wide characters of East Asia and emoji take two, marks none.
func displayWidth(_ text: String) -> Int {
    // Titles are mostly ASCII, and Unicode properties are slow to look up.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + displayWidth($1) }
}

/// The columns of one character as a person sees it, whatever it is made of.
func displayWidth(_ character: Character) -> Int {
    var width = 0
    var regionalIndicators = 0
    for scalar in character.unicodeScalars {
        if scalar == "\u{FE0F}" { return 2 }
        if (0x1F1E6...0x1F1FF).contains(scalar.value) { regionalIndicators += 1 }
        width = max(width, displayWidth(scalar))
    }
    return regionalIndicators > 1 ? 2 : width
}

private func displayWidth(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation && scalar.value > 0x1F000 { return 2 }
    return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
}

/// East Asian Width W and F (UAX #11), joined over unassigned gaps.
private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x2E80...0x303E, 0x3041...0x33FF,
    0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18AFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
]

/// The text cut to so many columns, its last one an ellipsis where something was cut.
func truncated(_ text: String, to columns: Int) -> String {
    guard displayWidth(text) > columns, columns > 0 else { return text }
    var kept = ""
    var width = 0
    for character in text {
        width += displayWidth(character)
        if width > columns - 1 { break }
        kept.append(character)
    }
    return kept + "…"
}
