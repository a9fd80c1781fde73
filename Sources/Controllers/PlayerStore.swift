internal import FoundationEssentials
internal import Synchronization
public import SystemKit

/// The players of the pads, and the file in which they outlive the session; for all threads.
public final class PlayerStore: Sendable {
    private struct State: Sendable {
        var slots: PlayerSlots
        var isChanged = false
        var isWriting = false
        var waiting = 0
    }

    private let state: Mutex<State>
    private let file: BytePath?
    private let log: Log
    private let written = Semaphore()

    /// Reads the file.
    ///
    /// - Parameter file: `PlayerStore.file(below:)`; `nil` keeps nothing. One that is not there or damaged is no error:
    ///   the pads are then new.
    public init(file: BytePath? = nil, log: Log = Log(minimum: .warning)) {
        self.file = file
        self.log = log
        state = Mutex(State(slots: PlayerStore.read(file, log)))
    }

    /// Where the players are kept, below the folder for state.
    public static func file(below state: BytePath) -> BytePath {
        state.appending("controllers").appending("players.json")
    }

    /// The players as they are now.
    public var slots: PlayerSlots { state.withLock { $0.slots } }

    private static func read(_ file: BytePath?, _ log: Log) -> PlayerSlots {
        guard let file else { return PlayerSlots() }
        guard fileExists(file) else { return PlayerSlots() }
        do {
            let bytes = try readRegularFile(file, limit: 1 << 20)
            return try JSONDecoder().decode(PlayerSlots.self, from: Data(decodableJSON(bytes)))
        } catch {
            log.write(.warning, "\(file) cannot be used, the players are given anew: \(error)")
            return PlayerSlots()
        }
    }

    /// Looks at the players.
    func look<Result: Sendable>(_ body: (PlayerSlots) -> Result) -> Result { state.withLock { body($0.slots) } }

    /// Changes the players. The file follows on a thread of its own, because a card may take a second for it and
    /// buttons must not wait.
    package func change(_ body: (inout PlayerSlots) -> Void) {
        let starts = state.withLock { state in
            let before = state.slots
            body(&state.slots)
            guard file != nil, !state.slots.isSaved(in: before) else { return false }
            state.isChanged = true
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard starts else { return }
        let code = startThread(name: "players") { [self] in writeAll() }
        if code != 0 { writeAll() }
    }

    /// Waits until the file says what is so now.
    package func flush() {
        let waits = state.withLock { state in
            if state.isWriting { state.waiting += 1 }
            return state.isWriting
        }
        if waits { written.wait() }
    }

    private func writeAll() {
        while let slots = nextToWrite() { write(slots) }
    }

    private func nextToWrite() -> PlayerSlots? {
        let (slots, waiting) = state.withLock { state -> (PlayerSlots?, Int) in
            if state.isChanged {
                state.isChanged = false
                return (state.slots, 0)
            }
            state.isWriting = false
            defer { state.waiting = 0 }
            return (nil, state.waiting)
        }
        for _ in 0..<waiting { written.signal() }
        return slots
    }

    private func write(_ slots: PlayerSlots) {
        guard let file else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try createDirectories(file.parent)
            try replaceFile(at: file, with: Array(try encoder.encode(slots)) + [0x0A])
        } catch {
            log.write(.warning, "the players of the controllers cannot be stored: \(error)")
        }
    }
}
