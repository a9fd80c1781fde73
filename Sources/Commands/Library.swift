import Catalog
import Controllers
import Launching
import SystemKit
import Systems

/// The systems, emulators and games of one data root, opened as far as a command needs them.
struct Library: Sendable {
    let root: DataRoot
    let registry: SystemRegistry
    let locator: EmulatorLocator
    let call: Call

    init(_ call: Call) {
        self.call = call
        root = call.root
        registry = SystemRegistry.load(overrides: root.systemsDirectory)
        locator = EmulatorLocator(environment: call.surroundings.environment)
    }

    /// The folder that holds the system's games: one that is there under any of its names, else the usual one.
    func folder(of system: SystemDefinition) -> BytePath {
        let usual = root.roms.appending(system.name)
        if fileExists(usual) { return usual }
        return system.aliases.map { root.roms.appending($0) }.first(where: fileExists) ?? usual
    }

    /// Whether there is a catalog to read. Looking at things must not make any.
    ///
    /// What this user may not look at counts as there: opening it says why it cannot be read. So do backups alone,
    /// from which the catalog is restored.
    var hasCatalog: Bool {
        ["catalog.sqlite", "user.sqlite", "backups"].contains { name in
            do throws(SystemError) {
                _ = try fileStatus(root.state.appending(name))
                return true
            } catch { return !error.isNotFound }
        }
    }

    /// Runs something with the catalog, which is made where there is none, and closes it whatever happens.
    func withStore<Result: Sendable>(
        onChange: (@Sendable (CatalogChange) -> Void)? = nil,
        _ body: (CatalogStore) async throws(CommandError) -> Result
    ) async throws(CommandError) -> Result {
        let store: CatalogStore
        do throws(CatalogError) {
            store = try CatalogStore.open(root: root, registry: registry, onChange: onChange)
        } catch { throw .catalog(error) }
        return try await using(store, tellsNotice: true, body)
    }

    private func using<Result: Sendable>(
        _ store: CatalogStore, tellsNotice: Bool, _ body: (CatalogStore) async throws(CommandError) -> Result
    ) async throws(CommandError) -> Result {
        // Whoever mends a file is the only one who knows: the next one finds a sound file.
        if tellsNotice, let notice = store.startNotice { call.console.complain(notice, .warning) }
        do throws(CommandError) {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            // A scan that was interrupted still has the store for itself; SQLite undoes what it did not commit.
            if case .interrupted = error { throw error }
            await store.close()
            throw error
        }
    }

    /// The catalog for reading: a copy in memory where its folder takes no changes but can be read, as the menu does it.
    private func openForReading(tellsNotice: Bool) throws(CommandError) -> CatalogStore {
        let failure: CatalogError
        do throws(CatalogError) {
            return try CatalogStore.open(root: root, registry: registry)
        } catch { failure = error }
        guard isReadable, let store = try? CatalogStore.open(root: root, registry: registry, fallback: .temporary),
            let trouble = store.startTrouble, Library.readable.contains(trouble.kind)
        else { throw .catalog(failure) }
        if tellsNotice { call.console.complain(trouble.sentence, .warning) }
        return store
    }

    /// Troubles that leave what is there to be read.
    private static let readable: Set<StartTrouble.Kind> = [.readOnly, .full, .noMoreFiles, .permission]
    /// A larger catalog is not copied, and would seem to be empty.
    private static let largestCopy: Int64 = 64 << 20

    private var isReadable: Bool {
        let files = ["user.sqlite", "catalog.sqlite"].map { root.state.appending($0) }
        return files.allSatisfy { file in
            do throws(SystemError) {
                try checkReadable(file)
                return try fileStatus(file).size <= Library.largestCopy
            } catch { return false }
        }
    }

    /// The system of a name or alias that a person typed.
    func system(_ word: BytePath) throws(CommandError) -> SystemDefinition {
        if let system = registry.system(forFolder: word.bytes) { return system }
        let names = registry.systems.flatMap { [$0.name] + $0.aliases }
        throw .unknownName(
            kind: "system", word.displayString, suggestion: nearest(to: word.displayString, among: names))
    }

    /// The emulator of a name that a person typed.
    func emulator(_ name: String, of system: SystemDefinition) throws(CommandError) -> EmulatorDefinition {
        if let emulator = system.emulators.first(where: { $0.name == name }) { return emulator }
        throw .badValue(
            name, of: "the emulator of \(system.name)", expected: listText(system.emulators.map(\.name), joint: "or"))
    }

    /// The emulator that would run the system's games: the person's choice, else the first that is installed.
    func emulatorInUse(of system: SystemDefinition, choice: String?) -> EmulatorDefinition? {
        if let choice, let chosen = system.emulators.first(where: { $0.name == choice }) { return chosen }
        return system.emulators.first { locator.locate($0) != nil }
    }

    /// The same for reading: gives `nothing` where there is no catalog.
    func withStore<Result: Sendable>(
        orElse nothing: Result, tellsNotice: Bool = true,
        _ body: (CatalogStore) async throws(CommandError) -> Result
    ) async throws(CommandError) -> Result {
        guard hasCatalog else { return nothing }
        return try await using(try openForReading(tellsNotice: tellsNotice), tellsNotice: tellsNotice, body)
    }
}

/// Runs calls of the catalog; what it cannot do becomes an error of the command.
func catalog<Result: Sendable>(
    _ body: () async throws(CatalogError) -> Result
) async throws(CommandError) -> Result {
    do throws(CatalogError) { return try await body() } catch { throw .catalog(error) }
}
