import Interface
import SDLKit
import Testing

@testable import Stage

extension StageSuite {
    @Suite("shapes") struct ShapeTests {
        private let red = Color(hex: 0xE0_20_40)

        @Test("a filled rectangle has exactly its colour, and nothing outside changes")
        func fill() throws {
            let shot = try memoryStage().pixels([.fill(Rect(10, 20, 30, 40), red, radius: 0)])
            #expect(shot.rgb(10, 20) == 0xE02040 && shot.rgb(39, 59) == 0xE02040)
            let inked = try #require(shot.inked)
            #expect(inked == (10, 20, 40, 60))
        }

        @Test(
            "a rounded corner is empty outside, covered in part on the curve, full inside", arguments: [3.0, 8, 12.5])
        func corner(radius: Double) throws {
            let shot = try memoryStage().pixels([.fill(Rect(10, 10, 60, 50), .white, radius: radius)])
            #expect(shot.rgb(10, 10) != 0xFFFFFF)
            #expect(shot.rgb(40, 35) == 0xFFFFFF && shot.rgb(40, 10) == 0xFFFFFF && shot.rgb(10, 35) == 0xFFFFFF)
            let row = (10..<30).map { shot.rgb($0, 11) & 0xFF }
            #expect(row.contains { $0 > 0 && $0 < 255 })
            #expect(row == row.sorted(), "coverage grows from the edge inwards")
            // All four corners are the same.
            for step in 0..<14 {
                #expect(shot.rgb(10 + step, 10) == shot.rgb(69 - step, 10))
                #expect(shot.rgb(10 + step, 10) == shot.rgb(10 + step, 59))
            }
        }

        @Test("a radius larger than half the height makes a pill without a seam", arguments: [20.0, 21])
        func pill(height: Double) throws {
            let shot = try memoryStage().pixels([
                .fill(Rect(10, 10, 80, height), Color(hex: 0xFFFFFF, alpha: 0.5), radius: 99)
            ])
            let middle = (25..<75).map { shot.rgb($0, 20) }
            #expect(Set(middle).count == 1, "parts that overlap would be brighter")
            let column = (10..<(10 + Int(height))).map { shot.rgb(50, $0) }
            #expect(Set(column).count == 1)
        }

        @Test("an edge lies inside its rectangle and leaves the middle alone", arguments: [0.0, 6, 20])
        func stroke(radius: Double) throws {
            let shot = try memoryStage().pixels([.stroke(Rect(10, 10, 80, 60), .white, radius: radius, width: 3)])
            #expect(try #require(shot.inked) == (10, 10, 90, 70))
            #expect(shot.rgb(50, 12) == 0xFFFFFF && shot.rgb(50, 13) == 0 && shot.rgb(50, 40) == 0)
            #expect(shot.rgb(12, 40) == 0xFFFFFF && shot.rgb(13, 40) == 0)
        }

