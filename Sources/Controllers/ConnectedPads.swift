internal import EvdevKit
public import SystemKit

/// The pads that are plugged in at one moment, for programs that do not stay.
public struct ConnectedPads: Sendable, Equatable {
    /// A node that looks like a pad and cannot be used.
    public struct Problem: Sendable, Equatable {
        /// The event node.
        public let node: BytePath
        /// A sentence without a full stop.
        public let reason: String
    }

    /// The pads, in the order of their event nodes.
    public private(set) var pads: [PadInfo] = []
    /// The batteries of those that have one, by the pads' numbers.
    public private(set) var batteries: [Int: Battery] = [:]
    /// What could not be looked at.
    public private(set) var problems: [Problem] = []
    /// A pad was plugged in this moment: its node is not ready.
    private var isUnready = false

    /// Seconds that a pad which was just plugged in gets to become ready.
    private static let patience = 2.0

    /// Looks at all devices once; waits a moment where one was just plugged in. Without udev there are no pads.
    ///
    /// - Parameter knowledge: what controls do; without it that is the kernel's convention.
    /// - Parameter players: whose pad is whose; nothing in it is changed.
    public static func read(knowledge: PadKnowledge? = nil, players: PlayerStore? = nil) -> ConnectedPads {
        guard let udev = try? UdevMonitor() else { return ConnectedPads() }
        let judge = PadJudge(knowledge: knowledge)
        let end = MonotonicInstant.now.advanced(bySeconds: patience)
        var retries = 3
        while true {
            let result = look(udev.enumerate(), judge, players?.slots ?? PlayerSlots())
            // Udev sets the mode before it says that a node is ready, but not everybody's rules are udev's.
            if result.isUnready ? MonotonicInstant.now >= end : result.problems.isEmpty || retries == 0 {
                return result
            }
            if !result.isUnready { retries -= 1 }
            _ = waitReadable([udev.rawDescriptor], seconds: 0.2)
            while udev.next() != nil {}
        }
    }

    private static func look(_ nodes: [InputNode], _ judge: PadJudge, _ slots: PlayerSlots) -> ConnectedPads {
        var result = ConnectedPads()
        var found: [(node: InputNode, facts: DeviceFacts)] = []
        for node in nodes.sorted(by: { order($0.node) < order($1.node) }) {
            let isPad = node.capabilities.map { PadJudge.role($0) == .pad }
            guard isPad ?? true || judge.mayBeWanted(node) else { continue }
            guard node.isInitialized else {
                result.isUnready = result.isUnready || isPad == true
                continue
            }
            do throws(SystemError) {
                let facts = try EvdevDevice(node: node.node).facts(physicalDevice: node.physicalDevice)
                if judge.role(facts) == .pad { found.append((node, facts)) }
            } catch {
                // A device that went away in between is no problem, and one that is surely no pad neither.
                guard !error.isGone, node.isTaggedJoystick || node.capabilities != nil else { continue }
                result.problems.append(
                    Problem(node: node.node, reason: NodeRefusal.sentence(node: node.node, error, stop: "")))
            }
        }
        result.seat(found, judge, slots)
        return result
    }

    private mutating func seat(
        _ found: [(node: InputNode, facts: DeviceFacts)], _ judge: PadJudge, _ slots: PlayerSlots
    ) {
        var slots = slots
        var players: [Int: Int] = [:]
        let known = found.indices.filter { slots.isKnown(found[$0].facts) }
        for index in known + found.indices.filter({ !known.contains($0) }) {
            players[index] = slots.assign(found[index].facts).player
        }
        for (index, (node, facts)) in found.enumerated() {
            pads.append(judge.info(facts, id: index + 1, node: node.node, player: players[index] ?? 0))
            guard let device = node.physicalDevice else { continue }
            batteries[index + 1] = BatteryFolder().battery(of: node.systemPath, device: device)
        }
    }

    /// `event10` comes after `event9`.
    private static func order(_ node: BytePath) -> Int {
        Int(String(decoding: node.name.bytes.filter { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)) ?? Int.max
    }
}

extension EvdevDevice {
    /// What it tells about itself.
    ///
    /// - Parameter physicalDevice: the folder in `/sys` of the USB or HID device, where udev knows it.
    func facts(physicalDevice: BytePath?) -> DeviceFacts {
        let identity = PadIdentity(identity)
        return DeviceFacts(
            name: name, identity: identity, unique: unique, physicalPath: physicalPath,
            device: deviceGroup(
                unique: unique, physicalPath: physicalPath, identity: identity,
                physicalDevice: physicalDevice?.displayString),
            capabilities: capabilities)
    }
}

extension PadIdentity {
    init(_ identity: DeviceIdentity) {
        self.init(
            bus: identity.bus, vendor: identity.vendor, product: identity.product, version: identity.version)
    }
}

extension PadInfo {
    /// A pad about which only the kernel's convention was asked.
    public init(id: Int, node: BytePath, unmapped facts: DeviceFacts) {
        let convention = PadMapping(
            convention: facts.capabilities, identity: facts.identity, name: facts.name)
        self.init(
            id: id, node: node, facts: facts, family: PadFamily(identity: facts.identity, name: facts.name),
            mapping: convention
                ?? PadMapping(guess: facts.capabilities, identity: facts.identity, name: facts.name),
            source: convention == nil ? .none : .kernel)
    }
}
