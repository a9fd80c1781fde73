import Appliance
import Catalog
import Controllers
import SystemKit
import Systems

/// `status`: what somebody who helps wants to know first.
enum Status {
    static let definition = CommandDefinition(
        "status", "Show how this machine and its games are",
        discussion: ["Start here when something is wrong. Nothing is changed."],
        examples: [.init("retro-admin status --json", "for a report")], verb: run)

    /// What the catalog has to say.
    private struct Games: Sendable {
        var isThere = false
        var total = 0
        var favourites = 0
        var played = 0
        var missing = 0
        var systems = 0
        var faults: [String] = []
        var failure: CommandError?
        /// Why nothing can be kept, although what is there can be read.
        var trouble: String?
        /// What the last scan could not read.
        var unread: [ScanReport.Problem] = []
        /// What had to be mended when the catalog was opened.
        var notice: String?
    }

    static func run(_ call: Call) async throws(CommandError) {
        let library = Library(call)
        let games = await read(library)
        let machine = MachineFacts.read(call.surroundings.machine)
        let network = call.surroundings.network()
        let share = ShareFacts.read(roms: library.root.roms, network: network, sources: call.surroundings.machine)
        let disk = space(of: library.root.root)
        let connected = call.controllers()
        let problems = problems(library, games, connected)
        let health = health(call, network)
        if call.wantsJSON {
            var members: [String: JSONValue] = [
                "version": .string(Appliance.version), "machine": json(machine), "network": json(network),
                "share": json(share), "problems": .array(problems.map { JSONValue.problem($0.path, $0.reason) }),
                "controllers": .array(
                    connected.pads.map { ControllerVerbs.json($0, connected.batteries[$0.id]) }),
                "games": .object([
                    "total": .integer(games.total), "favourites": .integer(games.favourites),
                    "played": .integer(games.played), "missing": .integer(games.missing),
                ]),
                "systems": .object([
                    "known": .integer(library.registry.systems.count), "withGames": .integer(games.systems),
                ]),
                "database": .object([
                    "state": .string(databaseState(games)), "problems": .strings(games.faults),
                ]),
                "disk": disk.map { json($0.space, $0.path) } ?? .null,
                "health": .array(
                    health.map {
                        .object([
                            "check": .string($0.id), "state": .string($0.verdict.state.rawValue),
                            "reason": .string($0.verdict.reason), "cure": .string($0.verdict.cure),
                        ])
                    }),
            ]
            members.merge(JSONValue.path(library.root.root, named: "root")) { $1 }
            members.merge(JSONValue.path(library.root.roms, named: "roms")) { $1 }
            call.console.print(.object(members))
            return try end(games)
        }
        tell(call, library, games, machine, network, share, disk, connected)
        for problem in problems {
            call.console.complain("\(problem.path.displayString): \(safeText(problem.reason))", .warning)
        }
        for found in health {
            call.console.complain("\(safeText(found.verdict.reason)): \(safeText(found.verdict.cure))", .warning)
        }
        try end(games)
    }

    /// What is not well, as far as that is seen at once; `doctor` looks closer.
    private static func health(_ call: Call, _ network: NetworkFacts) -> [(id: String, verdict: DoctorVerdict)] {
        let context = DoctorContext(machine: call.machine, network: network, isRoot: call.surroundings.isRoot)
        return Doctor.quickChecks.map { ($0.id, $0.look(context)) }.filter { $0.verdict.state != .ok }
    }

    /// Everything was told; a script must still hear that what was told about the games is nothing.
    private static func end(_ games: Games) throws(CommandError) {
        if let failure = games.failure, failure.status == .noPermission { throw failure }
    }

    private static let mostUnread = 20
    private static let longestWait = 3.0

    /// Never fails: a broken catalog is what status is there to tell.
    private static func read(_ library: Library) async -> Games {
        var games = Games()
        games.isThere = library.hasCatalog
        do throws(CommandError) {
            return try await library.withStore(orElse: games, tellsNotice: false) { store async throws(CommandError) in
                try await catalog { () async throws(CatalogError) in
                    var games = Games()
                    games.isThere = true
                    games.notice = store.startNotice
                    games.trouble = store.startTrouble?.sentence
                    games.faults = try await store.integrityProblems()
                    games.total = try await store.total()
                    games.favourites = try await store.favouriteCount()
                    games.played = try await store.playedCount()
                    games.missing = try await store.count(GameQuery(missing: true))
                    games.systems = try await store.counts().count
                    games.unread = try await store.lastScanProblems()
                    return games
                }
            }
        } catch {
            games.failure = error
            return games
        }
    }

    private static func databaseState(_ games: Games) -> String {
        if games.failure != nil { return "unusable" }
        if !games.isThere { return "absent" }
        return games.faults.isEmpty ? "ok" : "damaged"
    }

    /// The space where the data is, or will be once its folder is made.
    private static func space(of path: BytePath) -> (path: BytePath, space: DiskSpace)? {
        var place = path
        while !fileExists(place), place != "/" { place = place.parent }
        return (try? DiskSpace.read(place)).map { (place, $0) }
    }

