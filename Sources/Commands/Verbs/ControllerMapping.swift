import Controllers
import SystemKit

/// `controllers map` and `controllers test`: the menu's wizard in a terminal.
enum ControllerMapping {
    private static let id = ArgumentDefinition(
        "ID", .one, "Number of a controller as 'retro-admin controllers list' prints it, or a node in /dev/input")

    static let definitions = [
        CommandDefinition(
            "map", "Assign the controls of a controller, one after the other",
            discussion: [
                "Press what is asked for. What the controller lacks is skipped by holding Down for a second, once Down "
                    + "is known; B goes back. It works from the controller alone, without a keyboard.",
                "Escape goes back, q leaves and keeps what is usable, Ctrl-C leaves and changes nothing.",
            ],
            arguments: [id],
            options: [
                OptionDefinition("only-this", "For this one only, not for all controllers of its kind"), .dryRun,
            ],
            examples: [
                .init("retro-admin controllers map 1", "the first controller of the list"),
                .init("retro-admin controllers map /dev/input/event5", "a device that does not look like a controller"),
            ],
            verb: map),
        CommandDefinition(
            "test", "Show live what is pressed on a controller",
            discussion: ["Ends when Start, or else A, is held for a second, after half a minute, or with Ctrl-C."],
            arguments: [id], verb: test),
    ]

    private static func map(_ call: Call) async throws(CommandError) {
        let pad = try pad(call)
        var run = try WizardRun(pad, isTest: false, call: call)
        switch try run.run().ending {
        case .abandoned(let reason): throw .notMapped(words(for: reason))
        case .saved(let mapping):
            if !call.isDryRun { try save(mapping, for: pad, call) }
            var saved = pad
            saved.mapping = mapping
            saved.source = .user
            var members: [String: JSONValue] = ["controller": ControllerVerbs.json(saved)]
            if call.isDryRun { members["dryRun"] = .bool(true) }
            call.show(.object(members)) {
                let count = countText(mapping.controls.count, "control")
                call.console.print("\(call.isDryRun ? "Would store" : "Stored") \(count) of \(safeText(pad.name)).\n")
                call.console.print(mapping.exitSentence(on: pad.family) + "\n")
            }
        }
    }

    private static func test(_ call: Call) async throws(CommandError) {
        let pad = try pad(call)
        var run = try WizardRun(pad, isTest: true, call: call)
        let outcome: WizardRun.Outcome
        do throws(CommandError) {
            outcome = try run.run()
        } catch {
            // That is how one leaves a test that nothing else ends.
            if case .interrupted = error { return }
            throw error
        }
        if case .abandoned(reason: .unplugged) = outcome.ending { throw .notMapped(words(for: .unplugged)) }
        let known = pad.mapping.controls.keys
        let silent = known.filter { !outcome.tried.contains($0) }.sorted()
        let members: [String: JSONValue] = [
            "pressed": .strings(outcome.tried.sorted().map(\.rawValue)), "notPressed": .strings(silent.map(\.rawValue)),
        ]
        call.show(.object(members)) {
            guard !silent.isEmpty else { return call.console.print("Every control was pressed.\n") }
            let names = listText(silent.map { $0.title(on: pad.family) })
            call.console.print("Not pressed: \(names).\n")
        }
    }

    private static func words(for reason: MappingWizard.Abandonment) -> String {
        switch reason {
        case .left: "nothing was stored: the directions and A were not all assigned"
        case .timedOut: "nothing was stored: nobody touched the controller for half a minute"
        case .unplugged: "nothing was stored: the controller did not come back"
        case .nothingBound: "nothing was stored: no control was assigned"
        }
    }

    private static func save(_ mapping: PadMapping, for pad: PadInfo, _ call: Call) throws(CommandError) {
        do throws(ControllerError) {
            try call.knowledge().save(
                mapping, for: pad.facts, family: pad.family, onlyThisUnit: call.has("only-this"))
        } catch { throw .controllers(error) }
    }

    /// The controller of the first argument.
    private static func pad(_ call: Call) throws(CommandError) -> PadInfo {
        guard call.arguments[0].bytes.first == UInt8(ascii: "/") else { return try ControllerVerbs.pad(call) }
        do throws(SystemError) {
            var pad = try DeviceSession.look(at: call.arguments[0])
            let answer = call.knowledge().answer(for: pad.facts)
            (pad.mapping, pad.source) = (answer.mapping, answer.source)
            if pad.family != .keyboard { pad.family = answer.family }
            return pad
        } catch { throw .system(error) }
    }
}
