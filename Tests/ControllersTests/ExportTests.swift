import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("What is known about pads, and what others are told of it")
struct ExportTests {
    /// Nobody decided anything.
    private let knowledge = PadKnowledge(folder: "/nonexistent")

    private func known(_ device: Device) -> PadInfo {
        let answer = knowledge.answer(for: device.facts)
        return PadInfo(
            id: 1, node: "/dev/input/event0", facts: device.facts, family: answer.family, mapping: answer.mapping,
            source: answer.source)
    }

    private static let six: [(String, Device)] = [
        ("xbox360", xbox360), ("dualshock4", dualShock4), ("switch-pro", switchPro), ("buffalo-snes", buffaloSNES),
        ("8bitdo-direct", eightBitDoDirect), ("ps2-adapter", playStation2Adapter),
    ]

    @Test("what is known about each pad of the tables is what was looked through by a person")
    func all() {
        #expect(allPads.count >= 25)
        var text = ""
        for device in allPads {
            let pad = known(device)
            let ids = ControllerGUID(for: pad.facts)
            text += "\(pad.name)|\(ids)|\(pad.source.rawValue)|\(pad.family.rawValue)\n"
            text += "  = keys \(device.capabilities.keys.sorted().map { String($0.rawValue) }.joined(separator: " "))\n"
            for (code, info) in device.capabilities.axes.sorted(by: { $0.key < $1.key }) {
                text += "  = axis \(code.rawValue) \(info.value) \(info.minimum) \(info.maximum)"
                text += " \(info.fuzz) \(info.flat) \(info.resolution)\n"
            }
            for (function, controls) in pad.mapping.controls.sorted(by: { $0.key < $1.key }) {
                text += "  \(function.rawValue): \(controls.map(\.description).joined(separator: ", "))\n"
            }
        }
        expectGolden(text, "knowledge.txt")
    }

    @Test(
        "a pad that somebody knows can be used at once, and one that nobody knows at least by guess", arguments: allPads
    )
    func usable(device: Device) {
        let pad = known(device)
        #expect(pad.mapping.isUsable)
        for (function, controls) in pad.mapping.controls {
            for control in controls { #expect(device.has(control), "\(function) \(control)") }
        }
    }

    @Test("RetroArch's profiles, SDL's lines and EmulationStation's file of six pads, byte for byte")
    func golden() {
        for (name, device) in ExportTests.six {
            let pad = known(device)
            let launch = retroArchAutoconfig(for: pad)
            expectGolden(String(decoding: launch.contents, as: UTF8.self), "retroarch-\(name).cfg")
            let complete = retroArchAutoconfig(for: pad, hotkeys: .complete)
            let added = Set(lines(of: complete)).subtracting(lines(of: launch))
            #expect(added.allSatisfy { $0.hasPrefix("input_exit_emulator_") } && added.count == 1, "\(name)")
        }
        let mappings = allPads.map { sdlMapping(for: known($0)) ?? "none for \($0.name)" }
        expectGolden(mappings.joined(separator: "\n") + "\n", "gamecontrollerdb.txt")
        expectGolden(
            String(decoding: ESInputFile(pads: ExportTests.six.map { known($0.1) }).contents, as: UTF8.self),
            "es_input.cfg")
    }

    private func lines(of profile: GeneratedProfile) -> [Substring] {
        String(decoding: profile.contents, as: UTF8.self).split(separator: "\n")
    }

    @Test("what SDL is told comes back as what was meant", arguments: allPads)
    func sdlRoundTrip(device: Device) throws {
        let pad = known(device)
        let line = try #require(sdlMapping(for: pad))
        let back = try #require(GameControllerDatabase(Array(line.utf8)).mapping(for: device.facts))
        #expect(GameControllerDatabase(Array(line.utf8)).problems(in: "x").isEmpty)
        for (function, control) in back.bindings {
            #expect(pad.mapping.controls[function]?.contains(control) == true, "\(function) \(control)")
        }
        let told = Set(pad.mapping.controls.keys).subtracting([.hotkey])
        #expect(Set(back.controls.keys) == told)
    }

    @Test("what EmulationStation is told comes back as what was meant", arguments: allPads)
    func esRoundTrip(device: Device) throws {
        let pad = known(device)
        let temporary = try TemporaryFolder()
        let file = temporary.path.appending("es_input.cfg")
        try replaceFile(at: file, with: ESInputFile(pads: [pad]).contents)
        let found = try ControllerImport(file: file)
        #expect(found.problems.isEmpty)
        let mine = PadKnowledge(folder: temporary.path.appending("controllers"))
        #expect(try mine.adopt(found, connected: [device.facts]).profiles == 1)
        let back = mine.answer(for: device.facts)
        #expect(back.source == .user)
        for (function, control) in back.mapping.bindings where function != .hotkey {
            #expect(pad.mapping.controls[function]?.contains(control) == true, "\(function) \(control)")
        }
        #expect(Set(back.mapping.controls.keys).isSuperset(of: Set(pad.mapping.controls.keys).subtracting([.guide])))
    }

    @Test("whatever a person maps, SDL's line and EmulationStation's file bring it back", arguments: allPads)
    func anyMapping(device: Device) throws {
        let temporary = try TemporaryFolder()
        var dice = Dice(seed: UInt64(device.identity.product))
        for _ in 0..<5 {
            var controls = device.capabilities.keys.filter { $0 < .last }.sorted().map(Control.key)
            for (code, info) in device.capabilities.axes where info.maximum > info.minimum && code < .misc {
                controls += [.axis(code, .negative), .axis(code, .positive)]
            }
            controls.sort()
            controls.shuffle(using: &dice)
            var pad = known(device)
            pad.mapping = PadMapping()
            for function in PadFunction.allCases where function != .hotkey && function != .guide {
                // Neither file says where an axis rests, which for a trigger is a guess.
                let isTrigger = function == .l2 || function == .r2
                guard let place = controls.firstIndex(where: { !isTrigger || !$0.isAnalogue }) else { break }
                pad.mapping.controls[function] = [controls.remove(at: place)]
            }
            guard pad.mapping.isUsable else { continue }
            let line = try #require(sdlMapping(for: pad))
            let back = GameControllerDatabase(Array(line.utf8)).mapping(for: device.facts)
            var whole = pad.mapping.bindings
            for stick in [PadFunction.leftStick, PadFunction.rightStick]
            where stick.contains(where: { whole[$0] == nil }) {
                for function in stick { whole[function] = nil }
            }
            #expect(back?.bindings.filter { whole[$0.key] != nil } == whole, "\(line)")
            let file = temporary.path.appending("es_input.cfg")
            try replaceFile(at: file, with: ESInputFile(pads: [pad]).contents)
            let mine = PadKnowledge(folder: temporary.path.appending("controllers"))
            #expect(try mine.adopt(try ControllerImport(file: file), connected: [device.facts]).profiles == 1)
            let answer = mine.answer(for: device.facts).mapping
            #expect(answer.bindings.filter { $0.key != .hotkey } == pad.mapping.bindings)
            #expect(answer.modifierButton == pad.mapping.modifierButton || pad.chord == nil)
        }
    }

    @Test("triggers that rest at the upper end are pressed at the lower one")
    func inverted() throws {
        var pad = known(invertedTriggers)
        pad.mapping = PadMapping(
            controls: [.l2: [.axis(.z, .negative)], .r2: [.axis(.rz, .positive)], .south: [.key(.south)]],
            travels: [.z: AxisTravel(rest: .maximum), .rz: AxisTravel(rest: .value(2))])
        #expect(lines(of: retroArchAutoconfig(for: pad)).contains("input_l2_axis = \"-2\""))
        let line = try #require(sdlMapping(for: pad))
        #expect(line.contains(",lefttrigger:a2~,") && line.contains(",righttrigger:a5,"))
    }

    @Test("B046: a pad without a modifier, or without Start, has no commands at all")
    func noChord() {
        var pad = known(xbox360)
        for missing in [PadFunction.select, .start] {
            pad.mapping = known(xbox360).mapping
            pad.mapping.controls[missing] = nil
            let keys = lines(of: retroArchAutoconfig(for: pad, hotkeys: .complete)).filter {
                $0.contains("hotkey") || $0.contains("state") || $0.contains("exit") || $0.contains("menu")
            }
            #expect(keys.isEmpty, "\(missing)")
        }
        #expect(
            !lines(of: retroArchAutoconfig(for: known(oneButtonStick), hotkeys: .complete)).contains {
                $0.contains("hotkey")
            })
    }

