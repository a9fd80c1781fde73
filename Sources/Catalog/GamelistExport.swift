import SQLiteKit
import SystemKit
import Systems

/// Writes a system's gamelist: what the file has, with what is known here over it, and nothing of it lost.
final class GamelistExport {
    private static let tries = 3
    private static let pieceBytes = 1 << 16
    private static let rowsPerPage = 500

    private let desk: GamelistDesk
    private let isDryRun: Bool
    private let progress: ((Int) -> Void)?
    private var report = GamelistReport()
    private var output: ReplacementFile?
    private var failure: CatalogError?
    private var isListOpen = false
    private var isListEnded = false
    private var rootAttributes = ""
    // What stands before the list waits until there is one; what stands behind it, until all records are written.
    private var head = ""
    private var tail = ""
    private var seen: Set<Int> = []
    // What the file will say that the person did, for the next import to compare with.
    private var written: [GamelistKnowledge.Written] = []

    init(_ desk: GamelistDesk, isDryRun: Bool = false, progress: ((Int) -> Void)? = nil) {
        self.desk = desk
        self.isDryRun = isDryRun
        self.progress = progress
    }

    /// Writes the file, or makes it where it is missing.
    ///
    /// What somebody else wrote into it since it was last read is taken over first.
    /// - Throws: `CatalogError.file` where it cannot be written, or a failure of the databases; it is then as it was.
    func run(_ target: BytePath) throws(CatalogError) -> GamelistReport {
        let start = MonotonicInstant.now
        for number in 1...GamelistExport.tries {
            let status = try self.status(of: target)
            if let status, try desk.metadata.list(system: desk.system.name)?.isSame(target, status) != true, !isDryRun {
                _ = try GamelistImport(desk).run(target)
            }
            report = GamelistReport()
            seen = []
            written = []
            (isListOpen, isListEnded) = (false, false)
            (rootAttributes, head, tail) = ("", "", "")
            try write(target, replacing: status)
            // Somebody wrote the file meanwhile: what they wrote is read first.
            let now = try self.status(of: target)
            if now != status, number < GamelistExport.tries { continue }
            try commit(target, isSound: report.problems.isEmpty)
            break
        }
        report.seconds = MonotonicInstant.now.seconds(since: start)
        return report
    }

    private func status(of target: BytePath) throws(CatalogError) -> FileStatus? {
        do {
            let status = try fileStatus(target)
            // Opening tells what is wrong with what is no file.
            if status.kind != .regular { _ = try InputFile(target) }
            return status
        } catch {
            if error.isNotFound { return nil }
            throw CatalogError.file(error)
        }
    }

    private func commit(_ target: BytePath, isSound: Bool) throws(CatalogError) {
        guard let output else { return }
        self.output = nil
        var aside: BytePath?
        if !isSound {
            var number = 1
            while fileExists(target.appendingSuffix(".bad-\(number)")) { number += 1 }
            aside = target.appendingSuffix(".bad-\(number)")
            report.damagedFile = aside?.displayString
        }
        do {
            try output.commit(keeping: aside)
        } catch {
            throw CatalogError.file(error)
        }
        let records = written
        written = []
        var start = 0
        while start < records.count {
            let end = min(start + GamelistExport.rowsPerPage, records.count)
            try desk.metadata.write { () throws(SQLiteError) in
                for item in records[start..<end] {
                    let stored = try desk.metadata.storedRecord(system: desk.system.name, path: item.path)
                    try desk.metadata.store(item.record(stored, system: desk.system.name))
                }
            }
            start = end
        }
        if let status = try self.status(of: target) {
            var list = MetadataDatabase.List(path: target, status: status)
            let before = try desk.metadata.list(system: desk.system.name)
            list.before = before?.before
            list.inside = before?.inside
            try desk.metadata.setList(list, system: desk.system.name)
        }
        try desk.finish()
    }

    // MARK: - The file

    private func write(_ target: BytePath, replacing status: FileStatus?) throws(CatalogError) {
        output = nil
        failure = nil
        if !isDryRun {
            removeLeftovers(of: target)
            do {
                output = try ReplacementFile(for: target)
            } catch {
                throw CatalogError.file(error)
            }
        }
        put("<?xml version=\"1.0\"?>\n")
        if status != nil { try copy(target) }
        if !isListOpen {
            // No list is there, or something that is none.
            let list = try desk.metadata.list(system: desk.system.name)
            head = list?.before ?? ""
            open()
            put(list?.inside ?? "")
        }
        try addRest()
        put("</gameList>\n" + tail)
        if let failure { throw failure }
    }

