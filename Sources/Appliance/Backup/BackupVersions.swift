public import SystemKit

/// The backups of a folder. They are numbered: a clock that is wrong must not decide which is the newest.
public struct BackupVersions: Sendable {
    /// The folder.
    public let folder: BytePath
    /// What the names of this kind of backup begin with.
    let prefix: String

    static let suffix = ".tar.zst"
    static let usual = "retro-backup"
    /// Kept aside by a restore.
    static let aside = "retro-before-restore"

    /// The backups in a folder, or those that a restore kept aside there.
    public init(_ folder: BytePath, aside: Bool = false) {
        self.folder = folder
        prefix = aside ? BackupVersions.aside : BackupVersions.usual
    }

    /// Those of one machine with their numbers, the newest first.
    func numbered(host: String) -> [(number: Int, path: BytePath)] {
        let start = "\(prefix)-\(BackupVersions.word(host))-"
        return files().compactMap { path in
            guard let text = path.name.validUTF8, text.hasPrefix(start),
                let digits = text.dropFirst(start.utf8.count).split(separator: "-").first, digits.utf8.count == 4,
                let number = Int(digits), number > 0
            else { return nil }
            return (number, path)
        }.sorted { $0.number > $1.number }
    }

    /// All of this kind, of whatever machine, by name.
    public func files() -> [BytePath] {
        let names = (try? directoryNames(folder)) ?? []
        return names.filter { name in
            guard let text = name.validUTF8 else { return false }
            return text.hasPrefix(prefix + "-") && text.hasSuffix(BackupVersions.suffix)
        }.sorted().map { folder.appending($0) }
    }

    /// The name of the next one.
    func next(host: String, time: String) -> BytePath {
        let number = (numbered(host: host).first?.number ?? 0) + 1
        let digits = String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
        let stamp = time.filter { $0.isLetter || $0.isNumber }
        return folder.appending("\(prefix)-\(BackupVersions.word(host))-\(digits)-\(stamp)\(BackupVersions.suffix)")
    }

    /// Those that are one too many when another one comes.
    func surplus(host: String, kept: Int) -> [BytePath] {
        numbered(host: host).dropFirst(max(0, kept - 1)).map(\.path)
    }

    /// A machine's name as a part of a file's name on any filesystem.
    static func word(_ host: String) -> String {
        let word = String(
            host.lowercased().unicodeScalars.prefix(40).map { scalar in
                let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
                return isPlain ? Character(scalar) : "_"
            })
        return word.isEmpty ? "machine" : word
    }
}
