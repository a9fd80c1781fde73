import Controllers
import Interface
import SystemKit

/// What can be done with one controller. It goes away with the controller.
class PadPanel: ChoiceScreen {
    let padID: Int

    init(context: MenuContext, pad: PadInfo, title: String, subtitle: String) {
        padID = pad.id
        super.init(context: context, title: title, subtitle: subtitle, rows: [])
        fill()
    }

    /// The pad as it is now; `nil` when it is gone.
    var pad: PadInfo? { context.controllers.pads[padID] }

    func rows(for pad: PadInfo) -> [Row] { [] }

    func fill() {
        if let pad { replace(rows(for: pad)) }
    }

    override func controllersChanged() {
        if pad == nil { context.host?.remove(self) } else { fill() }
    }
}

/// The panel behind a controller's row.
final class PadMenu: PadPanel {
    /// Whether a new set-up is for this controller only.
    private var onlyThisUnit = false

    init(context: MenuContext, pad: PadInfo) {
        super.init(
            context: context, pad: pad, title: pad.name.trimmedBlanks, subtitle: Phrase.origin(pad))
    }

    override func rows(for pad: PadInfo) -> [Row] {
        subtitle = Phrase.origin(pad)
        var rows = [
            Row(label: pad.source == .none ? "Set up" : "Set up anew") { [weak self] in self?.setUp() }
        ]
        if pad.facts.profileUnit != nil {
            rows.append(
                Row(label: "A set-up is for", value: onlyThisUnit ? "this one only" : "all of its kind") {
                    [weak self] in
                    self?.onlyThisUnit.toggle()
                    self?.fill()
                })
        }
        rows.append(Row(label: "Test") { [weak self] in self?.test() })
        rows.append(
            Row(label: "Player", value: pad.player > 0 ? "\(pad.player)" : "none") { [weak self] in
                guard let self, let pad = self.pad else { return }
                self.context.host?.push(PlayerPanel(context: self.context, pad: pad))
            })
        if pad.source == .user {
            rows.append(Row(label: "Forget my set-up") { [weak self] in self?.forget() })
        }
        return rows
    }

    private func setUp() {
        guard let pad else { return }
        context.host?.push(
            MappingScreen(context: context, pad: pad, purpose: .setUp(onlyThisUnit: onlyThisUnit), now: .now))
    }

    private func test() {
        guard let pad else { return }
        context.host?.push(MappingScreen(context: context, pad: pad, purpose: .test, now: .now))
    }

    private func forget() {
        guard let pad else { return }
        let desk = context.controllers.desk
        let forget = desk.forget
        context.courier.change({ _ in try forget(pad.facts) }) { [weak self] wasThere in
            desk.refresh()
            self?.context.host?.toast(wasThere ? "Your set-up is forgotten" : "There was no set-up of yours")
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }
}

/// Whose controller it is.
final class PlayerPanel: PadPanel {
    /// As many as any emulator has.
    private static let most = 8

    init(context: MenuContext, pad: PadInfo) {
        super.init(context: context, pad: pad, title: "Player", subtitle: pad.name.trimmedBlanks)
    }

    override func rows(for pad: PadInfo) -> [Row] {
        let others = context.controllers.pads.values.filter { $0.id != pad.id }
        return (1...PlayerPanel.most).map { player in
            let owner = others.first { $0.player == player }?.name.trimmedBlanks ?? ""
            return Row(label: "Player \(player)", value: owner, isChecked: pad.player == player) { [weak self] in
                guard let self else { return }
                self.context.controllers.desk.assign(self.padID, player)
                self.context.host?.remove(self)
            }
        }
    }
}
