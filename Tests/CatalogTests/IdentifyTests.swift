import ArchiveSupport
import DigestKit
import SystemKit
import Systems
import Testing

@testable import Catalog

private let header: [UInt8] = [0x4E, 0x45, 0x53, 0x1A] + Array(repeating: 0, count: 12)

/// A DAT file of some games.
private func dat(_ name: String, version: String = "1", _ games: [(String, [UInt8])]) -> [UInt8] {
    var text = "<datafile><header><name>\(name)</name><version>\(version)</version></header>\n"
    for (game, contents) in games {
        let crc = String(CRC32.of(contents), radix: 16)
        text += "<game name=\"\(game)\"><description>\(game)</description>"
        text += "<rom name=\"\(game).nes\" size=\"\(contents.count)\" crc=\"\(crc)\"/></game>\n"
    }
    return Array((text + "</datafile>").utf8)
}

@Suite("Names by the contents of files")
struct IdentifyTests {
    private let library: Library

    init() throws { library = try Library("identify") }

    private func scanned(onChange: (@Sendable (CatalogChange) -> Void)? = nil) async throws -> CatalogStore {
        let store = try library.open(onChange: onChange)
        _ = try await store.scan()
        return store
    }

    private func importDAT(_ store: CatalogStore, _ bytes: [UInt8], system: String = "nes") async throws -> DATReport {
        let file = library.folder.appending("list.dat")
        try writeFile(file, bytes)
        return try await store.importDAT(from: file, system: system)
    }

    private func identification(_ store: CatalogStore, _ path: String) async throws -> Identification? {
        let game = try #require(try await store.game(path: library.root.roms.appending(path)))
        return try await store.identification(of: game.id)
    }

    private func zip(_ path: String, _ members: [(String, ArchiveMaker.Content)]) throws {
        let file = library.root.roms.appending(path)
        try createDirectories(file.parent)
        let isMade = ArchiveMaker.make(file.displayString, .zip(), members)
        try #require(isMade)
        age(file)
    }

