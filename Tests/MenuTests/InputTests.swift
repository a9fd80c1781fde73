import Controllers
import Interface
import SystemKit
import Testing

@testable import Menu

private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

@Suite("Repeating what is held")
struct RepeaterTests {
    @Test("nothing repeats before the delay, and then at a growing rate")
    func rhythm() {
        var repeater = Repeater()
        repeater.press(.down, source: 1, at: at(0))
        #expect(repeater.take(at: at(0.37)) == nil)
        #expect(repeater.take(at: at(0.381)) == .down)
        var times: [Double] = []
        var now = 0.381
        while now < 4 {
            now += 0.001
            if repeater.take(at: at(now)) != nil { times.append(now) }
        }
        let first = times[1] - times[0]
        let last = times[times.count - 1] - times[times.count - 2]
        #expect(first > 0.08 && first < 0.11)
        #expect(last < 0.04)
    }

    @Test("letting go stops it; letting go of another control does not")
    func release() {
        var repeater = Repeater()
        repeater.press(.down, source: 1, at: at(0))
        repeater.release(.up, source: 1)
        repeater.release(.down, source: 2)
        #expect(repeater.take(at: at(1)) == .down)
        repeater.release(.down, source: 1)
        #expect(repeater.due == nil)
        #expect(repeater.take(at: at(2)) == nil)
    }

    @Test("buttons that act never repeat, and stop what did", arguments: [Command.accept, .back, .extra, .menu])
    func actions(command: Command) {
        var repeater = Repeater()
        repeater.press(.down, source: 1, at: at(0))
        repeater.press(command, source: 1, at: at(0.1))
        #expect(repeater.take(at: at(5)) == nil)
    }

    @Test("a list of ten thousand rows is crossed in seconds; a short one is not left in leaps")
    func longLists() {
        var repeater = Repeater()
        repeater.press(.down, source: 1, at: at(0))
        var rows = 0
        var now = 0.0
        while rows < 45 {
            now += 1.0 / 60
            if repeater.take(at: at(now)) != nil {
                #expect(repeater.steps == 1)
                rows += repeater.steps
            }
        }
        while rows < 10_000 {
            now += 1.0 / 60
            if repeater.take(at: at(now)) != nil { rows += repeater.steps }
        }
        #expect(now < 15)
        // Letters and pages are long steps already.
        repeater.press(.pageDown, source: 1, at: at(100))
        #expect(repeater.take(at: at(110)) == .pageDown)
        #expect(repeater.steps == 1)
    }

    @Test("a frame that is late brings one repetition, not a burst")
    func lateFrame() {
        var repeater = Repeater()
        repeater.press(.down, source: 1, at: at(0))
        #expect(repeater.take(at: at(3)) == .down)
        #expect(repeater.take(at: at(3.001)) == nil)
    }
}

@Suite("Buttons and keys")
struct InputMapperTests {
    @Test("the lower button accepts, on Nintendo's pads the right one; the setting swaps both")
    func accept() {
        var mapper = InputMapper()
        #expect(mapper.command(for: .south, family: .xbox) == .accept)
        #expect(mapper.command(for: .east, family: .playstation) == .back)
        #expect(mapper.command(for: .east, family: .nintendo) == .accept)
        mapper.swapsAcceptAndBack = true
        #expect(mapper.command(for: .east, family: .xbox) == .accept)
        #expect(mapper.command(for: .south, family: .nintendo) == .accept)
    }

    @Test("every command that a hint can name has a key and a pad button")
    func complete() {
        let mapper = InputMapper()
        let byKey = Set(Interface.Key.allCases.compactMap { mapper.command(for: $0) })
        let byPad = Set(PadButton.allCases.compactMap { mapper.command(for: $0, family: .xbox) })
        #expect(byKey == Set(Command.allCases))
        #expect(byPad == Set(Command.allCases))
    }

    @Test("what was held when a game ended counts again only after it was let go")
    func gate() {
        var gate = ReleaseGate()
        gate.hold(.enter)
        gate.hold(.start, pad: 3)
        #expect(!gate.admits(.enter))
        #expect(!gate.admits(.start, pad: 3))
        #expect(gate.admits(.start, pad: 4))
        #expect(gate.admits(.up))
        gate.release(.enter)
        #expect(gate.admits(.enter))
        #expect(!gate.holdsKeys)
        gate.releaseAll(pad: 3)
        #expect(gate.admits(.start, pad: 3))
    }
}

@Suite("Command line of the menu")
struct MenuOptionsTests {
    @Test("options in both spellings")
    func spellings() throws {
        let options = try MenuOptions(["--root", "/a b", "--headless=1280x720", "--script=x", "--trace", "y"])
        #expect(options.root == "/a b")
        #expect(options.mode == .headless(width: 1280, height: 720))
        #expect(options.script == "x")
        #expect(options.trace == "y")
        #expect(try MenuOptions([]).mode == .fullscreen)
        #expect(try MenuOptions(["--version"]).action == .version)
    }

