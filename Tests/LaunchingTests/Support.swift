import Catalog
import Glibc
import Launching
import SystemKit
import Systems
import Testing

/// A data root with one system, one stub emulator and its games.
final class Stage {
    let folder: TemporaryFolder
    let root: DataRoot

    init() throws {
        folder = try TemporaryFolder()
        root = DataRoot(root: folder.path.appending("retro root"))
        try createDirectories(root.roms.appending("toy"))
    }

    /// A shell script as an emulator; its arguments are the template's.
    func emulator(_ script: String, arguments: [String] = ["{rom}"], name: String = "stub") throws -> EmulatorDefinition
    {
        let program = try folder.write("bin/\(name)", "#!/bin/sh\n\(script)\n", mode: 0o755)
        return EmulatorDefinition(
            name: name, title: "Stub", method: .program(arguments: [program.displayString] + arguments),
            packages: ["stub-package"])
    }

    func game(
        _ name: BytePath = "game.toy", contents: String = "x", system: String = "toy", emulator: String? = nil
    ) throws -> Game {
        let path = root.roms.appending(system).appending(name)
        try createDirectories(path.parent)
        // Not replaceFile: its temporary name would be too long beside the longest name there can be.
        try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC).writeAll(Array(contents.utf8), subject: path)
        return described(path, system: system, emulator: emulator)
    }

    func described(_ path: BytePath, system: String = "toy", emulator: String? = nil) -> Game {
        Game(
            id: 1, system: system, path: path, relativePath: path.name, title: "The Game", sortTitle: "Game",
            emulator: emulator)
    }

    func planner(
        _ emulators: [EmulatorDefinition], display: DisplayFacts = DisplayFacts(server: .x11, hasGPU: false),
        profiles: [GeneratedFile] = [], system: String = "toy"
    ) -> LaunchPlanner {
        let definition = SystemDefinition(
            name: system, fullName: "Toy Computer", extensions: ["toy"], emulators: emulators)
        return LaunchPlanner(
            root: root, registry: SystemRegistry(systems: [definition]),
            locator: EmulatorLocator(
                environment: ["PATH": "\(folder.path)/bin"], coreDirectories: [folder.path.appending("cores")]),
            display: display, profiles: profiles)
    }

    /// Plans a game for a stub and runs it to its end.
    func run(
        _ script: String, whileRunning: @Sendable (GameSession) async throws -> Void = { _ in }
    ) async throws -> LaunchOutcome {
        let plan = try planner([try emulator(script)]).plan(for: try game())
        return try await play(plan, whileRunning: whileRunning)
    }
}

/// Runs a plan to its end.
func play(
    _ plan: LaunchPlan, whileRunning: @Sendable (GameSession) async throws -> Void = { _ in }
) async throws -> LaunchOutcome {
    let (stream, continuation) = AsyncStream<LaunchOutcome>.makeStream()
    let session = try GameSession.start(plan) { outcome in
        continuation.yield(outcome)
        continuation.finish()
    }
    try await whileRunning(session)
    var outcomes: [LaunchOutcome] = []
    for await outcome in stream { outcomes.append(outcome) }
    #expect(outcomes.count == 1)
    return try #require(outcomes.first)
}

/// Waits until a file is there: the way in which the stubs say that they have come so far.
func waitForFile(_ path: BytePath) async throws {
    while !fileExists(path) {
        // Another process makes it, and nothing of ours is told: look again soon.
        try await Task.sleep(nanoseconds: 5_000_000)
    }
}

/// The launch error that a body ends with; anything else is recorded as an issue.
func launchError<Result>(_ body: () throws -> Result) -> LaunchError? {
    do {
        _ = try body()
        Issue.record("nothing was thrown")
    } catch let error as LaunchError {
        return error
    } catch {
        Issue.record("\(error) was thrown")
    }
    return nil
}

extension BytePath {
    var text: String { displayString }
}
