internal import Catalog
internal import SystemKit
internal import Systems

/// What is started for a game on several discs that nobody wrote a playlist for.
struct DiscPlaylist {
    /// What the emulator gets: a playlist, or the first disc.
    let rom: BytePath
    /// The playlist, where one is made.
    let file: GeneratedFile?
    /// Why none is made, where the emulator could have read it.
    let notice: String?

    private static let longestName = 200

    /// - Parameter discs: absolute, in their order, all of them readable.
    init(discs: [BytePath], first: BytePath, system: SystemDefinition, root: DataRoot) {
        guard discs.count > 1, system.extensions.contains(where: { $0.lowercased() == "m3u" }) else {
            (rom, file, notice) = (first, nil, nil)
            return
        }
        // A line is a name, and RetroArch takes what follows a bar for a label.
        let unfit: [UInt8] = [0x0A, 0x0D, 0x7C]
        if let odd = discs.first(where: { $0.bytes.contains(where: unfit.contains) }) {
            (rom, file) = (first, nil)
            notice = "\(odd.name) cannot be named in a playlist, so the other discs cannot be put in while playing."
            return
        }
        let stem = DiscName(first.name)?.title ?? first.stem.bytes
        let name = BytePath(bytes: stem.prefix(DiscPlaylist.longestName) + Array(".m3u".utf8))
        rom = root.state.absolute.appending("playlists").appending(system.name).appending(name)
        file = GeneratedFile(path: rom, contents: discs.flatMap { $0.bytes + [0x0A] })
        notice = nil
    }
}
