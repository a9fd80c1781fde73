import Catalog
import SystemKit
import Systems

/// `gamelist`: EmulationStation's lists of games, in and out.
enum GamelistVerbs {
    private static let system = ArgumentDefinition(
        "SYSTEM", .optional, values: .system, "Only this system; else all that have a list or games")
    private static let file = OptionDefinition(
        "file", placeholder: "FILE", values: .file, "This file; else gamelist.xml in the system's folder")

    static let definition = CommandDefinition(
        "gamelist", "Read and write EmulationStation's lists of games",
        subcommands: [
            CommandDefinition(
                "import", "Take over what a gamelist.xml says about games",
                discussion: [
                    "Titles, descriptions, makers, genres, players, dates, ratings and artwork are taken over; marks "
                        + "and play counts only where nothing was set here since. Without --file the list is looked "
                        + "for in the system's folder and where RetroPie and ES-DE keep it. The file is not changed.",
                    "A record that is not well-formed is mended, or left out; either is told with its number.",
                ],
                arguments: [system], options: [file, .dryRun],
                examples: [
                    .init("retro-admin gamelist import", "all lists that there are"),
                    .init("retro-admin gamelist import nes --file /media/usb/gamelist.xml", "one from elsewhere"),
                ],
                verb: { call async throws(CommandError) in try await importLists(call) }),
            CommandDefinition(
                "export", "Write what is known of games into a gamelist.xml",
                discussion: [
                    "What the file has and this program does not know stays as it is. A file that somebody changed is "
                        + "read first, and one that is damaged is kept as FILE.bad-1.",
                    "Without SYSTEM the lists of all systems that have games are written.",
                ],
                arguments: [system], options: [file, .dryRun],
                examples: [.init("retro-admin gamelist export", "before going back to EmulationStation")],
                verb: { call async throws(CommandError) in try await exportLists(call) }),
        ])

    /// A list and what was done with it.
    private struct Done: Sendable {
        let system: SystemDefinition
        let path: BytePath
        let report: GamelistReport
    }

    private static func importLists(_ call: Call) async throws(CommandError) {
        try await run(call, "import", verb: "read") { store, place, progress async throws(CatalogError) in
            try await store.importGamelist(
                system: place.system.name, from: place.path, isDryRun: call.isDryRun, progress: progress)
        } places: { library, store async throws(CommandError) in
            var places: [Place] = []
            for system in library.registry.systems {
                let found = try await catalog { () async throws(CatalogError) in
                    try await store.gamelistPlaces(system: system.name)
                }
                if let path = found.first(where: fileExists) { places.append(Place(system: system, path: path)) }
            }
            return places
        }
    }

    private static func exportLists(_ call: Call) async throws(CommandError) {
        try await run(call, "export", verb: "written") { store, place, progress async throws(CatalogError) in
            try await store.exportGamelist(
                system: place.system.name, to: place.path, isDryRun: call.isDryRun, progress: progress)
        } places: { library, store async throws(CommandError) in
            let counts = try await catalog { () async throws(CatalogError) in try await store.counts() }
            var places: [Place] = []
            for system in library.registry.systems where counts.contains(where: { $0.system == system.name }) {
                places.append(Place(system: system, path: try await usual(system, store)))
            }
            return places
        }
    }

    private struct Place: Sendable {
        let system: SystemDefinition
        let path: BytePath
    }

    private static func usual(
        _ system: SystemDefinition, _ store: CatalogStore
    ) async throws(CommandError) -> BytePath {
        let places = try await catalog { () async throws(CatalogError) in
            try await store.gamelistPlaces(system: system.name)
        }
        return places.first ?? BytePath("gamelist.xml")
    }

