public import SystemKit

/// How something is.
public enum DoctorState: String, Sendable, Equatable {
    /// As it should be, or nothing that this machine has.
    case ok
    /// It works, and will not for ever, or not for everything.
    case warning
    /// It does not work.
    case failed
}

/// What a check found: how it is, why, and what to do.
public struct DoctorVerdict: Sendable {
    /// How it is.
    public let state: DoctorState
    /// What was seen: a sentence without a full stop.
    public let reason: String
    /// What to do: a sentence without a full stop; empty where nothing has to be done.
    public let cure: String
    /// What can be done about it without any risk.
    public let fix: StepPlan?

    /// A verdict with all its parts.
    public init(_ state: DoctorState, _ reason: String, cure: String = "", fix: StepPlan? = nil) {
        self.state = state
        self.reason = reason
        self.cure = cure
        self.fix = fix
    }

    /// All is well.
    public static func ok(_ reason: String) -> DoctorVerdict { .init(.ok, reason) }
    /// It will make trouble.
    public static func warning(_ reason: String, cure: String, fix: StepPlan? = nil) -> DoctorVerdict {
        .init(.warning, reason, cure: cure, fix: fix)
    }
    /// It does not work.
    public static func failed(_ reason: String, cure: String, fix: StepPlan? = nil) -> DoctorVerdict {
        .init(.failed, reason, cure: cure, fix: fix)
    }
}

/// One thing that is looked at.
public struct DoctorCheck: Sendable {
    /// A word that scripts can rely on, e.g. `disk-space`.
    public let id: String
    /// Looks. Never fails: what cannot be found out is no fault of the machine.
    public let look: @Sendable (DoctorContext) -> DoctorVerdict

    /// A check.
    public init(_ id: String, _ look: @escaping @Sendable (DoctorContext) -> DoctorVerdict) {
        self.id = id
        self.look = look
    }
}

/// The checks of this floor; the commands add those that know games and controllers.
public enum Doctor {
    /// All of them, in the order in which they are told.
    public static let checks: [DoctorCheck] =
        disk + power + clock + devices + accounts + data + share + network + boot + software

    /// Those that only read a few small files, for whoever asks often.
    public static let quickChecks = checks.filter { quick.contains($0.id) }

    private static let quick: Set<String> = [
        "disk-space", "disk-files", "disk-writable", "power-supply", "throttled", "temperature", "memory", "clock-set",
        "display", "restore-finished", "share", "share-guests", "network", "wifi-blocked", "wifi-country", "boot-files",
        "boot-root", "kernel-modules",
    ]
}

/// What the checks look at, and what they need that is no file of the machine.
public struct DoctorContext: Sendable {
    /// The machine.
    public var machine: Machine
    /// Its addresses.
    public var network: NetworkFacts
    /// Now, in seconds since 1970.
    public var now: Double
    /// How full a filesystem is; `nil` where that cannot be told.
    public var space: @Sendable (BytePath) -> DiskSpace?
    /// How long it takes to write a few bytes to a folder and have them on the device, in seconds; `nil` where nothing
    /// is to be written.
    public var durableWrite: @Sendable (BytePath) -> Double?
    /// Whether this process is root.
    public var isRoot: Bool
    /// The account that plays.
    public var player: PlayerAccount

    /// A context; what is not given is this machine's own.
    public init(
        machine: Machine, network: NetworkFacts, now: Double = wallClockSeconds(), isRoot: Bool = currentUserID == 0,
        space: @escaping @Sendable (BytePath) -> DiskSpace? = { try? DiskSpace.read($0) },
        durableWrite: @escaping @Sendable (BytePath) -> Double? = measureDurableWrite
    ) {
        self.machine = machine
        self.network = network
        self.now = now
        self.isRoot = isRoot
        self.space = space
        self.durableWrite = durableWrite
        player = PlayerAccount.find(machine)
    }

    func text(_ path: String) -> String? { machine.files.text(path) }
    func lines(_ path: String) -> [String] { machine.files.lines(path) }
    func exists(_ path: String) -> Bool { fileExists(machine.path(path)) }
    func names(_ path: String) -> [String] {
        ((try? directoryNames(machine.path(path))) ?? []).map(\.displayString).sorted()
    }

    /// The nearest folder above a path that is there.
    func existing(_ path: BytePath) -> BytePath {
        var place = path
        while !fileExists(place), place != "/" { place = place.parent }
        return place
    }

    var mounts: MountedFilesystems {
        MountedFilesystems(
            .init(
                table: machine.path("proc/self/mountinfo"), identities: machine.path("dev/disk/by-uuid"),
                labels: machine.path("dev/disk/by-label")))
    }

    /// Names of the programs that run.
    var running: Set<String> {
        Set(
            names("proc").filter { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
                .compactMap { text("proc/\($0)/comm") })
    }

    /// Whether systemd starts a unit by itself.
    func isEnabled(_ unit: String) -> Bool {
        names("etc/systemd/system").filter { $0.hasSuffix(".wants") }.contains { folder in
            (try? fileStatus(machine.path("etc/systemd/system/\(folder)/\(unit)"), followLinks: false)) != nil
        }
    }

    var isRaspberry: Bool {
        text("proc/device-tree/model")?.contains("Raspberry") == true
            || exists("sys/devices/platform/soc/soc:firmware/get_throttled")
    }
}

/// How long a small durable write takes: the median of a few, in seconds.
@Sendable
public func measureDurableWrite(_ folder: BytePath) -> Double? {
    let file = folder.appending(".doctor-\(currentProcessID)")
    var times: [Double] = []
    for number in 0..<5 {
        let began = MonotonicInstant.now
        guard (try? replaceFile(at: file, with: [UInt8](repeating: UInt8(number), count: 4096))) != nil else { break }
        times.append(MonotonicInstant.now.seconds(since: began))
    }
    try? removeFile(file)
    return times.isEmpty ? nil : times.sorted()[times.count / 2]
}
