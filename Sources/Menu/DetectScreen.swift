import Controllers
import Interface
import SystemKit

/// Finds the device that shall be set up: a button of it is held.
final class DetectScreen: Screen {
    private var detector = HoldDetector()
    private var hold: HoldDetector.Hold?
    private let list = ListView()
    private var others: [PadInfo] = []

    override init(context: MenuContext) {
        super.init(context: context)
        list.fillsWindow = false
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in
            guard let self, self.others.indices.contains(row) else { return }
            self.choose(self.others[row])
        }
        controllersChanged()
    }

    override var hints: [Hint] {
        others.isEmpty
            ? [Hint(.back, "Back")] : [Hint(.accept, "Use this one"), Hint(.up, "Choose"), Hint(.back, "Back")]
    }
    override var wantsRaw: Bool { true }
    override var actsOnRelease: Bool { true }
    override var deadline: MonotonicInstant? {
        // The ring fills in steps that the eye does not see.
        hold == nil ? detector.deadline : .now.advanced(bySeconds: 1.0 / 60)
    }

    // MARK: What happens

    override func hear(_ event: RawEvent, from device: Int) {
        detector.handle(event, from: device)
        update(now: .now)
    }

    override func update(now: MonotonicInstant) {
        let found = detector.hold(at: now)
        if found != hold {
            hold = found
            setNeedsDisplay()
        }
        guard let found, found.progress >= 1 else { return }
        hold = nil
        defer { detector.forget(found.device) }
        if let pad = context.controllers.device(found.device) { choose(pad) }
    }

    override func deviceLeft(_ id: Int, now: MonotonicInstant) {
        detector.forget(id)
        update(now: now)
    }

    override func controllersChanged() {
        let table = context.controllers
        let chosen = others.indices.contains(list.selection) ? others[list.selection].id : nil
        var isFirstKeyboard = true
        others = table.candidates.values.sorted { $0.id < $1.id }.filter { candidate in
            guard candidate.family == .keyboard else { return true }
            // All keyboards are one.
            defer { isFirstKeyboard = false }
            return isFirstKeyboard
        }
        let row = others.firstIndex { $0.id == chosen } ?? 0
        list.update(count: others.count, selection: row)
        refreshBars()
        setNeedsLayout()
    }

    private func choose(_ device: PadInfo) {
        let pad = device.family == .keyboard ? .keyboard : device
        // First the new screen: listening must not end in between, or the device would be another one afterwards.
        context.host?.push(
            MappingScreen(
                context: context, pad: pad, purpose: .setUp(onlyThisUnit: false), holding: detector, now: .now))
        context.host?.remove(self)
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false), .command(.menu, false): context.host?.pop()
        default: _ = list.handle(event)
        }
        return true
    }

    // MARK: Layout and painting

    private var hasList: Bool { !others.isEmpty }

    override func layout() {
        list.rowHeight = theme(50)
        let rows = Double(min(others.count, theme.isLow ? 2 : 4))
        let height = rows * list.rowHeight
        let width = min(content.width, theme(720))
        list.frame = Rect(bounds.midX - width / 2, content.maxY - height - theme(4), width, height)
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            "Set up a controller", in: Rect(safe.x, safe.y, safe.width * 0.7, theme(42)), style: theme.heading,
            color: Theme.text)
        let bottom = hasList ? list.frame.minY - theme(44) : content.maxY
        let area = Rect(content.x, content.y, content.width, bottom - content.y)
        let words = theme(hasList || theme.isLow ? 96 : 120)
        let side = min(area.height - words - theme(24), theme(230))
        let center = Point(area.midX, area.y + (area.height - words - side) / 2 + side / 2)
        drawRing(&canvas, center: center, radius: side / 2)
        var y = center.y + side / 2 + theme(hasList ? 16 : 30)
        let held = hold.flatMap { context.controllers.device($0.device) }
        let line = canvas.measurer.lineHeight(theme.title)
        let height = canvas.paragraph(
            held?.name.trimmedBlanks ?? "Hold a button on the controller",
            in: Rect(area.x, y, area.width, line * 1.1), style: theme.isLow ? theme.heading : theme.title,
            color: Theme.text, align: .center)
        y += height + theme(2)
        canvas.text(
            held == nil ? "the one that you want to set up, for a second" : "Keep holding",
            in: Rect(area.x, y, area.width, theme(34)), style: theme.body, color: Theme.quiet, align: .center)
        if hasList {
            canvas.text(
                "These do not look like controllers. Use one all the same:",
                in: Rect(list.frame.x, list.frame.minY - theme(38), list.frame.width, theme(32)), style: theme.label,
                color: Theme.faint)
        }
    }

    private func drawRing(_ canvas: inout Canvas, center: Point, radius: Double) {
        let width = max(3, theme(12))
        let progress = hold?.progress ?? 0
        canvas.glow(center, radius: radius * 1.9, Theme.brand.faded(0.22 + 0.2 * progress))
        canvas.ring(center, radius: radius, width: width, fraction: 1, Color(hex: 0xFFFFFF, alpha: 0.10))
        if progress > 0 {
            canvas.ring(
                center, radius: radius, width: width, fraction: (progress * 96).rounded() / 96, PadPicture.want)
        }
        let side = radius * 1.16
        let held = hold.flatMap { context.controllers.device($0.device) }
        canvas.image(
            .icon(ControllerIcon.name(held)), in: Rect(center.x - side / 2, center.y - side / 2, side, side),
            tint: held == nil ? Theme.brand.mixed(with: .white, 0.35) : .white)
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard others.indices.contains(index) else { return }
        let device = others[index]
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        canvas.fill(box, Theme.panel, radius: theme(12))
        if nearness > 0.01 { canvas.fill(box, Theme.brand.faded(0.9 * nearness), radius: theme(12)) }
        let side = theme(26)
        canvas.image(
            .icon(ControllerIcon.name(device)), in: Rect(box.x + theme(14), box.midY - side / 2, side, side),
            tint: Theme.text.faded(0.85))
        let kind = ControllerIcon.kind(of: device)
        let width = min(canvas.measurer.width(of: kind, style: theme.caption), box.width * 0.4)
        canvas.text(
            kind, in: Rect(box.maxX - theme(16) - width - 1, box.y, width + 2, box.height), style: theme.caption,
            color: Theme.text.faded(nearness > 0.5 ? 0.8 : 0.5))
        let x = box.x + theme(28) + side
        canvas.text(
            device.family == .keyboard ? "Keyboard" : device.name.trimmedBlanks,
            in: Rect(x, box.y, box.maxX - theme(32) - width - x, box.height), style: theme.label, color: Theme.text)
    }
}

/// Drawings and words for devices.
enum ControllerIcon {
    static func name(_ pad: PadInfo?) -> String {
        guard let pad else { return "controller" }
        if pad.family == .keyboard { return "keyboard" }
        return DeviceKind(of: pad.capabilities) == .pad && PadLayout.model(of: pad) == .arcade
            ? "joystick" : "controller"
    }

    /// What a device is by its looks.
    static func kind(of device: PadInfo) -> String {
        switch DeviceKind(of: device.capabilities) {
        case .pad: "controller"
        case .keyboard: "keyboard"
        case .other(.motionSensor): "motion sensor"
        case .other(.touch): "touchpad"
        case .other(.mouse): "mouse"
        case .other(.mediaKeys): "media keys"
        case .other(.noDirections): "buttons only"
        case .other(.noButtons): "no buttons"
        }
    }
}
