import Glibc
import SystemKit
import Systems
import Testing

@Suite struct BuiltInSystems {
    private let registry = SystemRegistry.load()

    @Test("the built-in files have no fault and describe at least seventy systems")
    func complete() {
        #expect(registry.problems.map(\.description) == [])
        #expect(registry.systems.count >= 70)
    }

    @Test("every system has an emulator, a maker, a colour of its own and extensions in small letters")
    func wellFormed() {
        for system in registry.systems {
            #expect(!system.emulators.isEmpty, "\(system.name)")
            #expect(!system.maker.isEmpty, "\(system.name)")
            #expect(system.extensions.allSatisfy { $0 == $0.lowercased() && !$0.hasPrefix(".") }, "\(system.name)")
        }
        #expect(Set(registry.systems.map(\.color)).count == registry.systems.count)
    }

    @Test("colours glow on a dark background")
    func colours() {
        for system in registry.systems {
            let channels = [system.color >> 16 & 0xFF, system.color >> 8 & 0xFF, system.color & 0xFF]
            #expect((channels.max() ?? 0) >= 0x90, "\(system.name)")
        }
    }

    @Test(
        "folder names of other frontends are understood",
        arguments: [
            ("genesis", "megadrive"), ("gamecube", "gc"), ("sg1000", "sg-1000"), ("sg-1000", "sg-1000"),
            ("pce", "pcengine"), ("tg16", "pcengine"), ("turbografx16", "pcengine"), ("sfc", "snes"),
            ("famicom", "nes"), ("ps1", "psx"), ("playstation", "psx"), ("megacd", "segacd"), ("dos", "pc"),
            ("colecovision", "coleco"), ("NES", "nes"), ("Mame-LibRetro", "mame"), ("np2pi", "pc98"), ("fba", "fbneo"),
        ])
    func aliases(folder: String, system: String) {
        #expect(registry.system(named: folder)?.name == system)
        #expect(registry.system(forFolder: Array(folder.utf8))?.name == system)
    }

    @Test("a folder name that is no UTF-8 is no system")
    func foreignFolder() {
        #expect(registry.system(forFolder: [0x6E, 0xFF, 0x73]) == nil)
        #expect(registry.system(named: "") == nil)
    }

    @Test("systems are sorted by full name whatever the case of its letters")
    func order() {
        let names = registry.systems.map { $0.fullName.utf8.map(asciiLowercased) }
        #expect(zip(names, names.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
    }
}

@Suite struct Overrides {
    private func load(_ files: [String: String]) throws -> SystemRegistry {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write("systems.d/\(name)", text) }
        return SystemRegistry.load(overrides: folder.path)
    }

    @Test("a field of a system is replaced and the others stay")
    func field() throws {
        let registry = try load(["a.json": ##"{"systems": [{"name": "nes", "color": "#112233", "depth": 2}]}"##])
        let nes = try #require(registry.system(named: "nes"))
        #expect(registry.problems == [])
        #expect(nes.color == 0x112233)
        #expect(nes.depth == 2)
        #expect(nes.fullName == "Nintendo Entertainment System")
        #expect(nes.emulators == SystemRegistry.load().system(named: "nes")?.emulators)
    }

    @Test("a new system may use a known emulator and bring one of its own")
    func newSystem() throws {
        let registry = try load([
            "mine.json": """
            {"systems": [{"name": "toy", "fullName": "Toy Computer", "extensions": ["toy", "tar.gz"],
              "emulators": ["mednafen", {"name": "toyemu", "program": ["/opt/toy/run", "--rom={rom}"]}]}]}
            """
        ])
        let toy = try #require(registry.system(named: "toy"))
        #expect(toy.extensions == ["toy", "tar.gz"])
        #expect(toy.emulators.map(\.name) == ["mednafen", "toyemu"])
        #expect(toy.emulators[0].packages == ["mednafen"])
        #expect(toy.emulators[1].method == .program(arguments: ["/opt/toy/run", "--rom={rom}"]))
    }

    @Test("emulators named in an override come first in its order, and one can be removed")
    func reorder() throws {
        let before = try #require(SystemRegistry.load().system(named: "nes")).emulators.map(\.name)
        let registry = try load([
            "order.json": """
            {"systems": [{"name": "nes", "emulators": ["mednafen", "fceux"], "removeEmulators": ["mesen"]}]}
            """
        ])
        let after = try #require(registry.system(named: "nes")).emulators.map(\.name)
        #expect(after.prefix(2) == ["mednafen", "fceux"])
        #expect(after.dropFirst(2) == before.filter { !["mednafen", "fceux", "mesen"].contains($0) }[...])
    }

    @Test("an emulator's arguments are replaced in one system, or everywhere")
    func replaceEmulator() throws {
        let registry = try load([
            "1.json": """
            {"emulators": [{"name": "mednafen", "program": ["/opt/mednafen", "{rom}"]}],
             "systems": [{"name": "nes", "emulators": [{"name": "fceux", "program": ["fceux", "{rom}"]}]}]}
            """
        ])
        let nes = try #require(registry.system(named: "nes"))
        let gb = try #require(registry.system(named: "gb"))
        #expect(nes.emulators[0].method == .program(arguments: ["fceux", "{rom}"]))
        #expect(nes.emulators[0].title == "FCEUX")
        #expect(
            gb.emulators.first { $0.name == "mednafen" }?.method == .program(arguments: ["/opt/mednafen", "{rom}"]))
    }

    @Test("a bad file costs only itself and is named with its line")
    func badFile() throws {
        let registry = try load([
            "1-good.json": ##"{"systems": [{"name": "nes", "color": "#010203"}]}"##,
            "2-bad.json":
                "{\"systems\": [\n{\"name\": \"snes\", \"color\": \"#040506\"},\n{\"name\": \"gb\" \"x\": 1}\n]}",
            "3-good.json": ##"{"systems": [{"name": "gba", "color": "#070809"}]}"##,
        ])
        #expect(registry.system(named: "nes")?.color == 0x010203)
        #expect(registry.system(named: "gba")?.color == 0x070809)
        #expect(registry.system(named: "snes")?.color == SystemRegistry.load().system(named: "snes")?.color)
        #expect(registry.problems.map(\.file.name) == ["2-bad.json"])
        #expect(registry.problems.map(\.line) == [3])
    }

    @Test("a folder that is absent, and files that are no definitions, are no problem")
    func nothingThere() throws {
        #expect(SystemRegistry.load(overrides: "/nonexistent").problems == [])
        #expect(try load(["README.txt": "hello", ".hidden.json": "{"]).problems == [])
    }
}

