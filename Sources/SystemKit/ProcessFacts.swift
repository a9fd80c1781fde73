internal import Glibc

/// This process's number.
public var currentProcessID: Int32 { getpid() }

/// The session that this process is in.
public var currentSessionID: Int32 { getsid(0) }

/// The user whose permissions count for this process.
public var currentUserID: UInt32 { geteuid() }

/// Whether the kernel knows no process of this number: somebody else's, that may not be asked, is there.
public func isProcessGone(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

/// Sends a signal to a process of a number; one that is gone, or may not be asked, does not get it.
public func signalProcess(_ process: Int32, _ signal: Int32) {
    if process > 1 { kill(process, signal) }
}

/// Signals that are sent on purpose.
public enum ProcessSignal {
    /// `SIGTERM`: please end.
    public static let terminate: Int32 = SIGTERM
    /// `SIGCONT`: lets a stopped process go on; others do not notice.
    public static let resume: Int32 = SIGCONT
    /// `SIGKILL`: ends whatever it hits.
    public static let kill: Int32 = SIGKILL
}

/// The C name of a signal, e.g. `SIGSEGV`; `signal 34` for one without a common name.
public func signalName(_ number: Int32) -> String {
    switch number {
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    case SIGQUIT: "SIGQUIT"
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGFPE: "SIGFPE"
    case SIGKILL: "SIGKILL"
    case SIGSEGV: "SIGSEGV"
    case SIGPIPE: "SIGPIPE"
    case SIGALRM: "SIGALRM"
    case SIGTERM: "SIGTERM"
    case SIGXCPU: "SIGXCPU"
    case SIGSYS: "SIGSYS"
    default: "signal \(number)"
    }
}

extension SystemError {
    /// A file is larger than what was asked for (`EFBIG`).
    public var isTooLarge: Bool { code == EFBIG }
    /// A folder stands where a file was wanted (`EISDIR`).
    public var isFolder: Bool { code == EISDIR }
    /// A pipe, socket or device stands where a file was wanted.
    public var isSpecial: Bool { code == ENODEV || code == ENXIO }
    /// The arguments of a program are too long (`E2BIG`).
    public var isTooManyArguments: Bool { code == E2BIG }
    /// A file is no program for this machine (`ENOEXEC`).
    public var isNoProgram: Bool { code == ENOEXEC }
}

extension Descriptor {
    /// Opens `/dev/null` for reading: an input without anything in it.
    ///
    /// - Throws: `SystemError` of `open`.
    public static func nothing() throws(SystemError) -> Descriptor { try open("/dev/null", flags: O_RDONLY) }
}

/// Makes sure that this process may read a file, or list and enter a folder.
///
/// - Throws: `SystemError` of `stat` or `access`.
public func checkReadable(_ path: BytePath) throws(SystemError) {
    let mode = try fileStatus(path).kind == .directory ? R_OK | X_OK : R_OK
    guard path.withCString({ access($0, mode) }) == 0 else {
        throw SystemError(call: "access", path: path, code: errno)
    }
}
