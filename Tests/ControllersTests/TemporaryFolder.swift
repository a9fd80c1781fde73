import Glibc
import SystemKit

/// A folder of its own for one test; gone when the test is.
final class TemporaryFolder {
    let path: BytePath

    init() throws {
        var template = Array("/tmp/retro-pads-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError(call: "mkdtemp", subject: "/tmp", code: errno) }
        path = BytePath(cString: made)
    }

    deinit { TemporaryFolder.remove(path) }

    private static func remove(_ path: BytePath) {
        for name in (try? directoryNames(path)) ?? [] {
            let child = path.appending(name)
            if (try? fileStatus(child, followLinks: false))?.kind == .directory {
                remove(child)
            } else {
                try? removeFile(child)
            }
        }
        try? removeDirectory(path)
    }
}
