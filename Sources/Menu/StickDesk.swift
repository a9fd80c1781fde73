public import Appliance
public import SystemKit
public import Systems

/// How copies from USB sticks are begun: by the service where there is one, else by a process of our own.
///
/// The menu itself copies nothing: a copy must outlive it, and must not slow it down.
public struct StickDesk: Sendable {
    /// Begins the copy of a stick that is wanted already. Blocks for a moment: never on the menu's thread.
    public var start: @Sendable (Stick) throws -> Void

    /// A desk at which nothing is begun.
    public init() { start = { _ in } }

    /// A desk that starts copies in a given way.
    public init(start: @escaping @Sendable (Stick) throws -> Void) { self.start = start }

    /// The machine's own: the service is started by the wish itself.
    ///
    /// - Parameters:
    ///   - program: `retro-admin`.
    ///   - arguments: those that lead it to the menu's folders.
    public static func process(_ machine: Machine, program: BytePath, arguments: [BytePath]) -> StickDesk {
        StickDesk { _ in
            if serviceListens(machine) { return }
            let spawn = Spawn(
                program: program, arguments: ["retro-admin", "sticks", "copy", "--unfinished"] + arguments,
                environment: Spawn.currentEnvironment, directory: "/", separation: .session)
            let silence = try Descriptor.open("/dev/null", flags: 2)
            let number = silence.rawValue
            let child = try ChildProcess.start(
                spawn, streams: SpawnStreams(input: number, output: number, error: number))
            // Somebody has to hear of its end, or it stays as a name in the table.
            startThread(name: "stick-copy") { _ = child.wait(seconds: 86_400 * 7) }
        }
    }

    private static func serviceListens(_ machine: Machine) -> Bool {
        guard fileExists(machine.path("run/systemd/system")), machine.data.state == "/var/lib/retro",
            let result = try? machine.programs.run(
                "systemctl", ["is-active", "--quiet", "retro-sticks.path"], package: "systemd", seconds: 5)
        else { return false }
        return result.succeeded
    }

    /// The arguments that lead `retro-admin` to the same folders as this menu.
    public static func arguments(_ root: DataRoot) -> [BytePath] {
        // The appliance's own folders are what it finds by itself; they have no option.
        guard DataRoot(root: root.root, roms: root.roms) == root else { return [] }
        return ["--root", root.root, "--roms", root.roms]
    }
}
