import Appliance
import Catalog
import Controllers
import Interface
import Synchronization
import SystemKit
import Testing

@testable import Menu

/// A machine of a test's own: files in a folder, programs that are scripts, and a note of every change that was asked for.
final class NotedMachine: Sendable {
    let folder: BytePath
    private let noted = Mutex<[MachineChange]>([])
    private let answers = Mutex<[ApplianceError]>([])
    /// How often it was asked to look around for networks.
    let scans = Mutex(0)

    init() throws { folder = try temporaryFolder() }

    deinit { removeTree(folder) }

    var changes: [MachineChange] { noted.withLock { $0 } }

    /// The next change fails like this.
    func refuse(_ error: ApplianceError) { answers.withLock { $0.append(error) } }

    func file(_ path: String, _ text: String, permissions: UInt32 = 0o644) throws {
        let full = folder.appending(path)
        try createDirectories(full.parent)
        try replaceFile(at: full, with: Array(text.utf8), permissions: permissions)
    }

    /// Two networks in reach, one of them saved, with NetworkManager looking after them.
    func wifi() throws {
        try createDirectories(folder.appending("sys/class/net/wlx1/phy80211"))
        try file("proc/77/comm", "NetworkManager\n")
        try file(
            "bin/nmcli",
            """
            #!/bin/sh
            case "$*" in
            *"wifi list"*)
                echo " :2054776F20:70:WPA2:pair_ccmp group_ccmp psk"
                echo " :4F70656E:40:--:"
                echo " :436F7270:30:WPA2 802.1X:802.1X" ;;
            *"-f DEVICE"*) echo "wlx1:wifi:disconnected:" ;;
            *"radio"*) echo enabled ;;
            esac

            """, permissions: 0o755)
    }

    var desk: MachineDesk {
        let data = DataPlaces(root: folder, roms: folder, state: folder, configuration: folder)
        let machine = Machine(
            files: .init(filesystem: folder), programs: Programs(folders: [folder.appending("bin")]), data: data)
        return MachineDesk(machine: machine) { [self] change, tell in
            // The menu asks for these by itself, whatever a person does.
            if change == .boot(.menuReached) { return [] }
            if change == .wifi(.scan) {
                scans.withLock { $0 += 1 }
                return []
            }
            noted.withLock { $0.append(change) }
            tell("Doing it")
            if let error = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
            return []
        }
    }
}

@Suite("Settings of the machine")
struct SettingsScreensTests {
    private func open(_ entry: String, _ machine: NotedMachine) async throws -> Rig {
        let rig = try Rig(machine: machine.desk)
        await rig.settle()
        await rig.press(.start)
        await rig.choose("Settings")
        let settings = try #require(rig.application.top as? SettingsScreen)
        settings.open(try #require(settings.entries.firstIndex { $0.title == entry }))
        await rig.settle()
        return rig
    }

    @Test(
        "each part opens on a machine of which nothing is known",
        arguments: [
            "Wi-Fi", "Share", "Storage", "Sound", "Picture", "Place", "Speed", "Name and access", "Backup", "Health",
            "Power",
        ])
    func opens(_ entry: String) async throws {
        let rig = try await open(entry, NotedMachine())
        #expect(rig.application.top is SettingsScreen == false)
        await rig.press(.east)
        #expect(rig.application.top is SettingsScreen)
    }

    @Test("a network's name and password go out as they are, blanks and all")
    func joins() async throws {
        let machine = try NotedMachine()
        try machine.wifi()
        let rig = try await open("Wi-Fi", machine)
        await rig.settle(until: { rig.shows("Two") })
        #expect(machine.scans.withLock { $0 } == 1, "it looks around once, through the door")
        await rig.press(.south)
        await rig.type(" pass wörd; \\ ")
        await rig.press(.start)
        await rig.settle(until: { rig.shows("Connected to") })
        #expect(
            machine.changes == [
                .wifi(.connect(ssid: Array(" Two ".utf8), passphrase: " pass wörd; \\ ", isHidden: false))
            ])
    }

    @Test("a wrong password is told, and another one can be typed")
    func tellsWrongPassword() async throws {
        let machine = try NotedMachine()
        try machine.wifi()
        machine.refuse(.denied("the password of Two is wrong"))
        let rig = try await open("Wi-Fi", machine)
        await rig.settle(until: { rig.shows("Two") })
        await rig.press(.south)
        await rig.type("wrong password")
        await rig.press(.start)
        await rig.settle(until: { rig.shows("The password of Two is wrong.") })
        await rig.press(.right, .south)
        #expect(rig.shows("Password of"))
        await rig.type("right password")
        await rig.press(.start)
        await rig.settle(until: { machine.changes.count == 2 })
    }

