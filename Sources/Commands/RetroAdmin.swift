import Appliance
public import SystemKit
import Systems

/// The command that a person types over SSH.
public enum RetroAdmin {
    /// Runs one command line.
    ///
    /// - Parameter words: the words after the program's name.
    /// - Returns: how it ended, for the door to end the process with.
    public static func run(_ words: [BytePath], in surroundings: Surroundings) async -> Ending {
        let console = Console(surroundings)
        do throws(CommandError) {
            let line = try LineParser(tree: CommandTable.root).parse(words)
            let call = Call(line: line, surroundings: surroundings, console: console)
            if line.has("help") {
                explain(line, call)
            } else if line.has("version") {
                call.show(.object(["version": .string(Appliance.version)])) {
                    console.print("\(HelpText.programName) \(Appliance.version)\n")
                }
            } else if let verb = line.command.verb {
                try await verb(try asOwner(call))
            }
            console.clearProgress()
            if let error = console.outputFailure { throw .output(error) }
            return .exit(.done)
        } catch {
            return tell(error, console)
        }
    }

    /// How a command line ended.
    public enum Ending: Sendable, Equatable {
        /// With a status.
        case exit(ExitStatus)
        /// Because a signal asked for it.
        case signal(Int32)
    }

    static func explain(_ line: ParsedLine, _ call: Call) {
        let help = HelpText(path: line.path, command: line.command)
        call.show(help.json) { call.console.print(help.text) }
    }

    /// The same call as the owner of the data: what root would leave there, the menu could not change.
    private static func asOwner(_ call: Call) throws(CommandError) -> Call {
        if call.line.command.actor == .machine { return call }
        let root = call.root
        guard let adopt = call.surroundings.adopt,
            let folder = [root.state, root.root].first(where: fileExists)
        else { return call }
        do throws(SystemError) {
            guard let user = try adopt(folder) else { return call }
            var surroundings = call.surroundings
            surroundings.environment.merge(user.environment) { $1 }
            return Call(line: call.line, surroundings: surroundings, console: call.console)
        } catch { throw .system(error) }
    }

    private static func tell(_ error: CommandError, _ console: Console) -> Ending {
        if case .missingCommand(let path, let command) = error {
            console.note(HelpText(path: path, command: command).text)
            return .exit(error.status)
        }
        console.complain(error.description)
        if error.status == .noPermission, !error.isRefusalByOthers {
            console.note("Try it with sudo, or as the user who owns the data.")
        }
        if let path = error.helpPath {
            let words = ([HelpText.programName] + path).joined(separator: " ")
            console.note("'\(words) --help' explains it.")
        }
        if case .interrupted(let signal) = error { return .signal(signal) }
        return .exit(error.status)
    }
}
