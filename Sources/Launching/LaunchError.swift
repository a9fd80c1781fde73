public import SystemKit

/// Why a game was not started: a sentence for the screen, with what to do.
public enum LaunchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The game's file is not there.
    case gameMissing(title: String, path: BytePath)
    /// The game's file cannot be read.
    case gameUnreadable(title: String, path: BytePath, reason: String)
    /// A playlist or sheet names files that are not there.
    case membersMissing(title: String, members: [String])
    /// The archive that holds the game cannot be unpacked; `problem` is a predicate: `is cut off`.
    case archive(title: String, file: BytePath, problem: String)
    /// No system of this name is known.
    case unknownSystem(String)
    /// The system has no emulator of this name.
    case unknownEmulator(name: String, system: String, known: [String])
    /// The chosen emulator is not installed; `advice` says how to get it.
    case notInstalled(emulator: String, advice: String)
    /// None of the system's emulators is installed; `advice` says how to get the preferred one.
    case noEmulator(system: String, advice: String)
    /// A file or folder that the launch needs cannot be written.
    case cannotPrepare(path: BytePath, reason: String)
    /// The program could not be started.
    case cannotStart(emulator: String, reason: String)

    /// One or two short sentences for a television.
    public var description: String {
        switch self {
        case .gameMissing(let title, let path):
            "\(title) is not there. Its file \(path.name) is gone; is the drive with the games connected?"
        case .gameUnreadable(let title, let path, let reason):
            "\(title) cannot be read: \(reason). Check the permissions of \(path.name)."
        case .membersMissing(let title, let members):
            "\(title) is not complete. \(LaunchError.missing(members)) Copy all its files into the same folder."
        case .archive(let title, let file, let problem):
            "\(title) cannot be unpacked. \(file.name) \(problem)."
        case .unknownSystem(let name):
            "The system \(name) is not known. Describe it in systems.d, or move the game to another folder."
        case .unknownEmulator(let name, let system, let known):
            "\(system) has no emulator \(name). \(known.isEmpty ? "" : "Choose \(LaunchError.either(known)).")"
        case .notInstalled(_, let advice):
            "\(advice) Or choose another emulator for this game."
        case .noEmulator(let system, let advice):
            "Nothing here can play \(system) games. \(advice)"
        case .cannotPrepare(let path, let reason):
            "The game cannot be prepared: \(path) cannot be written (\(reason))."
        case .cannotStart(let emulator, let reason):
            "\(emulator) could not be started: \(reason)."
        }
    }

    private static func missing(_ members: [String]) -> String {
        switch members.count {
        case 1: "\(members[0]) is missing."
        case 2, 3: "\(members.joined(separator: ", ")) are missing."
        default: "\(members.prefix(2).joined(separator: ", ")) and \(members.count - 2) more files are missing."
        }
    }

    private static func either(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) or \(last)"
    }
}
