import Appliance
import Interface
import SystemKit

/// How full the disk is, and growing it to the whole card.
final class StoragePanel: ChoiceScreen {
    private let inquiry: Inquiry
    private var space: DiskSpace?
    private var outlook: StorageOutlook?

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Storage", rows: [])
    }

    override func appear() { look() }

    private struct Answer: Sendable {
        let space: DiskSpace?
        let outlook: StorageOutlook
    }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({
            { _ in
                let place = machine.data.root
                return Answer(
                    space: answer(within: 3, { try? DiskSpace.read(place) }) ?? nil,
                    outlook: StorageOutlook.read(machine))
            }
        }) { [weak self] answer in
            self?.space = answer.space
            self?.outlook = answer.outlook
            self?.fill()
        }
    }

    private func fill() {
        if let space {
            subtitle = "\(Phrase.bytes(space.freeBytes)) free of \(Phrase.bytes(space.totalBytes))"
        }
        guard let outlook else { return }
        var rows: [Row] = []
        switch outlook {
        case .expanded:
            rows.append(Row(label: "The whole card is used", isChecked: true) {})
        case .room(let bytes):
            rows.append(
                Row(label: "Use the whole card", value: "+ \(Phrase.bytes(bytes))") { [weak self] in self?.ask(bytes) })
        case .unfinished:
            rows.append(
                Row(label: "Finish using the whole card", warns: true) { [weak self] in self?.expand() })
        case .unknown: break
        }
        rows.append(
            Row(label: "USB sticks") { [weak self] in
                guard let self else { return }
                self.context.host?.push(StickPanel(context: self.context))
            })
        rows.append(
            Row(label: "Games folders") { [weak self] in
                guard let self else { return }
                self.context.host?.push(SourcesScreen(context: self.context))
            })
        replace(rows)
    }

    private func ask(_ bytes: Int64) {
        context.host?.push(
            QuestionScreen(
                context: context, title: "Use the whole card?",
                sentence:
                    "The system's partition grows into \(Phrase.bytes(bytes)) of free space behind it. Nothing on "
                    + "the card is moved, and it goes on where it was if the power fails.",
                yes: "Use it", accent: Theme.brand
            ) { [weak self] in self?.expand() })
    }

    private func expand() {
        context.change(.storage(.expand(device: nil)), title: "Using the whole card", done: "The whole card is used") {
            [weak self] in self?.look()
        }
    }
}
