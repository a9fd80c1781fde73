internal import CLinux
internal import Glibc

/// One entry of the kernel's table of mounts.
public struct MountedFilesystem: Sendable, Equatable {
    /// Where it is mounted.
    public var point: BytePath
    /// The folder of the filesystem that is seen there, `/` where it is the whole.
    public var root: BytePath
    /// The kernel's name of its kind, e.g. `ext4`, `fuse.sshfs`.
    public var kind: String
    /// What was mounted: a device's node, `//nas/games`, `nas:/games`.
    public var origin: BytePath
    /// The device's number as `major:minor`; 0 as the major number where there is no device.
    public var device: String
    /// Whether nothing can be written there, because the mount or the whole filesystem is read-only.
    public var isReadOnly: Bool

    /// An entry.
    public init(
        point: BytePath, root: BytePath = "/", kind: String, origin: BytePath, device: String = "0:0",
        isReadOnly: Bool = false
    ) {
        self.point = point
        self.root = root
        self.kind = kind
        self.origin = origin
        self.device = device
        self.isReadOnly = isReadOnly
    }
}

/// The filesystems that are mounted now, as the kernel's table and udev tell: none of them is asked itself, so that a
/// share that does not answer delays nobody.
public struct MountedFilesystems: Sendable {
    /// Where the facts come from.
    public struct Sources: Sendable {
        /// The kernel's table.
        public var table: BytePath
        /// udev's links from identities to nodes.
        public var identities: BytePath
        /// udev's links from labels to nodes.
        public var labels: BytePath

        /// Other places than the kernel's own are for tests.
        public init(
            table: BytePath = "/proc/self/mountinfo", identities: BytePath = "/dev/disk/by-uuid",
            labels: BytePath = "/dev/disk/by-label"
        ) {
            self.table = table
            self.identities = identities
            self.labels = labels
        }
    }

    /// In the order in which they were mounted.
    public let all: [MountedFilesystem]
    // By the device's number and by its node.
    private let identities: [String: String]
    private let labels: [String: String]

    /// Reads the table; where it is not there, nothing is mounted.
    public init(_ sources: Sources = Sources()) {
        all = MountedFilesystems.entries((try? readFile(sources.table)) ?? [])
        identities = MountedFilesystems.names(in: sources.identities)
        labels = MountedFilesystems.names(in: sources.labels)
    }

    static func entries(_ table: [UInt8]) -> [MountedFilesystem] {
        table.split(separator: 0x0A).compactMap { line in
            let words = line.split(separator: 0x20).map { Array($0) }
            guard let dash = words.firstIndex(of: [0x2D]), dash >= 6, words.count > dash + 2 else { return nil }
            return MountedFilesystem(
                point: unescaped(words[4]), root: unescaped(words[3]),
                kind: String(decoding: words[dash + 1], as: UTF8.self), origin: unescaped(words[dash + 2]),
                device: String(decoding: words[2], as: UTF8.self),
                isReadOnly: isReadOnly(words[5]) || words.count > dash + 3 && isReadOnly(words[dash + 3]))
        }
    }

    private static func isReadOnly(_ options: [UInt8]) -> Bool {
        options.split(separator: 0x2C).contains { $0.elementsEqual("ro".utf8) }
    }

