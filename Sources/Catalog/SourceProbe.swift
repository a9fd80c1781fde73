import Synchronization
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

    private static let places = ["roms", "retro/roms", "RetroPie/roms", "recalbox/roms", "batocera/roms", "ROMs", "Roms", ""]

    static func candidates(_ list: SourceList, _ registry: SystemRegistry) async -> [GameSource] {
        var found: [GameSource] = []
        for mount in list.mounts.all where isInteresting(mount, list) {
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
                if !identity.isEmpty { found.append(GameSource(id: -1, identity: identity, path: folder, label: label)) }
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
        await withCheckedContinuation { continuation in
            let once = Once(continuation)
            let code = startThread(name: "source-probe") {
                do throws(CatalogError) {
                    once.resume(.success(try body()))
                } catch {
                    once.resume(.failure(error))
                }
            }
            let watcher = startThread(name: "source-wait") {
                let end = MonotonicInstant.now.advanced(bySeconds: Pulse.patienceSeconds)
                while !once.isDone, MonotonicInstant.now < end { sleepThread(seconds: 0.02) }
                once.resume(nil)
            }
            if code != 0 || watcher != 0 { once.resume(nil) }
        }
    }

    private final class Once<Value: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

        init(_ continuation: CheckedContinuation<Value?, Never>) { self.continuation = Mutex(continuation) }

        var isDone: Bool { continuation.withLock { $0 == nil } }

        func resume(_ value: Value?) {
            let waiting = continuation.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            waiting?.resume(returning: value)
        }
    }
}
