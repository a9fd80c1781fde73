internal import Glibc

/// A moment in the machine's time zone as `20261130T162500`; `nil` beyond the calendar.
public func localDigits(secondsSince1970 seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
    var moment = time_t(seconds.rounded(.down))
    var parts = tm()
    guard localtime_r(&moment, &parts) != nil else { return nil }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, "%Y%m%dT%H%M%S", &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The moment of fourteen digits, `20261130162500`, in the machine's time zone.
public func secondsSince1970(localDigits digits: String) -> Double? {
    let values = Array(digits.utf8)
    guard values.count == 14, values.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    let number = { (range: Range<Int>) in values[range].reduce(Int32(0)) { $0 * 10 + Int32($1 - 0x30) } }
    var parts = tm()
    parts.tm_year = number(0..<4) - 1900
    parts.tm_mon = number(4..<6) - 1
    parts.tm_mday = number(6..<8)
    parts.tm_hour = number(8..<10)
    parts.tm_min = number(10..<12)
    parts.tm_sec = number(12..<14)
    guard (0..<12).contains(parts.tm_mon), (1...31).contains(parts.tm_mday) else { return nil }
    // Summer time is for the C library to know.
    parts.tm_isdst = -1
    let moment = mktime(&parts)
    return moment == -1 ? nil : Double(moment)
}
