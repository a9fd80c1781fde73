internal import Glibc

/// A stream to a program on this machine, through a socket in the file system.
public final class LocalSocket: Sendable {
    private let descriptor: Int32

    /// Connects to the program that listens there.
    ///
    /// - Throws: `SystemError` of `socket` or `connect`; `ENAMETOOLONG` for a path of more than 107 bytes.
    public init(connectingTo path: BytePath) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.bytes.count < room else { throw SystemError(call: "connect", path: path, code: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
        let value = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard value >= 0 else { throw SystemError(call: "socket", path: path, code: errno) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(value, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(value)
            throw SystemError(call: "connect", path: path, code: code)
        }
        descriptor = value
    }

    deinit { close(descriptor) }

    /// Writes all bytes.
    ///
    /// - Throws: `SystemError` of `send`; a program that has gone is `EPIPE`, never a signal.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SystemError(call: "send", subject: "", code: errno)
            }
        }
    }

    /// Reads up to a line end, which is not part of the result.
    ///
    /// - Returns: `nil` at the end, and for a line of more than `limit` bytes.
    public func readLine(limit: Int) -> [UInt8]? { SystemKit.readLine(from: descriptor, limit: limit) }
}
