import SQLiteKit
import SystemKit
import Systems
import Testing
import XMLKit

@testable import Catalog

@Suite("Gamelists out")
struct GamelistExportTests: GamelistFixture {
    let library: Library
    let list: BytePath

    init() throws {
        library = try Library("gamelist")
        list = library.root.roms.appending("nes/gamelist.xml")
    }

    @Test("an export removes what killed ones had begun, and nothing else")
    func leftovers() async throws {
        let store = try await scanned(["nes/a.nes"])
        // More than any process's number can be.
        let gone = ".gamelist.xml.999999999-1.tmp"
        let kept = [
            ".gamelist.xml.1-1.tmp", ".gamelist.xml.999999999-x.tmp", ".gamelist.xml.999999999.tmp",
            ".gamelist.xml.999999999-2.tmp", "gamelist.xml.999999999-1.tmp",
        ]
        for name in kept + [gone] where name != kept[3] { try write("x", to: list.parent.appending(BytePath(name))) }
        try createDirectories(list.parent.appending(BytePath(kept[3])))
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try names() == (kept + ["gamelist.xml"]).sorted())
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
                    + "\t\t<favorite>true</favorite>\n"
            )
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
        let (here, there) = (
            GamelistReader.read(bytes: try readFile(list)), GamelistReader.read(bytes: try readFile(other))
        )
        let sorted = { (contents: GamelistContents) in
            contents.records.map { record in
                "\(record.path)\(record.attributes)\(record.isFolder)\(record.elements.map(\.xml).sorted())"
            }.sorted()
        }
        #expect(there.isSound)
        #expect(
            sorted(there)
                == sorted(here).map { $0.replacing(" lang=\"en\"", with: "") }.map {
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
        try write(written.replacing("<favorite>true<", with: "<favorite>false<"))
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
