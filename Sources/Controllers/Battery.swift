/// How full a pad's battery is.
public struct Battery: Sendable, Equatable {
    /// 0 to 100.
    public let percent: Int
    /// Whether it is being charged.
    public let isCharging: Bool

    /// A state with all its parts.
    public init(percent: Int, isCharging: Bool) {
        self.percent = min(max(percent, 0), 100)
        self.isCharging = isCharging
    }
}
