import SQLiteKit
import SystemKit

/// The last copies of a database, numbered: a clock that is wrong must not decide which is newest.
struct BackupFolder {
    private static let daySeconds = 86_400.0
    private static let manyChanges: Int64 = 100
    let path: BytePath
    /// What the copies' names begin with.
    let name: String
    /// How many are kept.
    let kept: Int
    /// The newest schema that this program can read.
    let newest: Int

    init(_ path: BytePath, name: String = "user", kept: Int = 7, newest: Int = UserSchema.migrations.count) {
        self.path = path
        self.name = name
        self.kept = kept
        self.newest = newest
    }

    /// The copies' numbers, the newest first.
    func numbers() -> [Int] {
        let names = (try? directoryNames(path)) ?? []
        return names.compactMap { file -> Int? in
            guard let text = file.validUTF8, text.hasPrefix("\(name)-"), text.hasSuffix(".sqlite") else { return nil }
            // Not one so large that none could follow.
            let number = Int(text.dropFirst(name.utf8.count + 1).dropLast(7))
            return number.flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
        }.sorted(by: >)
    }

    /// Whether there are copies at all, good ones or not.
    var hasAny: Bool { !numbers().isEmpty }

    func file(_ number: Int) -> BytePath { path.appending("\(name)-\(number).sqlite") }

    /// The newest copy that passes a check and that this program can read.
    func newestGood() -> BytePath? { numbers().map(file).first(where: isGood) }

    private func isGood(_ file: BytePath) -> Bool {
        guard !isForeign(file), let connection = try? Connection(file, access: .readOnly),
            let version = try? connection.schemaVersion(), version > 0, version <= newest,
            let faults = try? connection.quickCheck()
        else { return false }
        return faults.isEmpty
    }

    /// Makes a copy when the newest is older than a day, and removes all but the newest few.
    ///
    /// A copy that fails (a full disk) must not keep anybody from the games: the next start tries again.
    func backUpDaily(_ connection: Connection) {
        if let newest = numbers().first, let status = try? fileStatus(file(newest)) {
            let age = wallClockSeconds() - Double(status.modifiedNanoseconds) / 1e9
            // A copy from the future: the clock was ahead then, or is behind now. Time says nothing, changes do.
            let isDue =
                age < 0
                ? changes(since: newest, connection) >= BackupFolder.manyChanges : age >= BackupFolder.daySeconds
            guard isDue else { return }
        }
        backUp(connection)
    }

    private func changes(since number: Int, _ connection: Connection) -> Int64 {
        let copied = (try? Connection(file(number), access: .readOnly))?.sequenceOrZero ?? 0
        return connection.sequenceOrZero - copied
    }

    /// Makes a copy, where there is anything to lose, and removes all but the newest few.
    func backUp(_ connection: Connection) {
        let facts = connection.sequenceOrZero
        let settings = (try? connection.integer("SELECT count(*) FROM settings")) ?? nil
        guard facts > 0 || (settings ?? 0) > 0 else { return }
        let numbers = numbers()
        let number = (numbers.first ?? 0) + 1
        let temporary = path.appending(".\(name)-\(number).tmp")
        do {
            try createDirectories(path)
            try removeFile(temporary)
            try connection.backUp(to: temporary)
            // A copy that the device spoiled must not push a good one out.
            guard isGood(temporary) else { throw SystemError(call: "read", path: temporary, code: 5) }
            try renameFile(temporary, to: file(number))
            try synchronizeDirectory(path)
        } catch {
            for suffix in ["", "-journal"] { try? removeFile(temporary.appendingSuffix(suffix)) }
            return
        }
        for old in numbers.dropFirst(kept - 1) { try? removeFile(file(old)) }
    }
}

extension Connection {
    /// The number of the last change that the file counted; 0 where it cannot be read.
    var sequenceOrZero: Int64 { (try? sequence()) ?? 0 }
}
