import SQLiteKit
import SystemKit

// What sheets name.
extension ScanWriter {
    /// Takes back what a sheet named; its members show again when their directories are compared.
    func forgetSheet(_ id: Int64) throws(SQLiteError) {
        let targets = try targets(of: id)
        if !targets.isEmpty {
            try begin()
            memberTargets.formUnion(targets)
            try catalog.connection.run("DELETE FROM members WHERE sheet = ?", [.integer(id)])
        }
        if try catalog.connection.integer("SELECT 1 FROM outside WHERE sheet = ? LIMIT 1", [.integer(id)]) != nil {
            try begin()
            try catalog.connection.run("DELETE FROM outside WHERE sheet = ?", [.integer(id)])
        }
    }

    func targets(of sheet: Int64) throws(SQLiteError) -> [Int64] {
        try catalog.connection.rows("SELECT DISTINCT directory FROM members WHERE sheet = ?", [.integer(sheet)]) {
            $0.int64(0)
        }
    }

    func addMember(_ hider: Hider, directory: Int64, name: [UInt8]) throws(SQLiteError) {
        try begin()
        try catalog.connection.run(
            "INSERT OR IGNORE INTO members VALUES (?, ?, ?, ?)",
            [.integer(hider.sheet), .integer(directory), .blob(name), .flag(hider.isPlaylist)])
    }

    /// A file in another folder than the sheet's that names it; the folder may be there or not.
    struct OutsideMember {
        var hider: Hider
        /// The system's folder.
        var folder: [UInt8]
        /// The folder's path below it, as the sheet has it.
        var relative: [UInt8]
        /// Folded.
        var name: [UInt8]
    }

    func addOutside(_ member: OutsideMember, root: Int64) throws(SQLiteError) {
        try begin()
        try catalog.connection.run(
            "INSERT OR IGNORE INTO outside VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(member.hider.sheet), .integer(root), .blob(member.folder),
                .blob(member.relative.map(asciiLowercased)), .blob(member.name), .flag(member.hider.isPlaylist),
            ])
    }

    /// Gives a new directory what sheets elsewhere name in it.
    func adoptOutside(directory: Int64, root: Int64, folder: [UInt8], relative: [UInt8]) throws(SQLiteError) {
        let members = try catalog.connection.rows(
            "SELECT sheet, playlist, name FROM outside WHERE root = ? AND folder = ? AND relative = ?",
            [.integer(root), .blob(folder), .blob(relative.map(asciiLowercased))]
        ) { (hider: Hider(sheet: $0.int64(0), isPlaylist: $0.int(1) != 0), name: $0.bytes(2)) }
        for member in members { try addMember(member.hider, directory: directory, name: member.name) }
    }

    /// Who hides which folded name of a directory; a sheet that is missing hides nothing.
    func hiders(in directory: Int64) throws(SQLiteError) -> [[UInt8]: [Hider]] {
        let rows = try catalog.connection.rows(
            """
            SELECT m.name, m.sheet, m.playlist FROM members m LEFT JOIN games g ON g.id = m.sheet
            WHERE m.directory = ? AND coalesce(g.state, 0) & ? = 0
            """, [.integer(directory), .integer(CatalogSchema.State.missing)]
        ) { ($0.bytes(0), Hider(sheet: $0.int64(1), isPlaylist: $0.int(2) != 0)) }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1).sorted { $0.sheet < $1.sheet } }
    }

    func hasMembers(_ directory: Int64) -> Bool {
        let found = try? catalog.connection.integer(
            "SELECT 1 FROM members WHERE directory = ? LIMIT 1", [.integer(directory)])
        return found != nil
    }

    struct Hider: Equatable {
        var sheet: Int64
        var isPlaylist: Bool
    }
}
