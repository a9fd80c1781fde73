import Catalog
import Testing

private func read(_ text: String) -> [DatReader.Event] { DatReader.read(bytes: Array(text.utf8)) }

private func games(_ events: [DatReader.Event]) -> [DatGame] {
    events.compactMap { if case .game(let game) = $0 { game } else { nil } }
}

private func problems(_ events: [DatReader.Event]) -> [Int] {
    events.compactMap { if case .problem(let record, _) = $0 { record } else { nil } }
}

private let logiqx = """
    <?xml version="1.0"?>
    <!DOCTYPE datafile PUBLIC "-//Logiqx//DTD ROM Management Datafile//EN" "http://www.logiqx.com/Dats/datafile.dtd">
    <datafile>
    \t<header>
    \t\t<name>Nintendo - Nintendo Entertainment System (Headered)</name>
    \t\t<description>Nintendo &amp; friends</description>
    \t\t<version>20240101-000000</version>
    \t</header>
    \t<!-- <game name="not this"><description>x</description></game> -->
    \t<game name="Metroid (USA)" id="0001">
    \t\t<description>Metroid (USA)</description>
    \t\t<rom name="Metroid (USA).nes" size="131088" crc="A2C89CB9" md5="397d10e475266ad28144a1fc6ec9ac59" \
    sha1="ECF39EC5A33E6A6F832F03E8FFC61C5D53F4F90B" status="verified"/>
    \t</game>
    \t<game name="Tom &amp; Jerry &gt; (Europe)">
    \t\t<description>Tom &amp; Jerry &gt; (Europe)</description>
    \t\t<rom name="a > b.nes" size="16" crc="1F" status="baddump"/>
    \t</game>
    </datafile>
    """

