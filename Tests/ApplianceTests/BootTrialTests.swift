import SystemKit
import Testing

@testable import Appliance

@Suite("changes of the boot files on trial")
struct BootTrialTests {
    private let configuration = "# Pi\n[pi4]\narm_boost=1\n"

    private func pi(model: String = "Raspberry Pi 4 Model B Rev 1.4") throws -> FakeMachine {
        let fake = try FakeMachine()
        try fake.file("boot/firmware/config.txt", configuration)
        try fake.file("boot/firmware/cmdline.txt", "root=/dev/mmcblk0p2 video=HDMI-A-1:e quiet\n")
        try fake.file("proc/device-tree/model", model + "\0")
        try fake.start("one")
        return fake
    }

    private func apply(_ change: BootChange, _ fake: FakeMachine) throws {
        try change.plan(on: fake.machine).apply()
    }

    @Test("a change stays where the next start reaches the menu")
    func reached() throws {
        let fake = try pi()
        try apply(.overclock(preset: "fast"), fake)
        #expect(BootFacts.read(fake.machine).awaitsRestart == "overclocking")
        #expect(OverclockFacts.read(fake.machine).setting == .preset("fast"))
        try fake.start("two")
        #expect(try BootCheck.early(fake.machine) == BootCheck(notes: [], mustRestart: false))
        #expect(BootFacts.read(fake.machine).isTried == "overclocking")
        #expect(BootFacts.read(fake.machine).isMenuAwaited)
        try apply(.menuReached, fake)
        #expect(!BootFacts.read(fake.machine).isMenuAwaited)
        #expect(try BootChange.menuReached.plan(on: fake.machine).steps.isEmpty)
        try fake.start("three")
        #expect(try BootCheck.early(fake.machine) == BootCheck(notes: [], mustRestart: false))
        #expect(OverclockFacts.read(fake.machine).setting == .preset("fast"))
        #expect(try fake.contents("boot/firmware/config.txt.bak") == fake.contents("boot/firmware/config.txt"))
    }

