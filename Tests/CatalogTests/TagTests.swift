import Catalog
import SystemKit
import Testing

@Suite("What the brackets of file names say")
struct TagTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var tags: NameTags
        var testDescription: String { name }

        init(_ name: String, _ tags: NameTags) {
            self.name = name
            self.tags = tags
        }
    }

    /// What stands in brackets, in order, as `Game.tags` has it.
    static func labels(of name: String) -> [String] {
        var labels: [String] = []
        var depth = 0
        var label = ""
        for character in name {
            if "([".contains(character) {
                depth += 1
            } else if ")]".contains(character) {
                depth -= 1
                if depth == 0 {
                    labels.append(label)
                    label = ""
                }
            } else if depth > 0 {
                label.append(character)
            }
        }
        return labels
    }

    static let cases: [Case] = [
        // No-Intro and Redump.
        Case("Super Mario World (USA)", NameTags(regions: ["USA"])),
        Case("Sonic The Hedgehog (USA, Europe)", NameTags(regions: ["USA", "Europe"])),
        Case("Tetris (World) (Rev 1)", NameTags(regions: ["World"], revision: "1")),
        Case(
            "Pokemon - Blaue Edition (Germany) (SGB Enhanced)", NameTags(regions: ["Germany"], others: ["SGB Enhanced"])
        ),
        Case(
            "Rayman (Europe) (En,Fr,De,Es,It,Nl)",
            NameTags(regions: ["Europe"], languages: ["en", "fr", "de", "es", "it", "nl"])),
        Case("Game (Europe) (En-GB,Fr,Zh-Hans)", NameTags(regions: ["Europe"], languages: ["en", "fr", "zh"])),
        Case("Zelda no Densetsu (Japan) (Rev A)", NameTags(regions: ["Japan"], revision: "A")),
        Case("Doom (Japan, Korea) (v1.1)", NameTags(regions: ["Japan", "Korea"], revision: "1.1")),
        Case("Final Fantasy VII (Europe) (Disc 2)", NameTags(regions: ["Europe"], disc: 2)),
        Case("Panzer Dragoon Saga (USA) (Disc 3) (Rev 2)", NameTags(regions: ["USA"], revision: "2", disc: 3)),
        Case("Resident Evil 2 (Hong Kong)", NameTags(regions: ["Hong Kong"])),
        Case("Game (Latin America) (Es)", NameTags(regions: ["Latin America"], languages: ["es"])),
        Case("Game (USA) (Beta 2)", NameTags(regions: ["USA"], isIrregular: true, others: ["Beta 2"])),
        Case(
            "Game (USA) (Proto) (1992-05-20)",
            NameTags(regions: ["USA"], isIrregular: true, others: ["Proto", "1992-05-20"])),
        Case(
            "Game (Europe) (Possible Proto)",
            NameTags(regions: ["Europe"], isIrregular: true, others: ["Possible Proto"])),
        Case("Game (USA) (Demo) (Kiosk)", NameTags(regions: ["USA"], isIrregular: true, others: ["Demo", "Kiosk"])),
        Case("Micro Mages (World) (Aftermarket) (Unl)", NameTags(regions: ["World"], others: ["Aftermarket", "Unl"])),
        Case("Game (Taiwan) (Pirate)", NameTags(regions: ["Taiwan"], isIrregular: true, others: ["Pirate"])),
        Case("Game (USA) (Virtual Console)", NameTags(regions: ["USA"], others: ["Virtual Console"])),
        Case("Game (USA) (Alt)", NameTags(regions: ["USA"], others: ["Alt"])),
        Case("Game (UK)", NameTags(regions: ["United Kingdom"])),
        // GoodTools.
        Case("Super Mario Bros (E) [!]", NameTags(regions: ["Europe"], isVerified: true)),
        Case("Contra (U) [!]", NameTags(regions: ["USA"], isVerified: true)),
        Case(
            "Gradius (J) (V1.0) [b1]", NameTags(regions: ["Japan"], revision: "1.0", isIrregular: true, others: ["b1"])),
        Case("Mario Kart 64 (UE)", NameTags(regions: ["USA", "Europe"])),
        Case("Kirby (JU) (M5)", NameTags(regions: ["Japan", "USA"])),
        Case("Game (JUE) [h1C]", NameTags(regions: ["Japan", "USA", "Europe"], isIrregular: true, others: ["h1C"])),
        Case(
            "Game (J) [T+Eng1.0_Author]",
            NameTags(regions: ["Japan"], languages: ["en"], isIrregular: true, others: ["T+Eng1.0_Author"])),
        Case("Game (J) [T-Fre]", NameTags(regions: ["Japan"], languages: ["fr"], isIrregular: true, others: ["T-Fre"])),
        Case("Game (U) (PRG1) [a2]", NameTags(regions: ["USA"], others: ["PRG1", "a2"])),
        Case("Game (W) [o1] [p1]", NameTags(regions: ["World"], isIrregular: true, others: ["o1", "p1"])),
        Case("Game (SMB1 Hack)", NameTags(isIrregular: true, others: ["SMB1 Hack"])),
        Case("Game (Sw)", NameTags(regions: ["Sweden"])),
        // TOSEC.
        Case(
            "Legend of TOSEC, The (1986)(Devstudio)(US)",
            NameTags(regions: ["USA"], others: ["1986", "Devstudio"])),
        Case(
            "Game (1990)(Firm)(EU)(en-fr)[a]",
            NameTags(regions: ["Europe"], languages: ["en", "fr"], others: ["1990", "Firm", "a"])),
        Case("Game (19xx)(-)(DE)(de)", NameTags(regions: ["Germany"], languages: ["de"], others: ["19xx", "-"])),
        Case(
            "Game (1988)(Firm)(GB)(Disk 2 of 3 Side B)",
            NameTags(regions: ["United Kingdom"], disc: 2, others: ["1988", "Firm"])),
        Case("Game (1988)(Firm)(Side B)", NameTags(disc: 2, others: ["1988", "Firm"])),
        Case(
            "Game (1988)(Firm)[cr PDX][t +3]", NameTags(isIrregular: true, others: ["1988", "Firm", "cr PDX", "t +3"])),
        Case(
            "Game (1988)(Firm)(US)[tr de]",
            NameTags(regions: ["USA"], languages: ["de"], isIrregular: true, others: ["1988", "Firm", "tr de"])),
        Case("Game (demo) (1991)(Firm)", NameTags(isIrregular: true, others: ["demo", "1991", "Firm"])),
        // Not what it looks like.
        Case("Game (Sample Text, Inc.)", NameTags(isIrregular: true, others: ["Sample Text, Inc."])),
        Case("Game (USA, Nowhere)", NameTags(others: ["USA, Nowhere"])),
        Case("Game ()", NameTags()), Case("Game ( ) [ ]", NameTags()),
        Case("Game (\u{65E5}\u{672C})", NameTags(others: ["\u{65E5}\u{672C}"])),
        Case("Game (Rev)", NameTags(others: ["Rev"])), Case("Game (Disc)", NameTags(others: ["Disc"])),
        Case("Game (Vampire)", NameTags(others: ["Vampire"])), Case("Game (M)", NameTags(others: ["M"])),
    ]

    @Test("tags of every convention are told apart", arguments: cases)
    func reads(_ test: Case) {
        #expect(NameTags(of: TagTests.labels(of: test.name)) == test.tags)
    }

    @Test("random brackets never stop the reader, and nothing of them is lost or invented")
    func survives() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "USA", "En", ",", " ", "-", "+", "Rev", "v", "1", ".", "(", "[", "T+", "Disc", "\u{130}",
            "\u{1F468}\u{200D}", "b", "!", "_", "\0",
        ]
        for _ in 0..<3000 {
            let label = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let tags = NameTags(of: [label])
            #expect(tags.others.count <= 1, "\(label)")
            #expect(Set(tags.regions).count == tags.regions.count)
            #expect(tags == NameTags(of: [label, " "]))
        }
    }
}
