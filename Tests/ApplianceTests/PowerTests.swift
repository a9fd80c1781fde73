import SystemKit
import Testing

@testable import Appliance

@Suite("restarting and switching off")
struct PowerTests {
    @Test("the service manager does it, after the time was saved")
    func manager() throws {
        let fake = try FakeMachine()
        try fake.program("systemctl", #"test -s "$ROOT/var/lib/retro-machine/clock" && echo "$@" > "$ROOT/asked""#)
        try PowerChange.restart.plan(on: fake.machine).apply()
        #expect(try fake.contents("asked") == "reboot\n")
        try PowerChange.powerOff.plan(on: fake.machine).apply()
        #expect(try fake.contents("asked") == "poweroff\n")
    }

    @Test("planning does nothing")
    func plan() throws {
        let fake = try FakeMachine()
        try fake.program("systemctl", #"touch "$ROOT/asked""#)
        #expect(try PowerChange.restart.plan(on: fake.machine).steps.map(\.name) == ["save-clock", "restart"])
        #expect(try directoryNames(fake.root) == ["bin"])
    }

    @Test("a manager that refuses is told")
    func refused() throws {
        let fake = try FakeMachine()
        try fake.program("systemctl", "echo 'Operation inhibited by \"apt\"' >&2; exit 1")
        #expect(throws: ApplianceError.failed("systemctl", detail: "Operation inhibited by \"apt\"")) {
            try PowerChange.restart.plan(on: fake.machine).apply()
        }
    }

    @Test("B089: a menu that no service runs is asked to end first, and waited for")
    func menu() throws {
        let fake = try FakeMachine()
        try fake.program("systemctl", #"test -e "$ROOT/saved" && echo "$@" > "$ROOT/asked""#)
        let process = try stub(fake)
        try fake.file("proc/\(process.id)/comm", "retro-menu\n")
        try fake.file("proc/\(process.id)/cgroup", "0::/user.slice/user-1000.slice/session-2.scope\n")
        let plan = try PowerChange.powerOff.plan(on: fake.machine)
        #expect(plan.steps.map(\.name) == ["end-menu", "save-clock", "power-off"])
        try plan.apply()
        #expect(try fake.contents("asked") == "poweroff\n")
        _ = process.wait(seconds: 10)
    }

    @Test("B089: a menu that a service runs is left to the service manager")
    func service() throws {
        let fake = try FakeMachine()
        try fake.program("systemctl", "exit 0")
        try fake.file("proc/4000000/comm", "retro-menu\n")
        try fake.file("proc/4000000/cgroup", "0::/system.slice/retro-menu.service\n")
        #expect(try PowerChange.restart.plan(on: fake.machine).steps.map(\.name) == ["save-clock", "restart"])
    }

    @Test("a machine that nobody touches goes dark, then off, and never in a game")
    func idle() {
        let policy = IdlePolicy(screenOff: "10", powerOff: "60")
        #expect(policy.state(idleSeconds: 599, isPlaying: false) == .awake)
        #expect(policy.state(idleSeconds: 600, isPlaying: false) == .screenOff)
        #expect(policy.state(idleSeconds: 3600, isPlaying: false) == .powerOff)
        #expect(policy.state(idleSeconds: 36000, isPlaying: true) == .awake)
        #expect(policy.secondsUntilNext(idleSeconds: 100) == 500)
        #expect(policy.secondsUntilNext(idleSeconds: 600) == 3000)
        #expect(policy.secondsUntilNext(idleSeconds: 3600) == nil)
        let never = IdlePolicy(screenOff: nil, powerOff: "17")
        #expect(never.state(idleSeconds: 1e9, isPlaying: false) == .awake)
        #expect(never.secondsUntilNext(idleSeconds: 0) == nil)
    }

    /// A program that saves when it is asked to end, and takes its time for it.
    private func stub(_ fake: FakeMachine) throws -> ChildProcess {
        let root = fake.root.displayString
        let script = """
            trap ': > "\(root)/saved"; rm -rf "\(root)"/proc/$$; exit' TERM
            : > "\(root)/ready"; while :; do sleep 0.05; done
            """
        let child = try ChildProcess.start(
            Spawn(
                program: "/bin/sh", arguments: ["sh", "-c", BytePath(script)], environment: ["PATH=/usr/bin:/bin"],
                directory: "/", separation: .group), streams: SpawnStreams())
        while !fileExists(fake.root.appending("ready")) { sleepThread(seconds: 0.01) }
        return child
    }
}
