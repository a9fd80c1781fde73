import Controllers
import EvdevKit
import SystemKit
import Testing

/// Parts of one thing, equal things, and things that come back.
extension PadMonitorTests {
    @Test(
        "B043: pad, motion sensor and touchpad are one player, and its parts may go in any order",
        arguments: [true, false])
    func partsOfOnePad(partsFirst: Bool) async {
        guard let bed = testbed(), let thing = bed.hold() else { return }
        guard let motion = bed.plug(dualShock4Motion, unique: "aa:bb", thing: thing),
            let pad = bed.plug(dualShock4, unique: "aa:bb", thing: thing),
            let touch = bed.plug(dualShock4Touchpad, unique: "aa:bb", thing: thing)
        else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next().hasPrefix("connected 1 Sony"))
        #expect(listener.monitor.pads.map(\.player) == [1])
        for part in partsFirst ? [touch, motion, pad] : [pad, touch, motion] { bed.unplug(part, isTold: true) }
        #expect(await listener.next() == "disconnected 1")
        // Nothing else was told: the next word is about the next pad.
        _ = bed.plug(xbox360)
        #expect(await listener.next() == "connected 2 Microsoft X-Box 360 pad xbox")
    }

    @Test("two pads in one adapter are two players, and half of it may go and come back")
    func twinAdapter() async {
        let twin = Device(
            "Twin USB Joystick", vendor: 0x0810, product: 0x0001, keys: [0x120...0x12B],
            axes: [.x: axis(0, 255, at: 128), .y: axis(0, 255, at: 128)])
        guard let bed = testbed(), let thing = bed.hold(subsystem: "usb") else { return }
        guard let first = bed.plug(twin, thing: thing), let second = bed.plug(twin, thing: thing) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next(2) == [1, 2].map { "connected \($0) Twin USB Joystick xbox" })
        #expect(listener.monitor.pads.map(\.player) == [1, 2])
        #expect(Set(listener.monitor.pads.map(\.device)).count == 1)
        bed.unplug(first, isTold: true)
        #expect(await listener.next() == "disconnected 1")
        _ = bed.plug(twin, thing: thing)
        #expect(await listener.next() == "connected 3 Twin USB Joystick xbox player 1")
        bed.unplug(second, isTold: false)
        #expect(await listener.next() == "disconnected 2")
        #expect(listener.monitor.pads.map(\.player) == [1])
    }

    @Test(
        "B048: a pad that slept returns to its player with another node, both do in reverse order, a third is the third"
    )
    func sleepingPads() async {
        guard let bed = testbed() else { return }
        var listener = Listener()
        defer { listener.stop() }
        guard let one = bed.plug(switchPro, unique: "00:00:00:00:00:0A") else { return }
        #expect(await listener.next().hasPrefix("connected 1 "))
        guard let two = bed.plug(switchPro, unique: "00:00:00:00:00:0B") else { return }
        #expect(await listener.next().hasPrefix("connected 2 "))
        bed.unplug(one, isTold: true)
        #expect(await listener.next() == "disconnected 1")
        _ = bed.plug(eightBitDo, unique: "00:00:00:00:00:0C")
        #expect(await listener.next() == "connected 3 8BitDo SN30 Pro nintendo")
        guard let oneAgain = bed.plug(switchPro, unique: "00:00:00:00:00:0A") else { return }
        #expect(await listener.next() == "connected 4 Nintendo Switch Pro Controller nintendo player 1")
        for pad in [oneAgain, two] {
            bed.unplug(pad, isTold: true)
            #expect(await listener.next().hasPrefix("disconnected "))
        }
        _ = bed.plug(switchPro, unique: "00:00:00:00:00:0B")
        #expect(await listener.next() == "connected 5 Nintendo Switch Pro Controller nintendo player 2")
        _ = bed.plug(switchPro, unique: "00:00:00:00:00:0A")
        #expect(await listener.next() == "connected 6 Nintendo Switch Pro Controller nintendo player 1")
        // Whoever wants to be player 1 gets it from who has it.
        listener.monitor.assign(5, to: 1)
        #expect(await Set(listener.next(2)) == ["changed 5 player 1 kernel", "changed 6 player 2 kernel"])
        #expect(PlayerSlots.order(listener.monitor.pads, starter: 3).map(\.id) == [3, 5, 6])
    }

    @Test("at the start the pads of the last session get their players before new ones do")
    func knownFirst() async throws {
        guard let bed = testbed() else { return }
        let folder = try TemporaryFolder()
        let file = PlayerStore.file(below: folder.path)
        do {
            var listener = Listener(players: PlayerStore(file: file))
            guard let pad = bed.plug(switchPro, unique: "00:00:00:00:00:0A") else { return }
            #expect(await listener.next().hasPrefix("connected 1 "))
            bed.unplug(pad, isTold: true)
            #expect(await listener.next() == "disconnected 1")
            listener.stop()
        }
        _ = bed.plug(xbox360)
        _ = bed.plug(switchPro, unique: "00:00:00:00:00:0A")
        var listener = Listener(players: PlayerStore(file: file))
        defer { listener.stop() }
        #expect(await listener.next() == "connected 1 Microsoft X-Box 360 pad xbox player 2")
        #expect(await listener.next() == "connected 2 Nintendo Switch Pro Controller nintendo player 1")
    }

    @Test("a battery is told when its pad is connected and when the kernel says something new about it")
    func battery() async {
        guard let bed = testbed(), let thing = bed.hold() else { return }
        guard let supply = bed.addBattery(to: thing, capacity: 85, status: "Discharging") else { return }
        guard bed.plug(dualShock4, thing: thing) != nil else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next().hasPrefix("connected 1 "))
        #expect(await listener.next() == "battery 1 85")
        bed.change(supply, "status", to: "Charging")
        #expect(await listener.next() == "battery 1 85 +")
        bed.change(supply, "capacity", to: "90")
        #expect(await listener.next() == "battery 1 90 +")
        // Another thing's battery is another matter.
        if let other = bed.hold(), let its = bed.addBattery(to: other, capacity: 3, status: "Discharging") {
            bed.change(its, "capacity", to: "2")
        }
        _ = bed.plug(xbox360)
        #expect(await listener.next().hasPrefix("connected 2 "))
    }
}
