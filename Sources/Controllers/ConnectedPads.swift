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
    /// What could not be looked at.
    public private(set) var problems: [Problem] = []

    /// Looks at all devices once. Without udev there are no pads.
    public static func read() -> ConnectedPads {
        var result = ConnectedPads()
        guard let udev = try? UdevMonitor() else { return result }
        for node in udev.enumerate().sorted(by: { ConnectedPads.order($0.node) < ConnectedPads.order($1.node) }) {
            guard node.isInitialized, node.capabilities.map({ DeviceKind(of: $0) == .pad }) ?? true else { continue }
            do throws(SystemError) {
                let device = try EvdevDevice(node: node.node)
                guard DeviceKind(of: device.capabilities) == .pad else { continue }
                result.pads.append(
                    ConnectedPads.info(device, physicalDevice: node.physicalDevice, id: result.pads.count + 1))
            } catch {
                // A device that went away in between is no problem, and one that is surely no pad neither.
                guard !error.isNotFound, node.isTaggedJoystick || node.capabilities != nil else { continue }
                result.problems.append(Problem(node: node.node, reason: error.description))
            }
        }
        return result
    }

    private static func info(_ device: EvdevDevice, physicalDevice: BytePath?, id: Int) -> PadInfo {
        PadInfo(id: id, node: device.node, unmapped: device.facts(physicalDevice: physicalDevice))
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
        let identity = PadIdentity(
            bus: identity.bus, vendor: identity.vendor, product: identity.product, version: identity.version)
        return DeviceFacts(
            name: name, identity: identity, unique: unique, physicalPath: physicalPath,
            device: deviceGroup(
                unique: unique, physicalPath: physicalPath, identity: identity,
                physicalDevice: physicalDevice?.displayString),
            capabilities: capabilities)
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
