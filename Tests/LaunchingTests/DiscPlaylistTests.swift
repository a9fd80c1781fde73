import Catalog
import Glibc
import Launching
import SystemKit
import Systems
import Testing

@Suite("A game on several discs starts with a playlist of them")
struct DiscPlaylistTests {
    private let stage: Stage
    private let planner: LaunchPlanner

    init() throws {
        stage = try Stage()
        planner = try DiscPlaylistTests.planner(stage, extensions: ["toy", "m3u"])
    }

    private static func planner(_ stage: Stage, extensions: [String]) throws -> LaunchPlanner {
        let emulator = try stage.emulator("cat \"$1\"")
        return LaunchPlanner(
            root: stage.root,
            registry: SystemRegistry(systems: [
                SystemDefinition(
                    name: "toy", fullName: "Toy Computer", medium: .disc, extensions: extensions, emulators: [emulator])
            ]),
            locator: EmulatorLocator(environment: ["PATH": "\(stage.folder.path)/bin"], coreDirectories: []),
            display: DisplayFacts(server: .x11, hasGPU: false))
    }

    @Test("the playlist has all discs in order, replaces a stale one, and is what the emulator gets")
    func starts() async throws {
        let discs = try ["The Game (Disc 1) (USA).toy", "The Game (Disc 2) (USA).toy"].map {
            try stage.game(BytePath($0)).path
        }
        let game = stage.described(discs[0])
        let plan = try planner.plan(for: game, discs: discs)
        let path = stage.root.state.appending("playlists/toy/The Game (USA).m3u")
        #expect(plan.arguments.last == path)
        #expect(plan.notice == nil)
        try createDirectories(path.parent)
        try replaceFile(at: path, with: Array("stale\n".utf8))
        let outcome = try await play(plan)
        #expect(outcome.logTail == discs.map(\.displayString))
        #expect(try readFile(path) == Array(discs.map { "\($0)\n" }.joined().utf8))
    }

    @Test("an emulator that reads no playlists gets the first disc, and so does a game on one")
    func plain() throws {
        let discs = try ["g (Disc 1).toy", "g (Disc 2).toy"].map { try stage.game(BytePath($0)).path }
        let game = stage.described(discs[0])
        let plain = try DiscPlaylistTests.planner(stage, extensions: ["toy"])
        #expect(try plain.plan(for: game, discs: discs).arguments.last == discs[0])
        #expect(try planner.plan(for: game, discs: [discs[0]]).arguments.last == discs[0])
        #expect(try planner.plan(for: game).arguments.last == discs[0])
    }

    @Test("a name that no playlist can have starts the first disc and says so", arguments: ["a\nb", "a|b"])
    func unfit(name: String) throws {
        let discs = try ["\(name) (Disc 1).toy", "\(name) (Disc 2).toy"].map { try stage.game(BytePath($0)).path }
        let plan = try planner.plan(for: stage.described(discs[0]), discs: discs)
        #expect(plan.arguments.last == discs[0])
        #expect(plan.files.isEmpty)
        #expect(plan.notice?.contains("playlist") == true)
    }

    @Test("a disc that is gone is told before anything starts")
    func missing() throws {
        let first = try stage.game("g (Disc 1).toy").path
        let second = first.parent.appending("g (Disc 2).toy")
        #expect(throws: LaunchError.membersMissing(title: "The Game", members: ["g (Disc 2).toy"])) {
            try planner.plan(for: stage.described(first), discs: [first, second])
        }
    }
}
