internal import CLinux
internal import Glibc

/// Gives the folders and files below a place to one account, and lets its group change them too.
///
/// Made for root and for places where somebody else may move things meanwhile: every entry is opened first, without
/// following a link, and what is changed is what was opened. Links, devices, files with several names (one of which may
/// be elsewhere) and other filesystems are left alone. What is right is not touched, so a repair that was stopped goes
/// on where it was.
public struct OwnershipRepair {
    /// Folders: everything for owner and group, and what is made in them gets their group.
    public static let folderMode: UInt32 = 0o2775
    /// Files: at least these; a file that may be run stays so.
    public static let fileMode: UInt32 = 0o664

    /// What was done, or would be.
    public struct Report: Sendable, Equatable {
        /// Folders that were mended, or would be.
        public var folders = 0
        /// Files that were mended, or would be.
        public var files = 0
        /// Entries that are right.
        public var right = 0
        /// Links, devices, files with several names and other filesystems.
        public var skipped = 0
        /// What could not be mended, the first hundred of them.
        public var problems: [SystemError] = []
        /// How many could not be mended.
        public var failures = 0
        /// Whether the tree is deeper or larger than what is looked at.
        public var isCut = false

        /// Nothing yet.
        public init() {}
    }

    /// What was done so far.
    public private(set) var report = Report()

    private static let deepest = 64
    private static let most = 5_000_000

    private let user: UInt32
    private let group: UInt32
    private let onlyLooks: Bool

    /// A repair for an account.
    ///
    /// - Parameter onlyLooks: whether to count what would be done instead.
    public init(user: UInt32, group: UInt32, onlyLooks: Bool = false) {
        self.user = user
        self.group = group
        self.onlyLooks = onlyLooks
    }

    /// Mends a folder itself and nothing in it.
    ///
    /// - Throws: `SystemError` of the call that failed.
    public mutating func mendOnly(_ folder: BytePath) throws(SystemError) {
        let opened = try openFolder(folder)
        var raw = stat()
        guard fstat(opened.rawValue, &raw) == 0 else { throw SystemError(call: "stat", path: folder, code: errno) }
        try mend(folder: opened.rawValue, raw, folder)
    }

    /// Mends a folder and all below it. Links in it are not followed; one that leads to the place itself is where
    /// nobody but root can have put it: `openFolder`.
    ///
    /// - Parameter tell: hears now and then how many entries were looked at.
    /// - Throws: `SystemError` where the place itself cannot be opened.
    public mutating func mend(_ place: BytePath, tell: (Int) -> Void = { _ in }) throws(SystemError) {
        let opened = try openFolder(place)
        var raw = stat()
        guard fstat(opened.rawValue, &raw) == 0 else { throw SystemError(call: "stat", path: place, code: errno) }
        walk(opened.release(), raw, place, depth: 0, tell)
    }

    private var seen: Int { report.folders + report.files + report.right + report.skipped + report.failures }

    private mutating func note(_ error: SystemError) {
        report.failures += 1
        if report.problems.count < 100 { report.problems.append(error) }
    }

    /// Takes the descriptor over.
    private mutating func walk(_ folder: Int32, _ status: stat, _ path: BytePath, depth: Int, _ tell: (Int) -> Void) {
        guard let stream = fdopendir(folder) else {
            close(folder)
            return note(SystemError(call: "fdopendir", path: path, code: errno))
        }
        defer { closedir(stream) }
        do throws(SystemError) { try mend(folder: folder, status, path) } catch { note(error) }
        guard depth < OwnershipRepair.deepest else {
            report.isCut = true
            return
        }
        // All names first: what is renamed meanwhile would be met twice or never.
        var names: [BytePath] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { BytePath(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        for name in names {
            guard seen < OwnershipRepair.most else {
                report.isCut = true
                return
            }
            if seen % 512 == 0 { tell(seen) }
            mend(entry: name, in: folder, status.st_dev, path.appending(name), depth, tell)
        }
    }

    private mutating func mend(
        entry name: BytePath, in folder: Int32, _ device: dev_t, _ path: BytePath, _ depth: Int, _ tell: (Int) -> Void
    ) {
        // A handle without any access: opening a pipe or a device would do something.
        let handle = name.withCString { openat(folder, $0, clinux_path_flag() | O_NOFOLLOW | O_CLOEXEC) }
        guard handle >= 0 else {
            // Gone meanwhile.
            if errno != ENOENT { note(SystemError(call: "open", path: path, code: errno)) }
            return
        }
        defer { close(handle) }
        var raw = stat()
        guard fstat(handle, &raw) == 0 else { return note(SystemError(call: "stat", path: path, code: errno)) }
        guard raw.st_dev == device else {
            report.skipped += 1
            return
        }
        switch raw.st_mode & S_IFMT {
        case S_IFDIR:
            let opened = openat(handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if opened >= 0 { return walk(opened, raw, path, depth: depth + 1, tell) }
            // A folder that even its owner may not enter is opened after it was mended.
            do throws(SystemError) { try mend(handle: handle, raw, OwnershipRepair.folderMode, path) } catch {
                return note(error)
            }
            report.folders += 1
            let again = onlyLooks ? -1 : openat(handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard again >= 0, fstat(again, &raw) == 0 else { return }
            walk(again, raw, path, depth: depth + 1, tell)
        case S_IFREG where raw.st_nlink == 1:
            let mode = (raw.st_mode & 0o775) | OwnershipRepair.fileMode
            if raw.st_uid == user, raw.st_gid == group, raw.st_mode & 0o7777 == mode {
                report.right += 1
                return
            }
            do throws(SystemError) {
                try mend(handle: handle, raw, mode, path)
                report.files += 1
            } catch { note(error) }
        default:
            report.skipped += 1
        }
    }

    private mutating func mend(folder: Int32, _ raw: stat, _ path: BytePath) throws(SystemError) {
        let isRight =
            raw.st_uid == user && raw.st_gid == group && raw.st_mode & 0o7777 == OwnershipRepair.folderMode
        if isRight, clinux_has_shared_acl(folder) != 0 {
            report.right += 1
            return
        }
        if !onlyLooks {
            if !isRight {
                let number = folder
                _ = try retrying("chown", path.displayString) { fchown(number, user, group) }
                _ = try retrying("chmod", path.displayString) { fchmod(number, OwnershipRepair.folderMode) }
            }
            // What a login with a stricter mask puts here is the group's too. Not every filesystem can.
            _ = clinux_set_shared_acl(folder)
        }
        report.folders += 1
    }

    private func mend(handle: Int32, _ raw: stat, _ mode: UInt32, _ path: BytePath) throws(SystemError) {
        if onlyLooks { return }
        if raw.st_uid != user || raw.st_gid != group {
            // Takes away setuid too, so the mode is set behind it.
            guard fchownat(handle, "", user, group, clinux_empty_path_flag()) == 0 else {
                throw SystemError(call: "chown", path: path, code: errno)
            }
        }
        let name = "/proc/self/fd/\(handle)"
        guard chmod(name, mode) == 0 else { throw SystemError(call: "chmod", path: path, code: errno) }
    }
}
