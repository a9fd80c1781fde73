import SQLiteKit
import SystemKit
import Systems

/// Takes over what a gamelist says; the file is only read.
final class GamelistImport {
    private static let recordsPerTransaction = 1000
    private static let pieceBytes = 1 << 16
    private static let longestOutside = 1 << 16

    private let desk: GamelistDesk
    private let isDryRun: Bool
    private let progress: ((Int) -> Void)?
    private var report = GamelistReport()
    private var batch: [GamelistRecord] = []
    // What the records so far said of each path: a later one adds to it only.
    private var said: [Int: Set<GamelistKey>] = [:]
    private var before = ""
    private var inside = ""
    private var isInList = false
    // Prefixes that the list's own tag declares, which its records take along.
    private var declared: [String: String] = [:]
    private let parser = GamelistRecordParser()

    init(_ desk: GamelistDesk, isDryRun: Bool = false, progress: ((Int) -> Void)? = nil) {
        self.desk = desk
        self.isDryRun = isDryRun
        self.progress = progress
    }

    /// Reads a file.
    ///
    /// - Throws: `CatalogError.file` where it cannot be read, or a failure of the databases; what was committed stays,
    ///   and the next import goes on with it.
    func run(_ file: BytePath) throws(CatalogError) -> GamelistReport {
        let start = MonotonicInstant.now
        let status = try read(file)
        if !isDryRun {
            try desk.user.orderImportedPlays()
            var list = MetadataDatabase.List(
                path: file, status: status, before: before.isEmpty ? nil : before, inside: inside.isEmpty ? nil : inside
            )
            if !isInList, report.records == 0, let last = try desk.metadata.list(system: desk.system.name) {
                // A page of something else says nothing about what stands around the records.
                (list.before, list.inside) = (last.before, last.inside)
            } else if !isInList, report.records == 0 {
                list.before = nil
            }
            try desk.metadata.setList(list, system: desk.system.name)
            try desk.finish()
            desk.metadata.backUp()
        }
        report.seconds = MonotonicInstant.now.seconds(since: start)
        return report
    }

    private func read(_ file: BytePath) throws(CatalogError) -> FileStatus {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: GamelistImport.pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        let reader = GamelistReader { [unowned self] in take($0) }
        let input: InputFile
        do {
            input = try InputFile(file)
        } catch {
            throw CatalogError.file(error)
        }
        while true {
            let count: Int
            do {
                count = try input.read(into: buffer)
            } catch {
                throw CatalogError.file(error)
            }
            if count == 0 { break }
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            reader.feed(piece.assumingMemoryBound(to: UInt8.self))
            if batch.count >= GamelistImport.recordsPerTransaction { try store() }
        }
        reader.finish()
        try store()
        return input.status
    }

    private func take(_ item: GamelistItem) {
        switch item {
        case .list(let attributes):
            isInList = true
            declared = GamelistNamespaces.declarations(attributes)
        case .end: break
        case .doctype(let xml), .outside(let xml):
            if !isInList, before.utf8.count + xml.utf8.count < GamelistImport.longestOutside { before += xml + "\n" }
            if isInList, inside.utf8.count + xml.utf8.count < GamelistImport.longestOutside { inside += xml + "\n" }
        case .record(let record):
            report.records += 1
            batch.append(record)
        case .problem(let record, let reason): report.note(record, reason)
        }
    }

    // MARK: - Records

    private func store() throws(CatalogError) {
        var records: [MetadataDatabase.Record] = []
        var places: [[UInt8]: Int] = [:]
        var imported: [UserDatabase.Imported] = []
        for record in batch {
            guard !record.path.isEmpty else {
                report.note(record.number, "it names no path, and was left out")
                continue
            }
            let path = try place(of: record)
            let isRepeated = said[path.hashValue] != nil
            if isRepeated {
                report.note(record.number, "an earlier record has the same path: only what that one lacks was taken")
            }
            // An earlier one of the same batch is not stored yet.
            let index = places[path]
            let old: MetadataDatabase.Record?
            if let index {
                old = records[index]
            } else {
                old = try desk.metadata.record(system: desk.system.name, path: path)
            }
            let new = merged(old, record, path, isRepeated: isRepeated)
            if old == nil { report.added += 1 }
            if !record.isFolder {
                let item = try personal(from: new, before: old)
                if !item.isEmpty { imported.append(item) }
            }
            if new == old { continue }
            if old != nil { report.changed += 1 }
            if let index {
                records[index] = new
            } else {
                places[path] = records.count
                records.append(new)
            }
        }
        batch.removeAll(keepingCapacity: true)
        if !isDryRun {
            // The person's first: what is stored as said before is not taken again.
            try desk.user.take(imported)
            try desk.metadata.write { () throws(SQLiteError) in
                for record in records { try desk.metadata.store(record) }
            }
        }
        progress?(report.records)
    }

