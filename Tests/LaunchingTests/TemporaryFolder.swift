import Glibc
import SystemKit

/// A folder that is gone when the value is.
final class TemporaryFolder {
    let path: BytePath

    init() throws {
        var template = Array("/tmp/retro-launch-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError(call: "mkdtemp", subject: "/tmp", code: errno) }
        path = BytePath(cString: made)
    }

    deinit { remove(path) }

    @discardableResult
    func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws -> BytePath {
        let file = path.appending(name)
        try createDirectories(file.parent)
        try replaceFile(at: file, with: Array(text.utf8), permissions: mode)
        return file
    }

    private func remove(_ path: BytePath) {
        if (try? fileStatus(path, followLinks: false))?.kind == .directory {
            for name in (try? directoryNames(path)) ?? [] { remove(path.appending(name)) }
            _ = path.withCString { rmdir($0) }
        } else {
            _ = path.withCString { unlink($0) }
        }
    }
}