    /// The kernel writes blanks and the like as three octal digits.
    private static func unescaped(_ word: [UInt8]) -> BytePath {
        var bytes: [UInt8] = []
        var index = 0
        while index < word.count {
            let digits = word[(index + 1)...].prefix(3)
            if word[index] == 0x5C, digits.count == 3, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x37 }) {
                bytes.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 0x30) })
                index += 4
            } else {
                bytes.append(word[index])
                index += 1
            }
        }
        return BytePath(bytes: bytes)
    }

    /// Names of links to nodes, by the nodes' numbers and paths.
    private static func names(in folder: BytePath) -> [String: String] {
        var names: [String: String] = [:]
        for name in (try? directoryNames(folder)) ?? [] {
            let link = folder.appending(name)
            guard let node = try? resolvedPath(link) else { continue }
            let text = unescapedUdev(name.displayString)
            names[node.displayString] = text
            var raw = stat()
            if link.withCString({ stat($0, &raw) }) == 0, raw.st_mode & S_IFMT == S_IFBLK {
                names["\(deviceMajor(raw.st_rdev)):\(deviceMinor(raw.st_rdev))"] = text
            }
        }
        return names
    }

    /// udev writes what is no letter as `\x20`.
    private static func unescapedUdev(_ name: String) -> String {
        guard name.contains("\\x") else { return name }
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let first = rest.first {
            if rest.starts(with: [0x5C, 0x78]), rest.count >= 4,
                let byte = UInt8(String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The mount that a path lies on: what was mounted last covers what was there.
    public func covering(_ path: BytePath) -> MountedFilesystem? {
        var found: MountedFilesystem?
        for mount in all where mount.point == path || path.relative(to: mount.point) != nil || mount.point == "/" {
            if mount.point.bytes.count >= found?.point.bytes.count ?? 0 { found = mount }
        }
        return found
    }

    /// What stays the same wherever and whenever a filesystem is mounted: `uuid:1A2B-3C4D`, `net://nas/games`.
    ///
    /// What has no name of its own is told by where it is mounted.
    public func identity(of mount: MountedFilesystem) -> String {
        if MountedFilesystems.isRemote(mount.kind) { return "net:" + mount.origin.displayString }
        if let uuid = name(of: mount, in: identities) { return "uuid:" + uuid }
        return "mount:\(mount.kind):\(mount.point.displayString)"
    }

    /// What a person calls it: a disk's label, a share's or a mount point's name.
    public func label(of mount: MountedFilesystem) -> String {
        if let label = name(of: mount, in: labels), !label.isEmpty { return label }
        let name = MountedFilesystems.isRemote(mount.kind) ? mount.origin.name : mount.point.name
        return name.bytes.isEmpty ? mount.point.displayString : name.displayString
    }

    private func name(of mount: MountedFilesystem, in names: [String: String]) -> String? {
        if let name = names[mount.device] { return name }
        guard mount.origin.isAbsolute else { return nil }
        if let name = names[mount.origin.displayString] { return name }
        // A name of the device mapper, or a link. Nodes are in memory: asking waits for nobody.
        guard mount.origin.bytes.starts(with: "/dev/".utf8), let node = try? resolvedPath(mount.origin) else {
            return nil
        }
        return names[node.displayString]
    }

    /// Where a folder of a filesystem is now; `nil` where that is not mounted, or covered by another.
    ///
    /// - Parameter below: the folder's path on the filesystem, without a slash at its start.
    public func path(identity: String, below: BytePath) -> BytePath? {
        let whole = BytePath("/").appending(below)
        for mount in all where self.identity(of: mount) == identity {
            let rest: BytePath
            if mount.root == "/" {
                rest = below
            } else if whole == mount.root {
                rest = ""
            } else {
                guard let relative = whole.relative(to: mount.root) else { continue }
                rest = relative
            }
            let path = mount.point.appending(rest)
            if covering(path) == mount { return path }
        }
        return nil
    }

    /// The path of a folder on the filesystem that it lies on, without a slash at its start.
    public func below(_ path: BytePath, on mount: MountedFilesystem) -> BytePath {
        let rest = path == mount.point ? BytePath("") : path.relative(to: mount.point) ?? BytePath("")
        let whole = mount.root.appending(rest)
        return whole == "/" ? "" : whole.relative(to: "/") ?? ""
    }

    /// Whether what a kind of filesystem shows is made up by the kernel: no files that anybody put there.
    public static func isKernels(_ kind: String) -> Bool {
        [
            "proc", "sysfs", "devtmpfs", "devpts", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs", "pstore",
            "bpf", "configfs", "mqueue", "hugetlbfs", "efivarfs", "fusectl", "binfmt_misc", "rpc_pipefs", "nsfs",
            "selinuxfs",
        ].contains(kind)
    }

    /// Whether a kind of filesystem is another machine's, or a program's.
    public static func isRemote(_ kind: String) -> Bool {
        kind == "fuse" || kind.hasPrefix("fuse.")
            || ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "davfs", "virtiofs"].contains(kind)
    }
}

private func deviceMajor(_ number: dev_t) -> UInt64 {
    let number = UInt64(number)
    return (number >> 8 & 0xFFF) | (number >> 32 & ~0xFFF)
}

private func deviceMinor(_ number: dev_t) -> UInt64 {
    let number = UInt64(number)
    return (number & 0xFF) | (number >> 12 & ~0xFF)
}
