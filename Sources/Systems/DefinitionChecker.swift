internal import SystemKit

/// Turns JSON into the parts of a definition file and collects everything that is wrong on the way.
final class DefinitionChecker {
    private let file: BytePath
    private(set) var problems: [SystemProblem] = []

    init(file: BytePath) { self.file = file }

    func report(_ line: Int, _ reason: String) {
        problems.append(SystemProblem(file: file, line: line, reason: reason))
    }

    func unknown(_ key: String, _ line: Int, known: [String]) {
        report(line, "\"\(key)\" is not known here; known are \(known.joined(separator: ", "))")
    }

    func unique(_ names: [(String, Int)], _ what: String) {
        var seen: [String: Int] = [:]
        for (name, line) in names {
            if let first = seen[name] { report(line, "the \(what) \"\(name)\" is already in line \(first)") }
            seen[name] = seen[name] ?? line
        }
    }

    func members(of node: JSONNode, as what: String) -> [(key: String, line: Int, node: JSONNode)] {
        if case .object(let members) = node.value { return members }
        report(node.line, "\(what) must be an object in { }, not \(node.typeName)")
        return []
    }

    func list(_ node: JSONNode, _ key: String) -> [JSONNode] {
        if case .array(let elements) = node.value { return elements }
        report(node.line, "\"\(key)\" must be a list in [ ], not \(node.typeName)")
        return []
    }

    private func text(_ node: JSONNode, _ key: String) -> String? {
        guard case .string(let text) = node.value else {
            report(node.line, "\"\(key)\" must be a text in quotation marks, not \(node.typeName)")
            return nil
        }
        if text.isEmpty || text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            report(node.line, "\"\(key)\" must not be empty and must not have control characters")
            return nil
        }
        return text
    }

    private func texts(_ node: JSONNode, _ key: String) -> [(String, Int)] {
        list(node, key).compactMap { element in text(element, key).map { ($0, element.line) } }
    }

    private func whole(_ node: JSONNode, _ key: String, in range: ClosedRange<Int>) -> Int? {
        if case .number(let number) = node.value, let whole = Int(exactly: number), range.contains(whole) {
            return whole
        }
        report(node.line, "\"\(key)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    private func oneOf<Choice: RawRepresentable & CaseIterable>(_ node: JSONNode, _ key: String) -> Choice?
    where Choice.RawValue == String {
        guard let text = text(node, key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        report(node.line, "\"\(key)\" is \"\(text)\", but must be one of \(known)")
        return nil
    }

    /// A name of a folder: what is easy to type, and the same on every filesystem.
    private func name(_ node: JSONNode, _ key: String) -> String? {
        guard let text = text(node, key) else { return nil }
        if isPlainName(text) { return text }
        report(node.line, "\"\(text)\" is no good name: use a-z, 0-9, - + _ and begin with a letter or digit")
        return nil
    }

    private func isPlainName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        let isAlphanumeric = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return isAlphanumeric(first) && text.utf8.allSatisfy { isAlphanumeric($0) || "-+_".utf8.contains($0) }
    }

    private func color(_ node: JSONNode) -> UInt32? {
        guard let text = text(node, "color") else { return nil }
        let digits = text.dropFirst()
        if text.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        {
            return value
        }
        report(node.line, "the color \"\(text)\" must look like #E60012")
        return nil
    }

    private func extensions(_ node: JSONNode) -> [String]? {
        let found = texts(node, "extensions")
        for (text, line) in found {
            if text.hasPrefix(".") {
                report(line, "the extension \"\(text)\" must be without its first dot")
            } else if text.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
                report(line, "the extension \"\(text)\" must be in small letters; capitals match them too")
            } else if text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0x20 || $0 == UInt8(ascii: "*") }) {
                report(line, "the extension \"\(text)\" must not have blanks, slashes or stars")
            }
        }
        unique(found, "extension")
        if found.isEmpty, case .array = node.value { report(node.line, "\"extensions\" is empty") }
        return found.map(\.0)
    }
}

