internal import EvdevKit
internal import SystemKit

/// Pads, players and candidates.
extension MonitorLoop {
    /// Takes devices in that were just opened: those that are known get their players back before new ones get any.
    func welcome(_ newcomers: [OpenDevice]) {
        for device in newcomers where device.role == .pad { dropGhosts(of: device) }
        let pads = newcomers.filter { $0.role == .pad }
        settings.players.change { slots in
            let known = pads.filter { slots.isKnown($0.facts) }
            let new = pads.filter { !slots.isKnown($0.facts) }
            for device in known + new { device.seat = slots.assign(device.facts) }
        }
        // Pads first: what is a part of one of them is no candidate.
        for device in pads + newcomers.filter({ $0.role != .pad }) where device.role != .candidate || !isPart(device) {
            devices[device.node.systemPath] = device
            connect(device)
        }
    }

    private func connect(_ device: OpenDevice) {
        switch device.role {
        case .pad: connect(pad: device, id: nextID())
        case .keyboard:
            if settings.scope != .pads { device.hearKeys() }
            if wishes.isRaw, settings.scope != .keyboards { offer(device) }
        case .candidate: offer(device)
        case .nothing: break
        }
    }

    private func connect(pad device: OpenDevice, id: Int) {
        let info = judge.info(
            device.facts, id: id, node: device.node.node, player: device.seat?.player ?? 0)
        device.play(info)
        device.listen(isRaw: wishes.isRaw, isGuessing: wishes.guessing.contains(id))
        // Whoever maps a keyboard as a pad goes on typing with it.
        if settings.scope == .padsAndKeyboards, DeviceKind(of: device.facts.capabilities) == .keyboard {
            device.hearKeys()
        }
        state.pads.append(info)
        log.write(.info, "controller \(info.id) is ready: \(info.name) at \(info.node), player \(info.player)")
        deliver(.connected(info))
        askBattery(device)
        // Its sensors and its touchpad are parts of it.
        for (path, other) in devices where other.role == .candidate && isPart(other) { drop(path) }
    }

    /// A pad that comes back may be there before the kernel's word that it went.
    private func dropGhosts(of device: OpenDevice) {
        for (path, other) in devices
        where other.role == .pad && other.node.systemPath != device.node.systemPath
            && padUnit(other.facts) == padUnit(device.facts) && !fileExists(path)
        {
            drop(path)
        }
    }

    // MARK: Candidates

    private func offer(_ device: OpenDevice) {
        guard device.info == nil else { return }
        let info = judge.candidate(device.facts, id: nextID(), node: device.node.node)
        device.offer(info)
        device.listen(isRaw: true, isGuessing: false)
        deliver(.candidate(info))
    }

    /// Whether it is the sensor or the touchpad of a pad that is known.
    private func isPart(_ device: OpenDevice) -> Bool {
        switch DeviceKind(of: device.facts.capabilities) {
        case .other(.motionSensor), .other(.touch):
            devices.values.contains { $0.role == .pad && $0.facts.device == device.facts.device }
        default: false
        }
    }

    // MARK: Wishes

    func obey(_ new: MonitorWishes) {
        let old = wishes
        wishes = new
        for move in new.moves { self.move(move) }
        for device in devices.values {
            guard let info = device.info, device.role == .pad else { continue }
            let isGuessing = new.guessing.contains(info.id)
            if device.stopsTelling(isGuessing: isGuessing) { device.releaseAll(deliver: settings.deliver) }
            device.listen(isRaw: new.isRaw, isGuessing: isGuessing)
        }
        if new.refreshes != old.refreshes { refresh() }
        if new.isRaw != old.isRaw { listen(isRaw: new.isRaw) }
        for echo in new.echoes { echo() }
    }

    private func listen(isRaw: Bool) {
        guard settings.scope != .keyboards else { return }
        if isRaw {
            for device in devices.values where device.role == .keyboard { offer(device) }
            lookAgain()
            return
        }
        for (path, device) in devices where device.role == .candidate || device.role == .keyboard {
            if settings.scope == .pads || device.role == .candidate {
                drop(path)
            } else if let info = device.info {
                device.offer(nil)
                deliver(.candidateGone(id: info.id))
            }
        }
    }

    private func refresh() {
        guard settings.scope != .keyboards else { return }
        for (path, device) in devices {
            let role = judge.role(device.facts)
            if device.role != .pad, role == .pad {
                promote(device)
            } else if device.role == .pad, role != .pad {
                // Nobody wants it any more; while everything is listened to it is found again below.
                drop(path)
            } else if device.role == .pad {
                update(device)
            } else if let info = device.info {
                device.offer(judge.candidate(device.facts, id: info.id, node: info.node))
            }
        }
        lookAgain()
    }

    /// Makes a pad of a candidate; it keeps its number.
    private func promote(_ device: OpenDevice) {
        device.releaseAll(deliver: settings.deliver)
        if let info = device.info { deliver(.candidateGone(id: info.id)) }
        settings.players.change { device.seat = $0.assign(device.facts) }
        connect(pad: device, id: device.info?.id ?? nextID())
    }

    /// Gives a pad its new mapping and player.
    private func update(_ device: OpenDevice) {
        guard let old = device.info else { return }
        let player = device.seat.flatMap { seat in settings.players.look { $0.player(of: seat.unit) } } ?? old.player
        let info = judge.info(device.facts, id: old.id, node: old.node, player: player)
        guard info != old else { return }
        device.releaseAll(deliver: settings.deliver)
        device.play(info)
        state.pads = state.pads.map { $0.id == info.id ? info : $0 }
        deliver(.changed(info))
    }

    private func move(_ move: MonitorWishes.Move) {
        guard let seat = devices.values.first(where: { $0.role == .pad && $0.info?.id == move.pad })?.seat else {
            return
        }
        settings.players.change { $0.move(seat.unit, to: move.player) }
        for device in devices.values where device.role == .pad { update(device) }
    }

    // MARK: Batteries

    private func askBattery(_ device: OpenDevice) {
        guard let info = device.info, let folder = device.node.physicalDevice else { return }
        device.batteryAsked = .now
        batteries.ask(pad: info.id, systemPath: device.node.systemPath, device: folder)
    }

    /// Asks again in passing, while the pad is used, since some drivers never say that something changed.
    func askBatteryAgain(_ device: OpenDevice, now: MonotonicInstant) {
        guard device.role == .pad, let asked = device.batteryAsked else { return }
        let pause: Double
        if device.battery != nil {
            pause = 300
        } else if !device.hasAskedTwice {
            // The pad may not have told its driver yet. One without a battery is not asked for ever.
            pause = 5
        } else {
            return
        }
        guard now.seconds(since: asked) > pause else { return }
        device.hasAskedTwice = true
        askBattery(device)
    }

    func powerChanged(_ supply: BytePath) {
        // `.../0005:054C:09CC.0001/power_supply/ps-controller-battery-...`: what it belongs to is two folders up.
        let holder = supply.parent.parent.bytes + [UInt8(ascii: "/")]
        for device in devices.values
        where device.role == .pad && device.node.systemPath.bytes.starts(with: holder) { askBattery(device) }
    }

    func tellBatteries() {
        for (pad, battery) in batteries.takeAnswers() {
            guard let battery, let device = devices.values.first(where: { $0.role == .pad && $0.info?.id == pad }),
                device.battery != battery
            else { continue }
            device.battery = battery
            deliver(.battery(pad: pad, battery))
        }
    }
}
