import Controllers
import EvdevKit
import Glibc
import SystemKit
import Testing

@Suite("What a person decided about pads")
struct ProfileTests {
    private let temporary: TemporaryFolder
    private var folder: BytePath { PadKnowledge.folder(below: temporary.path) }
    private var profiles: BytePath { folder.appending("profiles") }

    init() throws { temporary = try TemporaryFolder() }

    private func knowledge() -> PadKnowledge { PadKnowledge(folder: folder) }

    private func facts(
        _ device: Device, name: String? = nil, product: UInt16? = nil, unique: String = "", port: String = ""
    ) -> DeviceFacts {
        let ids = device.identity
        return DeviceFacts(
            name: name ?? device.name,
            identity: PadIdentity(
                bus: ids.bus, vendor: ids.vendor, product: product ?? ids.product, version: ids.version),
            unique: unique, physicalPath: port, capabilities: device.capabilities)
    }

    private func mapping(_ accept: KeyCode) -> PadMapping {
        PadMapping(
            controls: [
                .south: [.key(accept)], .up: [.axis(.hat0Y, .negative), .axis(.y, .negative)],
                .l2: [.axis(.z, .positive)], .hotkey: [.key(.mode)],
            ],
            travels: [
                .z: AxisTravel(rest: .value(3), minimum: 1, maximum: 250), .rz: AxisTravel(rest: .maximum),
                .x: AxisTravel(rest: .middle), .y: AxisTravel(rest: .initial), .rx: AxisTravel(rest: .minimum),
            ])
    }

    @Test("what was stored is read again, with every part, by another process's knowledge")
    func roundTrip() throws {
        try knowledge().save(mapping(.west), for: facts(xbox360), family: .nintendo)
        let again = knowledge()
        #expect(again.problems.isEmpty)
        let answer = again.answer(for: facts(xbox360))
        #expect(answer == .init(mapping: mapping(.west), source: .user, family: .nintendo))
        #expect(again.isWanted(facts(xbox360)))
        #expect(!again.isWanted(facts(f310)))
    }

