internal import Glibc

/// One address of one network interface.
public struct InterfaceAddress: Sendable, Equatable {
    /// The kernel's name of the interface, e.g. `wlan0`.
    public let interface: String
    /// The address as text: `192.168.1.20` or `fd00::1`, without a zone.
    public let address: String
    /// Whether it is an IPv6 address.
    public let isIPv6: Bool
    /// Whether it reaches this machine only (`127.0.0.0/8`, `::1`).
    public let isLoopback: Bool
    /// Whether it is made up without a router (`169.254.0.0/16`, `fe80::/10`) and needs a zone to be reached.
    public let isLinkLocal: Bool

    /// An address with all its parts.
    public init(interface: String, address: String, isIPv6: Bool, isLoopback: Bool, isLinkLocal: Bool) {
        self.interface = interface
        self.address = address
        self.isIPv6 = isIPv6
        self.isLoopback = isLoopback
        self.isLinkLocal = isLinkLocal
    }
}

/// The addresses of all interfaces that are up, in the kernel's order.
///
/// - Throws: `SystemError` of `getifaddrs`.
public func interfaceAddresses() throws(SystemError) -> [InterfaceAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { throw SystemError(call: "getifaddrs", subject: "", code: errno) }
    defer { freeifaddrs(list) }
    var result: [InterfaceAddress] = []
    var cursor = list
    while let entry = cursor {
        cursor = entry.pointee.ifa_next
        // An interface without an address of its own has none here; packet sockets are no address a person can use.
        guard let socketAddress = entry.pointee.ifa_addr, entry.pointee.ifa_flags & UInt32(IFF_UP) != 0 else {
            continue
        }
        let interface = String(cString: entry.pointee.ifa_name)
        switch Int32(socketAddress.pointee.sa_family) {
        case AF_INET:
            let raw = socketAddress.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            let bytes = withUnsafeBytes(of: raw) { Array($0) }
            result.append(
                InterfaceAddress(
                    interface: interface, address: bytes.map(String.init).joined(separator: "."), isIPv6: false,
                    isLoopback: bytes[0] == 127, isLinkLocal: bytes[0] == 169 && bytes[1] == 254))
        case AF_INET6:
            var raw = socketAddress.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
            let bytes = withUnsafeBytes(of: raw) { Array($0) }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(AF_INET6, &raw, &text, socklen_t(text.count)) != nil else { continue }
            result.append(
                InterfaceAddress(
                    interface: interface,
                    address: String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
                    isIPv6: true, isLoopback: bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1,
                    isLinkLocal: bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80))
        default:
            continue
        }
    }
    return result
}

/// The machine's name as the kernel has it, without a domain.
public func machineHostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    let bytes = buffer.prefix { $0 != 0 && $0 != CChar(bitPattern: UInt8(ascii: ".")) }
    return BytePath.displayString(of: bytes.map { UInt8(bitPattern: $0) })
}
