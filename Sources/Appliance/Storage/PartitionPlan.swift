/// How far a partition can grow where it is: into the gap right behind it, and nowhere else.
struct PartitionPlan: Sendable, Equatable {
    /// What gains less than this is as large as it can be.
    static let leastGainBytes: Int64 = 1 << 20

    /// The table as it is.
    let table: PartitionTable
    /// The partition's number.
    let number: Int
    /// Sectors that it will have; those that it has where nothing is to be gained.
    let size: Int64
    /// The extended partition that must grow first, and its new sectors.
    let extended: (number: Int, size: Int64)?
    /// Whether GPT's backup header must move to the disk's end first.
    let movesBackup: Bool
    /// The partition that is in the way of free space further behind, and the sectors of that.
    let blocked: (number: Int, sectors: Int64)?

    /// Bytes to gain.
    var gainBytes: Int64 { (size - (table.entry(number)?.size ?? size)) * table.sectorBytes }
    /// Whether the table must be written.
    var isNeeded: Bool { gainBytes > 0 }

    /// The table as it must be afterwards, but for the place of GPT's backup.
    var result: PartitionTable {
        var sizes = [number: size]
        if let extended { sizes[extended.number] = extended.size }
        return table.resized(sizes)
    }

    static func == (left: PartitionPlan, right: PartitionPlan) -> Bool {
        left.table == right.table && left.number == right.number && left.size == right.size
            && left.extended?.number == right.extended?.number && left.extended?.size == right.extended?.size
            && left.movesBackup == right.movesBackup
    }

    /// - Throws: `ApplianceError.refused` where the table is not sound.
    init(_ table: PartitionTable, number: Int) throws(ApplianceError) {
        guard let own = table.entry(number) else {
            throw .refused("partition \(number) is not in the disk's table; restart the machine and try again")
        }
        try PartitionPlan.checkSoundness(table)
        self.table = table
        self.number = number
        let plan =
            switch own.role {
            case .logical: PartitionPlan.room(forLogical: own, in: table)
            case .primary, .extended: PartitionPlan.room(forPrimary: own, in: table)
            }
        let isWorthIt = (plan.end - own.end) * table.sectorBytes >= PartitionPlan.leastGainBytes
        size = isWorthIt ? plan.end - own.start : own.size
        extended = isWorthIt ? plan.extended : nil
        movesBackup = isWorthIt && table.gpt.map { !$0.isComplete } == true
        blocked = isWorthIt ? nil : PartitionPlan.blockade(of: own, in: table)
    }

    /// The first sector behind which nothing may lie, once GPT's backup is at the end.
    private static func limit(of table: PartitionTable) -> Int64 {
        guard let gpt = table.gpt, !gpt.isComplete else { return table.limit }
        return max(table.limit, gpt.lastSector - gpt.primary.entriesSectors(table.sectorBytes))
    }

    private static func room(
        forPrimary own: PartitionTable.Entry, in table: PartitionTable
    ) -> (end: Int64, extended: (number: Int, size: Int64)?) {
        let others = table.entries.filter { $0.number != own.number && !$0.isLogical }
        let end = others.map(\.start).filter { $0 >= own.end }.min() ?? limit(of: table)
        return (max(end, own.end), nil)
    }

    private static func room(
        forLogical own: PartitionTable.Entry, in table: PartitionTable
    ) -> (end: Int64, extended: (number: Int, size: Int64)?) {
        var obstacles: [Int64] = []
        for entry in table.entries {
            guard case .logical(let record) = entry.role, entry.number != own.number else { continue }
            // The record of the next one lies before it, in the gap.
            obstacles += [record, entry.start].filter { $0 >= own.end }
        }
        guard let container = table.entries.first(where: { $0.role == .extended }) else { return (own.end, nil) }
        if let next = obstacles.min() { return (max(next, own.end), nil) }
        let outer = room(forPrimary: container, in: table).end
        guard (outer - container.end) * table.sectorBytes >= leastGainBytes else {
            return (max(container.end, own.end), nil)
        }
        return (outer, (container.number, outer - container.start))
    }

    /// The partition right behind, where there is room behind that.
    private static func blockade(
        of own: PartitionTable.Entry, in table: PartitionTable
    ) -> (number: Int, sectors: Int64)? {
        let others = table.entries.filter { $0.number != own.number && $0.role != .extended && $0.start >= own.end }
        guard let next = others.min(by: { $0.start < $1.start }) else { return nil }
        var free: Int64 = 0
        var position = own.end
        for entry in others.sorted(by: { $0.start < $1.start }) {
            free = max(free, entry.start - position)
            position = max(position, entry.end)
        }
        free = max(free, limit(of: table) - position)
        return free * table.sectorBytes >= leastGainBytes * 2 ? (next.number, free) : nil
    }

    private static func checkSoundness(_ table: PartitionTable) throws(ApplianceError) {
        for entry in table.entries where entry.end > table.sectors {
            throw .refused(
                "partition \(entry.number) ends behind the end of the disk: the image on it was cut short, or not "
                    + "written to the end; write it again")
        }
        let container = table.entries.first { $0.role == .extended }
        let outer = table.entries.filter { !$0.isLogical }.sorted { $0.start < $1.start }
        let inner = table.entries.filter(\.isLogical).sorted { $0.start < $1.start }
        for list in [outer, inner] {
            for (one, next) in zip(list, list.dropFirst()) where one.end > next.start {
                throw .refused(
                    "partitions \(one.number) and \(next.number) overlap by the disk's table; it is left as it is")
            }
        }
        for entry in inner where entry.start < container?.start ?? 0 || entry.end > container?.end ?? 0 {
            throw .refused(
                "partition \(entry.number) is not within the extended one by the disk's table; it is left as it is")
        }
    }
}

extension PartitionTable.Entry {
    var isLogical: Bool {
        if case .logical = role { true } else { false }
    }
}