    @Test("files, members of archives and contents behind a header are named; what is unknown stays as it was")
    func names() async throws {
        try library.add(["nes/plain.nes"], contents: [1, 1, 1])
        try library.add(["nes/headed.nes"], contents: header + [2, 2, 2])
        try library.add(["nes/unknown.nes"], contents: [9])
        try zip("nes/zipped.zip", [("readme.txt", .bytes([1])), ("rom.nes", .bytes([3, 3, 3]))])
        try zip("nes/zipped headed.zip", [("rom.nes", .bytes(header + [4, 4, 4]))])
        try zip("nes/text.zip", [("readme.txt", .bytes([1]))])
        let store = try await scanned()
        let report = try await importDAT(
            store,
            dat(
                "Nintendo - NES",
                [
                    ("Plain (USA)", [1, 1, 1]), ("Headed (Japan)", [2, 2, 2]), ("Zipped (Europe)", [3, 3, 3]),
                    ("Deep (World)", [4, 4, 4]),
                ]))
        #expect(report.games == 4)
        #expect(report.name == "Nintendo - NES")
        let found = try await store.identify()
        #expect(found.looked == 6)
        #expect(found.identified == 4)
        #expect(found.problems == 1)
        #expect(try await identification(store, "nes/plain.nes")?.name == "Plain (USA)")
        #expect(try await identification(store, "nes/headed.nes")?.name == "Headed (Japan)")
        #expect(try await identification(store, "nes/zipped.zip")?.name == "Zipped (Europe)")
        #expect(try await identification(store, "nes/zipped.zip")?.member == "rom.nes")
        #expect(try await identification(store, "nes/zipped headed.zip")?.name == "Deep (World)")
        let unknown = try await identification(store, "nes/unknown.nes")
        #expect(unknown?.name == nil)
        #expect(unknown?.crc?.count == 8)
        #expect(try await identification(store, "nes/text.zip")?.problem == "text.zip holds no game.")
        #expect(try await store.shown().count == 6)
        #expect(
            try await store.titles().sorted() == ["Deep", "Headed", "Plain", "Zipped", "text", "unknown"],
            "titles follow the names")
        #expect(try await store.identify().looked == 0, "nothing is looked at twice")
    }

    @Test("without a DAT file only archives are looked into, unless all is asked for")
    func noDAT() async throws {
        try library.add(["nes/plain.nes", "gba/a.gba"], contents: [1])
        try zip("nes/zipped.zip", [("rom.nes", .bytes([3]))])
        let store = try await scanned()
        #expect(try await store.identify() == reportOf(looked: 1))
        #expect(try await store.identify(systems: ["gba"], all: true) == reportOf(looked: 1, read: 1))
        #expect(try await store.identify(all: true) == reportOf(looked: 2, read: 2))
        await #expect(throws: CatalogError.noSuchSystem(name: "nothing")) {
            try await store.identify(systems: ["nothing"])
        }
    }

    private func reportOf(looked: Int, read: Int = 0) -> IdentifyReport {
        var report = IdentifyReport()
        report.looked = looked
        report.read = read
        return report
    }

    @Test("a set of an arcade board has its name by the set's, and nothing of it is read")
    func arcade() async throws {
        try library.add(["arcade/mslug.zip", "arcade/unknown.zip"], contents: [0])
        let store = try await scanned()
        let list = """
            <mame build="0.250"><machine name="mslug"><description>Metal Slug - Super Vehicle-001</description>
            <rom name="a" size="1" crc="00000000"/></machine></mame>
            """
        #expect(try await importDAT(store, Array(list.utf8), system: "arcade").games == 1)
        #expect(try await store.identify().identified == 1)
        #expect(try await identification(store, "arcade/mslug.zip")?.name == "Metal Slug - Super Vehicle-001")
        #expect(try await identification(store, "arcade/unknown.zip")?.name == nil)
        #expect(try await identification(store, "arcade/unknown.zip")?.problem == nil)
    }

    @Test("a disc is known by its first track, a compressed one by its header")
    func discs() async throws {
        try library.add(["psx/Game.bin"], contents: [5, 6, 7])
        try library.add(["psx/Game.cue"], contents: Array("FILE \"GAME.BIN\" BINARY\n TRACK 01 MODE2/2352\n".utf8))
        let version: [UInt8] = [0, 0, 0, 124, 0, 0, 0, 5]
        var chd = Array("MComprHD".utf8) + version + [UInt8](repeating: 0, count: 108)
        chd.replaceSubrange(84..<104, with: 1...20)
        try library.add(["psx/Other.chd"], contents: chd)
        let store = try await scanned()
        let crc = String(CRC32.of([5, 6, 7]), radix: 16)
        let text = """
            clrmamepro ( name "Sony - PlayStation" )
            game ( name "The Game (USA)" rom ( name "The Game.bin" size 3 crc \(crc) ) )
            game ( name "Other (Japan)" disk ( name x sha1 0102030405060708090a0b0c0d0e0f1011121314 ) )
            """
        #expect(try await importDAT(store, Array(text.utf8), system: "psx").games == 2)
        #expect(try await store.identify().identified == 2)
        #expect(try await identification(store, "psx/Game.cue")?.name == "The Game (USA)")
        #expect(try await identification(store, "psx/Other.chd")?.name == "Other (Japan)")
    }

    @Test("a newer DAT file takes the place of the older one, and one that is removed takes its names along")
    func replacing() async throws {
        try library.add(["nes/a.nes"], contents: [1, 2])
        let store = try await scanned()
        _ = try await importDAT(store, dat("NES", [("Old Name", [1, 2]), ("Other", [3])]))
        _ = try await store.identify()
        #expect(try await identification(store, "nes/a.nes")?.name == "Old Name")
        let report = try await importDAT(store, dat("NES", version: "2", [("New Name", [1, 2])]))
        #expect(report.renamed == 1)
        #expect(try await identification(store, "nes/a.nes")?.name == "New Name")
        let dats = try await store.dats()
        #expect(dats.map(\.version) == ["2"])
        #expect(dats.map(\.games) == [1])
        let id = try #require(dats.first?.id)
        #expect(try await store.removeDAT(id))
        #expect(try await !store.removeDAT(id))
        #expect(try await identification(store, "nes/a.nes")?.name == nil)
        #expect(try await store.dats().isEmpty)
    }

    @Test("what is no DAT file changes nothing, and a file that is not there is an error")
    func noDatFile() async throws {
        let store = try await scanned()
        _ = try await importDAT(store, dat("NES", [("Name", [1, 2])]))
        let report = try await importDAT(store, Array("<html>404</html>".utf8))
        #expect(report.games == 0)
        #expect(report.problemCount == 1)
        #expect(try await store.dats().count == 1)
        await #expect(throws: CatalogError.self) {
            try await store.importDAT(from: library.folder.appending("absent"), system: "nes")
        }
    }

    @Test("a file that is still being written, or changes while it is read, is left for later")
    func settled() async throws {
        try library.add(["nes/a.nes", "nes/b.nes", "nes/c.nes"], contents: [1, 2])
        let store = try await scanned()
        _ = try await importDAT(store, dat("NES", [("Name", [1, 2]), ("Half", [1])]))
        // Changed after the scan saw it, and changed this moment.
        try writeFile(library.root.roms.appending("nes/a.nes"), [1])
        age(library.root.roms.appending("nes/b.nes"), seconds: 1)
        let report = try await store.identify()
        #expect(report.skipped == 2)
        #expect(report.identified == 1)
        #expect(try await identification(store, "nes/a.nes") == nil)

        let changing = library.root.roms.appending("nes/c.nes")
        try writeFile(changing, [1, 2, 3])
        age(changing, seconds: 100)
        _ = try await store.scan(full: true)
        let identifier = try Identifier(
            root: library.root, registry: library.registry, gate: BackgroundGate(),
            willRead: { path in
                if path == changing { try? writeFile(path, [1, 2, 3, 4]) }
            })
        try identifier.run()
        #expect(identifier.report.skipped >= 1)
        #expect(try await identification(store, "nes/c.nes") == nil)
    }

    @Test("a run that is killed goes on where it was, and no half checksum is kept")
    func resuming() async throws {
        let names = (0..<200).map { "nes/game \($0).nes" }
        for (index, name) in names.enumerated() { try library.add([name], contents: [UInt8(index), 1, 2]) }
        let store = try await scanned()
        _ = try await importDAT(store, dat("NES", (0..<200).map { ("Game \($0) (USA)", [UInt8($0), 1, 2]) }))
        let gate = BackgroundGate()
        var seen = 0
        let first = try Identifier(
            root: library.root, registry: library.registry, gate: gate,
            willRead: { _ in
                seen += 1
                if seen == 150 { gate.stop() }
            })
        try first.run()
        #expect(first.report.read < 200)
        let rest = try await store.identify()
        #expect(rest.read + first.report.read == 200)
        #expect(rest.identified + first.report.identified == 200)
    }

    @Test("a drive that was pulled out is no finding")
    func pulled() async throws {
        try library.add(["nes/a.nes", "nes/b.nes"], contents: [1, 2])
        let store = try await scanned()
        _ = try await importDAT(store, dat("NES", [("Name", [1, 2])]))
        removeTree(library.root.roms)
        let report = try await store.identify()
        #expect(report.skipped >= 1)
        #expect(report.read == 0)
        try library.add(["nes/a.nes", "nes/b.nes"], contents: [1, 2])
        _ = try await store.scan(full: true)
        #expect(try await store.identify().identified == 2)
    }

    @Test("the work in the background waits while a game runs, and tells when names came", .timeLimit(.minutes(1)))
    func background() async throws {
        try library.add(["nes/a.nes"], contents: [1, 2])
        let changes = Changes()
        let store = try await scanned { changes.note($0) }
        _ = try await importDAT(store, dat("NES", [("Name", [1, 2])]))
        store.startIdentifying()
        let path = library.root.roms.appending("nes/a.nes")
        try await changes.wait {
            let game = try #require(try await store.game(path: path))
            return try await store.identification(of: game.id)?.name == "Name"
        }
        store.stopIdentifying()
    }

    @Test("a closed gate holds what passes it, until the last game has ended", .timeLimit(.minutes(1)))
    func gate() async {
        let gate = BackgroundGate()
        #expect(gate.pass())
        gate.hold(1)
        gate.hold(2)
        let (passed, continuation) = AsyncStream.makeStream(of: Bool.self)
        startThread(name: "passer") { continuation.yield(gate.pass()) }
        gate.release(1)
        gate.release(2)
        for await value in passed {
            #expect(value)
            break
        }
        gate.hold(3)
        startThread(name: "passer") { continuation.yield(gate.pass()) }
        gate.stop()
        for await value in passed {
            #expect(!value)
            break
        }
    }
}

