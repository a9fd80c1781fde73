import SystemKit
import Systems
import Testing
import XMLKit

@testable import Catalog

@Suite("Around the records of gamelists")
struct GamelistFrameTests: GamelistFixture {
    let library: Library
    let list: BytePath

    init() throws {
        library = try Library("gamelist")
        list = library.root.roms.appending("nes/gamelist.xml")
    }

    private static let framed = """
        <?xml version="1.0"?>
        <!-- first -->
        <?xml-stylesheet href="x.css"?>
        <!DOCTYPE gameList SYSTEM "gamelist.dtd">
        <gameList xmlns:z="urn:z" version='2'>
        \t<game z:a="1" q:b="2" c="3">
        \t\t<path>./a.nes</path>
        \t\t<z:own>kept</z:own>
        \t</game>
        </gameList>
        <!-- last -->
        <?end of it?>

        """

    @Test("the document type, the list's attributes, and what stands around it survive in their places")
    func survives() async throws {
        let store = try await scanned(["nes/a.nes", "nes/b.nes"])
        try write(Self.framed)
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try text() == Self.framed)
        try await store.setFavourite(true, game: game(store, "b.nes").id)
        _ = try await store.exportGamelist(system: "nes", to: list)
        let added = "\t<game>\n\t\t<path>./b.nes</path>\n\t\t<favorite>true</favorite>\n\t</game>\n</gameList>"
        #expect(try text() == Self.framed.replacing("</gameList>", with: added))
        #expect(try names() == ["gamelist.xml"])
    }

    @Test(
        "names with a prefix bring their declaration into another file, and those without any stay away",
        arguments: [nil, "<gameList><game><path>./a.nes</path></game></gameList>", "<gameList xmlns:q=\"urn:q\"/>"])
    func prefixes(_ there: String?) async throws {
        let store = try await scanned(["nes/a.nes"])
        try write(Self.framed)
        for _ in 0..<2 { _ = try await store.importGamelist(system: "nes", from: list) }
        #expect(try await store.importGamelist(system: "nes", from: list).changed == 0)
        let other = library.folder.appending("other.xml")
        if let there { try write(there, to: other) }
        _ = try await store.exportGamelist(system: "nes", to: other)
        let written = try text(other)
        #expect(written.contains("<z:own xmlns:z=\"urn:z\">kept</z:own>"))
        #expect(written.contains("q:b") == (there?.contains("urn:q") ?? false))
        if !(there?.contains("a.nes") ?? false) {
            #expect(written.contains("<game z:a=\"1\"") && written.contains(" c=\"3\" xmlns:z=\"urn:z\">"))
        }
        #expect(readXML(try readFile(other)) { _ in } == nil)
    }

    @Test("document types that declare something, or are none, do not get into what is written")
    func doctypes() async throws {
        let store = try await scanned(["nes/a.nes"])
        for type in ["<!DOCTYPE g [<!ENTITY a 'b'>]>", "<!DOCTYPE>", "<!DOCTYPE g SYSTEM>", "<!ELEMENT g ANY>"] {
            try write(type + "<gameList>" + record("<path>./a.nes</path><name>A</name>") + "</gameList>")
            let report = try await store.exportGamelist(system: "nes", to: list)
            #expect(report.damagedFile != nil)
            #expect(try text() == xml("\t<game>\n\t\t<path>./a.nes</path>\n\t\t<name>A</name>\n\t</game>\n"))
        }
        #expect(GamelistNames.isDoctype("<!DOCTYPE g PUBLIC '-//A//B' \"u\" >"))
        for type in ["<!DOCTYPE g PUBLIC '<' 'u'>", "<!DOCTYPE g SYSTEM 'u' 'v'>", "<!DOCTYPEg>", "<!DOCTYPE 1>"] {
            #expect(!GamelistNames.isDoctype(type), "\(type)")
        }
    }

    @Test("in the place of a page that is no list comes a list alone, also after the page was imported")
    func page() async throws {
        let store = try await scanned(["nes/a.nes"])
        try await store.setFavourite(true, game: game(store, "a.nes").id)
        let page = "<!DOCTYPE html>\n<!-- p --><html><head><title>404</title></head><body><p>No</p></body></html>\n"
        try write(page)
        _ = try await store.importGamelist(system: "nes", from: list)
        let report = try await store.exportGamelist(system: "nes", to: list)
        let expected = xml("\t<game>\n\t\t<path>./a.nes</path>\n\t\t<favorite>true</favorite>\n\t</game>\n")
        #expect(try text() == expected)
        #expect(report.damagedFile == list.appendingSuffix(".bad-1").displayString)
        #expect(try text(list.appendingSuffix(".bad-1")) == page)
        try removeFile(list)
        _ = try await store.exportGamelist(system: "nes", to: list)
        #expect(try text() == expected)
    }
}
