import Appliance
import SystemKit
import Testing

@Suite("Facts about the machine")
struct MachineFactsTests {
    @Test("a Raspberry Pi names itself in the device tree, whose text ends with a zero")
    func deviceTree() throws {
        let machine = try FakeMachine()
        try machine.file("proc/device-tree/model", Array("Raspberry Pi 4 Model B Rev 1.4".utf8) + [0])
        try machine.file("sys/class/dmi/id/product_name", "something else\n")
        #expect(read(machine).model == "Raspberry Pi 4 Model B Rev 1.4")
    }

    @Test("a PC is named by its maker and product")
    func desktop() throws {
        let machine = try FakeMachine()
        try machine.file("sys/class/dmi/id/sys_vendor", "LENOVO\n")
        try machine.file("sys/class/dmi/id/product_name", "ThinkCentre M70q \n")
        #expect(read(machine).model == "LENOVO ThinkCentre M70q")
    }

    @Test("what cannot be read is unknown, and the rest is told all the same")
    func nothing() throws {
        let machine = try FakeMachine()
        try machine.file("proc/uptime", "93784.12 180000.00\n")
        let facts = read(machine)
        #expect(facts.model == "unknown")
        #expect(facts.operatingSystem == "unknown")
        #expect(facts.kernel == "unknown")
        #expect(facts.memoryTotalBytes == nil)
        #expect(facts.temperature == nil)
        #expect(facts.uptimeSeconds == 93784.12)
    }

    @Test("memory comes in bytes, the temperature in degrees, the system's name without quotes")
    func numbers() throws {
        let machine = try FakeMachine()
        try machine.file("proc/meminfo", "MemTotal:        3884344 kB\nMemFree: 1 kB\nMemAvailable:    2000000 kB\n")
        try machine.file("sys/class/thermal/thermal_zone0/temp", "48312\n")
        try machine.file("etc/os-release", "NAME=Debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n")
        let facts = read(machine)
        #expect(facts.memoryTotalBytes == Int64(3_884_344 * 1024))
        #expect(facts.memoryAvailableBytes == Int64(2_000_000 * 1024))
        #expect(facts.temperature == 48.312)
        #expect(facts.operatingSystem == "Debian GNU/Linux 13 (trixie)")
    }

    @Test("nonsense in the kernel's files is no number")
    func nonsense() throws {
        let machine = try FakeMachine()
        try machine.file("proc/meminfo", "MemTotal:\nMemAvailable: many kB\n")
        try machine.file("proc/uptime", "\n")
        try machine.file("proc/device-tree/model", "\u{1B}[31mred\n")
        let facts = read(machine)
        #expect(facts.memoryTotalBytes == nil)
        #expect(facts.memoryAvailableBytes == nil)
        #expect(facts.uptimeSeconds == nil)
        #expect(facts.model == "␛[31mred")
    }

    private func read(_ machine: FakeMachine) -> MachineFacts { .read(.init(filesystem: machine.root)) }
}

@Suite("Facts about the network")
struct NetworkFactsTests {
    private func address(
        _ interface: String, _ text: String, v6: Bool = false, loopback: Bool = false, local: Bool = false
    ) -> InterfaceAddress {
        InterfaceAddress(interface: interface, address: text, isIPv6: v6, isLoopback: loopback, isLinkLocal: local)
    }

    @Test("the address that a person types comes first: IPv4, not made up, not of a container's bridge")
    func order() {
        let facts = NetworkFacts(
            hostName: "retropie",
            addresses: [
                address("lo", "127.0.0.1", loopback: true), address("docker0", "172.17.0.1"),
                address("wlan0", "fe80::1", v6: true, local: true), address("wlan0", "fd00::5", v6: true),
                address("wlan0", "192.168.1.20"),
            ])
        #expect(facts.addresses.map(\.address) == ["192.168.1.20", "fd00::5", "fe80::1", "172.17.0.1"])
        #expect(facts.mainAddress == "192.168.1.20")
    }

    @Test("without a network there is no address to show")
    func offline() {
        let facts = NetworkFacts(hostName: "retropie", addresses: [address("lo", "::1", v6: true, loopback: true)])
        #expect(facts.addresses.isEmpty)
        #expect(facts.mainAddress == nil)
    }

    @Test("the kernel's own list has the loopback address and marks it")
    func kernel() throws {
        let loopback = try interfaceAddresses().filter { $0.address == "127.0.0.1" }
        try #require(!loopback.isEmpty, "needs a loopback interface that is up")
        #expect(loopback.allSatisfy { $0.isLoopback && !$0.isIPv6 && !$0.isLinkLocal })
        #expect(!machineHostName().isEmpty)
    }
}
