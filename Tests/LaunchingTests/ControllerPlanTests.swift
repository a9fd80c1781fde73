import Controllers
import EvdevKit
import Launching
import SystemKit
import Systems
import Testing

@Suite("Pads and players of a launch")
struct ControllerPlanTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    private func pad(_ number: Int, product: UInt16 = 0x028E, a code: KeyCode = .south) -> PadInfo {
        let facts = DeviceFacts(
            name: "Pad", identity: PadIdentity(bus: 3, vendor: 0x045E, product: product, version: 0x0110),
            unique: "\(number)",
            capabilities: Capabilities(
                keys: [.south, .east, .select, .start],
                axes: [.x: AxisInfo(minimum: -1, maximum: 1), .y: AxisInfo(minimum: -1, maximum: 1)]))
        var pad = PadInfo(id: number, node: BytePath("/dev/input/event\(number)"), unmapped: facts)
        pad.mapping.controls[.south] = [.key(code)]
        return pad
    }

    private func keyboard() -> PadInfo {
        PadInfo(
            id: 9, node: "/dev/input/event9",
            facts: DeviceFacts(
                name: "Keys", identity: PadIdentity(bus: 3, vendor: 1, product: 1, version: 1)),
            family: .keyboard, mapping: PadMapping(controls: [.south: [.key(.space)], .up: [.key(.up)]]), source: .user)
    }

    private func plan(_ pads: [PadInfo], ports: [BytePath], program: Bool = false) throws -> LaunchPlan {
        let emulator =
            program
            ? try stage.emulator("true")
            : EmulatorDefinition(
                name: "core", title: "Core", method: .libretro(core: "toy_libretro.so"))
        try stage.folder.write("bin/retroarch", "#!/bin/sh\n", mode: 0o755)
        try stage.folder.write("cores/toy_libretro.so", "")
        let planner = LaunchPlanner(
            root: stage.root,
            registry: SystemRegistry(systems: [
                SystemDefinition(name: "toy", fullName: "Toy", extensions: ["toy"], emulators: [emulator])
            ]),
            locator: EmulatorLocator(
                environment: ["PATH": "\(stage.folder.path)/bin"],
                coreDirectories: [stage.folder.path.appending("cores")]),
            display: DisplayFacts(server: .x11, hasGPU: false), pads: pads, ports: RetroArchPorts(nodes: ports),
            profiles: LaunchPlanner.controllerProfiles(for: pads, in: stage.root))
        return try planner.plan(for: try stage.game())
    }

    private func values(_ plan: LaunchPlan) throws -> [String: String] {
        let text = String(decoding: try #require(plan.files.last).contents, as: UTF8.self)
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            #expect(values[String(parts[0].dropLast())] == nil, "\(parts[0]) is set twice")
            values[String(parts[0].dropLast())] = String(parts[1].dropFirst(2).dropLast())
        }
        return values
    }

    private let ports: [BytePath] = ["/dev/input/event1", "/dev/input/event2", "/dev/input/event3"]

    @Test("the pad that starts the game is player 1, whatever number RetroArch gives it")
    func order() throws {
        let values = try values(plan([pad(3), pad(1)], ports: ports))
        #expect((1...8).map { values["input_player\($0)_joypad_index"] } == ["2", "0", "1", "3", "4", "5", "6", "7"])
        #expect(try self.values(plan([], ports: ports)).keys.allSatisfy { !$0.hasSuffix("joypad_index") })
    }

    @Test("two pads of one kind with different mappings each have their own")
    func twins() throws {
        let plan = try plan([pad(1), pad(2, a: .east), pad(3)], ports: ports)
        let values = try values(plan)
        #expect(values["input_player2_b_btn"] == "1")
        #expect(values["input_player1_b_btn"] == nil && values["input_player3_b_btn"] == nil)
        let profiles = plan.files.filter { $0.path.parent == LaunchPlanner.controllerProfiles(in: stage.root) }
        #expect(profiles.count == 1)
        #expect(String(decoding: profiles[0].contents, as: UTF8.self).contains("input_b_btn = \"0\""))
        #expect(try plan == self.plan([pad(1), pad(2, a: .east), pad(3)], ports: ports))
    }

    @Test("a keyboard that a person mapped plays with those keys and no others")
    func keys() throws {
        let values = try values(plan([keyboard(), pad(1)], ports: ports))
        #expect(values["input_player1_b"] == "space" && values["input_player1_up"] == "up")
        #expect(values["input_player1_a"] == "nul" && values["input_player1_start"] == "nul")
        #expect(values["input_player1_joypad_index"] == "0")
    }

    @Test("B046: nothing but what a pad's own description says makes commands of its buttons")
    func startAlone() throws {
        let values = try values(plan([pad(1)], ports: ports))
        for key in ["enable_hotkey", "exit_emulator"] {
            for kind in ["", "_btn", "_axis"] { #expect(values["input_\(key)\(kind)"] == "nul", "\(key)\(kind)") }
        }
        #expect(values["input_quit_gamepad_combo"] == "0")
        for (key, value) in values where key.hasPrefix("input_") && (key.hasSuffix("_btn") || key.hasSuffix("_axis")) {
            #expect(value == "nul", "\(key)")
        }
        let plan = try plan([pad(1)], ports: ports)
        let profile = String(decoding: try #require(plan.files.first).contents, as: UTF8.self)
        #expect(profile.contains("input_enable_hotkey_btn = \"2\""))
        #expect(!profile.contains("exit_emulator"))
    }

    @Test("programs that use SDL hear the players' order and what the controls mean")
    func sdl() throws {
        let plan = try plan([pad(3), keyboard(), pad(1), pad(2, product: 7)], ports: [], program: true)
        #expect(plan.environment["SDL_JOYSTICK_DEVICE"] == "/dev/input/event3:/dev/input/event1:/dev/input/event2")
        #expect(plan.environment["SDL_JOYSTICK_HIDAPI"] == "0")
        let lines = plan.environment["SDL_GAMECONTROLLERCONFIG"]?.split(separator: "\n") ?? []
        #expect(lines.count == 2, "equal pads share a line")
        #expect(lines.allSatisfy { $0.contains(",a:b0,") && $0.hasSuffix("platform:Linux,") })
        #expect(plan.removedEnvironment.contains("SDL_JOYSTICK_DEVICE"))
        #expect(try self.plan([], ports: [], program: true).environment["SDL_JOYSTICK_DEVICE"] == nil)
    }
}
