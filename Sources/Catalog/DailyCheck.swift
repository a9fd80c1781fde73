import SQLiteKit
import SystemKit

/// Reads the files that are too large to be read at each start, once a day, below everything a person waits for.
///
/// A catalog that is damaged is put aside: a scan makes it anew, and what the person did comes back into it. Damage in
/// what lists say is noted, and the next start mends it.
struct DailyCheck {
    private static let daySeconds = 86_400.0
    private static let key = "checked"
    let catalog: CatalogDatabase

    /// Checks, where the last time was not today by the clock of now.
    func run() {
        let now = Int64(wallClockSeconds())
        guard let last = try? catalog.meta(DailyCheck.key), abs(now - last) >= Int64(DailyCheck.daySeconds) else {
            return
        }
        checkMetadata()
        let isDamaged: Bool
        do throws(SQLiteError) {
            isDamaged = try !catalog.connection.quickCheck(limit: 1).isEmpty
        } catch {
            isDamaged = error.isDamage
        }
        if isDamaged {
            if catalog.isCurrent { _ = try? putCatalogAside(catalog.path) }
        } else {
            try? catalog.setMeta(DailyCheck.key, now)
        }
    }

    private func checkMetadata() {
        let folder = catalog.path.parent
        let file = MetadataDatabase.file(in: folder)
        guard fileExists(file.path), let connection = try? file.connect() else { return }
        let isDamaged: Bool
        do throws(SQLiteError) {
            isDamaged = try !connection.quickCheck(limit: 1).isEmpty
        } catch {
            isDamaged = error.isDamage
        }
        if isDamaged { try? replaceFile(at: MetadataDatabase.suspicion(in: folder), with: []) }
    }
}
