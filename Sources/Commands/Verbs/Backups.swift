import Appliance
import Catalog
import SystemKit

/// `backup`: what a person would be sorry to lose, in one file.
enum Backups {
    static let definition = CommandDefinition(
        "backup", "Back up favourites, saves, settings and controllers, and restore them",
        discussion: [
            "A backup holds what cannot be had again: favourites, play history, collections, settings, controllers, "
                + "saves, save states, gamelists and definitions of systems. Games, BIOS files and artwork are not in it.",
            "It is one file that tar can read too, made while the menu runs, read back and compared after it was "
                + "written. It can be restored on another machine.",
        ],
        subcommands: [
            CommandDefinition(
                "create", "Make a backup",
                arguments: [
                    ArgumentDefinition(
                        "WHERE", .optional, values: .file,
                        "A folder that is there, or a file NAME.tar.zst (else DATA/backups)")
                ],
                options: [
                    usb, OptionDefinition("with-screenshots", "Also pictures that were taken while playing"),
                    OptionDefinition(
                        "keep", placeholder: "N", "How many backups of this machine stay in the folder (else 5)"),
                    .dryRun,
                ],
                examples: [.init("retro-admin backup create --usb", "onto the USB stick that is plugged in")],
                verb: create),
            CommandDefinition(
                "list", "List the backups in a folder",
                arguments: [ArgumentDefinition("FOLDER", .optional, values: .directory, "Else DATA/backups")],
                options: [usb], verb: list),
            CommandDefinition(
                "verify", "Read a backup completely and compare it with its checksums",
                arguments: [ArgumentDefinition("FILE", values: .file, "The backup")], verb: verify),
            CommandDefinition(
                "restore", "Put the files of a backup back",
                discussion: [
                    "What is there is kept aside first, as another backup. Files that the backup does not hold stay as "
                        + "they are. The menu must not run. A restore that was interrupted can be done again."
                ],
                arguments: [ArgumentDefinition("FILE", values: .file, "The backup")],
                options: [.yes, .dryRun], verb: restore),
        ])

    private static let usb = OptionDefinition("usb", "On the USB stick that is plugged in")

    private static func create(_ call: Call) async throws(CommandError) {
        let kept = try call.number("keep") ?? 5
        if kept == 0 { throw .badWord("0", of: "--keep", expected: "at least 1") }
        let place = try place(call)
        let screenshots = call.has("with-screenshots")
        let machine = call.machine
        do throws(ApplianceError) {
            let backup = try Backup(on: machine, to: place, withScreenshots: screenshots, kept: kept)
            if call.isDryRun { return plan(backup, call) }
            call.console.progress("Making a backup of \(countText(backup.count, "file")) ...")
            show(try backup.create(), call)
        } catch { throw .appliance(error) }
    }

    private static func place(_ call: Call) throws(CommandError) -> Backup.Place {
        let given = call.arguments.first.map { call.surroundings.directory.appending($0) }
        if call.has("usb") {
            if let given { throw .extraArgument(given.displayString, path: call.line.path) }
            return .stick
        }
        return given.map { .path($0) } ?? .usual
    }

    private static func plan(_ backup: Backup, _ call: Call) {
        var members = JSONValue.path(backup.target)
        let words = "Write \(countText(backup.count, "file")), \(sizeText(backup.bytes)) before packing, to "
        members["dryRun"] = .bool(true)
        members["files"] = .integer(backup.count)
        members["bytes"] = .integer(backup.bytes)
        members["removed"] = .array(backup.removed.map { .object(JSONValue.path($0)) })
        let write = JSONValue.object([
            "name": .string("write-backup"), "summary": .string(words + backup.target.displayString),
            "command": .strings([]), "done": .bool(false),
        ])
        let removals = backup.removed.map { path in
            JSONValue.object([
                "name": .string("remove-old"), "summary": .string("Remove \(path)"), "command": .strings([]),
                "done": .bool(false),
            ])
        }
        members["steps"] = .array([write] + removals)
        call.show(.object(members)) {
            call.console.print(words + "\(backup.target)\n")
            for old in backup.removed { call.console.print("Remove \(old)\n") }
        }
    }

    private static func show(_ made: Backup.Made, _ call: Call) {
        var members = json(made.file)
        members["removed"] = .array(made.removed.map { .object(JSONValue.path($0)) })
        members["skipped"] = .strings(made.skipped)
        call.show(.object(members)) {
            let file = made.file
            call.console.print(
                "\(countText(file.count, "file")), \(sizeText(file.archiveBytes)), read back and compared:\n"
                    + "\(file.path)\n")
            for old in made.removed { call.console.note("Removed \(old)") }
        }
        for sentence in made.skipped { call.console.complain(safeText(sentence), .warning) }
    }

    private static func json(_ file: BackupFile) -> [String: JSONValue] {
        var members = JSONValue.path(file.path).merging(json(file.header)) { $1 }
        members["files"] = .integer(file.count)
        members["bytes"] = .integer(file.bytes)
        members["size"] = .integer(file.archiveBytes)
        return members
    }

