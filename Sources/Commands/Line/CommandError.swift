import Appliance
import Catalog
import Controllers
import Launching
import SystemKit

/// Why a command did not do what was asked; each case becomes one sentence and one exit status.
enum CommandError: Error, Sendable {
    case unknownCommand(String, path: [String], suggestion: String?)
    case missingCommand(path: [String], command: CommandDefinition)
    case unknownOption(String, path: [String], suggestion: String?)
    case missingValue(option: OptionDefinition)
    case unexpectedValue(option: OptionDefinition)
    case missingArgument(String, path: [String])
    case extraArgument(String, path: [String])
    /// A word on the command line that is not what it must be.
    case badWord(String, of: String, expected: String)
    /// A name that is not in a list: which kind of thing, the name, the nearest one.
    case unknownName(kind: String, String, suggestion: String?)
    /// A value that was understood and is not allowed.
    case badValue(String, of: String, expected: String)
    case noSuchGame(String)
    /// A path that is there, but no game: why.
    case notAGame(BytePath, reason: String)
    /// A destructive command without a person to ask.
    case needsConfirmation(what: String)
    /// A game that is there cannot be forgotten.
    case notMissing(title: String)
    case noLog(BytePath)
    case catalog(CatalogError)
    case launch(LaunchError)
    case controllers(ControllerError)
    case noSuchController(Int)
    /// The wizard ended with nothing to store: why.
    case notMapped(String)
    case appliance(ApplianceError)
    /// A request that came through the door was not carried out: the client and the log know why.
    case doorRefused(ExitStatus)
    /// A secret without a person to ask and without `--stdin`: what it is.
    case needsSecret(String)
    case system(SystemError)
    /// Standard output takes no more, and that is not because its reader had enough.
    case output(SystemError)
    /// The game ended badly: its outcome is on stdout already.
    case gameFailed(String)
    case interrupted(signal: Int32)

    /// What a shell sees.
    var status: ExitStatus {
        switch self {
        case .unknownCommand, .missingCommand, .unknownOption, .missingValue, .unexpectedValue, .missingArgument,
            .extraArgument, .badWord, .unknownName, .needsConfirmation:
            .usage
        case .badValue, .notMissing: .badData
        case .noSuchGame, .notAGame, .noLog, .noSuchController: .notFound
        case .catalog(let error): CommandError.status(of: error)
        case .launch(let error): CommandError.status(of: error)
        case .controllers(.file(let error)): error.exitStatus
        case .controllers: .badData
        case .appliance(let error): error.status
        case .doorRefused(let status): status
        case .needsSecret: .usage
        case .system(let error): error.exitStatus
        case .output: .inputOutput
        case .gameFailed: .unavailable
        case .interrupted, .notMapped: .tryLater
        }
    }

    /// The command whose `--help` would have prevented this.
    var helpPath: [String]? {
        switch self {
        case .unknownCommand(_, let path, _), .missingCommand(let path, _), .unknownOption(_, let path, _),
            .missingArgument(_, let path), .extraArgument(_, let path):
            path
        default: nil
        }
    }

    static func status(of error: CatalogError) -> ExitStatus {
        if error.isBusy { return .tryLater }
        if error.isPermission { return .noPermission }
        return switch error {
        case .database: .inputOutput
        case .file(let error): error.exitStatus
        case .newerSchema: .configuration
        case .notKept: .cannotCreate
        case .noSuchGame, .noSuchCollection: .notFound
        case .notMissing: .badData
        case .noSuchSystem, .badCollectionName, .collectionExists, .collectionIsFilter, .badEdit: .usage
        case .noSuchSource: .notFound
        case .overlappingSource, .kernelFolder: .badData
        case .closed: .internalError
        }
    }

    static func status(of error: LaunchError) -> ExitStatus {
        switch error {
        case .gameMissing, .membersMissing: .notFound
        case .gameUnreadable: .noPermission
        case .archive: .badData
        case .unknownSystem: .configuration
        case .unknownEmulator: .usage
        case .notInstalled, .noEmulator, .cannotStart: .unavailable
        case .cannotPrepare: .cannotCreate
        }
    }
}

extension CommandError {
    /// Whether somebody else said no, for whom it makes no difference who asks: an access point, a server.
    var isRefusalByOthers: Bool {
        if case .appliance(.denied) = self { true } else { false }
    }
}

extension CommandError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownCommand(let word, let path, let suggestion):
            "there is no command \(quoted(path + [word]))"
                + hint(suggestion.map { (path + [$0]).joined(separator: " ") })
        case .missingCommand(_, let command):
            "\(command.name) needs a command: \(listText(command.subcommands.map(\.name), joint: "or"))"
        case .unknownOption(let word, let path, let suggestion):
            (path.isEmpty ? "there is no option" : "\(path.joined(separator: " ")) has no option")
                + " \(quoted([word]))" + hint(suggestion)
        case .missingValue(let option): "--\(option.name) needs a value: \(option.usage)"
        case .unexpectedValue(let option): "--\(option.name) takes no value"
        case .missingArgument(let name, let path): "\(path.joined(separator: " ")) needs \(name)"
        case .extraArgument(let word, let path):
            "\(path.joined(separator: " ")) does not know what to do with \(quoted([word]))"
        case .badWord(let word, let subject, let expected): "\(subject) must be \(expected), not \(quoted([word]))"
        case .unknownName(let kind, let name, let suggestion):
            "there is no \(kind) \(quoted([name]))" + hint(suggestion)
        case .badValue(let value, let subject, let expected): "\(subject) must be \(expected), not \(quoted([value]))"
        case .noSuchGame(let word):
            "there is no game \(quoted([word])); 'retro-admin games' lists them, 'retro-admin scan' looks for new ones"
        case .notAGame(let path, let reason): "\(path.displayString): \(reason)"
        case .needsConfirmation(let what): "\(what) cannot be undone: say --yes to do it without being asked"
        case .notMissing(let title):
            "\(safeText(title)) is there, so it cannot be forgotten; 'retro-admin game hide' puts it out of sight"
        case .noLog(let path): "there is no log yet: \(path.displayString) appears when the menu has run"
        case .catalog(let error): error.description
        case .launch(let error): error.description
        case .controllers(let error): error.description
        case .notMapped(let sentence): sentence
        case .noSuchController(let number):
            "there is no controller \(number); 'retro-admin controllers' lists those that are plugged in"
        case .appliance(let error): error.description
        case .doorRefused: "the request was not carried out"
        case .needsSecret(let what): "there is nobody to ask for \(what): say --stdin and write it to standard input"
        case .system(let error): error.description
        case .output(let error): "standard output: \(error.reason)"
        case .gameFailed(let sentence): sentence
        case .interrupted: "interrupted"
        }
    }

    private func hint(_ suggestion: String?) -> String { suggestion.map { "; did you mean '\($0)'?" } ?? "" }
}

/// Words from outside between quotes, safe for a terminal.
private func quoted(_ words: [String]) -> String { "'\(safeText(words.joined(separator: " ")))'" }

/// Text from outside, safe for a terminal.
func safeText(_ text: String) -> String { BytePath.displayString(of: Array(text.utf8)) }
