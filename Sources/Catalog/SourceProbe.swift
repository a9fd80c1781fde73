import SystemKit
import Systems

/// Looks at folders that may become sources, for no longer than anybody wants to wait.
enum SourceProbe {
    /// The folder that a path leads to.
    ///
    /// - Throws: `CatalogError.file` where it is no folder that can be read, or does not answer.
    static func folder(_ path: BytePath) async throws(CatalogError) -> BytePath {
        let result: Result<BytePath, CatalogError>? = await answer { () throws(CatalogError) -> BytePath in
            do throws(SystemError) {
                let folder = try resolvedPath(path)
                _ = try DirectoryReader(folder)
                return folder
            } catch { throw CatalogError.file(error) }
        }
        guard let result else {
            throw CatalogError.file(SystemError(call: "open", path: path, code: SystemError.timedOutCode))
        }
        return try result.get()
    }

    private static let places = [
        "roms", "retro/roms", "RetroPie/roms", "recalbox/roms", "batocera/roms", "ROMs", "Roms", "",
    ]

    /// - Parameter known: sources; the filesystems that they are on are not asked, one of them may not answer.
    static func candidates(
        _ list: SourceList, _ registry: SystemRegistry, known: [GameSource]
    ) async -> [GameSource] {
        let taken = known.compactMap { list.mounts.covering($0.path) }
        var found: [GameSource] = []
        for mount in list.mounts.all where isInteresting(mount, list) && !taken.contains(mount) {
            let result: Result<BytePath?, CatalogError>? = await answer { () throws(CatalogError) -> BytePath? in
                for place in places {
                    let folder = mount.point.appending(place)
                    guard let names = try? directoryNames(folder) else { continue }
                    if names.contains(where: { registry.system(forFolder: $0.bytes) != nil }) { return folder }
                }
                return nil
            }
            if case .success(.some(let folder))? = result {
                let (identity, _, label) = list.identity(of: folder)
                guard !identity.isEmpty else { continue }
                found.append(GameSource(id: -1, identity: identity, path: folder, label: label))
            }
        }
        return found
    }

    private static func isInteresting(_ mount: MountedFilesystem, _ list: SourceList) -> Bool {
        guard mount.point != "/", mount != list.mounts.covering(list.root.state) else { return false }
        if mount.point.bytes.starts(with: "/boot".utf8) { return false }
        return MountedFilesystems.isRemote(mount.kind) || mount.origin.bytes.starts(with: "/dev/".utf8)
    }

    /// - Returns: `nil` when there was no answer in time; the thread that asked is left to itself then.
    private static func answer<Value: Sendable>(
        _ body: @escaping @Sendable () throws(CatalogError) -> Value
    ) async -> Result<Value, CatalogError>? {
        let waited = await onThread(name: "source-probe") {
            SystemKit.answer(within: Pulse.patienceSeconds) { () -> Result<Value, CatalogError> in
                do throws(CatalogError) { return .success(try body()) } catch { return .failure(error) }
            }
        }
        return (try? waited.get()) ?? nil
    }
}
