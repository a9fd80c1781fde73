import Synchronization
import SystemKit
import Systems
import Testing

@testable import Catalog

/// A library with a table of mounts that the test writes.
final class Mounts: Sendable {
    let library: Library
    let table: BytePath
    let sources: MountedFilesystems.Sources

    init(_ library: Library) throws {
        self.library = library
        table = library.folder.appending("mountinfo")
        sources = MountedFilesystems.Sources(
            table: table, identities: library.folder.appending("by-uuid"), labels: library.folder.appending("by-label"))
        let made = sources
        SourceList.madeTables.withLock { $0[library.root.state] = made }
        try set([])
    }

    deinit {
        let state = library.root.state
        SourceList.madeTables.withLock { $0[state] = nil }
    }

    /// What is mounted: kind, origin and place; the data root's filesystem always is.
    func set(_ mounts: [(kind: String, origin: String, point: BytePath)]) throws {
        var text = "1 0 8:1 / / rw - ext4 /dev/root rw\n"
        for (index, mount) in mounts.enumerated() {
            let point = mount.point.displayString.replacing(" ", with: "\\040")
            text += "\(index + 2) 1 0:\(index + 50) / \(point) rw,nosuid shared:1 - \(mount.kind) \(mount.origin) rw\n"
        }
        try writeFile(table, Array(text.utf8))
    }

    /// A folder that stands for a filesystem's mount point, with games.
    func disk(_ name: String, _ games: [String]) throws -> BytePath {
        let folder = library.folder.appending(name)
        for game in games {
            let path = folder.appending("roms").appending(game)
            try createDirectories(path.parent)
            try writeFile(path, [1, 2, 3])
            age(path)
        }
        return folder
    }
}

@Suite("Games come from several sources")
struct SourceTests {
    @Test("the kernel's table of mounts is read, with blanks in names, binds and what covers what")
    func readsMounts() throws {
        let text = """
            22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
            30 22 8:17 / /media/My\\040Stick rw - vfat /dev/sdb1 rw
            31 22 0:44 / /mnt/nas rw - cifs //nas/games rw
            32 31 8:17 /sub /mnt/nas/bind rw master:2 propagate_from:1 - vfat /dev/sdb1 rw
            broken line
            """
        let folder = try makeTemporaryFolder("mounts")
        defer { removeTree(folder) }
        try writeFile(folder.appending("table"), Array(text.utf8))
        let mounts = MountedFilesystems(
            MountedFilesystems.Sources(table: folder.appending("table"), identities: folder, labels: folder))
        #expect(mounts.all.count == 4)
        #expect(mounts.covering("/media/My Stick/roms")?.kind == "vfat")
        #expect(mounts.covering("/mnt/nas2")?.point == "/")
        let share = try #require(mounts.covering("/mnt/nas/roms"))
        #expect(mounts.identity(of: share) == "net://nas/games")
        #expect(mounts.label(of: share) == "games")
        #expect(mounts.path(identity: "net://nas/games", below: "roms") == "/mnt/nas/roms")
        #expect(mounts.path(identity: "net://nas/games", below: "bind/x") == nil)
        let bind = try #require(mounts.covering("/mnt/nas/bind/nes"))
        #expect(mounts.below("/mnt/nas/bind/nes", on: bind) == "sub/nes")
    }

    @Test("a share is one source wherever it is mounted; gone, its games are missing and come back whole (B006, B007)")
    func followsShare() async throws {
        let library = try Library()
        let mounts = try Mounts(library)
        try library.add(["nes/own.nes"])
        let place = try mounts.disk("mnt one", ["nes/far.nes", "psx/G.cue"])
        try mounts.set([("nfs4", "nas:/games", place)])
        let store = try library.open()
        let source = try await store.addSource(path: place.appending("roms"))
        #expect(source.identity == "net:nas:/games")
        #expect(source.label == "games")
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/far.nes", "nes/own.nes", "psx/G.cue"])
        let far = try #require(try await store.game(path: place.appending("roms/nes/far.nes")))
        try await store.setFavourite(true, game: far.id)
        // Unmounted: the mount point is empty, or holds another disk.
        try mounts.set([])
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/own.nes"])
        #expect(try await store.count(GameQuery(missing: true)) == 2)
        #expect(try await store.sources().map(\.isPresent) == [true, false])
        try mounts.set([("nfs4", "other:/disk", place)])
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/own.nes"])
        // Elsewhere, the same share is the same source.
        let other = library.folder.appending("mnt-two")
        try renameFile(place, to: other)
        try mounts.set([("nfs4", "nas:/games", other)])
        let report = try await store.scan()
        #expect([report.missing, report.removed, report.added] == [0, 0, 0])
        #expect(try await store.shown() == ["nes/far.nes", "nes/own.nes", "psx/G.cue"])
        let back = try #require(try await store.game(id: far.id))
        #expect(back.path == other.appending("roms/nes/far.nes"))
        #expect(back.isFavourite)
        // What is deleted there is deleted, although its folder has other numbers now.
        removeTree(other.appending("roms/nes/far.nes"))
        #expect(try await store.scan().removed == 1)
    }

