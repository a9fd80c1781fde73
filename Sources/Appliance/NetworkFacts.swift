public import SystemKit

/// How this machine is reached from others.
public struct NetworkFacts: Sendable, Equatable {
    /// The machine's name without a domain.
    public let hostName: String
    /// Addresses of interfaces that are up, without loopback; the most useful one first.
    public let addresses: [InterfaceAddress]

    /// Facts from given readings: loopback is left out, and what a person types most easily comes first.
    public init(hostName: String, addresses: [InterfaceAddress]) {
        self.hostName = hostName
        self.addresses =
            addresses.filter { !$0.isLoopback }.enumerated()
            .sorted { (NetworkFacts.rank($0.element), $0.offset) < (NetworkFacts.rank($1.element), $1.offset) }
            .map(\.element)
    }

    /// Reads them now. Without any network there is a name and no address.
    public static func read() -> NetworkFacts {
        NetworkFacts(hostName: machineHostName(), addresses: (try? interfaceAddresses()) ?? [])
    }

    /// The address to show where there is room for one; `nil` while there is no network.
    public var mainAddress: String? { addresses.first { !$0.isLinkLocal }?.address ?? addresses.first?.address }

    private static func rank(_ address: InterfaceAddress) -> Int {
        // Bridges of containers have addresses that nobody in the living room can reach.
        let isInner = ["docker", "veth", "br-", "virbr", "lxc"].contains { address.interface.hasPrefix($0) }
        return (isInner ? 4 : 0) + (address.isLinkLocal ? 2 : 0) + (address.isIPv6 ? 1 : 0)
    }
}
