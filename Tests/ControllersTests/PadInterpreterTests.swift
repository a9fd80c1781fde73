import Controllers
import EvdevKit
import Testing

/// Feeds events in and keeps what comes out as `+south` and `-south`.
struct Replay {
    var interpreter: PadInterpreter
    private(set) var told: [String] = []

    init(_ device: Device) { interpreter = device.interpreter }

    init(_ axes: [AxisCode: AxisInfo], _ mapping: PadMapping) {
        interpreter = PadInterpreter(capabilities: Capabilities(axes: axes), mapping: mapping)
    }

    mutating func key(_ code: UInt16, _ value: Int32) {
        take(interpreter.handle(.key(KeyCode(rawValue: code), value: value)))
    }

    mutating func axis(_ code: AxisCode, _ values: Int32...) {
        for value in values { take(interpreter.handle(.axis(code, value: value))) }
    }

    mutating func drop() { take(interpreter.handle(.dropped)) }

    mutating func next() -> [String] {
        defer { told = [] }
        return told
    }

    private mutating func take(_ changes: [PadChange]) {
        told += changes.map { ($0.isPressed ? "+" : "-") + $0.button.rawValue }
    }
}

@Suite("What a pad's events mean")
struct PadInterpreterTests {
    @Test(
        "face buttons are told by position on every maker's pad",
        arguments: [
            (xbox360, ["south", "east", "west", "north"]), (f310, ["south", "east", "west", "north"]),
            (dualShock4, ["south", "east", "north", "west"]), (switchPro, ["south", "east", "north", "west"]),
        ])
    func faceButtons(device: Device, expected: [String]) {
        var replay = Replay(device)
        for code: UInt16 in [0x130, 0x131, 0x133, 0x134] {
            replay.key(code, 1)
            replay.key(code, 0)
        }
        #expect(replay.next() == expected.flatMap { ["+" + $0, "-" + $0] })
    }

    @Test(
        "plain joysticks get the order that most pads with so many buttons have",
        arguments: [
            (dragonRise, "north east south west l r l2 r2 select start l3 r3"),
            (snesAdapter, "north east south west l r l2 r2 select start"),
            (f310Direct, "west south east north l r l2 r2 select start l3 r3"),
            (buffaloSNES, "east south north west l r select start"), (oneButtonStick, "south"),
        ])
    func joystickOrders(device: Device, expected: String) {
        var replay = Replay(device)
        for code in device.capabilities.keys.sorted() { replay.key(code.rawValue, 1) }
        #expect(replay.next() == expected.split(separator: " ").map { "+" + $0 })
    }

    @Test("B037: a D-pad works as hat, as buttons, as three-valued axes of either range, and as a wide axis")
    func directionEncodings() {
        // Up, centre, down without a centre between, a diagonal, centre.
        let expected = [
            "+up", "-up", "+down", "-down", "+up", "+left", "-up", "-left",
        ]
        for (device, across, along, low, centre, high) in [
            (xbox360, AxisCode.hat0X, AxisCode.hat0Y, Int32(-1), Int32(0), Int32(1)),
            (snesAdapter, .x, .y, 0, 127, 255), (arcadeEncoder, .x, .y, -1, 0, 1),
            (switchPro, .x, .y, -32767, 0, 32767),
        ] {
            var replay = Replay(device)
            replay.axis(along, low, centre, high, low)
            replay.axis(across, low)
            replay.axis(along, centre)
            replay.axis(across, centre)
            #expect(replay.next() == expected, "\(device.name)")
            #expect(replay.interpreter.held.isEmpty)
        }
        var replay = Replay(dpadButtonsPad)
        for (code, value): (UInt16, Int32) in [
            (0x220, 1), (0x220, 0), (0x221, 1), (0x221, 0), (0x220, 1), (0x222, 1), (0x220, 0), (0x222, 0),
        ] {
            replay.key(code, value)
        }
        #expect(replay.next() == expected)
    }

    @Test("hat and buttons for one D-pad press once and release with the last of them")
    func doubleEncoding() {
        var replay = Replay(doubleDpadPad)
        replay.axis(.hat0Y, -1)
        replay.key(0x220, 1)
        #expect(replay.next() == ["+up"])
        replay.axis(.hat0Y, 0)
        #expect(replay.next() == [])
        replay.key(0x220, 0)
        #expect(replay.next() == ["-up"])
        var wireless = Replay(xbox360Wireless)
        wireless.key(0x2C0, 1)
        wireless.axis(.hat0X, -1, 0)
        wireless.key(0x2C0, 0)
        #expect(wireless.next() == ["+left", "-left"])
    }

    @Test("of two opposite directions at once the newer counts, and the older comes back when it is let go")
    func oppositeDirections() {
        var replay = Replay(dpadButtonsPad)
        replay.key(0x222, 1)
        replay.key(0x223, 1)
        #expect(replay.next() == ["+left", "-left", "+right"])
        replay.key(0x223, 0)
        #expect(replay.next() == ["-right", "+left"])
        replay.key(0x222, 0)
        #expect(replay.next() == ["-left"])
    }

    @Test(
        "a stick presses beyond 60 % of its travel and releases under 40 %",
        arguments: [
            (Int32(19661), true), (19660, false), (32767, true), (13107, false), (0, false), (-19662, false),
        ])
    func hysteresisPress(value: Int32, isPressed: Bool) {
        var replay = Replay(xbox360)
        replay.axis(.x, value)
        #expect(replay.interpreter.held.contains(.right) == isPressed)
    }

