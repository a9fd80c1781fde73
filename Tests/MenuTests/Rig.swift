import Appliance
import Catalog
import Controllers
import Interface
import Launching
import SystemKit
import Systems
import Testing

@testable import Menu

/// A display that paints nothing and counts what is asked of it.
final class FakeDisplay: Display, TextMeasuring {
    var size: Size
    var givenUp = 0
    var takenBack = 0
    var isUp = true
    /// Why the screen cannot be had again.
    var refusal: String?
    let isDecoding = false

    init(_ size: Size) { self.size = size }

    var measurer: any TextMeasuring { self }
    func width(of text: String, style: TextStyle) -> Double { Double(text.count) * style.size * 0.52 }
    func lineHeight(_ style: TextStyle) -> Double { style.size * 1.25 }

    func giveUp() {
        givenUp += 1
        isUp = false
    }

    func takeBack() -> String? {
        takenBack += 1
        if let refusal { return refusal }
        isUp = true
        return nil
    }
}

/// The whole menu over a real catalog in a temporary folder, driven without a screen.
final class Rig {
    let folder: BytePath
    let root: DataRoot
    let store: CatalogStore
    let application: Application
    let display: FakeDisplay
    private let mailbox: Mailbox<MenuMessage>

    init(
        size: Size = Size(1280, 720), systems: [SystemDefinition]? = nil, share: ShareAddress? = nil,
        readShare: (@Sendable () -> ShareAddress)? = nil, trace: Trace? = nil,
        desk: ControllerDesk = ControllerDesk(), machine: MachineDesk? = nil,
        sticks: StickDesk = StickDesk { _ in }, isClockSet: @escaping () -> Bool = { true }
    ) throws {
        folder = try temporaryFolder()
        root = DataRoot(root: folder.appending("root"))
        let registry = SystemRegistry(systems: systems ?? Rig.systems(stub: folder.appending("stub")))
        try prepareLibrary(root, registry)
        let mailbox = Mailbox<MenuMessage> {}
        self.mailbox = mailbox
        store = try CatalogStore.open(root: root, registry: registry) { mailbox.post(.catalog($0)) }
        display = FakeDisplay(size)
        let share =
            share ?? ShareAddress(windows: "\\\\RETROPIE\\roms", url: "smb://192.0.2.7/roms", folder: root.roms)
        application = Application(
            world: Application.World(
                root: root, registry: registry, store: store, locator: EmulatorLocator(environment: ["PATH": "/bin"]),
                display: DisplayFacts(server: .kms, hasGPU: false),
                readShare: readShare ?? { share },
                environment: [:], mailbox: mailbox, threads: try TaskThreads(name: "inquiries", count: 3),
                minutesOfDay: { 21 * 60 + 5 }, isClockSet: isClockSet, desk: desk,
                machine: machine ?? Rig.machine(below: folder),
                sticks: sticks,
                log: Log(minimum: .error)),
            display: display, trace: trace)
    }

    deinit { removeTree(folder) }

    /// A machine of which nothing is known, and which refuses every change.
    static func machine(below folder: BytePath) -> MachineDesk {
        let data = DataPlaces(root: folder, roms: folder, state: folder, configuration: folder)
        let machine = Machine(
            files: .init(filesystem: folder.appending("machine")), programs: Programs(folders: []), data: data)
        return MachineDesk(machine: machine) { _, _ in throw ApplianceError.needsRoot("this") }
    }

    /// Two systems; the games of both are run by a script that each test writes.
    static func systems(stub: BytePath) -> [SystemDefinition] {
        let emulator = EmulatorDefinition(
            name: "stub", title: "Stub", method: .program(arguments: [stub.displayString, "{rom}"]))
        let other = EmulatorDefinition(
            name: "absent", title: "Absent", method: .program(arguments: ["no-such-program-anywhere", "{rom}"]),
            packages: ["absent-emulator"])
        return [
            SystemDefinition(
                name: "nes", fullName: "Nintendo Entertainment System", maker: "Nintendo", year: 1983, color: 0xE03A3E,
                extensions: ["nes"], emulators: [emulator, other]),
            SystemDefinition(
                name: "gb", fullName: "Game Boy", maker: "Nintendo", year: 1989, color: 0x9BBC0F, kind: .handheld,
                extensions: ["gb"], emulators: [other]),
        ]
    }

