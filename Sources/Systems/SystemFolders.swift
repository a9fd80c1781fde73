public import SystemKit

/// Makes the folders that a person puts things into: one a system under `roms`, and `bios`, `saves` and so on.
///
/// What exists stays as it is. A system whose folder is there under another of its names, or as a link, gets no
/// second one. Whether a root that is absent should be made is for the caller to know: it may be a drive that is not
/// plugged in.
/// - Throws: `SystemError` of the first folder that cannot be made; those before it are there.
/// - Parameter known: systems that get no folder.
public func createSystemFolders(
    in root: DataRoot, for registry: SystemRegistry, except known: Set<String> = []
) throws(SystemError) {
    for folder in [root.roms, root.bios, root.saves, root.states, root.screenshots, root.media] {
        // A link that leads nowhere, or round in a circle, is a fault to tell and not a place to fill.
        if (try? fileStatus(folder, followLinks: false))?.kind == .symbolicLink { _ = try resolvedPath(folder) }
        try createDirectories(folder, permissions: folderPermissions)
    }
    let names = try directoryNames(root.roms)
    let present = Set(names.compactMap { registry.system(forFolder: $0.bytes)?.name })
    for system in registry.systems where !present.contains(system.name) && !known.contains(system.name) {
        try createDirectories(root.roms.appending(system.name), permissions: folderPermissions)
    }
}

/// The mask of the process decides whether the group may write: on the appliance it may, for games that come over SSH.
private let folderPermissions: UInt32 = 0o775

/// Makes the folders when that is right: all of them on the first start, and later those of systems that are new, where
/// the games can be seen to be there.
///
/// An empty or absent `roms` after the first start is taken for a drive that is not mounted. Folders made there would
/// hide that from everybody, and would be hidden themselves when the drive comes. A folder that went later was removed
/// by the person, or is away with its games: it is not made again.
/// - Throws: `SystemError` as `createSystemFolders`, or when the state folder cannot be made.
public func prepareLibrary(_ root: DataRoot, _ registry: SystemRegistry) throws(SystemError) {
    try createDirectories(root.state)
    guard let made = preparedSystems(root, registry) else { return }
    try createSystemFolders(in: root, for: registry, except: made)
    let lines = made.union(registry.systems.map(\.name)).sorted().map { $0 + "\n" }.joined()
    try replaceFile(at: preparedMarker(root), with: Array(lines.utf8))
}

/// The folders that `prepareLibrary` would make now; nothing is changed.
public func foldersToPrepare(_ root: DataRoot, _ registry: SystemRegistry) -> [BytePath] {
    guard let made = preparedSystems(root, registry) else { return [] }
    let common = [root.roms, root.bios, root.saves, root.states, root.screenshots, root.media]
    let present = Set(
        ((try? directoryNames(root.roms)) ?? []).compactMap { registry.system(forFolder: $0.bytes)?.name })
    let own = registry.systems.filter { !present.contains($0.name) && !made.contains($0.name) }
    return common.filter { !fileExists($0) } + own.map { root.roms.appending($0.name) }
}

private func preparedMarker(_ root: DataRoot) -> BytePath { root.state.appending("prepared") }

/// The systems that had their folders made before; `nil` when nothing is to be made now.
private func preparedSystems(_ root: DataRoot, _ registry: SystemRegistry) -> Set<String>? {
    // A folder of games that lies elsewhere is the person's own, and is left as it is.
    guard root.roms == root.root.appending("roms") else { return nil }
    guard let marker = try? readFile(preparedMarker(root), limit: 1 << 20) else { return [] }
    let made = Set(marker.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
    let names = (try? directoryNames(root.roms)) ?? []
    guard names.contains(where: { registry.system(forFolder: $0.bytes) != nil }) else { return nil }
    return registry.systems.allSatisfy { made.contains($0.name) } ? nil : made
}
