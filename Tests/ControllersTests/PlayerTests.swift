import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("Whose pad is whose")
struct PlayerTests {
    private func pad(_ unique: String = "", port: String = "", product: UInt16 = 1) -> DeviceFacts {
        DeviceFacts(
            name: "Pad", identity: PadIdentity(bus: 3, vendor: 0x20D6, product: product, version: 1), unique: unique,
            physicalPath: port)
    }

    @Test("B048: a pad that slept comes back to its player, and a third does not take it")
    func sleptPad() {
        var slots = PlayerSlots()
        let one = slots.assign(pad("a"))
        let two = slots.assign(pad("b"))
        #expect([one.player, two.player] == [1, 2])
        slots.release(one)
        #expect(slots.assign(pad("c")).player == 3)
        #expect(slots.assign(pad("a")).player == 1)
    }

    @Test(
        "B048: two equal pads that went and come back in reverse order are told apart", arguments: ["unique", "port"])
    func reverse(by: String) {
        let pads = ["a", "b"].map { by == "unique" ? pad($0, port: "x") : pad(port: $0) }
        var slots = PlayerSlots()
        let seats = pads.map { slots.assign($0) }
        for seat in seats { slots.release(seat) }
        #expect(pads.reversed().map { slots.assign($0).player } == [2, 1])
    }

    @Test("pads that share a serial number are told apart by their ports once two were seen, in later sessions too")
    func sharedSerial() throws {
        var slots = PlayerSlots()
        let pads = ["usb-1", "usb-2"].map { pad("0000", port: $0) }
        let seats = pads.map { slots.assign($0) }
        #expect(seats.map(\.player) == [1, 2])
        for pad in pads { #expect(slots.isKnown(pad)) }
        for seat in seats { slots.release(seat) }
        #expect(pads.reversed().map { slots.assign($0).player } == [2, 1])
        let folder = try TemporaryFolder()
        let file = folder.path.appending("players.json")
        try replaceFile(at: file, with: try stored(slots))
        var later = PlayerStore(file: file).slots
        #expect(pads.reversed().map { later.assign($0).player } == [2, 1])
    }

    @Test("two pads that say the same about everything are two players in their order")
    func twins() {
        var slots = PlayerSlots()
        let first = slots.assign(pad(port: "usb-1/input0"))
        let second = slots.assign(pad(port: "usb-1/input0"))
        #expect([first.player, second.player] == [1, 2])
        slots.release(first)
        #expect(slots.assign(pad(port: "usb-1/input0")).player == 1)
        #expect(first.unit != second.unit)
    }

    @Test("another pad in the same port is another pad")
    func otherInPort() {
        var slots = PlayerSlots()
        slots.release(slots.assign(pad(port: "usb-1")))
        #expect(slots.assign(pad(port: "usb-1", product: 2)).player == 2)
    }

    @Test("the next session gives a pad its player if nobody has it, and a new pad the lowest that is free")
    func nextSession() throws {
        let folder = try TemporaryFolder()
        let file = PlayerStore.file(below: folder.path)
        var slots = PlayerSlots()
        for name in ["a", "b", "c"] { _ = slots.assign(pad(name)) }
        try createDirectories(file.parent)
        try replaceFile(at: file, with: try stored(slots))
        var next = PlayerStore(file: file).slots
        #expect(next.assign(pad("c")).player == 3)
        #expect(next.assign(pad("new")).player == 1)
        #expect(next.assign(pad("b")).player == 2)
        // Its player is taken by the new one.
        #expect(next.assign(pad("a")).player == 4)
    }

    @Test("a pad that is made another player's changes places with that player's pad, connected or not")
    func move() {
        var slots = PlayerSlots()
        let seats = ["a", "b", "c"].map { slots.assign(pad($0)) }
        slots.release(seats[0])
        slots.move(seats[2].unit, to: 1)
        #expect(seats.map { slots.player(of: $0.unit) } == [3, 2, 1])
        #expect(slots.assign(pad("a")).player == 3)
        slots.move(seats[1].unit, to: 7)
        #expect(slots.player(of: seats[1].unit) == 7)
        for odd in [0, -1, Int.max] { slots.move(seats[1].unit, to: odd) }
        slots.move("nobody", to: 1)
        #expect(seats.map { slots.player(of: $0.unit) } == [3, 7, 1])
    }

    @Test("a game's first player is the pad that starts it, and the others follow by their players")
    func order() {
        let pads = [(1, 3), (2, 1), (3, 2), (4, 0)].map { id, player in
            PadInfo(
                id: id, node: "/dev/input/event0", facts: pad(), family: .xbox, mapping: PadMapping(), source: .kernel,
                player: player)
        }
        #expect(PlayerSlots.order(pads, starter: 1).map(\.id) == [1, 2, 3, 4])
        #expect(PlayerSlots.order(pads, starter: 4).map(\.id) == [4, 2, 3, 1])
        #expect(PlayerSlots.order(pads, starter: nil).map(\.id) == [2, 3, 1, 4])
    }

    @Test(
        "a file that is damaged, odd or not there costs nothing but its memory",
        arguments: [
            "", "{", "[]", "{\"players\": 3}", "{\"players\": [{\"unit\": \"20d6:0001 a\", \"player\": 0}]}",
            "{\"players\": [{\"unit\": \"20d6:0001 a\", \"player\": 99999999999999}]}", "\u{0}\u{0}\u{0}",
        ])
    func damagedFile(content: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("players.json")
        var fresh = PlayerStore(file: file).slots
        #expect(fresh == PlayerSlots())
        try replaceFile(at: file, with: Array(content.utf8))
        fresh = PlayerStore(file: file, log: Log(minimum: .error)).slots
        #expect(fresh.assign(pad("a")).player == 1)
    }

    @Test("of two pads with one player in the file the first has it")
    func doubleInFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("players.json")
        let content = """
            {"players": [{"unit": "20d6:0001 a", "player": 2}, {"unit": "20d6:0001 b", "player": 2}], "later": 1}
            """
        try replaceFile(at: file, with: Array(content.utf8))
        var slots = PlayerStore(file: file).slots
        #expect(slots.assign(pad("b")).player == 1)
        #expect(slots.assign(pad("a")).player == 2)
    }