    private static func problems(
        _ library: Library, _ games: Games, _ connected: ConnectedControllers
    ) -> [(path: BytePath, reason: String)] {
        var problems: [(path: BytePath, reason: String)] = []
        for problem in library.registry.problems {
            problems.append((problem.file, (problem.line.map { "line \($0): " } ?? "") + problem.reason))
        }
        if let failure = games.failure { problems.append((library.root.state, failure.description)) }
        if let trouble = games.trouble { problems.append((library.root.state, trouble)) }
        if let notice = games.notice { problems.append((library.root.state, notice)) }
        for fault in games.faults { problems.append((library.root.state, fault)) }
        for problem in connected.problems { problems.append((problem.node, problem.reason)) }
        for problem in games.unread.prefix(mostUnread) { problems.append((problem.path, problem.reason)) }
        if games.unread.count > mostUnread {
            let more = countText(games.unread.count - mostUnread, "more place")
            problems.append((library.root.roms, "\(more) could not be read by the last scan"))
        }
        let roms = library.root.roms
        switch answer(within: longestWait, { fileExists(roms) }) {
        case nil: problems.append((roms, "does not answer; is its server there?"))
        case false? where games.isThere:
            problems.append((roms, "the folder with the games is not there; is its drive connected?"))
        default: break
        }
        return problems
    }

    private static func json(_ machine: MachineFacts) -> JSONValue {
        .object([
            "model": .string(machine.model), "operatingSystem": .string(machine.operatingSystem),
            "kernel": .string(machine.kernel), "architecture": .string(machine.architecture),
            "uptimeSeconds": .optional(machine.uptimeSeconds), "temperature": .optional(machine.temperature),
            "memory": .object([
                "total": .optional(machine.memoryTotalBytes), "available": .optional(machine.memoryAvailableBytes),
            ]),
        ])
    }

    private static func json(_ network: NetworkFacts) -> JSONValue {
        .object([
            "hostName": .string(network.hostName),
            "addresses": .array(
                network.addresses.map {
                    .object(["interface": .string($0.interface), "address": .string($0.address)])
                }),
        ])
    }

    private static func json(_ share: ShareFacts) -> JSONValue {
        .object([
            "state": .string(share.state.rawValue), "name": .string(share.name),
            "windows": .string(share.windowsAddress), "addresses": .strings(share.addresses),
            "readOnly": .bool(share.isReadOnly),
        ])
    }

    private static func json(_ disk: DiskSpace, _ path: BytePath) -> JSONValue {
        .object(
            JSONValue.path(path).merging([
                "total": .integer(disk.totalBytes), "free": .integer(disk.freeBytes),
                "readOnly": .bool(disk.isReadOnly),
            ]) { $1 })
    }

    private static func tell(
        _ call: Call, _ library: Library, _ games: Games, _ machine: MachineFacts, _ network: NetworkFacts,
        _ share: ShareFacts, _ disk: (path: BytePath, space: DiskSpace)?, _ connected: ConnectedControllers
    ) {
        var facts: [(name: String, value: String)] = [
            ("Version", Appliance.version),
            ("Machine", "\(machine.model), \(machine.architecture)"),
            ("System", "\(machine.operatingSystem), Linux \(machine.kernel)"),
        ]
        if let uptime = machine.uptimeSeconds { facts.append(("Up for", durationText(uptime))) }
        if let total = machine.memoryTotalBytes, let available = machine.memoryAvailableBytes {
            facts.append(("Memory", "\(sizeText(available)) of \(sizeText(total)) available"))
        }
        if let temperature = machine.temperature { facts.append(("Temperature", "\(Int(temperature.rounded())) °C")) }
        facts.append(("Data", library.root.root.displayString))
        if library.root.roms != library.root.root.appending("roms") {
            facts.append(("Games in", library.root.roms.displayString))
        }
        if let disk {
            let lock = disk.space.isReadOnly ? ", read-only" : ""
            let sizes = "\(sizeText(disk.space.freeBytes)) of \(sizeText(disk.space.totalBytes))"
            facts.append(("Disk", "\(sizes) free\(lock)"))
        }
        facts.append(("Network", networkText(network)))
        facts.append(("Share", shareText(share)))
        let pads = connected.pads.map(\.name)
        facts.append(("Controllers", pads.isEmpty ? "none" : pads.joined(separator: ", ")))
        facts.append(("Games", gamesText(games)))
        facts.append(("Database", databaseState(games)))
        call.console.print(factLines(facts))
    }

    private static func networkText(_ network: NetworkFacts) -> String {
        let addresses = network.addresses.filter { !$0.isLinkLocal }.map { "\($0.address) (\($0.interface))" }
        return network.hostName + (addresses.isEmpty ? ", not connected" : ", " + addresses.joined(separator: ", "))
    }

    private static func shareText(_ share: ShareFacts) -> String {
        switch share.state {
        case .notInstalled: return "off, because Samba is not installed"
        case .notConfigured: return "off, because Samba does not share the folder with the games"
        case .stopped: return "\(share.windowsAddress), but Samba does not run"
        case .running:
            let places = ([share.windowsAddress] + share.addresses.prefix(1)).joined(separator: ", ")
            return places + (share.isReadOnly ? " (read-only)" : "")
        }
    }

    private static func gamesText(_ games: Games) -> String {
        guard games.isThere else { return "none yet; 'retro-admin scan' looks for them" }
        if games.failure != nil { return "unknown" }
        var text = "\(countText(games.total, "game")) in \(countText(games.systems, "system"))"
        if games.favourites > 0 { text += ", \(countText(games.favourites, "favourite"))" }
        if games.played > 0 { text += ", \(groupedText(games.played)) played" }
        if games.missing > 0 { text += ", \(groupedText(games.missing)) not there now" }
        return text
    }
}
