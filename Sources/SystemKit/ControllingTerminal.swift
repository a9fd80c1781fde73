internal import CLinux
internal import Glibc

/// The terminal that this process runs in the foreground of, lent to a child and taken back.
///
/// A child that takes the keyboard, changes the modes or dies in the middle must not leave the console unusable, and
/// what was typed meanwhile must not reach whoever reads the terminal next.
public final class ControllingTerminal: @unchecked Sendable {
    // The saved modes are written in init only; the descriptor never changes.
    private let descriptor: Int32
    private var attributes = termios()
    private var display: Int32 = 0
    private var keyboard: Int32 = 0
    private let isConsole: Bool

    /// The descriptor to lend.
    public var rawDescriptor: Int32 { descriptor }

    /// - Returns: `nil` where there is no terminal, or this process is not in its foreground.
    public init?() {
        descriptor = Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard tcgetpgrp(descriptor) == getpgrp(), tcgetattr(descriptor, &attributes) == 0 else {
            isConsole = false
            close(descriptor)
            return nil
        }
        isConsole = clinux_console_modes(descriptor, &display, &keyboard) == 0
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Brings this process back into the foreground, restores the modes and forgets what was typed.
    public func takeBack() {
        // A background process that touches the terminal is stopped by SIGTTOU, unless it blocks that.
        var block = sigset_t()
        var before = sigset_t()
        sigemptyset(&block)
        sigaddset(&block, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &block, &before)
        tcsetpgrp(descriptor, getpgrp())
        tcsetattr(descriptor, TCSANOW, &attributes)
        tcflush(descriptor, TCIFLUSH)
        if isConsole { clinux_set_console_modes(descriptor, display, keyboard) }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
