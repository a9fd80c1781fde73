import Catalog
import SystemKit
import Systems
import Testing

@Suite("Scanning finds the games that are there")
struct ScanTests {
    @Test("companions of Macs, dot files and their folders are no games (B001)")
    func ignoresDotEntries() async throws {
        let library = try Library()
        try library.add(["nes/Real.nes", "nes/._Real.nes", "nes/.hidden/x.nes", "nes/.DS_Store", "nes/__MACOSX/y.nes"])
        #expect(try await library.listed() == ["nes/Real.nes"])
    }

    @Test("extensions match whatever their case, also double ones (B002)")
    func foldsExtensions() async throws {
        let library = try Library()
        try library.add(["nes/A.NES", "nes/b.Nes", "nes/c.nes", "nes/d.nesx", "atari800/x.ATR.gz", "atari800/y.gz"])
        #expect(try await library.listed() == ["atari800/x.ATR.gz", "nes/A.NES", "nes/b.Nes", "nes/c.nes"])
    }

    @Test("a link to a folder above ends, with one game and one report (B003)")
    func endsLoops() async throws {
        let library = try Library()
        try library.add(["nes/a.nes", "nes/sub/b.nes"])
        try makeLink(library.root.roms.appending("nes/sub/up"), to: "..")
        try makeLink(library.root.roms.appending("nes/top"), to: "../..")
        let store = try library.open()
        let report = try await store.scan()
        #expect(try await store.shown() == ["nes/a.nes", "nes/sub/b.nes"])
        #expect(report.problems.map(\.path.name).contains("up"))
        // Again, also where every time is trusted.
        _ = try await store.scan()
        #expect(try await store.total() == 2)
    }

    @Test("two links that lead to each other end (B003)")
    func endsMutualLinks() async throws {
        let library = try Library()
        try library.add(["nes/a/x.nes", "nes/b/y.nes"])
        try makeLink(library.root.roms.appending("nes/a/b"), to: "../b")
        try makeLink(library.root.roms.appending("nes/b/a"), to: "../a")
        #expect(try await library.listed() == ["nes/a/x.nes", "nes/b/y.nes"])
    }

    @Test("a linked folder elsewhere is followed")
    func followsLinks() async throws {
        let library = try Library()
        let elsewhere = library.folder.appending("stick")
        try createDirectories(elsewhere)
        try writeFile(elsewhere.appending("x.nes"), [1])
        age(elsewhere.appending("x.nes"))
        try createDirectories(library.root.roms.appending("nes"))
        try makeLink(library.root.roms.appending("nes/stick"), to: elsewhere)
        #expect(try await library.listed() == ["nes/stick/x.nes"])
    }

    @Test("aliases are folders of the same system, also as a link to it")
    func knowsAliases() async throws {
        let library = try Library()
        try library.add(["megadrive/a.md", "Genesis/b.md"])
        try makeLink(library.root.roms.appending("genesis"), to: "megadrive")
        let store = try library.open()
        _ = try await store.scan()
        #expect(try await store.shown() == ["megadrive/a.md", "megadrive/b.md"])
        #expect(try await store.counts() == [SystemCount(system: "megadrive", games: 2)])
    }

    @Test("an unreadable folder costs only itself (B005)", .enabled(if: !isSuperuser, "needs a user who is not root"))
    func reportsUnreadableFolders() async throws {
        let library = try Library()
        try library.add(["nes/a.nes", "nes/locked/b.nes", "gba/c.gba"])
        let store = try library.open()
        _ = try await store.scan()
        let locked = library.root.roms.appending("nes/locked")
        changePermissions(locked, 0)
        let report = try await store.scan()
        #expect(report.problems.map(\.path) == [locked])
        #expect(report.missing == 1)
        #expect(try await store.shown() == ["gba/c.gba", "nes/a.nes"])
        changePermissions(locked, 0o755)
        _ = try await store.scan()
        #expect(try await store.total() == 3)
    }

    @Test("sets that arcade emulators need are hidden, saves and states everywhere (B008)")
    func hidesSupportFiles() async throws {
        let library = try Library()
        try library.add([
            "arcade/neogeo.zip", "arcade/pgm.zip", "arcade/NMK004.zip", "arcade/mslug.zip", "nes/neogeo.zip",
            "gba/x.gba",
            "gba/x.srm", "gba/x.state1", "gba/x.state.auto",
        ])
        #expect(try await library.listed() == ["arcade/mslug.zip", "gba/x.gba", "nes/neogeo.zip"])
    }

    @Test("each system has its depth, and no tree is too deep to end (B093)")
    func boundsDepth() async throws {
        let library = try Library()
        try library.add(["ports/a.sh", "ports/game/data/b.sh"])
        let deep = "nes/" + String(repeating: "d/", count: 60)
        try library.add(["\(deep)x.nes", "nes/1/2/y.nes"])
        let store = try library.open()
        let report = try await store.scan()
        #expect(try await store.shown() == ["nes/1/2/y.nes", "ports/a.sh"])
        #expect(report.problems.count == 1)
    }

    @Test("temporary names of uploads are no games (B010)")
    func ignoresTemporaryNames() async throws {
        let library = try Library()
        try library.add([
            "nes/.game.nes.aB3dE9", "nes/g.nes.part", "nes/h.nes.filepart", "nes/i.nes.crdownload", "nes/~$j.nes",
            "nes/k.tmp", "nes/ok.nes",
        ])
        #expect(try await library.listed() == ["nes/ok.nes"])
    }

