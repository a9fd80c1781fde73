/// Values by key within a number of bytes; those that were not used for longest go first.
///
/// What was used since the last `beginFrame` stays even when the budget is exceeded: throwing away what is on the
/// screen would make it again in every frame.
struct BudgetCache<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var bytes: Int
        var used: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 1
    private var frameStart: UInt64 = 1
    private(set) var bytes = 0
    let budget: Int

    init(budget: Int) { self.budget = budget }

    var count: Int { entries.count }
    var keys: some Collection<Key> { entries.keys }

    mutating func beginFrame() { frameStart = clock }

    mutating func value(_ key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[index].used = clock
        return entries.values[index].value
    }

    mutating func insert(_ value: Value, bytes size: Int, for key: Key) {
        remove(key)
        clock += 1
        entries[key] = Entry(value: value, bytes: size, used: clock)
        bytes += size
        if bytes > budget { evict() }
    }

    mutating func remove(_ key: Key) {
        if let old = entries.removeValue(forKey: key) { bytes -= old.bytes }
    }

    mutating func removeAll() {
        entries.removeAll()
        bytes = 0
    }

    /// Throws away all that is not on the screen.
    mutating func dropUnused() {
        for (key, entry) in entries where entry.used < frameStart { remove(key) }
    }

    private mutating func evict() {
        // Down to three quarters at once, so that a full cache is not sorted for every new entry.
        let goal = budget / 4 * 3
        let oldest = entries.filter { $0.value.used < frameStart }.sorted { $0.value.used < $1.value.used }
        for (key, entry) in oldest {
            if bytes <= goal { return }
            bytes -= entry.bytes
            entries.removeValue(forKey: key)
        }
    }
}
