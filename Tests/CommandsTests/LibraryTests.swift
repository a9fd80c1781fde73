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

    private func sources(_ world: World) async throws -> [String] {
        let list = try await world.run("library", "list", "--json").json()
        return (list["sources"]?.array ?? []).compactMap { $0["label"]?.string }
    }
}
