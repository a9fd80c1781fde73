/// A DAT file that was imported.
public struct DATFile: Sendable, Equatable, Identifiable {
    /// Its number.
    public let id: Int64
    /// The system that it is about.
    public let system: String
    /// What it calls itself.
    public let name: String
    /// Which edition it is.
    public let version: String?
    /// Games in it.
    public let games: Int
    /// When it was imported, in seconds since 1970.
    public let imported: Double
}

/// What came of the import of a DAT file.
public struct DATReport: Sendable {
    /// The system that it is about.
    public internal(set) var system = ""
    /// What it calls itself.
    public internal(set) var name = ""
    /// Which edition it is.
    public internal(set) var version: String?
    /// Games in it; without any nothing was imported.
    public internal(set) var games = 0
    /// Their files.
    public internal(set) var roms = 0
    /// Records that could not be read, the first of them.
    public internal(set) var problems: [(record: Int, reason: String)] = []
    /// How many records could not be read.
    public internal(set) var problemCount = 0
    /// Games of the library that have another name in consequence.
    public internal(set) var renamed = 0
    var id: Int64 = 0
}