    @Test("between the two limits a stick keeps its state, however it trembles")
    func hysteresisKeeps() {
        var replay = Replay(xbox360)
        replay.axis(.x, 14000, 19000, 14000)
        #expect(replay.next() == [])
        replay.axis(.x, 20000, 14000, 19000, 13200, 20000)
        #expect(replay.next() == ["+right"])
        replay.axis(.x, 13000, 14000, 19000)
        #expect(replay.next() == ["-right"])
    }

    @Test("drift and noise around a rest beside the middle press nothing")
    func drift() {
        let worn = Device(
            "Worn", vendor: 0x20D6, product: 3, keys: [0x130...0x131],
            axes: [.x: axis(0, 255, at: 148), .y: axis(0, 255, at: 110)])
        var replay = Replay(worn)
        for step: Int32 in 0..<200 {
            replay.axis(.x, 148 + step % 21 - 10)
            replay.axis(.y, 110 - step % 17 + 8)
        }
        #expect(replay.next() == [])
        replay.axis(.x, 255, 148, 0, 148)
        #expect(replay.next() == ["+right", "-right", "+left", "-left"])
    }

    @Test("a stick that has not spoken yet and says 0 of 0...255 is not held")
    func silentStick() {
        let silent = Device(
            "Silent", vendor: 0x20D6, product: 4, keys: [0x120...0x129],
            axes: [.x: axis(0, 255, at: 0), .y: axis(0, 255, at: 0)])
        var replay = Replay(silent)
        replay.axis(.x, 127, 255, 127)
        #expect(replay.next() == ["+right", "-right"])
    }

    @Test("an analogue trigger is one press and one release")
    func trigger() {
        var replay = Replay(f310)
        replay.axis(.z, 40, 200, 255, 120, 0)
        #expect(replay.next() == ["+l2", "-l2"])
    }

    @Test("a trigger that says the middle at first, and a key for the same pull, are still one press")
    func triggerWithKey() {
        let pad = Device(
            "8BitDo Ultimate", vendor: 0x2DC8, product: 0x3106, keys: [0x130...0x134, 0x136...0x13E],
            axes: [
                .x: axis(-128, 127), .y: axis(-128, 127), .rx: axis(-128, 127), .ry: axis(-128, 127),
                .z: axis(0, 255, at: 128), .rz: axis(0, 255, at: 128),
            ])
        var replay = Replay(pad)
        for _ in 0..<2 {
            replay.key(0x138, 1)
            replay.axis(.z, 255)
            replay.key(0x138, 0)
            replay.axis(.z, 0)
            #expect(replay.next() == ["+l2", "-l2"])
        }
        var half = Replay(dualSense)
        half.axis(.z, 128, 0, 255, 0)
        #expect(half.next() == ["+l2", "-l2"])
    }

    @Test("a trigger may rest at its upper end")
    func invertedTrigger() {
        let pad = Device(
            "Inverted", vendor: 0x20D6, product: 5, keys: [0x130...0x131],
            axes: [.rx: axis(0, 255, at: 128), .ry: axis(0, 255, at: 128), .rz: axis(0, 255, at: 255)])
        var replay = Replay(pad)
        replay.axis(.rz, 254, 100, 0, 200, 255)
        #expect(replay.next() == ["+r2", "-r2"])
    }

    @Test("the right stick of adapters and Bluetooth pads is no trigger", arguments: [dragonRise, xboxBluetooth])
    func rightStickIsNoTrigger(device: Device) {
        var replay = Replay(device)
        let info = device.capabilities.axes[.rz]
        replay.axis(.rz, info?.maximum ?? 0, info?.minimum ?? 0)
        #expect(replay.next() == [])
    }

    @Test("lost events release everything, and what comes afterwards starts afresh")
    func droppedEvents() {
        var replay = Replay(xbox360)
        replay.key(0x130, 1)
        replay.axis(.hat0X, -1)
        replay.axis(.rz, 255)
        #expect(replay.next() == ["+south", "+left", "+r2"])
        replay.drop()
        #expect(replay.next() == ["-left", "-south", "-r2"])
        replay.key(0x130, 0)
        replay.axis(.hat0X, 0)
        #expect(replay.next() == [])
        replay.key(0x130, 1)
        #expect(replay.next() == ["+south"])
    }

    @Test("repeats of the kernel and unknown codes mean nothing")
    func noise() {
        var replay = Replay(xbox360)
        replay.key(0x130, 1)
        replay.key(0x130, 2)
        replay.key(0x130, 1)
        replay.key(0x2FF, 1)
        replay.axis(AxisCode(rawValue: 0x3F), 5)
        replay.key(0x130, 0)
        replay.key(0x130, 0)
        #expect(replay.next() == ["+south", "-south"])
    }

    @Test("the widest, emptiest and reversed ranges neither trap nor press by themselves")
    func oddRanges() {
        for info in [axis(.min, .max), axis(5, 5), axis(10, -10), axis(0, 1), axis(.min, .min), axis(-3, -1, at: .max)]
        {
            let device = Device(
                "Odd", vendor: 0x20D6, product: 6, keys: [0x130...0x131],
                axes: [.x: info, .y: info, .z: info, .rz: info])
            var replay = Replay(device)
            for code: AxisCode in [.x, .z] { replay.axis(code, .min, 0, .max, info.minimum, info.maximum) }
            // Where nothing is known to be at rest, letting go is the only promise.
            _ = replay.interpreter.releaseAll()
            #expect(replay.interpreter.held.isEmpty)
        }
    }
}
