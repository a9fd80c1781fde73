import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("EmulationStation's file about pads")
struct ESInputTests {
    private let temporary: TemporaryFolder
    private let knowledge: PadKnowledge

    init() throws {
        temporary = try TemporaryFolder()
        knowledge = PadKnowledge(folder: temporary.path.appending("controllers"))
    }

    /// What a file makes of a pad that is plugged in.
    private func mapping(_ text: String, for device: Device) throws -> PadMapping? {
        let file = temporary.path.appending("es_input.cfg")
        try replaceFile(at: file, with: Array(text.utf8))
        _ = try knowledge.adopt(try ControllerImport(file: file), connected: [device.facts])
        let answer = knowledge.answer(for: device.facts)
        return answer.source == .user ? answer.mapping : nil
    }

    private func config(_ guid: String, _ inputs: String) -> String {
        "<inputConfig type=\"joystick\" deviceName=\"x\" deviceGUID=\"\(guid)\">\(inputs)</inputConfig>"
    }

    private let snesGUID = "030000001008000001e5000010010000"

    @Test("RetroPie's names, its sum over the device's name, and its modifier are understood")
    func retroPie() throws {
        let text = """
            <?xml version="1.0"?>
            <inputList>
              <inputAction type="onfinish"><command>/opt/retropie/finish.sh</command></inputAction>
              <inputConfig type="joystick" deviceName="USB gamepad" deviceGUID="0300605a1008000001e5000010010000">
                <input name="up" type="axis" id="1" value="-1"/>
                <input name="down" type="axis" id="1" value="1"/>
                <input name="left" type="axis" id="0" value="-1"/>
                <input name="right" type="axis" id="0" value="1"/>
                <input name="a" type="button" id="1" value="1"/>
                <input name="b" type="button" id="2" value="1"/>
                <input name="x" type="button" id="0" value="1"/>
                <input name="y" type="button" id="3" value="1"/>
                <input name="leftshoulder" type="button" id="4" value="1"/>
                <input name="rightshoulder" type="button" id="6" value="1"/>
                <input name="start" type="button" id="9" value="1"/>
                <input name="select" type="button" id="8" value="1"/>
                <input name="hotkeyenable" type="button" id="8" value="1"/>
              </inputConfig>
            </inputList>
            """
        let mapping = try #require(try mapping(text, for: snesAdapter))
        func button(_ number: Int) -> [Control] { [.key(KeyCode.joystick.advanced(by: number))] }
        #expect(
            mapping.controls == [
                .up: [.axis(.y, .negative)], .down: [.axis(.y, .positive)], .left: [.axis(.x, .negative)],
                .right: [.axis(.x, .positive)], .east: button(1), .south: button(2), .north: button(0),
                .west: button(3), .l: button(4), .r: button(6), .start: button(9), .select: button(8),
                .hotkey: button(8),
            ])
        #expect(mapping.modifier == .hotkey)
    }

    @Test("names of older versions and of relatives mean the same")
    func otherNames() throws {
        let text =
            "<inputList>"
            + config(
                "030000004c050000cc09000011810000",
                """
                <input name="Up" type="hat" id="0" value="1"/><input name="down" type="hat" id="0" value="4"/>
                <input name="left" type="hat" id="0" value="8"/><input name="right" type="hat" id="0" value="2"/>
                <input name="b" type="button" id="0" value="1"/>
                <input name="pageup" type="button" id="4" value="1"/><input name="rightbottom" type="button" id="5" value="1"/>
                <input name="lefttop" type="axis" id="2" value="1"/><input name="r2" type="axis" id="5" value="1"/>
                <input name="l3" type="button" id="11" value="1"/><input name="hotkey" type="button" id="10" value="1"/>
                <input name="joystick1up" type="axis" id="1" value="-1"/><input name="joystick1left" type="axis" id="0" value="-1"/>
                <input name="volume" type="button" id="7" value="1"/>
                """) + "</inputList>"
        let mapping = try #require(try mapping(text, for: dualShock4))
        #expect(
            mapping.bindings[.up] == .axis(.hat0Y, .negative) && mapping.bindings[.right] == .axis(.hat0X, .positive))
        #expect(mapping.bindings[.l] == .key(.shoulderLeft) && mapping.bindings[.r] == .key(.shoulderRight))
        #expect(mapping.bindings[.l2] == .axis(.z, .positive) && mapping.travels[.z]?.rest == .minimum)
        #expect(mapping.bindings[.r2] == .axis(.rz, .positive) && mapping.bindings[.l3] == .key(.thumbLeft))
        #expect(
            mapping.bindings[.leftDown] == .axis(.y, .positive) && mapping.bindings[.leftRight] == .axis(.x, .positive))
        #expect(mapping.bindings[.hotkey] == .key(.mode) && mapping.bindings[.r3] == nil)
    }

    @Test("a stick of which one direction is told may be a hat")
    func stickOnHat() throws {
        let inputs = """
            <input name="b" type="button" id="0" value="1"/><input name="up" type="axis" id="1" value="-1"/>
            <input name="down" type="axis" id="1" value="1"/><input name="left" type="axis" id="0" value="-1"/>
            <input name="right" type="axis" id="0" value="1"/><input name="joystick1up" type="hat" id="0" value="1"/>
            <input name="joystick1left" type="hat" id="0" value="8"/><input name="joystick2up" type="hat" id="0" value="3"/>
            """
        let guid = ControllerGUID(for: f310Direct.facts).description
        let mapping = try #require(try mapping("<inputList>\(config(guid, inputs))</inputList>", for: f310Direct))
        let stick = PadFunction.leftStick.map { mapping.bindings[$0] }
        #expect(stick == [hatUp, hatDown, hatLeft, hatRight])
        #expect(mapping.bindings[.rightUp] == nil && mapping.bindings[.rightDown] == nil)
    }

    @Test("two triggers on one axis rest in its middle")
    func sharedAxis() throws {
        let inputs = """
            <input name="b" type="button" id="0" value="1"/><input name="up" type="axis" id="1" value="-1"/>
            <input name="down" type="axis" id="1" value="1"/><input name="left" type="axis" id="0" value="-1"/>
            <input name="right" type="axis" id="0" value="1"/><input name="lefttrigger" type="axis" id="2" value="1"/>
            <input name="righttrigger" type="axis" id="2" value="-1"/>
            """
        let guid = ControllerGUID(for: f310Direct.facts).description
        let mapping = try #require(
            try mapping("<inputList>\(config(guid, inputs))</inputList>", for: f310Direct))
        #expect(mapping.bindings[.l2] == .axis(.z, .positive) && mapping.bindings[.r2] == .axis(.z, .negative))
        #expect(mapping.travels[.z] == nil)
    }

    @Test("a damaged record costs itself, and of a file that was cut off the beginning holds")
    func damage() throws {
        let good = config(snesGUID, "<input name=\"b\" type=\"button\" id=\"2\" value=\"1\"/>")
        let text = """
            <inputList>
            <inputConfig type="joystick" deviceName="no guid"><input name="a" type="button" id="1"/></inputConfig>
            <inputConfig type="keyboard" deviceName="Keyboard" deviceGUID="-1"><input name="a" type="key" id="97"/></inputConfig>
            \(good.replacing("<input ", with: "<input type=\"button\" id=\"7\"/><input name=\"x\" type=\"knob\" id=\"1\"/><input "))
            <inputConfig type="joystick" deviceName="cut" deviceGUID="030000004c050000cc09000011810000"><input name="b" type="button" id="0" value="1"/><input na
            """
        let file = ESInputFile(contents: Array(text.utf8), file: "/es_input.cfg")
        #expect(file.devices.map(\.name) == ["Keyboard", "x", "cut"])
        #expect(
            file.problems.map(\.description) == [
                "/es_input.cfg, line 2: a device without its GUID",
                "/es_input.cfg, line 4: an input without its name, type or number",
                "/es_input.cfg, line 4: no input of type \"knob\" and number 1 is known",
                "/es_input.cfg, line 5: unclosed token",
            ])
        let path = temporary.path.appending("damaged.cfg")
        try replaceFile(at: path, with: Array(text.utf8))
        let found = try ControllerImport(file: path)
        #expect(found.count == 2)
        #expect(found.problems.last?.reason == "the keys of \"Keyboard\" are not taken over")
    }

    @Test("a file that would grow without end in memory is refused, and noise is survived")
    func hostile() throws {
        let bomb = """
            <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
            <inputList>\(config(snesGUID, "<input name=\"&b;\" type=\"button\" id=\"1\"/>"))</inputList>
            """
        #expect(
            ESInputFile(contents: Array(bomb.utf8), file: "f").problems.map(\.reason) == [
                "it defines entities of its own"
            ])
        let deep = String(repeating: "<a>", count: 10_000)
        #expect(
            ESInputFile(contents: Array(deep.utf8), file: "f").problems.map(\.reason) == [
                "the elements are nested too deep"
            ])
        let whole = Array(
            "<inputList>\(config(snesGUID, "<input name=\"b\" type=\"button\" id=\"2\"/>"))</inputList>".utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let file = ESInputFile(contents: bytes, file: "f")
            #expect(file.devices.count <= 1)
        }
        for file in ["", "<inputList/>", "hello", "<a/>"] {
            let path = temporary.path.appending("empty.cfg")
            try replaceFile(at: path, with: Array(file.utf8))
            #expect(throws: ControllerError.self) { try ControllerImport(file: path) }
        }
    }

    @Test("a pad's name may hold whatever XML has for itself")
    func escaping() {
        let odd = Device(
            "A <\"pad\"> & 'co'\u{1}", vendor: 1, product: 2, keys: [0x130...0x131], axes: xbox360.capabilities.axes)
        let written = ESInputFile(pads: [odd.info])
        let read = ESInputFile(contents: written.contents, file: "f")
        #expect(read.problems.isEmpty)
        #expect(read.devices.first?.name == "A <\"pad\"> & 'co'\u{FFFD}")
        #expect(read.devices.first?.inputs.count == written.devices.first?.inputs.count)
    }

    @Test("RetroArch's own descriptions come in by its numbers, for the pad that they name")
    func retroArch() throws {
        let pad = snesAdapter.info
        let file = temporary.path.appending("pad.cfg")
        try replaceFile(at: file, with: retroArchAutoconfig(for: pad, hotkeys: .complete).contents)
        let found = try ControllerImport(file: file)
        #expect(try knowledge.adopt(found, connected: [buffaloSNES.facts]).waiting == 1)
        #expect(try knowledge.adopt(found, connected: [buffaloSNES.facts, snesAdapter.facts]).profiles == 1)
        var expected = pad.mapping
        expected.controls[.hotkey] = pad.mapping.controls[.select]
        #expect(knowledge.answer(for: snesAdapter.facts).mapping == expected)
        #expect(knowledge.answer(for: buffaloSNES.facts).source != .user)
    }

    @Test("a profile of another machine is a profile here")
    func profile() throws {
        let other = PadKnowledge(folder: temporary.path.appending("other"))
        let mapping = PadMapping(controls: [.south: [.key(.joystick)], .hotkey: [.key(.joystick)]])
        try other.save(mapping, for: snesAdapter.facts, family: .nintendo)
        let folder = temporary.path.appending("other/profiles")
        let file = folder.appending(try #require(try directoryNames(folder).first))
        #expect(try knowledge.adopt(try ControllerImport(file: file), connected: []).profiles == 1)
        #expect(knowledge.answer(for: snesAdapter.facts) == .init(mapping: mapping, source: .user, family: .nintendo))
    }
}
