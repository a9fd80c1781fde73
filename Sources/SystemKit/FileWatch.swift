internal import CLinux
internal import Glibc

/// The kernel's news about directories (inotify).
public final class FileWatch: Sendable {
    /// What happened to an entry of a watched directory, or to the directory.
    public struct Event: Sendable, Equatable {
        /// The watch it comes from, as `add` returned it; -1 for an overflow.
        public let watch: Int32
        /// The entry's name; empty where the directory itself is meant.
        public let name: BytePath
        /// The kernel's bits.
        public let kinds: Kinds
    }

    /// The kernel's bits of an event.
    public struct Kinds: OptionSet, Sendable {
        /// As in `<sys/inotify.h>`.
        public let rawValue: UInt32
        /// The bits as the kernel gives them.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// `IN_MODIFY`: written to.
        public static let modified = Kinds(rawValue: 0x2)
        /// `IN_ATTRIB`: permissions, times or links.
        public static let attributes = Kinds(rawValue: 0x4)
        /// `IN_CLOSE_WRITE`: a writer closed it.
        public static let closedAfterWriting = Kinds(rawValue: 0x8)
        /// `IN_MOVED_FROM`.
        public static let movedAway = Kinds(rawValue: 0x40)
        /// `IN_MOVED_TO`.
        public static let movedHere = Kinds(rawValue: 0x80)
        /// `IN_CREATE`.
        public static let created = Kinds(rawValue: 0x100)
        /// `IN_DELETE`.
        public static let deleted = Kinds(rawValue: 0x200)
        /// `IN_DELETE_SELF`: the directory itself.
        public static let selfDeleted = Kinds(rawValue: 0x400)
        /// `IN_MOVE_SELF`: the directory itself.
        public static let selfMoved = Kinds(rawValue: 0x800)
        /// `IN_UNMOUNT`.
        public static let unmounted = Kinds(rawValue: 0x2000)
        /// `IN_Q_OVERFLOW`: events were lost.
        public static let overflow = Kinds(rawValue: 0x4000)
        /// `IN_IGNORED`: the watch is no more.
        public static let ended = Kinds(rawValue: 0x8000)
        /// `IN_ISDIR`: the entry is a directory.
        public static let directory = Kinds(rawValue: 0x4000_0000)

        /// Everything that can make, change or unmake a file of a directory, and the end of the directory.
        public static let contents: Kinds = [
            .modified, .attributes, .closedAfterWriting, .movedAway, .movedHere, .created, .deleted, .selfDeleted,
            .selfMoved,
        ]
    }

    /// Readable when there is news.
    public let rawDescriptor: Int32

    /// A watch on nothing yet.
    ///
    /// - Throws: `SystemError` of `inotify_init1`; `EMFILE` when the user's instances are used up.
    public init() throws(SystemError) {
        rawDescriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
        guard rawDescriptor >= 0 else { throw SystemError(call: "inotify_init1", subject: "", code: errno) }
    }

    deinit { close(rawDescriptor) }

    /// Starts to watch a path; one that is watched already keeps its number.
    ///
    /// - Throws: `SystemError` of `inotify_add_watch`; `ENOSPC` when the user's watches are used up.
    public func add(_ path: BytePath, _ kinds: Kinds) throws(SystemError) -> Int32 {
        let watch = path.withCString { inotify_add_watch(rawDescriptor, $0, kinds.rawValue) }
        guard watch >= 0 else { throw SystemError(call: "inotify_add_watch", path: path, code: errno) }
        return watch
    }

    /// Stops a watch; one that has ended already is fine.
    public func remove(_ watch: Int32) { _ = inotify_rm_watch(rawDescriptor, watch) }

    /// Everything that happened since the last call, oldest first; empty when there is no news.
    public func events() -> [Event] {
        var events: [Event] = []
        let capacity = 64 << 10
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        defer { buffer.deallocate() }
        let header = MemoryLayout<inotify_event>.size
        while true {
            let count = read(rawDescriptor, buffer, capacity)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return events }
            var offset = 0
            while offset + header <= count {
                let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                let name = UnsafeRawBufferPointer(start: buffer + offset + header, count: Int(event.len))
                events.append(
                    Event(watch: event.wd, name: BytePath(bytes: name), kinds: Kinds(rawValue: event.mask)))
                offset += header + Int(event.len)
            }
        }
    }
}
