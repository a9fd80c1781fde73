import Interface
import SDLKit
import Testing

@testable import Stage

/// One text of each kind that titles have.
private let samples = [
    "The Legend of Zelda", "Ведьмак: дикая охота", "Ελληνικά παιχνίδια", "ゼルダの伝説 かな カナ", "塞尔达传说：旷野之息",
    "젤다의 전설", "العربية لعبة 2", "עברית משחק 3 (USA)", "İstanbul ığüşöç", "👨‍👩‍👧‍👦 🎮 👍🏽", "Tiếng Việt Ế ẞ ½ ² Ø",
    "ไทย เกม", "हिन्दी खेल", "e\u{301} \u{FFFD} \u{0}\u{1}\u{7F}\n\t", "\u{202E}evil\u{202C}", "★ ☃ ♥ →",
    "Z" + String(repeating: "\u{301}\u{323}", count: 100) + "algo", "\u{200D}\u{200D}a\u{FE0F}", "\u{10FFFF}\u{E000}x",
]

extension StageSuite {
    @Suite("text") struct TextTests {
        @Test("every script has a width, draws something, and only inside its box", arguments: samples)
        func scripts(text: String) throws {
            let stage = try memoryStage(900, 160)
            let style = TextStyle(40, .semibold)
            let width = stage.measurer.width(of: text, style: style)
            let height = stage.measurer.lineHeight(style)
            #expect(width > 0 && width < 880)
            let shot = try stage.pixels([.text(text, Point(10, 50), style, .white)])
            let inked = try #require(shot.inked, "nothing was drawn")
            #expect(inked.left >= 10 && inked.right <= 10 + Int(width))
            #expect(inked.top >= 50 && inked.bottom <= 50 + Int(height))
        }

        @Test(
            "a line is as tall whatever fonts it needs, a quarter more than its size", arguments: [12.0, 20, 33.4, 64])
        func lineHeight(size: Double) throws {
            let stage = try memoryStage()
            let height = stage.measurer.lineHeight(TextStyle(size))
            #expect(height >= size.rounded() * 1.25 && height < size.rounded() * 1.25 + 1)
            #expect(height == stage.measurer.lineHeight(TextStyle(size, .bold, .display)))
        }

        @Test("the letters of a line stand on the same baseline beside a script of another font")
        func baseline() throws {
            let stage = try memoryStage(600, 100)
            let style = TextStyle(40)
            let alone = try #require(try stage.pixels([.text("HH", Point(0, 0), style, .white)]).inked)
            let mixed = try stage.pixels([.text("HH 塞尔", Point(0, 0), style, .white)])
            let rows = (0..<100).filter { y in (0..<alone.right).contains { mixed.rgb($0, y) != 0 } }
            #expect(rows.first == alone.top && rows.last == alone.bottom - 1)
        }

        @Test("letters are kerned, and an empty text has no width")
        func kerning() throws {
            let measurer = try memoryStage().measurer
            let style = TextStyle(100)
            #expect(
                measurer.width(of: "AV", style: style) + 2
                    < measurer.width(of: "A", style: style) + measurer.width(of: "V", style: style))
            #expect(measurer.width(of: "", style: style) == 0)
        }

        @Test("every design and weight has a font of its own")
        func styles() throws {
            let measurer = try memoryStage().measurer
            let thin = measurer.width(of: "Hamburgefonts", style: TextStyle(60, .regular))
            let thick = measurer.width(of: "Hamburgefonts", style: TextStyle(60, .heavy))
            #expect(thick > thin)
            let mono = TextStyle(60, .regular, .monospaced)
            #expect(measurer.width(of: "iiii", style: mono) == measurer.width(of: "MMMM", style: mono))
        }

        @Test("three thousand Han characters at two sizes, twice, stay within the budget")
        func han() throws {
            let budget = 1 << 20
            let stage = try memoryStage(1000, 400, textBudget: budget)
            let scalars = (0..<3000).compactMap { Unicode.Scalar(0x4E00 + UInt32($0)) }.map(Character.init)
            var most = 0
            var inked = 0
            for _ in 0..<2 {
                for size in [18.0, 30] {
                    for start in stride(from: 0, to: scalars.count, by: 100) {
                        var list = DrawList()
                        for row in 0..<5 {
                            let text = String(scalars[(start + row * 20)..<(start + row * 20 + 20)])
                            list.commands.append(.text(text, Point(0, Double(row) * 40), TextStyle(size), .white))
                        }
                        stage.present(list)
                        inked += stage.statistics.texts
                        most = max(most, stage.statistics.textBytes)
                    }
                }
            }
            #expect(inked > 0)
            #expect(most <= budget + 5 * 620 * 40 * 4, "the budget and what is on the screen")
            #expect(stage.statistics.fonts <= 40)
        }

        @Test("a title of a megabyte costs neither memory nor a crash")
        func huge() throws {
            let stage = try memoryStage()
            let text = String(repeating: "WWWW é ", count: 200_000)
            #expect(stage.measurer.width(of: text, style: TextStyle(30)) > 10_000)
            let shown = stage.measurer.truncated(String(text.prefix(5000)), style: TextStyle(30), width: 180)
            #expect(stage.measurer.width(of: shown, style: TextStyle(30)) <= 180)
            _ = try stage.pixels([.text(text, Point(0, 0), TextStyle(30), .white)])
            #expect(stage.statistics.textBytes < 4 << 20)
        }

        @Test(
            "the order on the screen",
            arguments: [
                ([0, 0, 0], [0, 1, 2]), ([1, 1, 1], [2, 1, 0]), ([0, 1, 1, 0], [0, 2, 1, 3]),
                ([1, 2, 2, 1], [3, 1, 2, 0]),
            ])
        func order(levels: [Int], expected: [Int]) { #expect(LineOrder.visual(levels) == expected) }

        @Test("numbers and blanks take part in right-to-left text")
        func levels() {
            #expect(LineOrder.levels([.right, .neutral, .digit, .neutral, .right]) == [1, 1, 2, 1, 1])
            #expect(LineOrder.levels([.left, .neutral, .right, .neutral, .left]) == [0, 0, 1, 0, 0])
            #expect(LineOrder.levels([.right, .neutral, .left, .neutral, .left]) == [1, 1, 2, 2, 2])
            #expect(LineOrder.levels([.digit, .neutral, .left]) == [0, 0, 0])
        }
    }
}
