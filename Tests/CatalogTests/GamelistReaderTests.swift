import Testing
import XMLKit

@testable import Catalog

@Suite("Reading gamelists")
struct GamelistReaderTests {
    private func read(_ text: String) -> GamelistContents { GamelistReader.read(bytes: Array(text.utf8)) }

    private func paths(_ contents: GamelistContents) -> [String] {
        contents.records.map { String(decoding: $0.path, as: UTF8.self) }
    }

    private func names(_ contents: GamelistContents) -> [String?] { contents.records.map { $0.text("name") } }

    private static let header = "<?xml version=\"1.0\"?>\n"

    private func list(_ inside: String) -> GamelistContents { read("\(Self.header)<gameList>\(inside)</gameList>\n") }

    private func game(_ path: String, _ name: String) -> String {
        "\n\t<game>\n\t\t<path>\(path)</path>\n\t\t<name>\(name)</name>\n\t</game>"
    }

    @Test("a sound list gives its records with exactly the XML that it has")
    func sound() {
        let contents = list(
            """

            <!-- mine -->
            <game id="7" source="Scraper">
                <path>./A &amp; B.nes</path><name><![CDATA[A & B]]></name>
                <x:own a='1'>  kept <b>as</b> it&#39;s </x:own >
                <desc/>
            </game>
            <folder><path>./sub</path></folder>
            <provider><System>NES</System></provider>
            """)
        #expect(contents.isSound && contents.problems.isEmpty)
        let records = contents.records
        #expect(paths(contents) == ["./A & B.nes", "./sub"])
        #expect(records[0].attributes == " id=\"7\" source=\"Scraper\"")
        #expect(records[0].text("name") == "A & B")
        #expect(records[0].elements[2].xml == "<x:own a='1'>  kept <b>as</b> it&#39;s </x:own >")
        #expect(records[0].elements[2].text == "kept as it's")
        #expect(records[0].elements[3].xml == "<desc/>")
        #expect(records[1].isFolder && !records[0].isFolder)
        #expect(contents.items.contains(.outside("<!-- mine -->")))
        #expect(contents.items.contains(.outside("<provider><System>NES</System></provider>")))
    }

    @Test(
        "a bad record costs itself at most (B030)",
        arguments: [
            ("<game><path>./A & B.nes</path><name>A & B</name></game>", "./A & B.nes", "A & B"),
            ("<game><path>./x.nes</path><name>wrong</nane></game>", "./x.nes", "wrong"),
            ("<game><path>./x.nes</path><name>none</game>", "./x.nes", "none"),
            ("<game><path>./x.nes</path><name>other</desc><desc>d</desc></game>", "./x.nes", "other"),
            ("<game><path>./x.nes</path><name>control\u{1}led</name></game>", "./x.nes", "controlled"),
            ("<game><path>./x.nes</path><name>Caf&eacute;</name></game>", "./x.nes", "Café"),
            ("<game><path>./x.nes</path><name>I <3 you</name></game>", "./x.nes", "I <3 you"),
            ("<game><path>./x.nes</path><name>n</name><!-- no end </game>", "./x.nes", "n"),
            ("<game><path>./x.nes</path><name>n</name><desc><![CDATA[no end</desc></game>", "./x.nes", "n"),
            ("<game id=\"1><path>./x.nes</path><name>n</name></game>", "./x.nes", "n"),
            ("<game id=1 id=2><path>./x.nes</path><name>n</name></game>", "./x.nes", "n"),
            ("<game><path>./x.nes</path><name>n</name>", "./x.nes", "n"),
            ("<game><path>./x.nes</path><name>n</name></folder>", "./x.nes", "n"),
            ("<game><path>./x.nes</path><name>n</name><b><i>x</b></game>", "./x.nes", "n"),
        ])
    func bad(_ record: String, _ path: String, _ name: String) throws {
        let contents = list(game("./one.nes", "One") + record + game("./two.nes", "Two"))
        #expect(paths(contents) == ["./one.nes", path, "./two.nes"])
        #expect(names(contents) == ["One", name, "Two"])
        #expect(contents.problems.map(\.record) == [2])
        #expect(!contents.isSound)
        // What was mended is XML.
        for record in contents.records {
            let text = "<game\(record.attributes)>\(record.elements.map(\.xml).joined())</game>"
            #expect(readXML(Array(text.utf8)) { _ in } == nil, "\(text)")
        }
    }

