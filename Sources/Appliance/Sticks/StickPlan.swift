public import SystemKit

/// What copying a stick would do: a value, made by looking at both sides. Nothing is ever replaced.
public struct StickPlan: Sendable {
    /// A file and where it goes.
    public struct Item: Sendable, Equatable {
        /// The file on the stick.
        public let file: StickFile
        /// Its path on this machine.
        public let target: BytePath
    }

    /// Files that are not on this machine.
    public private(set) var new: [Item] = []
    /// Files of which this machine has one of the same name and size with another time: they are compared when it
    /// comes to copying.
    public private(set) var doubtful: [Item] = []
    /// Files of which this machine has another one of the same name: both stay as and where they are.
    public private(set) var clashing: [Item] = []
    /// How many files are here already.
    public private(set) var same = 0
    /// Links, devices and pipes on the stick.
    public let skipped: Int
    /// What could not be looked at.
    public let problems: [String]

    /// New files that count as games.
    public var games: Int { new.count { $0.file.isGame } }
    /// Bytes of the new files.
    public var bytes: Int64 { new.reduce(0) { $0 + $1.file.size } }

    /// Times on FAT are even seconds.
    private static let grain: Int64 = 2_000_000_000
    private static let block: Int64 = 4096
    /// What stays free: a disk that is full to the last byte keeps the machine from working.
    static let reserve: Int64 = 64 << 20

    /// Looks at what this machine has of what a stick holds.
    ///
    /// - Throws: `ApplianceError.notFound` where the folder of games is not there.
    public init(_ facts: StickFacts, data: DataPlaces, rules: StickRules) throws(ApplianceError) {
        guard (try? fileStatus(data.roms))?.kind == .directory else {
            throw .notFound("the folder of games \(data.roms) is not there: is its disk plugged in?")
        }
        skipped = facts.skipped
        problems = facts.problems
        let folders = Folders(data.roms, rules)
        var taken: [BytePath: StickFile] = [:]
        for file in facts.files {
            let item = Item(file: file, target: folders.folder(of: file).appending(file.rest))
            if let other = taken[item.target] {
                // Two places of the stick have a file for the same name.
                if StickPlan.agree(other.size, other.modifiedNanoseconds, file) {
                    same += 1
                } else {
                    clashing.append(item)
                }
                continue
            }
            taken[item.target] = file
            guard let status = try? fileStatus(item.target) else {
                new.append(item)
                continue
            }
            if status.kind != .regular || status.size != file.size {
                clashing.append(item)
            } else if StickPlan.agree(status.size, status.modifiedNanoseconds, file) {
                same += 1
            } else {
                doubtful.append(item)
            }
        }
    }

    private static func agree(_ size: Int64, _ modified: Int64, _ file: StickFile) -> Bool {
        size == file.size && abs(modified - file.modifiedNanoseconds) <= grain
    }

    /// Bytes that the new files take on a disk.
    var neededBytes: Int64 {
        new.reduce(0) { $0 + ($1.file.size + StickPlan.block - 1) / StickPlan.block * StickPlan.block }
    }

    /// Why there is no room for it; `nil` where there is.
    ///
    /// - Parameter saved: bytes that a part of a file takes already.
    public func shortage(of roms: BytePath, saved: Int64 = 0) -> String? {
        guard !new.isEmpty, let space = try? DiskSpace.read(roms) else { return nil }
        let needed = neededBytes - saved + StickPlan.reserve
        if needed > space.freeBytes {
            return "there is not enough room: \(decimal(neededBytes - saved)) are needed and "
                + "\(decimal(max(0, space.freeBytes - StickPlan.reserve))) are free; delete something and try again"
        }
        if let files = space.freeFiles, files < Int64(new.count) + 100 {
            return "the disk has no room for \(new.count) more files"
        }
        return nil
    }

    private func decimal(_ bytes: Int64) -> String {
        let tenths = (bytes + 50_000) / 100_000
        return tenths < 10_000
            ? "\(tenths / 10).\(tenths % 10) MB" : "\(tenths / 10_000).\(tenths / 1000 % 10) GB"
    }
}

/// The folders of systems on this machine.
private struct Folders {
    private let roms: BytePath
    private var existing: [String: BytePath] = [:]
    private let names: Set<BytePath>

    init(_ roms: BytePath, _ rules: StickRules) {
        self.roms = roms
        let found = ((try? directoryNames(roms)) ?? []).sorted()
        names = Set(found)
        for name in found {
            if let system = rules.system(name.bytes), existing[system] == nil { existing[system] = name }
        }
    }

    /// The one with the stick's name of it where that is here too, else the usual one, else another one of the system's.
    func folder(of file: StickFile) -> BytePath {
        if names.contains(file.folder) { return roms.appending(file.folder) }
        let usual = BytePath(file.system)
        return roms.appending(names.contains(usual) ? usual : existing[file.system] ?? usual)
    }
}
