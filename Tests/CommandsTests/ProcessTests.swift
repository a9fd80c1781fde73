import Glibc
import SystemKit
import Testing

@testable import Commands

@Suite("The program as the shell sees it")
struct ProcessTests {
    private let folder: World

    init() throws { folder = try World() }

    private func shell(_ script: String) throws -> Program.Result {
        let program = try Program.retroAdmin()
        let text = """
            admin=\(program.displayString)
            root=\(folder.root.displayString)
            \(script)
            """
        return try Program.run("/bin/bash", [], input: text, in: folder.folder)
    }

    @Test("a status reaches the shell")
    func status() throws {
        #expect(try shell("$admin --version; echo $?").output == "retro-admin 0.1.0\n0\n")
        #expect(try shell("$admin stauts 2>/dev/null; echo $?").output == "64\n")
        #expect(try shell("$admin --root $root config set menu.clock 13 2>/dev/null; echo $?").output == "65\n")
    }

    @Test("a reader that has enough ends nothing early and is no error")
    func brokenPipe() throws {
        let result = try shell("$admin --root $root systems --all --json | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}")
        #expect(result.output == "0\n")
        #expect(result.messages == "")
    }

    @Test("a closed standard output is told, and never becomes the catalog")
    func closedOutput() throws {
        let result = try shell("$admin --root $root scan >&-; echo $?; $admin --root $root status --json | grep state")
        #expect(result.output.hasPrefix("74\n"))
        #expect(result.output.contains("\"state\": \"ok\""))
        #expect(result.messages.contains("standard output"))
    }

    @Test("a full device under standard output is told")
    func fullDevice() throws {
        let result = try shell("$admin --help >/dev/full; echo $?")
        #expect(result.output == "74\n")
        #expect(result.messages == "retro-admin: standard output: No space left on device\n")
    }

    @Test("argv is bytes: a path that is no UTF-8 is found")
    func bytes() throws {
        let result = try shell(
            """
            mkdir -p $root/roms/nes; printf x > "$root/roms/nes/$(printf 'Br\\370d').nes"
            cd $root/roms; $admin --root $root game show --json nes/*.nes | grep -c pathBytes; echo ${PIPESTATUS[0]}
            """)
        #expect(result.output == "1\n0\n", "\(result.messages)")
    }

    @Test("root leaves nothing of its own in the data of somebody else")
    func ownership() throws {
        guard geteuid() == 0 else { return print("NOT CHECKED: giving up root needs root") }
        try folder.rom("nes/A.nes")
        _ = try shell(
            "chown -R 65534:65534 $root; $admin --root $root scan; $admin --root $root config set menu.motion off")
        let others = try shell("find $root ! -user 65534")
        #expect(others.output == "")
        #expect(fileExists(folder.root.appending("roms/snes")))
    }

    @Test("a folder that one may not write is 77, with what to do")
    func permission() throws {
        guard geteuid() == 0, Program.find("setpriv", for: "a lack of permission") != nil else { return }
        let result = try shell(
            "$admin --root $root scan; setpriv --reuid 65534 --clear-groups $admin --root $root scan; echo $?")
        #expect(result.output.hasSuffix("\n77\n"))
        #expect(result.messages.contains("Permission denied") && result.messages.contains("sudo"))
    }

    @Test("Ctrl-C ends following a log at once and well")
    func interrupt() async throws {
        let log = folder.root.appending(".retro/menu.log")
        try createDirectories(log.parent)
        try replaceFile(at: log, with: Array("first\n".utf8))
        let output = folder.folder.appending("followed")
        let child = try Program.start(
            try Program.retroAdmin(), ["--root", folder.root, "logs", "--follow"], output: output,
            messages: folder.folder.appending("messages"))
        #expect(await grows(output, to: "first\n"))
        let file = try Descriptor.open(log, flags: O_WRONLY | O_APPEND)
        try file.writeAll(Array("second\n".utf8), subject: log)
        #expect(await grows(output, to: "first\nsecond\n"))
        child.signal(SIGINT)
        #expect(child.wait(seconds: 30) == .exited(0))
    }

    private func grows(_ path: BytePath, to text: String) async -> Bool {
        await comesTrue { (try? readFile(path)) == Array(text.utf8) }
    }
}

@Suite("Signals while a command works")
struct SignalTests {
    private let folder: World

    init() throws { folder = try World() }

    @Test("Ctrl-C in a scan ends the program as the signal does, and the catalog is sound")
    func scan() async throws {
        try folder.rom("nes/A.nes")
        _ = await folder.run("scan")
        // Another scan holds the lock, so this one is certainly still at work when the signal comes.
        let lock = try LockFile(folder.root.appending(".retro/scan.lock"))
        let messages = folder.folder.appending("messages")
        let child = try Program.start(
            try Program.retroAdmin(), ["--root", folder.root, "scan"], output: folder.folder.appending("output"),
            messages: messages)
        #expect(await hasThread("catalog-scan", child), "the scan did not start")
        child.signal(SIGINT)
        #expect(child.wait(seconds: 30) == .signalled(SIGINT))
        #expect(String(decoding: try readFile(messages), as: UTF8.self) == "retro-admin: interrupted\n")
        lock.release()
        let status = try await folder.run("status", "--json").json()
        #expect(status["database"]?["state"]?.string == "ok")
        #expect(status["games"]?["total"]?.integer == 1)
    }

    @Test("a game is left politely when the command is asked to end, and what was played is stored")
    func launch() async throws {
        try folder.testSystem(
            emulator: try folder.program(
                "stub",
                "trap 'echo saved > \"$0.save\"; exit 0' TERM; echo up > \"$0.up\"; while :; do sleep 0.05; done"))
        let rom = try folder.rom("tst/Game.tst")
        _ = await folder.run("scan")
        let output = folder.folder.appending("output")
        let child = try Program.start(
            try Program.retroAdmin(), ["--root", folder.root, "launch", rom, "--json"], output: output,
            messages: folder.folder.appending("messages"))
        #expect(await appears(folder.programs.appending("stub.up")), "the game did not start")
        child.signal(SIGTERM)
        #expect(child.wait(seconds: 30) == .exited(0))
        #expect(fileExists(folder.programs.appending("stub.save")))
        #expect(String(decoding: try readFile(output), as: UTF8.self).contains("\"outcome\": \"stopped\""))
        let game = try await folder.run("game", "show", rom, "--json").json()
        #expect(game["playCount"]?.integer == 1)
        #expect(game["lastPlayed"]?.string?.hasSuffix("Z") == true)
        #expect(try await folder.run("games", "--recent", "--json").json().array.count == 1)
    }

    private func hasThread(_ name: String, _ child: ChildProcess) async -> Bool {
        await comesTrue {
            let tasks = BytePath("/proc/\(child.id)/task")
            return ((try? directoryNames(tasks)) ?? []).contains { task in
                (try? readFile(tasks.appending(task).appending("comm"))) == Array("\(name)\n".utf8)
            }
        }
    }

    private func appears(_ path: BytePath) async -> Bool { await comesTrue { fileExists(path) } }
}