    @Test("a game of two sources is one row: the first source's, then the other's, with everything the person set")
    func mergesSources() async throws {
        let library = try Library()
        let mounts = try Mounts(library)
        try library.add(["nes/both.nes", "nes/own.nes", "nes/sub/deep.nes"])
        let disks = try (1...2).map {
            try mounts.disk("disk\($0)", ["nes/both.nes", "nes/only\($0).nes", "nes/sub/deep.nes"])
        }
        let all = disks.enumerated().map { (kind: "cifs", origin: "//nas/\($0.offset)", point: $0.element) }
        try mounts.set(all)
        let store = try library.open()
        var ids: [Int64] = []
        for disk in disks { ids.append(try await store.addSource(path: disk.appending("roms")).id) }
        _ = try await store.scan()
        let everything = ["nes/both.nes", "nes/only1.nes", "nes/only2.nes", "nes/own.nes", "nes/sub/deep.nes"]
        #expect(try await store.shown() == everything)
        #expect(try await store.counts() == [SystemCount(system: "nes", games: 5)])
        let own = try #require(try await store.games(GameQuery(text: "both"), offset: 0, limit: 9).first)
        #expect(own.path == library.root.roms.appending("nes/both.nes"))
        try await store.setFavourite(true, game: own.id)
        try library.remove("nes/both.nes")
        _ = try await store.scan()
        let second = try #require(try await store.games(GameQuery(selection: .favourites), offset: 0, limit: 9).first)
        #expect(second.path == disks[0].appending("roms/nes/both.nes"))
        try await store.moveSource(ids[1], to: 1)
        #expect(try await store.sources().map(\.id) == [0, ids[1], ids[0]])
        let moved = try #require(try await store.games(GameQuery(selection: .favourites), offset: 0, limit: 9).first)
        #expect(moved.path == disks[1].appending("roms/nes/both.nes"))
        try mounts.set([all[0]])
        _ = try await store.scan()
        #expect(try await store.shown() == everything.filter { $0 != "nes/only2.nes" })
        #expect(try await store.shown(GameQuery(missing: true)) == ["nes/only2.nes"])
        try mounts.set([])
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/own.nes", "nes/sub/deep.nes"])
        #expect(try await store.shown(GameQuery(missing: true)) == ["nes/both.nes", "nes/only1.nes", "nes/only2.nes"])
        try mounts.set(all)
        _ = try await store.scan()
        try await store.removeSource(ids[1])
        #expect(try await store.shown() == everything.filter { $0 != "nes/only2.nes" })
        #expect(try await store.count(GameQuery(missing: true)) == 0)
        #expect(try await store.counts() == [SystemCount(system: "nes", games: 4)])
        #expect(try await store.titles(GameQuery(text: "both")) == ["both"])
        #expect(try await store.titles(GameQuery(text: "only2")) == [])
        await #expect(throws: CatalogError.noSuchSource(id: 0)) { try await store.removeSource(0) }
    }

    @Test("folders that lie in each other, or are none, cannot both be sources")
    func refusesOverlaps() async throws {
        let library = try Library()
        let mounts = try Mounts(library)
        let disk = try mounts.disk("disk", ["nes/a.nes"])
        let store = try library.open()
        await #expect(throws: CatalogError.self) { try await store.addSource(path: library.root.roms) }
        await #expect(throws: CatalogError.self) { try await store.addSource(path: library.folder) }
        await #expect(throws: CatalogError.self) { try await store.addSource(path: disk.appending("absent")) }
        let made = try await store.addSource(path: disk.appending("roms"), label: "First")
        #expect(made.identity == "")
        let again = try await store.addSource(path: disk.appending("roms"), label: "Again")
        #expect(again.id == made.id)
        #expect(try await store.sources().map(\.label) == ["roms", "Again"])
        _ = try await store.scan()
        #expect(try await store.shown() == ["nes/a.nes"])
        // A disk that is mounted over a plain folder is not that folder.
        try mounts.set([("vfat", "/dev/none", disk)])
        _ = try await store.scan()
        #expect(try await store.shown() == [])
    }

    @Test("what a scan could not read is remembered until the next scan")
    func remembersProblems() async throws {
        let library = try Library()
        try library.add(["nes/a.nes"])
        try makeLink(library.root.roms.appending("nes/loop"), to: ".")
        let store = try library.open()
        let report = try await store.scan()
        #expect(report.problems.count == 1)
        #expect(try await library.open().lastScanProblems() == report.problems)
        try library.remove("nes/loop")
        _ = try await store.scan()
        #expect(try await store.lastScanProblems() == [])
    }

    @Test("a watched library follows a source that is added, goes, comes back and is removed", .timeLimit(.minutes(1)))
    func followsLive() async throws {
        let live = try await LiveLibrary { try $0.add(["nes/a.nes"]) }
        let mounts = try Mounts(live.library)
        let disk = try mounts.disk("disk", ["nes/b.nes"])
        let source = try await live.store.addSource(path: disk.appending("roms"))
        try await live.shows(["nes/a.nes", "nes/b.nes"])
        try writeFile(disk.appending("roms/nes/c.nes"), [1])
        try await live.shows(["nes/a.nes", "nes/b.nes", "nes/c.nes"])
        try renameFile(disk.appending("roms"), to: live.library.folder.appending("pulled"))
        try await live.shows(["nes/a.nes"])
        try renameFile(live.library.folder.appending("pulled"), to: disk.appending("roms"))
        try await live.shows(["nes/a.nes", "nes/b.nes", "nes/c.nes"])
        try await live.store.removeSource(source.id)
        try await live.shows(["nes/a.nes"])
    }

    @Test("a folder's time is believed only where filesystems keep it")
    func knowsFilesystems() {
        let believed: [UInt64] = [0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994]
        // FAT, exFAT, NTFS, NFS, CIFS, SMB2, FUSE, overlay, 9p.
        let others: [UInt64] = [
            0x4D44, 0x2011_BAB0, 0x5346_544E, 0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x794C_7630, 0x0102_1997,
        ]
        for magic in believed { #expect(FilesystemKind(magic: magic) == .keepsDirectoryTimes) }
        for magic in others { #expect(FilesystemKind(magic: magic) == .unreliable) }
    }
}
