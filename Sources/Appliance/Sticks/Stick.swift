public import SystemKit

/// A USB stick or another disk that one can take away, which is mounted and holds none of this machine's own data.
public struct Stick: Sendable, Equatable {
    /// What it is known by wherever it is mounted, e.g. `uuid:1A2B-3C4D`.
    public let identity: String
    /// What a person calls it.
    public let label: String
    /// Where it is mounted.
    public let point: BytePath
    /// The kernel's name of its filesystem.
    public let kind: String
    /// The kernel's number of its device.
    let device: String

    /// A stick.
    public init(identity: String, label: String, point: BytePath, kind: String, device: String = "0:0") {
        self.identity = identity
        self.label = label
        self.point = point
        self.kind = kind
        self.device = device
    }

    /// Those that are mounted now.
    public static func plugged(on machine: Machine) -> [Stick] {
        let mounts = mounts(of: machine)
        let own = [machine.data.root, machine.data.roms, machine.data.state].map { mounts.covering($0)?.point }
        return RemovableDrive.mounted(on: machine).compactMap { drive in
            guard !own.contains(drive.point), let mount = mounts.all.last(where: { $0.point == drive.point }) else {
                return nil
            }
            let label = drive.label.isEmpty ? drive.point.name.displayString : drive.label
            return Stick(
                identity: mounts.identity(of: mount), label: label, point: drive.point, kind: drive.kind,
                device: mount.device)
        }
    }

    private static func mounts(of machine: Machine) -> MountedFilesystems {
        MountedFilesystems(
            .init(
                table: machine.path("proc/self/mountinfo"), identities: machine.path("dev/disk/by-uuid"),
                labels: machine.path("dev/disk/by-label")))
    }

    /// Whether it is still where it was: a filesystem stays mounted when its disk is pulled out, so the disk is asked for.
    func isPlugged(in machine: Machine) -> Bool {
        let mount = Stick.mounts(of: machine).covering(point)
        return mount?.point == point && mount?.device == device
            && fileExists(machine.path("sys/dev/block/\(device)"))
    }

    /// The change that takes it out, so that it can be pulled; `nil` where this machine did not mount it itself, as on
    /// a desktop.
    public func removal(on machine: Machine) -> MachineChange? {
        guard point.relative(to: machine.path(StickMount.folder)) != nil,
            let mount = Stick.mounts(of: machine).all.last(where: { $0.point == point }),
            let name = mount.origin.relative(to: "/dev")
        else { return nil }
        return .stick(.unmount(device: name.displayString))
    }

    /// What its files in the state folder are called.
    public var tag: String { Stick.tag(of: identity) }

    static func tag(of identity: String) -> String { hexDigits(fingerprint(Array(identity.utf8))) }

    /// The one that a person means by its label, its folder or its identity.
    ///
    /// - Throws: `ApplianceError.notFound` where there is none like that, or several.
    public static func named(_ word: BytePath?, among sticks: [Stick]) throws(ApplianceError) -> Stick {
        guard let word else {
            if sticks.count == 1 { return sticks[0] }
            throw .notFound(
                sticks.isEmpty
                    ? "no USB stick is mounted: plug one in"
                    : "there are several sticks: name one of \(names(sticks))")
        }
        let text = word.validUTF8
        let found = sticks.filter { $0.point == word || $0.identity == text || $0.label == text }
        guard found.count == 1 else {
            if found.count > 1 {
                throw .notFound(
                    "several sticks are called '\(word)': name one by its folder: \(names(found, points: true))")
            }
            throw .notFound(
                sticks.isEmpty
                    ? "no USB stick is mounted: plug one in"
                    : "there is no stick '\(word)'; there is \(names(sticks))")
        }
        return found[0]
    }

    private static func names(_ sticks: [Stick], points: Bool = false) -> String {
        sticks.map { points ? $0.point.displayString : $0.label }.joined(separator: ", ")
    }
}

/// FNV-1a with 64 bits: names for files, no proof of anything.
func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

func hexDigits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
