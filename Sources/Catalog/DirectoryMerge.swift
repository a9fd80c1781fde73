import SQLiteKit
import SystemKit
import Systems

/// Compares the entries of a directory, as a scan's look has them, with the rows of the catalog, and writes what differs.
struct DirectoryMerge {
    private typealias Known = ScanWriter.KnownGame
    private static let missing = CatalogSchema.State.missing
    private static let member = CatalogSchema.State.member

    let scanner: Scanner
    let directory: Int64
    let place: ScanPlace
    let system: Scanner.ScannedSystem
    private let look: DirectoryLook
    private let known: [ScanWriter.KnownGame]
    // For each entry of the look: the index in `known`, and the game's number.
    private var matched: [Int?] = []
    private var ids: [Int64] = []

    init(
        scanner: Scanner, directory: Int64, place: ScanPlace, system: Scanner.ScannedSystem, look: DirectoryLook,
        known: [ScanWriter.KnownGame]
    ) {
        self.look = look
        self.scanner = scanner
        self.directory = directory
        self.place = place
        self.system = system
        self.known = known
    }

    mutating func run(mayRemove: Bool) throws(CatalogError) {
        let gone = match()
        for index in gone { try lose(known[index], mayRemove: mayRemove) }
        let sheets = try noteSheets()
        let hiders = try scanner.write { writer throws(SQLiteError) in
            sheets.isAny || writer.hasMembers(directory) ? try writer.hiders(in: directory) : [:]
        }
        let standings = try standings(sheets.discs, hiders)
        try update(standings)
        try insert(standings)
    }

    /// Pairs entries with rows and gives numbers to new entries.
    ///
    /// - Returns: the rows without an entry.
    private mutating func match() -> [Int] {
        let count = look.games.count
        ids = Array(repeating: 0, count: count)
        matched = Array(repeating: nil, count: count)
        if known.isEmpty { return [] }
        let order = look.games.indices.sorted { precedes(look.name(look.games[$0]), look.name(look.games[$1])) }
        var gone: [Int] = []
        var next = order.makeIterator()
        var entry = next.next()
        for (index, row) in known.enumerated() {
            var isFound = false
            while let current = entry {
                let comparison = row.name.withUnsafeBufferPointer { compare(look.name(look.games[current]), $0) }
                if comparison > 0 { break }
                entry = next.next()
                if comparison == 0 {
                    matched[current] = index
                    ids[current] = row.id
                    isFound = true
                    break
                }
            }
            if !isFound { gone.append(index) }
        }
        return gone
    }

    private func lose(_ game: ScanWriter.KnownGame, mayRemove: Bool) throws(CatalogError) {
        if mayRemove {
            try scanner.write { writer throws(SQLiteError) in try writer.remove(game, system: system.id) }
            scanner.report.removed += 1
        } else if game.state & DirectoryMerge.missing == 0 {
            var lost = game
            lost.state |= DirectoryMerge.missing
            try scanner.write { writer throws(SQLiteError) in try writer.update(lost, from: game, system: system.id) }
        }
    }

    // MARK: - Sheets

    private struct Sheets {
        var isAny = false
        var discs: [Int: Int] = [:]
    }

    /// Notes what new and changed sheets name.
    private mutating func noteSheets() throws(CatalogError) -> Sheets {
        var sheets = Sheets()
        for (index, entry) in look.games.enumerated() where entry.role == .sheet {
            sheets.isAny = true
            guard !entry.isPending, !entry.isUnreachable, let kind = NameRules.sheet(look.name(entry)) else { continue }
            guard let sheet = look.sheets[index] else {
                if kind == .m3u, let row = matched[index] { sheets.discs[index] = known[row].discs }
                continue
            }
            let id = try number(index)
            if kind == .m3u { sheets.discs[index] = max(1, Set(sheet.members).count) }
            try scanner.write { writer throws(SQLiteError) in try writer.forgetSheet(id) }
            let hider = ScanWriter.Hider(sheet: id, isPlaylist: kind == .m3u)
            for member in sheet.members { try note(member, of: hider) }
        }
        return sheets
    }

