public import EvdevKit
public import SystemKit

/// One device, read raw, for as long as somebody wants to: when it is unplugged it may come back.
///
/// For one thread.
public final class DeviceSession {
    /// What became of the device.
    public enum News: Sendable, Equatable {
        /// It sent an event.
        case event(InputEvent)
        /// It is gone.
        case removed
        /// It, or its like, is there again: with its new node and first values.
        case returned(PadInfo)
    }

    /// The device, as it was opened last.
    public private(set) var pad: PadInfo
    private var device: EvdevDevice?
    private let udev: UdevMonitor?
    /// New nodes that could not be opened yet.
    private var waiting: Set<BytePath> = []

    /// Opens a pad.
    ///
    /// - Throws: `SystemError` of opening the node.
    public init(pad: PadInfo) throws(SystemError) {
        // Listens first, so that no coming or going is missed.
        udev = try? UdevMonitor()
        let device = try EvdevDevice(node: pad.node)
        self.device = device
        self.pad = pad.reopened(device, physicalDevice: DeviceSession.physicalDevice(of: pad.node, udev))
    }

    /// Opens whatever a node is, a keyboard too, whether it looks like a pad or not.
    ///
    /// - Throws: `SystemError` of opening the node.
    public static func look(at node: BytePath) throws(SystemError) -> PadInfo {
        let device = try EvdevDevice(node: node)
        let facts = device.facts(physicalDevice: physicalDevice(of: node, try? UdevMonitor()))
        var pad = PadInfo(id: 0, node: node, unmapped: facts)
        if DeviceKind(of: facts.capabilities) == .keyboard { pad.family = .keyboard }
        return pad
    }

    private static func physicalDevice(of node: BytePath, _ udev: UdevMonitor?) -> BytePath? {
        udev?.enumerate().first { $0.node == node }?.physicalDevice
    }

    /// Waits until the device or one of the descriptors has something to say, or the time is over.
    ///
    /// - Parameter others: descriptors of the caller's.
    /// - Returns: what became of the device, and which of the caller's descriptors are ready.
    public func next(until deadline: MonotonicInstant?, others: [Int32] = []) -> (news: [News], ready: [Int32]) {
        var set = PollSet()
        for descriptor in others { set.add(descriptor) }
        if let udev { set.add(udev.rawDescriptor) }
        if let device { set.add(device.rawDescriptor) }
        // Without a device nobody says when a node may be read at last.
        let longest = device == nil ? 0.25 : nil
        let left = deadline.map { max(0, $0.seconds(since: .now)) }
        set.wait(seconds: [longest, left].compactMap { $0 }.min())
        var news: [News] = []
        if let device, let readiness = set.readiness(of: device.rawDescriptor) {
            read(device, &news)
            // A dead descriptor is ready for ever, whatever reading it says.
            if readiness == .broken { drop(&news) }
        }
        if let udev, set.readiness(of: udev.rawDescriptor) != nil { hear(udev, &news) }
        if device == nil { look(&news) }
        return (news, others.filter { set.readiness(of: $0) != nil })
    }

    private func read(_ open: EvdevDevice, _ news: inout [News]) {
        do throws(SystemError) {
            // Whether more is there the next call finds out.
            _ = try open.read { news.append(.event($0)) }
        } catch {
            drop(&news)
        }
    }

    private func drop(_ news: inout [News]) {
        guard device != nil else { return }
        device = nil
        waiting = []
        news.append(.removed)
    }

    private func hear(_ udev: UdevMonitor, _ news: inout [News]) {
        while let change = udev.next() {
            switch change {
            case .removed(_, let node?):
                waiting.remove(node)
                if node == device?.node { drop(&news) }
            case .removed, .power: break
            case .present(let node): if device == nil, node.isInitialized { waiting.insert(node.node) }
            case .overflow:
                if device == nil { waiting.formUnion(udev.enumerate().filter(\.isInitialized).map(\.node)) }
            }
        }
    }

    /// Looks whether one of the new nodes is the device.
    private func look(_ news: inout [News]) {
        if udev == nil { waiting.insert(pad.node) }
        for node in waiting.sorted() {
            guard let found = try? EvdevDevice(node: node) else { continue }
            waiting.remove(node)
            let next = pad.reopened(found, physicalDevice: DeviceSession.physicalDevice(of: node, udev))
            guard next.facts.isSameDevice(as: pad.facts) else { continue }
            device = found
            pad = next
            waiting = []
            return news.append(.returned(next))
        }
    }
}

extension PadInfo {
    /// The same pad at another node, or with what it says about itself now.
    fileprivate func reopened(_ device: EvdevDevice, physicalDevice: BytePath?) -> PadInfo {
        PadInfo(
            id: id, node: device.node, facts: device.facts(physicalDevice: physicalDevice), family: family,
            mapping: mapping, source: source, player: player)
    }
}

extension DeviceFacts {
    /// Whether it is the same device, or one that nobody can tell from it: another port and other first values are no
    /// difference, another unit is.
    public func isSameDevice(as other: DeviceFacts) -> Bool {
        let isOtherUnit = !unique.isEmpty && !other.unique.isEmpty && unique != other.unique
        return !isOtherUnit && name == other.name && identity == other.identity
            && capabilities.keys == other.capabilities.keys
            && Set(capabilities.axes.keys) == Set(other.capabilities.axes.keys)
    }
}
