/// Completion for bash, without help from the bash-completion package.
func bashScript(_ model: CompletionModel) -> String {
    let everywhere = OptionDefinition.everywhere.map { "--\($0.name)" }.joined(separator: " ")
    return """
        # bash completion for retro-admin, made by 'retro-admin completions bash'
        _retro_admin() {
            local current=${COMP_WORDS[COMP_CWORD]} place= option= kind= words= word index count=0
            for ((index = 1; index < COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                if [[ -n $option ]]; then
                    # readline makes a word of its own of the equals sign
                    [[ $word == = ]] || option=
                    continue
                fi
                case $word in
                    \(model.valuedNames(separator: "|"))) option=$word ;;
                    -*) ;;
                    *)
                        case $place/$word in
                            \(model.places(separator: "|"))) place=$place/$word ;;
                            *) ((count++)) ;;
                        esac
                        ;;
                esac
            done
            if [[ -n $option ]]; then
                [[ $current == = ]] && current=
                case $option in
        \(bashOptionValues(model))
                esac
            elif [[ $current == -* ]]; then
                kind=words
                case $place in
        \(bashOptions(model))
                esac
                words+=' \(everywhere)'
            else
                case $place:$count in
        \(bashArguments(model))
                esac
            fi
            case $kind in
                system)
                    kind=words
                    words=$(retro-admin systems --all --names 2>/dev/null)
                    ;;
                file | directory) compopt -o filenames 2>/dev/null ;;
            esac
            case $kind in
                words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
                file) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
                directory) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
                *) COMPREPLY=() ;;
            esac
        }
        complete -F _retro_admin retro-admin

        """
}

private func bashOptionValues(_ model: CompletionModel) -> String {
    model.valued.map { "            --\($0.name)) \(bashKind($0.values, model)) ;;" }.joined(separator: "\n")
}

private func bashOptions(_ model: CompletionModel) -> String {
    model.entries.filter { !$0.command.options.isEmpty }.map { entry in
        let names = entry.command.options.map { "--\($0.name)" }.joined(separator: " ")
        return "            \(entry.place)) words='\(names)' ;;"
    }.joined(separator: "\n")
}

private func bashArguments(_ model: CompletionModel) -> String {
    model.entries.flatMap { entry -> [String] in
        if !entry.command.subcommands.isEmpty {
            let names = entry.command.subcommands.map(\.name).joined(separator: " ")
            return ["            \(entry.place):0) kind=words words='\(names)' ;;"]
        }
        return entry.command.arguments.enumerated().filter { $1.values != .text }.map { index, argument in
            "            \(entry.place):\(argument.countPattern(index))) \(bashKind(argument.values, model)) ;;"
        }
    }.joined(separator: "\n")
}

private func bashKind(_ kind: ValueKind, _ model: CompletionModel) -> String {
    switch kind {
    case .text: "kind=text"
    case .words(let words): "kind=words words='\(words.joined(separator: " "))'"
    case .command: bashKind(.words(model.commandNames), model)
    case .file: "kind=file"
    case .directory: "kind=directory"
    case .system: "kind=system"
    }
}
