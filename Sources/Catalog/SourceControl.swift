import Synchronization
import SystemKit

/// What the watcher and the thread that follows one source tell each other.
final class SourceControl: Sendable {
    struct Orders {
        var target: ScanTarget
        /// Whether paths may lead to other folders than before.
        var mustForget = false
        var mustScan = false
        var isOver = false
    }

    let source: Int64
    let pulse = Pulse()
    let bell: Wake
    private let orders: Mutex<Orders>

    init(_ target: ScanTarget) throws(SystemError) {
        source = target.source
        bell = try Wake()
        orders = Mutex(Orders(target: target, mustScan: true))
    }

    var target: ScanTarget { orders.withLock { $0.target } }
    var isOver: Bool { orders.withLock { $0.isOver } }

    func give(_ change: (inout sending Orders) -> Void) {
        orders.withLock { change(&$0) }
        bell.ring()
    }

    /// Takes what is to be done; the target and the end stay.
    func take() -> Orders {
        orders.withLock { orders in
            defer {
                orders.mustForget = false
                orders.mustScan = false
            }
            return orders
        }
    }
}
