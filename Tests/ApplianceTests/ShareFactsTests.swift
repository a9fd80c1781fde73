import Appliance
import SystemKit
import Testing

@Suite("Facts about the share")
struct ShareFactsTests {
    private let network = NetworkFacts(
        hostName: "retropie-livingroom",
        addresses: [
            InterfaceAddress(
                interface: "eth0", address: "192.168.1.20", isIPv6: false, isLoopback: false, isLinkLocal: false),
            InterfaceAddress(
                interface: "eth0", address: "fd00::5", isIPv6: true, isLoopback: false, isLinkLocal: false),
            InterfaceAddress(
                interface: "eth0", address: "fe80::5", isIPv6: true, isLoopback: false, isLinkLocal: true),
        ])

    /// A machine with Samba, a games folder, and the given configuration.
    private func machine(
        _ configuration: String?, isInstalled: Bool = true, isRunning: Bool = true
    ) throws -> (FakeMachine, roms: BytePath) {
        let machine = try FakeMachine()
        let roms = machine.root.appending("srv/retro/roms")
        try createDirectories(roms)
        try createDirectories(machine.root.appending("proc"))
        if isInstalled { try machine.file("usr/sbin/smbd", "#!/bin/sh\n", permissions: 0o755) }
        if isRunning { try machine.file("proc/812/comm", "smbd\n") }
        if let configuration {
            let text = configuration.split(separator: "ROOT", omittingEmptySubsequences: false)
                .joined(separator: machine.root.displayString)
            try machine.file("etc/samba/smb.conf", text)
        }
        return (machine, roms)
    }

    private func read(_ machine: FakeMachine, _ roms: BytePath) -> ShareFacts {
        .read(roms: roms, network: network, sources: .init(filesystem: machine.root))
    }

    @Test("a share of the games folder is told with its own name and every address that others can reach")
    func running() throws {
        let (machine, roms) = try machine(
            "[global]\nworkgroup = HOME\n[Games]\n  path = ROOT/srv/retro/roms\n  writable = yes\n")
        let share = read(machine, roms)
        #expect(share.state == .running)
        #expect(share.name == "Games")
        // NetBIOS names have at most fifteen characters.
        #expect(share.windowsAddress == "\\\\RETROPIE-LIVING\\Games")
        #expect(share.addresses == ["smb://192.168.1.20/Games", "smb://[fd00::5]/Games"])
        #expect(!share.isReadOnly)
    }

    @Test("a share of a folder above leads to the games through its subfolders")
    func above() throws {
        let (machine, roms) = try machine(
            "[all]\npath=ROOT/srv\n[retro]\npath = ROOT/srv/retro\nread only = no\n[other]\npath = /somewhere\n")
        let share = read(machine, roms)
        #expect(share.name == "retro")
        #expect(share.windowsAddress == "\\\\RETROPIE-LIVING\\retro\\roms")
        #expect(share.addresses.first == "smb://192.168.1.20/retro/roms")
    }

    @Test(
        "whether one can copy there follows Samba's synonyms and its default",
        arguments: [
            ("read only = no", false), ("READ  ONLY = No", false), ("readonly=0", false), ("writeable = yes", false),
            ("write ok = true", false), ("writable = no", true), ("read only = yes", true), ("", true),
            ("# read only = no", true), ("; writable = yes", true), ("read \\\nonly = no", false),
        ])
    func readOnly(parameter: String, isReadOnly: Bool) throws {
        let (machine, roms) = try machine("[roms]\npath = ROOT/srv/retro/roms\n\(parameter)\n")
        #expect(read(machine, roms).isReadOnly == isReadOnly)
    }

    @Test("what an included file says counts, and a file that includes itself ends")
    func include() throws {
        let (machine, roms) = try machine("[global]\nnetbios name = tv\ninclude = ROOT/etc/samba/retro.conf\n")
        try machine.file(
            "etc/samba/retro.conf",
            "[roms]\r\npath = \(roms.displayString)\r\nread only = no\r\ninclude = \(machine.root.displayString)"
                + "/etc/samba/retro.conf\r\n")
        let share = read(machine, roms)
        #expect(share.windowsAddress == "\\\\TV\\roms")
        #expect(!share.isReadOnly)
    }

    @Test("why there is no share is told apart: no Samba, no such share, not running")
    func states() throws {
        let good = "[roms]\npath = ROOT/srv/retro/roms\n"
        for (text, isInstalled, isRunning, state) in [
            (good, false, false, ShareFacts.State.notInstalled), (nil, true, true, .notConfigured),
            ("[homes]\nbrowseable = no\n", true, true, .notConfigured), (good, true, false, .stopped),
        ] {
            let (machine, roms) = try machine(text, isInstalled: isInstalled, isRunning: isRunning)
            #expect(read(machine, roms).state == state)
        }
    }

    @Test("a path through a link is the same folder")
    func link() throws {
        let (machine, roms) = try machine("[roms]\npath = ROOT/data/retro/roms\n")
        try makeLink(to: machine.root.appending("srv"), at: machine.root.appending("data"))
        #expect(read(machine, roms).state == .running)
    }
}
