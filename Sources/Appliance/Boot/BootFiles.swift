import SystemKit

/// Reads and replaces the boot partition's files. A file is only ever replaced whole, and the one before it is kept.
///
/// The partition is FAT, on a card whose plug may be pulled: how a file is replaced there is `FATFiles`' matter. Where
/// the partition is mounted read-only, which is best, it is writable for one change only.
public struct BootFiles: Sendable {
    /// The partition.
    public let partition: BootPartition
    private let machine: Machine

    /// The files of a machine's boot partition.
    ///
    /// - Throws: `ApplianceError.unavailable` where it has none.
    public init(_ machine: Machine) throws(ApplianceError) {
        guard let partition = BootPartition.find(machine) else {
            throw .unavailable(
                "this machine has no boot partition of a Raspberry Pi; where it is one, mount it at /boot/firmware")
        }
        self.init(partition, machine)
    }

    /// The files of a partition that was found already.
    public init(_ partition: BootPartition, _ machine: Machine) {
        self.partition = partition
        self.machine = machine
    }

    /// A file's bytes; `nil` where it is not there.
    public func read(_ file: BootFile) throws(ApplianceError) -> [UInt8]? { try read(file.name) }

    func read(_ name: BytePath) throws(ApplianceError) -> [UInt8]? {
        do throws(SystemError) { return try readRegularFile(partition.file(name), limit: 1 << 20) } catch {
            if error.isNotFound { return nil }
            throw .system(error)
        }
    }

    /// The kept copy, where it is a good one.
    func backup(_ file: BootFile) -> [UInt8]? {
        guard let bytes = try? read(file.backupName), file.damage(in: bytes) == nil else { return nil }
        return bytes
    }

    /// Replaces a file. The one that was there is kept beside it, unless it is damaged.
    ///
    /// - Throws: `ApplianceError.refused` where the new content is no such file.
    public func replace(_ file: BootFile, with bytes: [UInt8]) throws(ApplianceError) {
        if let damage = file.damage(in: bytes) { throw .refused("\(file.rawValue) would be broken: \(damage)") }
        let old = try read(file)
        try writing { () throws(ApplianceError) in
            _ = removeLeftovers()
            if !FATFiles.leftovers(in: partition.path).isEmpty {
                throw .refused(
                    "a change of \(file.rawValue) was interrupted; run 'retro-admin system boot-check --early'")
            }
            if let old, file.damage(in: old) == nil { try put(file.backupName, old) }
            try put(file.name, bytes)
        }
        guard try read(file) == bytes else { throw .unverified("\(file.rawValue) does not say what was written") }
    }

    /// Takes a file as the one that the machine is known to start with.
    func keep(_ file: BootFile) throws(ApplianceError) {
        guard needsKeeping(file), let bytes = try read(file) else { return }
        try writing { () throws(ApplianceError) in try put(file.backupName, bytes) }
    }

    func needsKeeping(_ file: BootFile) -> Bool {
        guard let bytes = try? read(file), file.damage(in: bytes) == nil else { return false }
        return (try? read(file.backupName)) != bytes
    }

    func putWhole(_ file: BootFile, _ bytes: [UInt8]) throws(ApplianceError) { try put(file.name, bytes) }
    var programs: Programs { machine.programs }
    func path(_ relative: String) -> BytePath { machine.path(relative) }

    private func put(_ name: BytePath, _ bytes: [UInt8]) throws(ApplianceError) {
        guard try read(name) != bytes else { return }
        try system { () throws(SystemError) in try FATFiles.replace(partition.file(name), with: bytes) }
    }

    /// Makes the partition writable for as long as something takes.
    func writing(_ body: () throws(ApplianceError) -> Void) throws(ApplianceError) {
        guard partition.isReadOnly, let point = partition.mount?.point else { return try body() }
        try machine.programs.demand("mount", ["-o", "remount,rw", point], package: "mount")
        let outcome: ApplianceError?
        do throws(ApplianceError) {
            try body()
            outcome = nil
        } catch { outcome = error }
        // Somebody else may be writing there, and then it cannot be: that is no fault of this change.
        _ = try? machine.programs.run("mount", ["-o", "remount,ro", point], package: "mount")
        if let outcome { throw outcome }
    }
}
