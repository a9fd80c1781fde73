import SQLiteKit
import SystemKit
import Systems
import Testing
import XMLKit

@testable import Catalog

@Suite("Gamelists in and out")
struct GamelistTests {
    private let library: Library
    private let list: BytePath

    init() throws {
        library = try Library("gamelist")
        list = library.root.roms.appending("nes/gamelist.xml")
    }

    private func write(_ text: String, to path: BytePath? = nil) throws {
        try createDirectories((path ?? list).parent)
        try writeFile(path ?? list, Array(text.utf8))
    }

    private func text(_ path: BytePath? = nil) throws -> String {
        String(decoding: try readFile(path ?? list), as: UTF8.self)
    }

    private func xml(_ records: String) -> String { "<?xml version=\"1.0\"?>\n<gameList>\n\(records)</gameList>\n" }

    private func record(_ inside: String) -> String { "\t<game>\n\t\t\(inside)\n\t</game>\n" }

    private func scanned(_ files: [String]) async throws -> CatalogStore {
        try library.add(files)
        let store = try library.open()
        _ = try await store.scan()
        return store
    }

    private func game(_ store: CatalogStore, _ name: BytePath) async throws -> Game {
        try #require(await store.game(path: library.root.roms.appending("nes").appending(name)))
    }

    private func names() throws -> [String] {
        try directoryNames(list.parent).map(\.displayString).filter { $0.contains("gamelist") }.sorted()
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
        for (key, value) in [("rating", "2"), ("players", "many"), ("releasedate", "soon"), ("path", "x"), ("genre", "\u{7}")] {
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
                    + facts("c", "<hidden>true</hidden><playcount>2</playcount><lastplayed>20210102T030405</lastplayed>")))
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
            "./s/Café.nes", "s/Café.nes", ".\\s\\Café.nes", "s\\Café.nes", "/home/pi/RetroPie/roms/nes/s/Café.nes",
            "~/RetroPie/roms/nes/s/Café.nes", "C:\\ES\\roms\\NES\\s\\Café.nes", "~/ROMs/nes/./s//x/../Café.nes",
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

