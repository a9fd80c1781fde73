public import SystemKit

/// Why something about the machine could not be read or changed.
public enum ApplianceError: Error, Sendable, Equatable {
    /// A program that this needs is not on the machine: its name, and the Debian package that brings it.
    case missingProgram(String, package: String)
    /// A service or a device that this needs is not there: a sentence.
    case unavailable(String)
    /// Something is as it must not be for this: a sentence that says why, and what to do. Nothing was changed.
    case refused(String)
    /// A value that cannot be meant: what it is for, and what it must be.
    case badValue(of: String, expected: String)
    /// Something with this name is not there: a sentence.
    case notFound(String)
    /// A file or folder cannot be made in the place that was named: a sentence.
    case cannotCreate(String)
    /// A program said that it failed: what was tried, and the program's own words.
    case failed(String, detail: String)
    /// All steps ran, and the machine is not as it should be: a sentence.
    case unverified(String)
    /// Somebody else is at it now.
    case busy(String)
    /// This needs root: what was to be done.
    case needsRoot(String)
    /// Another person's answer was no: a wrong password, an access point that refuses. A sentence.
    case denied(String)
    /// A file or device could not be read or written.
    case system(SystemError)

    /// What a shell sees.
    public var status: ExitStatus {
        switch self {
        case .missingProgram, .unavailable: .unavailable
        case .refused, .badValue: .badData
        case .notFound: .notFound
        case .failed, .unverified: .inputOutput
        case .busy: .tryLater
        case .needsRoot: .noPermission
        case .denied: .noPermission
        case .cannotCreate: .cannotCreate
        case .system(let error): error.exitStatus
        }
    }
}

extension ApplianceError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .missingProgram(let name, let package): "\(name) is not installed; the package \(package) brings it"
        case .unavailable(let sentence), .refused(let sentence), .notFound(let sentence), .cannotCreate(let sentence),
            .unverified(let sentence), .busy(let sentence), .denied(let sentence):
            sentence
        case .badValue(let subject, let expected): "\(subject) must be \(expected)"
        case .failed(let what, let detail): detail.isEmpty ? "\(what) failed" : "\(what) failed: \(detail)"
        case .needsRoot(let what): "\(what) needs root"
        case .system(let error): error.description
        }
    }
}

/// Runs a body of system calls and throws their errors as the appliance's.
func system<Value>(_ body: () throws(SystemError) -> Value) throws(ApplianceError) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
}
