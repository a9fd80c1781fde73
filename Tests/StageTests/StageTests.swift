import Interface
import SDLKit
import Synchronization
import SystemKit
import Testing

@testable import Stage

extension StageSuite {
    @Suite("the stage") struct LifeTests {
        @Test("a ring from another thread ends an endless sleep, and many rings are one")
        func waker() throws {
            let stage = try memoryStage()
            let bell = stage.wake
            startThread(name: "ringer") { for _ in 0..<1000 { bell.ring() } }
            #expect(stage.waitEvents(until: nil).contains(.woken))
            for _ in 0..<1000 { stage.wake.ring() }
            #expect(stage.waitEvents(until: nil) == [.woken])
            #expect(stage.waitEvents(until: .now) == [], "all rings were answered")
        }

        @Test("what was sent before a ring is there when the ring is reported")
        func order() throws {
            let stage = try memoryStage()
            let bell = stage.wake
            let total = 20_000
            let counter = Counter()
            startThread(name: "sender") {
                for _ in 0..<total {
                    counter.add()
                    bell.ring()
                }
            }
            var seen = 0
            while seen < total {
                #expect(stage.waitEvents(until: nil) == [.woken])
                seen = counter.value
            }
            #expect(seen == total)
        }

        @Test("without display it still measures and wakes, and afterwards it paints again")
        func givenUp() throws {
            let stage = try memoryStage()
            let before = stage.measurer.width(of: "Zelda", style: TextStyle(20))
            _ = try stage.pixels([.text("Zelda", Point(0, 0), TextStyle(20), .white)])
            #expect(stage.statistics.texts == 1)
            stage.giveUpDisplay()
            #expect(!stage.isOpen && stage.statistics.texts == 0 && stage.size == Size(200, 120))
            #expect(stage.measurer.width(of: "Zelda", style: TextStyle(20)) == before)
            stage.present(DrawList())
            stage.wake.ring()
            #expect(stage.waitEvents(until: nil) == [.woken])
            #expect(throws: StageError.nothingShown) { try stage.screenshot(to: "/tmp/never.png") }
            stage.giveUpDisplay()
            try stage.takeBackDisplay()
            #expect(stage.isOpen)
            #expect(try stage.pixels([.text("Zelda", Point(0, 0), TextStyle(20), .white)]).inked != nil)
        }

        @Test("a game inherits no descriptor of the stage")
        func inherited() throws {
            let before = Set(try directoryNames("/proc/self/fd"))
            let stage = try memoryStage()
            _ = try stage.pixels([.text("Zelda ゼルダ العربية", Point(0, 0), TextStyle(20), .white)])
            let opened = Set(try directoryNames("/proc/self/fd")).subtracting(before)
            var seen = 0
            for name in opened {
                // The one with which the folder was read is gone by now.
                guard let info = try? readFile(BytePath("/proc/self/fdinfo").appending(name)) else { continue }
                let flags = String(decoding: info, as: UTF8.self).split(separator: "\n").first {
                    $0.hasPrefix("flags:")
                }
                let value = try #require(flags?.split(separator: "\t").last.flatMap { UInt32($0, radix: 8) })
                #expect(value & 0o2000000 != 0, "\(name) stays open in a game")
                seen += 1
            }
            #expect(seen >= 2)
        }

        @Test("a screenshot is a PNG of the size of the screen, and one that cannot be written is an error")
        func screenshot() throws {
            let stage = try memoryStage(123, 45)
            #expect(throws: StageError.nothingShown) { try stage.screenshot(to: "/tmp/never.png") }
            let shot = try stage.pixels([])
            #expect(shot.width == 123 && shot.height == 45 && shot.inked == nil)
            do throws(StageError) {
                try stage.screenshot(to: "/nonexistent/shot.png")
                Issue.record("it was written nowhere")
            } catch {
                guard case .system(let reason) = error else {
                    Issue.record("unexpected \(error)")
                    return
                }
                #expect(reason.isNotFound)
            }
        }

        @Test("the card with a screen is taken, in whatever order the cards are numbered")
        func cards() {
            let kinds = [(0, 0), (2, 0), (2, 1)]
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let cards = order.enumerated().map { number, kind in
                    Card(index: number, connectors: kinds[kind].0, connected: kinds[kind].1)
                }
                #expect(Card.best(cards)?.connected == 1)
                let dark = cards.filter { $0.connected == 0 }
                #expect(Card.best(dark)?.connectors == 2, "one that could show something, before one that never can")
            }
            #expect(Card.best([Card(index: 0, connectors: 0, connected: 0)]) == nil)
        }

        @Test("keys mean the same wherever they are on the keyboard")
        func keys() {
            #expect(Key(.enter) == .enter && Key(.rightShift) == .rightShift && Key(.other(97)) == nil)
        }
    }
}

/// A number that many threads count up.
final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
