import Controllers
import EvdevKit
import Glibc
import Synchronization
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

    @Test("three thousand events at a thousand a second arrive one by one and in order")
    func steadyStream() async {
        guard let bed = testbed(), let pad = bed.plug(timeTeller) else { return }
        let tally = Mutex((delays: [Int](), values: [Int32](), cpu: (first: 0.0, last: 0.0)))
        let (done, continuation) = AsyncStream.makeStream(of: Void.self)
        let start = MonotonicInstant.now
        let monitor = PadMonitor(
            deliver: { event in
                if case .connected = event { continuation.yield() }
                guard case .raw(_, let raw) = event, case .axis(_, let value) = raw.kind else { return }
                // The value is the time at which it was sent.
                let delay = Int((MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1000) - Int(value)
                let cpu = threadCPUSeconds()
                tally.withLock { tally in
                    tally.delays.append(delay)
                    tally.values.append(value)
                    tally.cpu = (tally.delays.count == 1 ? cpu : tally.cpu.first, cpu)
                    if tally.delays.count == 3000 { continuation.yield() }
                }
            }, log: Log(minimum: .error))
        defer { monitor.stop() }
        monitor.setListening(raw: true)
        monitor.start()
        var news = done.makeAsyncIterator()
        await news.next()
        var sent: [Int32] = []
        for _ in 0..<3000 {
            let now = Int32(clamping: (MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1000)
            sent.append(now)
            bed.send(pad, [(3, 0, now)])
            // The pace is what is wanted here; nothing is waited for.
            usleep(1000)
        }
        await news.next()
        let end = tally.withLock { $0 }
        let (delays, values, cpu) = (end.delays, end.values, end.cpu)
        #expect(values == sent)
        let sorted = delays.sorted()
        print(
            "from sending to delivery: median \(sorted[1500]) us, 99 % \(sorted[2970]) us, longest \(sorted[2999]) us;",
            "CPU of the thread \(Int((cpu.last - cpu.first) * 1000)) ms in 3000 events")
    }
}

/// A pad with one axis wide enough for a time in microseconds.
private let timeTeller = Device(
    "Time teller", vendor: 0x20D6, product: 9, keys: [0x120...0x129],
    axes: [.x: axis(0, .max), .y: axis(0, 255, at: 127)])
