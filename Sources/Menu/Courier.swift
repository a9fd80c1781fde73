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
    /// How far a request of ours is, as a sentence.
    case progress(id: Int, sentence: String)
    /// Something that the person should know, as a sentence.
    case notice(String)
    /// The process was asked to end.
    case quit
}

/// Sends requests to the catalog and brings the answers back to the menu's thread.
///
/// Not `Sendable`: the continuations touch views, and stay on the thread that drains the mailbox.
final class Courier {
    let store: CatalogStore
    let mailbox: Mailbox<MenuMessage>
    private let threads: TaskThreads
    private var continuations: [Int: (MenuMessage) -> Void] = [:]
    private var changes: Set<Int> = []
    private var last = 0

    init(store: CatalogStore, mailbox: Mailbox<MenuMessage>, threads: TaskThreads) {
        self.store = store
        self.mailbox = mailbox
        self.threads = threads
    }

    /// Whether answers are still on their way.
    var isWaiting: Bool { !continuations.isEmpty }

    /// Whether something that the person did is not stored yet.
    var isStoring: Bool { !changes.isEmpty }

    /// As `perform`, for what must be finished before the program may end.
    func change<Value: Sendable>(
        _ work: @escaping @Sendable (CatalogStore) async throws -> Value, then: @escaping (Value) -> Void = { _ in },
        failed: ((String) -> Void)? = nil
    ) {
        perform(work, then: then, failed: failed)
        changes.insert(last)
    }

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
        let threads = threads
        threads.start {
            do {
                mailbox.post(.reply(id: id, value: try await work(store)))
            } catch {
                mailbox.post(.failure(id: id, sentence: "\(error)"))
            }
        }
    }

    /// As `change`, for work that keeps a thread waiting for long, such as a change of the machine.
    ///
    /// - Parameters:
    ///   - work: gets a closure that tells how far it is: a sentence.
    ///   - progress: hears those sentences, here.
    func work<Value: Sendable>(
        _ work: @escaping @Sendable (_ tell: (String) -> Void) throws -> Value,
        progress: @escaping (String) -> Void = { _ in }, then: @escaping (Value) -> Void,
        failed: @escaping (String) -> Void
    ) {
        last += 1
        let id = last
        changes.insert(id)
        continuations[id] = { message in
            switch message {
            case .progress(_, let sentence): progress(sentence)
            case .reply(_, let value):
                if let value = value as? Value { then(value) }
            case .failure(_, let sentence): failed(sentence)
            default: break
            }
        }
        let mailbox = mailbox
        startThread(name: "machine") {
            do {
                let value = try work { mailbox.post(.progress(id: id, sentence: $0)) }
                mailbox.post(.reply(id: id, value: value))
            } catch {
                mailbox.post(.failure(id: id, sentence: "\(error)"))
            }
        }
    }

    /// Hands an answer to whoever waits for it.
    func deliver(_ message: MenuMessage) {
        switch message {
        case .progress(let id, _): continuations[id]?(message)
        case .reply(let id, _), .failure(let id, _):
            changes.remove(id)
            continuations.removeValue(forKey: id)?(message)
        default: break
        }
    }
}

/// Asks one question at a time: asked again while an answer is on its way, it asks once more when that is here.
///
/// However fast the catalog changes or a person scrolls, requests do not pile up, and answers do arrive.
final class Inquiry {
    private let courier: Courier
    private var isWaiting = false
    private var next: (() -> Void)?

    init(courier: Courier) { self.courier = courier }

    /// Asks now or after the answer that is on its way, in place of what was going to be asked then.
    ///
    /// - Parameter question: makes the request at the moment it is sent, from what is true then.
    func ask<Answer: Sendable>(
        _ question: @escaping () -> @Sendable (CatalogStore) async throws -> Answer,
        then: @escaping (Answer) -> Void, failed: ((String) -> Void)? = nil
    ) {
        if isWaiting {
            next = { [weak self] in self?.ask(question, then: then, failed: failed) }
            return
        }
        isWaiting = true
        courier.perform(question()) { [weak self] answer in
            then(answer)
            self?.proceed()
        } failed: { [weak self] sentence in
            failed?(sentence)
            self?.proceed()
        }
    }

    private func proceed() {
        isWaiting = false
        let next = next
        self.next = nil
        next?()
    }
}