    /// Removes what exports that were killed had begun beside the file.
    private func removeLeftovers(of target: BytePath) {
        let target = (try? resolvedPath(target)) ?? target
        let start = ".\(target.name.displayString)."
        for name in (try? directoryNames(target.parent)) ?? [] {
            guard let text = name.validUTF8, text.hasPrefix(start), text.hasSuffix(".tmp") else { continue }
            let middle = text.dropFirst(start.count).dropLast(4)
            let numbers = middle.split(separator: "-", omittingEmptySubsequences: false)
            let path = target.parent.appending(name)
            guard numbers.count == 2, let process = Int32(numbers[0]), process > 0, UInt64(numbers[1]) != nil,
                // Only "no such process" says that nobody writes it.
                isProcessGone(process),
                let status = try? fileStatus(path, followLinks: false), status.kind == .regular,
                status.owner == currentUserID
            else { continue }
            try? removeFile(path)
        }
    }

    private func put(_ text: String) {
        guard let output, failure == nil else { return }
        do throws(SystemError) {
            try output.append(text.utf8)
        } catch { failure = .file(error) }
    }

    private func open() {
        guard !isListOpen else { return }
        put(head + "<gameList\(rootAttributes)>\n")
        head = ""
        isListOpen = true
    }

    /// Puts what is no record where it stood.
    private func place(_ xml: String) {
        let isLoose = xml.hasPrefix("<!--") || xml.hasPrefix("<?")
        if !isListOpen {
            head += xml + "\n"
            // Nobody has so much there; it is not gathered without an end.
            if head.utf8.count > GamelistReader.longest * 2 { open() }
        } else if isListEnded, isLoose, tail.utf8.count < GamelistReader.longest {
            tail += xml + "\n"
        } else {
            put("\t\(xml)\n")
        }
    }

    private func copy(_ target: BytePath) throws(CatalogError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: GamelistExport.pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        let reader = GamelistReader { [unowned self] in take($0) }
        do {
            let input = try InputFile(target)
            while failure == nil {
                let count = try input.read(into: buffer)
                if count == 0 { break }
                let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                reader.feed(piece.assumingMemoryBound(to: UInt8.self))
            }
        } catch {
            throw CatalogError.file(error)
        }
        reader.finish()
        if !reader.isSound, report.problems.isEmpty { report.note(0, "the file is not a sound list") }
    }

    private func take(_ item: GamelistItem) {
        guard failure == nil else { return }
        switch item {
        case .list(let attributes):
            if !isListOpen { rootAttributes = attributes }
            open()
        case .end: isListEnded = true
        case .doctype(let xml), .outside(let xml): place(xml)
        case .record(let record):
            open()
            do throws(CatalogError) {
                try merge(record)
            } catch { failure = error }
        case .problem(let record, let reason): report.note(record, reason)
        }
    }

    // MARK: - Records

    private func merge(_ record: GamelistRecord) throws(CatalogError) {
        var path = desk.paths.relative(record.path)
        if let game = try desk.game(path) { path = game }
        // Without a path nothing here can be about it; a second record of a path stays as it is.
        guard !record.path.isEmpty, seen.insert(path.hashValue).inserted else {
            return put(GamelistWriter.text(record.elements.map(\.xml), record))
        }
        let known = try GamelistKnowledge(path, desk, isFolder: record.isFolder)
        let lines = GamelistWriter.merged(record, known, isSamePath: desk.paths.relative(record.path) == path)
        if lines != record.elements.map(\.xml) { report.changed += 1 }
        add(GamelistWriter.text(lines, record), known)
    }

    private func add(_ text: String, _ known: GamelistKnowledge) {
        put(text)
        report.records += 1
        if let record = known.written { written.append(record) }
        if report.records % GamelistExport.rowsPerPage == 0 { progress?(report.records) }
    }

    /// Adds what the file has no record of, in the order of paths.
    private func addRest() throws(CatalogError) {
        let declared = GamelistNamespaces.declarations(rootAttributes)
        var last: [UInt8]?
        while failure == nil {
            let limit = GamelistExport.rowsPerPage
            let stored = try desk.metadata.records(system: desk.system.name, after: last, limit: limit).map(\.path)
            let touched = try desk.user.paths(system: desk.system.name, after: last, limit: limit)
            // Beyond the end of a full page the other list is not known yet.
            let ends = [stored, touched].filter { $0.count == limit }.compactMap(\.last).map { BytePath(bytes: $0) }
            let end = ends.min()
            let paths = Set(stored + touched).map { BytePath(bytes: $0) }.filter { path in
                end.map { path <= $0 } ?? true
            }
            for path in paths.sorted() where seen.insert(path.bytes.hashValue).inserted {
                let known = try GamelistKnowledge(path.bytes, desk, isFolder: nil)
                guard !known.isEmpty else { continue }
                report.added += 1
                let attributes = GamelistNamespaces.withoutUnbound(known.attributes, in: declared)
                let record = GamelistRecord(isFolder: known.isFolder, attributes: attributes)
                add(GamelistWriter.text(GamelistWriter.lines(known), record), known)
            }
            guard let end else { return }
            last = end.bytes
        }
    }
}
