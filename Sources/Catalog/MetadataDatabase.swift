import SQLiteKit
import SystemKit

/// `metadata.sqlite`: what others say about the games, and what was found by reading them whole.
///
/// One connection on one thread, as with the other databases.
final class MetadataDatabase {
    let connection: Connection
    let path: BytePath

    /// What gamelists say about one path.
    struct Record: Equatable {
        var system: String
        /// Below the system's folder; absolute where it is elsewhere.
        var path: [UInt8]
        var isFolder = false
        /// By `GamelistKey.rawValue`.
        var values: [String?] = MetadataDatabase.noValues
        var attributes: String?
        var extra: String?
        var sequence: Int64 = 0

        subscript(key: GamelistKey) -> String? {
            get { values[key.rawValue] }
            set { values[key.rawValue] = newValue }
        }
    }

    static let noValues: [String?] = Array(repeating: nil, count: GamelistKey.allCases.count)

    /// Which file it is and how much has been written to it.
    struct State: Equatable {
        var identity: Int64
        var sequence: Int64
    }

    init(_ connection: Connection) {
        self.connection = connection
        path = connection.path
    }

    func state() throws(CatalogError) -> State {
        try guarded { () throws(SQLiteError) in
            try connection.first("SELECT identity, sequence FROM state") {
                State(identity: $0.int64(0), sequence: $0.int64(1))
            } ?? State(identity: 0, sequence: 0)
        }
    }

    /// A number above all that were given, for a row that is written; inside a transaction of the caller.
    func nextSequence() throws(SQLiteError) -> Int64 {
        try connection.run("UPDATE state SET sequence = sequence + 1")
        return try connection.integer("SELECT sequence FROM state") ?? 0
    }

    func write<Result>(_ body: () throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        try guarded { () throws(SQLiteError) in try connection.transaction(body) }
    }

    func guarded<Result>(_ body: () throws(SQLiteError) -> Result) throws(CatalogError) -> Result {
        do {
            return try body()
        } catch {
            throw CatalogError.database(file: path, error)
        }
    }
}