        @Test("a gradient goes from one colour to the other without leaving them", arguments: [true, false])
        func gradient(vertical: Bool) throws {
            let shot = try memoryStage(200, 160).pixels([
                .gradient(
                    Rect(0, 0, 200, 160), from: Color(hex: 0x200000), to: Color(hex: 0x800000), vertical: vertical,
                    radius: 0)
            ])
            let line = vertical ? (0..<160).map { shot.rgb(100, $0) >> 16 } : (0..<200).map { shot.rgb($0, 80) >> 16 }
            #expect(abs(Int(line.first ?? 0) - 0x20) <= 1 && abs(Int(line.last ?? 0) - 0x80) <= 1)
            for (before, after) in zip(line, line.dropFirst()) { #expect(Int(after) >= Int(before) - 1) }
            #expect((0..<200).allSatisfy { shot.rgb($0, 80) & 0xFFFF == 0 }, "parts that do not change stay exact")
        }

        @Test("a slow gradient is grained where it would show bands")
        func grain() throws {
            let shot = try memoryStage(64, 200).pixels([
                .gradient(
                    Rect(0, 0, 64, 200), from: Color(hex: 0x101010), to: Color(hex: 0x141414), vertical: true,
                    radius: 0)
            ])
            let mixed = (0..<200).filter { row in Set((0..<64).map { shot.rgb($0, row) }).count > 1 }
            #expect(mixed.count > 100)
        }

        @Test("a shadow fades out from its rectangle and is the same on all sides")
        func shadow() throws {
            let shot = try memoryStage(300, 260).pixels([
                .shadow(Rect(80, 80, 140, 100), .white, radius: 10, blur: 24)
            ])
            #expect(shot.rgb(150, 130) == 0xFFFFFF)
            let out = (0..<40).map { Int(shot.rgb(220 + $0, 130) & 0xFF) }
            #expect(out[0] < 200 && out[0] > 60 && out[12] < out[0] && out[39] == 0)
            for step in 0..<40 {
                #expect(abs(out[step] - Int(shot.rgb(79 - step, 130) & 0xFF)) <= 2)
                #expect(abs(out[step] - Int(shot.rgb(150, 180 + step) & 0xFF)) <= 2)
            }
        }

        @Test("a light is brightest in the middle and nothing at its rim")
        func glow() throws {
            let shot = try memoryStage().pixels([.glow(Point(100, 60), radius: 40, .white)])
            #expect(shot.rgb(100, 60) & 0xFF > 250)
            #expect(shot.rgb(120, 60) & 0xFF < 200)
            let inked = try #require(shot.inked)
            #expect(inked.left >= 60 && inked.right <= 140 && inked.top >= 20 && inked.bottom <= 100)
        }

        @Test("a ring starts at twelve and goes clockwise")
        func ring() throws {
            let shot = try memoryStage().pixels([.ring(Point(60, 60), radius: 40, width: 8, fraction: 0.5, .white)])
            #expect(shot.rgb(60 + 36, 60) == 0xFFFFFF, "three o'clock is in the first half")
            #expect(shot.rgb(60 - 37, 60) == 0, "nine o'clock is not")
            #expect(shot.rgb(60, 60) == 0)
            let full = try memoryStage().pixels([.ring(Point(60, 60), radius: 40, width: 8, fraction: 1, .white)])
            #expect(full.rgb(60 - 36, 60) == 0xFFFFFF && full.rgb(60, 23) == 0xFFFFFF)
        }

        @Test("clips nest, cut each other, and end")
        func clips() throws {
            let everything = DrawCommand.fill(Rect(0, 0, 200, 120), .white, radius: 0)
            let stage = try memoryStage()
            let inner = try stage.pixels([
                .pushClip(Rect(10, 10, 50, 50)), .pushClip(Rect(40, 40, 100, 100)), everything, .popClip, .popClip,
            ])
            #expect(try #require(inner.inked) == (40, 40, 60, 60))
            let outer = try stage.pixels([
                .pushClip(Rect(10, 10, 50, 50)), .pushClip(Rect(100, 0, 20, 20)), everything, .popClip, everything,
                .popClip,
            ])
            #expect(try #require(outer.inked) == (10, 10, 60, 60), "an empty clip hides all, then the outer one holds")
            let after = try stage.pixels([.pushClip(Rect(0, 0, 1, 1)), .popClip, .popClip, everything])
            #expect(try #require(after.inked) == (0, 0, 200, 120))
        }

        @Test("impossible numbers paint nothing and break nothing")
        func nonsense() throws {
            let bad = [Double.nan, .infinity, -.infinity, -5, 1e300]
            var commands: [DrawCommand] = []
            for value in bad {
                let rect = Rect(value, value, value, value)
                commands += [
                    .fill(rect, .white, radius: value), .stroke(rect, .white, radius: value, width: value),
                    .gradient(rect, from: .white, to: .black, vertical: true, radius: value),
                    .shadow(rect, .white, radius: value, blur: value),
                    .glow(Point(value, value), radius: value, .white),
                    .ring(Point(value, value), radius: value, width: value, fraction: value, .white),
                    .text("x", Point(value, value), TextStyle(value), .white),
                    .image(.icon("none"), rect, .fit, radius: value, tint: .white), .pushClip(rect), .popClip,
                    .fill(Rect(0, 0, value, 10), Color(red: value, green: value, blue: value, alpha: value), radius: 4),
                ]
            }
            let stage = try memoryStage()
            _ = try stage.pixels(commands)
            #expect(try stage.pixels([.fill(Rect(0, 0, 1, 1), .white, radius: 0)]).rgb(0, 0) == 0xFFFFFF)
        }
    }
}
