/// Completion for zsh; works as a file in `fpath` and when sourced.
func zshScript(_ model: CompletionModel) -> String {
    """
    #compdef retro-admin
    # zsh completion for retro-admin, made by 'retro-admin completions zsh'
    _retro_admin() {
        local place= option= kind= word
        local -i index count=0
        local -a entries
        for ((index = 2; index < CURRENT; index++)); do
            word=${words[index]}
            if [[ -n $option ]]; then
                option=
                continue
            fi
            case $word in
                (\(model.valuedNames(separator: "|"))) option=$word ;;
                (-*) ;;
                (*)
                    case $place/$word in
                        (\(model.places(separator: "|"))) place=$place/$word ;;
                        (*) (( count += 1 )) ;;
                    esac
                    ;;
            esac
        done
        if [[ -z $option && ${words[CURRENT]} == --*=* ]]; then
            option=${words[CURRENT]%%=*}
            compset -P '*='
        fi
        if [[ -n $option ]]; then
            case $option in
    \(model.valued.map { "            (--\($0.name)) \(zshKind($0.values, model)) ;;" }.joined(separator: "\n"))
            esac
        elif [[ ${words[CURRENT]} == -* ]]; then
            kind=entries
            case $place in
    \(zshOptions(model))
            esac
            entries+=(\(OptionDefinition.everywhere.map(zshEntry).joined(separator: " ")))
        else
            case $place:$count in
    \(zshArguments(model))
            esac
        fi
        case $kind in
            (entries) _describe 'retro-admin' entries ;;
            (system)
                entries=(${(f)"$(retro-admin systems --all --names 2>/dev/null)"})
                _describe 'system' entries
                ;;
            (file) _files ;;
            (directory) _files -/ ;;
            (*) return 1 ;;
        esac
    }
    if [[ ${funcstack[1]} == _retro_admin ]]; then
        _retro_admin "$@"
    else
        compdef _retro_admin retro-admin
    fi

    """
}

private func zshOptions(_ model: CompletionModel) -> String {
    model.entries.filter { !$0.command.options.isEmpty }.map { entry in
        "            (\(entry.place)) entries=(\(entry.command.options.map(zshEntry).joined(separator: " "))) ;;"
    }.joined(separator: "\n")
}

private func zshArguments(_ model: CompletionModel) -> String {
    model.entries.flatMap { entry -> [String] in
        if !entry.command.subcommands.isEmpty {
            let words = entry.command.subcommands.map { shellQuoted("\($0.name):\($0.summary)") }
            return ["            (\(entry.place):0) kind=entries entries=(\(words.joined(separator: " "))) ;;"]
        }
        return entry.command.arguments.enumerated().filter { $1.values != .text }.map { index, argument in
            "            (\(entry.place):\(argument.countPattern(index))) \(zshKind(argument.values, model)) ;;"
        }
    }.joined(separator: "\n")
}

private func zshEntry(_ option: OptionDefinition) -> String { shellQuoted("--\(option.name):\(option.summary)") }

private func zshKind(_ kind: ValueKind, _ model: CompletionModel) -> String {
    switch kind {
    case .text: "kind=text"
    case .words(let words): "kind=entries entries=(\(words.map(shellQuoted).joined(separator: " ")))"
    case .command: zshKind(.words(model.commandNames), model)
    case .file: "kind=file"
    case .directory: "kind=directory"
    case .system: "kind=system"
    }
}
