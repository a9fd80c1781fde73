/// What happens to a machine that nobody touches: minutes, as the settings have them.
public struct IdlePolicy: Sendable, Equatable {
    /// Seconds until the screen goes dark; `nil` for never.
    public let screenOffSeconds: Double?
    /// Seconds until the machine is switched off; `nil` for never.
    public let powerOffSeconds: Double?

    /// From the stored values of `Settings.screenOff` and `Settings.powerOff`; `nil` where a person chose none.
    public init(screenOff: String?, powerOff: String?) {
        screenOffSeconds = Double(Settings.screenOff.effective(screenOff)).map { $0 * 60 }
        powerOffSeconds = Double(Settings.powerOff.effective(powerOff)).map { $0 * 60 }
    }

    /// What should be so.
    public enum State: Sendable, Equatable {
        /// The screen shows the menu.
        case awake
        /// The screen is dark.
        case screenOff
        /// The machine should be switched off.
        case powerOff
    }

    /// What should be so after so many seconds of the monotonic clock without any input. A game is never disturbed:
    /// who watches its story does not press anything.
    public func state(idleSeconds: Double, isPlaying: Bool) -> State {
        if isPlaying { return .awake }
        if let powerOffSeconds, idleSeconds >= powerOffSeconds { return .powerOff }
        if let screenOffSeconds, idleSeconds >= screenOffSeconds { return .screenOff }
        return .awake
    }

    /// When to look again, so that nothing has to wake up before; `nil` where nothing will come.
    public func secondsUntilNext(idleSeconds: Double) -> Double? {
        [screenOffSeconds, powerOffSeconds].compactMap { $0 }.filter { $0 > idleSeconds }.min()
            .map { $0 - idleSeconds }
    }
}
