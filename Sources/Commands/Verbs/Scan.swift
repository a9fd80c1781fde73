import Catalog
import Synchronization
import SystemKit
import Systems

/// `scan`: brings the catalog up to date.
enum Scan {
    static let definition = CommandDefinition(
        "scan", "Look for new, changed and deleted games",
        discussion: [
            "The menu does this by itself while it runs. The folders of all systems are created where they are missing.",
            "Nothing that a person did to a game is lost. A deleted game that comes back has its marks and its play "
                + "history again, and the games of a folder that is not there, such as a drive that is not connected, "
                + "stay in the catalog as missing.",
        ],
        arguments: [ArgumentDefinition("SYSTEM", .any, values: .system, "Only these systems")],
        options: [
            OptionDefinition("full", "Look at every file, also where a folder seems unchanged"),
            OptionDefinition("no-index", "Leave the search index to the menu, which fills it later"), .dryRun,
        ],
        examples: [
            .init("retro-admin scan", "after copying games"), .init("retro-admin scan nes snes --json", "in a script"),
        ],
        verb: run)

    static func run(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        var names: [String] = []
        for word in call.arguments { names.append(try library.system(word).name) }
        let systems = names.isEmpty ? nil : names
        if call.isDryRun { return plan(systems, library) }
        do throws(SystemError) {
            try prepareLibrary(library.root, library.registry)
        } catch { throw .system(error) }
        for problem in library.registry.problems { call.console.complain(problem.description, .warning) }

        let interruption = Interruption()
        let report = try await library.withStore(onChange: { change in
            if case .scanning(let entries) = change {
                call.console.progress("Scanning: \(countText(entries, "entry", plural: "entries"))")
            }
        }) { store async throws(CommandError) in
            let full = call.has("full")
            let fillsIndex = !call.has("no-index")
            return try await interruption.watch { () async throws(CommandError) in
                try await catalog { () async throws(CatalogError) in
                    let report = try await store.scan(systems: systems, full: full)
                    if fillsIndex { try await store.completeIndex() }
                    return report
                }
            }
        }
        call.show(.scan(report)) { tell(report, call.console) }
    }

    private static func plan(_ systems: [String]?, _ library: Library) {
        let folders = foldersToPrepare(library.root, library.registry)
        let shown = systems ?? library.registry.systems.map(\.name)
        library.call.show(
            .object([
                "create": .array(folders.map { .object(JSONValue.path($0)) }), "scan": .strings(shown),
                "dryRun": .bool(true),
            ])
        ) {
            for folder in folders { library.call.console.print("create \(folder.displayString)\n") }
            library.call.console.print(
                systems == nil
                    ? "scan all \(countText(shown.count, "system"))\n" : "scan \(shown.joined(separator: ", "))\n")
        }
    }

    private static func tell(_ report: ScanReport, _ console: Console) {
        for problem in report.problems {
            console.complain("\(problem.path.displayString): \(safeText(problem.reason))", .warning)
        }
        var changes: [String] = []
        if report.added > 0 { changes.append("\(groupedText(report.added)) new") }
        if report.changed > 0 { changes.append("\(groupedText(report.changed)) changed") }
        if report.removed > 0 { changes.append("\(groupedText(report.removed)) deleted") }
        if report.missing > 0 { changes.append("\(groupedText(report.missing)) not there now") }
        let summary = changes.isEmpty ? "nothing new" : listText(changes)
        console.print("\(countText(report.games, "game")): \(summary) (\(durationText(report.seconds)))\n")
    }
}

/// Makes Ctrl-C an error of the command instead of the end of the process.
struct Interruption: Sendable {
    private enum Event<Result: Sendable>: Sendable {
        case done(Swift.Result<Result, CommandError>)
        case signal(Int32)
    }

    /// Runs something until it is done or a signal asks to end.
    ///
    /// The work is cancelled then, but not waited for: what it has not committed never happened.
    func watch<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(CommandError) -> Result
    ) async throws(CommandError) -> Result {
        let (stream, continuation) = AsyncStream<Event<Result>>.makeStream()
        let watch = SignalWatch { continuation.yield(.signal($0)) }
        let task = Task {
            do throws(CommandError) {
                continuation.yield(.done(.success(try await body())))
            } catch { continuation.yield(.done(.failure(error))) }
        }
        for await event in stream {
            withExtendedLifetime(watch) {}
            switch event {
            case .done(let result): return try result.get()
            case .signal(let number):
                task.cancel()
                throw .interrupted(signal: number)
            }
        }
        throw .interrupted(signal: 2)
    }
}
