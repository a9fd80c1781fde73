import Controllers
import EvdevKit
import SystemKit
import Testing

/// Pads that nobody knows, and what becomes of them.
extension PadMonitorTests {
    @Test("a pad that nobody knows tells no buttons, but what it sends; once it is mapped it is like any other")
    func unknownPad() async throws {
        guard let bed = testbed(), let pad = bed.plug(dragonRise) else { return }
        let folder = try TemporaryFolder()
        let knowledge = PadKnowledge(folder: folder.path)
        var listener = Listener(knowledge: knowledge)
        defer { listener.stop() }
        #expect(await listener.next().hasPrefix("connected 1 DragonRise"))
        let info = try #require(listener.monitor.pads.first)
        #expect(info.source == .none)
        // A stick's trembling does not count, a press and a way do.
        bed.send(pad, [(1, 0x122, 1), (3, 0, 130), (3, 0, 255), (1, 0x122, 0)])
        #expect(await listener.next(3) == ["raw 1 key 290 1", "raw 1 axis 0 255", "raw 1 key 290 0"])
        let mapping = PadMapping(controls: [.south: [.key(KeyCode(rawValue: 0x122))]])
        try knowledge.save(mapping, for: info.facts)
        listener.monitor.refresh()
        #expect(await listener.next() == "changed 1 player 1 user")
        #expect(listener.monitor.pads.first?.mapping == mapping)
        bed.send(pad, [(1, 0x122, 1)])
        #expect(await listener.next() == "1 +south")
        // What is held is released before another mapping counts, and the old release means nothing then.
        try knowledge.save(PadMapping(controls: [.east: [.key(KeyCode(rawValue: 0x122))]]), for: info.facts)
        listener.monitor.refresh()
        #expect(await listener.next(2) == ["1 -south", "changed 1 player 1 user"])
        bed.send(pad, [(1, 0x122, 0), (1, 0x122, 1)])
        #expect(await listener.next() == "1 +east")
        try knowledge.forget(info.facts)
        listener.monitor.refresh()
        #expect(await listener.next(2) == ["1 -east", "changed 1 player 1 none"])
    }

    @Test("a guess counts only for a pad for which it was wished, and ends with everything released")
    func guessing() async {
        guard let bed = testbed(), let pad = bed.plug(dragonRise) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next().hasPrefix("connected 1 DragonRise"))
        listener.monitor.setGuessing(1, true)
        await settle(listener)
        bed.send(pad, [(1, 0x122, 1)])
        #expect(await listener.next(2) == ["raw 1 key 290 1", "1 +south"])
        listener.monitor.setGuessing(1, false)
        #expect(await listener.next() == "1 -south")
        bed.send(pad, [(1, 0x122, 0), (1, 0x122, 1)])
        #expect(await listener.next(2) == ["raw 1 key 290 0", "raw 1 key 290 1"])
    }

    @Test("while listening to everything keyboards and odd devices are candidates; afterwards they are closed again")
    func candidates() async {
        guard let bed = testbed(), let thing = bed.hold() else { return }
        _ = bed.plug(dualShock4, thing: thing)
        _ = bed.plug(dualShock4Touchpad, thing: thing)
        _ = bed.plug(dualShock4Motion, thing: thing)
        guard let keyboard = bed.plug(plainKeyboard), let pedals = bed.plug(footPedals) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next().hasPrefix("connected 1 Sony"))
        listener.monitor.setListening(raw: true)
        #expect(await listener.next(2) == ["candidate 2 AT Translated Set 2 keyboard", "candidate 3 Foot pedals"])
        bed.send(keyboard, [(1, 30, 1), (1, 30, 2), (1, 30, 0)])
        #expect(await listener.next(3) == ["raw 2 key 30 1", "raw 2 key 30 0", "raw 2 report"])
        bed.send(pedals, [(4, 4, 9), (1, 0x121, 1)])
        #expect(await listener.next(2) == ["raw 3 key 289 1", "raw 3 report"])
        bed.unplug(pedals, isTold: true)
        #expect(await listener.next() == "candidate gone 3")
        _ = bed.plug(footPedals)
        #expect(await listener.next() == "candidate 4 Foot pedals")
        #expect(openNodes() == 3)
        listener.monitor.setListening(raw: false)
        #expect(await Set(listener.next(2)) == ["candidate gone 2", "candidate gone 4"])
        #expect(openNodes() == 1)
        #expect(listener.monitor.pads.map(\.id) == [1])
    }

    @Test("a device that the person mapped is a pad whatever it looks like, until the profile is forgotten")
    func wantedDevice() async throws {
        guard let bed = testbed(), let pedals = bed.plug(footPedals) else { return }
        let folder = try TemporaryFolder()
        let knowledge = PadKnowledge(folder: folder.path)
        var listener = Listener(knowledge: knowledge)
        defer { listener.stop() }
        listener.monitor.setListening(raw: true)
        #expect(await listener.next() == "candidate 1 Foot pedals")
        let mapping = PadMapping(controls: [.south: [.key(KeyCode(rawValue: 0x121))]])
        try knowledge.save(mapping, for: facts(of: footPedals))
        listener.monitor.refresh()
        #expect(await listener.next(2) == ["candidate gone 1", "connected 1 Foot pedals xbox"])
        listener.monitor.setListening(raw: false)
        await settle(listener)
        bed.send(pedals, [(1, 0x121, 1)])
        #expect(await listener.next() == "1 +south")
        bed.unplug(pedals, isTold: true)
        #expect(await listener.next(2) == ["1 -south", "disconnected 1"])
        guard bed.plug(footPedals) != nil else { return }
        #expect(await listener.next().hasPrefix("connected 2 Foot pedals"))
        try knowledge.forget(facts(of: footPedals))
        listener.monitor.refresh()
        #expect(await listener.next() == "disconnected 2")
    }

    private func facts(of device: Device) -> DeviceFacts {
        DeviceFacts(
            name: device.name, identity: device.identity, physicalPath: "usb-1/input0",
            capabilities: device.capabilities)
    }

    /// Waits until the monitor has done what was wished before.
    func settle(_ listener: Listener) async {
        await withCheckedContinuation { continuation in listener.monitor.whenObeyed { continuation.resume() } }
    }
}

/// Buttons, and nothing to point with.
let footPedals = Device("Foot pedals", vendor: 0x0C45, product: 0x7403, keys: [0x120...0x122])
