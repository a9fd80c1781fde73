import Appliance
import Catalog
import Controllers
import Glibc
import Synchronization
import SystemKit
import Testing

@testable import Menu

@Suite("News of USB sticks")
struct StickNewsTests {
    /// A machine with a folder of games and a stick that can be plugged.
    private final class Plug {
        let folder: BytePath
        let machine: Machine
        let started = Started()
        let point: BytePath
        var roms: BytePath { machine.data.roms }

        /// The sticks whose copies were begun.
        final class Started: Sendable {
            let sticks = Mutex<[Stick]>([])
            let changes = Mutex<[MachineChange]>([])
        }

        /// - Parameter isOurs: whether the appliance mounted the stick, and not a desktop.
        init(isOurs: Bool = false) throws {
            folder = try temporaryFolder()
            point = folder.appending(isOurs ? "media/retro/GAMES" : "media/GAMES")
            let root = folder.appending("data")
            machine = Machine(
                files: .init(filesystem: folder), programs: Programs(folders: []),
                data: DataPlaces(
                    root: root, roms: root.appending("roms"), state: root.appending(".retro"),
                    configuration: root.appending(".retro")))
            try createDirectories(roms.appending("nes"))
            try createDirectories(machine.data.state)
            let disk = folder.appending("sys/devices/usb1/block/sda")
            try createDirectories(disk.appending("sda1"))
            try replaceFile(at: disk.appending("sda1/partition"), with: Array("1".utf8))
            try createDirectories(folder.appending("sys/dev/block"))
            let link = folder.appending("sys/dev/block/8:1")
            _ = disk.appending("sda1").withCString { target in link.withCString { symlink(target, $0) } }
            try createDirectories(folder.appending("proc/self"))
            for number in 1...3 { try put("roms/nes/Game \(number).nes", "game \(number)") }
        }

        deinit { removeTree(folder) }

        func put(_ path: String, _ text: String) throws {
            let full = point.appending(path)
            try createDirectories(full.parent)
            try replaceFile(at: full, with: Array(text.utf8))
        }

        func mount(_ isThere: Bool = true) throws {
            let root = "20 1 179:2 / / rw - ext4 /dev/root rw\n"
            let stick = isThere ? "22 1 8:1 / \(point) rw - vfat /dev/sda1 rw\n" : ""
            try replaceFile(at: folder.appending("proc/self/mountinfo"), with: Array((root + stick).utf8))
        }

        func rig() throws -> Rig {
            let started = started
            return try Rig(
                machine: MachineDesk(machine: machine) { change, _ in
                    started.changes.withLock { $0.append(change) }
                    return []
                },
                sticks: StickDesk { stick in started.sticks.withLock { $0.append(stick) } })
        }

        /// What the process does that the menu starts.
        func copy(_ rig: Rig) throws {
            let rules = StickNews.rules(rig.application.world.registry)
            for stick in started.sticks.withLock({ $0 }) {
                _ = try StickCopy(stick, on: machine, rules: rules).run()
            }
        }
    }

    @Test("a stick is offered when it is plugged in; Select begins the copy, whose end is told")
    func offer() async throws {
        let plug = try Plug()
        try plug.mount(false)
        let rig = try plug.rig()
        await rig.settle()
        try plug.mount()
        rig.application.receive(.catalog(.sources))
        await rig.settle(until: { rig.shows("Copy 3 games from GAMES?") })
        #expect(plug.started.sticks.withLock { $0.isEmpty })
        rig.send(.select, true)
        rig.send(.select, false)
        await rig.settle(until: { !plug.started.sticks.withLock { $0.isEmpty } })
        #expect(StickJournals(plug.machine.data).all().map(\.state) == [.wanted])
        try plug.copy(rig)
        await rig.settle(until: { rig.shows("3 games copied from GAMES") })
        #expect(try directoryNames(plug.roms.appending("nes")).count == 3)
        // The same stick once more has nothing new.
        try plug.mount(false)
        rig.application.receive(.catalog(.sources))
        await rig.settle()
        try plug.mount()
        rig.application.receive(.catalog(.sources))
        await rig.settle(until: { rig.shows("Everything on GAMES is here already") })
    }

    @Test("what was left on the stick is told behind a button")
    func problems() async throws {
        let plug = try Plug()
        try plug.mount()
        try replaceFile(at: plug.roms.appending("nes/Game 2.nes"), with: Array("another".utf8))
        let rig = try plug.rig()
        await rig.settle(until: { rig.shows("Copy 2 games from GAMES?") })
        rig.send(.select, true)
        rig.send(.select, false)
        await rig.settle(until: { !plug.started.sticks.withLock { $0.isEmpty } })
        try plug.copy(rig)
        await rig.settle(until: { rig.shows("2 games copied from GAMES, 1 file not") })
        await rig.press(.select)
        #expect(rig.shows("another file of this name is here"))
    }

    @Test("what was interrupted goes on by itself when the stick is back")
    func goesOn() async throws {
        let plug = try Plug()
        try plug.mount()
        let stick = try #require(Stick.plugged(on: plug.machine).first)
        try StickJournals(plug.machine.data).want(stick)
        try plug.mount(false)
        let rig = try plug.rig()
        await rig.settle()
        #expect(plug.started.sticks.withLock { $0.isEmpty })
        try plug.mount()
        rig.application.receive(.catalog(.sources))
        await rig.settle(until: { !plug.started.sticks.withLock { $0.isEmpty } })
        try plug.copy(rig)
        await rig.settle(until: { rig.shows("3 games copied from GAMES") })
    }

    @Test("the panel lists sticks and what was begun, and gives a copy up")
    func panel() async throws {
        let plug = try Plug()
        try plug.mount()
        let rig = try plug.rig()
        await rig.settle()
        rig.application.push(StickPanel(context: rig.application.context))
        await rig.settle(until: { rig.shows("3 new") })
        let stick = try #require(Stick.plugged(on: plug.machine).first)
        try StickJournals(plug.machine.data).want(stick)
        try plug.mount(false)
        rig.application.receive(.catalog(.sources))
        await rig.settle(until: { rig.shows("not there") })
        await rig.press(.south)
        #expect(rig.shows("Stop copying from GAMES?"))
        await rig.press(.right, .south)
        await rig.settle(until: { rig.shows("No stick with games") })
        #expect(StickJournals(plug.machine.data).all().isEmpty)
    }

    @Test("a stick that the appliance mounted can be taken out; one of a desktop is the desktop's")
    func removal() async throws {
        let plug = try Plug(isOurs: true)
        try plug.mount()
        let rig = try plug.rig()
        await rig.settle()
        rig.application.push(StickPanel(context: rig.application.context))
        await rig.settle(until: { rig.shows("Remove GAMES safely") })
        await rig.press(.down, .south)
        await rig.settle(until: { rig.shows("GAMES can be pulled out now") })
        #expect(plug.started.changes.withLock { $0 } == [.stick(.unmount(device: "sda1"))])

        let other = try Plug()
        try other.mount()
        let desktop = try other.rig()
        await desktop.settle()
        desktop.application.push(StickPanel(context: desktop.application.context))
        await desktop.settle(until: { desktop.shows("3 new") })
        #expect(!desktop.shows("Remove GAMES safely"))
    }

    @Test("an idle menu is not woken by sticks")
    func idle() async throws {
        let plug = try Plug()
        try plug.mount()
        let rig = try plug.rig()
        await rig.settle()
        #expect(rig.application.stickNews.deadline == nil)
    }
}
