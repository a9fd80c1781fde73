import Catalog
import Glibc
import Launching
import SystemKit
import Systems
import Testing

@Suite struct Choosing {
    private let stage: Stage
    private let first: EmulatorDefinition
    private let second: EmulatorDefinition
    private let third: EmulatorDefinition
    private let absent = EmulatorDefinition(
        name: "absent", title: "Absent", method: .libretro(core: "absent_libretro.so"), packages: ["libretro-absent"])

    init() throws {
        stage = try Stage()
        first = try stage.emulator("", name: "first")
        second = try stage.emulator("", name: "second")
        third = try stage.emulator("", name: "third")
        try stage.folder.write("bin/retroarch", "", mode: 0o755)
    }

    @Test("what is asked for goes before the game's choice, that before the system's, that before the order")
    func precedence() throws {
        let planner = stage.planner([absent, first, second, third])
        let plain = try stage.game()
        let own = try stage.game("other.toy", emulator: "second")
        #expect(try planner.plan(for: plain).emulator.definition == first)
        #expect(try planner.plan(for: plain, systemChoice: "third").emulator.definition == third)
        #expect(try planner.plan(for: own, systemChoice: "third").emulator.definition == second)
        #expect(
            try planner.plan(for: own, emulator: "first", systemChoice: "third").emulator.definition == first)
        #expect(planner.choices(for: "toy").map { $0.installed != nil } == [false, true, true, true])
    }

    @Test("a choice that is not installed is told with its package, and not replaced silently")
    func chosenButAbsent() throws {
        let planner = stage.planner([absent, first])
        let game = try stage.game("x.toy", emulator: "absent")
        let error = launchError { try planner.plan(for: game) }
        #expect(
            error?.description
                == "The core absent_libretro.so is not installed. Install the package libretro-absent."
                + " Or choose another emulator for this game.")
    }

    @Test("an emulator asked for that the system does not have is told with those it has")
    func unknown() throws {
        let planner = stage.planner([first, second])
        let error = launchError { try planner.plan(for: try stage.game(), emulator: "nope") }
        #expect(error?.description == "Toy Computer has no emulator nope. Choose first or second.")
    }

    @Test("a stored choice that no longer exists falls back to the order")
    func vanishedChoice() throws {
        let game = try stage.game("x.toy", emulator: "gone")
        #expect(try stage.planner([first]).plan(for: game, systemChoice: "gone too").emulator.definition == first)
    }

    @Test("without any emulator the preferred one is named")
    func none() throws {
        let error = launchError { try stage.planner([absent]).plan(for: try stage.game()) }
        #expect(error?.description.hasPrefix("Nothing here can play Toy Computer games. The core absent") == true)
    }

    @Test("a system that is not described is told")
    func unknownSystem() throws {
        let game = try stage.game(system: "mystery")
        #expect(throws: LaunchError.unknownSystem("mystery")) { try stage.planner([first]).plan(for: game) }
    }
}

@Suite struct Prechecking {
    private let stage: Stage
    private let planner: LaunchPlanner

    init() throws {
        stage = try Stage()
        planner = stage.planner([try stage.emulator("")])
    }

