public import EvdevKit

extension MappingWizard {
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
