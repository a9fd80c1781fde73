import Glibc
import Interface
import SDLKit
import SystemKit
import Testing

@testable import Stage

extension StageSuite {
    @Suite("pictures") struct PictureTests {
        /// A picture file: the left half of one colour, the right half of another.
        private func halves(_ width: Int, _ height: Int, at path: BytePath) throws {
            let stage = try memoryStage(width, height)
            var list = DrawList()
            list.commands = [
                .fill(Rect(0, 0, Double(width) / 2, Double(height)), Color(hex: 0xFF0000), radius: 0),
                .fill(Rect(Double(width) / 2, 0, Double(width) / 2, Double(height)), Color(hex: 0x0000FF), radius: 0),
            ]
            stage.present(list)
            try stage.screenshot(to: path)
        }

        private func image(
            _ path: BytePath, _ rect: Rect, _ fit: ImageFit = .fit, radius: Double = 0, tint: Color = .white
        ) -> DrawCommand { .image(.file(path.bytes), rect, fit, radius: radius, tint: tint) }

        @Test("a picture comes in the background, whole in its place, at the size of the screen only")
        func fit() throws {
            try withFolder { folder in
                let path = folder.appending("wide.png")
                try halves(800, 400, at: path)
                let stage = try memoryStage()
                let command = image(path, Rect(50, 10, 100, 100))
                #expect(try stage.pixels([command]).inked == nil, "nothing is waited for")
                #expect(stage.awaitPicture())
                let shot = try stage.pixels([command])
                #expect(try #require(shot.inked) == (50, 35, 150, 85))
                #expect(shot.rgb(52, 40) == 0xFF0000 && shot.rgb(148, 80) == 0x0000FF)
                #expect(stage.statistics.pictureBytes == 100 * 50 * 4)
            }
        }

        @Test("a filling picture covers its place, is cut, and gets round corners and a tint")
        func fill() throws {
            try withFolder { folder in
                let path = folder.appending("wide.png")
                try halves(300, 100, at: path)
                let stage = try memoryStage()
                let command = image(path, Rect(20, 20, 60, 60), .fill, radius: 16, tint: Color(hex: 0x808080))
                _ = try stage.pixels([command])
                #expect(stage.awaitPicture())
                let shot = try stage.pixels([command])
                #expect(shot.rgb(20, 20) == 0 && shot.rgb(79, 79) == 0, "corners are cut")
                #expect(shot.rgb(30, 50) >> 16 == 0x80 || shot.rgb(30, 50) >> 16 == 0x7F)
                #expect(shot.rgb(70, 50) & 0xFF >= 0x7F)
            }
        }

