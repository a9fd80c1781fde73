public import EvdevKit
public import SystemKit

/// What a device sent, before anything is made of it.
public typealias RawEvent = InputEvent

/// Finds the device of which a button is held for a second, among all that are listened to: pure, no device, no clock.
///
/// Axes do not count, because many of them move by themselves.
public struct HoldDetector: Sendable {
    /// What is held.
    public struct Hold: Sendable, Equatable {
        /// The monitor's number of the device.
        public let device: Int
        /// How much of the time is over, from 0 to 1.
        public let progress: Double
    }

    /// How long a button must be held, in seconds.
    public static let seconds = 1.0

    private struct Pressed: Sendable {
        let code: KeyCode
        let since: MonotonicInstant
    }

    private var pressed: [Int: [Pressed]] = [:]

    /// Nothing is held.
    public init() {}

    /// Takes in an event of a device.
    public mutating func handle(_ event: InputEvent, from device: Int) {
        switch event.kind {
        case .key(let code, let value):
            if value == 0 {
                pressed[device]?.removeAll { $0.code == code }
            } else if value == 1, pressed[device]?.contains(where: { $0.code == code }) != true {
                pressed[device, default: []].append(Pressed(code: code, since: event.time))
            }
        case .dropped: pressed[device] = nil
        case .axis, .report, .other: break
        }
    }

    /// The device is gone, or what it holds has done its work: it counts again when it is pressed anew.
    public mutating func forget(_ device: Int) { pressed[device] = nil }

    /// The buttons of a device that are down.
    public func keys(of device: Int) -> Set<KeyCode> { Set(pressed[device, default: []].map(\.code)) }

    /// What is held longest.
    public func hold(at time: MonotonicInstant) -> Hold? {
        guard let (device, since) = longest else { return nil }
        let passed = time.seconds(since: since) / HoldDetector.seconds
        return Hold(device: device, progress: min(1, max(0, passed)))
    }

    /// When the second of what is held longest is over; `nil` while nothing is held.
    public var deadline: MonotonicInstant? { longest.map { $0.since.advanced(bySeconds: HoldDetector.seconds) } }

    private var longest: (device: Int, since: MonotonicInstant)? {
        pressed.compactMap { device, keys in keys.map(\.since).min().map { (device, $0) } }
            .min { ($0.1, $0.0) < ($1.1, $1.0) }
    }
}
