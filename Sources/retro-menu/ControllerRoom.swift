import Controllers
import Menu
import SystemKit
import Systems

/// The controllers of this process: who watches them, and what is known about them.
struct ControllerRoom {
    let monitor: PadMonitor
    /// What the menu may ask for.
    let desk: ControllerDesk

    init(root: DataRoot, log: Log, deliver: @escaping @Sendable (ControllerEvent) -> Void) {
        let knowledge = PadKnowledge(folder: PadKnowledge.folder(below: root.configuration), log: log)
        let players = PlayerStore(file: PlayerStore.file(below: root.state), log: log)
        let monitor = PadMonitor(knowledge: knowledge, players: players, deliver: deliver, log: log)
        var desk = ControllerDesk()
        desk.listen = { monitor.setListening(raw: $0) }
        desk.setGuessing = { monitor.setGuessing($0, $1) }
        desk.reload = { knowledge.reload() }
        desk.refresh = { monitor.refresh() }
        desk.assign = { monitor.assign($0, to: $1) }
        desk.save = { mapping, facts, family, onlyThisUnit in
            try knowledge.save(mapping, for: facts, family: family, onlyThisUnit: onlyThisUnit)
        }
        desk.keep = { mapping, facts, family in knowledge.keep(mapping, for: facts, family: family) }
        desk.forget = { try knowledge.forget($0) }
        self.monitor = monitor
        self.desk = desk
    }
}
