/// A number that glides to its target instead of jumping, and can be sent elsewhere at any moment.
///
/// A critically damped spring: continuous in position and speed, so that an interruption never jerks.
public struct Animated: Sendable {
    /// Where it is.
    public private(set) var value: Double
    /// Where it is going.
    public private(set) var target: Double
    private var velocity = 0.0
    private let stiffness: Double

    /// A number at rest.
    ///
    /// - Parameter duration: seconds after which it has practically arrived.
    public init(_ value: Double, duration: Double = 0.18) {
        self.value = value
        target = value
        // A critically damped spring is within 1 % of its target after 6.6 / omega.
        stiffness = 6.6 / max(duration, 0.01)
    }

    /// Sends it to another place.
    public mutating func move(to target: Double) { self.target = target }

    /// Puts it somewhere at once.
    public mutating func jump(to value: Double) {
        self.value = value
        target = value
        velocity = 0
    }

    /// Whether it has not arrived yet.
    public var isMoving: Bool { value != target }

    /// Lets time pass.
    ///
    /// - Returns: whether it is still on its way.
    @discardableResult
    public mutating func step(_ seconds: Double) -> Bool {
        guard isMoving else { return false }
        // Exact solution of the damped spring, stable for any step.
        let omega = stiffness
        let distance = value - target
        let decay = exponential(-omega * seconds)
        let carry = (velocity + omega * distance) * seconds
        value = target + (distance + carry) * decay
        velocity = (velocity - omega * carry) * decay
        if abs(value - target) < 0.002 && abs(velocity) < 0.02 { jump(to: target) }
        return isMoving
    }
}

/// e to the power of x for x <= 0, by repeated squaring of a short series: this floor links no C library.
func exponential(_ x: Double) -> Double {
    if x < -40 { return 0 }
    let part = x / 1024
    var result = 1 + part * (1 + part / 2 * (1 + part / 3))
    for _ in 0..<10 { result *= result }
    return result
}