    @Test("the file is readable for people and always the same")
    func golden() throws {
        try knowledge().save(
            PadMapping(
                controls: [.south: [.key(.south)], .up: [.axis(.hat0Y, .negative)]],
                travels: [.z: AxisTravel(rest: .minimum, maximum: 200)]),
            for: facts(xbox360, unique: "00:1A:2B:3C:4D:5E"), onlyThisUnit: true)
        let names = try directoryNames(profiles)
        #expect(names == ["Microsoft X-Box 360 pad (045e-028e) 5a0d61ba8b6a59d5.json"])
        let text = String(decoding: try readFile(profiles.appending(try #require(names.first))), as: UTF8.self)
        #expect(
            text == """
                {
                  "capabilities" : "c68b839243b0ce7d",
                  "controls" : {
                    "a" : [
                      "button 304"
                    ],
                    "up" : [
                      "axis 17 -"
                    ]
                  },
                  "format" : 1,
                  "identity" : {
                    "bus" : "0003",
                    "product" : "028e",
                    "vendor" : "045e",
                    "version" : "0110"
                  },
                  "name" : "Microsoft X-Box 360 pad",
                  "travels" : {
                    "2" : {
                      "maximum" : 200,
                      "rest" : "minimum"
                    }
                  },
                  "unit" : "00:1a:2b:3c:4d:5e"
                }

                """)
    }

    @Test("B040: pads of one name but other ids do not share a profile")
    func sameNameOtherIds() throws {
        let name = "USB, 2-axis 8-button gamepad  "
        let one = facts(buffaloSNES, name: name, product: 6)
        let other = facts(buffaloSNES, name: name, product: 0x11)
        let knowledge = knowledge()
        try knowledge.save(mapping(.joystick), for: one)
        #expect(knowledge.answer(for: other).source != .user)
        try knowledge.save(mapping(.west), for: other)
        #expect(knowledge.answer(for: one).mapping == mapping(.joystick))
        #expect(knowledge.answer(for: other).mapping == mapping(.west))
        // The blanks at the end are part of the name.
        #expect(!knowledge.isWanted(facts(buffaloSNES, name: "USB, 2-axis 8-button gamepad", product: 6)))
    }

    @Test(
        "B040: an address in the name does not make another pad",
        arguments: [
            ("PLAYSTATION(R)3 Controller (00:11:22:33:44:55)", "PLAYSTATION(R)3 Controller (00:11:22:33:44:66)"),
            ("Gamepad 00-11-22-aa-BB-55", "Gamepad"), ("11:22:33:44:55:66", ""),
        ])
    func addressInName(one: String, other: String) throws {
        let knowledge = knowledge()
        try knowledge.save(mapping(.west), for: facts(dualShock4, name: one))
        #expect(knowledge.answer(for: facts(dualShock4, name: other)).source == .user)
        #expect(!knowledge.isWanted(facts(dualShock4, name: other + " 2")))
    }

    @Test("B040: two units of one kind keep their own mappings when they change places")
    func units() throws {
        let knowledge = knowledge()
        let (one, two) = ("aa:bb:cc:dd:ee:01", "aa:bb:cc:dd:ee:02")
        try knowledge.save(mapping(.east), for: facts(xbox360, unique: one, port: "usb-1/input0"), onlyThisUnit: true)
        try knowledge.save(mapping(.west), for: facts(xbox360, unique: two, port: "usb-2/input0"), onlyThisUnit: true)
        let again = self.knowledge()
        #expect(again.answer(for: facts(xbox360, unique: one, port: "usb-2/input0")).mapping == mapping(.east))
        #expect(again.answer(for: facts(xbox360, unique: two, port: "usb-1/input0")).mapping == mapping(.west))
        #expect(again.answer(for: facts(xbox360, unique: "other")).source != .user)
        #expect(again.answer(for: facts(xbox360)).source != .user)
    }

    @Test("a pad without an id of its own is told from its twin by the port")
    func ports() throws {
        let knowledge = knowledge()
        try knowledge.save(mapping(.east), for: facts(dragonRise))
        try knowledge.save(mapping(.west), for: facts(dragonRise, port: "usb-2/input0"), onlyThisUnit: true)
        #expect(knowledge.answer(for: facts(dragonRise, port: "usb-1/input0")).mapping == mapping(.east))
        #expect(knowledge.answer(for: facts(dragonRise, port: "usb-2/input0")).mapping == mapping(.west))
        // Another kind of pad at that port is another pad.
        #expect(!knowledge.isWanted(facts(snesAdapter, port: "usb-2/input0")))
    }

    @Test("a decision about the kind, made with one pad, holds for that pad too")
    func kindReplacesUnit() throws {
        let pad = facts(xbox360, unique: "1")
        let knowledge = knowledge()
        try knowledge.save(mapping(.east), for: pad, onlyThisUnit: true)
        try knowledge.save(mapping(.west), for: pad)
        #expect(knowledge.answer(for: pad).mapping == mapping(.west))
        #expect(self.knowledge().answer(for: pad).mapping == mapping(.west))
    }

    @Test("other controls make another pad, other momentary values do not")
    func capabilities() throws {
        let knowledge = knowledge()
        try knowledge.save(mapping(.west), for: facts(dragonRise))
        var moved = dragonRise.capabilities
        moved.axes[.x]?.value = 255
        #expect(
            knowledge.isWanted(
                DeviceFacts(name: dragonRise.name, identity: dragonRise.identity, capabilities: moved)))
        moved.keys.insert(.thumbRight)
        #expect(
            !knowledge.isWanted(
                DeviceFacts(name: dragonRise.name, identity: dragonRise.identity, capabilities: moved)))
    }

    @Test("forgetting removes the files, and says whether there were any")
    func forget() throws {
        let pad = facts(xbox360, unique: "1")
        let knowledge = knowledge()
        try knowledge.save(mapping(.east), for: facts(xbox360))
        try knowledge.save(mapping(.west), for: pad, onlyThisUnit: true)
        #expect(try directoryNames(profiles).count == 2)
        #expect(try knowledge.forget(pad))
        #expect(try directoryNames(profiles).isEmpty)
        #expect(knowledge.answer(for: pad).source != .user)
        #expect(try !knowledge.forget(pad))
    }

