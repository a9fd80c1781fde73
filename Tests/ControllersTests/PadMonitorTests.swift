import Controllers
import EvdevKit
import Glibc
import SystemKit
import Testing

/// With made-up devices; `Tests/EndToEnd/pads` runs these below `umockdev-wrapper`.
@Suite("Coming and going of pads", .serialized, .timeLimit(.minutes(2)))
struct PadMonitorTests {
    @Test("a machine without any device is listened to, and stopping ends it")
    func nothingThere() {
        let monitor = PadMonitor(deliver: { _ in }, log: Log(minimum: .error))
        monitor.stop()
        monitor.start()
        monitor.start()
        #expect(monitor.pads.isEmpty)
        monitor.stop()
        monitor.stop()
    }

    @Test("a pad that is there and one that comes later are told once, and their buttons with their own number")
    func connectAndPress() async {
        guard let bed = testbed() else { return }
        let first = bed.plug(xbox360)
        _ = bed.plug(dualShock4Motion)
        _ = bed.plug(dualShock4Touchpad)
        _ = bed.plug(plainKeyboard)
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next() == "connected 1 Microsoft X-Box 360 pad xbox")
        let second = bed.plug(dualShock4)
        #expect(await listener.next() == "connected 2 Sony Interactive Entertainment Wireless Controller playstation")
        guard let first, let second else { return }
        bed.send(first, [(1, 0x130, 1), (3, 0x10, -1)])
        #expect(await listener.next(2) == ["1 +south", "1 +left"])
        bed.send(second, [(1, 0x133, 1), (1, 0x133, 0)])
        #expect(await listener.next(2) == ["2 +north", "2 -north"])
        #expect(listener.monitor.pads.map(\.id) == [1, 2])
        #expect(listener.monitor.pads.first?.capabilities == xbox360.capabilities)
    }

    @Test("B049: a node that dies without a word from udev is dropped at once, after everything it held was released")
    func deadDescriptor() async {
        guard let bed = testbed(), let pad = bed.plug(xbox360) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next() == "connected 1 Microsoft X-Box 360 pad xbox")
        bed.send(pad, [(1, 0x13A, 1), (1, 0x13B, 1)])
        #expect(await listener.next(2) == ["1 +select", "1 +start"])
        bed.unplug(pad, isTold: false)
        #expect(await listener.next(3) == ["1 -start", "1 -select", "disconnected 1"])
        #expect(listener.monitor.pads.isEmpty)
    }

    @Test("when the kernel lost events everything is released, and the next press counts again")
    func lostEvents() async {
        guard let bed = testbed(), let pad = bed.plug(xbox360) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next() == "connected 1 Microsoft X-Box 360 pad xbox")
        bed.send(pad, [(1, 0x130, 1), (3, 0x10, 1)])
        #expect(await listener.next(2) == ["1 +south", "1 +right"])
        // SYN_DROPPED; what is held afterwards libevdev asks the kernel for, and nothing is.
        bed.send(pad, [(0, 3, 0)])
        #expect(await listener.next(2) == ["1 -right", "1 -south"])
        bed.send(pad, [(1, 0x130, 1), (1, 0x130, 0)])
        #expect(await listener.next(2) == ["1 +south", "1 -south"])
    }

    @Test("a contact that bounces is one press, and its release is told")
    func bouncingContact() async {
        guard let bed = testbed(), let pad = bed.plug(xbox360) else { return }
        var listener = Listener()
        defer { listener.stop() }
        #expect(await listener.next() == "connected 1 Microsoft X-Box 360 pad xbox")
        bed.send(pad, [(1, 0x130, 1), (1, 0x130, 0), (1, 0x130, 1), (1, 0x130, 0)])
        #expect(await listener.next(2) == ["1 +south", "1 -south"])
        bed.send(pad, [(1, 0x131, 1)])
        #expect(await listener.next() == "1 +east")
    }

    @Test("a hundred pads that come and go leave no descriptor behind and never use a number twice")
    func storm() async {
        guard let bed = testbed() else { return }
        var listener = Listener()
        defer { listener.stop() }
        for round in 1...100 {
            guard let pad = bed.plug(round % 2 == 0 ? xbox360 : dualSense) else { return }
            #expect(await listener.next().hasPrefix("connected \(round) "))
            #expect(openNodes() == 1)
            bed.unplug(pad, isTold: true)
            #expect(await listener.next() == "disconnected \(round)")
        }
        #expect(openNodes() == 0)
    }

    @Test("B051: a node that may not be read is told with its mode, and works as soon as the mode is changed")
    func permission() async {
        guard let bed = testbed(), geteuid() == 0 else { return print("needs root, to give up its rights") }
        var listener = Listener(dropsRights: true)
        defer { listener.stop() }
        _ = bed.plug(xbox360)
        #expect(await listener.next().hasPrefix("connected 1 "))
        guard let late = bed.plug(switchPro) else { return }
        // The mode is set a moment later, and udev says nothing: trying again finds it.
        bed.allow(late.node.displayString, 0o666)
        #expect(await listener.next().hasPrefix("connected 2 "))
        guard let refused = bed.plug(f310) else { return }
        let problem = await listener.next()
        #expect(problem.hasPrefix("problem \(refused.node): "))
        #expect(problem.contains("mode 0600"))
        // No word from udev about this one either.
        bed.allow(refused.node.displayString, 0o666)
        #expect(await listener.next() == "solved \(refused.node)")
        #expect(await listener.next() == "connected 3 Logitech Gamepad F310 xbox")
    }

    @Test("a node with a problem works after udev's word about it, and one that goes takes its problem along")
    func solvedProblems() async {
        guard let bed = testbed(), geteuid() == 0 else { return print("needs root, to give up its rights") }
        var listener = Listener(dropsRights: true)
        defer { listener.stop() }
        _ = bed.plug(xbox360)
        #expect(await listener.next().hasPrefix("connected 1 "))
        guard let first = bed.plug(f310), let second = bed.plug(switchPro) else { return }
        let problems = await listener.next(2).sorted()
        #expect(problems.map { String($0.prefix(25)) } == [first, second].map { "problem \($0.node)" }.sorted())
        bed.unplug(first, isTold: true)
        #expect(await listener.next() == "solved \(first.node)")
        bed.allow(second.node.displayString, 0o666)
        bed.tell(second, "change")
        #expect(await listener.next() == "solved \(second.node)")
        #expect(await listener.next() == "connected 2 Nintendo Switch Pro Controller nintendo")
    }

    @Test("keyboards are heard only when asked for, with the characters of a US keyboard")
    func keyboards() async {
        guard let bed = testbed(), let keyboard = bed.plug(plainKeyboard) else { return }
        var listener = Listener(includeKeyboards: true)
        defer { listener.stop() }
        // Its arrival is not told: a pad's is, and shows that the keyboard is open by then.
        _ = bed.plug(xbox360)
        #expect(await listener.next().hasPrefix("connected 1 "))
        bed.send(keyboard, [(1, 42, 1), (1, 30, 1), (1, 30, 2), (1, 30, 0), (1, 42, 0), (1, 2, 1)])
        #expect(await listener.next(5) == ["+leftShift", "+a A", "-a", "-leftShift", "+digit1 1"])
        bed.unplug(keyboard, isTold: true)
        #expect(await listener.next() == "-digit1")
    }

    func testbed() -> Testbed? {
        if let missing = Testbed.isMissing { print(missing) }
        return Testbed()
    }

    /// How many of this process's descriptors are nodes of the testbed, which are terminals in truth; its own ends
    /// are called otherwise.
    func openNodes() -> Int {
        let numbers = (try? directoryNames("/proc/self/fd")) ?? []
        return numbers.count { number in
            guard let target = try? resolvedPath(BytePath("/proc/self/fd").appending(number)) else { return false }
            return target.bytes.starts(with: "/dev/pts/".utf8) && target.name != "ptmx"
        }
    }
}

