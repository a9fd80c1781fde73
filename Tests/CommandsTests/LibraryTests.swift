import Glibc
import SystemKit
import Testing

@testable import Commands

@Suite("library")
struct LibraryTests {
    @Test("a folder is added, listed, moved and removed; dry runs change nothing")
    func goesThrough() async throws {
        let world = try World()
        let folder = world.folder.appending("disk/roms")
        try createDirectories(folder.appending("nes"))
        try replaceFile(at: folder.appending("nes/Far.nes"), with: [1])
        #expect(try await world.run("library", "add", folder, "--dry-run", "--json").json()["dryRun"] == .bool(true))
        #expect(try await sources(world).count == 1)
        let added = try await world.run("library", "add", folder, "--label", "Disk", "--json").json()
        let id = try #require(added["id"]?.integer)
        let word = BytePath("\(id)")
        #expect(added["label"] == .string("Disk"))
        #expect(try await sources(world) == ["roms", "Disk"])
        _ = await world.run("scan")
        #expect(await world.run("games").output.contains("Far"))
        #expect(await world.run("library", "move", word, "1").status == .done)
        #expect(await world.run("library", "move", word, "x").status == .usage)
        #expect(await world.run("library", "remove", word, "--dry-run").output == "remove Disk\n")
        #expect(await world.run("library", "remove", word).status == .done)
        #expect(try await sources(world) == ["roms"])
        #expect(await world.run("library", "remove", word).status == .notFound)
        #expect(await world.run("library", "remove", "0").status == .notFound)
        #expect(await world.run("library", "add", world.folder.appending("absent")).status == .notFound)
    }

    @Test("a label stays until another is given, a link is the folder it leads to, and places are real ones")
    func keepsLabels() async throws {
        let world = try World()
        let folder = world.folder.appending("disk/roms")
        try createDirectories(folder.appending("nes"))
        let link = world.folder.appending("link")
        #expect(folder.withCString { folder in link.withCString { symlink(folder, $0) } } == 0)
        let id = try #require(
            try await world.run("library", "add", folder, "--label", "Disk", "--json").json()["id"]?.integer)
        #expect(try await world.run("library", "add", folder, "--json").json()["label"] == .string("Disk"))
        #expect(try await world.run("library", "add", link, "--json").json()["id"]?.integer == id)
        #expect(try await sources(world) == ["roms", "Disk"])
        _ = await world.run("library", "add", link, "--label", "Other")
        #expect(try await sources(world) == ["roms", "Other"])
        let word = BytePath("\(id)")
        #expect(await world.run("library", "move", word, "99").output == "Moved to 1.\n")
        #expect(await world.run("library", "move", word, "99", "--dry-run").output == "move Other to 1\n")
        let low = await world.run("library", "move", word, "0")
        #expect(low.status == .usage && low.messages.contains("a number from 1"))
        let kernel = await world.run("library", "add", "/proc")
        #expect(kernel.status == .badData && kernel.messages.contains("kernel"))
        #expect(try await sources(world) == ["roms", "Other"])
    }

    @Test("a link to the data root's own folder, or through it, is that folder")
    func knowsOwn() async throws {
        let world = try World()
        let own = world.folder.appending("retro/roms")
        let real = world.folder.appending("elsewhere")
        if fileExists(own) { try renameFile(own, to: real) } else { try createDirectories(real) }
        try createDirectories(own.parent)
        #expect(real.withCString { real in own.withCString { symlink(real, $0) } } == 0)
        for path in [own, real] { #expect(await world.run("library", "add", path).status == .badData) }
    }

    private func sources(_ world: World) async throws -> [String] {
        let list = try await world.run("library", "list", "--json").json()
        return (list["sources"]?.array ?? []).compactMap { $0["label"]?.string }
    }
}
