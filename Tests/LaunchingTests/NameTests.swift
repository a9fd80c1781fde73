import Catalog
import Glibc
import Launching
import SystemKit
import Systems
import Testing

/// Names from reports of what broke other frontends, byte for byte.
private let awkwardNames: [BytePath] = [
    "really 'weird' %%ROM%% name%s%y%m.nes", "100%ROM% done.nes", "%BASENAME%.nes", "a%s%n%d.nes",
    "{rom}.nes", "{core}{config} {stem}.nes", "{{rom}}.nes", "{rom", "}{",
    "WarioWare, Inc. - Mega Microgame$! (USA).gba", "$$.nes", "$1.nes", "${HOME}.nes", "`id`.nes", "!!.nes",
    "Battletoads & Double Dragon (E).nes", "North & South (U) [!].nes", "Mario's Picross.gb", "D&D - Warriors.md",
    "a+b=c?d#e.nes", "back\\slash\\.nes", "tab\there.nes", "new\nline.nes", "bell\u{07}.nes", "trailing blank .nes ",
    " leading.nes", "..hidden.nes", "...", "*.nes", "[a-z]?.nes", "~root.nes", "|pipe|.nes", "quote\".nes", "''.nes",
    BytePath(bytes: Array("Br".utf8) + [0xF8] + Array("derbund.nes".utf8)),
    BytePath(bytes: [0x83, 0x7D, 0x83, 0x8A, 0x83, 0x49] + Array(".sfc".utf8)),
    BytePath(bytes: [0xFF, 0xFE] + Array(".gb".utf8)),
    "x\u{B2}\u{BD}\u{D8}.bin", "👩‍👩‍👧.nes", "\u{130}stanbul.nes", "שלום.nes",
    BytePath("e\(String(repeating: "\u{301}", count: 90)).nes"),
    "Poke\u{301}mon.gb", "Pok\u{E9}mon.gb", "-L core.nes", "--help.nes", "-rf", "Commodore - VIC-20.prg",
    "$(touch PWNED).nes", "`touch PWNED`.nes", ";reboot;.nes", "a\" -L b.so .nes", "&& touch PWNED.nes",
    "\u{202E}sen.emag.nes", BytePath(bytes: [UInt8](repeating: 0x61, count: 255)),
]

@Suite struct Names {
    @Test("a name of any bytes reaches the program's argv unchanged", arguments: awkwardNames)
    func exactBytes(name: BytePath) async throws {
        let stage = try Stage()
        let record = stage.folder.path.appending("argv")
        let stub = try stage.emulator(
            "printf '%s\\0' \"$@\" > '\(record)'",
            arguments: ["{rom}", "--file={rom}", "{stem}", "{romDirectory}", "{saves}", "{system}", "{unknown} 100%"])
        let game = try stage.game(name)
        let plan = try stage.planner([stub]).plan(for: game)
        _ = try await play(plan)

        let rom = game.path
        let expected: [BytePath] = [
            rom, BytePath(bytes: Array("--file=".utf8) + rom.bytes), rom.stem, stage.root.roms.appending("toy"),
            stage.root.saves.appending("toy"), "toy", "{unknown} 100%",
        ]
        let seen = try readFile(record).split(separator: 0, omittingEmptySubsequences: false).dropLast()
        #expect(seen.map { BytePath(bytes: $0) } == expected)
        #expect(rom.isAbsolute)
        #expect(try directoryNames(rom.parent).contains(name))
        #expect(!fileExists(stage.root.saves.appending("toy/PWNED")))
        #expect(!fileExists(rom.parent.appending("PWNED")))
    }

    @Test("RetroArch gets the name unchanged too, as its last argument and absolute", arguments: awkwardNames)
    func retroArch(name: BytePath) async throws {
        let stage = try Stage()
        let record = stage.folder.path.appending("argv")
        try stage.folder.write("bin/retroarch", "#!/bin/sh\nprintf '%s\\0' \"$@\" > '\(record)'\n", mode: 0o755)
        try stage.folder.write("cores/toy_libretro.so", "")
        let core = EmulatorDefinition(name: "toy", title: "Toy", method: .libretro(core: "toy_libretro.so"))
        let game = try stage.game(name)
        let plan = try stage.planner([core]).plan(for: game)
        _ = try await play(plan)
        let seen = try readFile(record).split(separator: 0).map { BytePath(bytes: $0) }
        #expect(seen == Array(plan.arguments.dropFirst()))
        #expect(seen.last == game.path)
    }

    @Test("a template of braces is taken as it is, and quickly", .timeLimit(.minutes(1)))
    func braces() throws {
        let stage = try Stage()
        let wall = String(repeating: "{", count: 300_000)
        let emulator = try stage.emulator("", arguments: [wall + "{rom}}", "{{rom}", "{rom", "rom}{}"])
        let game = try stage.game()
        let arguments = try stage.planner([emulator]).plan(for: game).arguments
        #expect(arguments[1] == BytePath("\(wall)\(game.path)}"))
        #expect(arguments.dropFirst(2) == [BytePath("{\(game.path)"), "{rom", "rom}{}"])
    }

    @Test("two names that look the same are two games")
    func composed() throws {
        let stage = try Stage()
        let stub = try stage.emulator("")
        let plans = try ["Poke\u{301}mon.gb", "Pok\u{E9}mon.gb"].map { name in
            try stage.planner([stub]).plan(for: try stage.game(BytePath(name)))
        }
        #expect(plans[0].arguments != plans[1].arguments)
    }

    @Test("a relative root still gives absolute arguments")
    func relativeRoot() throws {
        let stage = try Stage()
        let game = try stage.game()
        let relative = Game(
            id: 1, system: "toy", path: BytePath(relativePath(to: game.path)), relativePath: "game.toy", title: "G",
            sortTitle: "G")
        let plan = try stage.planner([try stage.emulator("")]).plan(for: relative)
        #expect(plan.arguments[1].isAbsolute)
    }

    private func relativePath(to path: BytePath) -> String {
        let depth = BytePath(".").absolute.bytes.filter { $0 == UInt8(ascii: "/") }.count
        return String(repeating: "../", count: depth) + path.displayString.dropFirst()
    }
}
