import Catalog
import Synchronization
import SystemKit
import Systems

/// Collects what a store tells, and lets a test wait for it.
final class Changes: Sendable {
    private let list = Mutex<[CatalogChange]>([])
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var all: [CatalogChange] { list.withLock { $0 } }

    func note(_ change: CatalogChange) {
        list.withLock { $0.append(change) }
        continuation.yield()
    }

    /// Waits until a condition holds, looked at after each change; the test's time limit ends a wait in vain.
    func wait(until isTrue: () async throws -> Bool) async throws {
        if try await isTrue() { return }
        for await _ in stream where try await isTrue() { return }
    }
}

/// A library that is watched.
final class LiveLibrary: Sendable {
    let library: Library
    let changes = Changes()
    let store: CatalogStore
    let watcher: LibraryWatcher

    init(prepare: (Library) throws -> Void = { _ in }) async throws {
        library = try Library("live")
        try prepare(library)
        store = try library.open { [changes] in changes.note($0) }
        watcher = try LibraryWatcher(
            store: store, root: library.root, registry: library.registry, log: Log(minimum: .error))
        watcher.start()
        let changes = changes
        try await changes.wait { changes.scans > 0 }
        // A second scan follows where the first found folders that were not watched yet.
        if try await store.total() > 0 { try await changes.wait { changes.scans > 1 } }
    }

    /// The same by the paths below `roms`.
    func showsPaths(_ expected: [String]) async throws {
        let roms = library.root.roms
        try await changes.wait {
            try await store.games(GameQuery(), offset: 0, limit: 100_000)
                .compactMap { $0.path.relative(to: roms)?.displayString }.sorted() == expected
        }
    }

    deinit { watcher.stop() }

    func shows(_ paths: [String]) async throws {
        let store = store
        try await changes.wait { try await store.shown() == paths }
    }
}

extension Changes {
    var scans: Int {
        all.count { change in
            if case .scanned = change { true } else { false }
        }
    }

    /// The number of times that games of a system were told to have changed.
    func news(of system: String) -> Int {
        all.count { change in
            if case .games(let systems) = change { systems.contains(system) } else { false }
        }
    }
}
