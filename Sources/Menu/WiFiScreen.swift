import Appliance
import Interface
import SystemKit

/// The networks in reach: joining one, forgetting it, and the radio itself.
final class WiFiScreen: Screen {
    private enum Row: Equatable {
        case network(WiFiNetwork)
        case other
        case country(String?)
        case radio(Bool)
    }

    private let list = ListView()
    private var rows: [Row] = []
    private var facts: WiFiFacts?
    private let inquiry: Inquiry
    private var nextLook: MonotonicInstant?

    /// Seconds between two looks while the screen is open: networks come and go.
    private static let patience = 8.0

    override init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context)
        add(list)
        list.drawRow = { [weak self] canvas, row, rect, nearness in self?.drawRow(&canvas, row, rect, nearness) }
        list.onAccept = { [weak self] row in self?.open(row) }
        list.onSelect = { [weak self] _ in self?.refreshBars() }
    }

    private var chosen: Row? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }

    override var hints: [Hint] {
        var hints: [Hint] = []
        switch chosen {
        case .network(let network) where network.isActive: break
        case .network: hints.append(Hint(.accept, "Join"))
        case nil: break
        default: hints.append(Hint(.accept, "Change"))
        }
        if case .network(let network)? = chosen, network.isSaved { hints.append(Hint(.extra, "Forget")) }
        return hints + [Hint(.search, "Look again"), Hint(.back, "Back")]
    }

    override var deadline: MonotonicInstant? { nextLook }

    override func appear() { look(rescan: facts == nil) }

    override func update(now: MonotonicInstant) {
        guard let nextLook, nextLook <= now else { return }
        self.nextLook = nil
        // NetworkManager looks around by itself; who cannot wait for that asks for it.
        if context.host?.top === self { look(rescan: false) }
    }

    private func look(rescan: Bool) {
        let desk = context.machine
        inquiry.ask({
            { _ in
                // An ordinary user may be refused to look around; the door is not.
                let isFresh = rescan && (try? desk.perform(.wifi(.scan), { _ in })) != nil
                return WiFiFacts.read(desk.machine, rescan: rescan && !isFresh)
            }
        }) { [weak self] facts in
            guard let self else { return }
            self.facts = facts
            self.fill()
            let now = MonotonicInstant.now
            self.nextLook = facts.isRadioOn == true ? now.advanced(bySeconds: WiFiScreen.patience) : nil
        }
    }

    private func fill() {
        guard let facts else { return }
        let before = chosen
        rows = facts.networks.map { .network($0) } + facts.away.map { .network($0) }
        if let isOn = facts.isRadioOn {
            if isOn { rows.append(.other) }
            rows += [.country(facts.country), .radio(isOn)]
        }
        let same = rows.firstIndex { row in
            switch (row, before) {
            case (.network(let one), .network(let other)?): one.ssid == other.ssid && one.security == other.security
            case (.other, .other?), (.country, .country?), (.radio, .radio?): true
            default: false
            }
        }
        list.update(count: rows.count, selection: same ?? min(list.selection, max(0, rows.count - 1)))
        refreshBars()
        setNeedsDisplay()
    }

    // MARK: What is done

    private func open(_ index: Int) {
        guard rows.indices.contains(index) else { return }
        switch rows[index] {
        case .network(let network): join(network)
        case .other: askName()
        case .country: context.host?.push(CountryPanel(context: context, chosen: facts?.country))
        case .radio(let isOn):
            context.change(
                .wifi(.radio(isOn: !isOn)), title: isOn ? "Switching Wi-Fi off" : "Switching Wi-Fi on",
                done: isOn ? "Wi-Fi is off" : "Wi-Fi is on"
            ) { [weak self] in self?.look(rescan: !isOn) }
        }
    }

    private func join(_ network: WiFiNetwork) {
        if network.isActive { return }
        if network.isSaved || network.security.isOpen { return connect(network.ssid, nil, isHidden: false) }
        guard network.security.takesPassword else {
            context.host?.push(
                QuestionScreen(
                    context: context, title: network.name,
                    sentence: "This network wants more than a password, or uses a way to keep others out that is too "
                        + "old to be safe. It cannot be joined from here."))
            return
        }
        askPassword(network.ssid, isHidden: false)
    }

    private func askName() {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Other network", note: "The name of the network, exactly", limit: 32,
                kind: .exact
            ) { [weak self] name in
                self?.askPassword(Array(name.utf8), isHidden: true)
            })
    }

    private func askPassword(_ ssid: [UInt8], isHidden: Bool) {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Password of \(WiFiNetwork.name(of: ssid))",
                note: isHidden ? "Empty for an open network" : "At least eight characters", limit: 64,
                mayBeEmpty: isHidden, kind: .exact
            ) { [weak self] password in
                self?.connect(ssid, password.isEmpty ? nil : password, isHidden: isHidden)
            })
    }

    private func connect(_ ssid: [UInt8], _ passphrase: String?, isHidden: Bool) {
        let name = WiFiNetwork.name(of: ssid)
        context.change(
            .wifi(.connect(ssid: ssid, passphrase: passphrase, isHidden: isHidden)), title: "Joining \(name)",
            done: "Connected to \(name)"
        ) { [weak self] in
            self?.look(rescan: false)
        } failed: { [weak self] sentence in
            guard let self else { return }
            self.look(rescan: false)
            self.context.host?.push(
                QuestionScreen(
                    context: self.context, title: "Not connected", sentence: Phrase.sentence(sentence),
                    yes: "Another password", no: "Leave it"
                ) { [weak self] in self?.askPassword(ssid, isHidden: isHidden) })
        }
    }

    private func forget() {
        guard case .network(let network)? = chosen, network.isSaved else { return }
        context.host?.push(
            QuestionScreen(
                context: context, title: "Forget \(network.name)?",
                sentence: "Its password has to be typed again for the next time.", yes: "Forget", no: "Keep"
            ) { [weak self] in
                self?.context.change(
                    .wifi(.forget(ssid: network.ssid)), title: "Forgetting \(network.name)",
                    done: "\(network.name) is forgotten"
                ) { self?.look(rescan: false) }
            })
    }

    override func handle(_ event: Event) -> Bool {
        switch event {
        case .command(.back, false), .command(.menu, false): context.host?.pop()
        case .command(.extra, false): forget()
        case .command(.search, false):
            context.host?.toast("Looking for networks")
            look(rescan: true)
        default: return list.handle(event)
        }
        return true
    }

    // MARK: Painting

    override func layout() {
        list.rowHeight = theme(72)
        let top = theme(58)
        list.frame = Rect(
            content.x - theme(14), content.y + top, content.width + theme(28), content.height - top)
    }

    private var headline: String {
        guard let facts else { return "Looking for networks" }
        if let problem = facts.problem { return Phrase.sentence(problem) }
        if let conflict = facts.conflict { return Phrase.sentence(conflict) }
        guard let active = facts.active else { return "Not connected" }
        if facts.state == .connecting { return "Joining \(active.name)" }
        return (["Connected to \(active.name)"] + facts.addresses.prefix(1)).joined(separator: ", ")
    }

    override func draw(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        canvas.text(
            "Wi-Fi", in: Rect(safe.x, safe.y, safe.width * 0.6, theme(42)), style: theme.heading, color: Theme.text)
        let warns = facts?.problem != nil || facts?.conflict != nil
        canvas.paragraph(
            headline, in: Rect(content.x, content.y, content.width, theme(54)), style: theme.label,
            color: warns ? Theme.warning : Theme.quiet)
    }

    private func drawRow(_ canvas: inout Canvas, _ index: Int, _ rect: Rect, _ nearness: Double) {
        guard rows.indices.contains(index) else { return }
        let box = rect.inset(by: Insets(top: theme(4), bottom: theme(4)))
        canvas.fill(box, Theme.panel, radius: theme(16))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: Theme.brand.mixed(with: .white, 0.06).faded(nearness),
                to: Theme.brand.faded(0.72 * nearness), vertical: false, radius: theme(16))
        }
        let inner = box.inset(by: Insets(left: theme(22), right: theme(24)))
        let ink = Theme.text
        switch rows[index] {
        case .network(let network): draw(network, in: inner, &canvas)
        case .other: draw("plus", "Other network", "one that does not tell its name", ink, in: inner, &canvas)
        case .country(let code):
            draw("globe", "Country", code ?? "not set", code == nil ? Theme.warning : ink, in: inner, &canvas)
        case .radio(let isOn): draw("wifi", "Wi-Fi", isOn ? "on" : "off", ink.faded(isOn ? 1 : 0.4), in: inner, &canvas)
        }
    }

    private func draw(
        _ icon: String, _ title: String, _ value: String, _ tint: Color, in box: Rect, _ canvas: inout Canvas
    ) {
        let side = theme(28)
        canvas.image(.icon(icon), in: Rect(box.x, box.midY - side / 2, side, side), tint: tint)
        canvas.text(
            title, in: Rect(box.x + theme(54), box.y, box.width * 0.5, box.height), style: theme.body,
            color: Theme.text)
        canvas.text(value, in: box, style: theme.label, color: Theme.quiet, align: .right)
    }

    private func draw(_ network: WiFiNetwork, in box: Rect, _ canvas: inout Canvas) {
        drawSignal(network.signal, in: Rect(box.x, box.midY - theme(14), theme(28), theme(28)), &canvas)
        var right = box.maxX
        let words =
            network.isActive
            ? "connected" : network.signal == nil ? "saved, not in reach" : network.isSaved ? "saved" : ""
        if !network.security.isOpen {
            let side = theme(20)
            canvas.image(
                .icon("lock"), in: Rect(right - side, box.midY - side / 2, side, side), tint: Theme.text.faded(0.6))
            right -= side + theme(14)
        }
        if !words.isEmpty {
            let width = canvas.measurer.width(of: words, style: theme.label)
            canvas.text(
                words, in: Rect(right - width - 1, box.y, width + 2, box.height), style: theme.label,
                color: Theme.quiet)
            right -= width + theme(16)
        }
        let left = box.x + theme(54)
        canvas.text(
            network.name, in: Rect(left, box.y, max(0, right - left), box.height), style: theme.row,
            color: network.signal == nil ? Theme.quiet : Theme.text)
    }

    /// Four bars, of which as many are bright as the signal has quarters.
    private func drawSignal(_ signal: Int?, in box: Rect, _ canvas: inout Canvas) {
        let bars = 4
        let gap = theme(3)
        let width = (box.width - gap * Double(bars - 1)) / Double(bars)
        for index in 0..<bars {
            let height = box.height * Double(index + 1) / Double(bars)
            let isLit = signal.map { $0 > index * 25 || index == 0 && $0 > 0 } ?? false
            canvas.fill(
                Rect(box.x + Double(index) * (width + gap), box.maxY - height, width, height),
                Theme.text.faded(isLit ? 0.95 : 0.2), radius: theme(2))
        }
    }
}

/// The countries whose rules the radio can follow.
final class CountryPanel: ChoiceScreen {
    private let inquiry: Inquiry

    init(context: MenuContext, chosen: String?) {
        inquiry = Inquiry(courier: context.courier)
        super.init(
            context: context, title: "Country", subtitle: "Which channels may be used depends on it", rows: [])
        let machine = context.machine.machine
        inquiry.ask({ { _ in WiFiCountry.all(machine) } }) { [weak self] countries in
            guard let self else { return }
            self.replace(
                countries.map { country in
                    Row(label: country.name, value: country.code, isChecked: country.code == chosen) { [weak self] in
                        self?.take(country)
                    }
                })
            if let index = countries.firstIndex(where: { $0.code == chosen }) { self.select(index) }
        }
    }

    private func take(_ country: WiFiCountry) {
        let context = context
        context.host?.remove(self)
        context.change(
            .wifi(.country(country.code)), title: "Setting the country",
            done: "Wi-Fi follows the rules of \(country.name)")
    }
}
