internal import EvdevKit
internal import SystemKit

/// The thread of a `PadMonitor`: waits for udev, the devices and the wake, and never asks without a reason.
final class MonitorLoop {
    private let state: MonitorState
    private let scope: PadMonitor.Scope
    private let log: Log
    private let deliver: @Sendable (ControllerEvent) -> Void
    private var devices: [BytePath: OpenDevice] = [:]
    private var refused: [BytePath: Refusal] = [:]
    private var lastID = 0

    init(
        state: MonitorState, scope: PadMonitor.Scope, log: Log, deliver: @escaping @Sendable (ControllerEvent) -> Void
    ) {
        self.state = state
        self.scope = scope
        self.log = log
        self.deliver = deliver
    }

    func run() {
        var udev: UdevMonitor?
        do throws(SystemError) {
            let monitor = try UdevMonitor()
            udev = monitor
            reconcile(monitor.enumerate())
        } catch {
            log.write(.warning, "controllers cannot be found: \(error)")
        }
        if devices.isEmpty { log.write(.info, "no controller is connected") }
        var set = PollSet()
        var hasMore = false
        while !state.isStopping {
            set.removeAll()
            set.add(state.wake.rawDescriptor)
            if let udev { set.add(udev.rawDescriptor) }
            for device in devices.values { set.add(device.evdev.rawDescriptor) }
            set.wait(seconds: hasMore ? 0 : secondsToNextTry())
            if set.readiness(of: state.wake.rawDescriptor) != nil { state.wake.silence() }
            hasMore = readDevices(set, again: hasMore)
            if let monitor = udev, let readiness = set.readiness(of: monitor.rawDescriptor) {
                follow(monitor)
                if readiness == .broken {
                    // A broken descriptor would wake us for ever; what is open goes on working.
                    log.write(.error, "udev does not answer any more: new controllers will not be seen")
                    udev = nil
                }
            }
            retryRefused()
        }
        state.pads = []
    }

    // MARK: Devices

    /// Reads every device that has something, and drops those that are gone.
    private func readDevices(_ set: PollSet, again: Bool) -> Bool {
        var hasMore = false
        for (path, device) in devices {
            let readiness = set.readiness(of: device.evdev.rawDescriptor)
            guard readiness != nil || again else { continue }
            do throws(SystemError) {
                let more = try device.evdev.read { event in
                    for change in device.handle(event) { deliver(change) }
                }
                hasMore = hasMore || more
                // Udev's message may come seconds later or never; poll would return at once until then.
                if readiness == .broken && !more { drop(path) }
            } catch {
                if !error.isGone { log.write(.warning, "\(error)") }
                drop(path)
            }
        }
        return hasMore
    }

    private func drop(_ path: BytePath) {
        guard let device = devices.removeValue(forKey: path) else { return }
        for change in device.releaseAll() { deliver(change) }
        guard let info = device.info else { return }
        state.pads.removeAll { $0.id == info.id }
        log.write(.info, "controller \(info.id) is gone: \(info.name)")
        deliver(.disconnected(id: info.id))
    }

    // MARK: Udev

    private func follow(_ udev: UdevMonitor) {
        while let change = udev.next() {
            switch change {
            case .present(let node): consider(node)
            case .removed(let path, let node):
                drop(path)
                refused[path] = nil
                if let node { refused = refused.filter { $0.value.node.node != node } }
            case .overflow: reconcile(udev.enumerate())
            }
        }
    }

    /// Makes the open devices those that exist, also after messages were lost.
    private func reconcile(_ nodes: [InputNode]) {
        let present = Set(nodes.map(\.systemPath))
        for path in devices.keys where !present.contains(path) { drop(path) }
        refused = refused.filter { present.contains($0.key) }
        for node in nodes { consider(node) }
    }

    /// Opens a node if it is new, ready and wanted.
    private func consider(_ node: InputNode) {
        guard node.isInitialized, devices[node.systemPath] == nil else { return }
        // What sysfs tells spares opening mice and touchpads at all.
        if let capabilities = node.capabilities, !wants(DeviceKind(of: capabilities)) { return }
        // The same number again for another device: the old one's end has not been told yet.
        for (path, device) in devices where device.evdev.node == node.node { drop(path) }
        open(node, attempt: refused[node.systemPath]?.attempt ?? 0)
    }

    private func wants(_ kind: DeviceKind) -> Bool {
        switch kind {
        case .pad: scope != .keyboards
        case .keyboard: scope != .pads
        case .other: false
        }
    }

