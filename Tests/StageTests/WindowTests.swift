import Glibc
import Interface
import SDLKit
import SystemKit
import Testing

@testable import Stage

/// A virtual X server for one test.
private final class VirtualScreen {
    let display: String
    private let process: pid_t

    /// `nil` when there is no Xvfb.
    init?() {
        var ends: [Int32] = [0, 0]
        guard fileExists("/usr/bin/Xvfb"), pipe(&ends) == 0 else { return nil }
        let arguments = [
            "/usr/bin/Xvfb", "-displayfd", String(ends[1]), "-screen", "0", "800x600x24", "-nolisten", "tcp",
        ]
        var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { strings.forEach { free($0) } }
        strings.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The test's thread may block signals, and a server that inherits that cannot be asked to end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let result = posix_spawn(&process, "/usr/bin/Xvfb", &actions, &attributes, strings, environ)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        close(ends[1])
        defer { close(ends[0]) }
        guard result == 0 else { return nil }
        var number: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != 10 { number.append(byte) }
        self.process = process
        display = ":" + String(decoding: number, as: UTF8.self)
        setenv("DISPLAY", display, 1)
        setenv("SDL_VIDEODRIVER", "x11", 1)
    }

    deinit {
        kill(process, SIGTERM)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        unsetenv("DISPLAY")
        unsetenv("SDL_VIDEODRIVER")
    }
}

extension StageSuite {
    @Suite("a window") struct WindowTests {
        private func windowStage(_ mode: StageMode = .windowed(width: 320, height: 200)) throws -> Stage {
            try Stage(
                StageOptions(mode: mode, title: "test", icons: { _ in nil }, vsync: false),
                log: Log(minimum: .error))
        }

        private func drain(_ stage: Stage) {
            while !stage.waitEvents(until: .now.advanced(bySeconds: 0.3)).isEmpty {}
        }

        @Test("without display the error is a sentence", .enabled(if: getenv("WAYLAND_DISPLAY") == nil))
        func noDisplay() throws {
            setenv("SDL_VIDEODRIVER", "x11", 1)
            setenv("DISPLAY", ":9999", 1)
            defer {
                unsetenv("SDL_VIDEODRIVER")
                unsetenv("DISPLAY")
            }
            do {
                _ = try windowStage()
                Issue.record("there is a display :9999")
            } catch {
                #expect("\(error)".hasPrefix("The screen cannot be opened (SDL_InitSubSystem"))
            }
        }

        @Test(
            "it shows the same pixels as memory does, wakes, sleeps without a single wake-up, and gives all back",
            .enabled(if: fileExists("/usr/bin/Xvfb"), "needs Xvfb (Debian package xvfb)"))
        func window() throws {
            let screen = try #require(VirtualScreen())
            defer { withExtendedLifetime(screen) {} }
            let stage = try windowStage()
            #expect(stage.size == Size(320, 200) && stage.statistics.drivers.hasPrefix("x11 "))
            let commands: [DrawCommand] = [
                .gradient(
                    Rect(0, 0, 320, 200), from: Color(hex: 0x203040), to: Color(hex: 0x101018), vertical: true,
                    radius: 0), .shadow(Rect(60, 60, 100, 60), .black, radius: 12, blur: 16),
                .fill(Rect(60, 60, 100, 60), Color(hex: 0x3060C0), radius: 12),
                .stroke(Rect(56, 56, 108, 68), .white, radius: 16, width: 3),
                .text("Zelda", Point(70, 70), TextStyle(24, .bold), .white),
                .ring(Point(250, 100), radius: 30, width: 6, fraction: 0.7, .white),
            ]
            let there = try stage.pixels(commands)
            let here = try memoryStage(320, 200).pixels(commands)
            var worst = 0
            for (left, right) in zip(there.pixels, here.pixels) {
                for shift in [16, 8, 0] as [UInt32] {
                    worst = max(worst, abs(Int(left >> shift & 0xFF) - Int(right >> shift & 0xFF)))
                }
            }
            #expect(worst <= 8)

            let bell = stage.wake
            drain(stage)
            startThread(name: "ringer") { bell.ring() }
            #expect(stage.waitEvents(until: nil).contains(.woken))
            drain(stage)
            let before = try sleeps()
            #expect(stage.waitEvents(until: .now.advanced(bySeconds: 1)) == [])
            // The one at the end, and at most one because the scheduler took the thread away meanwhile.
            #expect(try sleeps() - before <= 3)
        }

        @Test(
            "the display given up and taken back many times leaves no descriptor and no memory behind",
            .enabled(if: fileExists("/usr/bin/Xvfb"), "needs Xvfb (Debian package xvfb)"),
            arguments: [(200, "software"), (20, "opengl")])
        func cycles(count: Int, driver: String) throws {
            let screen = try #require(VirtualScreen())
            defer { withExtendedLifetime(screen) {} }
            setenv("SDL_RENDER_DRIVER", driver, 1)
            defer { unsetenv("SDL_RENDER_DRIVER") }
            let stage = try windowStage()
            let commands: [DrawCommand] = [
                .fill(Rect(20, 20, 100, 60), .white, radius: 12), .text("Zelda", Point(0, 0), TextStyle(24), .white),
            ]
            var descriptors: [Int] = []
            var kibibytes: [Int] = []
            for _ in 0..<count {
                var list = DrawList()
                list.commands = commands
                stage.present(list)
                stage.giveUpDisplay()
                descriptors.append(try openDescriptors())
                kibibytes.append(try residentKibibytes())
                try stage.takeBackDisplay()
            }
            #expect(descriptors.last == descriptors[2])
            #expect(kibibytes[count - 1] - kibibytes[min(20, count / 2)] < 8 << 10)
            #expect(try stage.pixels(commands).rgb(60, 60) == 0xFFFFFF)
        }

        @Test(
            "a display that is gone when it is wanted back is an error, not the end",
            .enabled(if: fileExists("/usr/bin/Xvfb"), "needs Xvfb (Debian package xvfb)"))
        func gone() throws {
            var screen: VirtualScreen? = VirtualScreen()
            try #require(screen != nil)
            let stage = try windowStage(.fullscreen)
            #expect(stage.size == Size(800, 600))
            stage.giveUpDisplay()
            screen = nil
            setenv("DISPLAY", ":9999", 1)
            setenv("SDL_VIDEODRIVER", "x11", 1)
            defer {
                unsetenv("SDL_VIDEODRIVER")
                unsetenv("DISPLAY")
            }
            #expect(throws: StageError.self) { try stage.takeBackDisplay() }
            #expect(!stage.isOpen)
            stage.wake.ring()
            #expect(stage.waitEvents(until: nil) == [.woken])
            screen = VirtualScreen()
            try #require(screen != nil)
            try stage.takeBackDisplay()
            #expect(stage.isOpen)
            stage.giveUpDisplay()
        }

        /// How often this thread went to sleep.
        private func sleeps() throws -> Int { try number("voluntary_ctxt_switches:", in: "/proc/thread-self/status") }

        private func residentKibibytes() throws -> Int { try number("VmRSS:", in: "/proc/self/status") }

        private func number(_ name: String, in file: BytePath) throws -> Int {
            let text = String(decoding: try readFile(file), as: UTF8.self)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
            return try #require(line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) })
        }
    }
}
