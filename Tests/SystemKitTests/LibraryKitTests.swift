import Glibc
import SystemKit
import Testing

/// A folder of its own that goes with it.
private final class Folder {
    let path: BytePath

    init() throws {
        var template = Array("/tmp/retro-kit-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError(call: "mkdtemp", subject: "", code: errno) }
        path = BytePath(cString: made)
    }

    deinit {
        for name in (try? directoryNames(path)) ?? [] { _ = path.appending(name).withCString { remove($0) } }
        _ = path.withCString { rmdir($0) }
    }

    func file(_ name: BytePath) -> BytePath { path.appending(name) }

    func write(_ name: BytePath) throws {
        let file = try Descriptor.open(file(name), flags: O_WRONLY | O_CREAT | O_TRUNC)
        try file.writeAll([1, 2, 3], subject: name)
    }
}

@Suite("What the catalog needs of Linux", .timeLimit(.minutes(1)))
struct LibraryKitTests {
    @Test("a directory is listed as bytes with kinds, and its entries are looked at by name")
    func listsDirectories() throws {
        let folder = try Folder()
        let odd = BytePath(bytes: [0x42, 0xFF, 0x2E, 0x6E])
        try folder.write(odd)
        try createDirectories(folder.file("sub"))
        _ = "sub".withCString { target in folder.file("link").withCString { symlink(target, $0) } }
        let reader = try DirectoryReader(folder.path)
        var found: [BytePath: EntryKind] = [:]
        var sizes: [BytePath: Int64] = [:]
        try reader.forEach { name, kind in
            found[BytePath(bytes: name)] = kind
            if let base = name.baseAddress, case .success(let status) = reader.status(of: base), kind == .regular {
                sizes[BytePath(bytes: name)] = status.size
            }
        }
        #expect(found == [odd: .regular, "sub": .directory, "link": .symbolicLink])
        #expect(sizes == [odd: 3])
        #expect(throws: SystemError(call: "open", path: folder.file("absent"), code: ENOENT)) {
            _ = try DirectoryReader(folder.file("absent"))
        }
    }

    @Test("a file that is open for writing has a writer, and asking leaves no lease behind")
    func knowsWriters() throws {
        let folder = try Folder()
        try folder.write("a")
        let reader = try DirectoryReader(folder.path)
        func writer() -> FileWriter {
            "a".withCString { name in
                name.withMemoryRebound(to: UInt8.self, capacity: 2) { reader.writer(of: $0) }
            }
        }
        #expect(writer() == .absent)
        let open = try Descriptor.open(folder.file("a"), flags: O_WRONLY | O_APPEND)
        #expect(writer() == .present)
        _ = consume open
        #expect(writer() == .absent)
        // A lease left behind would make this wait or fail.
        let again = try Descriptor.open(folder.file("a"), flags: O_WRONLY | O_NONBLOCK)
        #expect(again.rawValue >= 0)
    }

    @Test("a lock is held by one, and free when its holder is gone")
    func locks() throws {
        let folder = try Folder()
        let lock = try LockFile(folder.file("lock"))
        #expect(throws: SystemError(call: "flock", path: folder.file("lock"), code: EWOULDBLOCK)) {
            _ = try LockFile(folder.file("lock"), waits: false)
        }
        lock.release()
        _ = try LockFile(folder.file("lock"), waits: false)
    }

    @Test("news of a directory comes with names as bytes, in order")
    func watches() throws {
        let folder = try Folder()
        let watch = try FileWatch()
        let number = try watch.add(folder.path, FileWatch.Kinds.contents)
        #expect(watch.events().isEmpty)
        let odd = BytePath(bytes: [0xFE, 0xFF])
        try folder.write(odd)
        try renameFile(folder.file(odd), to: folder.file("b"))
        try createDirectories(folder.file("d"))
        let events = watch.events().filter { $0.watch == number }
        #expect(events.contains { $0.name == odd && $0.kinds.contains(.closedAfterWriting) })
        #expect(events.contains { $0.name == "b" && $0.kinds.contains(.movedHere) })
        #expect(events.last.map { $0.name == "d" && $0.kinds.isSuperset(of: [.created, .directory]) } == true)
        #expect(waitForNews([watch.rawDescriptor], mounts: try MountWatch(), seconds: 0).isEmpty)
    }

    @Test(
        "text of unknown encoding is read",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x61], [0x61]), ([0xFF, 0xFE, 0x61, 0, 0xEB, 0], [0x61, 0xC3, 0xAB]),
            ([0xFE, 0xFF, 0, 0x61], [0x61]), ([0x61, 0, 0x62, 0], [0x61, 0x62]),
            ([0x61, 0xC3, 0xAB], [0x61, 0xC3, 0xAB]),
            ([], []),
        ] as [([UInt8], [UInt8])])
    func decodes(bytes: [UInt8], text: [UInt8]) {
        #expect(decodedTexts(bytes) == [text])
    }

    @Test("bytes that are no UTF-8 are also read as Shift-JIS, as Windows-1252 and as a Macintosh's")
    func decodesLegacy() {
        #expect(decodedTexts([0x83, 0x7D]).contains(Array("\u{30DE}".utf8)))
        #expect(decodedTexts([0x61, 0xEB]).contains(Array("a\u{EB}".utf8)))
        #expect(decodedTexts([0x61, 0x8E]).contains(Array("a\u{E9}".utf8)))
    }
}
