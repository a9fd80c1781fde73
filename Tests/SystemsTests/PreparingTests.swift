import SystemKit
import Testing

@testable import Systems

@Suite("Preparing a library")
struct PreparingTests {
    private let registry = SystemRegistry(systems: ["nes", "gb"].map(PreparingTests.system))

    private static func system(_ name: String) -> SystemDefinition {
        SystemDefinition(name: name, fullName: name, extensions: [name], emulators: [])
    }

    @Test("the first start makes the folders; a later one makes none that the person removed, but those of new systems")
    func later() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        let root = DataRoot(root: folder)
        #expect(foldersToPrepare(root, registry).contains(root.roms.appending("nes")))
        try prepareLibrary(root, registry)
        #expect(foldersToPrepare(root, registry).isEmpty)
        #expect(fileExists(root.roms.appending("nes")) && fileExists(root.roms.appending("gb")))
        try removeDirectory(root.roms.appending("gb"))
        try prepareLibrary(root, registry)
        #expect(!fileExists(root.roms.appending("gb")))
        let more = SystemRegistry(systems: ["nes", "gb", "snes"].map(PreparingTests.system))
        try prepareLibrary(root, more)
        #expect(fileExists(root.roms.appending("snes")))
        #expect(!fileExists(root.roms.appending("gb")))
    }

    @Test("an empty or absent folder of games is a drive that is away, and gets no folders")
    func away() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        let root = DataRoot(root: folder)
        try prepareLibrary(root, registry)
        for name in try directoryNames(root.roms) { try removeDirectory(root.roms.appending(name)) }
        try prepareLibrary(root, registry)
        #expect(try directoryNames(root.roms).isEmpty)
        try removeDirectory(root.roms)
        try prepareLibrary(root, registry)
        #expect(!fileExists(root.roms))
    }

    @Test("a folder of games elsewhere is the person's own and is left as it is")
    func elsewhere() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        let games = folder.appending("mine")
        try createDirectories(games)
        try prepareLibrary(DataRoot(root: folder.appending("root"), roms: games), registry)
        #expect(try directoryNames(games).isEmpty)
    }
}
