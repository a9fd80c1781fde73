public import SystemKit

/// All systems that this machine knows, and what was wrong in the files that describe them.
public struct SystemRegistry: Sendable {
    /// Sorted by full name.
    public let systems: [SystemDefinition]
    /// What is not used, and why.
    public let problems: [SystemProblem]

    private let byFolder: [[UInt8]: Int]

    /// A registry of given systems, for tests.
    public init(systems: [SystemDefinition], problems: [SystemProblem] = []) {
        let sorted = systems.map { (key: foldedBytes($0.fullName.utf8), system: $0) }
            .sorted { left, right in
                left.key == right.key
                    ? left.system.name < right.system.name : left.key.lexicographicallyPrecedes(right.key)
            }
            .map(\.system)
        var byFolder: [[UInt8]: Int] = [:]
        for (index, system) in sorted.enumerated() {
            for alias in system.aliases { byFolder[foldedBytes(alias.utf8)] = index }
        }
        for (index, system) in sorted.enumerated() { byFolder[foldedBytes(system.name.utf8)] = index }
        self.systems = sorted
        self.problems = problems
        self.byFolder = byFolder
    }

    /// The built-in systems, changed and extended by a person's files.
    ///
    /// Never fails: a file with a fault is left out as a whole and listed in `problems`.
    /// - Parameter overrides: a folder named `systems.d`, or one that holds such a folder; it may be absent.
    public static func load(overrides: BytePath? = nil) -> SystemRegistry {
        var merger = DefinitionMerger()
        var problems: [SystemProblem] = []
        for (name, contents) in builtInDefinitions {
            problems += merger.add(contents: contents, file: BytePath(name))
        }
        if let overrides {
            let folder = overrides.name == "systems.d" ? overrides : overrides.appending("systems.d")
            problems += merger.add(folder: folder)
        }
        return SystemRegistry(systems: merger.definitions, problems: problems)
    }

    /// The system of a name or an alias, whatever the case of its ASCII letters.
    public func system(named name: String) -> SystemDefinition? { system(forFolder: Array(name.utf8)) }

    /// The system that a folder of this name belongs to.
    public func system(forFolder name: [UInt8]) -> SystemDefinition? {
        byFolder[foldedBytes(name)].map { systems[$0] }
    }
}

func foldedBytes(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.map(asciiLowercased) }

private let builtInDefinitions: [(String, [UInt8])] = [
    ("emulators.json", PackageResources.emulators_json),
    ("arcade.json", PackageResources.arcade_json),
    ("atari.json", PackageResources.atari_json),
    ("commodore.json", PackageResources.commodore_json),
    ("computers.json", PackageResources.computers_json),
    ("consoles.json", PackageResources.consoles_json),
    ("engines.json", PackageResources.engines_json),
    ("nec.json", PackageResources.nec_json),
    ("nintendo.json", PackageResources.nintendo_json),
    ("sega.json", PackageResources.sega_json),
    ("sony.json", PackageResources.sony_json),
]
