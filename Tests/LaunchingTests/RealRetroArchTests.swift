import Catalog
import Controllers
import EvdevKit
import Glibc
import Launching
import SystemKit
import Systems
import Testing

/// RetroArch itself with the nestopia core in a virtual display.
@Suite(.serialized) struct RealRetroArch {
    private let stage: Stage
    private let display: VirtualDisplay?
    private let registry = SystemRegistry.load()
    private let locator = EmulatorLocator(environment: processEnvironment())

    private func planner(_ pads: [PadInfo]) -> LaunchPlanner {
        LaunchPlanner(
            root: stage.root, registry: registry, locator: locator,
            display: DisplayFacts(server: .x11, hasGPU: false, sound: .none), pads: pads,
            ports: RetroArchPorts(nodes: pads.map(\.node)))
    }

    init() throws {
        stage = try Stage()
        let nestopia = registry.system(named: "nes")?.emulators.first { $0.name == "nestopia" }
        guard let nestopia, locator.locate(nestopia) != nil else {
            print("not tested: RetroArch needs the packages retroarch and libretro-nestopia")
            display = nil
            return
        }
        display = try VirtualDisplay(folder: stage.folder.path)
        if display == nil { print("not tested: RetroArch needs the package xvfb") }
    }

    /// The plan of our ROM, told where the display is.
    private func plan(
        on display: VirtualDisplay, rom: [UInt8] = colourROM(), pads: [PadInfo] = []
    ) throws -> LaunchPlan {
        let path = stage.root.roms.appending("nes").appending(
            BytePath(bytes: Array("Colour {rom} $HOME ".utf8) + [0xFF] + Array(".nes".utf8)))
        try createDirectories(path.parent)
        try replaceFile(at: path, with: rom)
        let plan = try planner(pads).plan(for: stage.described(path, system: "nes"), emulator: "nestopia")
        return plan.with(
            arguments: plan.arguments, environment: ["DISPLAY": display.name, "HOME": stage.folder.path.text])
    }

    @Test(
        "the game is on the screen, its keys work, Start and Escape do not end it, and its save is written",
        .timeLimit(.minutes(2)))
    func plays() async throws {
        guard let display else { return }
        let plan = try plan(on: display)
        let began = MonotonicInstant.now
        let outcome = try await play(plan) { session in
            try await display.waitForMiddle(isGreen)
            print("RetroArch: \(Int(MonotonicInstant.now.seconds(since: began) * 1000)) ms from start to picture")
            if isExecutable("/usr/bin/xdotool") {
                for key in ["Escape", "Return", "space", "p", "f"] { try press(key, on: display) }
                try press("keydown", "Right", on: display)
                try await display.waitForMiddle(isRed)
                try press("keyup", "Right", on: display)
                try await display.waitForMiddle(isGreen)
            } else {
                print("not tested: keys need the package xdotool")
            }
            #expect(ProcessEntry(id: session.processID)?.isZombie == false)
            session.stop()
        }
        #expect(outcome.kind == .stopped)
        #expect(outcome.exitStatus == 0)
        let save = BytePath(bytes: plan.game.path.stem.bytes + Array(".srm".utf8))
        #expect(try readFile(stage.root.saves.appending("nes").appending(save)).first == 0x42)
        #expect(!fileExists(stage.folder.path.appending(".config/retroarch/retroarch.cfg")))
        #expect(try readFile(try #require(plan.files.last).path) == plan.files.last?.contents)
        let log = String(decoding: try readFile(plan.log), as: UTF8.self)
        #expect(!log.contains(".config/retroarch"), "something is kept in the person's own folder")
    }

    @Test("a file that is no game ends with a sentence that says why", .timeLimit(.minutes(1)))
    func noGame() async throws {
        guard let display else { return }
        let outcome = try await play(try plan(on: display, rom: Array("no game".utf8)))
        #expect(outcome.kind == .failed || outcome.kind == .endedAtOnce)
        print("RetroArch: \(outcome.sentence)")
        #expect(outcome.sentence.lowercased().contains("content"), "\(outcome.sentence)")
    }

