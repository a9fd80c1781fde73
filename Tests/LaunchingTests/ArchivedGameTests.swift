import ArchiveSupport
import Catalog
import Glibc
import Launching
import SystemKit
import Systems
import Testing

@Suite("Games in archives")
struct ArchivedGameTests {
    private static let rom = ArchiveMaker.Content.bytes(Array("rom".utf8))
    private let stage: Stage

    init() throws { stage = try Stage() }

    private func emulator(_ script: String, archives: [String]?) throws -> EmulatorDefinition {
        let stub = try stage.emulator(script)
        return EmulatorDefinition(name: stub.name, title: stub.title, method: stub.method, archives: archives)
    }

    private func archive(
        _ name: String, as format: ArchiveMaker.Format = .zip(), _ members: [(String, ArchiveMaker.Content)]
    ) throws -> Game {
        let path = stage.root.roms.appending("toy").appending(name)
        let isMade = ArchiveMaker.make(path.displayString, format, members)
        try #require(isMade)
        return stage.described(path)
    }

    private func planner(_ emulator: EmulatorDefinition, kind: SystemDefinition.Kind = .console) -> LaunchPlanner {
        LaunchPlanner(
            root: stage.root,
            registry: SystemRegistry(systems: [
                SystemDefinition(
                    name: "toy", fullName: "Toy", kind: kind, extensions: ["toy", "zip", "7z"], emulators: [emulator])
            ]),
            locator: EmulatorLocator(
                environment: ["PATH": "\(stage.folder.path)/bin"],
                coreDirectories: [stage.folder.path.appending("cores")]),
            display: DisplayFacts(server: .x11, hasGPU: false))
    }

    @Test("are unpacked for an emulator that cannot read them, under the library's name, and taken away after the game")
    func unpacked() async throws {
        let game = try archive("My Game.zip", [("readme.txt", .bytes([1])), ("sub/x.toy", Self.rom)])
        let seen = stage.folder.path.appending("seen")
        let script = "cat \"$1\" > '\(seen)'; echo \"$1\" >> '\(seen)'"
        let plan = try planner(try emulator(script, archives: [])).plan(for: game)
        let unpacking = try #require(plan.unpacking)
        #expect(unpacking.member == "sub/x.toy")
        #expect(unpacking.target.name == "My Game.toy")
        #expect(unpacking.target.parent == plan.scratch)
        #expect(!fileExists(unpacking.target), "a plan changes nothing")
        _ = try await play(plan)
        #expect(try readFile(seen) == Array("rom\(unpacking.target)\n".utf8))
        #expect(!fileExists(unpacking.target))
    }

    @Test("are given as they are to an emulator that reads them, or of which nobody knows")
    func asItIs() throws {
        let zip = try archive("a.zip", [("x.toy", Self.rom)])
        let seven = try archive("a.7z", as: .sevenZip, [("x.toy", Self.rom)])
        for archives in [nil, ["zip"], ["zip", "7z"]] {
            let plan = try planner(try emulator("exit 0", archives: archives)).plan(for: zip)
            #expect(plan.unpacking == nil)
            #expect(plan.arguments.last == zip.path)
        }
        #expect(try planner(try emulator("exit 0", archives: ["zip"])).plan(for: seven).unpacking != nil)
        #expect(try planner(try emulator("exit 0", archives: []), kind: .arcade).plan(for: zip).unpacking == nil)
    }

    @Test("that hold nothing to unpack do not start, and it is told why")
    func trouble() throws {
        let stub = try emulator("exit 0", archives: [])
        let text = try archive("text.zip", [("readme.txt", .bytes([1]))])
        let error = launchError { try planner(stub).plan(for: text) }
        #expect(error?.description == "The Game cannot be unpacked. text.zip holds no game.")
        for (name, format, members) in [
            ("locked.zip", ArchiveMaker.Format.zip(password: "x"), [("x.toy", Self.rom)]),
            ("bomb.zip", .zip(), [("x.toy", .zeros(300 << 20))]),
        ] {
            let game = try archive(name, as: format, members)
            let plan = try planner(stub).plan(for: game)
            #expect(launchError { try GameSession.start(plan) { _ in } } != nil)
            #expect(try directoryNames(try #require(plan.scratch)).isEmpty, "\(name) left something")
        }
    }

    @Test("of several games in one RetroArch is told which")
    func retroArch() throws {
        let core = try stage.folder.write("cores/toy_libretro.so", "", mode: 0o644)
        _ = try stage.folder.write("bin/retroarch", "#!/bin/sh\n", mode: 0o755)
        let definition = EmulatorDefinition(
            name: "toy", title: "Toy", method: .libretro(core: core.name.displayString))
        let one = try archive("one.zip", [("x.toy", Self.rom), ("readme.txt", .bytes([1]))])
        #expect(try planner(definition).plan(for: one).arguments.last == one.path)
        let two = try archive("two.zip", [("a.toy", Self.rom), ("two.toy", Self.rom)])
        #expect(try planner(definition).plan(for: two).arguments.last == BytePath("\(two.path)#two.toy"))
        let deep = try archive("deep.zip", [("a/a.toy", Self.rom), ("a/b.toy", Self.rom)])
        #expect(try planner(definition).plan(for: deep).arguments.last == deep.path)
    }
}