@Suite("DAT files")
struct DatReaderTests {
    @Test("of No-Intro and Redump: Logiqx XML")
    func xml() {
        let events = read(logiqx)
        #expect(
            events.first
                == .header(
                    DatHeader(
                        name: "Nintendo - Nintendo Entertainment System (Headered)",
                        description: "Nintendo & friends", version: "20240101-000000")))
        let found = games(events)
        #expect(found.map(\.name) == ["Metroid (USA)", "Tom & Jerry > (Europe)"])
        #expect(problems(events).isEmpty)
        let rom = found[0].roms.first
        #expect(rom?.size == 131_088)
        #expect(rom?.crc == 0xA2C8_9CB9)
        #expect(rom?.sha1?.prefix(3) == [0xEC, 0xF3, 0x9E])
        #expect(rom?.md5?.count == 16)
        #expect(rom?.status == "verified")
        #expect(found[1].roms.first?.crc == 0x1F)
        #expect(found[1].roms.first?.name == "a > b.nes")
        #expect(found[1].roms.first?.status == "baddump")
    }

    @Test("of MAME: its list of machines, with its own document type")
    func mame() {
        let events = read(
            """
            <?xml version="1.0"?>
            <!DOCTYPE mame [
            <!ELEMENT mame (machine+)>
            \t<!ATTLIST mame build CDATA #IMPLIED>
            \t<!ELEMENT machine (description, year?)>
            ]>
            <mame build="0.250 (mame0250)" debug="no">
            \t<machine name="mslug" sourcefile="neogeo/neogeo.cpp">
            \t\t<description>Metal Slug - Super Vehicle-001</description>
            \t\t<rom name="201-p1.p1" size="2097152" crc="08d8daa5" sha1="b888993dbb7e9f0a28a01d7d2e1da00ef9cf8f38"/>
            \t\t<disk name="area51" sha1="3b303bc37e206a6d7339352c869f0050d04186f1" region="ata"/>
            \t</machine>
            \t<machine name="empty" isdevice="yes"/>
            </mame>
            """)
        #expect(events.first == .header(DatHeader(name: "MAME", version: "0.250 (mame0250)")))
        #expect(games(events).map(\.title) == ["Metal Slug - Super Vehicle-001", "empty"])
        #expect(games(events)[0].roms.map(\.name) == ["201-p1.p1", "area51"])
        #expect(problems(events).isEmpty)
    }

    @Test("of MAME: a list of software")
    func softwareList() {
        let events = read(
            """
            <softwarelist name="nes" description="Nintendo NES cartridges">
            <software name="smb"><description>Super Mario Bros. (World)</description><year>1985</year>
            <part name="cart" interface="nes_cart"><dataarea name="prg" size="32768">
            <rom name="prg" size="0x8000" crc="5cf548d3" sha1="fefa1097449a736e66d7c3e5bde6a8d5b1c5a2c4"/>
            </dataarea></part></software></softwarelist>
            """)
        #expect(events.first == .header(DatHeader(name: "nes", description: "Nintendo NES cartridges")))
        #expect(games(events).map(\.title) == ["Super Mario Bros. (World)"])
        #expect(games(events).first?.roms.first?.size == 32768)
    }

    @Test("of clrmamepro: its own text")
    func text() {
        let events = read(
            """
            clrmamepro (
            \tname "Nintendo - Game Boy"
            \tdescription "Nintendo - Game Boy (Private)"
            \tversion 20100101-000000
            )

            game (
            \tname "Tetris (World) (Rev A)"
            \tdescription "Tetris (World) (Rev A)"
            \trom ( name "Tetris (World) (Rev A).gb" size 32768 crc 46DF91AD sha1 74591CC9501AF93873F9A5D3EB12DA12C0723BBC )
            \trom ( name second.bin size 5 crc 00000001 flags baddump )
            )
            game ( description "nobody" )
            game ( name fine )
            """)
        #expect(
            events.first
                == .header(
                    DatHeader(
                        name: "Nintendo - Game Boy", description: "Nintendo - Game Boy (Private)",
                        version: "20100101-000000")))
        #expect(games(events).map(\.name) == ["Tetris (World) (Rev A)", "fine"])
        #expect(games(events)[0].roms.map(\.crc) == [0x46DF_91AD, 1])
        #expect(games(events)[0].roms.last?.status == "baddump")
        #expect(problems(events) == [2])
    }

    @Test("a broken record costs itself")
    func broken() {
        let events = read(
            """
            <datafile><game name="one"><description>One</description></game>
            <game name="two"><description>Two & three < four</description></game>
            <game name="open"><rom name="x"
            <game name="five"><description>Five</description></game>
            <game><description>Nameless</description></game>
            <game name="six"/><game name="deep">\(String(repeating: "<a>", count: 80))</game>
            <game name="seven"><description>Se
            """)
        #expect(games(events).map(\.name) == ["one", "five", "six"])
        #expect(problems(events).count == 5)
    }

    @Test("Latin-1 is read when the file says so")
    func latin() {
        var bytes = Array("<?xml version='1.0' encoding='ISO-8859-1'?><datafile><game name=\"Pok".utf8)
        bytes += [0xE9] + Array("mon\"/></datafile>".utf8)
        #expect(games(DatReader.read(bytes: bytes)).map(\.name) == ["Pokémon"])
    }

    @Test("UTF-16 is read, in both orders, with a mark or without", arguments: [true, false], [true, false])
    func wide(isBig: Bool, isMarked: Bool) {
        let text = "<?xml version='1.0' encoding='UTF-16'?><datafile><game name=\"Pokémon 星\"/></datafile>"
        let bytes = ((isMarked ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
            isBig ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        #expect(games(DatReader.read(bytes: bytes)).map(\.name) == ["Pokémon 星"])
    }

    @Test(
        "what is no DAT file is told",
        arguments: [
            "", "   ", "hello world", "<html><body>Not found</body></html>", "PK\u{3}\u{4}", "\u{0}\u{0}\u{0}\u{0}",
        ])
    func noDat(text: String) {
        let events = read(text)
        #expect(games(events).isEmpty)
        #expect(problems(events) == [0])
    }

    @Test("entities of its own are refused, which would become gigabytes")
    func entities() {
        let events = read(
            """
            <!DOCTYPE datafile [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
            <datafile><game name="&b;"/><game name="fine"/></datafile>
            """)
        #expect(games(events).map(\.name) == ["fine"])
        #expect(problems(events) == [1])
    }

    @Test("the pieces it comes in do not matter", arguments: [1, 2, 3, 7, 64])
    func pieces(size: Int) {
        let bytes = Array(logiqx.utf8)
        var events: [DatReader.Event] = []
        let reader = DatReader { events.append($0) }
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { reader.feed($0) }
        }
        reader.finish()
        #expect(events == read(logiqx))
    }

    @Test("damage anywhere is survived")
    func damage() {
        let whole = Array(logiqx.utf8)
        var random = SystemRandomNumberGenerator()
        var found = 0
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255) }
            found += games(DatReader.read(bytes: bytes)).count
        }
        #expect(found > 0)
    }
}