    @Test("every key that is written is one that RetroArch knows, and is read as it is meant", .timeLimit(.minutes(1)))
    func knownKeys() async throws {
        guard let display else { return }
        // RetroArch writes all keys that it knows into an empty file, and all that it read into ours.
        let plan = try plan(on: display, pads: [pad(1), pad(2), oddKeyboard])
        let ours = try #require(plan.files.last)
        #expect(settings(ours.contents)["input_player2_up_btn"] == "h0up")
        let text = String(decoding: ours.contents, as: UTF8.self)
        let saving = "config_save_on_exit = \"true\"\n"
        let empty = try stage.folder.write("empty.cfg", saving + "video_driver = \"gl\"\n")
        let copy = try stage.folder.write(
            "copy.cfg",
            text.split(separator: "\n").filter { !$0.hasPrefix("config_save_on_exit") }.joined(separator: "\n") + "\n"
                + saving)
        for file in [empty, copy] {
            var arguments = plan.arguments
            arguments[2] = file
            arguments.insert(contentsOf: ["--max-frames", "3"], at: 3)
            _ = try await play(plan.with(arguments: arguments, environment: plan.environment))
        }
        let accepted = settings(try readFile(empty))
        let read = settings(try readFile(copy))
        #expect(accepted.count > 500)
        for key in settings(retroArchAutoconfig(for: pad(1), hotkeys: .complete).contents).keys {
            let words = key.split(separator: "_").dropFirst().joined(separator: "_")
            // A file about a pad says who it is, and leaves the player out.
            guard !["driver", "device", "vendor_id", "product_id"].contains(words) else { continue }
            #expect(accepted[key] != nil || accepted["input_player1_\(words)"] != nil, "RetroArch does not know \(key)")
        }
        for (key, value) in settings(ours.contents) {
            #expect(accepted[key] != nil, "RetroArch does not know \(key)")
            if key == "config_save_on_exit" { continue }
            // It writes paths in the home folder with a tilde.
            let written = read[key].map { $0.hasPrefix("~") ? stage.folder.path.text + $0.dropFirst() : $0 }
            #expect(written == value, "\(key)")
        }
    }

    /// One of two equal pads that a person uses differently.
    private func pad(_ number: Int) -> PadInfo {
        let stick = AxisInfo(minimum: -32768, maximum: 32767)
        let hat = AxisInfo(minimum: -1, maximum: 1)
        let facts = DeviceFacts(
            name: "Pad", identity: PadIdentity(bus: 3, vendor: 0x045E, product: 0x028E, version: 0x0110),
            capabilities: Capabilities(
                keys: Set((0x130...0x13E).map { KeyCode(rawValue: $0) }),
                axes: [.x: stick, .y: stick, .rx: stick, .ry: stick, .z: stick, .rz: stick, .hat0X: hat, .hat0Y: hat]))
        var pad = PadInfo(id: number, node: BytePath("/dev/input/event\(number)"), unmapped: facts)
        if number == 2 { pad.mapping.controls[.south] = [.key(.start)] }
        return pad
    }

    /// A keyboard that plays with the keys whose names are the least certain.
    private var oddKeyboard: PadInfo {
        let codes: [UInt16] = [
            41, 40, 83, 82, 73, 74, 78, 55, 98, 58, 69, 26, 43, 12, 13, 110, 111, 97, 100, 29, 42, 56, 96, 104,
        ]
        let functions = PadFunction.allCases.filter { $0 != .guide && $0 != .hotkey }
        let controls = zip(functions, codes).map { ($0, [Control.key(KeyCode(rawValue: $1))]) }
        return PadInfo(
            id: 3, node: "/dev/input/event3",
            facts: DeviceFacts(
                name: "Keys", identity: PadIdentity(bus: 3, vendor: 1, product: 1, version: 1)),
            family: .keyboard, mapping: PadMapping(controls: Dictionary(uniqueKeysWithValues: controls)), source: .user)
    }

    private func settings(_ bytes: [UInt8]) -> [String: String] {
        var result: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: equals)...].drop { $0 == " " || $0 == "\"" }
            result[String(line[..<equals].filter { $0 != " " })] = String(value.prefix { $0 != "\"" })
        }
        return result
    }
}

private func isGreen(_ colour: UInt32) -> Bool {
    colour >> 8 & 0xFF > 100 && colour >> 16 < 60 && colour & 0xFF < 60
}

private func isRed(_ colour: UInt32) -> Bool {
    colour >> 16 > 100 && colour >> 8 & 0xFF < 60 && colour & 0xFF < 60
}

private func press(_ words: String..., on display: VirtualDisplay) throws {
    let action = words.count == 1 ? ["key"] : []
    let child = try ChildProcess.start(
        Spawn(
            program: "/usr/bin/xdotool", arguments: (["xdotool"] + action + words).map { BytePath($0) },
            environment: [BytePath("DISPLAY=\(display.name)")]))
    #expect(child.wait() == .exited(0))
}

extension LaunchPlan {
    fileprivate func with(arguments: [BytePath], environment: [String: String]) -> LaunchPlan {
        LaunchPlan(
            game: game, emulator: emulator, arguments: arguments,
            environment: self.environment.merging(environment) { $1 }, removedEnvironment: removedEnvironment,
            directory: directory, folders: folders, scratch: scratch, files: files, log: log)
    }
}