    @Test("a scan of one system leaves the others alone")
    func scansOneSystem() async throws {
        let library = try Library()
        try library.add(["nes/a.nes", "gba/b.gba", "genesis/c.md"])
        let store = try library.open()
        let report = try await store.scan(systems: ["genesis"])
        #expect(report.systems == 1)
        #expect(report.games == 1)
        #expect(try await store.shown() == ["megadrive/c.md"])
        await #expect(throws: CatalogError.noSuchSystem(name: "nothing")) {
            try await store.scan(systems: ["nothing"])
        }
    }

    @Test("a rescan reports what came, went and changed")
    func reportsChanges() async throws {
        let library = try Library()
        try library.add(["nes/a.nes", "nes/b.nes", "nes/sub/c.nes"])
        let store = try library.open()
        #expect(try await store.scan().added == 3)
        let before = try #require(try await store.game(path: library.root.roms.appending("nes/a.nes")))
        try library.add(["nes/new.nes"])
        try library.add("nes/a.nes", contents: [1, 2, 3, 4])
        try library.remove("nes/sub")
        let report = try await store.scan(full: true)
        #expect([report.added, report.removed, report.changed] == [1, 1, 1])
        let after = try #require(try await store.game(path: library.root.roms.appending("nes/a.nes")))
        #expect(after.id == before.id)
        #expect(after.size == 4)
        let again = try await store.scan(full: true)
        #expect([again.added, again.removed, again.changed, again.missing] == [0, 0, 0, 0])
    }

    @Test("changed extensions of a system take effect although nothing changed on the disk")
    func followsRules() async throws {
        let library = try Library()
        try library.add(["nes/a.nes", "nes/b.fds"])
        let first = try library.open()
        _ = try await first.scan()
        #expect(try await first.total() == 1)
        let registry = SystemRegistry(systems: [Library.system("nes", ["nes", "fds"])])
        let second = try CatalogStore.open(root: library.root, registry: registry)
        _ = try await second.scan()
        #expect(try await second.total() == 2)
    }

    @Test("media folders of other front ends hold no games")
    func ignoresMedia() async throws {
        let library = try Library()
        try library.add(["nes/images/a.png", "nes/media/covers/a.png", "nes/gamelist.xml", "nes/a.nes"])
        #expect(try await library.listed() == ["nes/a.nes"])
    }

    @Test("files and folders from long before and long after our time are games like all others (B100)")
    func survivesOddTimes() async throws {
        let library = try Library()
        try library.add(["nes/past.nes", "nes/future.nes", "gba/x.gba", "psx/x.m3u"])
        let roms = library.root.roms
        // Beyond what 64 bits of nanoseconds hold. Where the filesystem cannot keep them, it takes the nearest.
        setTime(roms.appending("nes/past.nes"), seconds: -99_999_999_999)
        setTime(roms.appending("nes/future.nes"), seconds: 99_999_999_999)
        setTime(roms.appending("psx/x.m3u"), seconds: 13_569_465_600)
        setTime(roms.appending("gba"), seconds: 13_569_465_600)
        let store = try library.open()
        let report = try await store.scan()
        #expect(report.problems == [])
        #expect(try await store.shown() == ["gba/x.gba", "nes/future.nes", "nes/past.nes", "psx/x.m3u"])
        #expect(try await store.scan().changed == 0)
        let kept = try fileStatus(roms.appending("nes/future.nes")).modifiedNanoseconds / 1_000_000_000
        if kept < 4_000_000_000 { print("needs a filesystem with times beyond 2038; this one kept \(kept)") }
    }

    @Test("what is no file is no game and is not opened, whatever its name", .timeLimit(.minutes(1)))
    func ignoresSpecialFiles() async throws {
        let library = try Library()
        try library.add(["psx/x.chd"])
        let psx = library.root.roms.appending("psx")
        for name in ["a.m3u", "b.cue", "c.chd"] as [BytePath] { try makePipe(psx.appending(name)) }
        try makeLink(psx.appending("zero.m3u"), to: "/dev/zero")
        try makeLink(psx.appending("pipe.cue"), to: "b.cue")
        #expect(try await library.listed() == ["psx/x.chd"])
    }

    @Test("a link to the kernel's own folders is not followed", .timeLimit(.minutes(1)))
    func leavesKernelFoldersAlone() async throws {
        let library = try Library()
        try library.add(["nes/x.nes"])
        let nes = library.root.roms.appending("nes")
        try makeLink(nes.appending("proc"), to: "/proc")
        try makeLink(nes.appending("sys"), to: "/sys")
        let store = try library.open()
        let report = try await store.scan()
        // A chroot may have an ordinary empty folder in the place of one.
        let mounted = ["proc", "sys"].filter { name in
            (try? directoryNames(BytePath("/").appending(name)))?.isEmpty == false
        }
        #expect(mounted.contains("proc"))
        #expect(report.problems.map(\.path.name).sorted() == mounted.map { BytePath($0) })
        #expect(Set(report.problems.map(\.reason)) == ["belongs to the system and is not searched"])
        #expect(try await store.shown() == ["nes/x.nes"])
    }

    @Test("a title may begin with a wave; what office programs leave behind is no game")
    func keepsWaves() async throws {
        let library = try Library()
        try library.add(["nes/~Wave~.nes", "nes/~.nes", "nes/~$Wave.nes"])
        #expect(try await library.listed() == ["nes/~.nes", "nes/~Wave~.nes"])
    }
}