    @Test("a file that is gone is told")
    func gone() throws {
        let path = stage.root.roms.appending("toy/gone.toy")
        #expect(throws: LaunchError.gameMissing(title: "The Game", path: path)) {
            try planner.plan(for: stage.described(path))
        }
    }

    @Test("a file that may not be read is told")
    func unreadable() throws {
        guard geteuid() != 0 else {
            print("not tested: an unreadable file needs a user other than root")
            return
        }
        let game = try stage.game()
        _ = game.path.withCString { chmod($0, 0) }
        #expect(throws: LaunchError.gameUnreadable(title: "The Game", path: game.path, reason: "Permission denied")) {
            try planner.plan(for: game)
        }
    }

    @Test("a core or program that went away is told, and one that may not be run")
    func programs() throws {
        let stub = try stage.emulator("", name: "locked")
        _ = stage.folder.path.appending("bin/locked").withCString { chmod($0, 0o644) }
        #expect(throws: LaunchError.self) { try stage.planner([stub]).plan(for: try stage.game()) }
    }

    /// A sheet's name, its text, files beside it, and the members that are missing.
    static let sheets: [(String, String, [String], [String])] = [
        ("a.cue", "FILE \"a.bin\" BINARY\n  TRACK 01 MODE2/2352\n", ["a.bin"], []),
        ("a.cue", "FILE \"a.bin\" BINARY\n", [], ["a.bin"]),
        ("a.cue", "\u{FEFF}FILE \"A.BIN\" BINARY\r\n", ["a.bin"], []),
        ("a.cue", "file a.bin BINARY\r", ["a.bin"], []),
        ("a.cue", "FILE \"C:\\games\\a.bin\" BINARY\n", ["a.bin"], []),
        (
            "a.cue", "FILE \"a (Track 1).bin\" BINARY\nFILE \"a (Track 2).bin\" BINARY\n", ["a (Track 1).bin"],
            ["a (Track 2).bin"]
        ),
        (
            "a.gdi", "3\n1 0 4 2352 track01.bin 0\n2 600 0 2352 \"track 02.raw\" 0\n3 45000 4 2352 track03.bin 0\n",
            ["track01.bin"], ["track 02.raw", "track03.bin"]
        ),
        ("a.m3u", "# a comment\n\n  disc1.chd  \r\nsub\\disc2.chd\n", ["disc1.chd", "sub/disc2.chd"], []),
        ("a.m3u", "disc1.cue\n", ["disc1.cue"], ["inner.bin"]),
        ("a.m3u", "a.m3u\n", [], []),
        ("a.m3u", "disc1.chd|First\n\"disc 2.chd\"\n", ["disc1.chd", "disc 2.chd"], []),
        ("a.cue", "FILE\ta b.bin BINARY\nFILE c d.bin\n", ["a b.bin", "c d.bin"], []),
        ("a.cue", "FILE \"\" BINARY\nFILE\nFILE \n", [], []),
        ("a.gdi", "1\n1 0 4 2352 track 01.bin 0\n", ["track 01.bin"], []),
        ("a.m3u", "", [], []),
        ("a.toy", "FILE \"a.bin\" BINARY\n", [], []),
    ]

    @Test("members of sheets are looked for, whatever wrote the sheet", arguments: sheets)
    func members(name: String, text: String, files: [String], missing: [String]) throws {
        let game = try stage.game(BytePath(name), contents: text)
        for file in files {
            let contents = file.hasSuffix(".cue") ? "FILE inner.bin BINARY\n" : "x"
            try stage.folder.write("retro root/roms/toy/\(file)", contents)
        }
        if missing.isEmpty {
            #expect(try planner.plan(for: game).arguments.last == game.path)
        } else {
            #expect(throws: LaunchError.membersMissing(title: "The Game", members: missing)) {
                try planner.plan(for: game)
            }
        }
    }

    @Test("a sheet in UTF-16 is read")
    func wide() throws {
        let text = "disc1.chd\r\ndisc2.chd\r\n"
        let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let path = stage.root.roms.appending("toy/wide.m3u")
        try replaceFile(at: path, with: bytes)
        try stage.folder.write("retro root/roms/toy/disc1.chd", "x")
        #expect(throws: LaunchError.membersMissing(title: "The Game", members: ["disc2.chd"])) {
            try planner.plan(for: stage.described(path))
        }
    }

    @Test(
        "a sheet whose encoding nobody wrote down means the files that are there",
        arguments: [[0xEB] as [UInt8], [0xC3, 0xAB], [0x83, 0x51]])
    func unclearEncodings(letter: [UInt8]) throws {
        let sheet = BytePath(bytes: Array("Spiel.m3u".utf8))
        // As Windows-1252, UTF-8 or Shift-JIS wrote it, and as the disk has it.
        let names = [BytePath("Spi\u{EB}l.chd"), BytePath("Spi\u{30B2}l.chd")]
        for name in names { try replaceFile(at: stage.root.roms.appending("toy").appending(name), with: [1]) }
        try replaceFile(
            at: stage.root.roms.appending("toy").appending(sheet),
            with: Array("Spi".utf8) + letter + Array("l.chd\r\n".utf8))
        let path = stage.root.roms.appending("toy").appending(sheet)
        #expect(try planner.plan(for: stage.described(path)).arguments.last == path)
    }

    @Test("a sheet of half a million names, or that names a pipe, does not hold anybody up", .timeLimit(.minutes(1)))
    func hostileSheets() throws {
        let long = try stage.game("long.m3u", contents: String(repeating: "a\n", count: 500_000))
        #expect(throws: LaunchError.membersMissing(title: "The Game", members: ["a"])) { try planner.plan(for: long) }
        let many = try stage.game("many.m3u", contents: (0..<100_000).map { "d\($0)/x\n" }.joined())
        guard case .membersMissing(_, let members)? = launchError({ try planner.plan(for: many) }) else {
            Issue.record("nothing is missing")
            return
        }
        #expect(members.count == 1000)
        let wide = try stage.game("wide.m3u", contents: String(repeating: "wide ", count: 700))
        #expect((launchError { try planner.plan(for: wide) }?.description.count ?? 1000) < 200)
        let pipe = stage.root.roms.appending("toy/pipe.cue")
        #expect(pipe.withCString { mkfifo($0, 0o644) } == 0)
        let piped = try stage.game("piped.m3u", contents: "pipe.cue\n")
        #expect(try planner.plan(for: piped).arguments.last == piped.path)
    }

    @Test("a folder with a game's extension stands for the file of its name inside")
    func folderGame() throws {
        let inner = try stage.folder.write("retro root/roms/toy/FF7.m3u/FF7.m3u", "")
        #expect(try planner.plan(for: stage.described(inner.parent)).arguments.last == inner)
        let odd = try stage.folder.write("retro root/roms/toy/Odd.svm/data", "")
        #expect(try planner.plan(for: stage.described(odd.parent)).arguments.last == odd.parent)
    }

    @Test("missing members are told in a sentence")
    func sentence() {
        let error = LaunchError.membersMissing(title: "Ridge", members: ["r1.bin", "r2.bin", "r3.bin", "r4.bin"])
        #expect(
            error.description == "Ridge is not complete. r1.bin, r2.bin and 2 more files are missing."
                + " Copy all its files into the same folder.")
    }
}

