import Catalog
import Controllers
import Interface
import Synchronization
import SystemKit
import Systems
import Testing

@testable import Menu

@Suite("Questions to the catalog and their answers")
struct AnswerTests {
    @Test("asked again and again, an inquiry asks the first and the last question only, and answers both")
    func inquiry() async throws {
        let rig = try Rig()
        await rig.settle()
        let inquiry = Inquiry(courier: rig.application.context.courier)
        let sent = Mutex<[Int]>([])
        var answers: [Int] = []
        for number in 1...50 {
            inquiry.ask({
                sent.withLock { $0.append(number) }
                return { _ in number }
            }) { answers.append($0) }
        }
        await rig.settle()
        #expect(answers == [1, 50])
        #expect(sent.withLock { $0 } == [1, 50])
    }

    @Test("an inquiry that fails goes on with the next question")
    func failure() async throws {
        struct Refusal: Error {}
        let rig = try Rig()
        await rig.settle()
        let inquiry = Inquiry(courier: rig.application.context.courier)
        var answers: [Int] = []
        var failures = 0
        inquiry.ask({ { _ -> Int in throw Refusal() } }) {
            answers.append($0)
        } failed: { _ in
            failures += 1
        }
        inquiry.ask({ { _ in 2 } }) { answers.append($0) }
        await rig.settle()
        #expect(failures == 1)
        #expect(answers == [2])
    }

    private func longList(_ rig: Rig, _ count: Int) async throws -> GamePager {
        for number in 0..<count { try rig.add(BytePath("Game \(number + 10_000).nes")) }
        try await rig.scan()
        return GamePager(query: GameQuery(system: "nes"), courier: rig.application.context.courier)
    }

    @Test("a list that is read again follows the person who went on meanwhile")
    func movedMeanwhile() async throws {
        let rig = try Rig()
        let pager = try await longList(rig, 10)
        var row = 3
        var told: [Int] = []
        pager.chosenRow = { row }
        pager.onCount = { _, row in told.append(row) }
        pager.reload()
        await rig.settle()
        try rig.add("A.nes")
        _ = try await rig.store.scan()
        pager.reload()
        row = 5
        await rig.settle()
        #expect(told == [3, 6])
    }

    @Test("a list that is read again while the chosen row is not here yet stays at its row")
    func rowWithoutGame() async throws {
        let rig = try Rig()
        let pager = try await longList(rig, 100)
        var told: [Int] = []
        pager.onCount = { _, row in told.append(row) }
        pager.reload()
        await rig.settle()
        pager.chosenRow = { 90 }
        #expect(pager.game(at: 90) == nil)
        pager.reload()
        await rig.settle()
        #expect(told == [0, 90])
        #expect(pager.game(at: 90) != nil)
    }

    @Test("pages in sight are kept, however many others were looked at since they came")
    func pagesInSight() async throws {
        let rig = try Rig()
        let size = GamePager.pageSize
        let pages = GamePager.capacity + 3
        let pager = try await longList(rig, size * pages)
        pager.reload()
        await rig.settle()
        // To the last page but the second, and back: the first page is the oldest of those kept, and in sight.
        for page in Array(2..<GamePager.capacity + 1) + [0] {
            pager.want(page * size..<page * size + 5)
            await rig.settle()
        }
        pager.want(size - 3..<size + 3)
        await rig.settle()
        #expect(pager.game(at: size - 1) != nil)
        #expect(pager.game(at: size) != nil)
        let kept = (0..<pages).filter { pager.game(at: $0 * size) != nil }
        #expect(kept.count <= GamePager.capacity)
    }

    @Test("results of a search are read again after a game, which changes what is known of them")
    func searchAgain() async throws {
        let rig = try Rig()
        for name in ["Star", "Train"] { try rig.add(BytePath("\(name).nes")) }
        try await rig.scan()
        await rig.press(.north)
        await rig.type("sta")
        await rig.settle(until: { rig.shows("1 game") })
        // While a game has the screen nothing is told to the screens.
        rig.application.push(SplashScreen(context: rig.application.context, game: try await first(rig)))
        try removeFile(rig.root.roms.appending("nes/Star.nes"))
        try rig.add("Starling.nes")
        try rig.add("Stardust.nes")
        _ = try await rig.store.scan()
        rig.application.pop()
        await rig.settle(until: { rig.shows("2 games") })
    }

    private func first(_ rig: Rig) async throws -> Game {
        try #require(try await rig.store.games(GameQuery(system: "nes"), offset: 0, limit: 1).first)
    }

    @Test("Enter after typing on a real keyboard goes to the results; the arrows bring the keys on the screen back")
    func enterAfterTyping() async throws {
        let rig = try Rig()
        for name in ["Star", "Train"] { try rig.add(BytePath("\(name).nes")) }
        try await rig.scan()
        await rig.press(key: .f4)
        await rig.type("sta")
        await rig.settle(until: { rig.shows("1 game") })
        #expect(rig.texts.contains("Results") && !rig.texts.contains("Type"))
        await rig.press(key: .enter)
        #expect(rig.texts.contains("Keyboard"))
        #expect(rig.texts.contains("sta"))
        await rig.press(key: .left)
        await rig.press(key: .right)
        await rig.press(key: .enter)
        #expect(rig.texts.contains("staw"))
    }

    @Test("the share's address is read again until there is one")
    func lateNetwork() async throws {
        let isUp = Mutex(false)
        let rig = try Rig(readShare: {
            let url = isUp.withLock { $0 } ? "smb://192.0.2.9/roms" : nil
            return ShareAddress(windows: nil, url: url, folder: "/srv/retro/roms")
        })
        await rig.settle(until: { rig.shows("/srv/retro/roms") && rig.application.isIdle })
        #expect(rig.application.nextShareLook != nil)
        isUp.withLock { $0 = true }
        rig.application.update(now: MonotonicInstant.now.advanced(bySeconds: Application.shareImpatience + 1))
        await rig.settle(until: { rig.shows("smb://192.0.2.9/roms") })
        // With a game there is nothing to tell, and nothing wakes the menu for it.
        try rig.add("A.nes")
        try await rig.scan()
        await rig.settle(until: { rig.shows("1 game available") })
        #expect(rig.application.nextShareLook == nil)
    }

    @Test("a library that did not change is not painted again")
    func noChange() async throws {
        let rig = try Rig()
        try rig.add("A.nes")
        try await rig.scan()
        await rig.settle(until: { rig.shows("1 game available") && rig.application.isIdle })
        rig.application.top.catalogChanged(.games(systems: ["nes"]))
        await rig.settle(until: { !rig.application.context.courier.isWaiting || rig.application.needsDisplay })
        #expect(!rig.application.needsDisplay)
    }

    @Test("the trace tells every input with the time of its device")
    func trace() async throws {
        var lines: [String] = []
        let rig = try Rig(trace: Trace { lines.append($0) })
        await rig.settle()
        let time = MonotonicInstant(nanoseconds: 12345)
        rig.application.receive(.controller(.button(pad: 1, button: .start, isPressed: true, time: time)))
        rig.application.handle(.pointer(.pointerPressed(Point(1, 1))), now: time)
        let inputs = lines.filter { $0.contains("\"event\":\"input\"") }
        #expect(inputs.count == 2)
        #expect(inputs.first?.contains("\"command\":\"menu\"") == true)
        #expect(inputs.allSatisfy { $0.contains("\"at\":12345") })
    }
}
