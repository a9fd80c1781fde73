import Appliance
import Interface
import SystemKit

/// Backups of what the person did: saves, states, favourites, settings.
final class BackupPanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var known: Answer?

    private struct Answer: Sendable {
        let backups: [BytePath]
        let drives: [RemovableDrive]
    }

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(
            context: context, title: "Backup", subtitle: "Saves, favourites and settings",
            rows: [])
    }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({
            { _ in
                Answer(
                    backups: BackupVersions(Backup.usualFolder(machine.data)).files(),
                    drives: RemovableDrive.mounted(on: machine))
            }
        }) { [weak self] answer in
            self?.known = answer
            self?.fill()
        }
    }

    private func fill() {
        guard let known else { return }
        var rows = [
            Row(label: "Back up now", value: "this card") { [weak self] in
                self?.create(.usual, "the folder “backups”")
            }
        ]
        rows += known.drives.map { drive in
            let name = drive.label.isEmpty ? drive.point.name.displayString : drive.label
            return Row(label: "Back up to \(name)") { [weak self] in self?.create(.path(drive.point), name) }
        }
        if known.drives.isEmpty {
            rows.append(
                Row(label: "USB stick", value: "none") { [weak self] in
                    self?.tell("USB stick", "Plug a stick in and open this again: what is on it stays there.")
                })
        }
        rows += known.backups.reversed().map { file in
            Row(label: file.name.displayString) { [weak self] in self?.open(file) }
        }
        replace(rows)
    }

    private func tell(_ title: String, _ sentence: String) {
        context.host?.push(QuestionScreen(context: context, title: title, sentence: sentence, accent: Theme.brand))
    }

    private func create(_ place: Backup.Place, _ name: String) {
        let machine = context.machine.machine
        let screen = WorkScreen(context: context, title: "Backing up")
        context.host?.push(screen)
        screen.show("What is written is read back and compared.")
        context.courier.work { _ in
            try Backup(on: machine, to: place).create()
        } then: { [weak self, weak screen] (made: Backup.Made) in
            guard let self else { return }
            if let screen { self.context.host?.remove(screen) }
            let words =
                "\(Phrase.grouped(made.file.count)) files, \(Phrase.bytes(made.file.archiveBytes)), are in \(name)."
            self.tell("Backed up", ([words] + made.skipped.prefix(3).map(Phrase.sentence)).joined(separator: "\n"))
            self.look()
        } failed: { [weak self, weak screen] sentence in
            guard let self else { return }
            if let screen { self.context.host?.remove(screen) }
            self.tell("Not backed up", Phrase.sentence(sentence))
        }
    }

    /// A running menu has the databases open, so restoring is for a time when it does not run.
    private func open(_ file: BytePath) {
        context.courier.work { _ in
            try BackupFile.verify(file)
        } then: { [weak self] (backup: BackupFile) in
            self?.tell(
                "A good backup",
                "\(Phrase.grouped(backup.count)) files of \(backup.header.host), made \(backup.header.time).\n"
                    + "To restore it, leave the menu and type: retro-admin backup restore \(file.displayString)")
        } failed: { [weak self] sentence in
            self?.tell("Damaged", Phrase.sentence(sentence))
        }
    }
}
