import FoundationEssentials
import SystemKit
import Testing

@testable import Commands

@Suite("What is printed")
struct OutputTests {
    @Test("JSON has sorted keys and is read back by another parser")
    func document() throws {
        let value = JSONValue.object([
            "b": .array([.integer(1), .number(0.5), .null, .bool(true)]), "a": .object([:]), "Z": .array([]),
            "ä": .string("€"),
        ])
        let expected =
            "{\n  \"Z\": [],\n  \"a\": {},\n  \"b\": [\n    1,\n    0.5,\n    null,\n    true\n  ],\n  \"ä\": \"€\"\n}"
        #expect(value.text == expected)
        _ = try JSONDecoder().decode(AnyJSON.self, from: Data(value.text.utf8))
    }

    @Test("every character survives JSON, and none of them steers a terminal")
    func escaping() throws {
        var text = String.UnicodeScalarView()
        for value in UInt32(0)...0x2100 { if let scalar = Unicode.Scalar(value) { text.append(scalar) } }
        text.append("\u{1F3AE}")
        let string = String(text)
        let rendered = JSONValue.string(string).text
        #expect(!rendered.unicodeScalars.contains(where: isTerminalControl))
        let read = try JSONDecoder().decode(AnyJSON.self, from: Data(rendered.utf8))
        #expect(read.string?.unicodeScalars.elementsEqual(string.unicodeScalars) == true)
    }

    @Test("numbers that JSON does not have are null")
    func numbers() {
        #expect(JSONValue.number(.infinity).text == "null")
        #expect(JSONValue.number(.nan).text == "null")
        #expect(JSONValue.seconds(1.23456).text == "1.235")
        #expect(JSONValue.integer(Int64.min).text == "-9223372036854775808")
    }

    @Test("a path that is no UTF-8 has its bytes beside the readable text, another one has not")
    func paths() {
        let raw = BytePath(bytes: Array("/Br".utf8) + [0xF8] + Array("d.nes".utf8))
        #expect(JSONValue.path(raw) == ["path": .string("/Br\u{FFFD}d.nes"), "pathBytes": .string("L0Jy+GQubmVz")])
        #expect(JSONValue.path("/a\nb") == ["path": .string("/a\nb")])
        #expect(JSONValue.argument(raw) == .object(["bytes": .string("L0Jy+GQubmVz")]))
        #expect(JSONValue.argument("/a") == .string("/a"))
    }

    @Test(
        "base64 follows RFC 4648",
        arguments: zip(
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]))
    func rfc4648(plain: String, encoded: String) { #expect(base64(Array(plain.utf8)) == encoded) }

    @Test(
        "width is what a terminal shows: wide characters take two columns, marks none",
        arguments: [
            ("abc", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("ゼルダ", 6), ("ｱ", 1), ("한글", 4), ("🎮", 2), ("👨‍👩‍👧", 2),
            ("🇯🇵", 2), ("★", 1), ("½²", 2), ("שלום", 4), ("a\u{200B}b", 2), ("中a", 3), ("❤️", 2),
        ])
    func width(text: String, columns: Int) { #expect(displayWidth(text) == columns) }

    @Test("columns line up for the eye, and the flexible one gives way on a narrow terminal")
    func table() {
        var table = TextTable([.init("N", isNumeric: true), .init("TITLE", isFlexible: true), .init("SYSTEM")])
        table.add(["1", "ゼルダの伝説", "nes"])
        table.add(["12", "A very long title of a game", "snes"])
        table.add(["3", "evil\u{1B}[2J\u{7}\n", ""])
        #expect(
            table.text(width: nil) == """
                 N  TITLE                        SYSTEM
                 1  ゼルダの伝説                 nes
                12  A very long title of a game  snes
                 3  evil␛[2J␇␊

                """)
        #expect(
            table.text(width: 28) == """
                 N  TITLE             SYSTEM
                 1  ゼルダの伝説      nes
                12  A very long tit…  snes
                 3  evil␛[2J␇␊

                """)
    }

    @Test("a cut never leaves half a wide character")
    func cut() {
        #expect(truncated("ゼルダ", to: 4) == "ゼ…")
        #expect(truncated("ゼルダ", to: 6) == "ゼルダ")
        #expect(truncated("abcdef", to: 3) == "ab…")
    }

    @Test(
        "sizes and durations for people",
        arguments: [
            (sizeText(0), "0 B"), (sizeText(999), "999 B"), (sizeText(1000), "1.0 kB"), (sizeText(40_976), "41 kB"),
            (sizeText(999_600), "1.0 MB"), (sizeText(3_200_000_000), "3.2 GB"), (sizeText(64_000_000_000_000), "64 TB"),
            (durationText(0.04), "0.0 s"), (durationText(9.96), "10.0 s"), (durationText(59.4), "59 s"),
            (durationText(61), "1 min 1 s"), (durationText(3600), "1 h"), (durationText(7500), "2 h 5 min"),
            (durationText(90_000), "1 d 1 h"), (durationText(.nan), "unknown"), (durationText(-1), "unknown"),
            (countText(1, "game"), "1 game"), (countText(100_000, "game"), "100,000 games"),
            (groupedText(-1_234_567), "-1,234,567"), (listText(["a", "b", "c"]), "a, b and c"), (listText([]), ""),
        ])
    func human(text: String, expected: String) { #expect(text == expected) }

    @Test("a moment is RFC 3339 in UTC")
    func moments() {
        #expect(utcText(secondsSince1970: 0) == "1970-01-01T00:00:00Z")
        #expect(utcText(secondsSince1970: 1_709_210_096.9) == "2024-02-29T12:34:56Z")
        #expect(utcText(secondsSince1970: -1) == "1969-12-31T23:59:59Z")
        #expect(utcText(secondsSince1970: .infinity) == "")
    }

    @Test("colours are for terminals without NO_COLOR, and a document has none ever")
    func colors() async throws {
        let world = try World()
        #expect(await world.run("systems", "--all", terminal: 100).output.hasPrefix("\u{1B}[1mNAME"))
        #expect(await world.run("systems", "--all").output.hasPrefix("NAME"))
        let environment = ["NO_COLOR": "1"]
        #expect(await world.run("systems", "--all", terminal: 100, environment: environment).output.hasPrefix("NAME"))
        #expect(await !world.run("systems", "--all", "--json", terminal: 100).output.contains("\u{1B}"))
        #expect(await world.run("stauts", terminal: 100).messages.hasPrefix("\u{1B}[31mretro-admin:\u{1B}[0m there"))
    }

    @Test("a full disk under standard output is told, a reader that had enough is not")
    func failures() async {
        for (code, status) in [(28, .inputOutput), (brokenPipeCode, .done)] as [(Int32, SystemKit.ExitStatus)] {
            let surroundings = Surroundings(
                environment: [:], directory: "/", output: .init(isTerminal: false) { _ in code },
                messages: .init(isTerminal: false) { _ in 0 })
            #expect(await RetroAdmin.run(["--help"], in: surroundings) == .exit(status))
        }
    }
}
