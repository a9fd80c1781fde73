import Catalog
import SystemKit
import Systems
import Testing

@Suite("Pictures of games") struct ArtworkTests {
    private func picture(_ rom: String, files: [String], kinds: [Artwork.Kind] = Artwork.Kind.allCases) throws
        -> String?
    {
        let library = try Library()
        for file in files {
            let path = library.root.media.appending(file)
            try createDirectories(path.parent)
            try replaceFile(at: path, with: [1])
        }
        let game = Game(
            id: 1, system: "nes", path: library.root.roms.appending("nes").appending(rom), relativePath: BytePath(rom),
            title: rom, sortTitle: rom)
        return Artwork(root: library.root).picture(for: game, kinds: kinds)?.relative(to: library.root.media)?
            .displayString
    }

    @Test("the cover comes before the screenshot, whatever was asked last")
    func order() throws {
        let files = ["nes/screenshots/A.png", "nes/covers/A.jpg"]
        #expect(try picture("A.nes", files: files) == "nes/covers/A.jpg")
        #expect(try picture("A.nes", files: files, kinds: [.screenshots, .covers]) == "nes/screenshots/A.png")
    }

    @Test("what some filesystems forbid is an underscore in the picture's name")
    func replaced() throws {
        #expect(
            try picture("D&D - Warriors.nes", files: ["nes/covers/D_D - Warriors.png"])
                == "nes/covers/D_D - Warriors.png")
    }

    @Test("capitals are fine, other systems and other names are not")
    func names() throws {
        #expect(try picture("A.nes", files: ["nes/covers/A.JPG"]) == "nes/covers/A.JPG")
        #expect(try picture("A.nes", files: ["snes/covers/A.png", "nes/covers/AB.png"]) == nil)
        #expect(try picture("A (USA).nes", files: ["nes/marquees/A (USA).webp"]) == "nes/marquees/A (USA).webp")
    }

    @Test("an accent is the same in one character or in two, in both directions")
    func accents() throws {
        let composed = "Pok\u{E9}mon"
        let decomposed = "Poke\u{301}mon"
        #expect(try picture(composed + ".nes", files: ["nes/covers/\(composed).png"]) != nil)
        #expect(try picture(decomposed + ".nes", files: ["nes/covers/\(composed).png"]) != nil)
        #expect(try picture(composed + ".nes", files: ["nes/covers/\(decomposed).png"]) != nil)
        #expect(try picture(composed + ".nes", files: ["nes/covers/Pokemon.png"]) == nil)
    }
}