    /// Writes the program that stands for an emulator.
    func stub(_ script: String) throws {
        try replaceFile(
            at: folder.appending("stub"), with: Array("#!/bin/sh\n\(script)\n".utf8), permissions: 0o755)
    }

    /// Puts a game into a system's folder.
    func add(_ name: BytePath, to system: String = "nes") throws {
        try replaceFile(at: root.roms.appending(system).appending(name), with: Array("game \(name)".utf8))
    }

    /// Scans, and lets the menu hear of it.
    func scan() async throws {
        _ = try await store.scan()
        await settle()
    }

    /// Lets everything happen that is on its way.
    func settle(until condition: (() -> Bool)? = nil) async {
        let limit = MonotonicInstant.now.advanced(bySeconds: 20)
        while MonotonicInstant.now < limit {
            for message in mailbox.drain() { application.receive(message) }
            application.update(now: .now)
            if application.needsDisplay { _ = application.render() }
            if condition?() ?? application.isIdle { return }
            // The pace of frames. The pool that answers has as few threads as cores, so nobody may block one.
            try? await Task.sleep(for: .milliseconds(2))
        }
        Issue.record("the menu did not settle; it shows \(texts)")
    }

    func press(_ buttons: PadButton...) async {
        for button in buttons {
            send(button, true)
            send(button, false)
            await settle()
        }
    }

    func send(_ button: PadButton, _ isPressed: Bool) {
        application.receive(.controller(.button(pad: 1, button: button, isPressed: isPressed, time: .now)))
    }

    func press(key: Interface.Key) async {
        for isPressed in [true, false] {
            application.handle(.key(key, isPressed: isPressed, isRepeat: false), now: .now)
        }
        await settle()
    }

    /// Presses and releases the pointer on the text that was painted last of those that begin so.
    ///
    /// - Parameter isWhole: whether the text must be just that; the first of those is taken.
    func click(_ text: String, isWhole: Bool = false) async {
        application.window.setNeedsDisplay()
        let places = application.render().commands.compactMap { command -> Point? in
            guard case .text(let shown, let point, let style, _) = command,
                isWhole ? shown == text : shown.hasPrefix(text)
            else { return nil }
            return Point(point.x + 2, point.y + display.lineHeight(style) / 2)
        }
        guard let place = isWhole ? places.first : places.last else {
            Issue.record("“\(text)” cannot be clicked; the menu shows \(texts)")
            return
        }
        application.handle(.pointer(.pointerPressed(place)), now: .now)
        application.handle(.pointer(.pointerReleased(place)), now: .now)
        await settle()
    }

    /// Chooses a row of the open panel by the start of its words.
    func choose(_ label: String) async {
        selectRow(label)
        await press(.south)
    }

    /// Moves to a row of the open panel.
    func selectRow(_ label: String) {
        guard let panel = application.top as? ChoiceScreen,
            let row = panel.rows.firstIndex(where: { $0.label.hasPrefix(label) })
        else {
            Issue.record("“\(label)” is in no panel; the menu shows \(texts)")
            return
        }
        panel.select(row)
    }

    func type(_ text: String) async {
        application.handle(.text(text), now: .now)
        await settle()
    }

    var texts: [String] { application.visibleTexts }

    func shows(_ text: String) -> Bool {
        texts.contains { $0.contains(text) } || texts.joined(separator: " ").contains(text)
    }
}

func temporaryFolder() throws -> BytePath {
    let base = BytePath(environmentValue("TMPDIR") ?? "/tmp")
    let path = base.appending("menu-tests-\(MonotonicInstant.now.nanoseconds)-\(UInt32.random(in: 0 ... .max))")
    try createDirectories(path)
    return path
}

func removeTree(_ path: BytePath) {
    guard let status = try? fileStatus(path, followLinks: false) else { return }
    if status.kind == .directory {
        for name in (try? directoryNames(path)) ?? [] { removeTree(path.appending(name)) }
        try? removeDirectory(path)
    } else {
        try? removeFile(path)
    }
}