    @Test("windows-1252 and Latin-1 are read, declared or not, and a path keeps its bytes")
    func codePages() {
        for encoding in ["windows-1252", "ISO-8859-1", "UTF-8"] {
            var bytes = Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><gameList><game><path>./Pok".utf8)
            bytes += [0xE9]
            bytes += Array("mon.gb</path><name>Pok".utf8) + [0xE9] + Array("mon".utf8) + [0x99]
            bytes += Array("</name></game></gameList>".utf8)
            let contents = GamelistReader.read(bytes: bytes)
            #expect(names(contents) == ["Pokémon™"])
            #expect(contents.records.first?.path == Array("./Pok".utf8) + [0xE9] + Array("mon.gb".utf8))
            #expect(contents.isSound == (encoding != "UTF-8"))
        }
    }

    @Test("a byte order mark and UTF-16 of both kinds are read")
    func unicodeForms() {
        let text = Self.header + "<gameList>" + game("./é𝄞.nes", "Łé𝄞") + "</gameList>"
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [
            [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big,
        ] {
            let contents = GamelistReader.read(bytes: bytes)
            #expect(names(contents) == ["Łé𝄞"])
            #expect(paths(contents) == ["./é𝄞.nes"])
            #expect(contents.isSound)
        }
    }

    @Test("declarations are passed over: nothing is fetched and no entity grows")
    func declarations() {
        let contents = read(
            """
            <?xml version="1.0"?>
            <!DOCTYPE gameList [ <!-- it's --> <!ENTITY a "<game>aaaaaaaaaa"> <!ENTITY b "&a;&a;&a;&a;">
              <!ENTITY file SYSTEM "file:///etc/hostname"> ]>
            <gameList><game><path>./x.nes</path><name>&file;&b;</name></game></gameList>
            """)
        #expect(paths(contents) == ["./x.nes"])
        #expect(names(contents) == ["&file;&b;"])
    }

    @Test("records are found without a list around them, behind a stray line, and in somebody else's element")
    func roots() {
        let one = game("./a.nes", "A")
        for text in [one, "gamelist from my computer\n" + one, "<root><x>y</x><gamelist>\(one)</gamelist></root>"] {
            #expect(paths(read(text)) == ["./a.nes"], "\(text)")
        }
        let other = "<alternativeEmulator>\n\t<label>FCEUmm</label>\n</alternativeEmulator>"
        let contents = read("\(Self.header)\(other)\n<gameList>\(one)</gameList>")
        #expect(contents.items.first == .outside(other))
        #expect(contents.isSound)
    }

    @Test("a file that is cut gives the records before the cut (B029)")
    func cut() {
        let whole = Self.header + "<gameList>" + game("./a.nes", "A") + game("./b.nes", "B") + "\n</gameList>\n"
        #expect(list(game("./a.nes", "A")).isSound)
        let bytes = Array(whole.utf8)
        for length in 0..<(bytes.count - 2) {
            let contents = GamelistReader.read(bytes: Array(bytes[..<length]))
            #expect(!contents.isSound)
            #expect(!contents.problems.isEmpty)
            // A path that is not whole is none.
            #expect(Set(paths(contents)).isSubset(of: ["./a.nes", "./b.nes", ""]))
        }
        #expect(paths(GamelistReader.read(bytes: Array(bytes[..<(bytes.count - 14)]))) == ["./a.nes", "./b.nes"])
    }

    @Test("an empty file and one of zeros hold nothing, which is told (B029)")
    func nothing() {
        for bytes in [[], Array(repeating: 0, count: 4096), Array("  \n".utf8)] as [[UInt8]] {
            let contents = GamelistReader.read(bytes: bytes)
            #expect(contents.records.isEmpty && !contents.isSound)
            #expect(contents.problems.map(\.reason) == ["the file is empty or holds nothing but zeros"])
        }
        #expect(read("no list").problems.map(\.reason) == ["this is no list of games"])
        #expect(list("").isSound)
    }

    @Test("a record that never ends is left out, and the next one is read")
    func endless() {
        let long = "<game><path>./long.nes</path><desc>" + String(repeating: "x", count: GamelistReader.longest)
        let contents = list(game("./a.nes", "A") + long + "</desc></game>" + game("./b.nes", "B"))
        #expect(paths(contents) == ["./a.nes", "./b.nes"])
        #expect(contents.problems.map(\.record) == [2])
        let deep = String(repeating: "<d>", count: 5000)
        #expect(
            paths(list("<game><path>./a.nes</path>\(deep)</game>" + game("./b.nes", "B"))) == ["./a.nes", "./b.nes"])
    }

