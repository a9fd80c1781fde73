internal import SQLiteKit

extension UserDatabase {
    /// Takes back what `beginPlay` and `updatePlay` stored.
    func cancelPlay(_ id: Int64) throws(CatalogError) {
        try write(evenForNow: true) { () throws(SQLiteError) in
            let play = try connection.first("SELECT system, path, seconds FROM plays WHERE id = ?", [.integer(id)]) {
                ($0.string(0) ?? "", $0.bytes(1), $0.double(2))
            }
            guard let (system, path, seconds) = play else { return }
            try connection.run("DELETE FROM plays WHERE id = ?", [.integer(id)])
            try touch(system: system, path: path)
            let before = try connection.first(
                "SELECT started FROM plays WHERE system = ? AND path = ? ORDER BY id DESC LIMIT 1",
                [.text(system), .blob(path)]
            ) { $0.double(0) }
            try connection.run(
                """
                UPDATE games SET plays = max(0, plays - 1), seconds = max(0, seconds - ?), last_played = ?,
                    last_order = CASE WHEN ? THEN last_order ELSE 0 END
                WHERE system = ? AND path = ?
                """,
                [
                    .real(seconds), before.map { .real($0) } ?? .null, .integer(before == nil ? 0 : 1), .text(system),
                    .blob(path),
                ])
        }
    }
}
