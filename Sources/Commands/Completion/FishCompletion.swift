/// Completion for fish.
func fishScript(_ model: CompletionModel) -> String {
    var lines = [fishFunctions(model), "complete -c retro-admin -f"]
    for option in OptionDefinition.everywhere { lines.append(fishOption(option, condition: nil, model)) }
    for entry in model.entries {
        for option in entry.command.options { lines.append(fishOption(option, condition: "\(entry.place):*", model)) }
        for command in entry.command.subcommands {
            let condition = shellQuoted("__retro_admin_at \"\(entry.place):0\"")
            lines.append(
                "complete -c retro-admin -n \(condition) -a \(command.name) -d \(shellQuoted(command.summary))")
        }
        for (index, argument) in entry.command.arguments.enumerated() where argument.values != .text {
            let condition = shellQuoted("__retro_admin_at \"\(entry.place):\(argument.countPattern(index))\"")
            lines.append(
                "complete -c retro-admin -n \(condition)\(fishValues(argument.values, model)) "
                    + "-d \(shellQuoted(argument.summary))")
        }
    }
    return lines.joined(separator: "\n") + "\n"
}

private func fishFunctions(_ model: CompletionModel) -> String {
    """
    # fish completion for retro-admin, made by 'retro-admin completions fish'
    function __retro_admin_place
        set -l place
        set -l count 0
        set -l skip 0
        for word in (commandline -opc)[2..-1]
            if test $skip = 1
                set skip 0
                continue
            end
            switch $word
                case \(model.valuedNames(separator: " "))
                    set skip 1
                case '-*'
                case '*'
                    switch "$place/$word"
                        case \(model.places(separator: " "))
                            set place "$place/$word"
                        case '*'
                            set count (math $count + 1)
                    end
            end
        end
        echo "$place:$count"
    end
    function __retro_admin_at
        string match -q -- $argv[1] (__retro_admin_place)
    end
    """
}

private func fishOption(_ option: OptionDefinition, condition: String?, _ model: CompletionModel) -> String {
    let guarded = condition.map { " -n " + shellQuoted("__retro_admin_at \"\($0)\"") } ?? ""
    let letter = option.letter.map { " -s \($0)" } ?? ""
    let value = option.takesValue ? " -x" + fishValues(option.values, model) : ""
    return "complete -c retro-admin\(guarded)\(letter) -l \(option.name)\(value) -d \(shellQuoted(option.summary))"
}

private func fishValues(_ kind: ValueKind, _ model: CompletionModel) -> String {
    switch kind {
    case .text: ""
    case .words(let words): " -a " + shellQuoted(words.joined(separator: " "))
    case .command: fishValues(.words(model.commandNames), model)
    case .file: " -F"
    case .directory: " -a '(__fish_complete_directories)'"
    case .system: " -a '(retro-admin systems --all --names 2>/dev/null)'"
    }
}
