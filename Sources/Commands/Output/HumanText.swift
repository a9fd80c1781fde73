/// Bytes for people, in the units that disks and shops use: `3.2 GB`.
func sizeText(_ bytes: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    var value = Double(bytes)
    guard abs(value) >= 1000 else { return "\(bytes) B" }
    var unit = "kB"
    for next in units {
        value /= 1000
        unit = next
        if abs(value) < 999.5 { break }
    }
    return abs(value) < 9.95 ? "\(tenths(value)) \(unit)" : "\(Int64(value.rounded())) \(unit)"
}

/// Seconds for people, in the two largest units that matter: `2 h 5 min`.
func durationText(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "unknown" }
    if seconds < 10 { return "\(tenths(seconds)) s" }
    let whole = Int64(seconds.rounded())
    let (days, hours, minutes) = (whole / 86400, whole / 3600 % 24, whole / 60 % 60)
    if days > 0 { return hours > 0 ? "\(days) d \(hours) h" : "\(days) d" }
    if hours > 0 { return minutes > 0 ? "\(hours) h \(minutes) min" : "\(hours) h" }
    if minutes > 0 { return whole % 60 > 0 ? "\(minutes) min \(whole % 60) s" : "\(minutes) min" }
    return "\(whole) s"
}

/// A count with its noun: `1 game`, `2 games`, `12,000 games`.
func countText(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(groupedText(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// A number with its thousands apart: `100,000`.
func groupedText(_ number: Int) -> String {
    var groups: [String] = []
    var rest = number.magnitude
    while rest >= 1000 {
        groups.append(String(rest % 1000 + 1000).dropFirst().description)
        rest /= 1000
    }
    groups.append(String(rest))
    return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
}

/// Words as a list in a sentence: `a, b and c`.
func listText(_ words: [String], joint: String = "and") -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(joint) " + last
}

private func tenths(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
}
