import ArchiveKit
import Glibc
import SQLiteKit
import SystemKit
import Testing

@testable import Appliance

/// A machine with a person's data on it.
final class DataMachine {
    let fake: FakeMachine
    let machine: Machine

    init(split: Bool = false) throws {
        fake = try FakeMachine()
        let root = fake.root.appending("srv/retro")
        machine = Machine(
            files: .init(filesystem: fake.root), programs: Programs(folders: [fake.root.appending("bin")]),
            data: DataPlaces(
                root: root, roms: root.appending("roms"),
                state: split ? fake.root.appending("var/lib/retro") : root.appending(".retro"),
                configuration: split ? fake.root.appending("etc/retro") : root.appending(".retro")))
        try fake.file("etc/hostname", "pi\n")
        try createDirectories(root)
    }

    var places: DataPlaces { machine.data }

    @discardableResult
    func put(_ path: BytePath, _ text: String) throws -> BytePath {
        let full = places.root.appending(path)
        try createDirectories(full.parent)
        try replaceFile(at: full, with: Array(text.utf8))
        return full
    }

    func text(_ path: BytePath) -> String? {
        (try? readFile(places.root.appending(path))).map { String(decoding: $0, as: UTF8.self) }
    }

    func database(_ word: String) throws -> Connection {
        try createDirectories(places.state)
        let connection = try Connection(places.state.appending("user.sqlite"))
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA user_version = 3")
        try connection.execute("CREATE TABLE IF NOT EXISTS settings (key TEXT, value TEXT)")
        try connection.run("INSERT INTO settings VALUES ('word', ?)", [.text(word)])
        return connection
    }

    func words() throws -> [String] {
        let connection = try Connection(places.state.appending("user.sqlite"), access: .readWrite)
        return try connection.rows("SELECT value FROM settings") { $0.string(0) ?? "" }
    }

    func fill() throws {
        try put("saves/nes/Zelda.srm", "a save")
        try put("saves/snes/deep/er/Mario.srm", "another")
        try put("states/nes/Zelda.state", "")
        try put("screenshots/nes/shot.png", "png")
        try put("roms/nes/Zelda.nes", "a game")
        try put("roms/nes/gamelist.xml", "<gameList/>")
        try put("bios/bios.bin", "firmware")
    }
}

@Suite("Backups: what is in them, and that they can be trusted")
struct BackupTests {
    let newest = ["user.sqlite": 3]