    @Test("a storm of a thousand different pads leaves a small file")
    func manyPads() throws {
        var slots = PlayerSlots()
        for number in 1...1000 {
            let seat = slots.assign(pad("\(number)"))
            #expect(seat.player == number)
            slots.release(seat)
        }
        #expect(try stored(slots).count < 10_000)
    }

    private func stored(_ slots: PlayerSlots) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = PlayerStore.file(below: folder.path)
        let store = PlayerStore(file: file)
        store.change { $0 = slots }
        store.flush()
        return try readFile(file)
    }
}

@Suite("Batteries in sysfs")
struct BatteryTests {
    /// A pad below a USB device, with a battery of these attributes.
    private func read(_ attributes: [String: String], at place: String = "/sys/devices/usb1/1-2/1-2:1.0/hid0")
        throws -> Battery?
    {
        let folder = try TemporaryFolder()
        let supply = folder.path.appending(BytePath(String(place.dropFirst()) + "/power_supply/pad"))
        try createDirectories(supply)
        for (name, value) in attributes {
            try replaceFile(at: supply.appending(BytePath(name)), with: Array((value + "\n").utf8))
        }
        let node: BytePath = "/sys/devices/usb1/1-2/1-2:1.0/hid0/input/input7/event3"
        try createDirectories(folder.path.appending(BytePath(String(node.displayString.dropFirst()))))
        return BatteryFolder(root: folder.path).battery(of: node, device: "/sys/devices/usb1/1-2")
    }

    @Test("per cent, or one of the kernel's words, and whether it is being charged")
    func values() throws {
        let plain = ["type": "Battery", "scope": "Device"]
        func with(_ more: [String: String]) -> [String: String] { plain.merging(more) { $1 } }
        #expect(
            try read(with(["capacity": "70", "status": "Charging"])) == Battery(percent: 70, isCharging: true))
        #expect(try read(with(["capacity": "100", "status": "Full"])) == Battery(percent: 100, isCharging: false))
        #expect(try read(with(["capacity": "250"])) == Battery(percent: 100, isCharging: false))
        for (word, percent) in [("Critical", 5), ("Low", 20), ("Normal", 55), ("High", 80), ("Full", 100)] {
            #expect(
                try read(with(["capacity_level": word, "status": "Discharging"]))
                    == Battery(percent: percent, isCharging: false))
        }
    }

    @Test("a charger, an empty bay and a driver that knows nothing yet are no battery")
    func nothing() throws {
        #expect(try read(["type": "Mains", "capacity": "3"]) == nil)
        #expect(try read(["type": "Battery", "capacity": "50", "present": "0"]) == nil)
        #expect(try read(["type": "Battery", "capacity": "0", "status": "Unknown"]) == nil)
        #expect(try read(["type": "Battery", "capacity_level": "Unknown"]) == nil)
        #expect(try read(["type": "Battery", "capacity": "many"]) == nil)
    }

    @Test("the battery may hang on any part of the thing, but not above it")
    func places() throws {
        let attributes = ["type": "Battery", "capacity": "42"]
        for place in ["/sys/devices/usb1/1-2/1-2:1.0/hid0/input/input7", "/sys/devices/usb1/1-2"] {
            #expect(try read(attributes, at: place)?.percent == 42)
        }
        #expect(try read(attributes, at: "/sys/devices/usb1") == nil)
    }
}
