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
