import Catalog
import SystemKit
import Systems

/// `dat`: lists of all games that there are, by which files get their full names.
enum Dats {
    static let definition = CommandDefinition(
        "dat", "Import lists that name games by their contents",
        discussion: [
            "No-Intro, Redump, TOSEC and MAME publish such lists. With one for a system the menu takes checksums of its "
                + "files in the background and shows each game that the list knows by its full name. Files that no "
                + "list knows keep the names they have."
        ],
        subcommands: [
            CommandDefinition(
                "import", "Import lists",
                discussion: [
                    "Logiqx XML, MAME's -listxml and software lists, and clrmamepro's text are read. A list takes the "
                        + "place of an older one with the same name. A record that cannot be read is told and costs "
                        + "only itself.",
                    "The system is told by what the list calls itself; where that is not clear, say --system.",
                ],
                arguments: [ArgumentDefinition("FILE", .atLeastOne, values: .file, "A list")],
                options: [
                    OptionDefinition("system", placeholder: "SYSTEM", values: .system, "What the lists are about"),
                    .dryRun,
                ],
                examples: [
                    .init("retro-admin dat import 'Nintendo - Game Boy (20240101).dat'", "names for Game Boy games"),
                    .init("retro-admin dat import --system arcade mame.xml", "full names of arcade games"),
                ],
                verb: importFiles),
            CommandDefinition("list", "List the imported lists", verb: list),
            CommandDefinition(
                "remove", "Forget a list",
                discussion: ["Games that it named are shown by the names of their files again."],
                arguments: [ArgumentDefinition("ID", .one, "Number of the list as 'retro-admin dat list' prints it")],
                options: [.dryRun], verb: remove),
        ])

    // MARK: - Import

    private static func importFiles(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        // All are looked at before the first is imported: a wrong word must not leave half of the work done.
        var wanted: [(file: BytePath, system: SystemDefinition)] = []
        for word in call.arguments {
            let file = call.surroundings.directory.appending(word)
            wanted.append((file, try system(of: file, library)))
        }
        if call.isDryRun { return plan(wanted, call) }
        let imports = wanted
        let interruption = Interruption()
        let reports = try await library.withStore { store async throws(CommandError) in
            try await interruption.watch { () async throws(CommandError) in
                var reports: [DATReport] = []
                for (file, system) in imports {
                    reports.append(
                        try await catalog { () async throws(CatalogError) in
                            try await store.importDAT(from: file, system: system.name) { bytes in
                                call.console.progress("Reading \(file.name.displayString): \(sizeText(bytes))")
                            }
                        })
                }
                return reports
            }
        }
        call.console.clearProgress()
        for (report, (file, _)) in zip(reports, wanted) { complain(report, file, call.console) }
        let documents = zip(reports, wanted).map { document($0, $1.file) }
        call.show(.array(documents)) {
            for report in reports where report.games > 0 {
                let renamed = report.renamed == 0 ? "" : ", \(countText(report.renamed, "game")) here renamed"
                call.console.print(
                    "\(safeText(report.name)) (\(report.system)): \(countText(report.games, "game"))\(renamed)\n")
            }
        }
        if let index = reports.firstIndex(where: { $0.games == 0 }) {
            throw .badValue(wanted[index].file.displayString, of: "FILE", expected: "a DAT file with games in it")
        }
    }

    private static func system(of file: BytePath, _ library: Library) throws(CommandError) -> SystemDefinition {
        if let word = library.call.line.options["system"]?.last {
            if !fileExists(file) { throw missing(file) }
            return try library.system(word)
        }
        let header: DatHeader
        do throws(SystemError) { header = try DatHeader(of: file) } catch { throw .system(error) }
        let name = header.name ?? header.description ?? file.name.displayString
        let choices: String
        switch DatSystems(library.registry).guess(header) {
        case .system(let name):
            guard let system = library.registry.system(named: name) else {
                throw .unknownName(kind: "system", name, suggestion: nil)
            }
            return system
        case .several(let systems): choices = listText(systems, joint: "or")
        case .none: choices = "a name that 'retro-admin systems --all' lists"
        }
        throw .badValue(
            name, of: "the name of \(file.name.displayString)",
            expected: "that of one system (say --system with \(choices))")
    }