    private static func run(
        _ call: Call, _ name: String, verb: String,
        _ work:
            @escaping @Sendable (CatalogStore, Place, @escaping @Sendable (Int) -> Void) async throws(CatalogError) ->
            GamelistReport,
        places all: (Library, CatalogStore) async throws(CommandError) -> [Place]
    ) async throws(CommandError) {
        let library = Library(call)
        let chosen = try call.arguments.first.map { word throws(CommandError) in try library.system(word) }
        let file = call.directory("file")
        if file != nil && chosen == nil { throw .missingArgument("SYSTEM", path: ["gamelist", name]) }
        let interruption = Interruption()
        let done = try await library.withStore { store async throws(CommandError) in
            var places: [Place] = []
            if let chosen {
                var path = file
                if path == nil {
                    let found = try await catalog { () async throws(CatalogError) in
                        try await store.gamelistPlaces(system: chosen.name)
                    }
                    path = name == "import" ? found.first(where: fileExists) ?? found.first : found.first
                }
                if let path { places = [Place(system: chosen, path: path)] }
            } else {
                places = try await all(library, store)
            }
            var done: [Done] = []
            for place in places {
                let report = try await interruption.watch { () async throws(CommandError) in
                    try await catalog { () async throws(CatalogError) in
                        try await work(store, place) { records in
                            call.console.progress(
                                "\(place.system.fullName): \(countText(records, "record")) \(verb)")
                        }
                    }
                }
                done.append(Done(system: place.system, path: place.path, report: report))
            }
            return done
        }
        call.show(document(done, call.isDryRun)) { tell(done, verb, call) }
    }

    // MARK: - Output

    private static func document(_ done: [Done], _ isDryRun: Bool) -> JSONValue {
        let problems = done.flatMap { list in
            list.report.problems.map { problem in
                JSONValue.object([
                    "system": .string(list.system.name), "record": .integer(problem.record),
                    "reason": .string(problem.reason),
                ])
            }
        }
        var members = counts(done.map(\.report))
        members["problems"] = .array(problems)
        members["lists"] = .array(
            done.map { list in
                var members = counts([list.report])
                members["system"] = .string(list.system.name)
                members["damagedFile"] = .optional(list.report.damagedFile)
                return .object(members.merging(JSONValue.path(list.path)) { $1 })
            })
        if isDryRun { members["dryRun"] = .bool(true) }
        return .object(members)
    }

    private static func counts(_ reports: [GamelistReport]) -> [String: JSONValue] {
        let sum = { (count: (GamelistReport) -> Int) in JSONValue.integer(reports.reduce(0) { $0 + count($1) }) }
        return [
            "records": sum(\.records), "matched": sum(\.matched), "added": sum(\.added), "changed": sum(\.changed),
            "unknown": sum(\.unknown), "seconds": .seconds(reports.reduce(0) { $0 + $1.seconds }),
        ]
    }

    private static func tell(_ done: [Done], _ verb: String, _ call: Call) {
        guard !done.isEmpty else {
            return call.console.note("There is no gamelist.xml, and nothing to write into one.")
        }
        for list in done {
            let report = list.report
            for problem in report.problems {
                let place = problem.record == 0 ? "" : ", record \(problem.record)"
                call.console.complain("\(list.path.displayString)\(place): \(safeText(problem.reason))", .warning)
            }
            if report.moreProblems > 0 {
                call.console.complain(
                    "\(list.path.displayString): \(countText(report.moreProblems, "more problem"))", .warning)
            }
            if let damaged = report.damagedFile {
                call.console.complain("What was there before is kept as \(safeText(damaged))", .warning)
            }
            var facts: [String] = []
            if report.added > 0 { facts.append("\(groupedText(report.added)) new") }
            if report.changed > 0 { facts.append("\(groupedText(report.changed)) changed") }
            if report.unknown > 0 { facts.append("\(groupedText(report.unknown)) of games that are not here") }
            let summary = facts.isEmpty ? "nothing new" : listText(facts)
            let what = call.isDryRun ? "would be \(verb)" : verb
            call.console.print(
                "\(list.path.displayString): \(countText(report.records, "record")) \(what), \(summary)\n")
        }
    }
}
