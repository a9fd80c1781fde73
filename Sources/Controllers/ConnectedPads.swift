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
        let raw = device.identity
        let identity = PadIdentity(bus: raw.bus, vendor: raw.vendor, product: raw.product, version: raw.version)
        return PadInfo(
            id: id, name: device.name, node: device.node, identity: identity,
            family: PadFamily(identity: identity, name: device.name), unique: device.unique,
            physicalPath: device.physicalPath,
            device: deviceGroup(
                unique: device.unique, physicalPath: device.physicalPath, identity: identity,
                physicalDevice: physicalDevice?.displayString),
            capabilities: device.capabilities)
    }

    /// `event10` comes after `event9`.
    private static func order(_ node: BytePath) -> Int {
        Int(String(decoding: node.name.bytes.filter { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)) ?? Int.max
    }
}

extension PadInfo {
    /// What its controls are for the kernel, by the button that they mean: `button 304`, `axis 17 -`.
    public var bindings: [PadButton: String] {
        let layout = PadLayout(convention: capabilities, identity: identity, name: name)
        var result: [PadButton: String] = [:]
        for (code, role) in layout.axes.sorted(by: { $0.key < $1.key }) where capabilities.axes[code] != nil {
            switch role {
            case .directions(let negative, let positive):
                result[negative] = result[negative] ?? "axis \(code.rawValue) -"
                result[positive] = result[positive] ?? "axis \(code.rawValue) +"
            case .trigger(let button, _): result[button] = "axis \(code.rawValue) +"
            }
        }
        // A key goes before an axis that means the same.
        for (code, button) in layout.keys where capabilities.keys.contains(code) {
            result[button] = "button \(code.rawValue)"
        }
        return result
    }
}