    private mutating func number(_ index: Int) throws(CatalogError) -> Int64 {
        if ids[index] == 0 {
            ids[index] = try scanner.write { writer throws(SQLiteError) in
                try writer.begin()
                return writer.newGame()
            }
        }
        return ids[index]
    }

    private func note(_ member: [UInt8], of hider: ScanWriter.Hider) throws(CatalogError) {
        guard let slash = member.lastIndex(of: 0x2F) else {
            return try scanner.write { writer throws(SQLiteError) in
                try writer.addMember(hider, directory: directory, name: member.map(asciiLowercased))
            }
        }
        // Absolute paths mean nothing here; only the last part may.
        if member[0] == 0x2F { return try note(Array(member[(slash + 1)...]), of: hider) }
        var folders = place.relative.split(separator: 0x2F).map { Array($0) }
        for part in member[..<slash].split(separator: 0x2F) {
            if Array(part) == [0x2E, 0x2E] {
                // Out of the system's folder: nothing there is ours to hide.
                if folders.popLast() == nil { return }
            } else if Array(part) != [0x2E] {
                folders.append(Array(part))
            }
        }
        scanner.outsideMembers.append(
            ScanWriter.OutsideMember(
                hider: hider, folder: place.folder, relative: Array(folders.joined(separator: [0x2F])),
                name: member[(slash + 1)...].map(asciiLowercased)))
    }

    // MARK: - Rows

    /// What stands for a file, and what it stands for.
    private struct Standing {
        var hiddenBy: Int64?
        var discs = 1
    }

    private mutating func standings(
        _ discs: [Int: Int], _ hiders: [[UInt8]: [ScanWriter.Hider]]
    ) throws(CatalogError) -> [Int: Standing] {
        var standings: [Int: Standing] = [:]
        for (index, discs) in discs { standings[index] = Standing(discs: discs) }
        var sets = DiscSets()
        for (index, entry) in look.games.enumerated() where !entry.isUnreachable {
            let name = look.name(entry)
            if !hiders.isEmpty, let hider = hider(of: name, id: ids[index], hiders) {
                standings[index, default: Standing()].hiddenBy = hider
            } else if system.rules.hasDiscs, entry.role != .gameFolder, discs[index] == nil {
                if !entry.isPending || matched[index] != nil { sets.add(index, name, stem: entry.stem) }
            }
        }
        for (index, standing) in sets.standings() {
            if standing.isLeader {
                standings[index, default: Standing()].discs = standing.discs
            } else {
                standings[index, default: Standing()].hiddenBy = try number(standing.leader)
            }
        }
        return standings
    }

    private func update(_ standings: [Int: Standing]) throws(CatalogError) {
        for (index, entry) in look.games.enumerated() {
            guard let row = matched[index].map({ known[$0] }), !entry.isPending else { continue }
            var game = row
            if entry.isUnreachable {
                game.state |= DirectoryMerge.missing
            } else {
                let standing = standings[index]
                game.state &= ~DirectoryMerge.missing
                game.kind = Int64(entry.role.rawValue)
                game.size = entry.size
                game.modified = entry.modified
                game.discs = standing?.discs ?? 1
                if entry.role == .gameFolder { game.launch = look.inner[index]?.launch }
                game.hiddenBy = standing?.hiddenBy
                game.state &= ~DirectoryMerge.member
                if game.hiddenBy != nil { game.state |= DirectoryMerge.member }
            }
            if game == row { continue }
            if game.size != row.size || game.modified != row.modified { scanner.report.changed += 1 }
            try scanner.write { writer throws(SQLiteError) in try writer.update(game, from: row, system: system.id) }
        }
    }

