import Controllers
import SystemKit
import Testing

/// Storms, and what is left after them.
extension PadMonitorTests {
    @Test("a pad that goes and comes a hundred times before anybody looks is told each time, and leaves nothing open")
    func unwatchedStorm() async {
        guard let bed = testbed(), let pad = bed.plug(xbox360), let other = bed.plug(switchPro) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next(2).map { $0.prefix(11) } == ["connected 1", "connected 2"])
        bed.send(pad, [(1, 0x130, 1)])
        #expect(await listener.next() == "1 +south")
        let before = listener.monitor.wakeups
        var last = 1
        for burst in 0..<25 {
            // More at once the made-up udev cannot send.
            for _ in 0..<4 {
                bed.tell(pad, "remove")
                bed.tell(pad, "add")
            }
            if burst == 0 { #expect(await listener.next() == "1 -south") }
            for id in 4 * burst + 3..<4 * burst + 7 {
                #expect(await listener.next() == "disconnected \(last)")
                #expect(await listener.next().hasPrefix("connected \(id) "))
                last = id
            }
        }
        #expect(listener.monitor.pads.map(\.player) == [2, 1])
        #expect(openNodes() == 2)
        // At most one look a message and one an answer about a battery, whatever the machine's speed.
        #expect(listener.monitor.wakeups - before <= 450)
        bed.unplug(pad, isTold: true)
        bed.unplug(other, isTold: true)
        #expect(await Set(listener.next(2)) == ["disconnected 102", "disconnected 2"])
        #expect(openNodes() == 0)
    }

    @Test("after dead descriptors, with and without udev's word, the thread sleeps until there is something to do")
    func noSpin() async {
        guard let bed = testbed() else { return }
        var listener = Listener()
        defer { listener.stop() }
        // After a death without a word the made-up udev can make no further device.
        for (id, isTold) in [(1, true), (2, false)] {
            guard let pad = bed.plug(dualSense) else { return }
            #expect(await listener.next().hasPrefix("connected \(id) "))
            bed.unplug(pad, isTold: isTold)
            #expect(await listener.next() == "disconnected \(id)")
        }
        #expect(openNodes() == 0)
        await settle(listener)
        let before = listener.monitor.wakeups
        for _ in 0..<50 { await settle(listener) }
        // A thread that spins has looked thousands of times by now.
        #expect(listener.monitor.wakeups - before <= 60)
    }

    @Test("a pad that sends without end keeps neither wishes nor other pads waiting")
    func chatter() async {
        guard let bed = testbed(), let loud = bed.plug(dragonRise), let quiet = bed.plug(xbox360) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next(2).map { $0.prefix(11) } == ["connected 1", "connected 2"])
        for _ in 0..<50 {
            // The terminal that stands for the node takes no more at once.
            for step: Int32 in 0..<40 { bed.send(loud, [(3, 0, 126 + step % 3)]) }
            bed.send(quiet, [(1, 0x130, 1), (1, 0x130, 0)])
            // Nothing of the noise is told.
            #expect(await listener.next(2) == ["2 +south", "2 -south"])
        }
        await settle(listener)
    }
}
