internal import CLinux
internal import Glibc

/// A system call that failed: which call, on what, and the kernel's reason.
///
/// The text is made from the `errno` captured at the failing line, never later.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The C function, e.g. `open`.
    public let call: String
    /// What it was applied to, made safe for showing to a person.
    public let subject: String
    /// The kernel's error number (`errno`).
    public let code: Int32

    /// Records a failure of `call` on `subject` with the given `errno` value.
    public init(call: String, subject: String, code: Int32) {
        self.call = call
        self.subject = subject
        self.code = code
    }

    /// Records a failure on a path, which is shown with replacement characters where it is no UTF-8.
    public init(call: String, path: BytePath, code: Int32) {
        self.init(call: call, subject: path.displayString, code: code)
    }

    /// The C library's sentence for `code`, e.g. `Permission denied`.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        clinux_error_text(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `open /dev/input/event3: Permission denied`.
    public var description: String {
        subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }

    /// No such file or directory (`ENOENT`), or a component of the path is not a directory (`ENOTDIR`).
    public var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
    /// The caller may not do this (`EACCES`, `EPERM`).
    public var isPermission: Bool { code == EACCES || code == EPERM }
    /// No room left on the device or in the quota (`ENOSPC`, `EDQUOT`).
    public var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }
    /// The code of what did not answer in time (`ETIMEDOUT`).
    public static let timedOutCode = ETIMEDOUT
    /// Somebody else holds it (`EWOULDBLOCK`).
    public var isBusy: Bool { code == EWOULDBLOCK }
    /// The filesystem is mounted read-only (`EROFS`).
    public var isReadOnly: Bool { code == EROFS }
    /// What was named cannot be a file to read: a folder, a pipe, a loop of links, a name that is too long.
    public var isNoFile: Bool {
        [EISDIR, ELOOP, ENAMETOOLONG].contains(code) || code == ENODEV && ["read", "open"].contains(call)
    }
    /// Something new was to be made.
    private var isMaking: Bool { ["create", "mkdir", "rename", "link", "symlink"].contains(call) }

    /// What a shell sees of it, by `sysexits.h`: what cannot be read (66) is told from what cannot be made (73), and both
    /// from a device that fails (74) and a permission that is missing (77).
    public var exitStatus: ExitStatus {
        if isPermission { return .noPermission }
        if isMaking || isReadOnly { return .cannotCreate }
        return isNotFound || isNoFile ? .notFound : .inputOutput
    }
    /// The device does not do what it is asked for.
    public var isDeviceFault: Bool { code == EIO || code == ENXIO || code == ENODEV }
}

/// Runs a call that returns -1 on failure, again while a signal interrupts it.
///
/// - Throws: `SystemError` with the `errno` of the last try.
@inlinable
package func retrying<Result: BinaryInteger>(
    _ call: String, _ subject: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = currentErrno()
        if code != interruptedErrno { throw SystemError(call: call, subject: subject(), code: code) }
    }
}

@usableFromInline package func currentErrno() -> Int32 { errno }
@usableFromInline package let interruptedErrno: Int32 = EINTR