    private static func missing(_ file: BytePath) -> CommandError {
        do throws(SystemError) { _ = try fileStatus(file) } catch { return .system(error) }
        return .noSuchGame(file.displayString)
    }

    private static func plan(_ wanted: [(file: BytePath, system: SystemDefinition)], _ call: Call) {
        let documents = wanted.map { file, system in
            JSONValue.object(
                JSONValue.path(file).merging(["system": .string(system.name), "dryRun": .bool(true)]) { $1 })
        }
        call.show(.array(documents)) {
            for (file, system) in wanted {
                call.console.print("import \(file.displayString) for \(system.name)\n")
            }
        }
    }

    private static func complain(_ report: DATReport, _ file: BytePath, _ console: Console) {
        for problem in report.problems {
            let place = problem.record == 0 ? "" : "record \(problem.record): "
            console.complain("\(file.displayString): \(place)\(safeText(problem.reason))", .warning)
        }
        let more = report.problemCount - report.problems.count
        if more > 0 { console.complain("\(file.displayString): \(groupedText(more)) more", .warning) }
    }

    private static func document(_ report: DATReport, _ file: BytePath) -> JSONValue {
        let problems = report.problems.map { problem in
            JSONValue.object(["record": .integer(problem.record), "reason": .string(problem.reason)])
        }
        return .object(
            JSONValue.path(file).merging([
                "system": .string(report.system), "name": .string(report.name), "version": .optional(report.version),
                "games": .integer(report.games), "roms": .integer(report.roms), "renamed": .integer(report.renamed),
                "problemCount": .integer(report.problemCount), "problems": .array(problems),
            ]) { $1 })
    }

    // MARK: - The others

    private static func list(_ call: Call) async throws(CommandError) {
        let dats = try await Library(call).withStore(orElse: []) { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in try await store.dats() }
        }
        let documents = dats.map { dat in
            JSONValue.object([
                "id": .integer(dat.id), "system": .string(dat.system), "name": .string(dat.name),
                "version": .optional(dat.version), "games": .integer(dat.games),
                "imported": .string(utcText(secondsSince1970: dat.imported)),
            ])
        }
        call.show(.array(documents)) {
            if dats.isEmpty { return call.console.note("No list was imported; 'retro-admin dat import' does.") }
            var table = TextTable([
                .init("ID", isNumeric: true), .init("SYSTEM"), .init("GAMES", isNumeric: true), .init("VERSION"),
                .init("NAME", isFlexible: true),
            ])
            for dat in dats {
                table.add([
                    String(dat.id), dat.system, groupedText(dat.games), safeText(dat.version ?? ""), safeText(dat.name),
                ])
            }
            call.console.print(table)
        }
    }

    private static func remove(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let word = call.arguments[0].displayString
        let dats = try await library.withStore(orElse: []) { store async throws(CommandError) in
            try await catalog { () async throws(CatalogError) in try await store.dats() }
        }
        guard let dat = dats.first(where: { String($0.id) == word }) else {
            throw .unknownName(kind: "list", word, suggestion: nil)
        }
        if !call.isDryRun {
            try await library.withStore { store async throws(CommandError) in
                _ = try await catalog { () async throws(CatalogError) in try await store.removeDAT(dat.id) }
            }
        }
        call.show(.object(["id": .integer(dat.id), "removed": .bool(!call.isDryRun)])) {
            call.console.print("\(call.isDryRun ? "remove" : "Removed") \(safeText(dat.name)) (\(dat.system))\n")
        }
    }
}
