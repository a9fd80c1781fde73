import SystemKit

/// What a scan has seen and not yet written.
struct ScanQueue {
    struct Item {
        var entries: Int
        var look: DirectoryLook?
        var write: () throws(CatalogError) -> Void
    }

    private static let mostEntries = 1000
    private static let mostLooks = 64
    private static let longestSeconds = 0.1

    private(set) var items: [Item] = []
    private var entries = 0
    private var began = MonotonicInstant.now
    private var idle: [DirectoryLook] = []
    private var looks = 0

    /// Whether it is time to write.
    var isDue: Bool {
        !items.isEmpty
            && (entries >= ScanQueue.mostEntries || looks >= ScanQueue.mostLooks
                || MonotonicInstant.now.seconds(since: began) > ScanQueue.longestSeconds)
    }

    mutating func add(_ item: Item) {
        if items.isEmpty { began = .now }
        items.append(item)
        entries += item.entries
        if item.look != nil { looks += 1 }
    }

    mutating func take() -> [Item] {
        defer {
            items = []
            entries = 0
            looks = 0
        }
        return items
    }

    mutating func newLook(_ pulse: Pulse) -> DirectoryLook { idle.popLast() ?? DirectoryLook(pulse: pulse) }

    mutating func giveBack(_ look: DirectoryLook) {
        // One of a folder of a hundred thousand names is large.
        if look.count < ScanQueue.mostEntries, idle.count < ScanQueue.mostLooks { idle.append(look) }
    }
}
