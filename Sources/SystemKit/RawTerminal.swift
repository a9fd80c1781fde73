internal import Glibc

/// A terminal whose keys arrive one by one and are not shown, until this is gone. Ctrl-C stays a signal.
///
/// For one thread.
public final class RawTerminal {
    /// The descriptor for a poll set.
    public let rawDescriptor: Int32
    private var before = termios()

    /// - Returns: `nil` where the descriptor is no terminal, or this process is not in its foreground.
    public init?(_ descriptor: Int32) {
        rawDescriptor = descriptor
        // From the background changing it would stop the process.
        guard tcgetpgrp(descriptor) == getpgrp(), tcgetattr(descriptor, &before) == 0 else { return nil }
        var attributes = before
        attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Reading returns at once, with what there is.
        withUnsafeMutableBytes(of: &attributes.c_cc) { characters in
            characters[Int(VMIN)] = 0
            characters[Int(VTIME)] = 0
        }
        guard tcsetattr(descriptor, TCSANOW, &attributes) == 0 else { return nil }
    }

    deinit { tcsetattr(rawDescriptor, TCSAFLUSH, &before) }

    /// What was typed since the last time; empty also when the terminal is gone.
    public func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(rawDescriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : []
    }
}

/// Reads a line from a terminal that does not show what is typed; its state is as before afterwards.
///
/// - Returns: the bytes without the line end; `nil` at the end of the input.
public func readHiddenLine(from terminal: Int32) -> [UInt8]? {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return readLine(from: terminal) }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer {
        tcsetattr(terminal, TCSAFLUSH, &before)
        writeText("\n", to: terminal)
    }
    return readLine(from: terminal)
}