    @Test("an open network needs no password, one with accounts is refused, a hidden one is asked for its name")
    func othersJoin() async throws {
        let machine = try NotedMachine()
        try machine.wifi()
        let rig = try await open("Wi-Fi", machine)
        await rig.settle(until: { rig.shows("Open") })
        await rig.press(.down, .south)
        await rig.settle(until: { machine.changes.count == 1 })
        #expect(machine.changes == [.wifi(.connect(ssid: Array("Open".utf8), passphrase: nil, isHidden: false))])
        await rig.settle(until: { rig.application.top is WiFiScreen })
        await rig.press(.down, .south)
        #expect(rig.shows("more than a password"))
        await rig.press(.south)
        await rig.press(.down, .south)
        #expect(rig.shows("The name of the network"))
        await rig.type(" odd ")
        await rig.press(.start)
        await rig.type("12345678")
        await rig.press(.start)
        await rig.settle(until: { machine.changes.count == 2 })
        #expect(
            machine.changes.last
                == .wifi(.connect(ssid: Array(" odd ".utf8), passphrase: "12345678", isHidden: true)))
    }

    @Test("what is done is told while it is done, and why it failed")
    func tellsFailure() async throws {
        let machine = try NotedMachine()
        machine.refuse(.needsRoot("this"))
        let rig = try await open("Power", machine)
        await rig.choose("Restart")
        #expect(rig.shows("Restart?"))
        await rig.press(.right, .south)
        await rig.settle(until: { rig.shows("This needs root.") })
        #expect(machine.changes == [.power(.restart)])
        await rig.press(.south)
        await rig.choose("Switch off")
        await rig.press(.south)
        #expect(machine.changes.count == 1, "who cancels does not switch off")
    }

    @Test("the edges of the picture are moved with the D-pad and kept with a press")
    func edges() async throws {
        let machine = try NotedMachine()
        try machine.file("boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1-02 rootwait\n")
        try machine.file("boot/firmware/config.txt", "[all]\n")
        try machine.file("sys/class/drm/card0-HDMI-A-1/status", "connected\n")
        try machine.file("sys/class/drm/card0-HDMI-A-1/modes", "1920x1080\n1280x720\n1280x720\n")
        let rig = try await open("Picture", machine)
        await rig.settle(until: { rig.shows("Resolution") })
        await rig.choose("Edges")
        #expect(rig.shows("Move the frame"))
        await rig.press(.right, .right, .down, .left, .south)
        await rig.settle(until: { !machine.changes.isEmpty })
        #expect(machine.changes == [.boot(.overscan(left: 4, right: 4, top: 4, bottom: 4))])
        await rig.settle(until: { rig.application.top is PicturePanel })
        await rig.choose("Resolution")
        await rig.choose("1280x720")
        await rig.settle(until: { machine.changes.count == 2 })
        #expect(machine.changes.last == .boot(.resolution(output: "HDMI-A-1", mode: "1280x720")))
    }

    @Test("a screen that nobody touches goes dark; the press that wakes it means nothing else")
    func goesDark() async throws {
        let machine = try NotedMachine()
        let rig = try await open("Power", machine)
        await rig.settle(until: { rig.shows("never") })
        await rig.choose("Dark screen")
        await rig.choose("5 minutes")
        #expect(try await rig.store.settings()["power.screenOff"] == "5")
        let soon = MonotonicInstant.now.advanced(bySeconds: 299)
        rig.application.update(now: soon)
        #expect(rig.application.top is PowerPanel)
        #expect(rig.application.nextDeadline.map { $0 < soon.advanced(bySeconds: 5) } == true)
        rig.application.update(now: soon.advanced(bySeconds: 2))
        #expect(rig.application.top is DarkScreen)
        _ = rig.application.render()
        #expect(rig.texts.isEmpty)
        await rig.press(.east)
        #expect(rig.application.top is PowerPanel)
        await rig.press(.east)
        #expect(rig.application.top is SettingsScreen)
    }

    @Test("a machine that nobody touches switches off once, when that was chosen")
    func switchesOff() async throws {
        let machine = try NotedMachine()
        let rig = try await open("Power", machine)
        await rig.choose("Switches off")
        await rig.choose("15 minutes")
        let later = MonotonicInstant.now.advanced(bySeconds: 901)
        rig.application.update(now: later)
        rig.application.update(now: later.advanced(bySeconds: 1))
        await rig.settle(until: { !machine.changes.isEmpty })
        #expect(machine.changes == [.power(.powerOff)])
    }

    @Test("all that ASCII can print can be typed with a pad")
    func keyboardHasAll() async throws {
        let rig = try Rig()
        var typed = ""
        rig.application.push(
            TextEntryScreen(context: rig.application.context, title: "Secret", text: "##", limit: 200, kind: .exact) {
                typed = $0
            })
        await rig.settle()
        func clickAll(_ keys: some Sequence<Character>) async {
            for key in keys { await rig.click(String(key), isWhole: true) }
        }
        await clickAll("1234567890qwertyuiopasdfghjklzxcvbnm'&-.")
        await rig.click("Shift")
        await clickAll("QWERTYUIOPASDFGHJKLZXCVBNM")
        await rig.click("Space")
        await rig.click("#+=")
        await clickAll("!@#$%^*()_=+[]{}\\|\"`~:;<>/?,")
        await rig.press(.start)
        let printable = Set((0x20...0x7E).map { Character(Unicode.Scalar(UInt8($0))) })
        #expect(printable.subtracting(typed).isEmpty, "missing: \(printable.subtracting(typed))")
        #expect(Set(typed) == printable)
    }
}