    @Test("a backup holds what cannot be had again, and no games, firmware or screenshots", arguments: [false, true])
    func contents(split: Bool) throws {
        let one = try DataMachine(split: split)
        try one.fill()
        let open = try one.database("favourite")
        try createDirectories(one.places.configuration.appending("systems.d"))
        try replaceFile(at: one.places.configuration.appending("systems.d/own.json"), with: Array("{}".utf8))
        try createDirectories(one.places.configuration.appending("controllers/retroarch/udev"))
        try replaceFile(at: one.places.configuration.appending("controllers/pad.json"), with: [1])
        try replaceFile(at: one.places.configuration.appending("controllers/retroarch/udev/pad.cfg"), with: [1])
        try createDirectories(one.places.state.appending("controllers"))
        try replaceFile(at: one.places.state.appending("controllers/players.json"), with: [2])

        let made = try Backup(on: one.machine).create()
        #expect(made.skipped == [])
        #expect(
            Set(made.file.files.map(\.path)) == [
                "state/user.sqlite", "state/controllers/players.json", "configuration/systems.d/own.json",
                "configuration/controllers/pad.json", "saves/nes/Zelda.srm", "saves/snes/deep/er/Mario.srm",
                "states/nes/Zelda.state", "roms/nes/gamelist.xml",
            ])
        #expect(made.file.header.schemas == ["user.sqlite": 3])
        #expect(made.file.header.host == "pi")
        #expect(try Backup(on: one.machine, withScreenshots: true).create().file.count == 9)
        open.close()
    }

    @Test("it can be restored on another machine whose folders are elsewhere, with names that are no UTF-8")
    func elsewhere() throws {
        let one = try DataMachine()
        try one.fill()
        let odd = BytePath(bytes: Array("saves/nes/\u{FC}".utf8.prefix(10)) + [0xFF, 0x0A, 0x41])
        try one.put(odd, "odd")
        // Committed, but still in the log: nothing but SQLite sees it.
        let open = try one.database("favourite")
        let made = try Backup(on: one.machine).create()

        let other = try DataMachine(split: true)
        try other.put("saves/nes/Zelda.srm", "newer")
        try other.put("saves/nes/Kept.srm", "stays")
        try other.database("theirs").close()
        let restore = try Restore(made.file.path, on: other.machine, newestSchemas: newest)
        #expect(restore.replaced == 2)
        let outcome = try restore.apply()
        #expect(outcome.problems == [])
        #expect(outcome.restored == made.file.count)
        #expect(other.text("saves/nes/Zelda.srm") == "a save")
        #expect(other.text("saves/nes/Kept.srm") == "stays")
        #expect(other.text(odd) == "odd")
        #expect(try other.words() == ["favourite"])
        #expect(!Restore.isUnfinished(on: other.machine))

        // What was there before can be had back the same way.
        let aside = try #require(outcome.aside)
        _ = try Restore(aside, on: other.machine, newestSchemas: newest).apply()
        #expect(other.text("saves/nes/Zelda.srm") == "newer")
        #expect(try other.words() == ["theirs"])
        open.close()
    }

    @Test("the usual folder is a folder also where it is named and not there yet")
    func usualFolderByName() throws {
        let one = try DataMachine()
        try one.fill()
        let folder = Backup.usualFolder(one.machine.data)
        let made = try Backup(on: one.machine, to: .path(folder)).create()
        #expect(made.file.path.parent == folder)
        #expect(try Backup(on: one.machine).create().file.path.parent == folder)
    }

    @Test("the newest backups of a machine stay, by number and not by the clock; those of others are not touched")
    func versions() throws {
        let one = try DataMachine()
        try one.fill()
        let folder = try one.put("stick/retro-backup-other-0001-x.tar.zst", "").parent
        for time in [5e9, 0, 4e9, 1e9] {
            _ = try Backup(on: one.machine, to: .path(folder), kept: 2, time: time).create()
        }
        let left = try directoryNames(folder).map(\.displayString).sorted()
        #expect(
            left == [
                "retro-backup-other-0001-x.tar.zst", "retro-backup-pi-0003-20961002T070640Z.tar.zst",
                "retro-backup-pi-0004-20010909T014640Z.tar.zst",
            ])
    }

    @Test("a backup of which any byte is missing or wrong is told before anything is touched")
    func damaged() throws {
        let one = try DataMachine()
        try one.fill()
        try one.put("saves/big", String(repeating: "0123456789abcdef", count: 20_000))
        let path = try Backup(on: one.machine).create().file.path
        let whole = try readFile(path)
        let before = one.text("saves/nes/Zelda.srm")
        try one.put("saves/nes/Zelda.srm", "now")
        for length in [0, 1, whole.count / 3, whole.count / 2, whole.count - 40, whole.count - 1] {
            try replaceFile(at: path, with: Array(whole.prefix(length)))
            #expect(
                refusal { () throws(ApplianceError) in
                    _ = try Restore(path, on: one.machine, newestSchemas: newest)
                } != nil, "\(length) of \(whole.count) bytes")
        }
        for position in stride(from: 0, to: whole.count, by: max(1, whole.count / 40)) {
            var changed = whole
            changed[position] ^= 0x10
            try replaceFile(at: path, with: changed)
            // A byte that means nothing may change; then everything in it is what was written.
            let found = try? BackupFile.verify(path)
            if let found { #expect(found.count == 5) }
        }
        #expect(one.text("saves/nes/Zelda.srm") == "now")
        #expect(before == "a save")
    }

    @Test(
        "an archive that leads elsewhere, or holds what a backup never does, is refused",
        arguments: [
            "../etc/passwd", "/etc/passwd", "saves/../../x", "saves//x", "saves/./x", "saves", "roms/nes/Game.nes",
            "bios/x.bin", "state/menu.log", "configuration/share.json", "configuration/controllers/retroarch/x",
            "media/x.png", "",
        ])
    func hostileNames(name: String) throws {
        let one = try DataMachine()
        let path = one.fake.root.appending("evil.tar.zst")
        try forge(path, [(BytePath(name), [1])])
        #expect(
            refusal { () throws(ApplianceError) in
                _ = try Restore(path, on: one.machine, newestSchemas: newest)
            } != nil)
    }

    @Test("a doubled name, a newer format and newer tables are refused; the same without them is not")
    func forged() throws {
        let one = try DataMachine()
        let path = one.fake.root.appending("forged.tar.zst")
        func outcome() -> String? {
            refusal { () throws(ApplianceError) in _ = try Restore(path, on: one.machine, newestSchemas: newest) }
        }
        try forge(path, [("saves/a", [1])])
        #expect(outcome() == nil)
        try forge(path, [("saves/a", [1]), ("saves/a", [2])])
        #expect(outcome()?.contains("twice") == true)
        try forge(path, [("saves/a", [1])], format: 2)
        #expect(outcome()?.contains("newer version") == true)
        try forge(path, [("saves/a", [1])], schemas: ["user.sqlite": 4])
        #expect(outcome()?.contains("newer version") == true)
        try forge(path, [("saves/a", [1])], extra: ("saves/b", [2]))
        #expect(outcome()?.contains("its list names") == true)
    }

    @Test("links in the way are not written through")
    func links() throws {
        let one = try DataMachine()
        try one.put("saves/nes/a", "1")
        try one.put("saves/gb/b", "2")
        let path = try Backup(on: one.machine).create().file.path
        let other = try DataMachine()
        let outside = other.fake.root.appending("outside")
        try createDirectories(outside)
        try createDirectories(other.places.root.appending("saves/gb"))
        try makeLink(to: outside, at: other.places.root.appending("saves/nes"))
        try makeLink(to: outside.appending("b"), at: other.places.root.appending("saves/gb/b"))
        let outcome = try Restore(path, on: other.machine, newestSchemas: newest).apply()
        #expect(outcome.problems.count == 2)
        #expect(try directoryNames(outside).isEmpty)
    }

    @Test("a restore that was interrupted goes on, and keeps what was there before the first one")
    func interrupted() throws {
        let one = try DataMachine()
        try one.put("saves/nes/a", "1")
        try one.put("saves/nes/b", "2")
        let path = try Backup(on: one.machine).create().file.path
        try one.put("saves/nes/a", "mine")
        try one.put("saves/nes/b", "mine")
        // A folder in a file's place stops the first try half-way.
        try removeFile(one.places.root.appending("saves/nes/b"))
        try createDirectories(one.places.root.appending("saves/nes/b"))
        let first = try Restore(path, on: one.machine, newestSchemas: newest).apply()
        #expect(first.problems.count == 1)
        #expect(Restore.isUnfinished(on: one.machine))
        try removeDirectory(one.places.root.appending("saves/nes/b"))
        let second = try Restore(path, on: one.machine, newestSchemas: newest).apply()
        #expect(second.continued)
        #expect(second.aside == first.aside)
        #expect(one.text("saves/nes/b") == "2")
        #expect(!Restore.isUnfinished(on: one.machine))
        _ = try Restore(try #require(second.aside), on: one.machine, newestSchemas: newest).apply()
        #expect(one.text("saves/nes/a") == "mine")
    }

    @Test("what was kept aside can be restored although it is the oldest that is kept")
    func oldestAside() throws {
        let one = try DataMachine()
        try one.put("saves/a", "0")
        let path = try Backup(on: one.machine).create().file.path
        var asides: [BytePath] = []
        for number in 1...3 {
            try one.put("saves/a", "\(number)")
            asides.append(
                try #require(try Restore(path, on: one.machine, newestSchemas: newest).apply().aside))
        }
        #expect(one.text("saves/a") == "0")
        _ = try Restore(asides[0], on: one.machine, newestSchemas: newest).apply()
        #expect(one.text("saves/a") == "1")
        #expect(fileExists(asides[0]))
    }

    @Test("while a menu has the data, nothing is restored")
    func inUse() throws {
        let one = try DataMachine()
        try one.put("saves/a", "1")
        try one.database("x").close()
        let path = try Backup(on: one.machine).create().file.path
        try one.fake.file("proc/4242/comm", "retro-menu\n")
        try createDirectories(one.fake.root.appending("proc/4242/fd"))
        _ = try Restore(path, on: one.machine, newestSchemas: newest)
        try makeLink(to: one.places.state.appending("user.sqlite"), at: one.fake.root.appending("proc/4242/fd/7"))
        let sentence = refusal { () throws(ApplianceError) in
            _ = try Restore(path, on: one.machine, newestSchemas: newest)
        }
        #expect(sentence == "retro-menu (4242) uses the data now: end the menu first, then restore")
    }

    @Test("the one USB stick is found; none and several are told; the machine's own disk is none")
    func sticks() throws {
        let one = try DataMachine()
        try one.fill()
        let stick = one.fake.root.appending("media/stick")
        try createDirectories(stick)
        func mounts(_ lines: [String]) throws {
            try one.fake.file("proc/self/mountinfo", lines.map { $0 + "\n" }.joined())
        }
        func disk(_ name: String, _ number: String, _ folder: String) throws {
            try one.fake.file("sys/devices/\(folder)/block/\(name)/\(name)1/partition", "1\n")
            try one.fake.file("sys/devices/\(folder)/block/\(name)/removable", "0\n")
            try createDirectories(one.fake.root.appending("sys/dev/block"))
            try makeLink(
                to: one.fake.root.appending("sys/devices/\(folder)/block/\(name)/\(name)1"),
                at: one.fake.root.appending("sys/dev/block/\(number)"))
        }
        try disk("sda", "8:1", "pci/usb1/1-1")
        try disk("sdb", "8:17", "pci/usb1/1-2")
        try disk("mmcblk0", "179:1", "mmc")
        let root = "20 1 8:17 / / rw - ext4 /dev/sdb1 rw"
        let card = "21 1 179:1 / /mnt rw - ext4 /dev/mmcblk0p1 rw"
        let plugged = "22 1 8:1 / \(stick) rw - ext4 /dev/sda1 rw"
        try mounts([root, card])
        #expect(RemovableDrive.mounted(on: one.machine).isEmpty)
        #expect(refusal { () throws(ApplianceError) in _ = try Backup(on: one.machine, to: .stick) } != nil)
        try mounts([root, card, plugged])
        let backup = try Backup(on: one.machine, to: .stick)
        #expect(backup.target.parent == stick)
        #expect(try backup.create().file.count == 4)
    }

    private func refusal(_ body: () throws(ApplianceError) -> Void) -> String? {
        do throws(ApplianceError) {
            try body()
            return nil
        } catch { return error.description }
    }

    /// An archive as somebody might make one.
    private func forge(
        _ path: BytePath, _ members: [(BytePath, [UInt8])], format: Int = 1, schemas: [String: Int] = [:],
        extra: (BytePath, [UInt8])? = nil
    ) throws {
        try removeFile(path)
        let writer = try TarWriter(path)
        let header = BackupHeader(
            format: format, version: "9", host: "x", model: "", time: "", screenshots: false, schemas: schemas)
        try writer.add("retro-backup.json", BackupJSON.encode(header), modifiedSeconds: 0)
        for (name, bytes) in members + (extra.map { [$0] } ?? []) where !name.bytes.isEmpty {
            try writer.add(name, bytes, modifiedSeconds: 0)
        }
        let files = members.map { BackupManifest.File($0.0, size: Int64($0.1.count), sha256: sha($0.1)) }
        try writer.add("manifest.json", BackupJSON.encode(BackupManifest(files: files)), modifiedSeconds: 0)
        try writer.finish()
    }

    private func sha(_ bytes: [UInt8]) -> String {
        // Of the one byte that the forged files have.
        bytes == [1]
            ? "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"
            : "dbc1b4c900ffe48d575b5da5c638040125f65db0fe3e24494b76ea986457d986"
    }
}
