import ArchiveKit
import ArchiveSupport
import Catalog
import SystemKit
import Systems
import Testing

@Suite("Archives among the games")
struct ArchiveLookTests {
    private static let rom = ArchiveMaker.Content.bytes(Array(repeating: 7, count: 3000))
    private let library: Library

    init() throws { library = try Library("look") }

    private func look(
        _ name: String, in system: String = "nes", as format: ArchiveMaker.Format = .zip(),
        _ members: [(String, ArchiveMaker.Content)]
    ) throws -> GameArchive? {
        let path = library.folder.appending(name)
        let isMade = ArchiveMaker.make(path.displayString, format, members)
        try #require(isMade)
        let definition = try #require(library.registry.system(named: system))
        return try GameArchive.look(path, in: definition)
    }

    @Test("one game beside texts is the game, whatever else is in it")
    func oneGame() throws {
        let found = try #require(
            try look(
                "Game.zip",
                [
                    ("readme.txt", .bytes(Array(repeating: 32, count: 9000))), ("group.nfo", .bytes([1])),
                    ("__MACOSX/._rom.nes", Self.rom), (".hidden.nes", Self.rom), ("sub/rom.NES", Self.rom),
                    ("rom.srm", .bytes([1])),
                ]))
        #expect(found.member?.name == "sub/rom.NES")
        #expect(found.problem == nil)
    }

    @Test("of several games that with the archive's name is taken, else the first, and it is told")
    func several() throws {
        let games = [("b.nes", Self.rom), ("a.nes", Self.rom), ("Game.nes", Self.rom)]
        #expect(try look("game.zip", games)?.member?.name == "Game.nes")
        let found = try #require(try look("Other.7z", as: .sevenZip, Array(games.prefix(2))))
        #expect(found.member?.name == "a.nes")
        #expect(found.candidates.map(\.name) == ["a.nes", "b.nes"])
        #expect(found.problem == "holds 2 games: a.nes is taken")
    }

    @Test("without a known extension the largest file that is no text is taken")
    func unknown() throws {
        let found = try look("Game.zip", [("readme.txt", .bytes([9])), ("game", .bytes([1, 2])), ("x", .bytes([1]))])
        #expect(found?.member?.name == "game")
    }

    @Test("only texts, nothing, and another archive hold no game")
    func noGame() throws {
        #expect(try look("a.zip", [("readme.txt", .bytes([1]))])?.problem == "holds no game")
        #expect(try look("b.zip", [])?.problem == "holds no game")
        #expect(try look("c.zip", [("inner.zip", Self.rom)])?.problem == "holds only another archive")
        #expect(try look("d.zip", [("../../evil.nes", Self.rom)])?.problem == "holds no game")
        #expect(try look("e.zip", [("empty.nes", .bytes([]))])?.problem == "holds no game")
    }

    @Test("a password, a bomb, a cut, nothing at all and something else are told")
    func trouble() throws {
        #expect(try look("a.zip", as: .zip(password: "x"), [("game.nes", Self.rom)])?.problem == "needs a password")
        let bomb = try look("bomb.zip", [("game.nes", .zeros(1 << 30))])
        #expect(bomb?.problem == "unpacks to 1024 MiB, which is more than is read")
        #expect(bomb?.member?.name == "game.nes")
        let system = try #require(library.registry.system(named: "nes"))
        let whole = try readFile(library.folder.appending("a.zip"))
        for (name, bytes, problem) in [
            ("cut.zip", Array(whole.dropLast(30)), "is cut off: copy it again"), ("empty.zip", [], "is empty"),
            ("text.zip", Array("no".utf8), "is no archive, whatever its name says"),
        ] {
            let path = library.folder.appending(name)
            try writeFile(path, bytes)
            #expect(try GameArchive.look(path, in: system)?.problem == problem)
        }
        #expect(throws: ArchiveError.self) {
            try GameArchive.look(library.folder.appending("absent.zip"), in: system)
        }
    }

    @Test("an arcade set is the game itself, and what is no archive is not looked into")
    func sets() throws {
        #expect(try look("mslug.zip", in: "arcade", [("201-p1.p1", Self.rom)]) == nil)
        #expect(try look("game.nes", [("a.nes", Self.rom)]) == nil)
    }

    @Test("the sheet stands for the files of its disc")
    func disc() throws {
        let found = try look("Disc.zip", in: "psx", [("Disc.bin", Self.rom), ("Disc.cue", .bytes([1]))])
        #expect(found?.member?.name == "Disc.cue")
        #expect(found?.problem == nil)
    }
}