    /// The path below the system's folder that a record is about.
    private func place(of record: GamelistRecord) throws(CatalogError) -> [UInt8] {
        let path = desk.paths.relative(record.path)
        if let game = try desk.game(path) {
            report.matched += 1
            return game
        }
        if !record.isFolder { report.unknown += 1 }
        return path
    }

    private func merged(
        _ old: MetadataDatabase.Record?, _ record: GamelistRecord, _ path: [UInt8], isRepeated: Bool
    ) -> MetadataDatabase.Record {
        var new = old ?? MetadataDatabase.Record(system: desk.system.name, path: path)
        if !isRepeated { new.isFolder = record.isFolder }
        let attributes = GamelistNamespaces.bound(record.attributes, by: declared)
        let inner = declared.merging(GamelistNamespaces.declarations(record.attributes)) { $1 }
        var extra: [GamelistElement] = []
        var known: Set<GamelistKey> = []
        let before = said[path.hashValue] ?? []
        for element in record.elements where !element.name.isEmpty && element.name != "path" {
            if let key = GamelistKey(element: element.name), known.insert(key).inserted {
                guard !before.contains(key), GamelistImport.isWord(element.text, of: key, in: record) else {
                    known.remove(key)
                    continue
                }
                new[key] = element.text
            } else {
                var element = element
                element.xml = GamelistNamespaces.bound(element: element.xml, by: inner)
                extra.append(element)
            }
        }
        said[path.hashValue] = before.union(known)
        if !attributes.isEmpty, !isRepeated || new.attributes == nil { new.attributes = attributes }
        let stored = old?.extra.map { parser.elements(of: $0) } ?? []
        // The earlier one's stand.
        let (first, second) = isRepeated ? (stored, extra) : (extra, stored)
        let names = Set(first.map(\.name))
        extra = first + second.filter { !names.contains($0.name) }
        new.extra = extra.isEmpty ? nil : extra.map(\.xml).joined(separator: "\n")
        return new
    }

    /// Whether a text says anything: what is absent or cannot be read is no word about a mark, and what was mended may
    /// be half of one.
    private static func isWord(_ text: String, of key: GamelistKey, in record: GamelistRecord) -> Bool {
        guard key == .favorite || key == .hidden else { return !text.isEmpty }
        return GamelistValues.mark(text).map { $0 || record.flaws.isEmpty } ?? false
    }

    // MARK: - The person

    /// What of the person's facts is news: told by the list for the first time, or different from what it told before,
    /// and nothing that was set here is undone.
    private func personal(
        from new: MetadataDatabase.Record, before old: MetadataDatabase.Record?
    ) throws(CatalogError) -> UserDatabase.Imported {
        var item = UserDatabase.Imported(system: new.system, path: new.path)
        let isSilent = GamelistKey.allCases.allSatisfy { !$0.isPersonal || (new[$0] == nil && old?[$0] == nil) }
        if isSilent { return item }
        let facts = try desk.user.facts(system: new.system, path: new.path)
        item.isFavourite = GamelistImport.news(of: .favorite, new, old, facts?.isFavourite ?? false)
        item.isHidden = GamelistImport.news(of: .hidden, new, old, facts?.isHidden ?? false)
        let plays = GamelistValues.count(new[.playcount])
        let isFirst = (facts?.plays ?? 0) == 0
        if plays > facts?.plays ?? 0, isFirst || new[.playcount] != old?[.playcount], isFirst || old != nil {
            item.plays = plays
        }
        let moment = GamelistValues.moment(new[.lastplayed])
        if let moment, moment > facts?.lastPlayed ?? 0, isFirst || (old != nil && new[.lastplayed] != old?[.lastplayed])
        {
            item.lastPlayed = moment
        }
        let seconds = Double(GamelistValues.count(new[.gametime]))
        if seconds > facts?.seconds ?? 0, isFirst || (old != nil && new[.gametime] != old?[.gametime]) {
            item.seconds = seconds
        }
        return item
    }

    private static func news(
        of key: GamelistKey, _ new: MetadataDatabase.Record, _ old: MetadataDatabase.Record?, _ here: Bool
    ) -> Bool? {
        let (said, before) = (GamelistValues.flag(new[key]), GamelistValues.flag(old?[key]))
        // Unchanged in the list: the person's word here stands. Changed: only where it was as the list had it.
        return said != before && here == before ? said : nil
    }
}
