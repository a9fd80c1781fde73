import Catalog
import SystemKit
import Systems
import Testing

@Suite("Discs of one game are one game, and folders hold what is no game")
struct DiscTests {
    @Test(
        "discs without a playlist are one game, whatever they are called",
        arguments: [
            ["Game (USA) (Disc 1).chd", "Game (USA) (Disc 2).chd"], ["g (CD2).chd", "g (CD1).chd"],
            ["Game (Disk A).chd", "Game (Disk B).chd"],
            ["g (Disc 1 of 3).chd", "g (Disc 2 of 3).chd", "g (disc 3 of 3).chd"],
            ["Game (Side A) [cr].chd", "Game (Side B) [cr].chd"],
            ["Game [Disk 1 Side A].chd", "Game [Disk 1 Side B].chd", "Game [Disk 2 Side A].chd"],
        ])
    func joinsDiscs(names: [String]) async throws {
        let library = try Library()
        try library.add(names.map { "psx/\($0)" })
        let store = try library.open()
        _ = try await store.scan()
        let games = try await store.games(GameQuery(), offset: 0, limit: 9)
        #expect(games.map(\.discs) == [names.count])
        let discs = try await store.discs(of: try #require(games.first).id)
        #expect(discs.map { $0.name.displayString } == names.sorted())
        #expect(try await store.counts() == [SystemCount(system: "psx", games: 1)])
    }

    @Test("what is no set stays apart: other titles, tags, extensions and folders, two first discs, cartridges")
    func keepsApart() async throws {
        let library = try Library()
        let names = [
            "gba/g (Disc 1).gba", "gba/g (Disc 2).gba", "psx/a (Disc 1).chd", "psx/a (Disc 2).cue",
            "psx/b (Disc 1) (USA).chd", "psx/b (Disc 2) (Japan).chd", "psx/c (CD1).chd", "psx/c (Disc 1).chd",
            "psx/d (Disc 1).chd", "psx/e (Discovery 2).chd", "psx/e (Discovery 3).chd", "psx/e (Part 1).chd",
            "psx/sub/d (Disc 2).chd",
        ]
        try library.add(names)
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown(GameQuery(includesVersions: true)) == names)
    }

    @Test("a deleted first disc leaves the others, and what was set on a disc stays with it")
    func losesFirstDisc() async throws {
        let library = try Library()
        try library.add((1...3).map { "psx/g (Disc \($0)).chd" })
        let store = try library.open()
        _ = try await store.scan()
        let roms = library.root.roms
        let second = try #require(try await store.game(path: roms.appending("psx/g (Disc 2).chd")))
        try await store.setFavourite(true, game: second.id)
        #expect(try await store.favouriteCount() == 0)
        try library.remove("psx/g (Disc 1).chd")
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g (Disc 2).chd"])
        #expect(try await store.favouriteCount() == 1)
        #expect(try await store.game(id: second.id)?.discs == 2)
        try library.add(["psx/g (Disc 1).chd"])
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g (Disc 1).chd"])
        try library.add("psx/g.m3u", contents: Array("g (Disc 1).chd\ng (Disc 2).chd\ng (Disc 3).chd\n".utf8))
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g.m3u"])
        let list = try #require(try await store.game(path: roms.appending("psx/g.m3u")))
        #expect(list.discs == 3)
        #expect(try await store.discs(of: list.id) == [list.path])
        try library.remove("psx/g.m3u")
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g (Disc 1).chd"])
        #expect(try await store.games(GameQuery(), offset: 0, limit: 9).map(\.discs) == [3])
    }

    @Test("discs with tracks: the sheets are the discs, the tracks belong to them (B022)")
    func joinsSheets() async throws {
        let library = try Library()
        for disc in 1...2 {
            try library.add(["psx/g (Disc \(disc)).bin"])
            try library.add(
                BytePath("psx/g (Disc \(disc)).cue"), contents: Array("FILE \"g (Disc \(disc)).bin\" BINARY".utf8))
        }
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g (Disc 1).cue"])
        let game = try #require(try await store.games(GameQuery(), offset: 0, limit: 1).first)
        let discs = try await store.discs(of: game.id).map { $0.name.displayString }
        #expect(discs == ["g (Disc 1).cue", "g (Disc 2).cue"])
        // Edited in place: the first sheet names nothing that is there.
        try library.add("psx/g (Disc 1).cue", contents: Array("FILE \"other.bin\" BINARY".utf8))
        _ = try await store.scan()
        #expect(try await store.shown() == ["psx/g (Disc 1).bin", "psx/g (Disc 1).cue"])
    }

    @Test("discs that are copied in one after another are one game at last", .timeLimit(.minutes(1)))
    func joinsLive() async throws {
        let live = try await LiveLibrary { try $0.add(["psx/a.chd"]) }
        try live.library.add(["psx/g (Disc 2).chd"], isOld: false)
        try await live.shows(["psx/a.chd", "psx/g (Disc 2).chd"])
        try live.library.add(["psx/g (Disc 1).chd"], isOld: false)
        try await live.shows(["psx/a.chd", "psx/g (Disc 1).chd"])
    }

    @Test("a folder with noload.txt is skipped whole until the file goes")
    func skipsFolders() async throws {
        let library = try Library()
        try library.add(["nes/a.nes", "nes/old/b.nes", "nes/old/deep/c.nes"])
        let store = try library.open()
        _ = try await store.scan()
        let game = try #require(try await store.game(path: library.root.roms.appending("nes/old/b.nes")))
        try await store.setFavourite(true, game: game.id)
        try library.add("nes/old/noload.txt", contents: [])
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/a.nes"])
        try library.remove("nes/old/noload.txt")
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/a.nes", "nes/old/b.nes", "nes/old/deep/c.nes"])
        #expect(try await store.favouriteCount() == 1)
    }

    @Test("noload.txt works at once in a watched library", .timeLimit(.minutes(1)))
    func skipsLive() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes", "nes/old/deep/c.nes"]) }
        try live.library.add("nes/old/noload.txt", contents: [], isOld: false)
        try await live.shows(["nes/a.nes"])
        try live.library.remove("nes/old/noload.txt")
        try await live.shows(["nes/a.nes", "nes/old/deep/c.nes"])
    }

    @Test("the other front ends' media and notes beside the games are no games")
    func skipsMedia() async throws {
        let systems = [
            Library.system("pico", ["png", "p8", "txt"]), Library.system("disks", ["img", "zip"], medium: .floppy),
        ]
        let library = try Library(systems: systems)
        try library.add([
            "disks/downloaded_media/covers/a.zip", "disks/images/real.img", "disks/manuals/a.zip", "disks/media/b.zip",
            "disks/sub/media/deep.zip", "pico/_info.txt", "pico/flatten.txt", "pico/images/a.png",
            "pico/images/a-thumb.png", "pico/cart.p8", "pico/cart.png", "pico/README.txt", "pico/systeminfo.txt",
            "pico/poem.txt",
        ])
        #expect(
            try await library.listed() == [
                "disks/images/real.img", "disks/sub/media/deep.zip", "pico/cart.p8", "pico/cart.png", "pico/poem.txt",
            ])
    }
}