    @Test("a change is taken back where the start after it did not reach the menu, and the machine starts anew")
    func reverted() throws {
        let fake = try pi()
        try apply(.overclock(preset: "fast"), fake)
        try apply(.resolution(output: "HDMI-A-1", mode: "1280x720"), fake.withScreen())
        let line = try fake.contents("boot/firmware/cmdline.txt")
        #expect(line == "root=/dev/mmcblk0p2 video=HDMI-A-1:1280x720,e quiet\n")
        try fake.start("two")
        #expect(try !BootCheck.early(fake.machine).mustRestart)
        // Somebody else writes a line meanwhile; that stays.
        let changed = try fake.contents("boot/firmware/config.txt")
        try fake.file("boot/firmware/config.txt", changed + "gpu_mem=64\n")
        try fake.start("three")
        let check = try BootCheck.early(fake.machine)
        #expect(check.mustRestart)
        #expect(
            try fake.contents("boot/firmware/config.txt")
                == configuration + "# retro-appliance begin\n[all]\n# retro-appliance end\ngpu_mem=64\n")
        #expect(try fake.contents("boot/firmware/cmdline.txt") == "root=/dev/mmcblk0p2 video=HDMI-A-1:e quiet\n")
        #expect(BootFacts.read(fake.machine).reverted?.contains("did not reach the menu") == true)
        try fake.start("four")
        #expect(try !BootCheck.early(fake.machine).mustRestart)
        #expect(OverclockFacts.read(fake.machine).setting == OverclockFacts.Setting.none)
    }

    @Test("a start that is checked twice counts once")
    func twice() throws {
        let fake = try pi()
        try apply(.overclock(preset: "fast"), fake)
        #expect(try !BootCheck.early(fake.machine).mustRestart)
        try fake.start("two")
        #expect(try !BootCheck.early(fake.machine).mustRestart)
        #expect(try !BootCheck.early(fake.machine).mustRestart)
    }

    @Test("the menu of the start that a change was made in proves nothing")
    func sameStart() throws {
        let fake = try pi()
        try apply(.menuReached, fake)
        try apply(.overclock(preset: "fast"), fake)
        try apply(.menuReached, fake)
        #expect(BootFacts.read(fake.machine).awaitsRestart != nil)
        #expect(try fake.contents("boot/firmware/config.txt.bak") == configuration)
    }

    @Test(
        "presets are those of the model",
        arguments: [
            ("Raspberry Pi Model B Rev 2", ["modest", "medium", "high", "turbo"]),
            ("Raspberry Pi 2 Model B Rev 1.1", ["high"]), ("Raspberry Pi Zero W Rev 1.1", []),
            ("Raspberry Pi Zero 2 W Rev 1.0", []), ("Raspberry Pi 3 Model B Plus Rev 1.3", []),
            ("Raspberry Pi 4 Model B Rev 1.4", ["boost", "fast"]), ("Raspberry Pi 4 Model B Rev 1.1", ["fast"]),
            ("Raspberry Pi 400 Rev 1.0", ["fast"]), ("Raspberry Pi 5 Model B Rev 1.0", ["fast"]),
            ("Raspberry Pi 6 Model B", []), ("QEMU Virtual Machine", []),
        ])
    func presets(model: String, names: [String]) throws {
        let fake = try pi(model: model)
        #expect(OverclockFacts.read(fake.machine).presets.map(\.name) == names)
        let change = BootChange.overclock(preset: "turbo")
        if names.contains("turbo") {
            #expect(try change.plan(on: fake.machine).steps.count == 1)
        } else {
            #expect(throws: ApplianceError.self) { try change.plan(on: fake.machine) }
        }
    }

    @Test(
        "the revision code tells the model, whatever it is called",
        arguments: [
            (UInt32(0x000E), PiModel.one), (0x900092, .zero), (0xA01041, .two), (0xA02082, .three),
            (0xA020D3, .threePlus), (0x902120, .zeroTwo), (0xC03111, .four(boosts: false)),
            (0xC03115, .four(boosts: true)), (0xC03130, .fourHundred), (0xD04170, .five),
        ])
    func revisions(code: UInt32, model: PiModel) throws {
        let fake = try pi(model: "Something else")
        try fake.file(
            "proc/device-tree/system/linux,revision", (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) })
        #expect(PiModel.read(fake.machine) == model)
    }

    @Test("an unknown model and a machine that is no Pi are refused, and nothing is written")
    func unknown() throws {
        let fake = try pi(model: "Raspberry Pi 9")
        #expect(
            throws: ApplianceError.unavailable("this is no model of Raspberry Pi that this program knows the speeds of")
        ) { try BootChange.overclock(preset: "none").plan(on: fake.machine) }
        let other = try FakeMachine()
        #expect(throws: ApplianceError.self) { try BootChange.overclock(preset: "none").plan(on: other.machine) }
        #expect(try fake.contents("boot/firmware/config.txt") == configuration)
        #expect(!fileExists(fake.machine.state))
    }

    @Test("margins go to the kernel where it drives the screen, to the firmware else")
    func overscan() throws {
        let fake = try pi()
        try apply(.overscan(left: 10, right: 11, top: 0, bottom: 5), fake)
        #expect(
            try fake.contents("boot/firmware/config.txt").contains(
                "[all]\ndisable_overscan=0\noverscan_left=10\noverscan_right=11\noverscan_bottom=5\n"))
        let kernel = try pi().withScreen()
        try apply(.overscan(left: 10, right: 11, top: 0, bottom: 5), kernel)
        #expect(
            try kernel.contents("boot/firmware/cmdline.txt")
                == "root=/dev/mmcblk0p2 video=HDMI-A-1:e,margin_left=10,margin_right=11,margin_bottom=5 quiet\n")
        #expect(PictureFacts.read(kernel.machine).outputs.first?.margins.right == 11)
        try apply(.overscan(left: 0, right: 0, top: 0, bottom: 0), kernel)
        #expect(try kernel.contents("boot/firmware/cmdline.txt") == "root=/dev/mmcblk0p2 video=HDMI-A-1:e quiet\n")
        #expect(throws: ApplianceError.self) {
            try BootChange.overscan(left: -1, right: 0, top: 0, bottom: 0).plan(on: fake.machine)
        }
    }

    @Test("only resolutions that the screen offers can be chosen, at outputs that exist")
    func resolutions() throws {
        let fake = try pi().withScreen()
        #expect(PictureFacts.read(fake.machine).outputs.first?.modes == ["1920x1080", "1280x720", "1920x1080i"])
        for change in [
            BootChange.resolution(output: "HDMI-A-1", mode: "1280x720 init=/bin/sh"),
            .resolution(output: "HDMI-A-2", mode: "1280x720"), .resolution(output: "HDMI-A-1", mode: "640x480"),
        ] {
            #expect(throws: ApplianceError.self) { try change.plan(on: fake.machine) }
        }
        try apply(.resolution(output: "HDMI-A-1", mode: "1280x720"), fake)
        #expect(PictureFacts.read(fake.machine).outputs.first?.setting == "1280x720")
        try apply(.resolution(output: "HDMI-A-1", mode: nil), fake)
        #expect(PictureFacts.read(fake.machine).outputs.first?.setting == nil)
    }

    @Test("what the firmware says about heat and voltage is read from the kernel, else from its own program")
    func throttling() throws {
        let fake = try pi()
        try fake.program("vcgencmd", "exit 1")
        #expect(Throttling.read(fake.machine) == nil)
        try fake.program("vcgencmd", "echo throttled=0x50005")
        let state = try #require(Throttling.read(fake.machine))
        #expect(state.isUndervolted && state.isSlowed && state.wasUndervolted && state.wasSlowed)
        #expect(state.advice?.contains("power supply") == true)
        try fake.file("sys/devices/platform/soc/soc:firmware/get_throttled", "80000\n")
        #expect(Throttling.read(fake.machine)?.advice?.contains("heat sink") == true)
    }
}

extension FakeMachine {
    /// A start of the machine: it gets a number of its own.
    func start(_ boot: String) throws { try file("proc/sys/kernel/random/boot_id", boot + "\n") }

    func contents(_ path: String) throws -> String {
        String(decoding: try readFile(root.appending(path)), as: UTF8.self)
    }

    /// A screen that the kernel drives.
    func withScreen() throws -> FakeMachine {
        try file("sys/class/drm/card1-HDMI-A-1/status", "connected\n")
        try file("sys/class/drm/card1-HDMI-A-1/modes", "1920x1080\n1920x1080\n1280x720\n1920x1080i\nx\n")
        try file("sys/class/drm/card1-Writeback-1/status", "unknown\n")
        return self
    }
}