    private static func json(_ header: BackupHeader) -> [String: JSONValue] {
        [
            "format": .integer(header.format), "version": .string(header.version), "host": .string(header.host),
            "model": .string(header.model), "time": .string(header.time), "screenshots": .bool(header.screenshots),
        ]
    }

    private static func list(_ call: Call) async throws(CommandError) {
        let machine = call.machine
        let folder: BytePath
        switch try place(call) {
        case .usual: folder = Backup.usualFolder(machine.data)
        case .path(let path): folder = path
        case .stick:
            guard let drive = RemovableDrive.mounted(on: machine).first else {
                throw .appliance(.notFound("no USB stick is mounted: plug one in, or name a folder"))
            }
            folder = drive.point
        }
        if folder != Backup.usualFolder(machine.data) {
            do throws(SystemError) { _ = try directoryNames(folder) } catch { throw .system(error) }
        }
        let paths = BackupVersions(folder).files() + BackupVersions(folder, aside: true).files()
        var documents: [JSONValue] = []
        var table = TextTable([
            .init("NAME", isFlexible: true), .init("MADE"), .init("MACHINE"), .init("SIZE", isNumeric: true), .init(""),
        ])
        for path in paths {
            let size = (try? fileStatus(path))?.size ?? 0
            var members = JSONValue.path(path)
            members["size"] = .integer(size)
            do throws(ApplianceError) {
                let header = try BackupFile.header(of: path)
                members.merge(json(header)) { $1 }
                table.add([path.name.displayString, safeText(header.time), safeText(header.host), sizeText(size), ""])
            } catch {
                members["reason"] = .string(error.description)
                table.add([path.name.displayString, "", "", sizeText(size), "unusable"])
            }
            documents.append(.object(members))
        }
        var document = JSONValue.path(folder, named: "folder")
        document["backups"] = .array(documents)
        call.show(.object(document)) {
            if paths.isEmpty { return call.console.note("There is no backup in \(folder).") }
            call.console.print(table)
        }
    }

    private static func verify(_ call: Call) async throws(CommandError) {
        let path = call.surroundings.directory.appending(call.arguments[0])
        do throws(ApplianceError) {
            let file = try BackupFile.verify(path)
            var members = json(file)
            members["state"] = .string("ok")
            call.show(.object(members)) {
                let origin = "\(safeText(file.header.host)), \(safeText(file.header.time))"
                call.console.print("\(countText(file.count, "file")) of \(origin): all well\n")
            }
        } catch {
            if case .refused(let reason) = error, call.wantsJSON {
                var members = JSONValue.path(path)
                members["state"] = .string("damaged")
                members["reason"] = .string(reason)
                call.console.print(.object(members))
            }
            throw .appliance(error)
        }
    }

    private static func restore(_ call: Call) async throws(CommandError) {
        let path = call.surroundings.directory.appending(call.arguments[0])
        let restore: Restore
        do throws(ApplianceError) {
            restore = try Restore(path, on: call.machine, newestSchemas: CatalogStore.newestSchemas)
        } catch { throw .appliance(error) }
        let words = "Restore \(countText(restore.file.count, "file")) of \(safeText(restore.file.header.host))"
        if call.isDryRun { return plan(restore, words, call) }
        let question = "\(words), made \(restore.file.header.time); \(groupedText(restore.replaced)) are replaced"
        guard try call.confirm(question) else { return call.console.note("Nothing was changed.") }
        let outcome: Restore.Outcome
        do throws(ApplianceError) { outcome = try restore.apply() } catch { throw .appliance(error) }
        var members = JSONValue.path(path)
        members["restored"] = .integer(outcome.restored)
        members["aside"] = outcome.aside.map { .object(JSONValue.path($0)) } ?? .null
        members["continued"] = .bool(outcome.continued)
        members["problems"] = .strings(outcome.problems)
        call.show(.object(members)) {
            call.console.print("\(countText(outcome.restored, "file")) restored\n")
            if let aside = outcome.aside { call.console.print("What was there is in \(aside)\n") }
        }
        guard let first = outcome.problems.first else { return }
        for problem in outcome.problems.dropFirst() { call.console.complain(safeText(problem), .warning) }
        throw .appliance(.failed("restoring a part of the files", detail: safeText(first)))
    }

    private static func plan(_ restore: Restore, _ words: String, _ call: Call) {
        var members = json(restore.file)
        let steps = [
            ("keep-aside", "Keep what is there as a backup in \(Backup.usualFolder(call.machine.data))"),
            ("restore", "\(words): \(restore.replaced) replaced, \(restore.added) added"),
        ]
        members["dryRun"] = .bool(true)
        members["replaced"] = .integer(restore.replaced)
        members["added"] = .integer(restore.added)
        members["steps"] = .array(
            steps.map { name, summary in
                .object([
                    "name": .string(name), "summary": .string(summary), "command": .strings([]), "done": .bool(false),
                ])
            })
        call.show(.object(members)) { for (_, summary) in steps { call.console.print("\(summary)\n") } }
    }
}
