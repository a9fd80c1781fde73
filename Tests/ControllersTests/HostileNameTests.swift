import Controllers
import EvdevKit
import SystemKit
import Testing

/// Names that a device may have: a maker's mistakes, and what somebody with a programmable board may try.
private let names = [
    "", " ", "a,b=c:d", "HORI CO.,LTD. HORI Fighting Commander OCTA", "\"quoted\"", "back\\slash\\", "# comment",
    "two\nlines", "two\r\nlines", "one\rline", "x\"\ninput_exit_emulator_btn = \"0",
    "x\"\r\ninput_exit_emulator_btn = \"0",
    "quote\"\u{301}with an accent", "comma,\u{301}with an accent", "nul\u{0}inside", "bell\u{7}\u{1B}[31m",
    "]]> <!-- & &amp; --> <?x?>", "\u{FFFD}\u{FFFD}broken bytes", "../../../etc/passwd", "line\u{2028}separator",
    "\u{85}",
    String(repeating: "n", count: 255), String(repeating: "é", count: 127), "platform:Windows", "Pad,platform:Windows,",
    "-rf", "%s%n", "$(reboot)", "👩‍👩‍👧‍👦",
]

@Suite("Names that mean something to others")
struct HostileNameTests {
    private func pad(_ name: String, vendor: UInt16 = 0x1234) -> PadInfo {
        let device = Device(
            name, vendor: vendor, product: vendor, keys: [0x130...0x131, 0x133...0x134, 0x136...0x137, 0x13A...0x13B],
            axes: [.hat0X: axis(-1, 1), .hat0Y: axis(-1, 1)])
        var pad = device.info
        pad.source = .kernel
        return pad
    }

    @Test("no name adds a line to RetroArch's profile, or ends a value", arguments: names)
    func retroArch(name: String) throws {
        let plain = retroArchAutoconfig(for: pad("Plain"), hotkeys: .withoutExit)
        let profile = retroArchAutoconfig(for: pad(name), hotkeys: .withoutExit)
        #expect(!profile.name.bytes.contains(UInt8(ascii: "/")) && profile.name.bytes.first != UInt8(ascii: "."))
        #expect(profile.name.bytes.count <= 255)
        let lines = profile.contents.split(separator: 0x0A).filter { !$0.starts(with: Array("input_device = ".utf8)) }
        let expected = plain.contents.split(separator: 0x0A).filter { !$0.starts(with: Array("input_device = ".utf8)) }
        #expect(lines == expected)
        for line in profile.contents.split(separator: 0x0A) {
            #expect(line.count { $0 == UInt8(ascii: "\"") } == 2 && line.last == UInt8(ascii: "\""))
            #expect(!line.contains { $0 < 0x20 })
        }
    }

    @Test("every name is one field of SDL's line, and the line means the same", arguments: names)
    func sdl(name: String) throws {
        for vendor: UInt16 in [0x1234, 0] {
            let pad = pad(name, vendor: vendor)
            let line = try #require(sdlMapping(for: pad))
            let plain = try #require(sdlMapping(for: self.pad("Plain", vendor: vendor)))
            let bytes = Array(line.utf8)
            #expect(!bytes.contains { $0 < 0x20 })
            let fields = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            let expected = Array(plain.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            #expect(fields.dropFirst(2) == expected.dropFirst(2))
            #expect(fields[0].count == 32)
            #expect(GameControllerDatabase(bytes).problems(in: "x").isEmpty)
            // Of a device without ids and name there is nothing that it could be known by.
            guard vendor != 0 || !name.allSatisfy({ $0 == " " }) else { continue }
            let back = GameControllerDatabase(bytes).mapping(for: pad.facts)
            #expect(back?.bindings == pad.mapping.bindings)
        }
    }

    @Test("every name goes through EmulationStation's file, and the file means the same", arguments: names)
    func emulationStation(name: String) throws {
        let temporary = try TemporaryFolder()
        let pad = pad(name)
        let file = temporary.path.appending("es_input.cfg")
        try replaceFile(at: file, with: ESInputFile(pads: [pad]).contents)
        let found = try ControllerImport(file: file)
        #expect(found.problems.isEmpty)
        let knowledge = PadKnowledge(folder: temporary.path.appending("controllers"))
        #expect(try knowledge.adopt(found, connected: []).lines == 1)
        let line = knowledge.answer(for: pad.facts)
        #expect(line.source == .database && knowledge.problems.isEmpty)
        #expect(try knowledge.adopt(found, connected: [pad.facts]).profiles == 1)
        let answer = knowledge.answer(for: pad.facts)
        #expect(answer.source == .user)
        #expect(answer.mapping.bindings.filter { $0.key != .hotkey } == pad.mapping.bindings)
    }

    @Test("every name is stored, found again by another process and forgotten, apart from all others")
    func profiles() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path.appending("controllers")
        for (index, name) in names.enumerated() {
            let mapping = PadMapping(controls: [.south: [.key(KeyCode.south.advanced(by: index))]])
            try PadKnowledge(folder: folder).save(mapping, for: pad(name).facts)
        }
        #expect(try directoryNames(folder.appending("profiles")).count == names.count)
        let knowledge = PadKnowledge(folder: folder)
        #expect(knowledge.problems.isEmpty)
        for (index, name) in names.enumerated() {
            let answer = knowledge.answer(for: pad(name).facts)
            #expect(
                answer.source == .user && answer.mapping.bindings[.south] == .key(KeyCode.south.advanced(by: index)))
            #expect(try knowledge.forget(pad(name).facts))
            #expect(knowledge.answer(for: pad(name).facts).source != .user)
        }
        #expect(try directoryNames(folder.appending("profiles")).isEmpty)
    }
}
