import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("The database of game controllers")
struct DatabaseTests {
    private func facts(_ device: Device, version: UInt16? = nil, name: String? = nil) -> DeviceFacts {
        let ids = device.identity
        return DeviceFacts(
            name: name ?? device.name,
            identity: PadIdentity(
                bus: ids.bus, vendor: ids.vendor, product: ids.product, version: version ?? ids.version),
            capabilities: device.capabilities)
    }

    private func mapping(_ lines: String, for facts: DeviceFacts) -> PadMapping? {
        GameControllerDatabase(Array(lines.utf8)).mapping(for: facts)
    }

    private let snes = "0300000010080000" + "01e5000010010000"

    @Test("a kind's number is SDL's, with and without a vendor")
    func guid() {
        #expect(ControllerGUID(for: xbox360.facts).description == "030000005e0400008e02000010010000")
        let nameless = Device("Lic Pro Controller", bus: 5, vendor: 0, product: 0)
        #expect(ControllerGUID(for: nameless.facts).description == "050000004c69632050726f20436f6e00")
        // SDL leaves the blanks out before it cuts.
        let blanks = Device("  A   pad  ", bus: 3, vendor: 0, product: 0)
        #expect(ControllerGUID(for: blanks.facts).description == "03000000412070616400000000000000")
        #expect(ControllerGUID("030000005E0400008E02000010010000") == ControllerGUID(for: xbox360.facts))
        #expect(ControllerGUID("xinput") == nil)
        #expect(ControllerGUID("+30000005e0400008e02000010010000") == nil)
    }

