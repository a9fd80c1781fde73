public import SystemKit
import Systems

// Other front ends' lists of games, in and out. The work is done beside the store, which answers meanwhile.
extension CatalogStore {
    /// Takes over what a gamelist says about a system's games; the file is only read.
    ///
    /// - Parameters:
    ///   - isDryRun: whether nothing is stored.
    ///   - progress: called from any thread with the number of records read so far.
    /// - Returns: what was found; records that could not be read are in it, they are no error.
    /// - Throws: `CatalogError.noSuchSystem`, `.file` where the file cannot be read, or a failure of the databases.
    public func importGamelist(
        system: String, from file: BytePath, isDryRun: Bool = false, progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(CatalogError) -> GamelistReport {
        try await atDesk(system) { desk throws(CatalogError) in
            try GamelistImport(desk, isDryRun: isDryRun, progress: progress).run(file)
        }
    }

    /// Writes what is known of a system's games into a gamelist; what is in the file already and not known here stays.
    ///
    /// A file that somebody wrote since it was last read is read first. One that is no sound list stays under another
    /// name.
    /// - Parameters:
    ///   - isDryRun: whether nothing is written.
    ///   - progress: called from any thread with the number of records written so far.
    /// - Throws: `CatalogError.noSuchSystem`, `.file` where the file cannot be written (it is then as it was), or a
    ///   failure of the databases.
    public func exportGamelist(
        system: String, to file: BytePath, isDryRun: Bool = false, progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(CatalogError) -> GamelistReport {
        try await atDesk(system) { desk throws(CatalogError) in
            try GamelistExport(desk, isDryRun: isDryRun, progress: progress).run(file)
        }
    }

    /// Where a system's gamelist is: first the place that EmulationStation looks at first, whether there is one or not,
    /// then the other places where one is.
    public func gamelistPlaces(system name: String) throws(CatalogError) -> [BytePath] {
        try ready()
        guard let system = registry.system(named: name) else { throw CatalogError.noSuchSystem(name: name) }
        let folders = try GamelistDesk.folders(of: system, root, catalog)
        let usual = folders.first(where: fileExists) ?? root.roms.appending(system.name)
        var places = folders.map { $0.appending("gamelist.xml") }
        let homes = [accountHome(), root.root, root.root.parent].compactMap { $0 }
        for name in [system.name] + system.aliases {
            for home in homes {
                for folder in [".emulationstation/gamelists", "ES-DE/gamelists"] {
                    places.append(home.appending(folder).appending(name).appending("gamelist.xml"))
                }
            }
            places.append(BytePath("/etc/emulationstation/gamelists").appending(name).appending("gamelist.xml"))
        }
        let first = usual.appending("gamelist.xml")
        var result = [first]
        for place in places where !result.contains(place) && fileExists(place) { result.append(place) }
        return result
    }

    private func atDesk(
        _ name: String, _ work: @escaping @Sendable (GamelistDesk) throws(CatalogError) -> GamelistReport
    ) async throws(CatalogError) -> GamelistReport {
        try ready()
        guard let system = registry.system(named: name) else { throw CatalogError.noSuchSystem(name: name) }
        let (root, registry) = (root, registry)
        let result: Result<GamelistReport, CatalogError> = await withCheckedContinuation { continuation in
            let code = startThread(name: "gamelist") {
                do throws(CatalogError) {
                    let lock = try GamelistDesk.lock(root)
                    let desk = try GamelistDesk(root: root, registry: registry, system: system)
                    let report = try work(desk)
                    lock.release()
                    continuation.resume(returning: .success(report))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if code != 0 {
                let error = SystemError(call: "pthread_create", subject: "gamelist", code: code)
                continuation.resume(returning: .failure(.file(error)))
            }
        }
        let report = try result.get()
        // The desk's commits are this process's own: the watcher takes them for somebody else's, and tells again.
        if !isClosed {
            onChange?(.games(systems: [system.name]))
        }
        return report
    }
}
