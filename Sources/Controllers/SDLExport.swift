internal import EvdevKit

/// A pad's mapping as one line of SDL's `gamecontrollerdb.txt`; `nil` where SDL sees none of its controls.
///
/// SDL numbers a device's controls by itself, so the line is right for this device and its equals only.
public func sdlMapping(for pad: PadInfo) -> String? {
    guard pad.family != .keyboard else { return nil }
    let export = SDLExport(pad: pad)
    let fields = export.fields
    guard !fields.isEmpty else { return nil }
    return SDLMapping(
        guid: ControllerGUID(for: pad.facts), name: pad.name, nameSum: nil,
        fields: fields.map { ($0.key, $0.value) }
    ).text
}

private struct SDLExport {
    let pad: PadInfo
    let numbering: SDLNumbering

    init(pad: PadInfo) {
        self.pad = pad
        numbering = SDLNumbering(pad.capabilities)
    }

    var fields: [String: SDLInput] {
        var fields: [String: SDLInput] = [:]
        for (field, function) in SDLMapping.functions where function != .hotkey {
            if let input = input(for: function) { fields[field] = input }
        }
        for (field, pair) in SDLMapping.sticks { addStick(field, pair.negative, pair.positive, to: &fields) }
        return fields
    }

    private func input(for function: PadFunction) -> SDLInput? {
        var controls = pad.mapping.controls[function] ?? []
        // Of a trigger that is a button and an axis, the axis says more.
        if function == .l2 || function == .r2 { controls = controls.filter(\.isAxis) + controls.filter { !$0.isAxis } }
        return controls.lazy.compactMap { numbering.input(for: $0, travel: travel(of: $0)) }.first
    }

    /// A trigger whose rest is not known rests at the end that it is moved away from.
    private func travel(of control: Control) -> AxisTravel? {
        guard case .axis(let code, let side) = control, let travel = pad.mapping.travels[code] else { return nil }
        guard let info = pad.capabilities.axes[code] else { return travel }
        switch travel.rest {
        case .initial: return AxisTravel(rest: place(of: info.value, in: info, side: side))
        case .value(let value): return AxisTravel(rest: place(of: value, in: info, side: side))
        case .middle, .minimum, .maximum: return travel
        }
    }

    private func place(of value: Int32, in info: AxisInfo, side: AxisDirection) -> AxisTravel.Rest {
        let part =
            (Double(value) - Double(info.minimum)) / max(1, Double(info.maximum) - Double(info.minimum))
        switch side {
        case .positive where part < 0.25: return .minimum
        case .negative where part > 0.75: return .maximum
        default: return .middle
        }
    }

    /// A stick is a whole axis where both directions are of one.
    private func addStick(
        _ field: String, _ negative: PadFunction, _ positive: PadFunction, to fields: inout [String: SDLInput]
    ) {
        guard let low = input(for: negative), let high = input(for: positive) else { return }
        if case .axis(let one, half: let side?, isInverted: false) = low,
            case .axis(let other, half: let otherSide?, isInverted: false) = high, one == other, side != otherSide
        {
            fields[field] = .axis(one, half: nil, isInverted: side == .positive)
        } else {
            fields["-\(field)"] = low
            fields["+\(field)"] = high
        }
    }
}

extension Control {
    var isAxis: Bool {
        if case .axis = self { return true }
        return false
    }
}
