import Appliance
import Catalog
import Controllers
import FoundationEssentials
import Glibc
import Synchronization
import SystemKit
import Testing

@testable import Commands

/// A machine of a test's own: a data root, no network, and streams that keep what is written to them.
final class World: Sendable {
    let folder: BytePath
    let root: BytePath

    init() throws {
        folder = BytePath("/tmp/commands-tests-\(MonotonicInstant.now.nanoseconds)-\(nextSerial())")
        root = folder.appending("retro")
        try createDirectories(folder)
    }

    deinit { removeTree(folder) }

    /// What a command line gave.
    struct Result {
        let output: String
        let messages: String
        let ending: RetroAdmin.Ending

        var status: SystemKit.ExitStatus? { if case .exit(let status) = ending { status } else { nil } }

        func json() throws -> AnyJSON { try JSONDecoder().decode(AnyJSON.self, from: Data(output.utf8)) }
    }

    /// Runs a command line below this world's root.
    func run(
        _ words: BytePath..., answer: String? = nil, terminal: Int? = nil, environment: [String: String] = [:]
    ) async -> Result {
        await run(words: words, answer: answer, terminal: terminal, environment: environment)
    }

    func run(
        words: [BytePath], answer: String? = nil, terminal: Int? = nil, environment: [String: String] = [:],
        pads: [DeviceFacts]? = nil
    ) async -> Result {
        let output = Collector()
        let messages = Collector()
        var surroundings = Surroundings(
            environment: ["RETRO_HOME": root.displayString, "PATH": programs.displayString].merging(environment) { $1 },
            directory: folder,
            output: .init(isTerminal: terminal != nil, columns: terminal) { output.take($0) },
            messages: .init(isTerminal: terminal != nil, columns: terminal) { messages.take($0) },
            machine: .init(filesystem: folder.appending("machine")),
            network: { NetworkFacts(hostName: "retropie", addresses: []) },
            applianceMarker: folder.appending("no-appliance"))
        if let answer { surroundings.answer = { answer } }
        if let pads { surroundings.controllers = { knowledge, _ in plugged(pads, knowledge) } }
        let ending = await RetroAdmin.run(words, in: surroundings)
        return Result(output: output.text, messages: messages.text, ending: ending)
    }

    /// Where the emulators of this world are.
    var programs: BytePath { folder.appending("bin") }

    @discardableResult
    func rom(_ relative: BytePath, _ contents: String = "rom") throws -> BytePath {
        let path = root.appending("roms").appending(relative)
        try createDirectories(path.parent)
        try replaceFile(at: path, with: Array(contents.utf8))
        return path
    }

    /// A program of this world, as a script.
    @discardableResult
    func program(_ name: String, _ script: String) throws -> BytePath {
        try createDirectories(programs)
        let path = programs.appending(name)
        try replaceFile(at: path, with: Array("#!/bin/sh\n\(script)\n".utf8), permissions: 0o755)
        return path
    }

    /// A system of this world with one emulator, whose games end in `.tst`.
    func testSystem(emulator program: BytePath) throws {
        let folder = root.appending(".retro/systems.d")
        try createDirectories(folder)
        let text = """
            {"systems": [{"name": "tst", "fullName": "Test Machine", "maker": "Nobody", "year": 1999,
              "color": "#123456", "kind": "console", "medium": "cartridge", "extensions": ["tst"],
              "emulators": [{"name": "stub", "title": "Stub", "program": ["\(program.displayString)", "{rom}"]}]}]}
            """
        try replaceFile(at: folder.appending("tst.json"), with: Array(text.utf8))
    }

    /// The number of the only game whose title or path holds a text.
    func id(of text: String) async throws -> Int64 {
        let games = try await run("games", "--json", "--hidden").json().array
        let found = games.filter { ($0["path"]?.string ?? "").contains(text) }
        try #require(found.count == 1, "games with \(text): \(found.count)")
        return try #require(found[0]["id"]?.integer)
    }
}

private final class Collector: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func take(_ added: [UInt8]) -> Int32 {
        bytes.withLock { $0 += added }
        return 0
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

func removeTree(_ path: BytePath) {
    if (try? fileStatus(path, followLinks: false))?.kind == .directory {
        for name in (try? directoryNames(path)) ?? [] { removeTree(path.appending(name)) }
        _ = path.withCString { rmdir($0) }
    } else {
        _ = path.withCString { unlink($0) }
    }
}

/// Pads that only a test has.
@Sendable
private func plugged(_ pads: [DeviceFacts], _ knowledge: PadKnowledge) -> ConnectedControllers {
    ConnectedControllers(
        pads: pads.enumerated().map { index, facts in
            let answer = knowledge.answer(for: facts)
            return PadInfo(
                id: index + 1, node: BytePath("/dev/input/event\(index + 3)"), facts: facts, family: answer.family,
                mapping: answer.mapping, source: answer.source, player: index + 1)
        }, batteries: [1: Battery(percent: 40, isCharging: true)])
}
