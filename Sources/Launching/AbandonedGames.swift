public import SystemKit

/// Ends games that a menu left behind when it was killed.
///
/// Nobody hears any more that such a game shall be left, and it may hold the screen. Each gets its polite request and
/// its time for saves, as when a person leaves it.
/// - Returns: how many processes there were.
@discardableResult
public func endAbandonedGames(log: Log) -> Int {
    let table = processTable()
    let started = Dictionary(table.map { ($0.id, $0.started) }, uniquingKeysWith: { first, _ in first })
    var abandoned: [ProcessHandle] = []
    for entry in table where !entry.isZombie && entry.id != currentProcessID {
        guard let marker = processEnvironmentValue(entry.id, name: GameSession.marker),
            let owner = Int32(String(decoding: marker.bytes.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)),
            let handle = ProcessHandle(entry.id)
        else { continue }
        // A process of that number that is younger than the game is another one.
        if let ownerStarted = started[owner], ownerStarted <= entry.started { continue }
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