    @Test("an empty mapping is refused, and a folder that cannot be made is told of")
    func refusals() throws {
        #expect(throws: ControllerError.emptyMapping(name: xbox360.name)) {
            try knowledge().save(PadMapping(), for: facts(xbox360))
        }
        try replaceFile(at: temporary.path.appending("controllers"), with: [])
        #expect(throws: ControllerError.self) { try knowledge().save(mapping(.west), for: facts(xbox360)) }
    }

    @Test("damaged, foreign and oversized files cost themselves and are told of")
    func damage() throws {
        try knowledge().save(mapping(.west), for: facts(xbox360))
        let good = try #require(try directoryNames(profiles).first)
        let whole = try readFile(profiles.appending(good))
        let text = String(decoding: whole, as: UTF8.self)
        let files: [(String, [UInt8], String)] = [
            ("cut", Array(whole.prefix(whole.count / 2)), "it is no JSON document, or a damaged one"),
            ("empty", [], "it is no JSON document, or a damaged one"),
            ("binary", (0...255).map { UInt8($0) }, "it is no JSON document, or a damaged one"),
            ("foreign", Array("{\"hello\": 1}".utf8), "\"format\" is missing"),
            ("list", Array("[]".utf8), "it is no JSON document, or a damaged one"),
            (
                "newer", Array(text.replacing("\"format\" : 1", with: "\"format\" : 2").utf8),
                "a newer version of this program wrote it; what it means by now is not known"
            ),
            (
                "ids", Array(text.replacing("\"045e\"", with: "\"xyz\"").utf8),
                "its ids are no numbers of four hexadecimal digits"
            ),
            ("large", [UInt8](repeating: 0x20, count: 70_000), "File too large"),
        ]
        for (name, bytes, _) in files {
            try replaceFile(at: profiles.appending(BytePath(name + ".json")), with: bytes)
        }
        try createDirectories(profiles.appending("folder.json"))
        #expect(mkfifo(profiles.appending("pipe.json").displayString, 0o644) == 0)
        try replaceFile(at: profiles.appending("notes.txt"), with: Array("mine".utf8))
        let knowledge = knowledge()
        #expect(knowledge.answer(for: facts(xbox360)).mapping == mapping(.west))
        for (name, _, reason) in files {
            let problem = knowledge.problems.first { $0.file.name == BytePath(name + ".json") }
            #expect(problem?.reason == reason, "\(name)")
        }
        #expect(knowledge.problems.count == files.count + 2)
    }

    @Test("what one part of a profile cannot mean costs that part")
    func partialDamage() throws {
        try knowledge().save(mapping(.west), for: facts(xbox360), family: .xbox)
        let good = profiles.appending(try #require(try directoryNames(profiles).first))
        var text = String(decoding: try readFile(good), as: UTF8.self)
        text = text.replacing("\"hotkey\"", with: "\"turbo\"").replacing("\"axis 1 -\"", with: "\"axis one -\"")
        text = text.replacing("\"xbox\"", with: "\"sega\"").replacing("\"rest\" : \"3\"", with: "\"rest\" : \"low\"")
        try replaceFile(at: good, with: Array(text.utf8))
        let knowledge = knowledge()
        let answer = knowledge.answer(for: facts(xbox360))
        var expected = mapping(.west)
        expected.controls[.hotkey] = nil
        expected.controls[.up] = [.axis(.hat0Y, .negative)]
        expected.travels[.z] = nil
        #expect(answer == .init(mapping: expected, source: .user, family: .xbox))
        #expect(
            knowledge.problems.map(\.reason) == [
                "no function is called \"turbo\"", "\"axis one -\" is no control",
                "what it says about axis \"2\" is not understood", "no family of pads is called \"sega\"",
            ])
    }

    @Test("of two files about one pad the newer is used, the other told of, and gone after the next decision")
    func duplicates() throws {
        try knowledge().save(mapping(.west), for: facts(xbox360))
        let original = profiles.appending(try #require(try directoryNames(profiles).first))
        let old = profiles.appending("copy.json")
        let text = String(decoding: try readFile(original), as: UTF8.self)
        try replaceFile(at: old, with: Array(text.replacing("button 308", with: "button 305").utf8))
        var times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, old.displayString, &times, 0) == 0)
        let knowledge = knowledge()
        #expect(knowledge.answer(for: facts(xbox360)).mapping == mapping(.west))
        #expect(knowledge.problems.map(\.file) == [old])
        try knowledge.save(mapping(.north), for: facts(xbox360))
        #expect(try directoryNames(profiles) == [original.name])
        #expect(self.knowledge().answer(for: facts(xbox360)).mapping == mapping(.north))
    }

    @Test("what another process stored is known after reloading")
    func reload() throws {
        let knowledge = knowledge()
        #expect(knowledge.answer(for: facts(xbox360)).source == .database)
        try self.knowledge().save(mapping(.west), for: facts(xbox360))
        knowledge.reload()
        #expect(knowledge.answer(for: facts(xbox360)).source == .user)
    }
}
