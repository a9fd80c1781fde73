public import SystemKit

/// Ends games that a menu left behind when it was killed.
///
/// Nobody hears any more that such a game shall be left, and it may hold the screen. Each gets its polite request and
/// its time for saves, as when a person leaves it.
/// - Returns: how many processes there were.
@discardableResult
public func endAbandonedGames(log: Log) -> Int {
    var abandoned: [ProcessHandle] = []
    for entry in abandonedGames() {
        guard let handle = ProcessHandle(entry.id) else { continue }
        log.write(.warning, "ending \(entry.name) (\(entry.id)), left behind by a menu that was killed")
        handle.signal(ProcessSignal.terminate)
        abandoned.append(handle)
    }
    let deadline = MonotonicInstant.now.advanced(bySeconds: Supervisor.patience)
    var left = abandoned
    while !left.isEmpty {
        let time = deadline.seconds(since: .now)
        if time <= 0 { break }
        let ended = Set(waitReadable(left.map(\.pidDescriptor), seconds: time))
        left.removeAll { ended.contains($0.pidDescriptor) }
    }
    for handle in left { handle.signal(ProcessSignal.kill) }
    return abandoned.count
}

/// The processes of games that a menu left behind when it was killed, as far as this user may look at them.
public func abandonedGames() -> [ProcessEntry] {
    let table = processTable()
    let started = Dictionary(table.map { ($0.id, $0.started) }, uniquingKeysWith: { first, _ in first })
    return table.filter { entry in
        guard !entry.isZombie, entry.id != currentProcessID,
            let marker = processEnvironmentValue(entry.id, name: GameSession.marker),
            let owner = Int32(String(decoding: marker.bytes.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self))
        else { return false }
        // A process of that number that is younger than the game is another one.
        guard let ownerStarted = started[owner] else { return true }
        return ownerStarted > entry.started
    }
}
