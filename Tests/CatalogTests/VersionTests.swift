import Catalog
import SQLiteKit
import SystemKit
import Systems
import Testing

@Suite("Versions of one game are one row")
struct VersionTests {
    private func names(_ store: CatalogStore, _ query: GameQuery = GameQuery()) async throws -> [String] {
        try await store.games(query, offset: 0, limit: 100).map { $0.relativePath.displayString }
    }

    private func library(_ names: [String]) async throws -> (Library, CatalogStore) {
        let library = try Library("versions")
        try library.add(names.map { "nes/\($0).nes" })
        let store = try library.open()
        _ = try await store.scan()
        return (library, store)
    }

    @Test(
        "the wanted region stands, then a verified dump, then the newest revision; what was never sold only alone",
        arguments: [
            (["Game (Japan)", "Game (USA)", "Game (Europe)"], "Game (USA)"),
            (["Game (Japan)", "Game (World)", "Game (Europe)"], "Game (World)"),
            (["Game (Japan)", "Game (Germany)"], "Game (Japan)"), (["Game (Germany)", "Game"], "Game"),
            (["Game (U)", "Game (U) [!]", "Game (U) (Rev 2)"], "Game (U) [!]"),
            (["Game (USA)", "Game (USA) (Rev 1)", "Game (USA) (Rev 2)"], "Game (USA) (Rev 2)"),
            (["Game (USA) (v1.2)", "Game (USA) (v1.10)"], "Game (USA) (v1.10)"),
            (["Game (USA) (Beta)", "Game (Japan)"], "Game (Japan)"), (["Game (USA) (Beta)"], "Game (USA) (Beta)"),
            (["Game (U) [b1]", "Game (J) [T+Eng]"], "Game (U) [b1]"),
            (["Game (USA) (Virtual Console)", "Game (USA)"], "Game (USA)"),
            (["Game (1990)(Firm)(JP)", "Game (1991)(Firm)(US)[a]"], "Game (1991)(Firm)(US)[a]"),
        ])
    func prefers(files: [String], standing: String) async throws {
        let (library, store) = try await library(files)
        #expect(try await names(store) == ["\(standing).nes"])
        #expect(try await store.total() == 1)
        let game = try #require(try await store.games(GameQuery(), offset: 0, limit: 1).first)
        let versions = try await store.versions(of: game.id)
        #expect(versions.first == game)
        #expect(versions.count == files.count)
        for version in versions { #expect(try await store.versions(of: version.id) == versions) }
        #expect(try await store.count(GameQuery(includesVersions: true)) == files.count)
        _ = library
    }

    @Test("a set of discs stands before a single disc with the same title, also one that begins with disc 0")
    func prefersSets() async throws {
        let library = try Library("versions")
        try library.add((0...2).map { "psx/Dup (Disc \($0)).chd" })
        try library.add("psx/Dup (Disc 1).cue", contents: Array("FILE \"x.bin\" BINARY\n".utf8))
        // One alone with the tags of the whole set.
        try library.add(["psx/Pair (Disc 1).chd", "psx/Pair (Disc 2).chd", "psx/Pair (Disk 1).cue"])
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/Dup (Disc 0).chd", "psx/Pair (Disc 1).chd"])
    }

    @Test("a favourite version stands; hidden or missing ones let another stand, and take their place again")
    func follows() async throws {
        let (library, store) = try await library(["Game (USA)", "Game (Europe)", "Game (Japan)", "Other"])
        let all = try await store.games(GameQuery(includesVersions: true), offset: 0, limit: 9)
        let (europe, japan, usa) = (all[0], all[1], all[2])
        #expect(try await names(store) == ["Game (USA).nes", "Other.nes"])
        try await store.setFavourite(true, game: japan.id)
        #expect(try await names(store) == ["Game (Japan).nes", "Other.nes"])
        try await store.setFavourite(false, game: japan.id)
        try await store.setHidden(true, game: usa.id)
        #expect(try await names(store) == ["Game (Europe).nes", "Other.nes"])
        #expect(try await store.count(GameQuery(includesHidden: true)) == 3)
        try await store.setTitle("Third", game: europe.id)
        #expect(try await names(store) == ["Game (Japan).nes", "Other.nes", "Game (Europe).nes"])
        try await store.setHidden(false, game: usa.id)
        #expect(try await names(store) == ["Game (USA).nes", "Other.nes", "Game (Europe).nes"])
        try library.remove("nes/Game (USA).nes")
        _ = try await store.scan()
        #expect(try await names(store) == ["Game (Japan).nes", "Other.nes", "Game (Europe).nes"])
        // What the person marked is listed as marked, whatever stands for it.
        try library.add(["nes/Game (USA).nes"])
        _ = try await store.scan()
        _ = try await store.beginPlay(game: japan.id)
        #expect(try await names(store, GameQuery(selection: .recentlyPlayed)) == ["Game (Japan).nes"])
        #expect(try await store.versions(of: europe.id).count == 1)
    }

    @Test("files whose names say the same, other parts of a set and other systems are no versions")
    func keepsApart() async throws {
        let (library, store) = try await library([
            "Game (USA)", "copy/Game (USA)", "Set (Disk 1)", "Set (Disk 2)", "Set (Disk 1) (Alt)",
        ])
        try library.add(["gba/Game (Japan).gba"])
        _ = try await store.scan()
        let expected = [
            "Game (Japan).gba", "Game (USA).nes", "copy/Game (USA).nes", "Set (Disk 1).nes", "Set (Disk 2).nes",
        ]
        #expect(try await names(store).sorted() == expected.sorted())
    }

    @Test("settings choose the regions and turn collapsing off; another process's change and a lost mark are followed")
    func settings() async throws {
        let (library, store) = try await library(["Game (USA)", "Game (Japan)", "Solo (Japan)"])
        try await store.setSetting("versions.regions", "Japan, USA")
        #expect(try await names(store) == ["Game (Japan).nes", "Solo (Japan).nes"])
        try await store.setSetting("versions.collapse", "off")
        #expect(try await names(store).count == 3)
        #expect(try await store.counts().first?.games == 3)
        try await store.setSetting("versions.collapse", nil)
        #expect(try await names(store).count == 2)
        await store.close()
        // Set while nobody followed: as a crash between the two databases leaves it.
        let user = try Connection(library.root.state.appending("user.sqlite"), access: .readWrite)
        try user.run("UPDATE settings SET value = 'USA' WHERE key = 'versions.regions'")
        user.close()
        let again = try library.open()
        _ = try await again.scan()
        #expect(try await names(again) == ["Game (USA).nes", "Solo (Japan).nes"])
    }

    @Test("folders show their own games, each title once, with counts of all below")
    func folders() async throws {
        let library = try Library("folders")
        try library.add([
            "nes/Top (USA).nes", "nes/A/Game (Japan).nes", "nes/A/Game (USA).nes", "nes/A/b/Game (Europe).nes",
            "nes/A/b/Deep.nes", "nes/\u{C9}t\u{E9}/Top (Japan).nes", "nes/10/x.nes", "nes/9/x.nes", "nes/9/y/z/q.nes",
        ])
        try createDirectories(library.root.roms.appending("nes/empty"))
        let store = try library.open()
        _ = try await store.scan()
        let folders = try await store.folders(system: "nes")
        #expect(folders.map(\.name) == ["9", "10", "A", "\u{C9}t\u{E9}"])
        #expect(folders.map(\.games) == [2, 1, 3, 1])
        #expect(try await store.folders(system: "nes", in: "A").map(\.path) == ["A/b"])
        #expect(try await store.folders(system: "nes", in: "9/y").map(\.path) == ["9/y/z"])
        #expect(try await store.folders(system: "nes", in: "none").isEmpty)
        #expect(try await store.folders(system: "nothing").isEmpty)
        #expect(try await names(store, GameQuery(system: "nes", folder: "A")) == ["A/Game (USA).nes"])
        #expect(
            try await names(store, GameQuery(system: "nes", folder: "A/b")) == [
                "A/b/Deep.nes", "A/b/Game (Europe).nes",
            ])
        #expect(try await names(store, GameQuery(system: "nes", folder: "")) == ["Top (USA).nes"])
        #expect(try await names(store, GameQuery(system: "nes", folder: "\u{C9}t\u{E9}")).count == 1)
    }
}
