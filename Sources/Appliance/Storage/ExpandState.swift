import FoundationEssentials
import Synchronization
import SystemKit

/// An expansion that was begun and is not known to be finished: on the disk, so that it outlives a power cut.
public struct PendingExpansion: Sendable, Equatable, Codable {
    /// The partition as it was asked for; `nil` for the one that `/` is on.
    public let device: String?
    /// The partition's PARTUUID: nodes get other names when another disk is plugged in.
    public let identifier: String

    /// Reads the note; `nil` where nothing is under way.
    public static func read(_ machine: Machine) -> PendingExpansion? {
        guard let bytes = try? readRegularFile(place(machine), limit: 64 << 10) else { return nil }
        return try? JSONDecoder().decode(PendingExpansion.self, from: Data(decodableJSON(bytes)))
    }

    /// Where the note is.
    static func place(_ machine: Machine) -> BytePath { machine.state.appending("storage/expand.json") }

    func write(_ machine: Machine) throws(ApplianceError) { try writeNote(self, PendingExpansion.place(machine)) }

    static func remove(_ machine: Machine) throws(ApplianceError) {
        let place = place(machine)
        guard fileExists(place) else { return }
        try system { () throws(SystemError) in
            try removeFile(place)
            try synchronizeDirectory(place.parent)
        }
    }

    /// Whether it is about this partition.
    func concerns(_ facts: ExpandFacts) -> Bool {
        facts.table.entry(facts.number)?.identifier == identifier
    }

    /// Whether what it names is still the partition that it was about: nothing is done to a disk that was changed since.
    ///
    /// - Throws: `ApplianceError` where nothing can be found out.
    public func isStillMeant(on machine: Machine) throws(ApplianceError) -> Bool {
        let target = try ExpandTarget.find(device, on: machine)
        guard let disk = target.disk, let number = target.device.partition else { return false }
        return try PartitionTable.read(disk).entry(number)?.identifier == identifier
    }
}

/// What was expanded last: a partition that fills its gap is done, also where there is free space elsewhere.
struct DoneExpansion: Sendable, Equatable, Codable {
    /// The partition's PARTUUID.
    let identifier: String
    /// Bytes of the partition.
    let bytes: Int64

    init(_ facts: ExpandFacts) {
        identifier = facts.table.entry(facts.number)?.identifier ?? ""
        bytes = facts.partitionAfterBytes
    }

    static func read(_ machine: Machine) -> DoneExpansion? {
        guard let bytes = try? readRegularFile(place(machine), limit: 64 << 10) else { return nil }
        return try? JSONDecoder().decode(DoneExpansion.self, from: Data(decodableJSON(bytes)))
    }

    func write(_ machine: Machine) throws(ApplianceError) { try writeNote(self, DoneExpansion.place(machine)) }

    private static func place(_ machine: Machine) -> BytePath { machine.state.appending("storage/expanded.json") }
}

private func writeNote(_ note: some Encodable, _ place: BytePath) throws(ApplianceError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = Array((try? encoder.encode(note)) ?? Data()) + [0x0A]
    try system { () throws(SystemError) in
        // The menu, which is not root, tells what is under way.
        try createDirectories(place.parent)
        try replaceFile(at: place, with: bytes)
    }
}

/// Old partition tables of a disk, as `sfdisk` dumps and takes them, numbered. One that is kept is never overwritten.
struct SavedTables: Sendable {
    let folder: BytePath
    private let disk: String

    init(_ disk: BlockDevice, _ machine: Machine) {
        folder = machine.state.appending("storage/tables")
        self.disk = disk.name.split(separator: "/").joined(separator: "-")
    }

    static func dump(_ disk: BlockDevice, _ machine: Machine) throws(ApplianceError) -> [UInt8] {
        try machine.programs.demand("sfdisk", ["--dump", disk.node], package: "fdisk").output
    }

    private func place(_ number: Int) -> BytePath { folder.appending("\(disk).\(number).sfdisk") }

    /// How many are kept.
    private var count: Int {
        var count = 0
        while fileExists(place(count + 1)) { count += 1 }
        return count
    }

    /// Where the next one goes.
    var next: BytePath { place(count + 1) }

    /// The newest.
    func last() -> [UInt8]? { try? readRegularFile(place(count), limit: 1 << 20) }

    func save(_ dump: [UInt8]) throws(ApplianceError) {
        guard last() != dump else { return }
        let next = next
        try system { () throws(SystemError) in
            try createDirectories(folder, permissions: 0o700)
            try replaceFile(at: next, with: dump, permissions: 0o600)
        }
    }
}

/// A disk's lock that is taken by a plan's first step and let go with the plan.
final class HeldLock: Sendable {
    private let lock = Mutex<DiskLock?>(nil)

    func take(_ disk: BytePath) throws(ApplianceError) {
        let taken: DiskLock
        do throws(SystemError) { taken = try DiskLock(disk) } catch {
            throw error.isBusy ? .busy("somebody else is at \(disk); try again later") : .system(error)
        }
        lock.withLock { $0 = taken }
    }
}