    @Test("a path that is no UTF-8 arrives with its bytes")
    func bytes() throws {
        let path = BytePath(bytes: [0x2F, 0xFF, 0xFE])
        #expect(try MenuOptions(["--roms", path]).roms == path)
        #expect(try MenuOptions([BytePath(bytes: Array("--roms=".utf8) + path.bytes)]).roms == path)
    }

    @Test(
        "what is not understood is told",
        arguments: ["--rot", "--windowed=12", "--windowed=axb", "--headless=0x0", "--root", "--fullscreen=1", "x"])
    func refused(word: String) {
        #expect(throws: MenuOptions.UsageError.self) { try MenuOptions([BytePath(word)]) }
    }
}

@Suite("Scripts")
struct ScriptTests {
    @Test("each step is read, comments and empty lines are not")
    func steps() throws {
        let script = try Script(
            """
            # a tour
            press a
            hold select+start 0.6
            key z
            key leftShift 1.1

            type zelda 2
            touch 100 200.5
            wait idle
            wait 1.5
            wait No games yet
            screenshot /tmp/a b.png
            expect 3 games
            quit
            """)
        #expect(
            script.steps.map(\.step) == [
                .press([.south]), .hold([.select, .start], seconds: 0.6), .key(.z, seconds: 0.15),
                .key(.leftShift, seconds: 1.1), .type("zelda 2"), .touch(100, 200.5),
                .waitIdle, .wait(seconds: 1.5), .waitText("No games yet"), .screenshot("/tmp/a b.png"),
                .expect("3 games"), .quit,
            ])
        #expect(script.steps.map(\.line) == [2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14])
    }

    @Test("a script written on Windows has the same lines")
    func windows() throws {
        let script = try Script("press a\r\n\r\nquit\r\n")
        #expect(script.steps.map(\.step) == [.press([.south]), .quit])
        #expect(script.steps.map(\.line) == [1, 3])
    }

    @Test(
        "a wrong line is told by its number",
        arguments: [
            "press", "press q9", "hold a", "hold a x", "key", "key hyper", "touch 1", "wait", "screenshot", "expect",
            "dance",
        ])
    func wrong(line: String) {
        do throws(ScriptError) {
            _ = try Script("# first\n" + line)
            Issue.record("accepted")
        } catch {
            #expect(error.line == 2)
            #expect(!error.reason.isEmpty)
        }
    }
}

@Suite("Words and sizes")
struct WordsTests {
    @Test("numbers, sizes and times read as people say them")
    func phrases() {
        #expect(Phrase.games(1) == "1 game")
        #expect(Phrase.games(128) == "128 games")
        #expect(Phrase.games(1_234_567) == "1,234,567 games")
        #expect(Phrase.bytes(0) == "0 bytes")
        #expect(Phrase.bytes(24592) == "25 KB")
        #expect(Phrase.bytes(1_500_000) == "1.5 MB")
        #expect(Phrase.duration(59) == "59 s")
        #expect(Phrase.duration(3600 * 2 + 60 * 5) == "2 h 5 min")
        #expect(Phrase.ago(200, now: 100) == "just now")
        #expect(Phrase.ago(0, now: 86400 * 3) == "3 days ago")
    }

    @Test(
        "the clock shows noon and midnight rightly in both ways",
        arguments: [
            (0, "0:00", "12:00 am"), (65, "1:05", "1:05 am"), (720, "12:00", "12:00 pm"), (1439, "23:59", "11:59 pm"),
        ])
    func clock(minutes: Int, long: String, short: String) {
        #expect(ClockView.format(minutes: minutes, uses24Hours: true) == long)
        #expect(ClockView.format(minutes: minutes, uses24Hours: false) == short)
    }

    @Test(
        "text never gets smaller than can be read, and everything fits the screen",
        arguments: [
            Size(640, 480), Size(800, 600), Size(1280, 720), Size(1920, 1080), Size(3840, 2160), Size(720, 1280),
        ])
    func themes(size: Size) {
        let theme = Theme(size: size)
        #expect(theme.label.size >= 13)
        #expect(theme.safeArea.width > 0 && theme.safeArea.maxX <= size.width)
        #expect(theme.safeArea.height > 0 && theme.safeArea.maxY <= size.height)
    }

    @Test("every trace line is one JSON object, whatever the text holds")
    func trace() {
        var lines: [String] = []
        let trace = Trace { lines.append($0) }
        trace.write("x", [("text", .text("a\"b\\c\n\u{1}é")), ("number", .number(1.5)), ("whole", .number(42))])
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix("\"text\":\"a\\\"b\\\\c\\u000a\\u0001é\",\"number\":1.5,\"whole\":42}\n"))
    }
}
