import SQLiteKit
import SystemKit

/// A folder of state in memory, for as long as the real one cannot be used: it begins with what can be read there, and
/// nothing in it outlives the process.
final class TemporaryState: Sendable {
    private let folder: TemporaryDirectory
    let trouble: StartTrouble
    var path: BytePath { folder.path }

    /// Larger files are not copied: memory is small, and a scan finds the games again.
    private static let largestFile: Int64 = 64 << 20

    /// - Throws: `CatalogError.file` where there is no place for it either.
    init(of original: BytePath, trouble: StartTrouble) throws(CatalogError) {
        self.trouble = trouble
        do {
            folder = try TemporaryDirectory.anywhere(prefix: "retro-state")
        } catch {
            throw CatalogError.file(error)
        }
        for name in ["user.sqlite", "catalog.sqlite", "metadata.sqlite"] {
            if name != "catalog.sqlite", trouble.kind == .newerVersion { continue }
            copy(original.appending(name), to: folder.path.appending(name))
        }
    }

    /// Copies a database with its log. Nobody writes there while the folder cannot be written; where somebody does
    /// after all, a copy that is torn is found by the check at its opening, and left out.
    private func copy(_ from: BytePath, to: BytePath) {
        for suffix in ["", "-wal"] {
            let source = from.appendingSuffix(suffix)
            guard let status = try? fileStatus(source), status.kind == .regular,
                status.size <= TemporaryState.largestFile
            else { continue }
            do {
                try copyFile(source, to: to.appendingSuffix(suffix))
            } catch {
                for suffix in ["", "-wal"] { try? removeFile(to.appendingSuffix(suffix)) }
                return
            }
        }
    }
}