        @Test("damaged, lying, endless and foreign files cost nothing but their picture")
        func damaged() throws {
            try withFolder { folder in
                let good = folder.appending("good.png")
                try halves(64, 64, at: good)
                let bytes = try readFile(good)
                func file(_ name: String, _ contents: [UInt8]) throws -> BytePath {
                    try replaceFile(at: folder.appending(name), with: contents)
                    return folder.appending(name)
                }
                // A PNG header that promises 20,000 x 20,000 pixels.
                var giant = bytes
                giant.replaceSubrange(16..<24, with: [0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20])
                var flipped = bytes
                for index in stride(from: 40, to: flipped.count, by: 3) { flipped[index] ^= 0x5A }
                let pipe = folder.appending("pipe.png")
                #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
                let bad = [
                    try file("empty.png", []), try file("text.png", Array("no picture".utf8)),
                    try file("cut.png", Array(bytes.prefix(60))), try file("head.png", Array(bytes.prefix(20))),
                    try file("giant.png", giant), try file("flipped.png", flipped),
                    try file("cut.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]), try file("zero.gif", Array("GIF89a".utf8)),
                    try file("cut.bmp", Array("BM".utf8) + [UInt8](repeating: 0, count: 30)),
                    try file("cut.webp", Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [UInt8](repeating: 1, count: 30)),
                    pipe, folder, folder.appending("missing.png"),
                ]
                let stage = try memoryStage(400, 100)
                var commands = bad.enumerated().map { image($1, Rect(Double($0) * 20, 0, 20, 20)) }
                // The last wish: when it is there, all others were tried.
                commands.append(image(good, Rect(300, 0, 64, 64)))
                _ = try stage.pixels(commands)
                #expect(stage.awaitPicture())
                #expect(try #require(try stage.pixels(commands).inked) == (300, 0, 364, 64))
                #expect(stage.statistics.pictures == 1)
            }
        }

        @Test("the pictures of a long scroll stay within the budget, and come back")
        func budget() throws {
            try withFolder { folder in
                let budget = 200 << 10
                let stage = try memoryStage(100, 100, pictureBudget: budget)
                let paths = (0..<12).map { folder.appending("p\($0).png") }
                for path in paths { try halves(100, 100, at: path) }
                for path in paths + [paths[0]] {
                    let command = image(path, Rect(0, 0, 100, 100))
                    if try stage.pixels([command]).inked == nil { #expect(stage.awaitPicture()) }
                    #expect(try stage.pixels([command]).rgb(10, 10) == 0xFF0000)
                    #expect(stage.statistics.pictureBytes <= budget)
                }
            }
        }

        @Test("while a picture changes its size the one that is there is shown, then the exact one comes")
        func resized() throws {
            try withFolder { folder in
                let path = folder.appending("p.png")
                try halves(200, 200, at: path)
                let stage = try memoryStage()
                _ = try stage.pixels([image(path, Rect(0, 0, 50, 50))])
                #expect(stage.awaitPicture())
                let larger = image(path, Rect(0, 0, 100, 100))
                _ = try stage.pixels([image(path, Rect(0, 0, 50, 50))])
                #expect(try #require(try stage.pixels([larger]).inked) == (0, 0, 100, 100))
                #expect(stage.awaitPicture())
                _ = try stage.pixels([larger])
                #expect(stage.statistics.pictureBytes == (50 * 50 + 100 * 100) * 4)
            }
        }

        @Test("a replaced picture is read again when it is forgotten")
        func forgotten() throws {
            try withFolder { folder in
                let path = folder.appending("p.png")
                let stage = try memoryStage()
                try replaceFile(at: path, with: Array("broken".utf8))
                let command = image(path, Rect(0, 0, 50, 50))
                _ = try stage.pixels([command])
                // The answer "no picture" is not an event; the next good one is.
                try halves(50, 50, at: path)
                let other = folder.appending("q.png")
                try halves(10, 10, at: other)
                _ = try stage.pixels([command, image(other, Rect(100, 0, 10, 10))])
                #expect(stage.awaitPicture())
                stage.forgetPicture(path.bytes)
                let shot = try stage.pixels([command])
                if shot.rgb(2, 2) != 0xFF0000 { #expect(stage.awaitPicture()) }
                #expect(try stage.pixels([command]).rgb(2, 2) == 0xFF0000)
            }
        }

        @Test("an icon is drawn at exactly its size, in the colour of its tint; a missing one is nothing")
        func icons() throws {
            let svg =
                #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>"#
            let stage = try memoryStage(icons: { name in
                name == "box" ? Array(svg.utf8) : name == "bad" ? Array("<svg".utf8) : nil
            })
            let tint = Color(hex: 0x12_34_56)
            let shot = try stage.pixels([
                .image(.icon("box"), Rect(10, 10, 33, 33), .fit, radius: 0, tint: tint),
                .image(.icon("none"), Rect(60, 10, 33, 33), .fit, radius: 0, tint: tint),
                .image(.icon("bad"), Rect(60, 10, 33, 33), .fit, radius: 0, tint: tint),
            ])
            #expect(try #require(shot.inked) == (10, 10, 43, 43))
            #expect(shot.rgb(20, 20) == 0x123456)
        }

        @Test("sizes are known before decoding")
        func headers() {
            #expect(PictureHeader(Array("GIF89a".utf8) + [64, 1, 200, 0])?.width == 320)
            let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC2, 0, 11, 8, 0x02, 0x58, 0x03, 0x20, 3]
            let header = PictureHeader(jpeg)
            #expect(header?.type == "JPG" && header?.width == 800 && header?.height == 600)
            let webp = Array("RIFF....WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0x4E, 0, 0xFF, 0, 0]
            #expect(PictureHeader(webp)?.width == 0x4E20 && PictureHeader(webp)?.height == 256)
            #expect(PictureHeader(Array("<svg/>".utf8)) == nil)
        }
    }
}