/// A running monitor whose events can be awaited as text.
struct Listener {
    let monitor: PadMonitor
    private var iterator: AsyncStream<ControllerEvent>.Iterator

    /// - Parameter dropsRights: the monitor's thread gives up root's right to every file with its first event.
    init(
        includeKeyboards: Bool = false, dropsRights: Bool = false, knowledge: PadKnowledge? = nil,
        players: PlayerStore = PlayerStore()
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: ControllerEvent.self)
        monitor = PadMonitor(
            includeKeyboards: includeKeyboards, knowledge: knowledge, players: players,
            deliver: { event in
                if dropsRights { becomeNobody() }
                continuation.yield(event)
            }, log: Log(minimum: .error))
        monitor.start()
        iterator = stream.makeAsyncIterator()
    }

    mutating func next() async -> String {
        guard let event = await iterator.next() else { return "nothing" }
        return switch event {
        case .connected(let info):
            "connected \(info.id) \(info.name) \(info.family)"
                + (info.player == info.id ? "" : " player \(info.player)")
        case .disconnected(let id): "disconnected \(id)"
        case .button(let pad, let button, let isPressed, _): "\(pad) \(isPressed ? "+" : "-")\(button)"
        case .key(let key, let isPressed, _, let character):
            "\(isPressed ? "+" : "-")\(key)" + (character.map { " " + $0 } ?? "")
        case .problem(let node, let reason): "problem \(node): \(reason)"
        case .solved(let node): "solved \(node)"
        case .changed(let info): "changed \(info.id) player \(info.player) \(info.source)"
        case .raw(let pad, let event): "raw \(pad) \(text(event.kind))"
        case .candidate(let info): "candidate \(info.id) \(info.name)"
        case .candidateGone(let id): "candidate gone \(id)"
        case .battery(let pad, let battery): "battery \(pad) \(battery.percent)" + (battery.isCharging ? " +" : "")
        }
    }

    private func text(_ kind: InputEvent.Kind) -> String {
        switch kind {
        case .key(let code, let value): "key \(code.rawValue) \(value)"
        case .axis(let code, let value): "axis \(code.rawValue) \(value)"
        case .report: "report"
        case .dropped: "dropped"
        case .other: "other"
        }
    }

    mutating func next(_ count: Int) async -> [String] {
        var all: [String] = []
        for _ in 0..<count { all.append(await next()) }
        return all
    }

    func stop() { monitor.stop() }
}

/// Takes root's right to every file from the calling thread alone (`setfsuid`, which Glibc's module does not show).
private func becomeNobody() {
    guard let symbol = dlsym(nil, "setfsuid") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)(65534)
}
