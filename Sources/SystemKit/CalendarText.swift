internal import Glibc

/// A moment as RFC 3339 in UTC with whole seconds: `2026-11-30T10:26:28Z`.
///
/// - Parameter seconds: seconds since 1970; may be negative.
public func utcText(secondsSince1970 seconds: Double) -> String {
    calendarText(seconds, format: "%Y-%m-%dT%H:%M:%SZ", local: false)
}

/// A moment for people, in the machine's time zone: `2026-11-30 11:26`.
public func localText(secondsSince1970 seconds: Double) -> String {
    calendarText(seconds, format: "%Y-%m-%d %H:%M", local: true)
}

private func calendarText(_ seconds: Double, format: String, local: Bool) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "" }
    var moment = time_t(seconds.rounded(.down))
    var parts = tm()
    guard (local ? localtime_r(&moment, &parts) : gmtime_r(&moment, &parts)) != nil else { return "" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
