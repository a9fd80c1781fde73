internal import SystemKit

/// The person's profiles: one file each, so that a damaged one costs only itself.
struct ProfileFolder {
    /// Larger than any profile; what somebody put there by mistake is not read into memory.
    static let limit = 64 << 10
    /// More than anybody has pads; a folder with more is something else.
    static let most = 2000

    private struct Entry {
        let path: BytePath
        let profile: PadProfile
        let modified: Int64
    }

    let folder: BytePath
    private var entries: [PadProfile.Key: Entry] = [:]
    /// Files that say something about a pad for which a newer file speaks.
    private var outdated: [PadProfile.Key: [BytePath]] = [:]
    private(set) var problems: [ProfileProblem] = []

    /// Reads all of a folder; one that is not there is empty.
    init(_ folder: BytePath) {
        self.folder = folder
        do throws(SystemError) {
            let names = try directoryNames(folder).filter {
                $0.fileExtension == Array("json".utf8) && $0.bytes.first != UInt8(ascii: ".")
            }
            if names.count > ProfileFolder.most {
                problems.append(
                    ProfileProblem(file: folder, reason: "only the first \(ProfileFolder.most) files are read"))
            }
            for name in names.sorted().prefix(ProfileFolder.most) { read(folder.appending(name)) }
        } catch {
            if !error.isNotFound { problems.append(ProfileProblem(file: folder, reason: error.reason)) }
        }
    }

    private mutating func read(_ path: BytePath) {
        do throws(SystemError) {
            let bytes = try readRegularFile(path, limit: ProfileFolder.limit)
            let modified = (try? fileStatus(path).modifiedNanoseconds) ?? 0
            var reasons: [String] = []
            let profile = PadProfile(fileContents: bytes) { reasons.append($0) }
            problems += reasons.map { ProfileProblem(file: path, reason: $0) }
            if let profile { add(Entry(path: path, profile: profile, modified: modified)) }
        } catch {
            problems.append(ProfileProblem(file: path, reason: error.reason))
        }
    }

    private mutating func add(_ entry: Entry) {
        let key = entry.profile.key
        guard let other = entries[key] else {
            entries[key] = entry
            return
        }
        let (winner, loser) = entry.modified >= other.modified ? (entry, other) : (other, entry)
        entries[key] = winner
        outdated[key, default: []].append(loser.path)
        problems.append(
            ProfileProblem(
                file: loser.path, reason: "\(winner.path.name) is about the same pad and newer, so this one is not used"
            ))
    }

    /// What the person decided about a device: for that very one, else for its kind.
    func profile(for facts: DeviceFacts) -> PadProfile? {
        let kind = facts.kind
        if let unit = facts.profileUnit, let entry = entries[PadProfile.Key(kind: kind, unit: unit)] {
            return entry.profile
        }
        return entries[PadProfile.Key(kind: kind, unit: nil)]?.profile
    }

    /// Whether anything is stored for devices of this make.
    func knows(_ identity: PadIdentity) -> Bool { entries.keys.contains { $0.kind.identity == identity } }

    /// Stores a profile in place of the one for the same pad.
    ///
    /// - Parameter facts: the pad at hand; what was stored for it alone would hide a profile for its kind.
    mutating func save(_ profile: PadProfile, for facts: DeviceFacts?) throws(SystemError) {
        try createDirectories(folder)
        let key = profile.key
        let path = entries[key]?.path ?? folder.appending(ProfileFolder.fileName(of: profile))
        try replaceFile(at: path, with: profile.fileContents)
        // On a machine without a battery for its clock a file of yesterday may be dated later than this one.
        for old in outdated.removeValue(forKey: key) ?? [] { try removeFile(old) }
        entries[key] = Entry(path: path, profile: profile, modified: Int64.max)
        if profile.unit == nil, let facts, try removeUnit(facts) { try synchronizeDirectory(folder) }
    }

    /// Removes what is stored for a device and its kind.
    ///
    /// - Returns: whether there was anything.
    mutating func remove(_ facts: DeviceFacts) throws(SystemError) -> Bool {
        let kind = try remove(PadProfile.Key(kind: facts.kind, unit: nil))
        let unit = try removeUnit(facts)
        if kind || unit { try synchronizeDirectory(folder) }
        return kind || unit
    }

    private mutating func removeUnit(_ facts: DeviceFacts) throws(SystemError) -> Bool {
        guard let unit = facts.profileUnit else { return false }
        return try remove(PadProfile.Key(kind: facts.kind, unit: unit))
    }

    private mutating func remove(_ key: PadProfile.Key) throws(SystemError) -> Bool {
        guard let entry = entries[key] else { return false }
        for old in outdated.removeValue(forKey: key) ?? [] { try removeFile(old) }
        try removeFile(entry.path)
        entries[key] = nil
        return true
    }

    private static func fileName(of profile: PadProfile) -> BytePath {
        let ids = "\(hexadecimal(profile.identity.vendor))-\(hexadecimal(profile.identity.product))"
        let version = hexadecimal(profile.identity.version)
        let parts = [hexadecimal(profile.identity.bus), version, profile.name, profile.capabilityHash]
        let rest = (parts + [profile.unit ?? ""]).joined(separator: "\n")
        return BytePath("\(safeFileName(profile.name)) (\(ids)) \(stableHashText(rest)).json")
    }
}
