import Appliance
import SystemKit

/// `system`: what is set once about the machine itself.
enum SystemVerbs {
    static let definition = CommandDefinition(
        "system", "Set up this machine: language, time, sound, picture, speed, power",
        subcommands: accounts + SystemPlace.definitions + [
            SystemClock.definition, SystemAudio.definition, SystemPicture.definition, SystemOverclock.definition,
            SystemBootCheck.definition,
        ] + SystemPower.definitions)

    /// What is about passwords, SSH and the machine's name.
    private static let accounts = [AccountVerbs.hostname, AccountVerbs.password, AccountVerbs.ssh]

    static let listOption = OptionDefinition("list", "List what can be chosen")
}

extension Call {
    /// Carries a change out and prints what is so then: facts for scripts, a sentence for people.
    func change(
        _ change: MachineChange, facts: () -> [String: JSONValue], told: () -> String
    ) throws(CommandError) {
        try self.change(change) { notes throws(CommandError) in
            var members = facts()
            members["notes"] = .strings(notes)
            show(.object(members)) {
                console.print(told() + "\n")
                for note in notes { console.note(note) }
            }
        }
    }

    /// The text of an argument that may be missing.
    func argument(_ index: Int, _ name: String) throws(CommandError) -> String? {
        arguments.count > index ? try text(of: arguments[index], called: name) : nil
    }

    /// A whole number among the arguments.
    func numericArgument(_ index: Int, _ name: String) throws(CommandError) -> Int {
        let text = try text(of: arguments[index], called: name)
        guard let number = Int(text) else { throw .badWord(text, of: name, expected: "a whole number") }
        return number
    }
}

/// Runs what throws the appliance's errors.
func appliance<Value>(_ body: () throws(ApplianceError) -> Value) throws(CommandError) -> Value {
    do throws(ApplianceError) { return try body() } catch { throw .appliance(error) }
}
