import SystemKit

/// Decides whether a file is whole: nobody has it open for writing, and it was not changed a moment ago.
///
/// A file that is too fresh is left for a second look; it is whole when size and time are then the same.
struct Settling {
    private struct Sight: Equatable {
        var size: Int64
        var modified: Int64
    }

    /// A file younger than this needs a second look, which comes as much later.
    static let freshSeconds = 1.0
    private static let liveSeconds = 0.2
    // Where the kernel does not tell of writers (somebody else's file), the times must be stiller.
    private static let freshUnknownSeconds = 3.0
    private static let writerWindowSeconds = 60.0
    private static let writerQuestions = 2000

    private var sights: [BytePath: [[UInt8]: Sight]] = [:]
    private var questions = 0
    private let now: Int64
    /// Names with news so recent that more may come; only in the directory that is looked at.
    var held: Set<[UInt8]> = []
    /// Names whose writer is known to have closed them a while ago.
    var ready: Set<[UInt8]> = []
    /// Whether the kernel tells of writes that come after the look: then the kernel's word on writers is enough.
    var isLive = false
    /// Files that were left for later, by directory.
    var pending: [BytePath: Int] { sights.mapValues(\.count) }

    /// Their names.
    var names: [BytePath: Set<[UInt8]>] { sights.mapValues { Set($0.keys) } }

    init(nowNanoseconds: Int64 = wallClockNanoseconds()) { now = nowNanoseconds }

    /// A new look at what was left: remembers the sights, forgets nothing else.
    func secondLook() -> Settling {
        var next = Settling()
        next.before = sights
        return next
    }

    private var before: [BytePath: [[UInt8]: Sight]] = [:]

    mutating func isSettled(
        _ name: UnsafeBufferPointer<UInt8>, _ status: FileStatus, in directory: BytePath, writer: () -> FileWriter
    ) -> Bool {
        // A time in the future says that the clock was wrong, not that the file is fresh.
        let age = Double(now - status.modifiedNanoseconds) / 1e9
        let changeAge = Double(now - status.changedNanoseconds) / 1e9
        let isRecent = changeAge > -2 && changeAge < Settling.writerWindowSeconds
        if held.isEmpty && ready.isEmpty && before.isEmpty && !isRecent { return true }
        let isFresh = age > -2 && age < Settling.freshSeconds
        let key = held.isEmpty && ready.isEmpty && !isFresh && before.isEmpty ? [] : Array(name)
        if held.contains(key) { return leave(key, status, directory) }
        var answer = FileWriter.absent
        if isRecent, questions < Settling.writerQuestions || isFresh || ready.contains(key) {
            questions += 1
            answer = writer()
        }
        if answer == .present { return leave(Array(name), status, directory) }
        if ready.contains(key) { return true }
        let sight = Sight(size: status.size, modified: status.modifiedNanoseconds)
        if before[directory]?[key] == sight { return true }
        let limit =
            answer == .unknown ? Settling.freshUnknownSeconds : isLive ? Settling.liveSeconds : Settling.freshSeconds
        if age > -2 && age < limit { return leave(Array(name), status, directory) }
        return true
    }

    private mutating func leave(_ name: [UInt8], _ status: FileStatus, _ directory: BytePath) -> Bool {
        sights[directory, default: [:]][name] = Sight(size: status.size, modified: status.modifiedNanoseconds)
        return false
    }
}
