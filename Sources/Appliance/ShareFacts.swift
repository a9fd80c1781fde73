public import SystemKit

/// How the games folder is reached from other computers.
public struct ShareFacts: Sendable, Equatable {
    /// Whether a person can use the share now.
    public enum State: String, Sendable, Equatable {
        /// There is no Samba on this machine.
        case notInstalled = "not-installed"
        /// Samba is there, but no share leads to the games folder.
        case notConfigured = "not-configured"
        /// The share is set up, but its service does not run.
        case stopped
        /// Other computers can see it.
        case running
    }

    /// Whether it works.
    public let state: State
    /// The share's name, e.g. `roms`.
    public let name: String
    /// The folders to open below the share to get to the games, e.g. `roms` where the whole data root is shared.
    public let subfolder: String
    /// What Windows calls this machine.
    public let hostName: String
    /// What to type into another computer's file manager, the most useful one first.
    public let addresses: [String]
    /// Whether files can be looked at but not copied there: by the share's own rule or by the folder's.
    public let isReadOnly: Bool

    /// Facts with all their parts.
    public init(
        state: State, name: String, subfolder: String = "", hostName: String, addresses: [String], isReadOnly: Bool
    ) {
        self.state = state
        self.name = name
        self.subfolder = subfolder
        self.hostName = hostName
        self.addresses = addresses
        self.isReadOnly = isReadOnly
    }

    /// What to type into Windows' file manager, e.g. `\\RETROPIE\roms`.
    public var windowsAddress: String {
        ["\\\\\(hostName)", name, subfolder].filter { !$0.isEmpty }.joined(separator: "\\")
    }

    /// Reads them now.
    ///
    /// - Parameter roms: the games folder.
    public static func read(
        roms: BytePath, network: NetworkFacts, sources: MachineFacts.Sources = MachineFacts.Sources()
    ) -> ShareFacts {
        let configuration = SambaConfiguration.read(sources.path("etc/samba/smb.conf"))
        let share = configuration.flatMap { find(roms, in: $0) }
        let program = isInstalled(sources)
        let state: State =
            if !program { .notInstalled } else if share == nil { .notConfigured } else {
                isRunning(sources) ? .running : .stopped
            }
        let host = configuration?.value(["netbiosname"], in: "global") ?? network.hostName
        let name = share?.name ?? "roms"
        let path = [name, share?.subfolder ?? ""].filter { !$0.isEmpty }.joined(separator: "/")
        let addresses = network.addresses.filter { !$0.isLinkLocal }.map {
            $0.isIPv6 ? "smb://[\($0.address)]/\(path)" : "smb://\($0.address)/\(path)"
        }
        let folderIsReadOnly = answer(within: 3, { (try? DiskSpace.read(roms))?.isReadOnly ?? false }) ?? false
        return ShareFacts(
            state: state, name: name, subfolder: share?.subfolder ?? "",
            // NetBIOS has room for fifteen characters.
            hostName: String(host.uppercased().prefix(15)), addresses: addresses,
            isReadOnly: folderIsReadOnly || (share.map { !$0.isWritable } ?? false))
    }

    private struct Share {
        let name: String
        let subfolder: String
        let isWritable: Bool
    }

    /// The share that shows exactly this folder, else the nearest one above it.
    private static func find(_ roms: BytePath, in configuration: SambaConfiguration) -> Share? {
        let target = (try? resolvedPath(roms)) ?? roms
        var best: (share: Share, length: Int)?
        for name in configuration.names where name.lowercased() != "global" {
            guard let text = configuration.value(["path", "directory"], in: name), text.hasPrefix("/") else { continue }
            let path = (try? resolvedPath(BytePath(text))) ?? BytePath(text)
            let subfolder: String
            if path == target {
                subfolder = ""
            } else if let relative = target.relative(to: path) {
                subfolder = relative.displayString
            } else {
                continue
            }
            let share = Share(
                name: BytePath(name).displayString, subfolder: subfolder,
                isWritable: isWritable(name, in: configuration))
            if path.bytes.count > (best?.length ?? -1) { best = (share, path.bytes.count) }
        }
        return best?.share
    }

    private static func isWritable(_ section: String, in configuration: SambaConfiguration) -> Bool {
        for place in [section, "global"] {
            if let text = configuration.value(["readonly"], in: place) { return !isYes(text) }
            if let text = configuration.value(["writeable", "writable", "writeok"], in: place) { return isYes(text) }
        }
        // Samba's own default.
        return false
    }

    private static func isYes(_ text: String) -> Bool { ["yes", "true", "1", "on"].contains(text.lowercased()) }

    private static func isInstalled(_ sources: MachineFacts.Sources) -> Bool {
        ["usr/sbin/smbd", "usr/local/sbin/smbd", "usr/local/samba/sbin/smbd"].contains {
            isExecutable(sources.path($0))
        }
    }

    private static func isRunning(_ sources: MachineFacts.Sources) -> Bool {
        guard let entries = try? directoryNames(sources.path("proc")) else { return false }
        return entries.contains { entry in
            guard entry.bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
            return sources.text("proc/\(entry.displayString)/comm") == "smbd"
        }
    }
}
