import SystemKit

/// Gives everything in the games' folders to the player's account, whoever put it there.
struct ShareRepair {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    /// The shared folders, and the save states beside them: what root left there the player could not change either.
    private var candidates: [BytePath] {
        ShareSettings.folders(of: machine.data).map(\.path) + [machine.data.root.appending("states")]
    }

    /// Those that are folders by themselves: who plays could have a link lead anywhere.
    private var places: [BytePath] {
        candidates.filter { (try? fileStatus($0, followLinks: false))?.kind == .directory }
    }

    func plan() throws(ApplianceError) -> StepPlan {
        let player = try ShareSetup.player(machine)
        var steps: [Step] = []
        var notes = candidates.filter { (try? fileStatus($0, followLinks: false))?.kind == .symbolicLink }.map {
            "\($0.displayString) is a link and was left alone with all that is behind it."
        }
        for place in places {
            let report = try look(place, player)
            notes += ShareRepair.notes(report, place)
            // A folder that nobody may enter says nothing of what is in it, so it is looked at again.
            guard report.folders + report.files > 0 || report.failures > 0 else { continue }
            let count = [(report.folders, "folder"), (report.files, "file")].filter { $0.0 > 0 }
                .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
            steps.append(step(place, count.isEmpty ? "what is left" : count, player))
        }
        return StepPlan(steps, notes: notes)
    }

    private func look(_ place: BytePath, _ player: Account) throws(ApplianceError) -> OwnershipRepair.Report {
        var repair = OwnershipRepair(user: player.user, group: player.group, onlyLooks: true)
        try system { () throws(SystemError) in try repair.mend(place) }
        return repair.report
    }

    private func step(_ place: BytePath, _ count: String, _ player: Account) -> Step {
        Step(
            "repair-\(place.name.displayString)",
            "Give \(count) in \(place.name.displayString) to \(player.name)",
            act: { () throws(ApplianceError) in
                var repair = OwnershipRepair(user: player.user, group: player.group)
                try system { () throws(SystemError) in try repair.mend(place) }
                // The rest was mended; one file that resists must not hide that.
                if let problem = repair.report.problems.first {
                    let others = repair.report.failures - 1
                    throw .failed(
                        "repairing \(place.displayString)",
                        detail: problem.description + (others > 0 ? ", and \(others) more like it" : ""))
                }
            },
            check: { () throws(ApplianceError) in
                let left = try look(place, player)
                return left.folders + left.files == 0
                    ? nil : "some of \(place.displayString) still does not belong to \(player.name)"
            })
    }

    private static func notes(_ report: OwnershipRepair.Report, _ place: BytePath) -> [String] {
        var notes: [String] = []
        if report.skipped > 0 {
            notes.append(
                "\(place.displayString): \(report.skipped) links, devices, files with several names or other disks were left alone."
            )
        }
        if report.isCut { notes.append("\(place.displayString) is too deep or too large to be looked at as a whole.") }
        return notes
    }
}
