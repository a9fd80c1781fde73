import SystemKit
import Testing

@testable import Appliance

@Suite("USB sticks")
struct StickTests {
    @Test("games are found in roms, below other machines' folders and at the top, whatever the case of names")
    func places() throws {
        let one = try StickMachine()
        try one.put("ROMS/NES/a.nes", "a")
        try one.put("RetroPie/roms/famicom/b.nes", "bb")
        try one.put("psx/Game/c.cue", "c")
        try one.put("psx/Game/c (Track 1).bin", "track")
        try one.put("Pictures/nes/d.nes", "d")
        let facts = try one.facts()
        #expect(
            facts.files.map(\.source) == [
                "ROMS/NES/a.nes", "RetroPie/roms/famicom/b.nes", "psx/Game/c (Track 1).bin", "psx/Game/c.cue",
            ])
        #expect(facts.games == 3)
        #expect(facts.bytes == 9)
        #expect(Stick.plugged(on: one.machine).map(\.point) == [one.point])
    }

    @Test("junk, links, pipes and folders that are only called as a system are left alone")
    func junk() throws {
        let one = try StickMachine()
        try one.put("roms/nes/good.nes", "good")
        for name in ["._good.nes", ".hidden.nes", "x.nes.part", "Thumbs.db", "~$note.nes"] {
            try one.put(BytePath("roms/nes/" + name), "junk")
        }
        try one.put("roms/nes/System Volume Information/x.nes", "junk")
        try one.put("roms/nes/$RECYCLE.BIN/y.nes", "junk")
        try one.put("FOUND.000/nes/z.nes", "junk")
        try one.put("psx/holiday.jpg", "no game")
        makePipe(one.point.appending("roms/nes/pipe.nes"))
        try one.fake.file("secret/passwd.nes", "secret")
        try makeLink(to: one.fake.root.appending("secret/passwd.nes"), at: one.point.appending("roms/nes/link.nes"))
        try makeLink(to: one.fake.root.appending("secret"), at: one.point.appending("roms/psx"))
        try makeLink(to: "..", at: one.point.appending("roms/nes/loop"))
        let facts = try one.facts()
        #expect(facts.files.map(\.source) == ["roms/nes/good.nes"])
        #expect(facts.skipped == 3)
        #expect(try one.copy().state == .done)
        #expect(try directoryNames(one.roms.appending("nes")) == ["good.nes"])
    }

    @Test("a look at a stick ends, however much there is")
    func bounded() throws {
        let one = try StickMachine()
        for number in 0..<40 { try one.put(BytePath("roms/nes/\(number).nes"), "x") }
        let facts = try StickFacts.read(one.point, rules: StickMachine.rules, limit: 20)
        #expect(facts.isCut)
        #expect(facts.files.count < 20)
        var deep: BytePath = "roms/nes"
        for _ in 0..<40 { deep = deep.appending("d") }
        try one.put(deep.appending("deep.nes"), "x")
        let whole = try one.facts()
        #expect(whole.isCut)
        #expect(whole.files.count == 40)
    }

    @Test("what is here is the same, in doubt or another; nothing is replaced, and what was left is told")
    func comparing() throws {
        let one = try StickMachine()
        for name in ["same", "late", "equal", "other", "longer"] {
            try one.put(BytePath("roms/nes/\(name).nes"), name)
            try one.has(BytePath("nes/\(name).nes"), name == "other" ? "rehto" : name == "longer" ? "longer!" : name)
            setTime(one.point.appending("roms/nes/\(name).nes"), seconds: 1_600_000_000)
            setTime(one.roms.appending("nes/\(name).nes"), seconds: 1_500_000_000)
        }
        setTime(one.roms.appending("nes/same.nes"), seconds: 1_600_000_000)
        setTime(one.roms.appending("nes/late.nes"), seconds: 1_600_000_002)
        try one.put("roms/nes/new.nes", "new")
        let plan = try one.plan()
        #expect(plan.same == 2)
        #expect(plan.doubtful.map(\.file.rest) == ["equal.nes", "other.nes"])
        #expect(plan.clashing.map(\.file.rest) == ["longer.nes"])
        #expect(plan.new.map(\.file.rest) == ["new.nes"])
        let journal = try one.copy()
        #expect(journal.state == .done)
        #expect(journal.clashes == 2)
        #expect(journal.problems.map(\.path) == ["roms/nes/longer.nes", "roms/nes/other.nes"])
        #expect(one.text("nes/other.nes") == "rehto")
        #expect(one.text("nes/longer.nes") == "longer!")
        #expect(one.text("nes/new.nes") == "new")
    }

    @Test("names that no UTF-8 is, times and modes arrive; a folder under another name of its system is used")
    func arrival() throws {
        let one = try StickMachine()
        let odd = BytePath(bytes: Array("roms/famicom/caf".utf8) + [0xE9] + Array(" $(x) %s\n.nes".utf8))
        try one.put(odd, "odd")
        setTime(one.point.appending(odd), seconds: 1_234_567_890)
        let journal = try one.copy()
        #expect(journal.state == .done)
        #expect(journal.doneGames == 1)
        let target = one.roms.appending("nes").appending(odd.name)
        let status = try fileStatus(target)
        #expect(status.permissions == 0o664)
        #expect(status.modifiedNanoseconds == 1_234_567_890_000_000_000)
        #expect(try one.plan().same == 1)
        try one.put("roms/psx/Deep/er/g.iso", "iso")
        #expect(try one.copy().doneFiles == 1)
        #expect(try fileStatus(one.roms.appending("psx/Deep/er")).permissions == 0o775)
    }

    @Test("a file of more than 4 GiB counts with its whole size, and is not begun where there is no room")
    func large() throws {
        let one = try StickMachine()
        try one.put("roms/nes/small.nes", "small")
        // More than any disk of a test has.
        try makeSparse(one.point.appending("roms/psx/huge.iso"), bytes: 1 << 43)
        #expect(try one.plan().bytes == (1 << 43) + 5)
        let journal = try one.copy()
        #expect(journal.state == .full)
        #expect(journal.reason?.contains("not enough room") == true)
        #expect(try directoryNames(one.roms.appending("nes")).isEmpty)
        try removeFile(one.point.appending("roms/psx/huge.iso"))
        #expect(try one.copy().state == .done)
    }

    @Test("B010: unplugged in the middle there is no half file under its name; plugged in again the copy goes on")
    func unplugging() throws {
        let one = try StickMachine()
        let bytes = noise(1 << 20)
        try one.put("roms/psx/big.iso", bytes)
        try one.put("roms/nes/first.nes", "first")
        let away = one.fake.root.appending("away")
        var asked = 0
        let gone = try one.copy(shouldStop: {
            asked += 1
            // Before the second file.
            if asked == 3 {
                one.unplug()
                try? renameFile(one.point, to: away)
            }
            return false
        })
        #expect(gone.state == .waiting)
        #expect(gone.reason == "the stick is gone; it goes on when it is back")
        #expect(one.text("nes/first.nes") == "first")
        #expect(!fileExists(one.roms.appending("psx/big.iso")))
        #expect(StickJournals(one.machine.data).journal(of: gone.identity)?.isUnfinished == true)
        try renameFile(away, to: one.point)
        try one.plug()
        let done = try one.copy()
        #expect(done.state == .done)
        #expect(done.files == 2)
        #expect(done.doneFiles == 2)
        #expect(try readFile(one.roms.appending("psx/big.iso")) == bytes)
        #expect(one.halves().isEmpty)
    }

    @Test("asked to end, a large file is continued where it was, unless the stick's file is another by then")
    func continuing() throws {
        let one = try StickMachine()
        let bytes = noise(40 << 20, seed: 3)
        let source = try one.put("roms/psx/big.iso", bytes)
        setTime(source, seconds: 1_600_000_000)
        func stopHalfWay() throws -> StickJournal {
            var asked = 0
            return try one.copy(shouldStop: {
                asked += 1
                return asked > 20
            })
        }
        let stopped = try stopHalfWay()
        #expect(stopped.state == .stopped)
        let durable = try #require(stopped.current?.durable)
        #expect(durable > 8 << 20)
        let half = try #require(one.halves().first)
        #expect(try fileStatus(one.roms.appending("psx").appending(half)).size == durable)
        // Where it went on from is not read again: what is changed in the middle there is seen afterwards.
        let file = one.roms.appending("psx").appending(half)
        var changed = try readFile(file)
        changed[4 << 20] ^= 1
        try replaceFile(at: file, with: changed)
        #expect(try one.copy().state == .done)
        var wanted = bytes
        wanted[4 << 20] ^= 1
        #expect(try readFile(one.roms.appending("psx/big.iso")) == wanted)

        try removeFile(one.roms.appending("psx/big.iso"))
        #expect(try stopHalfWay().state == .stopped)
        let other = noise(40 << 20, seed: 4)
        try one.put("roms/psx/big.iso", other)
        setTime(source, seconds: 1_600_000_000)
        #expect(try one.copy().state == .done)
        #expect(try readFile(one.roms.appending("psx/big.iso")) == other)
    }

    @Test("one file that cannot be read costs that file only")
    func unreadable() throws {
        let one = try StickMachine()
        try one.put("roms/nes/a.nes", "a")
        try one.put("roms/nes/b.nes", "bb")
        try one.put("roms/nes/c.nes", "c")
        let path = one.point.appending("roms/nes/b.nes")
        // It becomes something else between the look and the copy.
        var hasChanged = false
        let journal = try one.copy(tell: { _ in
            guard !hasChanged else { return }
            hasChanged = true
            try? removeFile(path)
            makePipe(path)
        })
        #expect(journal.state == .done)
        #expect(journal.failures == 1)
        #expect(journal.problems.map(\.path) == ["roms/nes/b.nes"])
        #expect(try directoryNames(one.roms.appending("nes")).sorted() == ["a.nes", "c.nes"])
    }

    @Test("one copy at a time; given up, half files and the journal go")
    func locking() throws {
        let one = try StickMachine()
        try one.put("roms/psx/big.iso", noise(20 << 20))
        var second: ApplianceError?
        var asked = 0
        _ = try one.copy(shouldStop: {
            asked += 1
            if asked == 12 {
                do throws(ApplianceError) { _ = try one.copy() } catch { second = error }
            }
            return asked > 14
        })
        guard case .busy = second else {
            Issue.record("a second copy ran: \(String(describing: second))")
            return
        }
        let journals = StickJournals(one.machine.data)
        let journal = try #require(journals.all().first)
        #expect(!journals.isCopying)
        #expect(one.halves().count == 1)
        try journals.forget(journal, roms: one.roms)
        #expect(one.halves().isEmpty)
        #expect(journals.all().isEmpty)
    }

    @Test("a wish is a file for the service, and what is begun stays begun")
    func wishing() throws {
        let one = try StickMachine()
        let journals = StickJournals(one.machine.data)
        try journals.want(one.stick)
        #expect(journals.all().map(\.state) == [.wanted])
        #expect(try directoryNames(journals.folder).contains { $0.fileExtension == Array("wanted".utf8) })
        journals.dropWishes()
        #expect(try !directoryNames(journals.folder).contains { $0.fileExtension == Array("wanted".utf8) })
        try one.put("roms/nes/a.nes", "a")
        #expect(try one.copy().state == .done)
    }

    @Test("a stick is meant by its label, its folder or its identity")
    func naming() throws {
        let sticks = [
            Stick(identity: "uuid:1", label: "A", point: "/media/retro/A", kind: "vfat"),
            Stick(identity: "uuid:2", label: "A", point: "/media/retro/A-2", kind: "vfat"),
        ]
        #expect(try Stick.named("uuid:1", among: sticks) == sticks[0])
        #expect(try Stick.named("/media/retro/A-2", among: sticks) == sticks[1])
        #expect(try Stick.named(nil, among: [sticks[1]]) == sticks[1])
        for word in ["A", "B", nil] as [BytePath?] {
            #expect(throws: ApplianceError.self) { _ = try Stick.named(word, among: sticks) }
        }
    }
}