    @Test("B046: a modifier of its own is the one that is told, and what it is for itself is no command")
    func modifier() {
        var pad = known(xbox360)
        pad.mapping.controls[.hotkey] = [.key(.north)]
        let text = lines(of: retroArchAutoconfig(for: pad))
        #expect(text.contains("input_enable_hotkey_btn = \"2\"") && text.contains("input_menu_toggle_btn = \"3\""))
        pad.mapping.controls[.hotkey] = pad.mapping.controls[.north]
        #expect(!lines(of: retroArchAutoconfig(for: pad)).contains { $0.hasPrefix("input_menu_toggle") })
        #expect(!lines(of: retroArchAutoconfig(for: known(xbox360), hotkeys: .none)).contains { $0.contains("hotkey") })
    }

    @Test("a keyboard's keys have RetroArch's names, and nobody takes it for a pad")
    func keyboard() {
        let mapping = PadMapping(controls: [
            .up: [.key(.up)], .south: [.key(.leftControl)], .east: [.key(KeyCode(rawValue: 44))],
            .start: [.key(.one)], .l: [.key(KeyCode(rawValue: 82))],
        ])
        let pad = PadInfo(
            id: 1, node: "/dev/input/event0", facts: plainKeyboard.facts, family: .keyboard, mapping: mapping,
            source: .user)
        #expect(pad.retroArchKeys == ["up": "up", "b": "ctrl", "a": "z", "start": "num1", "l": "keypad0"])
        #expect(sdlMapping(for: pad) == nil)
        #expect(ESInputFile(pads: [pad]).devices.isEmpty)
    }

    @Test("players get the numbers that RetroArch gave their pads, and the others follow")
    func ports() {
        let ports = RetroArchPorts(nodes: ["/dev/input/event1", "/dev/input/event9", "/dev/input/event0"])
        func pad(_ node: BytePath) -> PadInfo { PadInfo(id: 1, node: node, unmapped: xbox360.facts) }
        #expect(ports.numbers(for: [pad("/dev/input/event0"), pad("/dev/input/event1")], players: 4) == [2, 0, 1, 3])
        // One that RetroArch does not see takes nobody's place.
        #expect(ports.numbers(for: [pad("/dev/input/event7"), pad("/dev/input/event9")], players: 3) == [1, 0, 2])
        #expect(ports.numbers(for: [pad("/dev/input/event7")], players: 3).isEmpty)
    }
}

extension Control {
    fileprivate var isAnalogue: Bool {
        if case .axis(let code, _) = self { !(AxisCode.hat0X...AxisCode.hat3Y).contains(code) } else { false }
    }
}

extension Device {
    /// Whether it can send what a control stands for.
    fileprivate func has(_ control: Control) -> Bool {
        switch control {
        case .key(let code): capabilities.keys.contains(code)
        case .axis(let code, _): capabilities.axes[code].map { $0.maximum > $0.minimum } ?? false
        }
    }
}
