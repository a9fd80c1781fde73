import SystemKit

/// What the texts of a gamelist mean.
enum GamelistValues {
    private static let mostGenres = 8

    /// `Platform / Run & Jump, Action` as three.
    static func genres(_ text: String?) -> [String] {
        guard let text else { return [] }
        var genres: [String] = []
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == "|" || $0.isNewline }) {
            for name in part.split(separator: " / ") {
                let name = BytePath.displayString(of: trimmed(name).utf8)
                if !name.isEmpty, !genres.contains(name), genres.count < mostGenres { genres.append(name) }
            }
        }
        return genres
    }

    /// The most that play: 4 of `1-4` and of `4+`.
    static func players(_ text: String?) -> Int? {
        numbers(text ?? "").map(\.value).filter { $0 > 0 && $0 < 100 }.max()
    }

    /// The year of `19901121T000000`, `1990-11-21` or `21/11/1990`.
    static func year(_ text: String?) -> Int? {
        date(text)?.year
    }

    /// The parts of a date that are known.
    static func date(_ text: String?) -> (year: Int, month: Int?, day: Int?)? {
        guard let text else { return nil }
        let numbers = numbers(text)
        guard let first = numbers.first else { return nil }
        if first.digits >= 8 {
            // `19901121`, with whatever behind it.
            let digits = String(text.drop { !$0.isASCII || !$0.isNumber }.prefix(8))
            let number = Int(digits) ?? 0
            return valid(number / 10000, number / 100 % 100, number % 100)
        }
        if first.digits == 4 {
            return valid(
                first.value, numbers.count > 1 ? numbers[1].value : nil, numbers.count > 2 ? numbers[2].value : nil)
        }
        return numbers.first { $0.digits == 4 }.flatMap { valid($0.value, nil, nil) }
    }

    /// Whether a text is a date from its beginning to its end: a year, or one with a month, or with a day of it too.
    static func isDate(_ text: String) -> Bool {
        let numbers = numbers(text)
        guard let date = date(text) else { return false }
        let isWhole = numbers.first.map { $0.digits >= 8 } ?? false
        guard isWhole || numbers.first?.digits == 4 else { return true }
        if isWhole || numbers.count > 1 { guard date.month != nil else { return false } }
        if isWhole || numbers.count > 2 {
            guard let month = date.month, let day = date.day else { return false }
            return day <= days(of: month, date.year)
        }
        return true
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func valid(_ year: Int, _ month: Int?, _ day: Int?) -> (year: Int, month: Int?, day: Int?)? {
        guard (1950...2100).contains(year) else { return nil }
        guard let month, (1...12).contains(month) else { return (year, nil, nil) }
        guard let day, (1...31).contains(day) else { return (year, month, nil) }
        return (year, month, day)
    }

    /// As `GameDetails` has it; a January the first at midnight is what scrapers write for a year alone.
    static func released(_ text: String?) -> String? {
        guard let date = date(text) else { return nil }
        var result = String(date.year)
        guard let month = date.month else { return result }
        if month == 1, date.day == 1, text?.contains("T") ?? false { return result }
        result += month < 10 ? "-0\(month)" : "-\(month)"
        guard let day = date.day else { return result }
        return result + (day < 10 ? "-0\(day)" : "-\(day)")
    }

    /// As a list has it: `19901121T000000`.
    static func releaseDate(_ text: String) -> String? {
        guard let date = date(text) else { return nil }
        let number = date.year * 10000 + (date.month ?? 1) * 100 + (date.day ?? 1)
        return "\(number)T000000"
    }

    /// From 0 to 1, also of a number with a comma.
    static func rating(_ text: String?) -> Double? {
        guard let text else { return nil }
        let value = Double(trimmed(text).map { $0 == "," ? "." : String($0) }.joined())
        guard let value, value.isFinite, value > 0 else { return nil }
        return min(1, value)
    }

    static func flag(_ text: String?) -> Bool { mark(text) ?? false }

    /// What a text says about a mark; `nil` where it says neither.
    static func mark(_ text: String?) -> Bool? {
        switch text.map({ trimmed($0).lowercased() }) {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    static func count(_ text: String?) -> Int {
        guard let text, let value = Int(trimmed(text)), value > 0 else { return 0 }
        return min(value, 1_000_000_000)
    }

    /// Seconds since 1970 of `20261130T162500` in local time.
    static func moment(_ text: String?) -> Double? {
        guard let text else { return nil }
        let digits = text.filter { $0.isASCII && $0.isNumber }
        guard digits.count == 14, !digits.hasPrefix("0000") else { return nil }
        return secondsSince1970(localDigits: digits)
    }

    /// The same the other way.
    static func text(ofMoment seconds: Double) -> String? { localDigits(secondsSince1970: seconds) }

    static func trimmed(_ text: some StringProtocol) -> String {
        var text = text[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    private static func numbers(_ text: String) -> [(value: Int, digits: Int)] {
        text.utf8.prefix(64).split { $0 < 0x30 || $0 > 0x39 }.map { digits in
            (digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - 0x30) }, digits.count)
        }
    }
}
