internal import CLinux
internal import Glibc

/// Files of a FAT filesystem, which has no journal: what a power cut leaves depends on the order of single sectors.
///
/// Renaming over a file there writes two entries of the folder and gives the old content's clusters back, in any order.
/// Where the clusters are free on the disk before the entry names the new ones, neither content can be read. So:
///
/// - the new content is complete on the disk, under a name of its own, before anything else;
/// - the old file is held open over the renaming: its clusters are given back only once it is closed, and it is closed
///   only once the folder is on the disk. The entry is one sector, so it names the old content or the new, both whole;
/// - a cut between the two entries leaves two names for the new content. Repairing programs then empty the one that
///   comes later in the folder, so the temporary name is chosen to be the later one.
public enum FATFiles {
    /// How many files that lie earlier in the folder are put up with in search of a later place.
    private static let tries = 64

    /// Replaces a file as a whole, so that every moment of a power cut leaves the old content or the new.
    ///
    /// - Throws: `SystemError` of the first call that failed; before the renaming the old file is untouched.
    public static func replace(_ path: BytePath, with contents: [UInt8]) throws(SystemError) {
        var fillers: [BytePath] = []
        defer { for filler in fillers { try? removeFile(filler) } }
        let temporary = try makeTemporary(behind: path, fillers: &fillers)
        do throws(SystemError) {
            let file = try Descriptor.open(temporary, flags: O_WRONLY)
            try file.writeAll(contents, subject: temporary)
            try file.synchronize(subject: temporary)
            try flush(path.parent)
        } catch {
            try? removeFile(temporary)
            throw error
        }
        try exchange(temporary, path)
        try flush(path.parent)
    }

    private static func exchange(_ temporary: BytePath, _ path: BytePath) throws(SystemError) {
        let old = (try? Descriptor.open(path, flags: O_RDONLY).release()) ?? -1
        defer { if old >= 0 { close(old) } }
        do { try renameFile(temporary, to: path) } catch {
            try? removeFile(temporary)
            throw error
        }
        try flush(path.parent)
    }

    /// Files that an interrupted `replace` left in a folder.
    public static func leftovers(in folder: BytePath) -> [BytePath] {
        let known = Set((0..<tries).map(temporaryName))
        return ((try? directoryNames(folder)) ?? []).filter(known.contains).map { folder.appending($0) }
    }

    /// Whether two names stand for the same clusters, as after a power cut: removing one would take the other's content.
    /// `nil` where that cannot be told.
    public static func share(_ one: BytePath, _ other: BytePath) -> Bool? {
        guard let first = firstBlock(one), let second = firstBlock(other) else { return nil }
        return first != 0 && first == second
    }

    /// Writes everything that belongs to a folder's filesystem to the disk, and makes the disk keep it.
    ///
    /// - Throws: `SystemError` of `syncfs` or `fsync`.
    public static func flush(_ folder: BytePath) throws(SystemError) {
        let directory = try Descriptor.open(folder, flags: O_RDONLY | O_DIRECTORY)
        let value = directory.rawValue
        _ = try retrying("syncfs", folder.displayString) { clinux_sync_filesystem(value) }
        // syncfs writes all blocks; on this filesystem only fsync tells the disk to keep what it has in its own memory.
        try synchronizeDirectory(folder)
    }

    private static func temporaryName(_ number: Int) -> BytePath { BytePath("retro-\(number).tmp") }

    /// A new, empty file whose entry comes after that of `path`. What had to be made on the way there are the fillers.
    private static func makeTemporary(
        behind path: BytePath, fillers: inout [BytePath]
    ) throws(SystemError) -> BytePath {
        let folder = path.parent
        for number in 0..<tries {
            let name = temporaryName(number)
            let made = folder.appending(name)
            do throws(SystemError) {
                _ = try Descriptor.open(made, flags: O_WRONLY | O_CREAT | O_EXCL)
            } catch {
                if error.code == EEXIST { continue }
                throw error
            }
            // FAT gives the names of a folder in the order of their entries, and knows no difference of case.
            let names = try directoryNames(folder).map { $0.bytes.map(asciiLowercased) }
            let place = names.firstIndex(of: path.name.bytes.map(asciiLowercased)) ?? -1
            if place < (names.firstIndex(of: name.bytes) ?? .max) || number == tries - 1 { return made }
            fillers.append(made)
        }
        throw SystemError(call: "open", path: folder, code: EEXIST)
    }

    private static func firstBlock(_ path: BytePath) -> Int64? {
        guard let file = try? Descriptor.open(path, flags: O_RDONLY).release() else { return nil }
        defer { close(file) }
        let block = clinux_first_block(file)
        return block < 0 ? nil : block
    }
}