@Suite("The system of a DAT file")
struct DatSystemsTests {
    private static let systems = DatSystems(SystemRegistry.load())

    @Test(
        "is guessed by its name",
        arguments: [
            ("Nintendo - Nintendo Entertainment System (Headered) (20240101-000000)", "nes"),
            ("Nintendo - Super Nintendo Entertainment System", "snes"), ("Nintendo - Game Boy", "gb"),
            ("Nintendo - Game Boy Color", "gbc"), ("Nintendo - Family Computer Disk System (FDS)", "fds"),
            ("Nintendo - Nintendo 64 (BigEndian)", "n64"), ("Sega - Mega Drive - Genesis", "megadrive"),
            ("Sega - Master System - Mark III", "mastersystem"), ("Sega - 32X", "sega32x"),
            ("Sega - Mega CD & Sega CD - Datfile (500) (2024-01-01)", "segacd"),
            ("Sony - PlayStation - Datfile (10000) (2024-01-01)", "psx"), ("Sony - PlayStation 2", "ps2"),
            ("NEC - PC Engine - TurboGrafx-16", "pcengine"), ("NEC - PC Engine SuperGrafx", "supergrafx"),
            ("Atari - 2600", "atari2600"), ("Atari - Atari 7800 (A78)", "atari7800"), ("Atari - Lynx", "atarilynx"),
            ("SNK - NeoGeo Pocket Color", "ngpc"), ("Bandai - WonderSwan", "wonderswan"), ("MAME", "mame"),
            ("FinalBurn Neo - Arcade Games", "fbneo"), ("Sega - SG-1000 - SC-3000", "sg-1000"), ("nes", "nes"),
        ])
    func guess(name: String, system: String) {
        #expect(Self.systems.guess(DatHeader(name: name)) == .system(system))
    }

    @Test("is not guessed where nothing fits", arguments: ["Acme - Widget", "", "Datfile", "()", "-"])
    func none(name: String) { #expect(Self.systems.guess(DatHeader(name: name)) == .none) }
}
