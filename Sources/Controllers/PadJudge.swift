internal import EvdevKit
internal import SystemKit

/// Says what devices are and what their controls do, by what is known.
struct PadJudge: Sendable {
    /// What a device is to the monitor.
    enum Role: Sendable {
        case pad
        case keyboard
        /// No pad by itself, but one could be made of it.
        case candidate
        case nothing
    }

    let knowledge: PadKnowledge?

    /// Judges a device that is open.
    func role(_ facts: DeviceFacts) -> Role {
        let role = PadJudge.role(facts.capabilities)
        guard role != .pad, let knowledge, knowledge.isWanted(facts) else { return role }
        return .pad
    }

    /// Judges a node by what sysfs says; a candidate or keyboard may turn out to be wanted as a pad.
    static func role(_ capabilities: Capabilities) -> Role {
        switch DeviceKind(of: capabilities) {
        case .pad: .pad
        case .keyboard: .keyboard
        // Nobody can press a motion sensor.
        case .other(.motionSensor) where capabilities.keys.isEmpty: .nothing
        case .other: capabilities.keys.isEmpty && capabilities.axes.isEmpty ? .nothing : .candidate
        }
    }

    /// Whether a device that is no pad by itself may be wanted as one; to be asked before it is opened.
    func mayBeWanted(_ node: InputNode) -> Bool {
        guard let knowledge, let identity = node.identity.map(PadIdentity.init) else { return false }
        return knowledge.hasProfile(identity)
    }

    /// A pad and what is known about it.
    func info(_ facts: DeviceFacts, id: Int, node: BytePath, player: Int) -> PadInfo {
        var info = PadInfo(id: id, node: node, unmapped: facts)
        info.player = player
        guard let knowledge else { return info }
        let answer = knowledge.answer(for: facts)
        info.mapping = answer.mapping
        info.source = answer.source
        info.family = answer.family
        return info
    }

    /// A device of which a pad could be made.
    func candidate(_ facts: DeviceFacts, id: Int, node: BytePath) -> PadInfo {
        var info = info(facts, id: id, node: node, player: 0)
        if DeviceKind(of: facts.capabilities) == .keyboard { info.family = .keyboard }
        if info.source != .user {
            // What the convention makes of a keyboard's or mouse's codes is nothing.
            info.mapping = PadMapping()
            info.source = .none
        }
        return info
    }
}