    @Test("what comes in pieces of any size is read as what comes at once")
    func pieces() {
        let text =
            "\u{FEFF}" + Self.header + "<!DOCTYPE gameList [<!ENTITY a \"]>\">]><alternativeEmulator><label>a</label>"
            + "</alternativeEmulator><gameList><!-- <game> -->" + game("./é.nes", "A & é &amp; B")
            + "<game a='>'><path>./c.nes</path><name><![CDATA[</game>]]>]]></name><y><game>n</game></y></game>"
            + "<game><path>./d.nes</path><name>x</game>" + "<game><path>./e.nes</path><name>e</name><desc>cut o"
        let units = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for bytes in [Array(text.utf8), units] {
            let whole = GamelistReader.read(bytes: bytes)
            #expect(paths(whole) == ["./é.nes", "./c.nes", "./d.nes", "./e.nes"])
            for size in Array(1...60) + [127, 255, bytes.count - 1] {
                var contents = GamelistContents()
                let reader = GamelistReader { contents.items.append($0) }
                var start = 0
                while start < bytes.count {
                    let end = min(start + size, bytes.count)
                    bytes[start..<end].withUnsafeBufferPointer { reader.feed($0) }
                    start = end
                }
                reader.finish()
                contents.isSound = reader.isSound
                #expect(contents == whole, "pieces of \(size)")
            }
        }
    }

    @Test("a list with any bytes changed, lost or doubled is read to its end, and gives XML")
    func damaged() {
        let whole = Array(
            (Self.header + "<gameList>" + game("./é &amp; b.nes", "A") + "<x a=\"1\">y</x><!-- c -->"
                + "<game id='1'><path>./c.nes</path><desc><![CDATA[<d>]]></desc><z>&#65;<i/></z></game></gameList>")
                .utf8)
        var random = SystemRandomNumberGenerator()
        let signs = Array("<>&;\"'/!-[]?= \0\u{1}gé".utf8) + [0xFF, 0xEF, 0xBF, 0xC3]
        for _ in 0..<20000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = signs[Int.random(in: 0..<signs.count, using: &random)]
                case 2: bytes.insert(signs[Int.random(in: 0..<signs.count, using: &random)], at: place)
                default:
                    let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                    bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
                }
            }
            let contents = GamelistReader.read(bytes: bytes)
            var text = "<gameList xmlns:x=\"x\">"
            for item in contents.items {
                switch item {
                case .record(let record):
                    text += "<game\(record.attributes)>" + record.elements.map(\.xml).joined() + "</game>"
                case .outside(let xml): text += xml
                case .list, .end, .doctype, .problem: break
                }
            }
            let fault = readXML(Array((text + "</gameList>").utf8)) { _ in }
            #expect(fault == nil, "\(fault.map { "\($0)" } ?? "") of \(bytes)")
            if fault != nil { return }
        }
    }

    @Test("files made to keep a reader busy are read at once")
    func busy() {
        for sign in ["<![CDATA[", "<!--", "<?", "<!A[", "<!A'", "<a ", "</a", "<a '", "<!A[\"<!A['"] {
            let text = String(repeating: sign, count: 20_000)
            #expect(read(text).records.isEmpty)
            #expect(read("<game><desc>" + text).records.count <= 1)
        }
        #expect(read("<game><desc>" + String(repeating: "</x>", count: 20_000) + "</desc></game>").records.count == 1)
    }
}
