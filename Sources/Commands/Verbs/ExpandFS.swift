import Appliance
import SystemKit

/// `retro-admin expand-fs`: the filesystem takes the free space behind its partition.
enum ExpandFS {
    static let definition = CommandDefinition(
        "expand-fs", "Grow the filesystem into the free space behind its partition",
        discussion: [
            "Grows the partition that / is on to the end of the free space right behind it, and then its filesystem. "
                + "Nothing is moved, and the disk's id, the partition's PARTUUID and its first sector stay as they are. "
                + "Every step is checked by measuring; the old partition table is kept in "
                + "/var/lib/retro-machine/storage/tables.",
            "Where it was interrupted, by a power cut too, the next start goes on with it, and so does this command. "
                + "Where there is nothing to gain it says so and changes nothing.",
        ],
        options: [
            OptionDefinition(
                "device", placeholder: "PARTITION", values: .file,
                "Grow this partition, e.g. /dev/sda1, and not root's"),
            OptionDefinition("if-pending", "Only go on with what was interrupted; for the start of the machine"),
            .dryRun,
        ],
        examples: [
            .init("expand-fs --dry-run", "Say what would be done, with sizes"),
            .init("expand-fs", "Use the whole card"),
        ], as: .machine, verb: run)

    /// What came of it, as the contract names it.
    enum State: String {
        case planned
        case alreadyExpanded = "already-expanded"
        case expanded
        case needsReboot = "needs-reboot"
        case refused
        /// A step failed, and what was done before it stays.
        case failed
    }

    static func run(_ call: Call) throws(CommandError) {
        do throws(ApplianceError) {
            try expand(call, device: try device(call))
        } catch { throw .appliance(error) }
    }

    private static func device(_ call: Call) throws(ApplianceError) -> String? {
        guard let word = call.line.options["device"]?.last else { return nil }
        guard let text = word.validUTF8 else { throw .badValue(of: "--device", expected: "a node like /dev/sda1") }
        return text
    }

    private static func expand(_ call: Call, device: String?) throws(ApplianceError) {
        let machine = call.machine
        var device = device
        if call.has("if-pending") {
            guard let pending = PendingExpansion.read(machine) else {
                return show(call, Report(state: .alreadyExpanded, reason: "nothing was interrupted"))
            }
            guard try pending.isStillMeant(on: machine) else {
                throw .refused(
                    "the partition whose expansion was interrupted is not there any more; "
                        + "run 'retro-admin expand-fs' with what should grow now")
            }
            device = pending.device
        }
        guard call.surroundings.isRoot else { throw .needsRoot("'retro-admin expand-fs'") }
        var report = Report(state: .refused)
        do throws(ApplianceError) {
            report.target = try ExpandTarget.find(device, on: machine)
            let expansion = try Expansion.prepare(device, on: machine)
            report = Report(expansion)
            guard !call.isDryRun else { return show(call, report) }
            try expansion.plan.apply { progress in
                switch progress {
                case .began(let name, let summary):
                    report.begun = name
                    call.console.note(summary + " ...")
                case .done(let name): report.done.insert(name)
                }
            }
            report.finish(expansion, machine)
            show(call, report)
        } catch {
            report.fail(error, machine)
            // People read the reason on standard error.
            if call.wantsJSON { call.console.print(report.json) }
            throw report.state == .needsReboot ? .busy(error.description) : error
        }
    }

    private static func show(_ call: Call, _ report: Report) {
        for note in report.notes { call.console.note(note) }
        if call.wantsJSON { call.console.print(report.json) } else { call.console.print(report.text) }
    }

    /// Everything that is printed.
    struct Report {
        var state: State
        var reason: String?
        var target: ExpandTarget?
        var expansion: Expansion?
        var sizeAfter: Int64?
        var done: Set<String> = []
        var begun: String?
        var notes: [String] = []

        init(state: State, reason: String? = nil) {
            self.state = state
            self.reason = reason
        }

        init(_ expansion: Expansion) {
            state = expansion.grows ? .planned : .alreadyExpanded
            target = expansion.target
            self.expansion = expansion
            sizeAfter = expansion.grows ? expansion.partitionAfter : expansion.sizeBefore
            notes = expansion.plan.notes
        }

        mutating func finish(_ expansion: Expansion, _ machine: Machine) {
            state = expansion.grows ? .expanded : .alreadyExpanded
            sizeAfter = expansion.measuredSize(on: machine) ?? sizeAfter
        }

        mutating func fail(_ error: ApplianceError, _ machine: Machine) {
            reason = error.description
            guard let expansion, !done.isEmpty else { return state = .refused }
            let isKernel = begun == Expansion.kernelStep && expansion.needsRestart(on: machine)
            state = isKernel ? .needsReboot : .failed
            sizeAfter = expansion.measuredSize(on: machine)
        }
    }
}

extension ExpandFS.Report {
    private var gain: Int64 {
        guard let expansion, let sizeAfter else { return 0 }
        return max(0, sizeAfter - expansion.sizeBefore)
    }

    fileprivate var json: JSONValue {
        let steps = (expansion?.plan.steps ?? []).map { step in
            JSONValue.object([
                "name": .string(step.name), "summary": .string(step.summary), "command": .strings(step.command),
                "done": .bool(done.contains(step.name)),
            ])
        }
        return .object([
            "root": .optional(target?.device.node.displayString),
            "disk": .optional(target?.disk?.node.displayString),
            "filesystem": .optional(expansion?.filesystem),
            "sizeBefore": .optional(expansion?.sizeBefore), "sizeAfter": .optional(sizeAfter), "gain": .integer(gain),
            "steps": .array(steps), "state": .string(state.rawValue), "reason": .optional(reason),
            "notes": .strings(notes),
        ])
    }

    fileprivate var text: String {
        guard let expansion, let sizeAfter else { return (reason ?? "Nothing to do").capitalizedFirst + ".\n" }
        let node = expansion.target.device.node.displayString
        let sizes = "\(binarySizeText(expansion.sizeBefore)) to \(binarySizeText(sizeAfter))"
        var text =
            switch state {
            case .alreadyExpanded:
                "\(node) is already expanded: \(binarySizeText(expansion.sizeBefore)), and less than 1 MiB is free "
                    + "right behind it.\n"
            case .planned: "\(node) would grow from \(sizes), \(binarySizeText(gain)) more:\n"
            case .expanded, .needsReboot, .refused, .failed:
                "\(node) has grown from \(sizes), \(binarySizeText(gain)) more.\n"
            }
        guard done.isEmpty else { return text }
        for step in expansion.plan.steps {
            text += "  \(safeText(step.summary))\n"
            if !step.command.isEmpty { text += "      \(safeText(step.command.joined(separator: " ")))\n" }
        }
        return text
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
