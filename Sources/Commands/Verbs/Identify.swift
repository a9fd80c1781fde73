import Catalog
import SystemKit
import Systems

/// `identify`: takes checksums of files now.
enum Identify {
    static let definition = CommandDefinition(
        "identify", "Look into archives and take checksums of games now",
        discussion: [
            "The menu does this by itself, slowly, while nobody plays. Of systems with an imported list "
                + "('retro-admin dat') the files are read whole; archives are looked into for all systems. What was read "
                + "is not read again until it changes, also when this is interrupted."
        ],
        arguments: [ArgumentDefinition("SYSTEM", .any, values: .system, "Only these systems")],
        options: [OptionDefinition("all", "Take checksums also where no list could name the game"), .dryRun],
        examples: [.init("retro-admin identify nes", "after importing a list")],
        verb: run)

    private static func run(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        var names: [String] = []
        for word in call.arguments { names.append(try library.system(word).name) }
        let systems = names.isEmpty ? nil : names
        if call.isDryRun {
            let shown: [String] = systems ?? library.registry.systems.map(\.name)
            return call.show(.object(["identify": .strings(shown), "dryRun": .bool(true)])) {
                call.console.print("identify games of \(systems == nil ? "all systems" : listText(shown))\n")
            }
        }
        let interruption = Interruption()
        let start = MonotonicInstant.now
        let report = try await library.withStore { store async throws(CommandError) in
            let all = call.has("all")
            return try await interruption.watch { () async throws(CommandError) in
                try await catalog { () async throws(CatalogError) in
                    try await store.identify(systems: systems, all: all) { report in
                        call.console.progress(
                            "\(countText(report.looked, "file")), \(groupedText(report.identified)) identified")
                        return true
                    }
                }
            }
        }
        call.console.clearProgress()
        let seconds = MonotonicInstant.now.seconds(since: start)
        call.show(
            .object([
                "looked": .integer(report.looked), "read": .integer(report.read),
                "identified": .integer(report.identified), "problems": .integer(report.problems),
                "skipped": .integer(report.skipped), "seconds": .seconds(seconds),
            ])
        ) {
            var facts = ["\(groupedText(report.identified)) identified"]
            if report.problems > 0 { facts.append("\(groupedText(report.problems)) with problems") }
            if report.skipped > 0 { facts.append("\(groupedText(report.skipped)) left for later") }
            call.console.print(
                "\(countText(report.looked, "new file")): \(listText(facts)) (\(durationText(seconds)))\n")
        }
    }
}