@Suite struct RetroArchPlans {
    private let stage: Stage
    private let core = EmulatorDefinition(name: "toy", title: "Toy", method: .libretro(core: "toy_libretro.so"))

    init() throws {
        stage = try Stage()
        try stage.folder.write("bin/retroarch", "#!/bin/sh\nexit 0\n", mode: 0o755)
        try stage.folder.write("cores/toy_libretro.so", "")
    }

    private func configuration(_ plan: LaunchPlan) throws -> [String: String] {
        let file = try #require(plan.files.last)
        var values: [String: String] = [:]
        for line in String(decoding: file.contents, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            #expect(values[parts[0]] == nil, "\(parts[0]) is there twice")
            values[parts[0]] = parts[1].hasPrefix("\"") ? String(parts[1].dropFirst().dropLast()) : parts[1]
        }
        return values
    }

    @Test("saves, states, screenshots and firmware are in our folders, and every path is absolute")
    func paths() throws {
        let plan = try stage.planner([core]).plan(for: try stage.game())
        let values = try configuration(plan)
        #expect(values["savefile_directory"] == "\(stage.root.saves)/toy")
        #expect(values["savestate_directory"] == "\(stage.root.states)/toy")
        #expect(values["screenshot_directory"] == "\(stage.root.screenshots)/toy")
        #expect(values["system_directory"] == "\(stage.root.bios)")
        #expect(values["joypad_autoconfig_dir"] == LaunchPlanner.controllerProfiles(in: stage.root).text)
        #expect(values["autosave_interval"] == "10")
        for (key, value) in values
        where !key.contains("content_dir") && (key.hasSuffix("_directory") || key.hasSuffix("_dir")) {
            #expect(value.hasPrefix("/"), "\(key)")
        }
        #expect(plan.folders.contains(stage.root.saves.appending("toy")))
    }

