public import EvdevKit
public import SystemKit

extension MappingWizard {
    /// A wizard that has nothing to ask: the pad can be tried with the mapping that it has.
    public init(testing pad: PadInfo, at time: MonotonicInstant) {
        self.init(pad: pad, at: time)
        mapping = pad.mapping
        for index in rows.indices {
            rows[index].state = pad.mapping.bindings[rows[index].function].map { .bound($0) } ?? .absent
        }
        current = nil
        stage = .testing
    }

    /// Takes in a raw event of the device, at its own time.
    public mutating func handle(_ event: InputEvent) { handle(event.kind, at: event.time) }

    /// How far each function's control is moved, from 0 to 1.
    public var functionLevels: [PadFunction: Double] {
        let axes = levels
        let held = held
        var result: [PadFunction: Double] = [:]
        for (function, controls) in mapping.controls {
            let moved = controls.compactMap { control -> Double? in
                guard case .axis(let code, let side) = control, let level = axes[code] else { return nil }
                return side == .positive ? level : -level
            }
            // A stick is where it is; only what has no way is down or up.
            let level = moved.max() ?? (held.contains(function) ? 1 : 0)
            if level > 0.05 { result[function] = min(1, level) }
        }
        return result
    }
}
