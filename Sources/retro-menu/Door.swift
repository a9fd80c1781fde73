import Appliance
import Catalog
import Controllers
import Interface
import Launching
import Menu
import Stage
import Synchronization
import SystemKit
import Systems

/// The program on the television: wires the parts together and runs the loop on the main thread.
@main
struct Door {
    static func main() {
        let arguments = CommandLine.arguments.indices.dropFirst().compactMap { index in
            CommandLine.unsafeArgv[index].map { BytePath(cString: $0) }
        }
        do throws(MenuOptions.UsageError) {
            let options = try MenuOptions(arguments)
            switch options.action {
            case .help: writeText(MenuOptions.usage)
            case .version: writeText("retro-menu \(Appliance.version)\n")
            case .run: end(run(options))
            }
        } catch {
            writeText("retro-menu: \(error)\n\(MenuOptions.usage)", to: 2)
            exitProcess(.usage)
        }
    }

    /// Why the menu ended.
    private enum Ending {
        case status(ExitStatus)
        case failure(String, ExitStatus)
        case scriptFailed(String)
    }

    private static func end(_ ending: Ending) -> Never {
        switch ending {
        case .status(let status): exitProcess(status)
        case .failure(let sentence, let status):
            writeText("retro-menu: \(sentence)\n", to: 2)
            exitProcess(status)
        case .scriptFailed(let sentence):
            writeText("retro-menu: script \(sentence)\n", to: 2)
            exitProcess(code: 1)
        }
    }

    private static func run(_ options: MenuOptions) -> Ending {
        let trace: Trace?
        let script: Script?
        do {
            trace = try options.trace.map { try openTrace($0) }
            script = try options.script.map { try Script(String(decoding: readFile($0), as: UTF8.self)) }
        } catch {
            return .failure("\(error)", error is ScriptError ? .badData : .notFound)
        }
        trace?.write("start")
        let termination = Termination()
        let signals = SignalWatch { _ in termination.request() }
        defer { withExtendedLifetime(signals) {} }
        let environment = processEnvironment()
        let places = DataRoot.resolve(option: options.root, roms: options.roms, environment: environment)
        let registry = SystemRegistry.load(overrides: places.systemsDirectory)
        // Where it cannot be made the store says why, on the screen.
        try? createDirectories(places.state)
        let log = Log(file: places.state.appending("menu.log"))
        for problem in registry.problems { log.write(.warning, "\(problem)") }

        // One that still has the screen would keep it from us.
        endAbandonedGames(log: log)
        let stage: Stage
        do throws(StageError) {
            guard let opened = try openStage(options, environment, termination, log) else { return .status(.done) }
            stage = opened
        } catch {
            return .failure("\(error)", .unavailable)
        }
        let waker = stage.wake
        let mailbox = Mailbox<MenuMessage> { waker.ring() }
        termination.onRequest { mailbox.post(.quit) }
        trace?.write("window", [("width", .number(stage.size.width)), ("height", .number(stage.size.height))])

        let store: CatalogStore
        let root: DataRoot
        let watcher: LibraryWatcher
        let threads: TaskThreads
        do {
            threads = try TaskThreads(name: "inquiries", count: 6)
            store = try CatalogStore.open(root: places, registry: registry, fallback: .temporary) {
                mailbox.post(.catalog($0))
            }
            // What is made for a game goes where the store found room for its own.
            root = store.root
            watcher = try LibraryWatcher(store: store, root: root, registry: registry, log: log)
        } catch {
            return .failure("\(error)", .inputOutput)
        }
        let facts = DisplayFacts.detect(environment: environment)
        let controllers = ControllerRoom(root: root, log: log) { mailbox.post(.controller($0)) }
        let curtain = Curtain(stage)
        let machine = Machine(
            data: DataPlaces(
                root: root.root, roms: root.roms, state: root.state, configuration: root.configuration))
        let machineDoor = MachineDoor(machine: machine)
        let application = Application(
            world: Application.World(
                root: root, registry: registry, store: store, locator: EmulatorLocator(environment: environment),
                display: facts,
                readShare: {
                    ShareAddress(ShareFacts.read(roms: root.roms, network: NetworkFacts.read()), folder: root.roms)
                },
                environment: environment,
                mailbox: mailbox, threads: threads, minutesOfDay: localMinutesOfDay,
                isClockSet: { ClockFacts.isTold(machine) },
                desk: controllers.desk,
                machine: MachineDesk(machine: machine) { change, tell in try machineDoor.perform(change, began: tell) },
                sticks: .process(machine, program: adminProgram(), arguments: StickDesk.arguments(root)),
                log: log),
            display: curtain, trace: trace)
        if let trouble = store.startTrouble {
            log.write(.error, "\(trouble.sentence) \(trouble.advice)")
        }
        if let notice = store.startNotice {
            log.write(.warning, notice)
            application.notify(notice)
        }
        // The folder of games may be on a share that sleeps: the first picture does not wait for it.
        startThread(name: "library") {
            // Where it never answers, the games elsewhere are followed all the same.
            _ = answer(within: 3) {
                do throws(SystemError) {
                    try prepareLibrary(root, registry)
                } catch {
                    log.write(.error, "the folders of games cannot be made: \(error)")
                    mailbox.post(.notice("The folders of games cannot be made: \(error)."))
                }
            }
            watcher.start()
        }
        controllers.monitor.start()
        let ending = loop(application, stage, curtain, mailbox, script.map { ScriptRunner($0) }, trace)
        controllers.monitor.stop()
        watcher.stop()
        return ending
    }

