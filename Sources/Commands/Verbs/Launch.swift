import Catalog
import Controllers
import Launching
import SystemKit
import Systems

/// `launch`: plays a game, as the menu does.
enum Launch {
    static let definition = CommandDefinition(
        "launch", "Play a game now",
        discussion: [
            "Select and Start held together for half a second leave the game, as do Right Shift and Return on a "
                + "keyboard, and Ctrl-C here. A path that is not known yet is looked for first.",
            "Without --emulator the game's own choice counts, then the system's, then the first that is installed.",
        ],
        arguments: [
            ArgumentDefinition(
                "GAME", values: .file, "Number of the game as 'retro-admin games' prints it, or the path of its file")
        ],
        options: [
            OptionDefinition("emulator", placeholder: "NAME", "Play it with this emulator, only this time"),
            OptionDefinition("plan", "Print what would be started and written, and start nothing"), .dryRun,
        ],
        examples: [
            .init("retro-admin launch 7", "by number"),
            .init("retro-admin launch --plan ~/retro/roms/nes/game.nes", "see the whole command line"),
        ],
        verb: run)

    static func run(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let emulator = try call.text("emulator")
        let isPlan = call.has("plan") || call.isDryRun
        try await library.withStore { store async throws(CommandError) in
            let game = try await GameFinder(library: library, store: store).game(call.arguments[0])
            let choice = try await catalog { () async throws(CatalogError) in
                try await store.emulator(system: game.system)
            }
            let discs = try await catalog { () async throws(CatalogError) in try await store.discs(of: game.id) }
            let plan: LaunchPlan
            do throws(LaunchError) {
                plan = try planner(library).plan(for: game, emulator: emulator, systemChoice: choice, discs: discs)
            } catch { throw .launch(error) }
            if isPlan { return show(plan, call) }
            if let notice = plan.notice { call.console.complain(safeText(notice), .warning) }
            call.console.note("Playing \(safeText(game.title)) with \(plan.emulator.definition.title) ...")
            let outcome = try await GameRun(
                plan: plan, store: store, environment: call.surroundings.environment, knowledge: call.knowledge()
            ).play()
            try tell(outcome, call)
        }
    }

    private static func planner(_ library: Library) -> LaunchPlanner {
        let environment = library.call.surroundings.environment
        let pads = PlayerSlots.order(library.call.controllers().pads, starter: nil)
        return LaunchPlanner(
            root: library.root, registry: library.registry, locator: library.locator,
            display: .detect(environment: environment), pads: pads, ports: .read(),
            profiles: LaunchPlanner.controllerProfiles(for: pads, in: library.root))
    }

    static func json(_ plan: LaunchPlan) -> JSONValue {
        var members: [String: JSONValue] = [
            "argv": .array(plan.arguments.map(JSONValue.argument)),
            "environment": .object(plan.environment.mapValues(JSONValue.string)),
            "removedEnvironment": .strings(plan.removedEnvironment.sorted()),
            "emulator": .string(plan.emulator.definition.name), "game": .integer(plan.game.id),
            "notice": .optional(plan.notice),
            "files": .array(
                plan.files.map { file in
                    .object(
                        JSONValue.path(file.path).merging([
                            "text": .string(String(decoding: file.contents, as: UTF8.self))
                        ]) { $1 })
                }),
        ]
        if let unpacking = plan.unpacking {
            members["unpacked"] = .object(
                JSONValue.path(unpacking.target).merging(JSONValue.path(unpacking.member, named: "member")) { $1 })
        }
        members.merge(JSONValue.path(plan.directory, named: "directory")) { $1 }
        members.merge(JSONValue.path(plan.log, named: "log")) { $1 }
        return .object(members)
    }

    private static func show(_ plan: LaunchPlan, _ call: Call) {
        call.show(json(plan)) {
            if let notice = plan.notice { call.console.complain(safeText(notice), .warning) }
            var text = "Emulator: \(plan.emulator.definition.title) (\(plan.emulator.definition.name))\n\nCommand:\n"
            for argument in plan.arguments { text += "  \(argument.displayString)\n" }
            text += "\nFolder:\n  \(plan.directory.displayString)\n"
            if !plan.environment.isEmpty {
                text += "\nEnvironment:\n"
                for (name, value) in plan.environment.sorted(by: { $0.key < $1.key }) {
                    text += "  \(name)=\(safeText(value))\n"
                }
            }
            if let unpacking = plan.unpacking {
                text += "\nUnpacked:\n  \(unpacking.member.displayString) to \(unpacking.target.displayString)\n"
            }
            for file in plan.files {
                text += "\nFile \(file.path.displayString):\n"
                for line in String(decoding: file.contents, as: UTF8.self).split(separator: "\n") {
                    text += "  \(safeText(String(line)))\n"
                }
            }
            call.console.print(text + "\nLog:\n  \(plan.log.displayString)\n")
        }
    }

    /// Prints how it ended; an end that nobody wanted is an error of the command.
    private static func tell(_ outcome: LaunchOutcome, _ call: Call) throws(CommandError) {
        call.show(json(outcome)) {
            if outcome.isWanted {
                call.console.print("Played for \(durationText(outcome.seconds)).\n")
            } else if !outcome.logTail.isEmpty {
                call.console.note("The last lines of its output:")
                for line in outcome.logTail { call.console.note("  \(safeText(line))") }
            }
        }
        if !outcome.isWanted { throw .gameFailed(outcome.sentence) }
    }

    static func json(_ outcome: LaunchOutcome) -> JSONValue {
        .object([
            "outcome": .string(outcome.kind.rawValue), "exitStatus": .optional(outcome.exitStatus.map { Int64($0) }),
            "signal": .optional(outcome.signal.map { Int64($0) }), "seconds": .seconds(outcome.seconds),
            "reason": .string(outcome.sentence), "log": .strings(outcome.logTail),
        ])
    }
}

extension LaunchOutcome {
    /// Whether it ended as somebody wanted.
    fileprivate var isWanted: Bool {
        switch kind {
        case .finished, .stopped: true
        case .endedAtOnce, .failed, .crashed, .couldNotStart: false
        }
    }
}
