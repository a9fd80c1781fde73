import Glibc
import SystemKit
import Testing

@Suite("Locks between processes")
struct LockFileTests {
    @Test("a lock is given up at once, also while a process that is being started still has the file open")
    func givenUp() throws {
        let path = BytePath("/tmp/lock-tests-\(MonotonicInstant.now.nanoseconds)-\(nextSerial())")
        defer { try? removeFile(path) }
        let lock = try LockFile(path)
        // What such a process has: the same open file under a number of its own.
        let held = (0..<1024).first { number in
            (try? resolvedPath(BytePath("/proc/self/fd/\(number)"))) == path
        }
        let copy = dup(Int32(try #require(held)))
        defer { close(copy) }
        #expect(throws: SystemError.self) { _ = try LockFile(path, waits: false) }
        lock.release()
        #expect(throws: Never.self) { _ = try LockFile(path, waits: false) }
    }
}
