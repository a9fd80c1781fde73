import Launching
import SystemKit
import Testing

@Suite struct AbandonedGames {
    @Test("a game whose menu was killed is ended and may save; one whose menu lives is left alone")
    func ends() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.write(
            "stub",
            """
            #!/bin/sh
            trap 'echo saved > "$1"; exit 0' TERM
            touch "$1.ready"
            while :; do sleep 0.05; done

            """, mode: 0o755)
        func start(_ name: String, owner: Int32) throws -> ChildProcess {
            let null = try Descriptor.nothing()
            return try ChildProcess.start(
                Spawn(
                    program: program, arguments: [program, folder.path.appending(name)],
                    environment: ["PATH=/usr/bin:/bin", BytePath("RETRO_GAME=\(owner)-1")], directory: folder.path,
                    separation: .session),
                streams: SpawnStreams(input: null.rawValue, output: null.rawValue, error: null.rawValue))
        }
        // Larger than any process number that Linux gives.
        let orphan = try start("orphan", owner: 1 << 23)
        let kept = try start("kept", owner: currentProcessID)
        for name in ["orphan.ready", "kept.ready"] {
            while !fileExists(folder.path.appending(name)) { await Task.yield() }
        }
        #expect(endAbandonedGames(log: Log(minimum: .error)) >= 1)
        #expect(fileExists(folder.path.appending("orphan")))
        #expect(!fileExists(folder.path.appending("kept")))
        _ = orphan.reap()
        ProcessHandle(kept.id)?.signal(ProcessSignal.kill)
        _ = waitReadable([kept.pidDescriptor], seconds: 10)
        _ = kept.reap()
    }
}
