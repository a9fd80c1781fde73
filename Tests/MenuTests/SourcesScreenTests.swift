import Catalog
import Controllers
import SystemKit
import Testing

@testable import Menu

@Suite("Places of games")
struct SourcesScreenTests {
    @Test("places are listed with what they have, and removed only after a question that says no file goes")
    func sources() async throws {
        let rig = try Rig()
        try rig.add("Mine.nes")
        let stick = rig.folder.appending("stick/roms")
        try createDirectories(stick.appending("nes"))
        try replaceFile(at: stick.appending("nes/Theirs.nes"), with: Array("game".utf8))
        _ = try await rig.store.addSource(path: stick, label: "GAMES")
        try await rig.scan()
        await rig.settle(until: { rig.shows("2 games available") })
        await rig.press(.start)
        await rig.choose("Games folders")
        await rig.settle(until: { rig.shows("GAMES") })
        #expect(rig.texts.filter { $0 == "1 game" }.count == 2)
        await rig.press(.down, .south)
        await rig.choose("Remove")
        #expect(rig.shows("Nothing is deleted from the disk"))
        await rig.press(.south)
        #expect(try await rig.store.sources().count == 2)
        await rig.press(.south)
        await rig.choose("Remove")
        await rig.press(.right, .south)
        #expect(try await rig.store.sources().count == 1)
        #expect(fileExists(stick.appending("nes/Theirs.nes")))
    }

    @Test("what comes and goes is told once")
    func news() {
        let card = GameSource(id: 0, path: "/roms", label: "roms")
        let stick = GameSource(id: 1, path: "/media/a", label: "GAMES")
        let away = GameSource(id: 1, path: "/media/a", label: "GAMES", isPresent: false)
        let other = GameSource(id: -1, path: "/media/b", label: "MORE")
        #expect(SourceNews.sentences(from: nil, to: ([card, away], [])) == [])
        #expect(SourceNews.sentences(from: ([card, stick], []), to: ([card, stick], [])) == [])
        #expect(SourceNews.sentences(from: ([card, stick], []), to: ([card, away], [])).count == 1)
        #expect(SourceNews.sentences(from: ([card, away], []), to: ([card, stick], [])) == ["GAMES is back"])
        let found = SourceNews.sentences(from: ([card], []), to: ([card], [other]))
        #expect(found.count == 1 && found[0].hasPrefix("MORE has games"))
        #expect(SourceNews.sentences(from: ([card], [other]), to: ([card], [other])) == [])
    }

    @Test("thousands of games that arrive are one message that grows at a walk")
    func arrivals() {
        var news = ArrivalNews()
        let start = MonotonicInstant.now
        var told: [String] = []
        for step in 0..<200 {
            let now = start.advanced(bySeconds: Double(step) * 0.05)
            news.add(50, now: now)
            if let sentence = news.take(now: now) { told.append(sentence) }
        }
        let end = start.advanced(bySeconds: 11)
        if let sentence = news.take(now: end) { told.append(sentence) }
        #expect(told.last == "10,000 new games")
        #expect(told.count <= 22)
        // What comes much later is another message.
        news.add(1, now: start.advanced(bySeconds: 60))
        #expect(news.take(now: start.advanced(bySeconds: 60)) == "1 new game")
    }
}
