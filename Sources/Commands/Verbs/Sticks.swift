import Appliance
import SystemKit
import Systems

/// `sticks`: games on USB sticks, and copying them.
enum Sticks {
    private static let drive = ArgumentDefinition(
        "DRIVE", .optional, "Label or folder of the stick; needed where several are plugged in")

    static let definition = CommandDefinition(
        "sticks", "Copy games from USB sticks",
        discussion: [
            "Games are looked for in roms, retro/roms, RetroPie/roms and the like on the stick, and in folders at its top "
                + "that are named as systems.",
            "Nothing is ever replaced: what is here under the same name with other contents stays, and is told. A file "
                + "has its name only when all of it is on the disk. A copy that was interrupted, also by pulling the "
                + "stick out, goes on where it was when it is started again.",
        ],
        usually: "list",
        subcommands: [
            CommandDefinition("list", "List the sticks that are plugged in, and what is new on them", verb: list),
            CommandDefinition(
                "copy", "Copy what is new on a stick",
                arguments: [drive],
                options: [
                    OptionDefinition("unfinished", "Only go on with what was begun, or asked for in the menu"), .dryRun,
                ],
                examples: [.init("retro-admin sticks copy --dry-run", "list what would be copied")], verb: copy),
            CommandDefinition("status", "Show how far copies are", verb: status),
            CommandDefinition(
                "forget", "Give a copy up: what is copied stays, and half files go",
                arguments: [ArgumentDefinition("DRIVE", .optional, "Label or identity, else all that are not done")],
                options: [.dryRun], verb: forget),
            CommandDefinition(
                "mount", "Mount a partition of a USB stick below /media/retro",
                discussion: ["For udev, on a machine without a desktop. Other disks than USB's are refused."],
                arguments: [ArgumentDefinition("DEVICE", .one, "The kernel's name, e.g. sda1")], options: [.dryRun],
                as: .machine
            ) { call throws(CommandError) in
                let device = try call.text(of: call.arguments[0], called: "DEVICE")
                try change(.mount(device: device), call)
            },
            CommandDefinition(
                "unmount", "Take a stick out of /media/retro, so that it can be unplugged",
                arguments: [ArgumentDefinition("DEVICE", .one, "The kernel's name, e.g. sda1")], options: [.dryRun],
                as: .machine
            ) { call throws(CommandError) in
                let device = try call.text(of: call.arguments[0], called: "DEVICE")
                try change(.unmount(device: device), call)
            },
        ])

    private static func change(_ change: StickChange, _ call: Call) throws(CommandError) {
        try call.change(.stick(change)) { notes in
            call.show(.object(["changed": .bool(notes.isEmpty), "notes": .strings(notes)])) {
                for note in notes { call.console.print(safeText(note) + "\n") }
            }
        }
    }

    // MARK: Looking

    private static func list(_ call: Call) async throws(CommandError) {
        let rules = StickRules(Library(call).registry)
        let machine = call.machine
        let journals = StickJournals(machine.data)
        var documents: [JSONValue] = []
        var table = TextTable([
            .init("STICK", isFlexible: true), .init("FOLDER", isFlexible: true), .init("GAMES", isNumeric: true),
            .init("NEW", isNumeric: true), .init("SIZE", isNumeric: true), .init(""),
        ])
        for stick in Stick.plugged(on: machine) {
            var members = json(stick)
            let state = journals.journal(of: stick.identity)?.state
            members["state"] = .optional(state?.rawValue)
            do throws(ApplianceError) {
                let facts = try StickFacts.read(stick.point, rules: rules)
                let plan = try StickPlan(facts, data: machine.data, rules: rules)
                members["games"] = .integer(facts.games)
                members["files"] = .integer(facts.files.count)
                members["bytes"] = .integer(facts.bytes)
                members.merge(json(plan)) { $1 }
                table.add([
                    stick.label, stick.point.displayString, groupedText(facts.games), groupedText(plan.games),
                    sizeText(plan.bytes), state.map { $0 == .done ? "" : $0.rawValue } ?? "",
                ])
            } catch {
                members["reason"] = .string(error.description)
                table.add([stick.label, stick.point.displayString, "", "", "", error.description])
            }
            documents.append(.object(members))
        }
        let found = documents
        call.show(.object(["sticks": .array(found)])) {
            if found.isEmpty { return call.console.note("No USB stick is mounted.") }
            call.console.print(table)
        }
    }

    private static func json(_ stick: Stick) -> [String: JSONValue] {
        var members = JSONValue.path(stick.point)
        members["identity"] = .string(stick.identity)
        members["label"] = .string(stick.label)
        members["filesystem"] = .string(stick.kind)
        return members
    }

