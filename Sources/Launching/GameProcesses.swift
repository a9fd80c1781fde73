internal import SystemKit

/// Which processes belong to a game: its first one and everything that descends from it, also what forked, left its
/// parent and made a session of its own.
struct GameProcesses {
    /// Servers that a program starts in passing and that stay for others; a game has not lasted because they do.
    private static let bystanders: Set<BytePath> = [
        "pulseaudio", "pipewire", "pipewire-pulse", "wireplumber", "dbus-daemon", "dbus-launch", "dbus-broker",
        "gvfsd", "gvfsd-fuse", "dconf-service", "at-spi-bus-laun", "at-spi2-registr", "gconfd-2", "xdg-desktop-por",
        "xdg-permission-", "xdg-document-po", "jackd", "fluidsynth", "ibus-daemon", "Xwayland",
    ]

    private let leader: Int32
    private let leaderStarted: UInt64
    private let session: Int32
    private let marker: BytePath
    private let group: ControlGroup?
    /// Everything ever seen of the game: number and start time.
    private var known: [Int32: UInt64] = [:]

    /// - Parameter marker: the `NAME=value` that only this game's processes have in their environment.
    init(leader: Int32, marker: BytePath, group: ControlGroup?) {
        self.leader = leader
        self.marker = marker
        self.group = group
        let entry = ProcessEntry(id: leader)
        leaderStarted = entry?.started ?? 0
        session = entry?.session ?? leader
        known[leader] = leaderStarted
    }

    /// Those that run now, without the first one once that has ended. Orphans that have ended are reaped on the way.
    ///
    /// A process that ended between the listing of `/proc` and the look at it may have forked one that is not in the
    /// list. It leaves a zombie for us, so nobody is left only when a look found none of those either.
    mutating func living() -> [ProcessEntry] {
        while true {
            let (living, reaped) = look()
            if !living.isEmpty || reaped + sweep() == 0 { return living }
        }
    }

    private mutating func look() -> (living: [ProcessEntry], reaped: Int) {
        let table = processTable()
        let own = currentProcessID
        var members: Set<Int32> = Set(group?.members() ?? [])
        for entry in table where !members.contains(entry.id) && entry.started >= leaderStarted {
            let isKnown = known[entry.id] == entry.started
            let isOfGroup = entry.group == leader
            // Whoever lost its parent is ours now and has the marker, unless it threw its environment away.
            if isKnown || isOfGroup || entry.parent == own && processHasEnvironment(entry.id, entry: marker) {
                members.insert(entry.id)
            }
        }
        var children: [Int32: [Int32]] = [:]
        for entry in table { children[entry.parent, default: []].append(entry.id) }
        var queue = Array(members)
        while let parent = queue.popLast() {
            for child in children[parent] ?? [] where members.insert(child).inserted { queue.append(child) }
        }
        members.remove(own)

        var living: [ProcessEntry] = []
        var reaped = 0
        for entry in table where members.contains(entry.id) {
            known[entry.id] = entry.started
            if entry.isZombie {
                if entry.parent == own, entry.id != leader, reapOrphan(entry.id) { reaped += 1 }
            } else if entry.session == session || !Self.bystanders.contains(entry.name) {
                living.append(entry)
            }
        }
        return (living, reaped)
    }

    /// Reaps what left every trace behind and ended between two looks: children of ours that ended, started after the
    /// game, are in a session that is not ours and were not started by us.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func sweep() -> Int {
        let own = currentProcessID
        let ownSession = currentSessionID
        var reaped = 0
        for entry in processTable()
        where entry.isZombie && entry.parent == own && entry.id != leader && entry.started >= leaderStarted
            && entry.session != ownSession && !ChildProcess.isKnown(entry.id)
        {
            if reapOrphan(entry.id) { reaped += 1 }
        }
        return reaped
    }

    /// Kills everything at once where a cgroup can do it.
    func killGroup() { group?.kill() }
}
