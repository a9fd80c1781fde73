import Appliance
import Interface
import SystemKit

/// Language, time zone and keyboard.
final class PlacePanel: ChoiceScreen {
    private let inquiry: Inquiry

    private struct Answer: Sendable {
        let place: PlaceFacts
        let isClockTold: Bool
    }

    init(context: MenuContext) {
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Place", rows: [])
    }

    override func appear() { look() }

    private func look() {
        let machine = context.machine.machine
        inquiry.ask({ { _ in Answer(place: PlaceFacts.read(machine), isClockTold: ClockFacts.isTold(machine)) } }) {
            [weak self] answer in
            self?.fill(answer)
        }
    }

    private func fill(_ answer: Answer) {
        let place = answer.place
        subtitle = answer.isClockTold ? "" : "The clock is not set yet"
        let keyboard = [place.keyboardLayout, place.keyboardVariant].compactMap { $0 }.joined(separator: " ")
        replace([
            Row(label: "Language", value: place.locale ?? "") { [weak self] in
                self?.choose("Language", current: place.locale) { machine in
                    PlaceChoices.locales(machine).map { ($0.title, $0.name) }
                } change: {
                    .locale($0)
                }
            },
            Row(label: "Time zone", value: place.timeZone ?? "") { [weak self] in self?.chooseZone(place.timeZone) },
            Row(label: "Keyboard", value: keyboard) { [weak self] in
                self?.choose("Keyboard", current: place.keyboardLayout) { machine in
                    PlaceChoices.keyboards(machine).map { ($0.title, $0.layout) }
                } change: {
                    .keyboard(layout: $0, variant: nil)
                }
            },
        ])
    }

    /// Zones are hundreds: the continent first.
    private func chooseZone(_ current: String?) {
        let machine = context.machine.machine
        context.courier.perform({ _ in PlaceChoices.timeZones(machine) }) { [weak self] zones in
            guard let self, self.context.host?.top === self else { return }
            var areas: [String] = []
            for zone in zones {
                let area = zone.split(separator: "/").first.map(String.init) ?? zone
                if !areas.contains(area) { areas.append(area) }
            }
            let rows = areas.map { area in
                Row(label: area, isChecked: current?.hasPrefix(area + "/") ?? false || current == area) { [weak self] in
                    self?.openArea(area, zones.filter { $0 == area || $0.hasPrefix(area + "/") }, current)
                }
            }
            self.context.host?.push(ChoiceScreen(context: self.context, title: "Time zone", rows: rows))
        }
    }

    private func openArea(_ area: String, _ zones: [String], _ current: String?) {
        if zones == [area] { return take(.timeZone(area), area) }
        let rows = zones.map { zone in
            Row(
                label: zone.dropFirst(area.count + 1).split(separator: "_").joined(separator: " "),
                isChecked: zone == current
            ) { [weak self] in
                self?.context.host?.pop()
                self?.take(.timeZone(zone), zone)
            }
        }
        context.host?.push(ChoiceScreen(context: context, title: area, rows: rows))
    }

    private func choose(
        _ title: String, current: String?, list: @escaping @Sendable (Machine) -> [(String, String)],
        change: @escaping (String) -> PlaceChange
    ) {
        let machine = context.machine.machine
        context.courier.perform({ _ in list(machine) }) { [weak self] choices in
            guard let self, self.context.host?.top === self else { return }
            if choices.isEmpty { return self.context.host?.toast("The lists for this are not installed") ?? () }
            let rows = choices.map { choice in
                Row(label: choice.0, value: choice.1, isChecked: choice.1 == current) { [weak self] in
                    self?.take(change(choice.1), choice.0)
                }
            }
            self.context.host?.push(ChoiceScreen(context: self.context, title: title, rows: rows))
        }
    }

    private func take(_ change: PlaceChange, _ name: String) {
        context.host?.pop()
        context.change(.place(change), title: name, done: name) { [weak self] in self?.look() }
    }
}
