internal import EvdevKit
internal import SystemKit

/// Nodes that cannot be opened: tried again for a while, then told, then tried again when their mode changes.
extension MonitorLoop {
    func refuse(_ node: InputNode, attempt: Int, _ error: SystemError) {
        log.write(.debug, "\(node.node) cannot be used: \(error)")
        guard attempt >= NodeRefusal.attempts else {
            refused[node.systemPath] = NodeRefusal(
                node: node, attempt: attempt + 1, due: .now.advanced(bySeconds: 0.1 * Double(1 << attempt)))
            return
        }
        guard !error.isGone, isMissed(node) else { return forgetRefusal(node.systemPath) }
        let wasTold = refused[node.systemPath]?.wasTold == true || told.contains(node.node)
        refused[node.systemPath] = NodeRefusal(node: node, attempt: attempt, due: nil)
        guard !wasTold else { return }
        told.insert(node.node)
        watchMode(of: node.node)
        let reason = NodeRefusal.sentence(node: node.node, error)
        log.write(.warning, reason)
        deliver(.problem(node: node.node, reason: reason))
    }

    /// Whether a person waits for it to work: for a candidate nobody does.
    private func isMissed(_ node: InputNode) -> Bool {
        guard let capabilities = node.capabilities else { return true }
        switch PadJudge.role(capabilities) {
        case .pad: return settings.scope != .keyboards
        case .keyboard: return settings.scope != .pads || judge.mayBeWanted(node)
        case .candidate, .nothing: return judge.mayBeWanted(node)
        }
    }

    /// The node works, or is gone.
    func forgetRefusal(_ path: BytePath) {
        guard let refusal = refused.removeValue(forKey: path), told.remove(refusal.node.node) != nil else { return }
        if told.isEmpty { modes = nil }
        deliver(.solved(node: refusal.node.node))
    }

    func secondsToNextTry() -> Double? {
        guard let due = refused.values.compactMap(\.due).min() else { return nil }
        return max(0, due.seconds(since: .now))
    }

    func retryRefused() {
        guard !refused.isEmpty else { return }
        let now = MonotonicInstant.now
        let due = refused.values.filter { $0.due.map { $0 <= now } ?? false }
        welcome(due.compactMap { open($0.node, attempt: $0.attempt) })
    }

    /// Only who may read a file may watch it; its folder tells of its mode too.
    private func watchMode(of node: BytePath) {
        do throws(SystemError) {
            if modes == nil { modes = try FileWatch() }
            _ = try modes?.add(node.parent, [.attributes])
        } catch {
            log.write(.debug, "changes of \(node)'s mode will not be seen: \(error)")
        }
    }

    /// Tries the nodes with a problem again.
    func retryTold(_ modes: FileWatch) {
        let names = Set(modes.events().map(\.name))
        let nodes = refused.values.filter { $0.wasTold && names.contains($0.node.node.name) }
        welcome(nodes.compactMap { open($0.node, attempt: $0.attempt) })
    }
}