    private mutating func insert(_ standings: [Int: Standing]) throws(CatalogError) {
        var fresh = FreshGames(scanner: scanner, look: look)
        let facts = try scanner.facts(system.rules.definition.name)
        for (index, entry) in look.games.enumerated()
        where matched[index] == nil && !entry.isPending && !entry.isUnreachable {
            fresh.add(index, entry, facts.isEmpty ? nil : facts[place.relative(look.name(entry))], place, system)
        }
        // In the order of the index, so that it grows at one place.
        for item in fresh.ordered() {
            let entry = look.games[item.index]
            let name = look.name(entry)
            let id = try number(item.index)
            var game = ScanWriter.NewGame(
                id: id, directory: directory, system: system.id, name: UnsafeRawBufferPointer(name), sort: item.key,
                size: entry.size, modified: entry.modified, kind: Int64(entry.role.rawValue), state: 0)
            if !standings.isEmpty, let standing = standings[item.index] {
                game.discs = standing.discs
                game.hiddenBy = standing.hiddenBy
            }
            if !fresh.facts.isEmpty { game.facts = fresh.facts[item.index] }
            game.facets = fresh.facets[item.index]
            if game.hiddenBy != nil { game.state |= DirectoryMerge.member }
            if game.facts?.isHidden == true { game.state |= CatalogSchema.State.hidden }
            if entry.role == .gameFolder { game.launch = look.inner[item.index]?.launch }
            try scanner.write { writer throws(SQLiteError) in
                try writer.add(game)
                try writer.pause()
            }
            scanner.report.added += 1
        }
    }
}

/// New games of a directory with their sort keys.
private struct FreshGames {
    struct Item {
        var index: Int
        var offset: Int
        var length: Int
        // The key's first bytes as a number: decides most comparisons.
        var start: UInt64
        var key = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    let scanner: Scanner
    let look: DirectoryLook
    private var items: [Item] = []
    private(set) var facts: [Int: UserDatabase.Facts] = [:]
    private(set) var facets: [Int: GameFacets] = [:]

    init(scanner: Scanner, look: DirectoryLook) {
        self.scanner = scanner
        self.look = look
        scanner.keys.empty()
    }

    mutating func add(
        _ index: Int, _ entry: DirectoryLook.Entry, _ facts: UserDatabase.Facts?, _ place: ScanPlace,
        _ system: Scanner.ScannedSystem
    ) {
        if let facts { self.facts[index] = facts }
        let metadata = scanner.reader.metadata
        if items.isEmpty { metadata.refresh() }
        if facts?.title != nil || !metadata.isSilent {
            facets[index] = metadata.facets(
                system: system.rules.definition.name, path: place.relative(look.name(entry)),
                person: facts?.title)
        }
        if let title = facets[index]?.title.sort ?? facets[index]?.title.title {
            scanner.parts.parse(title: title)
        } else {
            scanner.parts.parse(look.stem(entry))
        }
        let key = scanner.parts.sortKey()
        var start: UInt64 = 0
        for position in 0..<8 { start = start << 8 | (position < key.count ? UInt64(key.base[position]) : 0) }
        items.append(Item(index: index, offset: scanner.keys.count, length: key.count, start: start))
        scanner.keys.append(key.bytes)
    }

    func ordered() -> [Item] {
        let keys = scanner.keys
        var items = items
        for index in items.indices {
            let start = items[index].offset
            items[index].key = UnsafeRawBufferPointer(keys[start..<start + items[index].length])
        }
        items.sort { left, right in
            if left.start != right.start { return left.start < right.start }
            return precedes(
                keys[left.offset..<left.offset + left.length], keys[right.offset..<right.offset + right.length])
        }
        return items
    }
}

/// The sheet that hides a name: a list of discs before a sheet of tracks; no sheet hides one of its own kind.
func hider(
    of name: UnsafeBufferPointer<UInt8>, id: Int64, _ hiders: [[UInt8]: [ScanWriter.Hider]]
) -> Int64? {
    guard let candidates = hiders[name.map(asciiLowercased)] else { return nil }
    let kind = NameRules.sheet(name)
    let fitting = candidates.filter { hider in
        if hider.sheet == id { return false }
        if kind == .m3u { return false }
        return kind == nil || hider.isPlaylist
    }
    return (fitting.first { $0.isPlaylist } ?? fitting.first)?.sheet
}

/// Byte order, as `memcmp` gives it.
@inline(__always)
func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(left.count, right.count)
    var index = 0
    while index < count {
        let (a, b) = (left[index], right[index])
        if a != b { return a < b ? -1 : 1 }
        index += 1
    }
    return left.count - right.count
}

@inline(__always)
func precedes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    compare(left, right) < 0
}
