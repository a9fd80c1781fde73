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
    /// Whom to log in as; `nil` where no share says.
    public let user: String?
    /// Whether everybody gets in without a password.
    public let isGuestAllowed: Bool
    /// Whether `password` knows the password that goes with the user.
    public let isPasswordReadable: Bool
    /// The names of all folders that are shared, e.g. `roms`, `bios`.
    public let shares: [String]

    /// What a person must know before they let everybody in.
    public static let guestExplanation =
        "Everybody in this network can now copy and delete games without a password. Windows 11 refuses shares without "
        + "a password; there, use the name and the password that are shown."

    /// Facts with all their parts.
    public init(
        state: State, name: String, subfolder: String = "", hostName: String, addresses: [String], isReadOnly: Bool,
        user: String? = nil, isGuestAllowed: Bool = false, isPasswordReadable: Bool = false, shares: [String] = []
    ) {
        self.user = user
        self.isGuestAllowed = isGuestAllowed
        self.isPasswordReadable = isPasswordReadable
        self.shares = shares
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

    /// The password that goes with the share's user, for showing on the television; `nil` where there is none, or this
    /// process may not know it. It is no part of the facts, which end up in logs and reports.
    public static func password(_ sources: MachineFacts.Sources = MachineFacts.Sources()) -> String? {
        SharePassword.read(sources)
    }

    /// Whether our part of Samba's configuration lets everybody in.
    static func isGuestAllowed(_ sources: MachineFacts.Sources) -> Bool {
        let settings = SambaConfiguration.read(sources.path("etc/samba/retro.conf"))
        return isYes(settings?.value(["guestok", "public"], in: "roms") ?? "no")
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
                isProgramRunning("smbd", sources) ? .running : .stopped
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
            isReadOnly: folderIsReadOnly || (share.map { !$0.isWritable } ?? false),
            user: share.flatMap { configuration?.value(["forceuser"], in: $0.name) },
            isGuestAllowed: share.map { isOpen($0.name, configuration) } ?? false,
            isPasswordReadable: SharePassword.read(sources) != nil,
            shares: share == nil
                ? []
                : (configuration?.names ?? []).filter { !hidden.contains($0.lowercased()) }
                    .map { BytePath($0).displayString })
    }

    /// Sections that are no folder to copy games to.
    private static let hidden = ["global", "homes", "printers", "print$"]

    private static func isOpen(_ name: String, _ configuration: SambaConfiguration?) -> Bool {
        isYes(configuration?.value(["guestok", "public"], in: name) ?? "no")
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

    static func isYes(_ text: String) -> Bool { ["yes", "true", "1", "on"].contains(text.lowercased()) }

    private static func isInstalled(_ sources: MachineFacts.Sources) -> Bool {
        ["usr/sbin/smbd", "usr/local/sbin/smbd", "usr/local/samba/sbin/smbd"].contains {
            isExecutable(sources.path($0))
        }
    }
}
