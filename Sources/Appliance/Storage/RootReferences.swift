import SystemKit

/// How the files that the machine starts by name its root, compared with what is on the disk.
///
/// Some tools give a disk another id when they write its table. The next start then waits for a root that is not there.
struct RootReferences: Sendable {
    /// A file that names something that is not there, and what it must say instead; `nil` where only a person can know.
    struct Fault: Sendable, Equatable {
        let file: BytePath
        let sentence: String
        let corrected: [UInt8]?
    }

    var faults: [Fault] = []

    /// For people.
    var sentences: [String] { faults.map(\.sentence) }

    /// Reads the files of the boot partition and `fstab`.
    static func read(_ facts: ExpandFacts, _ machine: Machine) -> RootReferences {
        let identities = DiskIdentities(facts, machine)
        var faults: [Fault] = []
        if let boot = BootPartition.find(machine) {
            let file = boot.file(BootFile.commandLine.name)
            if let bytes = try? readRegularFile(file, limit: 64 << 10) {
                faults += fault(file, bytes, identities) { words(bytes, isRoot: $0) }
            }
        }
        let table = machine.path("etc/fstab")
        if let bytes = try? readRegularFile(table, limit: 1 << 20) {
            faults += fault(table, bytes, identities) { fields(bytes, isRoot: $0) }
        }
        return RootReferences(faults: faults)
    }

    /// One a file that can be corrected.
    func steps(_ machine: Machine) -> [Step] {
        faults.compactMap { fault in
            guard let corrected = fault.corrected else { return nil }
            let isTable = fault.file.name == "fstab"
            let backup = BytePath(bytes: fault.file.bytes + Array(".bak".utf8))
            return Step(
                isTable ? "repair-fstab" : "repair-cmdline", "Correct \(fault.file), which is kept as \(backup.name)"
            ) { () throws(ApplianceError) in
                // The boot partition is FAT, and perhaps read-only.
                guard isTable else { return try BootFiles(machine).replace(.commandLine, with: corrected) }
                try system { () throws(SystemError) in
                    try replaceFile(at: backup, with: try readRegularFile(fault.file, limit: 1 << 20))
                    try replaceFile(at: fault.file, with: corrected)
                }
            } check: { () throws(ApplianceError) in
                (try? readRegularFile(fault.file, limit: 1 << 20)) == corrected
                    ? nil : "\(fault.file) is not as it should be after this; the old one is \(backup)"
            }
        }
    }

    private static func fault(
        _ file: BytePath, _ bytes: [UInt8], _ identities: DiskIdentities, _ names: (_ isRoot: Bool) -> [Range<Int>]
    ) -> [Fault] {
        var corrected = bytes
        var wrong: [String] = []
        var isCorrectable = true
        let places = names(true).map { ($0, true) } + names(false).map { ($0, false) }
        for (place, isRoot) in places.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            let word = String(decoding: bytes[place], as: UTF8.self)
            switch identities.judge(word, isRoot: isRoot) {
            case .right: continue
            case .wrong(let better):
                wrong.append(BytePath(word).displayString)
                if let better { corrected.replaceSubrange(place, with: better.utf8) } else { isCorrectable = false }
            }
        }
        guard !wrong.isEmpty else { return [] }
        let list = wrong.reversed().joined(separator: " and ")
        return [
            Fault(
                file: file,
                sentence: "\(file) names \(list), which is not what the disk has"
                    + (isCorrectable ? "" : "; the next start may fail until that is corrected by hand"),
                corrected: isCorrectable ? corrected : nil)
        ]
    }

    /// The values of `root=` on a kernel's command line; it has nothing else.
    private static func words(_ bytes: [UInt8], isRoot: Bool) -> [Range<Int>] {
        guard isRoot else { return [] }
        let key = Array("root=".utf8)
        return bytes.split { $0 <= 0x20 }.filter { $0.starts(with: key) }
            .map { ($0.startIndex + key.count)..<$0.endIndex }
    }

    /// The first fields of the lines for `/`, or of those for the boot partition, which is on the same disk. What else
    /// is mounted may be unplugged now.
    private static func fields(_ bytes: [UInt8], isRoot: Bool) -> [Range<Int>] {
        let points = (isRoot ? ["/"] : ["/boot", "/boot/firmware"]).map { Array($0.utf8) }
        return bytes.split(separator: 0x0A).compactMap { line in
            let words = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 })
            guard words.count > 1, words[0].first != 0x23, points.contains(Array(words[1])) else { return nil }
            return words[0].startIndex..<words[0].endIndex
        }
    }
}