@Suite struct Faults {
    /// The text, the line of its fault, and words of the reason.
    static let cases: [(String, Int, String)] = [
        ("", 1, "the file ends"),
        ("{\n\"systems\": [],\n}", 2, "a comma after the last element"),
        ("{\n\"systems\": []\n\"emulators\": []}", 2, "a comma is missing"),
        ("{\"systems\": [\n{\"name\": \"nes\nx\"}]}", 2, "closing quotation mark"),
        ("{\"systems\": []}\n\nx", 3, "more text after the end"),
        ("{\"systems\": [],\n\"systems\": []}", 2, "is there twice"),
        ("[]", 1, "must be an object"),
        ("{\n\"sistems\": []}", 2, "\"sistems\" is not known"),
        ("{\"systems\":\n{}}", 2, "must be a list"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"colour\": \"#123456\"}]}", 2, "\"colour\" is not known"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"color\": \"red\"}]}", 2, "must look like #E60012"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"color\": \"#12345G\"}]}", 2, "must look like #E60012"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"year\": \"1983\"}]}", 2, "must be a whole number"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"year\": 1983.5}]}", 2, "must be a whole number"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"kind\": \"toaster\"}]}", 2, "must be one of console, handheld"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"extensions\": [\n\".nes\"]}]}", 3, "without its first dot"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"extensions\": [\"NES\"]}]}", 2, "in small letters"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"extensions\": []}]}", 2, "is empty"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"extensions\": [\"a\", \"a\"]}]}", 2, "already in line 2"),
        ("{\"systems\": [\n{\"name\": \"nes\"},\n{\"name\": \"nes\"}]}", 3, "already in line 2"),
        ("{\"systems\": [\n{\"name\": \"../x\"}]}", 2, "is no good name"),
        ("{\"systems\": [\n{\"fullName\": \"x\"}]}", 2, "needs a \"name\""),
        ("{\"systems\": [\n{\"name\": \"new\", \"extensions\": [\"x\"]}]}", 2, "needs a \"fullName\""),
        ("{\"systems\": [\n{\"name\": \"new\", \"fullName\": \"New\"}]}", 2, "needs \"extensions\""),
        ("{\"systems\": [\n{\"name\": \"nes\", \"aliases\": [\"snes\"]}]}", 2, "belongs to \"snes\""),
        ("{\"systems\": [{\"name\": \"nes\", \"emulators\": [\n\"nothing\"]}]}", 2, "is not known"),
        ("{\"systems\": [{\"name\": \"nes\", \"emulators\": [\n{\"name\": \"e\", \"core\": \"e.so\"}]}]}", 2, "core"),
        (
            "{\"systems\": [{\"name\": \"nes\", \"emulators\": [{\"name\": \"e\",\n\"program\": [\"e\", \"{rim}\"]}]}]}",
            2,
            "{rim} is not known"
        ),
        ("{\"systems\": [{\"name\": \"nes\", \"emulators\": [{\"name\": \"e\",\n\"program\": []}]}]}", 2, "is empty"),
        (
            "{\"systems\": [{\"name\": \"nes\", \"emulators\": [{\"name\": \"e\",\n\"program\": [\"./e\"]}]}]}", 2,
            "slash"
        ),
        ("{\"emulators\": [{\"name\": \"e\", \"core\": \"e_libretro.so\",\n\"program\": [\"e\"]}]}", 2, "either"),
        ("{\"systems\": [\n{\"name\": \"nes\", \"removeEmulators\": [\"x\"]}]}", 2, "has no emulator \"x\""),
        (String(repeating: "[", count: 100), 1, "nested too deeply"),
        ("{\"systems\": [{\"name\": \"nes\",\n\"year\": 01983}]}", 2, "not a number"),
        ("{\"systems\": [{\"name\": \"\\ud800\"}]}", 1, "surrogate"),
    ]

