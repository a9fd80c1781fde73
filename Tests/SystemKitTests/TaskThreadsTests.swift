import Synchronization
import SystemKit
import Testing

@Suite("Tasks on threads of their own")
struct TaskThreadsTests {
    private actor Counter {
        var value = 0
        func add() -> Int {
            value += 1
            return value
        }
    }

    @Test("every task runs, also through actors and back, and more at once than wait for something")
    func runs() async throws {
        let threads = try TaskThreads(name: "test", count: 3)
        let counter = Counter()
        let tasks = (0..<100).map { index in
            threads.start {
                _ = await counter.add()
                await Task.yield()
                return index
            }
        }
        var sum = 0
        for task in tasks { sum += await task.value }
        #expect(sum == 4950)
        #expect(await counter.value == 100)
    }

    @Test("one that blocks leaves the other threads to the others")
    func blocked() async throws {
        let threads = try TaskThreads(name: "test", count: 2)
        let bell = try Wake()
        let stuck = threads.start { bell.wait(seconds: 20) }
        for _ in 0..<10 {
            let value = await threads.start { 7 }.value
            #expect(value == 7)
        }
        bell.ring()
        #expect(await stuck.value)
    }

    @Test("the threads leave with their executor")
    func leaves() async throws {
        func names() -> Int {
            ((try? directoryNames("/proc/self/task")) ?? []).count {
                (try? readFile(BytePath("/proc/self/task").appending($0).appending("comm"))) == Array("leaving\n".utf8)
            }
        }
        var threads: TaskThreads? = try TaskThreads(name: "leaving", count: 4)
        if let threads { _ = await threads.start { 1 }.value }
        // Each thread names itself once it runs, which may be a moment after another one answered.
        while names() < 4 { await Task.yield() }
        #expect(names() == 4)
        threads = nil
        while names() > 0 { await Task.yield() }
    }
}