    @Test("no key leaves the game or opens a surprise but those that are meant to")
    func keys() throws {
        let values = try configuration(try stage.planner([core]).plan(for: try stage.game()))
        #expect(values["input_exit_emulator"] == "nul")
        #expect(values["input_player1_start"] == "enter")
        #expect(values["input_player1_select"] == "rshift")
        #expect(values["config_save_on_exit"] == "false")
    }

    @Test(
        "drivers follow the machine",
        arguments: [
            (DisplayFacts(server: .x11, hasGPU: true, sound: .server), "x", "pulse", "false"),
            (DisplayFacts(server: .kms, hasGPU: true, sound: .card), "udev", "alsathread", "false"),
            (DisplayFacts(server: .wayland, hasGPU: true, sound: .none), "wayland", nil, "true"),
            (DisplayFacts(server: .x11, hasGPU: false, sound: .none), "x", nil, "true"),
        ])
    func drivers(display: DisplayFacts, input: String, audio: String?, paced: String) throws {
        let values = try configuration(try stage.planner([core], display: display).plan(for: try stage.game()))
        #expect(values["input_driver"] == input)
        #expect(values["audio_driver"] == audio)
        #expect(values["audio_enable"] == (audio == nil ? "false" : "true"))
        #expect(values["vrr_runloop_enable"] == paced)
    }

    @Test("a person's additions are read last, the system's after the common ones")
    func additions() throws {
        #expect(try !stage.planner([core]).plan(for: try stage.game()).arguments.contains("--appendconfig"))
        let common = stage.root.configuration.appending("retroarch.cfg")
        let own = stage.root.configuration.appending("retroarch-toy.cfg")
        for path in [common, own] {
            try createDirectories(path.parent)
            try replaceFile(at: path, with: [])
        }
        let arguments = try stage.planner([core]).plan(for: try stage.game()).arguments
        let index = try #require(arguments.firstIndex(of: "--appendconfig"))
        #expect(arguments[index + 1].text == "\(common)|\(own)")
    }

    @Test("a damaged configuration is written anew by the next launch", arguments: [0, 1, 4096, -1])
    func damaged(length: Int) async throws {
        let profile = GeneratedFile(
            path: LaunchPlanner.controllerProfiles(in: stage.root).appending("Pad.cfg"), contents: Array("x".utf8))
        let plan = try stage.planner([core], profiles: [profile]).plan(for: try stage.game())
        _ = try await play(plan)
        let file = try #require(plan.files.last)
        let size = length < 0 ? file.contents.count - 1 : length
        for damage in [Array(file.contents.prefix(size)), [UInt8](repeating: 0, count: file.contents.count)] {
            try replaceFile(at: file.path, with: damage)
            try replaceFile(at: profile.path, with: damage)
            _ = try await play(plan)
            #expect(try readFile(file.path) == file.contents)
            #expect(try readFile(profile.path) == profile.contents)
        }
    }

    @Test("what a killed run had unpacked is deleted before the next, and nothing else")
    func scratch() async throws {
        let plan = try stage.planner([core]).plan(for: try stage.game())
        let scratch = try #require(plan.scratch)
        let left = scratch.appending("disc.iso")
        let kept = stage.root.saves.appending("toy/game.srm")
        for path in [left, kept] {
            try createDirectories(path.parent)
            try replaceFile(at: path, with: [1])
        }
        _ = try await play(plan)
        #expect(try directoryNames(scratch) == [])
        #expect(fileExists(kept))
    }

    @Test("a plan changes nothing on the disk")
    func pure() throws {
        _ = try stage.planner([core]).plan(for: try stage.game())
        #expect(!fileExists(stage.root.state))
        #expect(!fileExists(stage.root.saves))
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