extension DefinitionChecker {
    private static let emulatorKeys = ["name", "title", "core", "program", "packages", "archives"]
    private static let systemKeys = [
        "name", "aliases", "fullName", "maker", "year", "color", "kind", "medium", "extensions", "depth", "emulators",
        "removeEmulators",
    ]

    /// An emulator; as a bare text it is a reference to one described elsewhere.
    func emulator(_ node: JSONNode, bare: Bool = true) -> DefinitionFile.Emulator? {
        if bare, case .string = node.value {
            return name(node, "emulators").map { DefinitionFile.Emulator(line: node.line, name: $0) }
        }
        let members = members(of: node, as: "an emulator")
        guard let named = members.first(where: { $0.key == "name" }), let name = name(named.node, "name") else {
            if case .object = node.value { report(node.line, "an emulator needs a \"name\"") }
            return nil
        }
        var result = DefinitionFile.Emulator(line: node.line, name: name)
        for (key, line, node) in members {
            switch key {
            case "name": break
            case "title": result.title = text(node, key)
            case "packages": result.packages = texts(node, key).map(\.0)
            case "archives": result.archives = archives(node)
            case "core", "program":
                if result.method != nil { report(line, "an emulator has either a \"core\" or a \"program\"") }
                result.method = key == "core" ? core(node) : program(node)
            default: unknown(key, line, known: Self.emulatorKeys)
            }
        }
        return result
    }

    private func archives(_ node: JSONNode) -> [String]? {
        let found = texts(node, "archives")
        for (text, line) in found where !["zip", "7z"].contains(text) {
            report(line, "\"archives\" holds \"zip\" and \"7z\" at most, not \"\(text)\"")
        }
        return found.map(\.0)
    }

    private func core(_ node: JSONNode) -> EmulatorDefinition.Method? {
        guard let text = text(node, "core") else { return nil }
        if text.hasSuffix("_libretro.so"), !text.utf8.contains(UInt8(ascii: "/")) { return .libretro(core: text) }
        report(node.line, "the core \"\(text)\" must be a file name such as nestopia_libretro.so")
        return nil
    }

    private func program(_ node: JSONNode) -> EmulatorDefinition.Method? {
        let arguments = texts(node, "program")
        guard let program = arguments.first else {
            if case .array = node.value { report(node.line, "\"program\" is empty") }
            return nil
        }
        if program.0.utf8.contains(UInt8(ascii: "/")), !program.0.hasPrefix("/") {
            report(program.1, "the program \"\(program.0)\" must be a name or begin with a slash")
        }
        for (argument, line) in arguments {
            for token in unknownTokens(in: argument) {
                let known = launchTokens.map { "{\($0)}" }.joined(separator: " ")
                report(line, "{\(token)} is not known; known are \(known)")
            }
        }
        return .program(arguments: arguments.map(\.0))
    }

    func system(_ node: JSONNode) -> DefinitionFile.System? {
        let members = members(of: node, as: "a system")
        guard let named = members.first(where: { $0.key == "name" }), let name = name(named.node, "name") else {
            if case .object = node.value, problems.isEmpty { report(node.line, "a system needs a \"name\"") }
            return nil
        }
        var result = DefinitionFile.System(line: node.line, name: name)
        for (key, line, node) in members {
            switch key {
            case "name": break
            case "aliases":
                let aliases = list(node, key).compactMap { alias in self.name(alias, key).map { ($0, alias.line) } }
                unique(aliases, "alias")
                result.aliases = aliases.map(\.0)
            case "fullName": result.fullName = text(node, key)
            case "maker": result.maker = text(node, key)
            case "year": result.year = whole(node, key, in: 1940...2100)
            case "color": result.color = color(node)
            case "kind": result.kind = oneOf(node, key)
            case "medium": result.medium = oneOf(node, key)
            case "extensions": result.extensions = extensions(node)
            case "depth": result.depth = whole(node, key, in: 0...32)
            case "emulators":
                result.emulators = list(node, key).compactMap { emulator($0) }
                unique(result.emulators.map { ($0.name, $0.line) }, "emulator")
            case "removeEmulators": result.removedEmulators = list(node, key).compactMap { self.name($0, key) }
            default: unknown(key, line, known: Self.systemKeys)
            }
        }
        return result
    }
}
