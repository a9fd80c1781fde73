internal import EvdevKit
internal import SystemKit

/// The thread of a `PadMonitor`: waits for udev, the devices and the wake, and never asks without a reason.
final class MonitorLoop {
    let state: MonitorState
    let settings: MonitorSettings
    let judge: PadJudge
    let batteries: BatteryWatch
    var devices: [BytePath: OpenDevice] = [:]
    var refused: [BytePath: NodeRefusal] = [:]
    /// The nodes of which a problem was told.
    var told: Set<BytePath> = []
    /// Tells of a change of mode, of which udev says nothing; only while there is a node with a problem.
    var modes: FileWatch?
    var wishes = MonitorWishes()
    private var udev: UdevMonitor?
    private var lastID = 0

    var log: Log { settings.log }

    init(state: MonitorState, settings: MonitorSettings) {
        self.state = state
        self.settings = settings
        judge = PadJudge(knowledge: settings.knowledge)
        batteries = BatteryWatch(wake: state.wake)
    }

    func deliver(_ event: ControllerEvent) { settings.deliver(event) }

    func run() {
        wishes = state.takeWishes()
        do throws(SystemError) {
            let monitor = try UdevMonitor()
            udev = monitor
            reconcile(monitor.enumerate())
        } catch {
            log.write(.warning, "controllers cannot be found: \(error)")
        }
        if devices.isEmpty { log.write(.info, "no controller is connected") }
        for echo in wishes.echoes { echo() }
        var set = PollSet()
        var hasMore = false
        while !state.isStopping {
            set.removeAll()
            set.add(state.wake.rawDescriptor)
            if let udev { set.add(udev.rawDescriptor) }
            if let modes { set.add(modes.rawDescriptor) }
            for device in devices.values { set.add(device.evdev.rawDescriptor) }
            set.wait(seconds: hasMore ? 0 : secondsToNextDeed())
            state.countWakeup()
            hasMore = readDevices(set, again: hasMore)
            settleContacts()
            if let monitor = udev, let readiness = set.readiness(of: monitor.rawDescriptor) {
                follow(monitor)
                if readiness == .broken {
                    // A broken descriptor would wake us for ever; what is open goes on working.
                    log.write(.error, "udev does not answer any more: new controllers will not be seen")
                    udev = nil
                }
            }
            if let modes, set.readiness(of: modes.rawDescriptor) != nil { retryTold(modes) }
            retryRefused()
            if set.readiness(of: state.wake.rawDescriptor) != nil {
                state.wake.silence()
                tellBatteries()
                obey(state.takeWishes())
            }
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
            var last: MonotonicInstant?
            do throws(SystemError) {
                let more = try device.evdev.read { event in
                    last = event.time
                    device.handle(event, deliver: settings.deliver)
                }
                hasMore = hasMore || more
                // Udev's message may come seconds later or never; poll would return at once until then.
                if readiness == .broken && !more { drop(path) }
            } catch {
                if !error.isGone { log.write(.warning, "\(error)") }
                drop(path)
            }
            if let last { askBatteryAgain(device, now: last) }
        }
        return hasMore
    }

    /// Tells the releases that have become sure.
    private func settleContacts() {
        let now = MonotonicInstant.now
        for device in devices.values where device.due.map({ $0 <= now }) == true {
            device.settle(at: now, deliver: settings.deliver)
        }
    }

    private func secondsToNextDeed() -> Double? {
        let release = devices.values.compactMap(\.due).min().map { max(0, $0.seconds(since: .now)) }
        return [release, secondsToNextTry()].compactMap(\.self).min()
    }

    func drop(_ path: BytePath) {
        guard let device = devices.removeValue(forKey: path) else { return }
        device.releaseAll(deliver: settings.deliver)
        guard let info = device.info else { return }
        guard device.role == .pad else { return deliver(.candidateGone(id: info.id)) }
        if let seat = device.seat { settings.players.change { $0.release(seat) } }
        state.pads.removeAll { $0.id == info.id }
        log.write(.info, "controller \(info.id) is gone: \(info.name)")
        deliver(.disconnected(id: info.id))
    }

    func nextID() -> Int {
        lastID += 1
        return lastID
    }

    // MARK: Udev

    private func follow(_ udev: UdevMonitor) {
        while let change = udev.next() {
            switch change {
            case .present(let node):
                // A change may have set the mode at last, or be about a device that is read already.
                if let device = consider(node) { welcome([device]) }
            case .removed(let path, _):
                drop(path)
                forgetRefusal(path)
            case .power(let path): powerChanged(path)
            case .overflow: reconcile(udev.enumerate())
            }
        }
    }

    /// Looks at all nodes again.
    func lookAgain() {
        if let udev { reconcile(udev.enumerate()) }
    }

    /// Brings the open devices in line with the nodes that exist, also after messages were lost.
    private func reconcile(_ nodes: [InputNode]) {
        let present = Set(nodes.map(\.systemPath))
        for path in devices.keys where !present.contains(path) { drop(path) }
        for path in refused.keys where !present.contains(path) { forgetRefusal(path) }
        welcome(nodes.compactMap(consider))
    }

    /// Opens a node if it is new, ready and wanted.
    private func consider(_ node: InputNode) -> OpenDevice? {
        guard node.isInitialized, devices[node.systemPath] == nil, isWorthOpening(node) else { return nil }
        // The same number again for another device: the old one's end has not been told yet.
        for (path, device) in devices where device.evdev.node == node.node { drop(path) }
        return open(node, attempt: refused[node.systemPath]?.attempt ?? 0)
    }

    /// What sysfs tells spares opening mice and touchpads at all.
    private func isWorthOpening(_ node: InputNode) -> Bool {
        guard let capabilities = node.capabilities else { return true }
        return isHeard(PadJudge.role(capabilities)) || settings.scope != .keyboards && judge.mayBeWanted(node)
    }

    private func isHeard(_ role: PadJudge.Role) -> Bool {
        switch role {
        case .pad: settings.scope != .keyboards
        case .keyboard: settings.scope != .pads || wishes.isRaw
        case .candidate: settings.scope != .keyboards && wishes.isRaw
        case .nothing: false
        }
    }

    func open(_ node: InputNode, attempt: Int) -> OpenDevice? {
        do throws(SystemError) {
            let evdev = try EvdevDevice(node: node.node)
            forgetRefusal(node.systemPath)
            let device = OpenDevice(
                evdev, node: node, judge: settings.scope == .keyboards ? PadJudge(knowledge: nil) : judge)
            return isHeard(device.role) ? device : nil
        } catch {
            refuse(node, attempt: attempt, error)
            return nil
        }
    }
}
