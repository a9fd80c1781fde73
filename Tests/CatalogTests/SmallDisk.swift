import Glibc
import SystemKit

/// A filesystem of its own, in memory, as small as a test wants; it goes with the value.
///
/// Only a user who may mount can make one: others get `nil` and say what they did not test.
final class SmallDisk {
    let path: BytePath

    /// - Parameter options: those of tmpfs, e.g. `size=1m` or `nr_inodes=12`.
    init?(_ options: String, for what: String) throws {
        path = try makeTemporaryFolder("disk")
        guard path.withCString({ mount("tmpfs", $0, "tmpfs", 0, options) }) == 0 else {
            print("not tested: \(what) needs a user who may mount a filesystem")
            _ = path.withCString { rmdir($0) }
            return nil
        }
    }

    /// Lets nobody write any more.
    func makeReadOnly() throws {
        // MS_RDONLY | MS_REMOUNT: enumerators in one version of the headers, macros in another.
        let flags: UInt = 1 | 32
        guard path.withCString({ mount("tmpfs", $0, "tmpfs", flags, nil) }) == 0 else {
            throw SystemError(call: "mount", path: path, code: errno)
        }
    }

    /// Leaves no room.
    func fill() throws {
        let filler = try Descriptor.open(path.appending("filler"), flags: O_WRONLY | O_CREAT | O_APPEND)
        while (try? filler.writeAll(Array(repeating: 0, count: 4096), subject: path)) != nil {}
    }

    /// Makes files until no more can be made.
    func exhaustFiles() {
        var number = 0
        while (try? Descriptor.open(path.appending("file-\(number)"), flags: O_WRONLY | O_CREAT)) != nil {
            number += 1
        }
    }

    func empty() {
        for name in (try? directoryNames(path)) ?? []
        where name.displayString == "filler" || name.displayString.hasPrefix("file-") {
            try? removeFile(path.appending(name))
        }
    }

    deinit {
        // MNT_DETACH, which is an enumerator in one version of the headers and a macro in another.
        let lazily: Int32 = 2
        _ = path.withCString { umount2($0, lazily) }
        _ = path.withCString { rmdir($0) }
    }
}
