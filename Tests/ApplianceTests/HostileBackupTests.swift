import ArchiveKit
import DigestKit
import SQLiteKit
import SystemKit
import Testing

@testable import Appliance

@Suite("Backups of strangers, and in strange places")
struct HostileBackupTests {
    private let newest = ["user.sqlite": 3, "metadata.sqlite": 1]

    /// The header of one member of a tar file, as any program may write it.
    private func member(_ name: String, kind: Character, link: String = "", size: Int = 0) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, _ offset: Int) {
            for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: digits - text.utf8.count) + text
        }
        put(name, 0)
        put("0004755", 100)
        put("0000000", 108)
        put("0000000", 116)
        put(octal(size, 11), 124)
        put("00000000000", 136)
        put("        ", 148)
        put(String(kind), 156)
        put(link, 157)
        put("ustar", 257)
        put("00", 263)
        put(octal(header.reduce(0) { $0 + Int($1) }, 6), 148)
        header[154] = 0
        return header
    }

    private func member(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512)
        return member(name, kind: "0", size: contents.count) + contents + padding
    }

    /// A backup with these members, and a list that names these files.
    private func archive(_ members: [[UInt8]], listing files: [(BytePath, [UInt8])]) -> [UInt8] {
        let header = BackupHeader(
            format: 1, version: "9", host: "x", model: "", time: "", screenshots: false, schemas: [:])
        let list = BackupManifest(
            files: files.map { .init($0.0, size: Int64($0.1.count), sha256: SHA256.of($0.1)) })
        var bytes = member("retro-backup.json", BackupJSON.encode(header))
        for part in members { bytes += part }
        bytes += member("manifest.json", BackupJSON.encode(list))
        return bytes + [UInt8](repeating: 0, count: 1024)
    }

    private func refusal(_ body: () throws(ApplianceError) -> Void) -> ApplianceError? {
        do throws(ApplianceError) {
            try body()
            return nil
        } catch { return error }
    }

    @Test(
        "links, devices, pipes, folders and names that lead elsewhere are refused before anything is touched",
        arguments: ["1", "2", "3", "4", "5", "6", "7", "S"] as [Character])
    func kinds(kind: Character) throws {
        let one = try DataMachine()
        try one.put("saves/nes/a", "mine")
        let path = one.fake.root.appending("b.tar.zst")
        let good = member("saves/nes/a", Array("theirs".utf8))
        let odd = member("saves/nes/odd", kind: kind, link: "../../../etc/passwd")
        try replaceFile(
            at: path, with: archive([odd, good], listing: [("saves/nes/a", Array("theirs".utf8))]))
        let error = refusal { () throws(ApplianceError) in
            _ = try Restore(path, on: one.machine, newestSchemas: newest).apply()
        }
        #expect(error?.status == .badData)
        #expect(one.text("saves/nes/a") == "mine")
    }

    @Test(
        "names that lead elsewhere are refused, whatever they are followed by",
        arguments: [
            "/etc/passwd", "saves/../../x", "../x", "saves/./x", "saves//x", "state/retro.sqlite", "saves", "saves/",
            "configuration/controllers/players.json", "roms/nes/a.nes", "Saves/x", "state/user.sqlite/x", "",
        ])
    func names(name: String) throws {
        let one = try DataMachine()
        let path = one.fake.root.appending("b.tar.zst")
        let contents = Array("theirs".utf8)
        try replaceFile(
            at: path, with: archive([member(name, contents)], listing: [(BytePath(name), contents)]))
        let error = refusal { () throws(ApplianceError) in
            _ = try Restore(path, on: one.machine, newestSchemas: newest)
        }
        #expect(error?.status == .badData)
    }

    @Test("a set-user-id bit of a stranger's backup is not taken over, and line ends in a name are just bytes")
    func modes() throws {
        let one = try DataMachine()
        let path = one.fake.root.appending("b.tar.zst")
        let contents = Array("theirs".utf8)
        let name = "saves/a\nb\u{1B}[2J"
        try replaceFile(
            at: path, with: archive([member(name, contents)], listing: [(BytePath(name), contents)]))
        let outcome = try Restore(path, on: one.machine, newestSchemas: newest).apply()
        #expect(outcome.restored == 1)
        let status = try fileStatus(one.places.root.appending(BytePath(name)))
        #expect(status.permissions & 0o7111 == 0)
    }

    @Test(
        "no backup gets the name of a folder that is missing, of a file of another kind, or of what is no name of one",
        arguments: [
            "absent", "absent/", "absent/a.tar.zst", "file/a.tar.zst", "loop", ".tar.zst", "foreign.tar.zst", "file",
        ])
    func places(name: String) throws {
        let one = try DataMachine()
        try one.put("saves/a", "1")
        try one.fake.file("file", "somebody's")
        try one.fake.file("foreign.tar.zst", "somebody's")
        try makeLink(to: "loop", at: one.fake.root.appending("loop"))
        let before = try directoryNames(one.fake.root).sorted()
        let error = refusal { () throws(ApplianceError) in
            _ = try Backup(on: one.machine, to: .path(one.fake.root.appending(BytePath(name)))).create()
        }
        #expect(error?.status == .cannotCreate)
        #expect(try directoryNames(one.fake.root).sorted() == before)
        #expect(try readFile(one.fake.root.appending("foreign.tar.zst")) == Array("somebody's".utf8))
    }

    @Test("a backup of ours is replaced by another one of the same name")
    func replaced() throws {
        let one = try DataMachine()
        try one.put("saves/a", "1")
        let path = one.fake.root.appending("mine.tar.zst")
        #expect(try Backup(on: one.machine, to: .path(path)).create().file.count == 1)
        try one.put("saves/b", "2")
        #expect(try Backup(on: one.machine, to: .path(path)).create().file.count == 2)
    }

    @Test("while a backup is made none is restored, and the other way round")
    func turns() throws {
        let one = try DataMachine()
        try one.put("saves/a", "1")
        let path = try Backup(on: one.machine).create().file.path
        let restore = try Restore(path, on: one.machine, newestSchemas: newest)
        try createDirectories(one.places.state)
        let lock = try LockFile(one.places.state.appending("backup.lock"))
        #expect(refusal { () throws(ApplianceError) in _ = try restore.apply() }?.status == .tryLater)
        let create = { () throws(ApplianceError) in _ = try Backup(on: one.machine).create() }
        #expect(refusal(create)?.status == .tryLater)
        lock.release()
        #expect(try restore.apply().restored == 1)
        #expect(refusal(create) == nil)
    }

    @Test("while a restore did not come to its end, no older backup goes")
    func half() throws {
        let one = try DataMachine()
        try one.put("saves/a", "1")
        for _ in 0..<3 { _ = try Backup(on: one.machine).create() }
        #expect(try Backup(on: one.machine, kept: 2).removed.count == 2)
        try createDirectories(one.places.state)
        try replaceFile(at: one.places.state.appending("restore-unfinished"), with: [])
        #expect(try Backup(on: one.machine, kept: 2).removed.isEmpty)
    }

    @Test("what was played after an interrupted restore is kept when it is gone on with, or another one is begun")
    func played() throws {
        let one = try DataMachine()
        try one.put("saves/a", "1")
        let path = try Backup(on: one.machine).create().file.path
        try one.put("saves/a", "before")
        let first = try #require(try Restore(path, on: one.machine, newestSchemas: newest).apply().aside)
        // As a kill leaves it.
        let restore = try Restore(path, on: one.machine, newestSchemas: newest)
        let identity = "\(restore.file.header.host) \(restore.file.header.time) \(restore.file.archiveBytes)"
        try replaceFile(
            at: one.places.state.appending("restore-unfinished"), with: first.bytes + [0] + Array(identity.utf8))
        try one.put("saves/a", "played for a week")
        let outcome = try restore.apply()
        #expect(outcome.continued)
        #expect(outcome.aside == first)
        #expect(one.text("saves/a") == "1")
        let kept = BackupVersions(Backup.usualFolder(one.places), aside: true)
        let newestAside = try #require(kept.numbered(host: "pi").first?.path)
        #expect(newestAside != first)
        _ = try Restore(newestAside, on: one.machine, newestSchemas: newest).apply()
        #expect(one.text("saves/a") == "played for a week")

        // Another backup than the one that was interrupted is none that goes on.
        try replaceFile(at: one.places.state.appending("restore-unfinished"), with: first.bytes + [0, 0x78])
        let other = try Restore(first, on: one.machine, newestSchemas: newest).apply()
        #expect(!other.continued)
        #expect(other.aside != first)
    }

    @Test("what a killed restore left beside the files goes with the next one, and is in no backup")
    func leftovers() throws {
        let one = try DataMachine()
        try one.put("saves/a.srm", "1")
        try one.put("saves/.a.srm.12-3.tmp", "half")
        try one.put("saves/.hidden.tmp", "mine")
        let path = try Backup(on: one.machine).create().file.path
        #expect(try BackupFile.verify(path).count == 2)
        _ = try Restore(path, on: one.machine, newestSchemas: newest).apply()
        #expect(fileExists(one.places.root.appending("saves/.a.srm.12-3.tmp")))
        try replaceFile(at: one.places.state.appending("restore-unfinished"), with: [0])
        try replaceFile(at: one.places.state.appending(".restore-unfinished.1-1.tmp"), with: [0])
        _ = try Restore(path, on: one.machine, newestSchemas: newest).apply()
        #expect(!fileExists(one.places.state.appending(".restore-unfinished.1-1.tmp")))
        #expect(!fileExists(one.places.root.appending("saves/.a.srm.12-3.tmp")))
        #expect(one.text("saves/.hidden.tmp") == "mine")
        #expect(one.text("saves/a.srm") == "1")
    }

    @Test(
        "only names of interrupted replacements are taken for such",
        arguments: [
            (".a.srm.12-3.tmp", "a.srm"), (".a.1-2.tmp", "a"), (".tmp", nil), (".12-3.tmp", nil), ("a.12-3.tmp", nil),
            (".a.12-.tmp", nil), (".a.b-3.tmp", nil), (".a.1-2-3.tmp", nil), ("..1-2.tmp", nil), (".a.1-2.tmpx", nil),
        ] as [(BytePath, BytePath?)])
    func leftoverNames(name: BytePath, file: BytePath?) { #expect(interruptedReplacement(name) == file) }

    @Test("a list of files that names more than there is is not read to its end")
    func longList() throws {
        let one = try DataMachine()
        let path = one.fake.root.appending("b.tar.zst")
        try replaceFile(
            at: path,
            with: archive(
                [member("saves/a", [1])],
                listing: (0..<2000).map { (BytePath("saves/\($0)"), [1]) }))
        let error = refusal { () throws(ApplianceError) in
            _ = try Restore(path, on: one.machine, newestSchemas: newest)
        }
        #expect(error?.description.contains("has a list of more than") == true)
    }

    @Test("what a database says of itself counts, whatever the first lines of the backup say")
    func newerDatabase() throws {
        let one = try DataMachine()
        let connection = try one.database("x")
        try connection.execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        let bytes = try readFile(one.places.state.appending("user.sqlite"))
        let path = one.fake.root.appending("b.tar.zst")
        try replaceFile(
            at: path, with: archive([member("state/user.sqlite", bytes)], listing: [("state/user.sqlite", bytes)]))
        let error = refusal { () throws(ApplianceError) in
            _ = try Restore(path, on: one.machine, newestSchemas: newest)
        }
        #expect(error?.description.contains("newer version") == true)
    }

    @Test(
        "a database that is damaged or none costs itself, and the good one that is here stays",
        arguments: [true, false])
    func damagedDatabase(isDatabase: Bool) throws {
        let one = try DataMachine()
        let connection = try one.database("good")
        try connection.execute("CREATE TABLE t (a); CREATE INDEX i ON t (a)")
        for _ in 0..<200 { try connection.run("INSERT INTO t VALUES (?)", [.text(String(repeating: "x", count: 90))]) }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        var bytes = try readFile(one.places.state.appending("user.sqlite"))
        for index in (isDatabase ? 4096 : 0)..<bytes.count where index % 3 == 0 { bytes[index] = 0xA5 }
        let path = one.fake.root.appending("b.tar.zst")
        let save = Array("a save".utf8)
        try replaceFile(
            at: path,
            with: archive(
                [member("state/user.sqlite", bytes), member("saves/a", save)],
                listing: [("state/user.sqlite", bytes), ("saves/a", save)]))
        let outcome = try Restore(path, on: one.machine, newestSchemas: newest).apply()
        #expect(outcome.problems.count == 1)
        #expect(outcome.restored == 1)
        #expect(one.text("saves/a") == "a save")
        #expect(try one.words() == ["good"])
        #expect(!Restore.isUnfinished(on: one.machine))
        let left = try directoryNames(one.places.state).filter { $0.displayString.contains(".tmp") }
        #expect(left.isEmpty)
    }
}
