import SystemKit
import Systems

/// Where pictures of a game may lie, the likeliest first.
struct ArtworkPlaces {
    struct Candidate {
        var folder: BytePath
        /// Names without extension.
        var names: [[UInt8]]
    }

    private let game: Game
    private let root: DataRoot
    private let system: SystemDefinition?
    /// The system's folder, and the one that has `roms` in it.
    private let folder: BytePath
    private let library: BytePath
    /// The folder of the game's file below the system's; empty for that itself.
    private let below: BytePath
    private let names: [[UInt8]]

    init(game: Game, root: DataRoot, registry: SystemRegistry?) {
        self.game = game
        self.root = root
        system = registry?.system(named: game.system)
        let relative = game.relativePath
        below = relative.bytes.contains(0x2F) ? relative.parent : BytePath(bytes: [])
        folder = ArtworkPlaces.folder(of: game) ?? root.roms.appending(game.system)
        library = folder.parent.parent
        // A directory that is a game keeps its whole name.
        let stems = [relative.stem.bytes, relative.name.bytes]
        var names: [[UInt8]] = []
        for name in stems + stems.map(ArtworkPlaces.replaced) where !names.contains(name) { names.append(name) }
        self.names = names
    }

    /// The system's folder: what is before the path below it.
    private static func folder(of game: Game) -> BytePath? {
        var path = game.path
        // What is started may be a file in a directory that is the game.
        for _ in 0..<2 {
            let (whole, tail) = (path.bytes, game.relativePath.bytes)
            if whole.count > tail.count + 1, whole.suffix(tail.count).elementsEqual(tail),
                whole[whole.count - tail.count - 1] == 0x2F
            {
                return BytePath(bytes: whole.dropLast(tail.count + 1))
            }
            path = path.parent
        }
        return nil
    }

    func candidates(_ kind: Artwork.Kind, _ folders: ArtworkFolders) -> [Candidate] {
        var candidates: [Candidate] = []
        let own = root.media.appending(game.system).appending(kind.rawValue)
        candidates += mirrored(own)
        for media in mediaFolders("downloaded_media") {
            for name in ArtworkPlaces.deFolders(kind) { candidates += mirrored(media.appending(name)) }
        }
        candidates += besideGames(kind)
        let suffixed = names.flatMap { name in ArtworkPlaces.suffixes(kind).map { name + Array($0.utf8) } }
        for images in mediaFolders("downloaded_images") {
            candidates.append(Candidate(folder: images, names: suffixed + (kind == .screenshots ? names : [])))
        }
        return candidates + thumbnails(kind, folders)
    }

    /// A folder whose sub-folders are those of the games, then the folder itself.
    private func mirrored(_ folder: BytePath) -> [Candidate] {
        let itself = Candidate(folder: folder, names: names)
        return below.bytes.isEmpty ? [itself] : [Candidate(folder: folder.appending(below), names: names), itself]
    }

    /// Folders of this system in the places where other front ends keep pictures.
    private func mediaFolders(_ name: String) -> [BytePath] {
        var homes: [BytePath] = []
        let bases = [library, root.root] + (accountHome().map { [$0] } ?? [])
        for base in bases {
            let places =
                name == "downloaded_images"
                ? [base, base.appending(".emulationstation")] : [base, base.appending("ES-DE")]
            for place in places where !homes.contains(place) { homes.append(place) }
        }
        var systems = [folder.name.bytes]
        for name in [game.system] + (system?.aliases ?? []) where !systems.contains(Array(name.utf8)) {
            systems.append(Array(name.utf8))
        }
        return homes.flatMap { home in systems.map { home.appending(name).appending(BytePath(bytes: $0)) } }
    }

    private static func deFolders(_ kind: Artwork.Kind) -> [String] {
        switch kind {
        case .covers: ["covers", "3dboxes"]
        case .screenshots: ["screenshots", "titlescreens", "miximages"]
        case .marquees: ["marquees"]
        }
    }

    private static func suffixes(_ kind: Artwork.Kind) -> [String] {
        switch kind {
        case .covers: ["-thumb", "-boxart", "-cover"]
        case .screenshots: ["-image", "-screenshot"]
        case .marquees: ["-marquee", "-wheel"]
        }
    }

    /// RetroPie's and Batocera's `images/NAME-image`, and what external scrapers put into `media`.
    private func besideGames(_ kind: Artwork.Kind) -> [Candidate] {
        let suffixed = names.flatMap { name in ArtworkPlaces.suffixes(kind).map { name + Array($0.utf8) } }
        var candidates = [Candidate(folder: folder.appending("images"), names: suffixed)]
        if !below.bytes.isEmpty {
            candidates.append(Candidate(folder: folder.appending(below).appending("images"), names: suffixed))
        }
        let media: [String] =
            switch kind {
            case .covers: ["media/covers", "media/box2dfront", "boxart", "covers"]
            case .screenshots: ["media/screenshots", "media/screenshot", "media/images", "screenshots", "images"]
            case .marquees: ["media/marquees", "media/marquee", "media/wheel", "marquees", "marquee"]
            }
        for name in media { candidates += mirrored(folder.appending(name)) }
        return candidates
    }

    // MARK: - RetroArch's thumbnails

    private func thumbnails(_ kind: Artwork.Kind, _ folders: ArtworkFolders) -> [Candidate] {
        guard let system else { return [] }
        var names = self.names
        let title = ArtworkPlaces.replaced(Array(game.title.utf8))
        if !names.contains(title) { names.append(title) }
        let inside: [String] =
            switch kind {
            case .covers: ["Named_Boxarts"]
            case .screenshots: ["Named_Snaps", "Named_Titles"]
            case .marquees: ["Named_Logos"]
            }
        var candidates: [Candidate] = []
        for base in [root.root, root.media, library] {
            let top = base.appending("thumbnails")
            for name in folders.names(in: top) where ArtworkPlaces.isFolder(name, of: system) {
                for part in inside {
                    candidates.append(Candidate(folder: top.appending(name).appending(part), names: names))
                }
            }
            if base == root.media, root.media == library { break }
        }
        return candidates
    }

    /// `Nintendo - Nintendo Entertainment System` is a folder of `Nintendo Entertainment System`.
    private static func isFolder(_ name: BytePath, of system: SystemDefinition) -> Bool {
        guard let text = name.validUTF8 else { return false }
        if ([system.name, system.fullName] + system.aliases).contains(where: { $0.lowercased() == text.lowercased() }) {
            return true
        }
        return text.hasSuffix(" - \(system.fullName)") || text == "\(system.maker) - \(system.fullName)"
    }

    /// The libretro collections replace what some filesystems forbid by an underscore.
    static func replaced(_ name: [UInt8]) -> [UInt8] {
        name.map { forbidden.contains($0) ? UInt8(ascii: "_") : $0 }
    }

    private static let forbidden = Set("&*/:`<>?\\|\"".utf8)
}
