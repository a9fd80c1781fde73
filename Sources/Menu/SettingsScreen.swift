import Appliance
import Catalog
import Interface
import SystemKit

/// Everything about the machine that can be looked at and changed from the sofa.
final class SettingsScreen: Screen {
    /// One thing to open.
    struct Entry {
        let icon: String
        let title: String
        /// How it is now.
        var note: String
        /// Whether something is wrong with it.
        var warns = false
        let open: (MenuContext) -> Screen
    }

    private let list = ListView()
    private(set) var entries: [Entry] = []
    private var facts = SettingsFacts()
    private let inquiry: Inquiry

    override init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in self?.open(row) }
        fill()
    }

    override var hints: [Hint] { [Hint(.accept, "Open"), Hint(.back, "Back")] }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({ { _ in SettingsFacts.read(machine) } }) { [weak self] facts in
            self?.facts = facts
            self?.fill()
        }
    }

    /// Opens an entry.
    func open(_ row: Int) {
        guard entries.indices.contains(row) else { return }
        context.host?.push(entries[row].open(context))
    }

    private func fill() {
        entries = SettingsScreen.entries(facts)
        list.update(count: entries.count, selection: list.selection)
        setNeedsDisplay()
    }

    // MARK: Painting

    override func layout() {
        list.rowHeight = theme(76)
        list.frame = Rect(
            content.x - theme(14), content.y + theme(10), content.width + theme(28), content.height - theme(10))
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            "Settings", in: Rect(safe.x, safe.y, safe.width * 0.6, theme(42)), style: theme.heading,
            color: Theme.text)
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard entries.indices.contains(index) else { return }
        let entry = entries[index]
        let box = rect.inset(by: Insets(top: theme(4), bottom: theme(4)))
        canvas.fill(box, Theme.panel, radius: theme(16))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: Theme.brand.mixed(with: .white, 0.06).faded(nearness),
                to: Theme.brand.faded(0.72 * nearness), vertical: false, radius: theme(16))
        }
        let side = theme(32)
        let inner = box.inset(by: Insets(left: theme(22), right: theme(24)))
        canvas.image(
            .icon(entry.icon), in: Rect(inner.x, inner.midY - side / 2, side, side),
            tint: Theme.text.faded(0.72 + 0.28 * nearness))
        let width = canvas.text(
            entry.title, in: Rect(inner.x + theme(58), inner.y, inner.width * 0.5, inner.height), style: theme.row,
            color: Theme.text)
        let left = inner.x + theme(58) + width + theme(24)
        var room = Rect(left, inner.y, max(0, inner.maxX - left), inner.height)
        if entry.warns {
            let side = theme(22)
            canvas.image(
                .icon("warning"), in: Rect(room.maxX - side, room.midY - side / 2, side, side), tint: Theme.warning)
            room = Rect(room.x, room.y, max(0, room.width - side - theme(12)), room.height)
        }
        canvas.text(
            entry.note, in: room, style: theme.label, color: Theme.text.faded(0.5 + 0.3 * nearness), align: .right)
    }

    override func handle(_ event: Event) -> Bool {
        if event == .command(.back, isRepeat: false) || event == .command(.menu, isRepeat: false) {
            context.host?.pop()
            return true
        }
        return list.handle(event)
    }
}