    private static func json(_ plan: StickPlan) -> [String: JSONValue] {
        [
            "newGames": .integer(plan.games), "newFiles": .integer(plan.new.count), "newBytes": .integer(plan.bytes),
            "sameFiles": .integer(plan.same), "doubtfulFiles": .integer(plan.doubtful.count),
            "clashingFiles": .integer(plan.clashing.count), "skipped": .integer(plan.skipped),
            "problems": .strings(plan.problems),
        ]
    }

    private static func json(_ journal: StickJournal) -> [String: JSONValue] {
        let problems = journal.problems.map { problem in
            JSONValue.object(["path": .string(problem.path), "reason": .string(problem.reason)])
        }
        return [
            "identity": .string(journal.identity), "label": .string(journal.label),
            "state": .string(journal.state.rawValue), "reason": .optional(journal.reason),
            "games": .integer(journal.games), "files": .integer(journal.files), "bytes": .integer(journal.bytes),
            "doneGames": .integer(journal.doneGames), "doneFiles": .integer(journal.doneFiles),
            "doneBytes": .integer(journal.doneBytes), "clashes": .integer(journal.clashes),
            "failures": .integer(journal.failures), "problems": .array(problems),
        ]
    }

    private static func status(_ call: Call) async throws(CommandError) {
        let journals = StickJournals(call.machine.data)
        let all = journals.all()
        let isCopying = journals.isCopying
        call.show(
            .object(["copying": .bool(isCopying), "copies": .array(all.map { .object(json($0)) })])
        ) {
            if all.isEmpty { return call.console.note("Nothing was copied from a stick.") }
            for journal in all { call.console.print(sentence(journal, isCopying: isCopying)) }
        }
    }

    private static func sentence(_ journal: StickJournal, isCopying: Bool) -> String {
        let state = journal.state == .copying && !isCopying ? "interrupted" : journal.state.rawValue
        let numbers = "\(groupedText(journal.doneGames)) of \(countText(journal.games, "game"))"
        let reason = journal.reason.map { ": " + safeText($0) } ?? ""
        return "\(safeText(journal.label)): \(state), \(numbers)\(reason)\n"
    }

    // MARK: Doing

    private static func copy(_ call: Call) async throws(CommandError) {
        let machine = call.machine
        let rules = StickRules(Library(call).registry)
        if call.has("unfinished") { return try goOn(call, machine, rules) }
        let sticks = Stick.plugged(on: machine)
        let stick: Stick
        do throws(ApplianceError) {
            stick = try Stick.named(call.arguments.first, among: sticks)
            if call.isDryRun { return try plan([stick], rules, call) }
        } catch { throw .appliance(error) }
        let journal = try run([stick], call, rules)[0]
        show(journal, call)
        try judge(journal)
    }

    private static func goOn(_ call: Call, _ machine: Machine, _ rules: StickRules) throws(CommandError) {
        var done: [StickJournal] = []
        while true {
            // A wish that comes from now on starts the service again.
            if !call.isDryRun { StickJournals(machine.data).dropWishes() }
            // What was interrupted in this round is not tried again at once.
            let tried = Set(done.map(\.identity))
            let wanted = StickJournals(machine.data).all().filter { $0.isUnfinished && !tried.contains($0.identity) }
            let sticks = Stick.plugged(on: machine).filter { stick in wanted.contains { $0.identity == stick.identity }
            }
            if call.isDryRun {
                do throws(ApplianceError) { return try plan(sticks, rules, call) } catch { throw .appliance(error) }
            }
            if sticks.isEmpty { break }
            done += try run(sticks, call, rules)
        }
        let all = done
        call.show(.object(["copies": .array(all.map { .object(json($0)) })])) {
            if all.isEmpty { return call.console.note("There is nothing to go on with.") }
            for journal in all { call.console.print(sentence(journal, isCopying: false)) }
        }
        for journal in all { try judge(journal) }
    }

    /// Copies in the foreground with the lowest rank, until done or asked to end.
    private static func run(
        _ sticks: [Stick], _ call: Call, _ rules: StickRules
    ) throws(CommandError) -> [StickJournal] {
        let ending = EndRequest()
        let watch = SignalWatch { ending.note($0) }
        defer { withExtendedLifetime(watch) {} }
        lowerThreadToIdlePriority()
        var journals: [StickJournal] = []
        for stick in sticks {
            let copy = StickCopy(stick, on: call.machine, rules: rules, shouldStop: { ending.signal != nil }) {
                journal in
                let part = "\(groupedText(journal.doneFiles)) of \(countText(journal.files, "file"))"
                call.console.progress(
                    "\(safeText(journal.label)): \(part), \(sizeText(journal.doneBytes)) of \(sizeText(journal.bytes))")
            }
            do throws(ApplianceError) { journals.append(try copy.run()) } catch {
                call.console.clearProgress()
                throw .appliance(error)
            }
            call.console.clearProgress()
            if let signal = ending.signal { throw .interrupted(signal: signal) }
        }
        return journals
    }

