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

    // MARK: - Other front ends

    private func found(
        _ rom: String, _ file: String, kinds: [Artwork.Kind] = Artwork.Kind.allCases, inner: String? = nil,
        title: String? = nil
    ) throws -> String? {
        let library = try Library()
        let path = library.folder.appending(file)
        try createDirectories(path.parent)
        try replaceFile(at: path, with: [1])
        let registry = SystemRegistry(systems: [
            SystemDefinition(
                name: "nes", aliases: ["famicom"], fullName: "Nintendo Entertainment System", maker: "Nintendo",
                extensions: ["nes"], emulators: [])
        ])
        var place = library.root.roms.appending("nes").appending(rom)
        if let inner { place = place.appending(inner) }
        let game = Game(
            id: 1, system: "nes", path: place, relativePath: BytePath(rom), title: title ?? rom, sortTitle: rom)
        return Artwork(root: library.root, registry: registry).picture(for: game, kinds: kinds)?
            .relative(to: library.folder)?.displayString
    }

    @Test(
        "pictures of RetroPie, Batocera, ES-DE and RetroArch are found (B014)",
        arguments: [
            ("a.nes", "roms/nes/images/a-image.png", Artwork.Kind.screenshots),
            ("a.nes", "roms/nes/images/a-marquee.jpg", .marquees),
            ("a.nes", "roms/nes/images/a-thumb.png", .covers),
            ("a.nes", "roms/nes/images/a.png", .screenshots),
            ("a.nes", "downloaded_images/nes/a-image.jpg", .screenshots),
            (".x/a.nes", ".emulationstation/downloaded_images/nes/a-image.jpg", .screenshots),
            ("s/a.nes", "roms/nes/media/covers/a.png", .covers),
            ("a.nes", "roms/nes/media/screenshots/a.PNG", .screenshots),
            ("a.nes", "downloaded_media/nes/covers/a.jpg", .covers),
            ("a.nes", "ES-DE/downloaded_media/nes/marquees/a.png", .marquees),
            ("s/t/a.nes", "downloaded_media/nes/covers/s/t/a.png", .covers),
            ("a.nes", "downloaded_media/nes/titlescreens/a.png", .screenshots),
            ("a.nes", "downloaded_media/nes/miximages/a.webp", .screenshots),
            ("FF7.m3u", "downloaded_media/nes/covers/FF7.m3u.png", .covers),
            ("D&D - W (E) [!].nes", "downloaded_media/nes/covers/D&D - W (E) [!].png", .covers),
            (
                "D&D - W?.nes",
                "thumbnails/Nintendo - Nintendo Entertainment System/Named_Boxarts/D_D - W_.png", .covers
            ),
            ("a.nes", "thumbnails/Nintendo Entertainment System/Named_Snaps/a.png", .screenshots),
            ("a.nes", "media/thumbnails/Nintendo - Nintendo Entertainment System/Named_Titles/a.png", .screenshots),
            ("s/a.nes", "media/nes/covers/s/a.png", .covers),
            ("s/a.nes", "media/nes/covers/a.png", .covers),
        ])
    func layouts(_ rom: String, _ file: String, _ kind: Artwork.Kind) throws {
        #expect(try found(rom, file, kinds: [kind]) == file)
        let others = Artwork.Kind.allCases.filter { $0 != kind }
        #expect(try found(rom, file, kinds: others) == nil)
    }

    @Test("the title is a name too where RetroArch keeps pictures, with underscores for what it forbids")
    func titles() throws {
        let file = "thumbnails/Nintendo - Nintendo Entertainment System/Named_Boxarts/Zelda_ A_B (USA).png"
        #expect(try found("z.nes", file, title: "Zelda: A/B (USA)") == file)
        #expect(try found("z.nes", file, title: "Zelda") == nil)
    }

    @Test("a directory that is a game has its own picture, and one inside it the same")
    func directories() throws {
        let file = "downloaded_media/nes/covers/FF7.m3u.png"
        #expect(try found("FF7.m3u", file, inner: "FF7.m3u") == file)
        #expect(
            try found("s/FF7.m3u", "roms/nes/images/FF7-image.png", inner: "x.cue") == "roms/nes/images/FF7-image.png")
    }

    @Test("what a record names comes first, unless it is no file")
    func named() throws {
        let library = try Library()
        let own = library.root.media.appending("nes/covers/a.png")
        let explicit = library.folder.appending("elsewhere/x.PNG")
        for path in [own, explicit] {
            try createDirectories(path.parent)
            try replaceFile(at: path, with: [1])
        }
        let pipe = library.folder.appending("pipe.png")
        try makePipe(pipe)
        let game = Game(
            id: 1, system: "nes", path: library.root.roms.appending("nes/a.nes"), relativePath: "a.nes", title: "a",
            sortTitle: "a")
        let artwork = Artwork(root: library.root)
        #expect(artwork.picture(for: game, named: [.covers: explicit]) == explicit)
        // The name in other capitals of its extension.
        #expect(
            artwork.picture(for: game, named: [.covers: library.folder.appending("elsewhere/x.png")]) == explicit)
        for absent: BytePath in [pipe, library.folder, "/dev/zero", "/nowhere/x.png"] {
            #expect(artwork.picture(for: game, named: [.covers: absent]) == own)
        }
    }

    @Test("a picture that was replaced is another one, and one that came is found")
    func replacing() throws {
        let library = try Library()
        let file = library.root.media.appending("nes/covers/a.png")
        let game = Game(
            id: 1, system: "nes", path: library.root.roms.appending("nes/a.nes"), relativePath: "a.nes", title: "a",
            sortTitle: "a")
        #expect(Artwork(root: library.root).found(for: game) == nil)
        try createDirectories(file.parent)
        try replaceFile(at: file, with: [1])
        let artwork = Artwork(root: library.root)
        let first = try #require(artwork.found(for: game))
        try replaceFile(at: file, with: [1, 2])
        let second = try #require(artwork.found(for: game))
        #expect(first.path == second.path && first.version != second.version)
        try removeFile(file)
        #expect(artwork.found(for: game) == nil)
    }
}
