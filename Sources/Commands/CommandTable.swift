/// All commands. Parsing, help, completions and the manual page are made from this table and nothing else.
enum CommandTable {
    static let root: CommandDefinition = CommandDefinition(
        HelpText.programName, "Look after the games and settings of this machine",
        discussion: [
            "Results go to standard output, everything else to standard error. With --json every command prints one "
                + "JSON document for scripts."
        ],
        subcommands: [
            Status.definition, Scan.definition, SystemsList.definition, Games.definition, GameVerbs.definition,
            Launch.definition, GamelistVerbs.definition, ControllerVerbs.definition, Config.definition, Logs.definition,
        ] + SelfVerbs.definitions)
}
