public import SystemKit

/// Makes the folders that a person puts things into: one a system under `roms`, and `bios`, `saves` and so on.
///
/// What exists stays as it is. A system whose folder is there under another of its names, or as a link, gets no
/// second one. Whether a root that is absent should be made is for the caller to know: it may be a drive that is not
/// plugged in.
/// - Throws: `SystemError` of the first folder that cannot be made; those before it are there.
public func createSystemFolders(in root: DataRoot, for registry: SystemRegistry) throws(SystemError) {
    for folder in [root.roms, root.bios, root.saves, root.states, root.screenshots, root.media] {
        // A link that leads nowhere, or round in a circle, is a fault to tell and not a place to fill.
        if (try? fileStatus(folder, followLinks: false))?.kind == .symbolicLink { _ = try resolvedPath(folder) }
        try createDirectories(folder)
    }
    let names = try directoryNames(root.roms)
    let present = Set(names.compactMap { registry.system(forFolder: $0.bytes)?.name })
    for system in registry.systems where !present.contains(system.name) {
        try createDirectories(root.roms.appending(system.name))
    }
}

/// Makes the folders when that is right: on the first start, and later only where the games can be seen to be there.
///
/// An empty or absent `roms` after the first start is taken for a drive that is not mounted. Folders made there would
/// hide that from everybody, and would be hidden themselves when the drive comes.
/// - Throws: `SystemError` as `createSystemFolders`, or when the state folder cannot be made.
public func prepareLibrary(_ root: DataRoot, _ registry: SystemRegistry) throws(SystemError) {
    let marker = root.state.appending("prepared")
    let names = (try? directoryNames(root.roms)) ?? []
    let holdsSystems = names.contains { registry.system(forFolder: $0.bytes) != nil }
    guard !fileExists(marker) || holdsSystems else { return }
    try createDirectories(root.state)
    // A folder of games that lies elsewhere is the person's own, and is left as it is.
    if root.roms == root.root.appending("roms") { try createSystemFolders(in: root, for: registry) }
    if !fileExists(marker) { try replaceFile(at: marker, with: []) }
}
