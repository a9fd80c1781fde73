internal import SystemKit

/// Lays definition files over each other, a later one over the earlier ones.
struct DefinitionMerger {
    private var pool: [String: DefinitionFile.Emulator] = [:]
    private var systems: [String: DefinitionFile.System] = [:]

    /// A definition file is a page of text; anything larger is no definition file.
    private static let largestFile = 1 << 20

    /// The finished systems, in no order.
    var definitions: [SystemDefinition] { systems.values.compactMap { definition(of: $0) } }

    /// Adds every `*.json` of a folder in the order of their names. A folder that is absent adds nothing.
    mutating func add(folder: BytePath) -> [SystemProblem] {
        let names: [BytePath]
        do {
            names = try directoryNames(folder)
        } catch {
            return error.isNotFound ? [] : [SystemProblem(file: folder, reason: "it cannot be read: \(error.reason)")]
        }
        var problems: [SystemProblem] = []
        for name in names.sorted() where name.fileExtension == Array("json".utf8) && !name.bytes.starts(with: [0x2E]) {
            let path = folder.appending(name)
            do {
                problems += add(contents: try readRegularFile(path, limit: Self.largestFile), file: path)
            } catch {
                let reason =
                    error.isTooLarge
                    ? "it is larger than 1 MiB"
                    : error.isFolder
                        ? "it is a folder" : error.isSpecial ? "it is no file" : "it cannot be read: \(error.reason)"
                problems.append(SystemProblem(file: path, reason: reason))
            }
        }
        return problems
    }

    /// Adds one file, or nothing of it where something in it is wrong.
    mutating func add(contents: [UInt8], file: BytePath) -> [SystemProblem] {
        var (definitions, problems) = DefinitionFile.read(contents, file: file)
        guard problems.isEmpty else { return problems }
        var merged = self
        let checker = DefinitionChecker(file: file)
        for emulator in definitions.emulators { merged.pool[emulator.name] = emulator.over(merged.pool[emulator.name]) }
        for system in definitions.systems { merged.apply(system, checker) }
        for system in definitions.systems { merged.check(system, checker) }
        problems = checker.problems
        if problems.isEmpty { self = merged }
        return problems
    }

    private mutating func apply(_ change: DefinitionFile.System, _ checker: DefinitionChecker) {
        guard var system = systems[change.name] else {
            if change.fullName == nil {
                checker.report(change.line, "\"\(change.name)\" is new and needs a \"fullName\"")
            }
            if change.extensions == nil {
                checker.report(change.line, "\"\(change.name)\" is new and needs \"extensions\"")
            }
            systems[change.name] = change
            return
        }
        system.aliases = change.aliases ?? system.aliases
        system.fullName = change.fullName ?? system.fullName
        system.maker = change.maker ?? system.maker
        system.year = change.year ?? system.year
        system.color = change.color ?? system.color
        system.kind = change.kind ?? system.kind
        system.medium = change.medium ?? system.medium
        system.extensions = change.extensions ?? system.extensions
        system.depth = change.depth ?? system.depth
        for name in change.removedEmulators where !system.emulators.contains(where: { $0.name == name }) {
            checker.report(change.line, "\"\(change.name)\" has no emulator \"\(name)\" to remove")
        }
        // Those named in the change come first and in its order; the others keep theirs behind them.
        let old = system.emulators
        system.emulators = change.emulators.map { emulator in
            emulator.over(old.first { $0.name == emulator.name })
        }
        system.emulators += old.filter { emulator in
            !change.emulators.contains { $0.name == emulator.name } && !change.removedEmulators.contains(emulator.name)
        }
        systems[change.name] = system
    }

    private func check(_ change: DefinitionFile.System, _ checker: DefinitionChecker) {
        guard let system = systems[change.name] else { return }
        for emulator in change.emulators where resolved(emulator, in: system).method == nil {
            let reason =
                emulator.isReference
                ? "the emulator \"\(emulator.name)\" is not known"
                : "the emulator \"\(emulator.name)\" needs a \"core\" or a \"program\""
            checker.report(emulator.line, reason)
        }
        for other in systems.values where other.name != system.name {
            for alias in system.aliases ?? [] where other.name == alias || other.aliases?.contains(alias) == true {
                checker.report(change.line, "the alias \"\(alias)\" of \"\(system.name)\" belongs to \"\(other.name)\"")
            }
            if other.aliases?.contains(system.name) == true {
                checker.report(change.line, "the name \"\(system.name)\" is an alias of \"\(other.name)\"")
            }
        }
    }

    private func resolved(
        _ emulator: DefinitionFile.Emulator, in system: DefinitionFile.System
    ) -> DefinitionFile.Emulator {
        let own = system.emulators.first { $0.name == emulator.name }
        return emulator.over(own).over(pool[emulator.name])
    }

    private func definition(of system: DefinitionFile.System) -> SystemDefinition? {
        guard let fullName = system.fullName, let extensions = system.extensions else { return nil }
        let emulators = system.emulators.compactMap { emulator -> EmulatorDefinition? in
            let resolved = emulator.over(pool[emulator.name])
            guard let method = resolved.method else { return nil }
            return EmulatorDefinition(
                name: resolved.name, title: resolved.title ?? resolved.name, method: method,
                packages: resolved.packages ?? [], archives: resolved.archives)
        }
        return SystemDefinition(
            name: system.name, aliases: system.aliases ?? [], fullName: fullName, maker: system.maker ?? "",
            year: system.year, color: system.color ?? 0x808080, kind: system.kind ?? .console,
            medium: system.medium ?? .cartridge, extensions: extensions, depth: system.depth, emulators: emulators)
    }
}

extension DefinitionFile.Emulator {
    /// This description with its gaps filled from an earlier one.
    fileprivate func over(_ earlier: DefinitionFile.Emulator?) -> DefinitionFile.Emulator {
        guard let earlier else { return self }
        var result = self
        result.title = title ?? earlier.title
        result.packages = packages ?? earlier.packages
        result.archives = archives ?? earlier.archives
        result.method = method ?? earlier.method
        return result
    }
}
