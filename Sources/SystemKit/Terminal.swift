internal import Glibc

/// Whether a descriptor is a terminal.
public func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// How many columns the terminal behind a descriptor has; `nil` where there is none or it does not say.
public func terminalColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

/// Writes all bytes to a descriptor that belongs to somebody else (stdout, stderr).
///
/// - Returns: 0, or the error number of `write`; part of the bytes may have been written.
public func writeBytes(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
        let from = offset
        let count = bytes.withUnsafeBytes { buffer -> Int in
            guard let base = buffer.baseAddress else { return 0 }
            return Glibc.write(descriptor, base + from, buffer.count - from)
        }
        if count > 0 {
            offset += count
        } else if count == 0 {
            return EIO
        } else if errno == EAGAIN {
            // A stdout that somebody made non-blocking: wait for room instead of losing the rest.
            var set = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&set, 1, -1)
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}

/// The error number of a write to a reader that has gone, which is no failure of ours.
public let brokenPipeCode: Int32 = EPIPE

/// Reads one line from a descriptor, without its end.
///
/// - Returns: the bytes; `nil` at the end of the input.
public func readLine(from descriptor: Int32, limit: Int = 4096) -> [UInt8]? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < limit {
        let count = read(descriptor, &byte, 1)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return line.isEmpty ? nil : line }
        if byte == UInt8(ascii: "\n") { return line }
        line.append(byte)
    }
    return line
}

/// How reading a line from a stranger ended.
public enum StrangersLine: Sendable, Equatable {
    /// A whole line, without its end.
    case line([UInt8])
    /// The other side went before the line was complete.
    case cutShort
    /// The line has more bytes than were allowed.
    case tooLong
    /// The time was over before the line was complete.
    case late
}

/// Reads one line from somebody who may send slowly, endlessly or nothing at all. What was sent behind the line may be
/// lost.
///
/// - Parameter seconds: the longest that the whole line may take.
public func readLine(from descriptor: Int32, limit: Int, seconds: Double) -> StrangersLine {
    let deadline = MonotonicInstant.now.advanced(bySeconds: seconds)
    var taken: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
        let left = deadline.seconds(since: .now)
        guard left > 0, !waitReadable([descriptor], seconds: left).isEmpty else { return .late }
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
        guard count > 0 else { return .cutShort }
        let added = chunk[0..<count]
        let end = added.firstIndex(of: UInt8(ascii: "\n"))
        taken += added[..<(end ?? count)]
        if taken.count > limit { return .tooLong }
        if end != nil { return .line(taken) }
    }
}

/// Writes bytes to a stream whose reader may have stopped reading: what there is no room for at once is lost.
public func writeWithoutWaiting(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if errno == ENOTSOCK {
            _ = writeBytes(Array(rest), to: descriptor)
            return
        } else if errno != EINTR {
            return
        }
    }
}

/// The words of the command line after the program's name, as the kernel handed them over.
public func processArguments() -> [BytePath] {
    var result: [BytePath] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
        if let pointer = CommandLine.unsafeArgv[index] { result.append(BytePath(cString: pointer)) }
    }
    return result
}

/// Makes the process safe to write: a reader that goes away is an error number instead of a death, and a standard
/// descriptor that was closed by the caller is never the number of a database.
public func prepareStandardDescriptors() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
        // Opened the wrong way round, so that using it still fails as on a closed one.
        _ = Glibc.open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
}
