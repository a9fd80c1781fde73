internal import SystemKit

/// What one file says, before it is merged with the others. Every part is optional: an override names only what it
/// changes.
struct DefinitionFile: Sendable {
    struct Emulator: Sendable {
        let line: Int
        let name: String
        var title: String?
        var method: EmulatorDefinition.Method?
        var packages: [String]?
        var archives: [String]?
        /// Whether it is only a name that stands for an emulator described elsewhere.
        var isReference: Bool { title == nil && method == nil && packages == nil && archives == nil }
    }

    struct System: Sendable {
        let line: Int
        let name: String
        var aliases: [String]?
        var fullName: String?
        var maker: String?
        var year: Int?
        var color: UInt32?
        var kind: SystemDefinition.Kind?
        var medium: SystemDefinition.Medium?
        var extensions: [String]?
        var depth: Int?
        var emulators: [Emulator] = []
        var removedEmulators: [String] = []
    }

    let file: BytePath
    var emulators: [Emulator] = []
    var systems: [System] = []

    /// Reads and checks a file as far as that is possible without knowing the others.
    ///
    /// - Returns: the file, and everything that is wrong in it. A file with a problem must not be used.
    static func read(_ bytes: [UInt8], file: BytePath) -> (DefinitionFile, [SystemProblem]) {
        var result = DefinitionFile(file: file)
        let checker = DefinitionChecker(file: file)
        do {
            let document = try JSONReader.read(bytes)
            for (key, line, node) in checker.members(of: document, as: "the document") {
                switch key {
                case "emulators":
                    result.emulators = checker.list(node, key).compactMap { checker.emulator($0, bare: false) }
                    checker.unique(result.emulators.map { ($0.name, $0.line) }, "emulator")
                case "systems":
                    result.systems = checker.list(node, key).compactMap { checker.system($0) }
                    checker.unique(result.systems.map { ($0.name, $0.line) }, "system")
                default: checker.unknown(key, line, known: ["emulators", "systems"])
                }
            }
        } catch {
            checker.report(error.line, error.reason)
        }
        return (result, bounded(checker.problems))
    }

    private static let mostProblems = 20
    private static let longestReason = 300

    /// As many as a person reads, each short enough for a line: a file of nonsense has a hundred thousand.
    private static func bounded(_ problems: [SystemProblem]) -> [SystemProblem] {
        var told = problems.prefix(mostProblems).map { problem in
            guard problem.reason.utf8.count > longestReason else { return problem }
            let reason = "\(problem.reason.prefix(60))…\(problem.reason.suffix(60))"
            return SystemProblem(file: problem.file, line: problem.line, reason: reason)
        }
        if problems.count > told.count, let last = problems.last {
            let reason = "and \(problems.count - told.count) more faults"
            told.append(SystemProblem(file: last.file, line: last.line, reason: reason))
        }
        return told
    }
}