    @Test("each fault is told with its line and a reason, and nothing of the file is used", arguments: cases)
    func fault(text: String, line: Int, words: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("systems.d/x.json", text)
        let registry = SystemRegistry.load(overrides: folder.path.appending("systems.d"))
        let problem = try #require(registry.problems.first)
        #expect(problem.line == line)
        #expect(problem.reason.contains(words), "\(problem.reason)")
        #expect(problem.description.hasPrefix("\(folder.path)/systems.d/x.json:\(line): "))
        #expect(registry.systems == SystemRegistry.load().systems)
    }

    @Test("all faults of a file are told at once")
    func several() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "systems.d/x.json", "{\"systems\": [{\"name\": \"nes\",\n\"year\": 1,\n\"color\": 2,\n\"z\": 3}]}")
        #expect(SystemRegistry.load(overrides: folder.path).problems.map(\.line) == [2, 3, 4])
    }

    @Test("a byte order mark, escapes and Windows line ends are fine")
    func lenient() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "systems.d/x.json",
            "\u{FEFF}{\r\n\"systems\": [{\"name\": \"nes\", \"maker\": \"A\\u00e9\\ud83d\\ude00\\/\"}]\r\n}\r\n")
        let registry = SystemRegistry.load(overrides: folder.path)
        #expect(registry.problems == [])
        #expect(registry.system(named: "nes")?.maker == "Aé😀/")
    }

    @Test("a file of nonsense is told in a few lines")
    func nonsense() throws {
        let folder = try TemporaryFolder()
        let extensions = Array(repeating: "\"z\"", count: 10_000).joined(separator: ",\n")
        let system = "{\"name\": \"zz\", \"fullName\": \"Z\", \"extensions\": [\(extensions)]}"
        try folder.write("systems.d/a.json", "{\"systems\": [\(system)]}")
        try folder.write("systems.d/b.json", String(repeating: "9", count: 100_000))
        let problems = SystemRegistry.load(overrides: folder.path).problems
        #expect(problems.count == 22)
        #expect(problems.allSatisfy { $0.reason.count <= 300 })
        #expect(problems.dropLast().last?.reason == "and 9979 more faults")
    }

    @Test("what is no file is told and not waited for", .timeLimit(.minutes(1)))
    func specialFiles() throws {
        let folder = try TemporaryFolder()
        try createDirectories(folder.path.appending("systems.d/folder.json"))
        let pipe = folder.path.appending("systems.d/pipe.json")
        #expect(pipe.withCString { mkfifo($0, 0o644) } == 0)
        _ = folder.path.appending("systems.d/zero.json").withCString { symlink("/dev/zero", $0) }
        let registry = SystemRegistry.load(overrides: folder.path)
        #expect(registry.problems.map(\.file.name) == ["folder.json", "pipe.json", "zero.json"])
        #expect(registry.problems.map(\.reason) == ["it is a folder", "it is no file", "it is no file"])
        #expect(registry.systems == SystemRegistry.load().systems)
    }

    @Test("a home that is no absolute path is none")
    func relativeHome() {
        let root = DataRoot.resolve(option: nil, environment: ["HOME": "there"], applianceMarker: "/nonexistent")
        #expect(root.root == "/root/retro")
    }
}