    private static func show(_ journal: StickJournal, _ call: Call) {
        call.show(.object(json(journal))) {
            let games = countText(journal.doneGames, "game")
            call.console.print("\(games) from \(safeText(journal.label)), \(sizeText(journal.doneBytes))\n")
            if journal.clashes > 0 {
                call.console.note(
                    "\(countText(journal.clashes, "file")) left on the stick: others of the same names are here")
            }
        }
        for problem in journal.problems {
            call.console.complain("\(safeText(problem.path)): \(safeText(problem.reason))", .warning)
        }
    }

    private static func judge(_ journal: StickJournal) throws(CommandError) {
        let reason = "\(safeText(journal.label)): \(safeText(journal.reason ?? "it is not complete"))"
        switch journal.state {
        case .done:
            if journal.failures > 0 {
                throw .appliance(
                    .failed(
                        "copying a part of the files",
                        detail: "\(countText(journal.failures, "file")) could not be copied"))
            }
        case .full: throw .appliance(.refused(reason))
        case .wanted, .copying, .waiting, .stopped, .failed: throw .appliance(.busy(reason))
        }
    }

    private static func plan(_ sticks: [Stick], _ rules: StickRules, _ call: Call) throws(ApplianceError) {
        var documents: [JSONValue] = []
        var shortage: String?
        for stick in sticks {
            let facts = try StickFacts.read(stick.point, rules: rules)
            let plan = try StickPlan(facts, data: call.machine.data, rules: rules)
            shortage = shortage ?? plan.shortage(of: call.machine.data.roms)
            documents.append(document(stick, plan, shortage))
            if !call.wantsJSON { show(plan, call.console) }
        }
        if call.wantsJSON { call.console.print(.object(["dryRun": .bool(true), "copies": .array(documents)])) }
        if let shortage { throw .refused(shortage) }
    }

    private static func document(_ stick: Stick, _ plan: StickPlan, _ shortage: String?) -> JSONValue {
        var members = json(stick).merging(json(plan)) { $1 }
        members["reason"] = .optional(shortage)
        members["copy"] = .array(
            plan.new.map { item in
                .object(
                    JSONValue.path(item.file.source, named: "source")
                        .merging(JSONValue.path(item.target, named: "target")) { $1 })
            })
        return .object(members)
    }

    private static func show(_ plan: StickPlan, _ console: Console) {
        for item in plan.new { console.print("copy \(item.file.source) to \(item.target)\n") }
        for item in plan.doubtful { console.print("compare \(item.file.source) with \(item.target)\n") }
        for item in plan.clashing { console.print("leave \(item.file.source): another \(item.target) is here\n") }
        if plan.new.isEmpty { console.note("Nothing is new.") }
    }

    private static func forget(_ call: Call) async throws(CommandError) {
        let machine = call.machine
        let journals = StickJournals(machine.data)
        let word = call.arguments.first?.validUTF8
        let found = journals.all().filter { journal in
            call.arguments.isEmpty ? journal.isUnfinished : journal.label == word || journal.identity == word
        }
        if found.isEmpty, !call.arguments.isEmpty {
            throw .appliance(.notFound("nothing was copied from a stick '\(call.arguments[0])'"))
        }
        if !call.isDryRun {
            do throws(ApplianceError) {
                for journal in found { try journals.forget(journal, roms: machine.data.roms) }
            } catch { throw .appliance(error) }
        }
        call.show(
            .object(["forgotten": .array(found.map { .object(json($0)) }), "dryRun": .bool(call.isDryRun)])
        ) {
            for journal in found {
                let name = safeText(journal.label)
                call.console.print(call.isDryRun ? "forget \(name)\n" : "\(name) forgotten\n")
            }
            if found.isEmpty { call.console.note("There is nothing to forget.") }
        }
    }
}

extension StickRules {
    /// By the systems that there are.
    init(_ registry: SystemRegistry) {
        self.init(
            system: { registry.system(forFolder: $0)?.name },
            isGame: { system, name in
                guard let definition = registry.system(named: system), let suffix = name.fileExtension else {
                    return false
                }
                return definition.extensions.contains(String(decoding: suffix, as: UTF8.self))
            })
    }
}
