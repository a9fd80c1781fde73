import Synchronization
import SystemKit

/// Remembers for a moment which pictures folders have, so that a page of rows does not ask for each.
///
/// Of a name only a number is kept: enough to know that a folder has no picture of a game, which is what most looks are
/// about.
final class ArtworkFolders: Sendable {
    /// How long a folder is believed without a look at its time.
    private static let trustSeconds = 1.0
    /// How long one is believed whose filesystem does not keep such times, or that was changed just now.
    private static let unreliableSeconds = 3.0
    private static let mostFolders = 256
    private static let mostNames = 400_000

    private struct Folder {
        var stems: Set<Int> = []
        var status: FileStatus?
        var isReliable = false
        var read = MonotonicInstant.now
        var checked = MonotonicInstant.now
    }

    private let folders = Mutex<[BytePath: Folder]>([:])

    /// The first picture of these names that a folder has: by its exact bytes, then by the same text in other bytes.
    func picture(_ names: [[UInt8]], in path: BytePath) -> BytePath? {
        let stems = stems(in: path)
        for name in names where stems.contains(ArtworkFolders.key(name)) {
            if let found = file(stem: name, in: path) { return found }
        }
        return nil
    }

    /// A file of this name, with capitals in its extension or accents made otherwise.
    func file(_ name: [UInt8], in path: BytePath) -> BytePath? {
        let stem = BytePath(bytes: name).stem.bytes
        guard stems(in: path).contains(ArtworkFolders.key(stem)) else { return nil }
        return file(stem: stem, in: path)
    }

    /// The names in a folder that has only a few.
    func names(in path: BytePath) -> [BytePath] {
        guard fileExists(path) else { return [] }
        return ((try? directoryNames(path)) ?? []).sorted()
    }

    // MARK: - Names

    // Windows and old cameras write capitals.
    private static let extensions = ["png", "jpg", "jpeg", "webp", "PNG", "JPG", "JPEG", "WEBP"]
    private static let suffixes = Set(extensions.map { Array($0.utf8) })

    private func file(stem: [UInt8], in path: BytePath) -> BytePath? {
        for suffix in ArtworkFolders.extensions {
            let file = path.appending(BytePath(bytes: stem + Array(".\(suffix)".utf8)))
            if fileExists(file) { return file }
        }
        // macOS writes an accent as a character of its own, everybody else writes the accented letter. Swift's `==` of
        // strings is that comparison.
        let text = BytePath(bytes: stem).validUTF8
        let found = ((try? directoryNames(path)) ?? []).filter { name in
            guard ArtworkFolders.isPicture(name) else { return false }
            let own = name.stem
            return own.bytes == stem || (text != nil && own.validUTF8 == text)
        }
        return found.min().map { path.appending($0) }
    }

    private static func isPicture(_ name: BytePath) -> Bool {
        name.fileExtension.map { suffixes.contains($0) } ?? false
    }

    /// Equal for names that are the same text.
    private static func key(_ stem: [UInt8]) -> Int {
        var hasher = Hasher()
        if stem.contains(where: { $0 >= 0x80 }), let text = BytePath(bytes: stem).validUTF8 {
            hasher.combine(text)
        } else {
            // A text of ASCII only is the same as nothing else.
            hasher.combine(String(decoding: stem, as: UTF8.self))
        }
        return hasher.finalize()
    }

    // MARK: - Folders

    private func stems(in path: BytePath) -> Set<Int> {
        let known = folders.withLock { $0[path] }
        if let known, known.checked.isWithin(ArtworkFolders.trustSeconds) { return known.stems }
        // Not under the lock: a share that does not answer must not stop looks at other folders.
        let status = try? fileStatus(path)
        if var known, known.status == status,
            known.isReliable || status == nil || known.read.isWithin(ArtworkFolders.unreliableSeconds)
        {
            known.checked = .now
            remember(known, path)
            return known.stems
        }
        let folder = look(path, status)
        remember(folder, path)
        return folder.stems
    }

    private func look(_ path: BytePath, _ status: FileStatus?) -> Folder {
        var folder = Folder(status: status)
        guard status?.kind == .directory, let reader = try? DirectoryReader(path) else { return folder }
        let age = wallClockSeconds() - Double(status?.modifiedNanoseconds ?? 0) / 1e9
        // A file that comes in the same moment would not be seen.
        folder.isReliable = reader.filesystem() == .keepsDirectoryTimes && !(0..<2).contains(age)
        var stems: Set<Int> = []
        try? reader.forEach { name, _ in
            let name = BytePath(bytes: name)
            if ArtworkFolders.isPicture(name), stems.count < ArtworkFolders.mostNames {
                stems.insert(ArtworkFolders.key(name.stem.bytes))
            }
        }
        folder.stems = stems
        return folder
    }

    private func remember(_ folder: Folder, _ path: BytePath) {
        folders.withLock { folders in
            folders[path] = folder
            while folders.count > 1,
                folders.count > ArtworkFolders.mostFolders
                    || folders.values.reduce(0, { $0 + $1.stems.count }) > ArtworkFolders.mostNames
            {
                let oldest = folders.filter { $0.key != path }.min {
                    $0.value.checked.seconds(since: $1.value.checked) < 0
                }
                guard let oldest else { return }
                folders[oldest.key] = nil
            }
        }
    }
}

extension MonotonicInstant {
    fileprivate func isWithin(_ seconds: Double) -> Bool { MonotonicInstant.now.seconds(since: self) < seconds }
}