    private func open(_ node: InputNode, attempt: Int) {
        do throws(SystemError) {
            let evdev = try EvdevDevice(node: node.node)
            refused[node.systemPath] = nil
            let kind = DeviceKind(of: evdev.capabilities)
            guard wants(kind) else { return }
            let device = OpenDevice(evdev, kind: kind, physicalDevice: node.physicalDevice, id: lastID + 1)
            devices[node.systemPath] = device
            guard let info = device.info else { return }
            lastID = info.id
            state.pads.append(info)
            log.write(.info, "controller \(info.id) is ready: \(info.name) at \(info.node)")
            deliver(.connected(info))
        } catch {
            refuse(node, attempt: attempt, error)
        }
    }

    // MARK: Nodes that cannot be opened

    private func refuse(_ node: InputNode, attempt: Int, _ error: SystemError) {
        log.write(.debug, "\(node.node) cannot be used: \(error)")
        // Udev may set the mode a moment after the node appeared: 0.1, 0.2 ... 1.6 s, together about 3 s.
        guard attempt >= Refusal.attempts else {
            refused[node.systemPath] = Refusal(
                node: node, attempt: attempt + 1, due: .now.advanced(bySeconds: 0.1 * Double(1 << attempt)))
            return
        }
        guard !error.isGone else {
            refused[node.systemPath] = nil
            return
        }
        let wasTold = refused[node.systemPath]?.due == nil && refused[node.systemPath] != nil
        refused[node.systemPath] = Refusal(node: node, attempt: attempt, due: nil)
        guard !wasTold else { return }
        let reason = Refusal.sentence(node: node.node, error)
        log.write(.warning, reason)
        deliver(.problem(node: node.node, reason: reason))
    }

    private func secondsToNextTry() -> Double? {
        guard let due = refused.values.compactMap(\.due).min() else { return nil }
        return max(0, due.seconds(since: .now))
    }

    private func retryRefused() {
        guard !refused.isEmpty else { return }
        let now = MonotonicInstant.now
        for refusal in refused.values {
            if let due = refusal.due, due <= now { open(refusal.node, attempt: refusal.attempt) }
        }
    }
}

/// A node that could not be opened, and when to try again; never, once it was told, until udev reports a change.
private struct Refusal {
    static let attempts = 5

    let node: InputNode
    let attempt: Int
    let due: MonotonicInstant?

    static func sentence(node: BytePath, _ error: SystemError) -> String {
        guard error.isPermission, let status = try? fileStatus(node) else {
            return "The controller at \(node) cannot be used: \(error.reason)."
        }
        let digits = String(status.permissions, radix: 8)
        let mode = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "The controller at \(node) may not be read: the node has mode \(mode) and belongs to user "
            + "\(status.owner). Add this user to the group input, or give the node a udev rule."
    }
}

/// A device that is being read.
private final class OpenDevice {
    let evdev: EvdevDevice
    let info: PadInfo?
    private var pad: PadInterpreter?
    private var keyboard = KeyInterpreter()

    init(_ evdev: EvdevDevice, kind: DeviceKind, physicalDevice: BytePath?, id: Int) {
        self.evdev = evdev
        guard kind == .pad else {
            info = nil
            return
        }
        let info = PadInfo(id: id, node: evdev.node, unmapped: evdev.facts(physicalDevice: physicalDevice))
        self.info = info
        pad = PadInterpreter(capabilities: info.capabilities, mapping: info.mapping)
    }

    func handle(_ event: InputEvent) -> [ControllerEvent] {
        if let info {
            return told(pad?.handle(event.kind) ?? [], pad: info.id, time: event.time)
        }
        return told(keyboard.handle(event.kind), time: event.time)
    }

    func releaseAll() -> [ControllerEvent] {
        if let info { return told(pad?.releaseAll() ?? [], pad: info.id, time: .now) }
        return told(keyboard.releaseAll(), time: .now)
    }

    private func told(_ changes: [PadChange], pad: Int, time: MonotonicInstant) -> [ControllerEvent] {
        changes.map { .button(pad: pad, button: $0.button, isPressed: $0.isPressed, time: time) }
    }

    private func told(_ changes: [KeyInterpreter.Change], time: MonotonicInstant) -> [ControllerEvent] {
        changes.map { .key($0.key, isPressed: $0.isPressed, time: time, character: $0.character) }
    }
}

extension SystemError {
    /// Whether the device behind a node is not there any more.
    fileprivate var isGone: Bool { isNotFound || code == noDevice || code == noSuchDevice }
}

/// `ENODEV` and `ENXIO`.
private let noDevice: Int32 = 19
private let noSuchDevice: Int32 = 6
