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
