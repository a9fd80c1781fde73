import Glibc
import SystemKit
import Systems
import Testing

@Suite struct Locating {
    private func emulator(_ method: EmulatorDefinition.Method, packages: [String] = []) -> EmulatorDefinition {
        EmulatorDefinition(name: "e", title: "E", method: method, packages: packages)
    }

    @Test("a program that is installed later is found without a new locator")
    func noticesNew() throws {
        let folder = try TemporaryFolder()
        let locator = EmulatorLocator(environment: ["PATH": "\(folder.path)"])
        let definition = emulator(.program(arguments: ["retro-test-emulator", "{rom}"]))
        #expect(locator.locate(definition) == nil)
        let program = try folder.write("retro-test-emulator", "#!/bin/sh\n", mode: 0o755)
        #expect(locator.locate(definition)?.program == program)
        try removeFile(program)
        #expect(locator.locate(definition) == nil)
    }

    @Test("a file that may not be run, or a folder, is no program")
    func notExecutable() throws {
        let folder = try TemporaryFolder()
        try folder.write("retro-test-emulator", "#!/bin/sh\n", mode: 0o644)
        try createDirectories(folder.path.appending("retro-test-folder"))
        let locator = EmulatorLocator(environment: ["PATH": "\(folder.path)"])
        #expect(locator.locate(emulator(.program(arguments: ["retro-test-emulator"]))) == nil)
        #expect(locator.locate(emulator(.program(arguments: ["retro-test-folder"]))) == nil)
    }

    @Test("elements of PATH that mean the working directory are not searched")
    func noWorkingDirectory() {
        let locator = EmulatorLocator(environment: ["PATH": ":.:bin:/usr/bin"])
        #expect(locator.programDirectories == ["/usr/bin", "/usr/local/bin", "/usr/local/games", "/usr/games"])
    }

    @Test("a core needs RetroArch and its file; RETRO_CORES goes before everything")
    func cores() throws {
        let folder = try TemporaryFolder()
        let cores = folder.path.appending("cores")
        let locator = EmulatorLocator(
            environment: ["PATH": "\(folder.path)", "RETRO_CORES": "\(cores)", "HOME": "\(folder.path)"])
        let definition = emulator(.libretro(core: "retro_test_libretro.so"))
        let core = try folder.write("cores/retro_test_libretro.so", "")
        #expect(locator.coreDirectories.prefix(2) == [cores, folder.path.appending(".config/retroarch/cores")])
        let program = try folder.write("retroarch", "#!/bin/sh\n", mode: 0o755)
        #expect(locator.locate(definition) == InstalledEmulator(definition: definition, program: program, core: core))
        try removeFile(core)
        #expect(locator.locate(definition) == nil)
    }

    @Test("what is missing is told with the package that brings it")
    func advice() throws {
        let folder = try TemporaryFolder()
        try folder.write("retroarch", "", mode: 0o755)
        let locator = EmulatorLocator(environment: ["PATH": "\(folder.path)"], coreDirectories: [])
        #expect(
            locator.missing(emulator(.libretro(core: "x_libretro.so"), packages: ["libretro-x"]))
                == "The core x_libretro.so is not installed. Install the package libretro-x.")
        #expect(
            locator.missing(emulator(.libretro(core: "x_libretro.so"))).contains("~/.config/retroarch/cores"))
        #expect(
            locator.missing(emulator(.program(arguments: ["retro-no-such"]), packages: ["x"]))
                == "The program retro-no-such is not installed. Install the package x.")
    }
}

@Suite struct Folders {
    private let registry = SystemRegistry.load()

    @Test("every system gets a folder, twice is the same as once, and nothing else is there")
    func idempotent() throws {
        let folder = try TemporaryFolder()
        let root = DataRoot(root: folder.path.appending("retro"))
        try createSystemFolders(in: root, for: registry)
        let first = try directoryNames(root.roms).sorted()
        #expect(first == registry.systems.map { BytePath($0.name) }.sorted())
        #expect(
            try directoryNames(root.root).sorted() == ["bios", "media", "roms", "saves", "screenshots", "states"])
        try createSystemFolders(in: root, for: registry)
        #expect(try directoryNames(root.roms).sorted() == first)
    }

    @Test("a system whose folder has another of its names gets no second one")
    func alias() throws {
        let folder = try TemporaryFolder()
        let root = DataRoot(root: folder.path)
        try createDirectories(root.roms.appending("Genesis"))
        try createSystemFolders(in: root, for: registry)
        #expect(!fileExists(root.roms.appending("megadrive")))
        #expect(fileExists(root.roms.appending("nes")))
    }

    @Test("links are left alone: a folder's link, one that leads nowhere, and a circle")
    func links() throws {
        let folder = try TemporaryFolder()
        let root = DataRoot(root: folder.path.appending("retro"))
        try createDirectories(root.roms)
        let elsewhere = folder.path.appending("elsewhere")
        try createDirectories(elsewhere)
        link(elsewhere, root.roms.appending("nes"))
        link("/nonexistent/drive", root.roms.appending("snes"))
        link("../../retro/roms", root.roms.appending("gb"))
        try createSystemFolders(in: root, for: registry)
        #expect(try directoryNames(elsewhere) == [])
        #expect(!fileExists(root.roms.appending("snes")))
        #expect(try directoryNames(root.roms).count == registry.systems.count)
    }

    @Test("a roms folder that is a link in a circle is an error, not a place to fill")
    func circle() throws {
        let folder = try TemporaryFolder()
        let root = DataRoot(root: folder.path)
        link("roms2", root.roms)
        link("roms", folder.path.appending("roms2"))
        #expect(throws: SystemError.self) { try createSystemFolders(in: root, for: registry) }
    }

    private func link(_ target: BytePath, _ path: BytePath) {
        _ = target.withCString { target in path.withCString { symlink(target, $0) } }
    }
}
