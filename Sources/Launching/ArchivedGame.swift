internal import ArchiveKit
internal import Catalog
public import SystemKit
internal import Systems

/// A game that is unpacked just before a launch, and taken away after it.
public struct Unpacking: Sendable, Equatable {
    /// The archive.
    public let archive: BytePath
    /// The file in it, as the archive names it.
    public let member: BytePath
    /// Bytes that it unpacks to.
    public let size: Int64
    /// Where it goes, absolute, in the plan's scratch folder.
    public let target: BytePath
    /// The game's title, for telling what is wrong.
    let title: String
}

/// How an emulator gets a game that is in an archive.
enum ArchivedGame: Equatable {
    /// As it is.
    case asItIs
    /// RetroArch is told which of several files is meant.
    case member(BytePath)
    /// Out of the archive.
    case unpacked(Unpacking)

    /// A file that is written before each start must not fill a card.
    private static let largest: Int64 = 2 << 30

    static func plan(
        for game: Game, file: BytePath, in system: SystemDefinition, emulator: EmulatorDefinition, scratch: BytePath
    ) throws(LaunchError) -> ArchivedGame {
        guard ArchiveFile.hasArchiveName(file), system.kind != .arcade else { return .asItIs }
        switch emulator.method {
        case .libretro:
            // RetroArch looks into it by itself, and takes the first file that the core knows.
            guard let found = try? GameArchive.look(file, in: system), found.candidates.count > 1,
                let member = found.member, isNameable(member.name, in: file)
            else { return .asItIs }
            return .member(BytePath(bytes: file.bytes + [UInt8(ascii: "#")] + member.name.bytes))
        case .program:
            guard let known = emulator.archives, let kind = file.fileExtension,
                !known.contains(where: { Array($0.utf8) == kind })
            else { return .asItIs }
            return try unpacked(game, file, system, scratch)
        }
    }

    private static func unpacked(
        _ game: Game, _ file: BytePath, _ system: SystemDefinition, _ scratch: BytePath
    ) throws(LaunchError) -> ArchivedGame {
        let found: GameArchive?
        do throws(ArchiveError) {
            found = try GameArchive.look(file, in: system, bounds: ArchiveBounds(bytes: largest))
        } catch {
            throw .archive(title: game.title, file: file, problem: error.predicate)
        }
        guard let member = found?.member else {
            throw .archive(title: game.title, file: file, problem: found?.problem ?? "holds no single game")
        }
        // Saves are named after the file that the emulator gets: the library's name stays when the archive's changes.
        var name = file.stem.bytes
        if let suffix = member.lastName.fileExtension { name += [UInt8(ascii: ".")] + suffix }
        return .unpacked(
            Unpacking(
                archive: file, member: member.name, size: member.size,
                target: scratch.appending(BytePath(bytes: name)), title: game.title))
    }

    /// Whether RetroArch finds a file by its name behind `#`: it looks for the mark behind the last slash of all.
    private static func isNameable(_ member: BytePath, in file: BytePath) -> Bool {
        !member.bytes.contains(UInt8(ascii: "/")) && !file.name.bytes.contains(UInt8(ascii: "#"))
    }
}

extension Unpacking {
    /// Room that is left on the device for the game's own saves.
    private static let spareBytes: Int64 = 16 << 20

    /// Unpacks; a file that was begun and could not be finished is taken away.
    func run() throws(LaunchError) {
        if let space = try? DiskSpace.read(target.parent), space.freeBytes < size + Unpacking.spareBytes {
            throw .cannotPrepare(path: target, reason: "there is not enough room to unpack the game")
        }
        do throws(ArchiveError) {
            let file = try ArchiveFile(archive)
            guard let found = file.members.first(where: { $0.name == member && $0.size == size }) else {
                throw ArchiveError.noSuchMember(member)
            }
            var failure: SystemError?
            let output = try create()
            try file.read(found) { bytes in
                do throws(SystemError) {
                    try output.writeAll(Array(bytes), subject: target)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw ArchiveError.file(failure) }
        } catch {
            try? removeFile(target)
            if case .file(let reason) = error, ["write", "open", "create"].contains(reason.call) {
                throw .cannotPrepare(path: target, reason: reason.reason)
            }
            throw .archive(title: title, file: archive, problem: error.predicate)
        }
    }

    private func create() throws(ArchiveError) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor.create(target, permissions: 0o600)
        } catch {
            throw .file(error)
        }
    }
}

extension ArchivedGame {
    /// What the emulator gets instead of the archive.
    var file: BytePath? {
        switch self {
        case .asItIs: nil
        case .member(let path): path
        case .unpacked(let unpacking): unpacking.target
        }
    }

    var unpacking: Unpacking? { if case .unpacked(let unpacking) = self { unpacking } else { nil } }
}

extension LaunchPlan {
    /// Deletes what was unpacked.
    func emptyScratch() {
        guard let scratch else { return }
        for name in (try? directoryNames(scratch)) ?? [] { try? removeFile(scratch.appending(name)) }
    }
}
