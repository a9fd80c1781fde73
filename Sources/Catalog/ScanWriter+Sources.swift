import SQLiteKit
import SystemKit

// Sources as a whole.
extension ScanWriter {
    func setPresence(_ presence: SourcePresence, root: Int64) throws(SQLiteError) {
        let now = try catalog.connection.integer("SELECT present FROM roots WHERE id = ?", [.integer(root)])
        if now == presence.rawValue { return }
        try begin()
        try catalog.connection.run(
            "UPDATE roots SET present = ? WHERE id = ?", [.integer(presence.rawValue), .integer(root)])
    }

    /// Replaces what the last scan of a source could not read.
    func keepProblems(_ problems: [ScanReport.Problem], root: Int64) throws(SQLiteError) {
        let before = try catalog.connection.rows(
            "SELECT path, reason FROM problems WHERE root = ? ORDER BY rowid", [.integer(root)]
        ) { ScanReport.Problem(path: BytePath(bytes: $0.bytes(0)), reason: $0.string(1) ?? "") }
        if before == problems { return }
        try begin()
        try catalog.connection.run("DELETE FROM problems WHERE root = ?", [.integer(root)])
        for problem in problems {
            try catalog.connection.run(
                "INSERT INTO problems VALUES (?, ?, ?)",
                [.integer(root), .blob(problem.path.bytes), .text(problem.reason)])
        }
    }

    /// Removes a source with all its games from the catalog.
    func removeRoot(_ root: Int64) throws(SQLiteError) {
        let tops = try catalog.connection.rows(
            "SELECT id, system FROM directories WHERE root = ? AND relative = x''", [.integer(root)]
        ) { (id: $0.int64(0), system: $0.int64(1)) }
        for top in tops {
            _ = try removeTree(top.id, system: top.system)
            try pause()
        }
        try begin()
        try catalog.connection.run("DELETE FROM directories WHERE root = ?", [.integer(root)])
        try catalog.connection.run("DELETE FROM problems WHERE root = ?", [.integer(root)])
        try catalog.connection.run("DELETE FROM roots WHERE id = ?", [.integer(root)])
    }
}