    /// `retro-admin`, which lies beside this program.
    private static func adminProgram() -> BytePath {
        let own = (try? resolvedPath("/proc/self/exe")) ?? "/usr/bin/retro-menu"
        return own.parent.appending("retro-admin")
    }

    private static func openTrace(_ path: BytePath) throws -> Trace {
        let file = try TextFile(creating: path)
        return Trace { file.append($0) }
    }

    /// Opens the display; on a bare console it waits for a screen to be switched on.
    ///
    /// - Returns: `nil` when the process was asked to end meanwhile.
    private static func openStage(
        _ options: MenuOptions, _ environment: [String: String], _ termination: Termination, _ log: Log
    ) throws(StageError) -> Stage? {
        let mode: StageMode =
            switch options.mode {
            case .fullscreen: .fullscreen
            case .windowed(let width, let height): .windowed(width: width, height: height)
            case .headless(let width, let height): .headless(width: width, height: height)
            }
        let stageOptions = StageOptions(mode: mode, title: "Retro Appliance", icons: MenuIcons.svg)
        let waits = mode == .fullscreen && DisplayFacts.detect(environment: environment).server == .kms
        var hasComplained = false
        while true {
            let failure: StageError
            do throws(StageError) {
                return try Stage(stageOptions, log: log)
            } catch {
                failure = error
            }
            guard waits else { throw failure }
            if !hasComplained { log.write(.warning, "\(failure) Waiting for a screen.") }
            hasComplained = true
            if termination.wait(seconds: 2) { return nil }
        }
    }

    private static func loop(
        _ application: Application, _ stage: Stage, _ curtain: Curtain, _ mailbox: Mailbox<MenuMessage>,
        _ script: ScriptRunner?, _ trace: Trace?
    ) -> Ending {
        var lastPresent = MonotonicInstant(nanoseconds: 0)
        var hasPresented = false
        var wasReady = false
        var scriptDue: MonotonicInstant?
        var failure: String?
        var scriptFailure: String?
        while application.isRunning {
            let now = MonotonicInstant.now
            // A renderer that waits for the screen's refresh has used this time already; a software one has not.
            var deadline =
                application.needsDisplay ? lastPresent.advanced(bySeconds: 1.0 / 60) : application.nextDeadline
            if script != nil { deadline = min(deadline ?? scriptDue ?? now, scriptDue ?? now) }
            for event in stage.waitEvents(until: deadline) { application.handle(event, now: .now) }
            for message in mailbox.drain() { application.receive(message) }
            application.update(now: .now)
            if application.needsDisplay, MonotonicInstant.now >= lastPresent.advanced(bySeconds: 1.0 / 60) {
                let cpu = processCPUSeconds()
                let list = application.render()
                stage.present(list)
                lastPresent = .now
                trace?.write(
                    hasPresented ? "frame" : "firstFrame",
                    [
                        ("cpu", .number(processCPUSeconds() - cpu)), ("screen", .text(application.screenName)),
                        ("commands", .number(Double(list.commands.count))),
                    ])
                hasPresented = true
                if application.isReady && !wasReady {
                    wasReady = true
                    trace?.write("ready")
                }
            }
            guard let script, application.failure == nil else { continue }
            switch script.turn(application, now: .now, failure: failure) {
            case .waiting(let until): scriptDue = until
            case .screenshot(let path):
                do throws(StageError) {
                    try stage.screenshot(to: path)
                    failure = nil
                } catch {
                    failure = "\(error)"
                }
                scriptDue = .now
            case .finished: scriptDue = MonotonicInstant.now.advanced(bySeconds: 3600)
            case .failed(let sentence):
                // A game that runs must not stay behind.
                scriptFailure = sentence
                application.end(because: sentence)
            }
        }
        if let scriptFailure { return .scriptFailed(scriptFailure) }
        if let sentence = application.failure { return .failure(sentence, .unavailable) }
        return .status(.done)
    }
}

/// The stage as the menu sees it.
private final class Curtain: Display {
    private let stage: Stage

    init(_ stage: Stage) { self.stage = stage }

    var measurer: any TextMeasuring { stage.measurer }
    var size: Size { stage.size }
    var isDecoding: Bool { stage.isDecoding }
    func giveUp() { stage.giveUpDisplay() }

    func takeBack() -> String? {
        do throws(StageError) {
            try stage.takeBackDisplay()
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// Brings a request to end from the signal thread to whoever waits at the time.
private final class Termination: Sendable {
    private struct State: Sendable {
        var isRequested = false
        var forward: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func request() {
        let forward = state.withLock { state in
            state.isRequested = true
            return state.forward
        }
        forward?()
    }

    func onRequest(_ forward: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            state.forward = forward
            return state.isRequested
        }
        if isRequested { forward() }
    }

    /// Sleeps, but not past a request.
    func wait(seconds: Double) -> Bool {
        let end = MonotonicInstant.now.advanced(bySeconds: seconds)
        while MonotonicInstant.now < end {
            if state.withLock({ $0.isRequested }) { return true }
            _ = waitReadable([], seconds: 0.1)
        }
        return false
    }
}
