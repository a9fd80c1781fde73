import ArchiveKit
import ArchiveSupport
import Glibc
import SystemKit
import Testing

/// Archives in a folder of their own.
final class Folder: Sendable {
    let path: BytePath

    init() throws {
        var template = Array("/tmp/retro-archive-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError(call: "mkdtemp", subject: "", code: errno) }
        path = BytePath(cString: made)
    }

    deinit {
        for name in (try? directoryNames(path)) ?? [] { try? removeFile(path.appending(name)) }
        try? removeDirectory(path)
    }

    func archive(
        _ name: String, _ format: ArchiveMaker.Format, _ members: [(String, ArchiveMaker.Content)]
    ) throws -> BytePath {
        let file = path.appending(name)
        let isMade = ArchiveMaker.make(file.displayString, format, members)
        try #require(isMade, "libarchive wrote the archive")
        return file
    }

    func file(_ name: String, _ bytes: [UInt8]) throws -> BytePath {
        let file = path.appending(name)
        try replaceFile(at: file, with: bytes)
        return file
    }
}

extension ArchiveFile {
    func contents(_ name: String) throws -> [UInt8] {
        let member = try #require(members.first { $0.name == BytePath(name) })
        var bytes: [UInt8] = []
        try read(member) {
            bytes += $0
            return true
        }
        return bytes
    }
}

/// What opening it says is wrong.
private func fault(_ path: BytePath, _ bounds: ArchiveBounds = ArchiveBounds()) -> ArchiveError? {
    do throws(ArchiveError) {
        _ = try ArchiveFile(path, bounds: bounds)
        return nil
    } catch {
        return error
    }
}

@Suite("Archives of games")
struct ArchiveFileTests {
    private static let rom = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) }
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(
        "are listed and unpacked, whatever their kind is called",
        arguments: [("a.zip", ArchiveFile.Kind.zip), ("a.7z", .sevenZip), ("b.zip", .sevenZip)])
    func list(name: String, kind: ArchiveFile.Kind) throws {
        let path = try folder.archive(
            name, kind == .zip ? .zip() : .sevenZip,
            [
                ("readme.txt", .bytes(Array("hello".utf8))), ("sub/", .folder), ("sub/game.nes", .bytes(Self.rom)),
                ("Pokémon.gb", .bytes([9])), ("nothing.nes", .bytes([])),
            ])
        let archive = try ArchiveFile(path)
        #expect(archive.kind == kind)
        #expect(
            Set(archive.members.map(\.name.displayString)) == [
                "readme.txt", "sub/game.nes", "Pokémon.gb", "nothing.nes",
            ])
        let isSame = try archive.contents("sub/game.nes") == Self.rom
        #expect(isSame)
        #expect(try archive.contents("Pokémon.gb") == [9])
        #expect(try archive.contents("nothing.nes") == [])
        #expect(archive.members.first { $0.name == "sub/game.nes" }?.lastName == "game.nes")
    }

    @Test("a ZIP archive tells the checksums of its files without unpacking them")
    func checksums() throws {
        let path = try folder.archive("a.zip", .zip(), [("a.nes", .bytes(Array("123456789".utf8)))])
        #expect(try ArchiveFile(path).members.first?.crc == 0xCBF4_3926)
    }

    @Test("names that are no UTF-8 are bytes")
    func bytes() throws {
        let path = try folder.archive("a.zip", .zip(stored: true), [("xxxx.nes", .bytes([1]))])
        let raw = try readFile(path).replacing(Array("xxxx".utf8), with: [0x83, 0x5C, 0x83, 0x6A])
        let archive = try ArchiveFile(try folder.file("b.zip", raw))
        let member = try #require(archive.members.first)
        #expect(member.name.bytes == [0x83, 0x5C, 0x83, 0x6A] + Array(".nes".utf8))
        var size = 0
        try archive.read(member) {
            size += $0.count
            return true
        }
        #expect(size == 1)
    }

    @Test("links, folders and names that lead out are no members")
    func outside() throws {
        let path = try folder.archive(
            "a.zip", .zip(),
            [
                ("../../etc/evil.nes", .bytes([1])), ("/abs.nes", .bytes([1])), ("a/../../b.nes", .bytes([1])),
                ("link.nes", .link(to: "/etc/passwd")), ("dir.nes/", .folder), ("..fine.nes", .bytes([1])),
            ])
        #expect(try ArchiveFile(path).members.map(\.name) == ["..fine.nes"])
    }

    @Test("what is no archive, or not whole, is told", arguments: ["a.zip", "a.7z"])
    func damage(name: String) throws {
        let isZip = name == "a.zip"
        #expect(fault(folder.path.appending("absent.zip")) != nil)
        #expect(fault(try folder.file("empty.zip", [])) == .empty)
        #expect(fault(try folder.file("text.zip", Array("this is no archive".utf8))) == .notAnArchive)
        let path = try folder.archive(name, isZip ? .zip() : .sevenZip, [("game.nes", .bytes(Self.rom))])
        let whole = try readFile(path)
        for part in stride(from: 40, to: whole.count - 1, by: max(1, whole.count / 97)) {
            #expect(fault(try folder.file("cut", Array(whole.prefix(part)))) == .cutOff, "\(part) of \(whole.count)")
        }
        #expect(fault(folder.path) != nil, "a folder")
    }

    @Test("any byte may be wrong: an answer or an error comes, never more than was promised", arguments: ["zip", "7z"])
    func flips(kind: String) throws {
        let path = try folder.archive(
            "a", kind == "zip" ? .zip() : .sevenZip, [("a.nes", .bytes([1, 2, 3, 4])), ("b.nes", .bytes(Self.rom))])
        let whole = try readFile(path)
        var random = SystemRandomNumberGenerator()
        var answers = 0
        for _ in 0..<300 {
            var broken = whole
            for _ in 0..<3 { broken[Int.random(in: 0..<broken.count, using: &random)] ^= 1 << UInt8.random(in: 0...7) }
            let file = try folder.file("broken", broken)
            guard let archive = try? ArchiveFile(file) else { continue }
            answers += 1
            for member in archive.members {
                var total: Int64 = 0
                _ = try? archive.read(member) {
                    total += Int64($0.count)
                    return true
                }
                #expect(total <= member.size)
            }
        }
        #expect(answers > 0)
    }

    @Test("a file behind a password is listed and not read")
    func password() throws {
        let path = try folder.archive("a.zip", .zip(password: "secret"), [("game.nes", .bytes(Self.rom))])
        let archive = try ArchiveFile(path)
        let member = try #require(archive.members.first)
        #expect(member.isEncrypted)
        #expect(throws: ArchiveError.needsPassword) { try archive.read(member) { _ in true } }
    }

    @Test("a bomb is listed and not unpacked; a big file of zeros within the bounds is", arguments: ["zip", "7z"])
    func bomb(kind: String) throws {
        // The test would pack a whole GiB with LZMA for long.
        let size = kind == "zip" ? 1 << 30 : 1 << 28
        let path = try folder.archive("a", kind == "zip" ? .zip() : .sevenZip, [("game.nes", .zeros(size))])
        let archive = try ArchiveFile(path)
        let member = try #require(archive.members.first)
        #expect(member.size == Int64(size))
        var pieces = 0
        #expect(throws: ArchiveError.tooMuch("unpacks to \(size >> 20) MiB")) {
            try archive.read(member) { _ in
                pieces += 1
                return true
            }
        }
        #expect(pieces == 0)
        let small = try ArchiveFile(try folder.archive("b", .zip(), [("card.bin", .zeros(8 << 20))]))
        #expect(try small.contents("card.bin").count == 8 << 20)
    }

    @Test("lists that are too long, and names, are refused", arguments: ["zip", "7z"])
    func bounds(kind: String) throws {
        let names = (0..<50).map { ("file \($0).nes", ArchiveMaker.Content.bytes([1])) }
        let path = try folder.archive("a", kind == "zip" ? .zip() : .sevenZip, names)
        #expect(try ArchiveFile(path).members.count == 50)
        for bounds in [ArchiveBounds(members: 49), ArchiveBounds(nameBytes: 8), ArchiveBounds(directoryBytes: 16)] {
            guard case .tooMuch = fault(path, bounds) else {
                Issue.record("\(bounds) let it pass")
                continue
            }
        }
    }

    @Test("reading ends when it is asked to")
    func ending() throws {
        let archive = try ArchiveFile(try folder.archive("a.zip", .zip(), [("game.nes", .bytes(Self.rom))]))
        let member = try #require(archive.members.first)
        var pieces = 0
        try archive.read(member) { _ in
            pieces += 1
            return false
        }
        #expect(pieces == 1)
    }

    @Test("bytes may stand before a ZIP archive, and a comment behind it")
    func around() throws {
        let whole = try readFile(try folder.archive("a.zip", .zip(), [("game.nes", .bytes([1, 2]))]))
        var commented = Array("#!/bin/sh something\n".utf8) + whole
        commented[commented.count - 2] = 5
        commented += Array("PK\u{5}\u{6}!".utf8)
        let archive = try ArchiveFile(try folder.file("b.zip", commented))
        #expect(try archive.contents("game.nes") == [1, 2])
    }
}

extension Array where Element == UInt8 {
    fileprivate func replacing(_ old: [UInt8], with new: [UInt8]) -> [UInt8] {
        var result = self
        for index in indices where self[index...].starts(with: old) {
            result.replaceSubrange(index..<index + old.count, with: new)
        }
        return result
    }
}