    @Test("what is not ours survives a round trip with its bytes, in its place")
    func roundTrip() async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes"])
        let content = """
            <?xml version="1.0"?>
            <alternativeEmulator>
            \t<label>FCEUmm</label>
            </alternativeEmulator>
            <gameList>
            \t<!-- by hand -->
            \t<game id="7" source="S">
            \t\t<path>./a.nes</path>
            \t\t<crc32>0011</crc32>
            \t\t<name lang="en">A &amp; B</name>
            \t\t<own:x a='1'>  <y><![CDATA[<z>]]></y> &#65;</own:x>
            \t\t<playcount>3</playcount>
            \t</game>
            \t<folder>
            \t\t<path>./sub</path>
            \t\t<name>Sub</name>
            \t</folder>
            \t<game>
            \t\t<path>./nowhere.nes</path>
            \t\t<kidgame>true</kidgame>
            \t</game>
            </gameList>

            """
        try write(content)
        _ = try await store.importGamelist(system: "nes", from: list)
        var report = try await store.exportGamelist(system: "nes", to: list)
        #expect(try text() == content)
        #expect(report.records == 3 && report.changed == 0 && report.added == 0)
        // What was done here goes over it, each in its place.
        let a = try await game(store, "a.nes").id
        try await store.setTitle("Mine < yours", game: a)
        try await store.setFavourite(true, game: a)
        try await store.setEdit("releasedate", "1990", game: a)
        try await store.setFavourite(true, game: game(store, "b.nes").id)
        report = try await store.exportGamelist(system: "nes", to: list)
        #expect(report.changed == 1 && report.added == 1)
        let expected =
            content.replacing("A &amp; B", with: "Mine &lt; yours")
            .replacing(
                "\t\t<playcount>3</playcount>\n",
                with: "\t\t<playcount>3</playcount>\n\t\t<releasedate>19900101T000000</releasedate>\n"
                    + "\t\t<favorite>true</favorite>\n")
            .replacing(
                "</gameList>",
                with: "\t<game>\n\t\t<path>./b.nes</path>\n\t\t<favorite>true</favorite>\n\t</game>\n</gameList>")
        #expect(try text() == expected)
        #expect(try await store.exportGamelist(system: "nes", to: list).changed == 0)
        #expect(try text() == expected)
        #expect(try names() == ["gamelist.xml"])
        // To another place: everything but what was between the records.
        let other = library.folder.appending("other.xml")
        _ = try await store.exportGamelist(system: "nes", to: other)
        let (here, there) = (GamelistReader.read(bytes: try readFile(list)), GamelistReader.read(bytes: try readFile(other)))
        let sorted = { (contents: GamelistContents) in
            contents.records.map { record in
                "\(record.path)\(record.attributes)\(record.isFolder)\(record.elements.map(\.xml).sorted())"
            }.sorted()
        }
        #expect(there.isSound)
        #expect(sorted(there) == sorted(here).map { $0.replacing(" lang=\"en\"", with: "") }.map {
            $0.replacing("<name lang=\\\"en\\\">", with: "<name>")
        })
        #expect(try text(other).hasPrefix("<?xml version=\"1.0\"?>\n<alternativeEmulator>"))
    }

    @Test("a file that somebody changed since is read before it is written (B032)")
    func changedMeanwhile() async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes"])
        try write(xml(record("<path>./a.nes</path><name>First</name>")))
        _ = try await store.importGamelist(system: "nes", from: list)
        let a = try await game(store, "a.nes").id
        try await store.setEdit("genre", "Mine", game: a)
        _ = try await store.exportGamelist(system: "nes", to: list)
        // A scraper adds to it, and another front end takes a mark away.
        try write(
            text().replacing("First", with: "Scraped").replacing(
                "</gameList>", with: record("<path>./b.nes</path><name>B scraped</name>") + "</gameList>"))
        try await store.setFavourite(true, game: a)
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try await store.titles() == ["B scraped", "Scraped"])
        let written = try text()
        for part in ["Scraped", "B scraped", "<genre>Mine</genre>", "<favorite>true</favorite>"] {
            #expect(written.contains(part), "\(part)")
        }
        try write(written.replacing("\t\t<favorite>true</favorite>\n", with: ""))
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try await !game(store, "a.nes").isFavourite)
    }

    @Test(
        "a damaged file is kept under another name and a good one takes its place (B029)",
        arguments: ["", String(repeating: "\0", count: 4096), "cut", "no end", "no list at all"])
    func damaged(_ damage: String) async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes"])
        let whole = xml(
            record("<path>./a.nes</path><name>Kept A</name>") + record("<path>./b.nes</path><name>Kept B</name>"))
        try write(whole)
        _ = try await store.importGamelist(system: "nes", from: list)
        let bad =
            switch damage {
            case "cut": String(whole.prefix(whole.count / 2))
            case "no end": whole.replacing("</gameList>\n", with: "")
            default: damage
            }
        try write(bad)
        #expect(try await !store.importGamelist(system: "nes", from: list).problems.isEmpty)
        #expect(try text() == bad)
        let report = try await store.exportGamelist(system: "nes", to: list)
        #expect(report.damagedFile == list.appendingSuffix(".bad-1").displayString)
        #expect(try text(list.appendingSuffix(".bad-1")) == bad)
        let contents = GamelistReader.read(bytes: try readFile(list))
        #expect(contents.isSound)
        #expect(contents.records.map { $0.text("name") } == ["Kept A", "Kept B"])
        #expect(readXML(try readFile(list)) { _ in } == nil)
        #expect(try await store.titles() == ["Kept A", "Kept B"])
    }

    @Test("a place that cannot be written leaves the file and says why, and nothing half-made stays")
    func unwritable() async throws {
        let store = try await scanned(["nes/a.nes"])
        try await store.setFavourite(true, game: game(store, "a.nes").id)
        try createDirectories(list)
        await #expect(throws: CatalogError.self) { try await store.exportGamelist(system: "nes", to: list) }
        let nowhere = library.folder.appending("absent/gamelist.xml")
        await #expect(throws: CatalogError.self) { try await store.exportGamelist(system: "nes", to: nowhere) }
        await #expect(throws: CatalogError.self) { try await store.importGamelist(system: "nes", from: nowhere) }
        await #expect(throws: CatalogError.noSuchSystem(name: "n64")) {
            try await store.importGamelist(system: "n64", from: list)
        }
        #expect(try directoryNames(library.root.roms.appending("nes")).allSatisfy { $0.bytes.first != 0x2E })
    }

    @Test("a read-only file is read, and a trial changes nothing")
    func trial() async throws {
        let store = try await scanned(["nes/a.nes"])
        let content = xml(record("<path>./a.nes</path><name>Tried</name><favorite>true</favorite>"))
        try write(content)
        changePermissions(list, 0o444)
        let report = try await store.importGamelist(system: "nes", from: list, isDryRun: true)
        #expect(report.added == 1 && report.matched == 1)
        #expect(try await store.titles() == ["a"])
        #expect(try await !game(store, "a.nes").isFavourite)
        try await store.setTitle("Mine", game: game(store, "a.nes").id)
        #expect(try await store.exportGamelist(system: "nes", to: list, isDryRun: true).changed == 1)
        #expect(try text() == content)
    }

    @Test("a damaged list of one system does not hide what the catalog shows, and missing games keep theirs (B033)")
    func missing() async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes"])
        try write(xml(record("<path>./a.nes</path><name>Stale</name><image>./images/none.png</image>")))
        _ = try await store.importGamelist(system: "nes", from: list)
        let id = try await game(store, "a.nes").id
        try library.remove("nes/a.nes")
        // Its page is open while its file goes.
        #expect(try await store.details(of: id).pictures.count == 1)
        #expect(Artwork(root: library.root).picture(for: try await game(store, "a.nes")) == nil)
        _ = try await store.scan()
        #expect(try await store.titles() == ["b"])
        await #expect(throws: CatalogError.noSuchGame(id: id)) { try await store.details(of: id) }
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try text().contains("Stale"))
        try library.add(["nes/a.nes"])
        _ = try await store.scan()
        #expect(try await store.titles() == ["b", "Stale"])
    }

    @Test("an import that was killed half-way is finished by the next one (B028)")
    func killed() async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes"])
        try write(xml(record("<path>./a.nes</path><name>A1</name><favorite>true</favorite>")))
        // What a crash leaves: the person's facts are committed, the records are not.
        let user = try UserDatabase.openAgain(in: library.root.state)
        try user.take([UserDatabase.Imported(system: "nes", path: Array("a.nes".utf8), isFavourite: true)])
        _ = try await store.importGamelist(system: "nes", from: list)
        #expect(try await game(store, "a.nes").isFavourite)
        // And the other way: the records are there, the catalog has not copied them.
        let metadata = try MetadataDatabase.open(in: library.root.state)
        var record = MetadataDatabase.Record(system: "nes", path: Array("b.nes".utf8))
        record[.name] = "B1"
        try metadata.write { () throws(SQLiteError) in try metadata.store(record) }
        await store.close()
        let next = try library.open()
        #expect(try await next.titles() == ["A1", "B1"])
    }

    @Test("the lists of other front ends are found")
    func places() async throws {
        let store = try await scanned(["nes/a.nes"])
        #expect(try await store.gamelistPlaces(system: "nes") == [list])
        let other = library.folder.appending("ES-DE/gamelists/nes/gamelist.xml")
        try write(xml(""), to: other)
        #expect(try await store.gamelistPlaces(system: "nes") == [list, other])
    }
}
