public import Catalog
public import Controllers
public import Launching
import SystemKit

/// What reaches the menu's thread from elsewhere.
public enum MenuMessage: Sendable {
    /// The catalog is different from before.
    case catalog(CatalogChange)
    /// A pad or a keyboard said something.
    case controller(ControllerEvent)
    /// The answer to a request of ours.
    case reply(id: Int, value: any Sendable)
    /// The request failed, as a sentence.
    case failure(id: Int, sentence: String)
    /// The game that ran is over.
    case gameEnded(LaunchOutcome)
    /// The process was asked to end.
    case quit
}

/// Sends requests to the catalog and brings the answers back to the menu's thread.
///
/// Not `Sendable`: the continuations touch views, and stay on the thread that drains the mailbox.
final class Courier {
    let store: CatalogStore
    let mailbox: Mailbox<MenuMessage>
    private var continuations: [Int: (MenuMessage) -> Void] = [:]
    private var last = 0

    init(store: CatalogStore, mailbox: Mailbox<MenuMessage>) {
        self.store = store
        self.mailbox = mailbox
    }

    /// Whether answers are still on their way.
    var isWaiting: Bool { !continuations.isEmpty }

    /// Runs `work` elsewhere, then one of the continuations here.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (CatalogStore) async throws -> Value, then: @escaping (Value) -> Void,
        failed: ((String) -> Void)? = nil
    ) {
        last += 1
        let id = last
        continuations[id] = { message in
            switch message {
            case .reply(_, let value):
                if let value = value as? Value { then(value) }
            case .failure(_, let sentence): failed?(sentence)
            default: break
            }
        }
        let store = store
        let mailbox = mailbox
        Task {
            do {
                mailbox.post(.reply(id: id, value: try await work(store)))
            } catch {
                mailbox.post(.failure(id: id, sentence: "\(error)"))
            }
        }
    }

    /// Hands an answer to whoever waits for it.
    func deliver(_ message: MenuMessage) {
        switch message {
        case .reply(let id, _), .failure(let id, _): continuations.removeValue(forKey: id)?(message)
        default: break
        }
    }
}
