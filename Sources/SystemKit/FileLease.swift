internal import Glibc

/// Whether a file is still being written by somebody.
public enum FileWriter: Sendable, Equatable {
    /// A process has it open for writing.
    case present
    /// No process of this machine has.
    case absent
    /// The kernel does not tell: not the file's owner, or a filesystem without leases.
    case unknown
}

/// Asks the kernel by taking a read lease, which it refuses while a writer has the file open, and gives it back.
func writerOfFile(_ file: Int32) -> FileWriter {
    // A writer that opens the file in between breaks the lease by a signal, and the usual one (SIGIO) would end
    // this process: ask for one that is ignored by default.
    guard fcntl(file, setSignalCommand, SIGURG) == 0 else { return .unknown }
    if fcntl(file, setLeaseCommand, Int32(F_RDLCK)) == 0 {
        _ = fcntl(file, setLeaseCommand, Int32(F_UNLCK))
        return .absent
    }
    return errno == EAGAIN ? .present : .unknown
}

// F_SETSIG and F_SETLEASE of <fcntl.h>, hidden behind _GNU_SOURCE; the numbers are the kernel's own on all machines.
private let setSignalCommand: Int32 = 10
private let setLeaseCommand: Int32 = 1024
