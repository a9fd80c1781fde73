import Controllers
import SystemKit

/// For whom controllers are written down.
enum ExportKind: String, Sendable, CaseIterable {
    case retroarch
    case sdl
    case es
}

/// `controllers export` and `import`.
extension ControllerVerbs {
    static func export(_ call: Call) async throws(CommandError) {
        let word = try call.text(of: call.arguments[0], called: "KIND")
        guard let kind = ExportKind(rawValue: word) else {
            throw .unknownName(
                kind: "kind of export", word, suggestion: nearest(to: word, among: ExportKind.allCases.map(\.rawValue)))
        }
        guard let folder = call.directory("to") else {
            throw .missingArgument("--to DIR", path: ["controllers", "export"])
        }
        let connected = call.controllers()
        for problem in connected.problems { call.console.complain(problem.reason, .warning) }
        for pad in connected.pads where pad.source == .none {
            call.console.complain(
                "nobody knows \(BytePath(pad.name).displayString), so it is left out; 'retro-admin controllers map \(pad.id)' assigns it",
                .warning)
        }
        // A guess that is written down would look like something that somebody knew.
        let known = connected.pads.filter { $0.source != .none }
        let files = files(kind, known).map { (path: folder.appending($0.name), contents: $0.contents) }
        guard !files.isEmpty else {
            if connected.pads.isEmpty { call.console.note("No controller is plugged in.") }
            return call.show(.object(["files": .array([])])) {}
        }
        let present = files.map(\.path).filter(fileExists)
        if !present.isEmpty, !call.isDryRun {
            guard try call.confirm("Replacing \(listText(present.map(\.displayString)))") else {
                return call.console.note("Nothing was written.")
            }
        }
        if !call.isDryRun {
            do throws(SystemError) {
                try createDirectories(folder)
                for file in files { try replaceFile(at: file.path, with: file.contents) }
            } catch { throw .system(error) }
        }
        var members: [String: JSONValue] = ["files": .array(files.map { .object(JSONValue.path($0.path)) })]
        if call.isDryRun { members["dryRun"] = .bool(true) }
        call.show(.object(members)) {
            for file in files {
                call.console.print("\(call.isDryRun ? "Would write" : "Wrote") \(file.path.displayString)\n")
            }
        }
    }

    private static func files(_ kind: ExportKind, _ pads: [PadInfo]) -> [GeneratedProfile] {
        guard !pads.isEmpty else { return [] }
        switch kind {
        case .retroarch:
            var seen: Set<BytePath> = []
            return pads.map { retroArchAutoconfig(for: $0, hotkeys: .complete) }.filter {
                seen.insert($0.name).inserted
            }
        case .sdl:
            var seen: Set<String> = []
            let lines = pads.compactMap(sdlMapping).filter { seen.insert($0).inserted }
            return [
                GeneratedProfile(
                    name: "gamecontrollerdb.txt", contents: Array((lines.joined(separator: "\n") + "\n").utf8))
            ]
        case .es: return [GeneratedProfile(name: "es_input.cfg", contents: ESInputFile(pads: pads).contents)]
        }
    }

    static func importFile(_ call: Call) async throws(CommandError) {
        let file = call.surroundings.directory.appending(call.arguments[0])
        let found: ControllerImport
        var adopted = ControllerImport.Outcome()
        do throws(ControllerError) {
            found = try ControllerImport(file: file)
            if !call.isDryRun {
                adopted = try call.knowledge().adopt(found, connected: call.controllers().pads.map(\.facts))
            }
        } catch { throw .controllers(error) }
        for problem in found.problems { call.console.complain(problem.description, .warning) }
        var members: [String: JSONValue] = [
            "controllers": .integer(found.count), "profiles": .integer(adopted.profiles),
            "lines": .integer(adopted.lines), "waiting": .integer(adopted.waiting),
            "problems": .array(
                found.problems.map { problem in
                    .object(
                        JSONValue.path(problem.file).merging([
                            "line": problem.line.map(JSONValue.integer) ?? .null, "reason": .string(problem.reason),
                        ]) { $1 })
                }),
        ]
        if call.isDryRun { members["dryRun"] = .bool(true) }
        call.show(.object(members)) {
            let count = countText(found.count, "controller")
            if call.isDryRun { return call.console.print("Would take over \(count).\n") }
            var parts: [String] = []
            if adopted.profiles > 0 { parts.append("\(adopted.profiles) assigned") }
            if adopted.lines > 0 { parts.append("\(adopted.lines) known when plugged in") }
            if adopted.waiting > 0 {
                parts.append("\(adopted.waiting) not taken over: say it again while the controller is plugged in")
            }
            call.console.print("\(count): \(parts.joined(separator: ", ")).\n")
        }
    }
}
