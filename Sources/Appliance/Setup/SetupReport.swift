import SystemKit

/// What is left on the boot partition after a setup: for people, so with the line ends that every editor shows.
enum SetupReport {
    /// What happened, line by line, without any value.
    static func report(_ outcome: SetupFile.Outcome) -> [UInt8] {
        var lines = ["What came of \(outcome.file.name.displayString):", ""]
        for line in outcome.lines {
            let subject = "Line \(line.number)" + (line.key.isEmpty ? "" : " (\(line.key))")
            switch line.state {
            case .done: lines.append("\(subject): done")
            case .planned: lines.append("\(subject): would be done")
            case .bad: lines.append("\(subject): NOT DONE: \(line.reason ?? "")")
            case .failed:
                lines.append("\(subject): NOT DONE YET, tried again at the next start: \(line.reason ?? "")")
            }
        }
        if !outcome.notes.isEmpty { lines += [""] + outcome.notes }
        return text(lines.map { Array($0.utf8) }, hasCarriageReturns: true)
    }

    /// The file with its lines turned into comments, secrets left out. Lines that are to be tried again stay.
    static func copy(_ source: SetupText, _ outcome: SetupFile.Outcome) -> [UInt8] {
        var results: [Int: SetupFile.LineResult] = [:]
        for line in outcome.lines { results[line.number] = line }
        var copy: [[UInt8]] = []
        for (offset, raw) in source.raw.enumerated() {
            guard let result = results[offset + 1], result.state != .failed,
                let line = source.lines.first(where: { $0.number == offset + 1 })
            else {
                copy.append(raw)
                continue
            }
            let word = result.state == .bad ? "# not done: " : "# done: "
            let shown =
                SetupWishes.isSecret(line) ? Array("\(result.key.isEmpty ? "..." : line.key)=(removed)".utf8) : raw
            copy.append(Array(word.utf8) + shown)
        }
        return text(copy, hasCarriageReturns: source.hasCarriageReturns)
    }

    /// The original's bytes with every line that was dealt with blanked, at the same length: what lies on the disk while
    /// the copy is written. Should that be interrupted, what is left can be read like any such file.
    static func blanked(_ original: [UInt8], _ outcome: SetupFile.Outcome) -> [UInt8] {
        let isWide = original.starts(with: [0xFF, 0xFE]) || original.starts(with: [0xFE, 0xFF])
        if isWide { return original.map { _ in 0x20 } }
        let kept = Set(outcome.lines.filter { $0.state == .failed }.map(\.number))
        var blanked: [UInt8] = []
        var number = 1
        var previous: UInt8 = 0
        for byte in original {
            let isEnd = byte == 0x0A || byte == 0x0D
            blanked.append(isEnd || kept.contains(number) ? byte : 0x20)
            if isEnd, !(byte == 0x0A && previous == 0x0D) { number += 1 }
            previous = byte
        }
        return blanked
    }

    private static func text(_ lines: [[UInt8]], hasCarriageReturns: Bool) -> [UInt8] {
        let end: [UInt8] = hasCarriageReturns ? [0x0D, 0x0A] : [0x0A]
        return Array(lines.map { $0 + end }.joined())
    }
}
