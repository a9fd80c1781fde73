internal import Glibc

/// Minutes since local midnight.
public func localMinutesOfDay() -> Int {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return Int(parts.tm_hour) * 60 + Int(parts.tm_min)
}
