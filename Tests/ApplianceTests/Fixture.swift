import Appliance
import Glibc
import SystemKit

/// A folder that stands for the root of a machine and goes away with this value's last use.
final class FakeMachine {
    let root: BytePath

    init() throws {
        root = BytePath("/tmp/appliance-tests-\(MonotonicInstant.now.nanoseconds)-\(nextSerial())")
        try createDirectories(root)
    }

    deinit { try? removeTree(root) }

    /// What the functions under test get. Programs are only those that the test puts into `bin`, and the usual ones.
    var machine: Machine {
        let programs = Programs(folders: [root.appending("bin"), "/usr/bin", "/bin"])
        return Machine(
            files: MachineFacts.Sources(filesystem: root), programs: programs,
            data: DataPlaces(
                root: root.appending("srv/retro"), roms: root.appending("srv/retro/roms"),
                state: root.appending("var/lib/retro"), configuration: root.appending("etc/retro")))
    }

    /// A program of the machine: a shell script, which finds the machine's root in `$ROOT`.
    func program(_ name: String, _ script: String) throws {
        try file("bin/" + name, "#!/bin/sh\nROOT='\(root.displayString)'\n" + script + "\n", permissions: 0o755)
    }

    @discardableResult
    func file(_ path: String, _ text: String, permissions: UInt32 = 0o644) throws -> BytePath {
        try file(path, Array(text.utf8), permissions: permissions)
    }

    @discardableResult
    func file(_ path: String, _ bytes: [UInt8], permissions: UInt32 = 0o644) throws -> BytePath {
        let full = root.appending(path)
        try createDirectories(full.parent)
        try replaceFile(at: full, with: bytes, permissions: permissions)
        return full
    }
}

private func removeTree(_ path: BytePath) throws(SystemError) {
    if try fileStatus(path, followLinks: false).kind == .directory {
        for name in try directoryNames(path) { try removeTree(path.appending(name)) }
        _ = path.withCString { rmdir($0) }
    } else {
        try removeFile(path)
    }
}

func makeLink(to target: BytePath, at path: BytePath) throws(SystemError) {
    let result = target.withCString { target in path.withCString { symlink(target, $0) } }
    if result != 0 { throw SystemError(call: "symlink", path: path, code: errno) }
}
