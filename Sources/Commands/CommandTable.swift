/// All commands. Parsing, help, completions and the manual page are made from this table and nothing else.
enum CommandTable {
    static let root: CommandDefinition = CommandDefinition(
        HelpText.programName, "Look after the games and settings of this machine",
        discussion: [
            "Results go to standard output, everything else to standard error. With --json every command prints one "
                + "JSON document for scripts."
        ],
        subcommands: [
            Status.definition, Scan.definition, LibraryVerbs.definition, SystemsList.definition, Games.definition,
            GameVerbs.definition, Collections.definition, GamelistVerbs.definition, Dats.definition,
            Identify.definition, Launch.definition, ControllerVerbs.definition, WiFi.definition,
            ShareVerbs.definition, ExpandFS.definition, Backups.definition, Config.definition, SystemVerbs.definition,
            Logs.definition, DoorVerb.definition, SetupFileVerb.definition, Doctoring.definition,
            Sticks.definition,
        ] + SelfVerbs.definitions)
}
