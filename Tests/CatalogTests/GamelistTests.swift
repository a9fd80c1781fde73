import SQLiteKit
import SystemKit
import Systems
import Testing

@testable import Catalog

@Suite("Gamelists in")
struct GamelistTests: GamelistFixture {
    let library: Library
    let list: BytePath

    init() throws {
        library = try Library("gamelist")
        list = library.root.roms.appending("nes/gamelist.xml")
    }

    @Test("an import gives titles, order, search and details, and leaves the file alone")
    func imports() async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes"])
        let content = xml(
            record(
                "<path>./a.nes</path><name>Zelda &amp; Co</name><desc>Long\nstory</desc><genre>Action / RPG, Puzzle</genre>"
                    + "<players>1-4</players><releasedate>19870821T000000</releasedate><rating>0.8</rating>"
                    + "<developer>D</developer><publisher>P</publisher><image>./images/a.png</image>")
                + record("<path>./gone.nes</path><name>Gone</name>"))
        try write(content)
        let report = try await store.importGamelist(system: "nes", from: list)
        #expect(report.records == 2 && report.matched == 1 && report.added == 2 && report.unknown == 1)
        #expect(report.problems.isEmpty)
        #expect(try text() == content)
        #expect(try await store.titles() == ["b", "Zelda & Co"])
        for word in ["zelda", "a"] {
            #expect(try await store.titles(GameQuery(text: word)).contains("Zelda & Co"), "\(word)")
        }
        let game = try await game(store, "a.nes")
        let details = try await store.details(of: game.id)
        #expect(details.description == "Long\nstory" && details.developer == "D" && details.publisher == "P")
        #expect(details.genres == ["Action", "RPG", "Puzzle"] && details.players == "1-4")
        #expect(details.released == "1987-08-21" && details.rating == 0.8)
        #expect(details.pictures == [.screenshots: library.root.roms.appending("nes/images/a.png")])
        // Once more says nothing new.
        let again = try await store.importGamelist(system: "nes", from: list)
        #expect(again.added == 0 && again.changed == 0 && again.matched == 1)
    }

    @Test("a game that comes later has what was said about it before, also in a catalog made anew")
    func later() async throws {
        let store = try library.open()
        try write(xml(record("<path>./a.nes</path><name>Later</name><favorite>true</favorite><genre>G</genre>")))
        #expect(try await store.importGamelist(system: "nes", from: list).unknown == 1)
        try library.add(["nes/a.nes", "nes/b.nes"])
        _ = try await store.scan()
        #expect(try await store.titles() == ["b", "Later"])
        #expect(try await store.titles(GameQuery(selection: .favourites)) == ["Later"])
        #expect(try store_details(library) == 1)
        await store.close()
        try removeFile(library.root.state.appending("catalog.sqlite"))
        let anew = try library.open()
        _ = try await anew.scan()
        #expect(try await anew.titles() == ["b", "Later"])
        #expect(try store_details(library) == 1)
    }

    private func store_details(_ library: Library) throws -> Int64? {
        try CatalogDatabase(in: library.root.state).connection.integer("SELECT count(*) FROM details WHERE genre = 'G'")
    }

    @Test("the person's title and edits stand over every list, and go when they are taken back (B032)")
    func edits() async throws {
        let store = try await scanned(["nes/a.nes"])
        let id = try await game(store, "a.nes").id
        try await store.setTitle("Mine", game: id)
        try await store.setEdit("desc", "my words", game: id)
        try await store.setEdit("releasedate", "1990-11", game: id)
        try write(xml(record("<path>./a.nes</path><name>Theirs</name><desc>d</desc><sortname>zz</sortname>")))
        _ = try await store.importGamelist(system: "nes", from: list)
        #expect(try await store.titles() == ["Mine"])
        var details = try await store.details(of: id)
        #expect(details.description == "my words" && details.released == "1990-11")
        #expect(details.edited == ["name", "desc", "releasedate"])
        try await store.setTitle(nil, game: id)
        try await store.setEdit("desc", nil, game: id)
        #expect(try await store.titles() == ["Theirs"])
        #expect(try await game(store, "a.nes").sortTitle == "zz")
        details = try await store.details(of: id)
        #expect(details.description == "d" && details.edited == ["releasedate"])
        for (key, value) in [
            ("rating", "2"), ("players", "many"), ("releasedate", "soon"), ("releasedate", "1990-13-45"),
            ("releasedate", "1990-02-30"), ("releasedate", "19901345T000000"), ("path", "x"), ("genre", "\u{7}"),
        ] {
            await #expect(throws: CatalogError.badEdit(key: key, value: value)) {
                try await store.setEdit(key, value, game: id)
            }
        }
    }

    @Test("marks and plays are taken where nothing was set here, once, and never undo what was done here")
    func personal() async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes", "nes/c.nes"])
        let b = try await game(store, "b.nes").id
        try await store.setFavourite(true, game: b)
        let play = try await store.beginPlay(game: b)
        try await store.endPlay(play, seconds: 60, outcome: "finished")
        let facts = { (path: String, more: String) in
            self.record("<path>./\(path).nes</path>\(more)")
        }
        let played = "<playcount>7</playcount><lastplayed>20200102T030405</lastplayed><gametime>90</gametime>"
        try write(
            xml(
                facts("a", "<favorite>true</favorite>" + played) + facts("b", played)
                    + facts(
                        "c", "<hidden>true</hidden><playcount>2</playcount><lastplayed>20210102T030405</lastplayed>")))
        _ = try await store.importGamelist(system: "nes", from: list)
        var a = try await game(store, "a.nes")
        #expect(a.isFavourite && a.playCount == 7 && a.playSeconds == 90 && a.lastPlayed != nil)
        let other = try await game(store, "b.nes")
        #expect(other.isFavourite && other.playCount == 1 && other.playSeconds == 60)
        #expect(try await game(store, "c.nes").isHidden)
        // Below what was played here, the latest first.
        #expect(
            try await store.titles(GameQuery(selection: .recentlyPlayed, includesHidden: true)) == ["b", "c", "a"])
        try await store.setFavourite(false, game: a.id)
        _ = try await store.importGamelist(system: "nes", from: list)
        a = try await game(store, "a.nes")
        #expect(!a.isFavourite && a.playCount == 7)
    }

    @Test("a record that is not well-formed costs itself, with its number (B030)")
    func bad() async throws {
        let store = try await scanned(["nes/one.nes", "nes/A & B.nes", "nes/two.nes"])
        let content = xml(
            record("<path>./one.nes</path><name>One</name>") + record("<path>./A & B.nes</path><name>A & B!</name>")
                + record("<path>./two.nes</path><name>Two</name>") + record("<name>No path</name>")
                + record("<path>./one.nes</path><desc>again</desc>"))
        try write(content)
        let report = try await store.importGamelist(system: "nes", from: list)
        #expect(report.records == 5 && report.matched == 4)
        #expect(report.problems.map(\.record) == [2, 4, 5])
        #expect(try await store.titles() == ["A & B!", "One", "Two"])
        #expect(try await store.details(of: game(store, "one.nes").id).description == "again")
        #expect(try text() == content)
    }

    @Test(
        "paths of all front ends and of Windows are understood",
        arguments: [
            "./s/Café.nes", "s/Café.nes", ".\\s\\Café.nes", "s\\Café.nes", "./s\\Café.nes",
            "/home/pi/RetroPie/roms/nes/s/Café.nes", "~/RetroPie/roms/nes/s/Café.nes", "C:\\ES\\roms\\NES\\s\\Café.nes",
            "~/ROMs/nes/./s//x/../Café.nes",
            "./s/Cafe\u{301}.nes", "./S/CAFÉ.NES",
        ])
    func paths(_ path: String) async throws {
        let store = try await scanned(["nes/s/Café.nes"])
        try write(xml(record("<path>\(path)</path><name>Found</name>")))
        #expect(try await store.importGamelist(system: "nes", from: list).matched == 1)
        #expect(try await store.titles() == ["Found"])
        // Written as it was found: every front end reads it from there.
        let other = library.folder.appending("out/gamelist.xml")
        try createDirectories(other.parent)
        _ = try await store.exportGamelist(system: "nes", to: other)
        #expect(try text(other).contains("<path>./s/Café.nes</path>"))
    }

    @Test("an absolute path is one below the folder that the games are in, and one elsewhere is kept")
    func absolute() async throws {
        let store = try await scanned(["nes/a.nes"])
        let own = library.root.roms.appending("nes/a.nes").displayString
        try write(xml(record("<path>\(own)</path><name>Found</name>") + record("<path>../../etc/passwd</path>")))
        let report = try await store.importGamelist(system: "nes", from: list)
        #expect(report.matched == 1 && report.unknown == 1)
        #expect(try await store.titles() == ["Found"])
    }

    @Test("two files whose names look alike keep their records apart, and bytes that are no text are found (B018)")
    func lookAlikes() async throws {
        let (composed, decomposed) = ("Pok\u{E9}mon.nes", "Poke\u{301}mon.nes")
        let store = try await scanned(["nes/\(composed)", "nes/\(decomposed)"])
        let bytes = BytePath(bytes: Array("nes/Br".utf8) + [0xF8] + Array("derbund.nes".utf8))
        try library.add(bytes)
        _ = try await store.scan()
        var content = Array(
            xml(
                record("<path>./\(composed)</path><name>Composed</name>")
                    + record("<path>./\(decomposed)</path><name>Decomposed</name>")
                    + record("<path>./Br?derbund.nes</path><name>Bytes</name>")
            ).utf8)
        content[try #require(content.lastIndex(of: UInt8(ascii: "?")))] = 0xF8
        try writeFile(list, content)
        let report = try await store.importGamelist(system: "nes", from: list)
        #expect(report.matched == 3)
        #expect(try await game(store, BytePath(composed)).title == "Composed")
        #expect(try await game(store, BytePath(decomposed)).title == "Decomposed")
        #expect(try await game(store, BytePath(bytes: bytes.bytes.dropFirst(4))).title == "Bytes")
        // What is written is text, and is found again.
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(GamelistReader.read(bytes: try readFile(list)).isSound)
        #expect(try await store.importGamelist(system: "nes", from: list).matched == 3)
    }
}
