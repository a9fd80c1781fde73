import SQLiteKit
import SystemKit

/// The last copies of `user.sqlite`, one a day, numbered: a clock that is wrong must not decide which is newest.
struct BackupFolder {
    private static let kept = 7
    private static let daySeconds = 86_400.0
    let path: BytePath

    init(_ path: BytePath) { self.path = path }

    /// The copies' numbers, the newest first.
    func numbers() -> [Int] {
        let names = (try? directoryNames(path)) ?? []
        return names.compactMap { name -> Int? in
            guard let text = name.validUTF8, text.hasPrefix("user-"), text.hasSuffix(".sqlite") else { return nil }
            // Not one so large that none could follow.
            return Int(text.dropFirst(5).dropLast(7)).flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
        }.sorted(by: >)
    }

    func file(_ number: Int) -> BytePath { path.appending("user-\(number).sqlite") }

    /// The newest copy that passes a check and that this program can read.
    func newestGood() -> BytePath? {
        numbers().map(file).first { file in
            guard let connection = try? Connection(file, access: .readOnly),
                let version = try? UserSchema.version(of: connection), version > 0,
                version <= UserSchema.migrations.count, let faults = try? connection.quickCheck()
            else { return false }
            return faults.isEmpty
        }
    }

    /// Makes a copy when the newest is older than a day, and removes all but the newest few.
    ///
    /// A copy that fails (a full disk) must not keep anybody from the games: the next start tries again.
    func backUpDaily(_ connection: Connection) {
        let numbers = numbers()
        if let newest = numbers.first, let status = try? fileStatus(file(newest)) {
            let age = wallClockSeconds() - Double(status.modifiedNanoseconds) / 1e9
            // A copy from the future means that the clock was set back: no reason to copy at each start.
            if age < BackupFolder.daySeconds { return }
        }
        let facts = (try? connection.integer("SELECT sequence FROM state")) ?? nil
        let settings = (try? connection.integer("SELECT count(*) FROM settings")) ?? nil
        guard (facts ?? 0) > 0 || (settings ?? 0) > 0 else { return }
        let number = (numbers.first ?? 0) + 1
        let temporary = path.appending(".user-\(number).tmp")
        do {
            try createDirectories(path)
            try removeFile(temporary)
            try connection.backUp(to: temporary)
            try renameFile(temporary, to: file(number))
            try synchronizeDirectory(path)
        } catch {
            try? removeFile(temporary)
            return
        }
        for old in numbers.dropFirst(BackupFolder.kept - 1) { try? removeFile(file(old)) }
    }
}