    @Test("buttons, whole and half and turned axes and hats mean what they mean in SDL")
    func inputs() throws {
        let line =
            "030000004c050000cc09000011810000,Mine,a:b0,b:b1,x:h0.2,dpup:-a1,dpdown:+a1,dpleft:a0~,dpright:+a0,"
            + "lefttrigger:a2,righttrigger:a5~,rightx:a3,righty:a4~,leftshoulder:+a4~,platform:Linux,\r\n"
        let found = try #require(mapping(line, for: dualShock4.facts))
        #expect(
            found.controls == [
                .south: [.key(.south)], .east: [.key(.east)], .west: [.axis(.hat0X, .positive)],
                .up: [.axis(.y, .negative)], .down: [.axis(.y, .positive)], .left: [.axis(.x, .negative)],
                .right: [.axis(.x, .positive)], .l2: [.axis(.z, .positive)], .r2: [.axis(.rz, .negative)],
                .rightLeft: [.axis(.rx, .negative)], .rightRight: [.axis(.rx, .positive)],
                .rightUp: [.axis(.ry, .positive)], .rightDown: [.axis(.ry, .negative)],
                .l: [.axis(.ry, .negative)],
            ])
        #expect(
            found.travels == [
                .x: AxisTravel(rest: .maximum), .z: AxisTravel(rest: .minimum), .rz: AxisTravel(rest: .maximum),
                .ry: AxisTravel(rest: .maximum, minimum: 127),
            ])
    }

    @Test("the same version goes before another, and a line with the name's sum before one without")
    func versions() {
        let head = "030000001008000001e50000"
        let rest = ",dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0,platform:Linux,\n"
        let lines =
            head + "20020000,other version,a:b1" + rest + head + "10010000,this version,a:b2" + rest + head
            + "10010000,this name,crc:5a7a,a:b3" + rest
        #expect(mapping(lines, for: facts(snesAdapter))?.bindings[.south] == .key(KeyCode(rawValue: 0x123)))
        #expect(
            mapping(lines, for: facts(snesAdapter, name: "Else"))?.bindings[.south] == .key(KeyCode(rawValue: 0x123)))
        #expect(
            mapping(lines, for: facts(snesAdapter, version: 0x220))?.bindings[.south] == .key(KeyCode(rawValue: 0x121)))
        #expect(
            mapping(lines, for: facts(snesAdapter, version: 1, name: "Else"))?.bindings[.south]
                == .key(KeyCode(rawValue: 0x121)))
        #expect(mapping(lines, for: facts(buffaloSNES)) == nil)
    }

    @Test("bindings that the device cannot have are left out, and a line that leaves too little is none")
    func impossible() {
        let rest = ",dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0,platform:Linux,\n"
        let found = mapping(snes + ",x,a:b2,b:b99,guide:h0.1,lefttrigger:a7" + rest, for: facts(snesAdapter))
        #expect(found.map { Set($0.controls.keys) } == [.south, .up, .down, .left, .right])
        #expect(mapping(snes + ",x,a:b20,b:b1" + rest, for: facts(snesAdapter)) == nil)
        #expect(mapping(snes + ",x,a:b2,b:b1,platform:Linux,", for: facts(snesAdapter)) == nil)
    }

    @Test("lines for other systems, other labels and comments are passed over")
    func passedOver() {
        let rest = ",dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0"
        let lines = """
            # \(snes),comment,a:b0\(rest),platform:Linux,
            \(snes),right,a:b1\(rest),hint:!SDL_GAMECONTROLLER_USE_BUTTON_LABELS:=1,platform:Linux,
            \(snes),labels,a:b2\(rest),hint:SDL_GAMECONTROLLER_USE_BUTTON_LABELS:=1,platform:Linux,
            \(snes),windows,a:b3\(rest),platform:Windows,
            \(snes),old,a:b4\(rest),sdk<=:2.0.4,platform:Linux,
            """
        #expect(mapping(lines, for: facts(snesAdapter))?.bindings[.south] == .key(KeyCode(rawValue: 0x121)))
    }

    @Test("B040: one kind twice with X and Y exchanged is told of, as is every line that means nothing")
    func problems() {
        let lines = """
            # nothing
            \(snes),first,a:b2,x:b3,y:b0,platform:Linux,
            \(snes),second,a:b2,x:b0,y:b3,platform:Linux,
            \(snes),third,a:b2,x:b0,y:b3,platform:Linux,
            \(snes),elsewhere,a:b2,platform:Windows,
            xyz,name,a:b1,platform:Linux,
            nonsense
            0300000010080000e501000010010000,odd,a:q1,b:b1,what,c:h0.3,platform:Linux,
            0300000010080000e501000011010000,empty,a:,platform:Linux,
            """
        let problems = GameControllerDatabase(Array(lines.utf8)).problems(in: "/db.txt")
        #expect(
            problems.map(\.description) == [
                "/db.txt, line 3: the same device as in line 2, but differs in x, y",
                "/db.txt, line 4: the same device as in line 3",
                "/db.txt, line 6: \"xyz\" is no GUID of 32 hexadecimal digits",
                "/db.txt, line 7: it has no GUID, name and mappings with commas between",
                "/db.txt, line 8: \"q1\" at \"a\" is no button, axis or hat",
                "/db.txt, line 8: \"what\" has no colon",
                "/db.txt, line 8: \"h0.3\" at \"c\" is no button, axis or hat",
                "/db.txt, line 9: it maps nothing",
            ])
    }

    @Test("what is shipped has no faults, and no device twice")
    func shipped() {
        // A slip of SDL's own: the kernel's convention knows the direction all the same.
        #expect(
            GameControllerDatabase.shipped.problems(in: "shipped").map(\.reason) == [
                "\"h0.7\" at \"dpdown\" is no button, axis or hat"
            ])
    }

    @Test("noise is survived")
    func noise() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var bytes = Array((snes + ",n,a:b2,dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0,platform:Linux,\n").utf8)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let database = GameControllerDatabase(bytes)
            let mapping = database.mapping(for: facts(snesAdapter))
            #expect(mapping?.isUsable != false)
            #expect(database.problems(in: "x").count <= 30)
        }
    }

    @Test("the person's file goes before what is shipped, and the person's profile before both")
    func precedence() throws {
        let temporary = try TemporaryFolder()
        let pad = facts(buffaloSNES)
        let folder = temporary.path
        #expect(PadKnowledge(folder: folder).answer(for: pad).source == .database)
        #expect(
            PadKnowledge(folder: folder).answer(for: pad).mapping.bindings[.south] == .key(KeyCode(rawValue: 0x121)))
        let line = ControllerGUID(for: pad).description + ",Mine,a:b4,dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0,"
        try replaceFile(at: folder.appending("gamecontrollerdb.txt"), with: Array(line.utf8))
        let knowledge = PadKnowledge(folder: folder)
        #expect(knowledge.answer(for: pad).source == .database)
        #expect(knowledge.answer(for: pad).mapping.bindings[.south] == .key(KeyCode(rawValue: 0x124)))
        #expect(knowledge.problems.isEmpty)
        try knowledge.save(PadMapping(controls: [.south: [.key(.joystick)]]), for: pad)
        #expect(knowledge.answer(for: pad).source == .user)
    }

    @Test("a database that cannot be read is told of and done without")
    func unreadable() throws {
        let temporary = try TemporaryFolder()
        try createDirectories(temporary.path.appending("gamecontrollerdb.txt"))
        let knowledge = PadKnowledge(folder: temporary.path)
        #expect(knowledge.problems.map(\.reason) == ["Is a directory"])
        #expect(knowledge.answer(for: facts(buffaloSNES)).source == .database)
    }

    @Test(
        "where the kernel's driver is to be trusted, the database says the same about each control",
        arguments: [xbox360, xboxOne, dualShock4, dualSense, switchPro, f310, xboxBluetooth])
    func agreement(device: Device) throws {
        let database = try #require(GameControllerDatabase.shipped.mapping(for: device.facts))
        let kernel = try #require(
            PadMapping(convention: device.capabilities, identity: device.identity, name: device.name))
        for (function, control) in database.bindings {
            #expect(kernel.controls[function]?.contains(control) == true, "\(function) \(control)")
        }
    }
}
