internal import Glibc

/// Exit statuses of `sysexits.h` that the command-line contract promises.
public enum ExitStatus: Int32, Sendable {
    /// Done, also when there was nothing to do.
    case done = 0
    /// `EX_USAGE`: the words of the command are wrong.
    case usage = 64
    /// `EX_DATAERR`: bad input data.
    case badData = 65
    /// `EX_NOINPUT`: no such file or game.
    case notFound = 66
    /// `EX_UNAVAILABLE`: a needed program or service is missing.
    case unavailable = 69
    /// `EX_SOFTWARE`: an error of ours.
    case internalError = 70
    /// `EX_CANTCREAT`: something cannot be created.
    case cannotCreate = 73
    /// `EX_IOERR`: reading or writing failed.
    case inputOutput = 74
    /// `EX_TEMPFAIL`: try again later.
    case tryLater = 75
    /// `EX_NOPERM`: needs root or a permission.
    case noPermission = 77
    /// `EX_CONFIG`: bad configuration.
    case configuration = 78
}

/// Ends the process with a status of the contract.
public func exitProcess(_ status: ExitStatus) -> Never { exit(status.rawValue) }

/// Ends the process with any status.
public func exitProcess(code: Int32) -> Never { exit(code) }

/// The value of an environment variable. Read below `main` only through values passed in.
public func environmentValue(_ name: String) -> String? {
    guard let pointer = getenv(name) else { return nil }
    return String(cString: pointer)
}

/// The process's whole environment, as bytes-preserving strings where they are UTF-8.
public func processEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var cursor = environ
    while let entry = cursor.pointee {
        let text = String(cString: entry)
        if let equals = text.firstIndex(of: "=") {
            result[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        cursor += 1
    }
    return result
}
