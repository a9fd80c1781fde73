import SQLiteKit
import SystemKit

extension Doctor {
    /// The person's data.
    static let data = [
        DoctorCheck("data-folder") { context in
            let root = context.machine.data.root
            guard let status = try? fileStatus(root) else {
                return .failed(
                    "the data folder \(root) is not there",
                    cure: "connect its disk, or run 'retro-admin scan', which makes it")
            }
            guard status.kind == .directory else {
                return .failed("\(root) is no folder", cure: "rename what is there, and run 'retro-admin scan'")
            }
            let state = context.machine.data.state
            for place in [root, state] {
                guard let status = try? fileStatus(place) else { continue }
                if context.player.may(3, status) { continue }
                return .failed(
                    "\(context.player.name) may not write to \(place)",
                    cure: "'sudo chown -R \(context.player.name): \(place)'")
            }
            return .ok("\(root) is there and can be written")
        },
        DoctorCheck("data-owners") { context in
            guard let user = context.player.user, user != 0 else { return .ok("no account of its own plays here") }
            let state = context.machine.data.state
            let foreign = ((try? directoryNames(state)) ?? []).sorted().filter { name in
                guard let status = try? fileStatus(state.appending(name), followLinks: false) else { return false }
                return status.owner != user
            }
            guard let first = foreign.first else { return .ok("all state belongs to \(context.player.name)") }
            return .failed(
                "\(state.appending(first)) does not belong to \(context.player.name)"
                    + (foreign.count > 1 ? ", nor do \(foreign.count - 1) more" : ""),
                cure: "'sudo chown -R \(context.player.name): \(state)'")
        },
        DoctorCheck("games-readable") { context in
            var walk = ReadabilityWalk(player: context.player)
            walk.look(context.machine.data.roms)
            guard let first = walk.refused.first else {
                return .ok(walk.isComplete ? "all games can be read" : "the first \(walk.seen) files can be read")
            }
            let refused = walk.refused
            let fix = StepPlan([
                Step(
                    "readable-games", "Let everybody read \(refused.count) files and folders of games",
                    act: { () throws(ApplianceError) in
                        for (path, bits) in refused {
                            // The account that plays may put a link there before it is root's turn.
                            try system { () throws(SystemError) in try addPermissions(path, bits) }
                        }
                    },
                    check: { () throws(ApplianceError) in
                        for (path, bits) in refused {
                            let now = try system { () throws(SystemError) in try fileStatus(path).permissions }
                            if now & bits != bits { return "\(path) still may not be read" }
                        }
                        return nil
                    })
            ])
            return .warning(
                "\(context.player.name) may not read \(first.path)"
                    + (refused.count > 1 ? " and \(refused.count - 1) more" : ""),
                cure: "'sudo retro-admin share repair' sets owners and permissions right", fix: fix)
        },
        DoctorCheck("databases") { context in
            let state = context.machine.data.state
            var looked = 0
            for name in ["user.sqlite", "catalog.sqlite", "metadata.sqlite"] {
                let path = state.appending(name)
                // Opening a pipe in its place would wait for ever.
                guard let status = try? fileStatus(path) else { continue }
                guard status.kind == .regular else {
                    return .failed("\(path) is no file", cure: "move away what has its name, then start the menu")
                }
                let cure =
                    name == "catalog.sqlite"
                    ? "'retro-admin scan' makes it anew" : "start the menu: it restores the last good copy"
                do throws(SQLiteError) {
                    let found = try Connection(path, access: .readOnly).quickCheck(limit: 1)
                    if let fault = found.first { return .failed("\(path) is damaged: \(shortened(fault))", cure: cure) }
                    looked += 1
                } catch {
                    if error.isDamage { return .failed("\(path) is damaged", cure: cure) }
                    if error.isBusy { continue }
                    return .warning(
                        "\(path) cannot be checked: \(error.message)",
                        cure: "look whether \(context.player.name) may read and write it")
                }
            }
            return .ok(looked == 0 ? "there is no database yet" : "the databases are sound")
        },
        DoctorCheck("database-copies") { context in
            let state = context.machine.data.state
            guard let user = try? fileStatus(state.appending("user.sqlite")) else { return .ok("nothing to copy yet") }
            let copies = ((try? directoryNames(state.appending("backups"))) ?? []).filter { name in
                name.bytes.starts(with: "user-".utf8) && name.fileExtension == Array("sqlite".utf8)
            }
            let newest = copies.compactMap { try? fileStatus(state.appending("backups").appending($0)) }
                .map(\.modifiedNanoseconds).max()
            let week: Int64 = 7 * 86400 * 1_000_000_000
            guard let newest else {
                let isYoung = context.now * 1e9 - Double(user.changedNanoseconds) < Double(week)
                return isYoung
                    ? .ok("there is no daily copy of favourites and settings yet")
                    : .warning(
                        "there is no copy of favourites and settings",
                        cure: "start the menu, which makes one, and look whether the disk is full")
            }
            if user.modifiedNanoseconds - newest > week {
                return .warning(
                    "the last copy of favourites and settings is older than a week, and they changed since",
                    cure: "start the menu, which makes one, and look whether the disk is full")
            }
            return .ok("favourites and settings are copied")
        },
        DoctorCheck("damaged-files") { context in
            let state = context.machine.data.state
            let names = ((try? directoryNames(state)) ?? []).map(\.displayString).filter {
                $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
            }.sorted()
            guard let first = names.first else { return .ok("no damaged file was put aside") }
            return .warning(
                "\(names.count == 1 ? "a damaged file was" : "\(names.count) damaged files were") put aside: "
                    + "\(state.appending(first))",
                cure: "if nothing is missed, delete it; damage that comes again means a bad card or power supply")
        },
        DoctorCheck("restore-finished") { context in
            guard Restore.isUnfinished(on: context.machine) else { return .ok("no restore was interrupted") }
            return .failed(
                "restoring a backup was interrupted: a part of the files is old, a part is new",
                cure: "run 'retro-admin backup restore' with the same file again")
        },
        DoctorCheck("log") { context in
            let log = context.machine.data.state.appending("menu.log")
            let end = try? readPart(of: log, from: Int64(-64 << 10), limit: 64 << 10)
            guard let bytes = end?.bytes else { return .ok("there is no log yet") }
            let lines = bytes.split(separator: 0x0A).suffix(200)
                .map { String(decoding: $0, as: UTF8.self) }
            let bad = lines.filter { line in
                line.contains(" error: ") || line.contains("Fatal error") || line.contains("*** Program crashed")
            }
            guard let last = bad.last else { return .ok("the last lines of the log tell of no error") }
            let isCrash = last.contains("Fatal error") || last.contains("crashed")
            let reason = "the log tells of \(isCrash ? "a crash" : "an error"): \(shortened(last))"
            let cure = "'retro-admin logs --limit 50' shows what led to it"
            return isCrash ? .failed(reason, cure: cure) : .warning(reason, cure: cure)
        },
        DoctorCheck("emulator-configuration") { context in
            let home = context.machine.path("").appending(relative(context.player.home))
            let files =
                [home.appending(".config/retroarch/retroarch.cfg")]
                + [context.machine.data.configuration.appending("retroarch.cfg")]
            for file in files {
                guard let status = try? fileStatus(file), status.kind == .regular else { continue }
                let bytes = (try? readRegularFile(file, limit: 4 << 20)) ?? []
                guard status.size == 0 || bytes.contains(0) else { continue }
                let aside = BytePath(bytes: file.bytes + Array(".damaged".utf8))
                let fix = StepPlan([
                    Step(
                        "put-aside", "Put \(file) aside as \(aside.name)",
                        act: { () throws(ApplianceError) in
                            try system { () throws(SystemError) in try renameInPlace(file, to: aside.name) }
                        },
                        check: { () throws(ApplianceError) in fileExists(file) ? "it is still there" : nil })
                ])
                return .failed(
                    "\(file) is \(status.size == 0 ? "empty" : "damaged")",
                    cure: "put it aside: RetroArch makes a new one", fix: fix)
            }
            return .ok("the emulators' own settings are sound")
        },
    ]
}

/// Looks whether games can be read, up to a bound: a library may be large, and the answer is the same.
struct ReadabilityWalk {
    let player: PlayerAccount
    private(set) var refused: [(path: BytePath, bits: UInt32)] = []
    private(set) var seen = 0
    private(set) var isComplete = true
    static let most = 20_000
    private static let mostRefused = 500
    private static let deepest = 8

    init(player: PlayerAccount) { self.player = player }

    mutating func look(_ folder: BytePath, depth: Int = 0) {
        guard depth < ReadabilityWalk.deepest, let names = try? directoryNames(folder) else { return }
        for name in names.sorted() {
            guard seen < ReadabilityWalk.most, refused.count < ReadabilityWalk.mostRefused else {
                isComplete = false
                return
            }
            seen += 1
            let path = folder.appending(name)
            guard let status = try? fileStatus(path, followLinks: false) else { continue }
            switch status.kind {
            case .directory:
                if !player.may(5, status) { refused.append((path, 0o555)) }
                look(path, depth: depth + 1)
            case .regular: if !player.may(4, status) { refused.append((path, 0o444)) }
            case .symbolicLink, .other: break
            }
        }
    }
}
