import FoundationEssentials
import Glibc
import SystemKit
import Testing

@testable import Appliance

@Suite("The privilege door")
struct DoorTests {
    private let fake: FakeMachine
    private let log: BytePath

    init() throws {
        fake = try FakeMachine()
        try fake.file("etc/passwd", "root:x:0:0::/root:/bin/sh\nretro:x:993:991::/srv/retro:/usr/sbin/nologin\n")
        log = fake.root.appending("door.log")
    }

    private var machine: Machine { fake.machine() }

    /// Sends bytes to a server and hangs up, unless `holds`.
    private func ask(
        _ bytes: [UInt8], peer: UInt32? = 0, patience: Double = 10, holds: Bool = false
    ) -> (status: SystemKit.ExitStatus, replies: [DoorReply]) {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        _ = writeBytes(bytes, to: ends[0])
        if !holds { shutdown(ends[0], Int32(SHUT_WR)) }
        let server = DoorServer(machine: machine, patience: patience, log: Log(file: log))
        let status = server.serve(input: ends[1], output: ends[1], peer: peer)
        close(ends[1])
        var replies: [DoorReply] = []
        while let line = readLine(from: ends[0], limit: 1 << 20), !line.isEmpty {
            replies.append(DoorLine.decode(DoorReply.self, line) ?? .failed("not understood", status: 0))
        }
        return (status, replies)
    }

    private func ask(_ text: String, peer: UInt32? = 0) -> (status: SystemKit.ExitStatus, replies: [DoorReply]) {
        ask(Array(text.utf8) + [0x0A], peer: peer)
    }

    private let rename = #"{"change":{"account":{"_0":{"hostName":{"_0":"kitchen"}}}}}"#

    @Test("a request of the player or of root is carried out, and its end is told")
    func carriedOut() throws {
        for peer in [0, 993, nil] as [UInt32?] {
            try fake.file("etc/hostname", "old\n")
            try fake.fakeHostName()
            let answer = ask(rename, peer: peer)
            #expect(answer.status == .done)
            if case .began(let sentence)? = answer.replies.first {
                #expect(sentence.contains("kitchen"))
            } else {
                Issue.record("no step was told: \(answer.replies)")
            }
            if case .done? = answer.replies.last {} else { Issue.record("no end was told: \(answer.replies)") }
            #expect(machine.files.text("etc/hostname") == "kitchen")
        }
    }

    @Test("any other account is refused, also where it is in the player's group", arguments: [1000, 65534, UInt32.max])
    func strangers(user: UInt32) throws {
        try fake.file("etc/hostname", "old\n")
        let answer = ask(rename, peer: user)
        #expect(answer.status == .noPermission)
        #expect(answer.replies == [.failed("this account may not change the machine", status: 77)])
        #expect(machine.files.text("etc/hostname") == "old")
    }

    @Test("the kernel says who is at the other end of a socket, and a pipe has no other end")
    func peer() {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        #expect(peerUser(ends[0]) == getuid())
        close(ends[0])
        close(ends[1])
        #expect(pipe(&ends) == 0)
        #expect(peerUser(ends[0]) == nil)
        close(ends[0])
        close(ends[1])
    }

    @Test(
        "what is no change is refused",
        arguments: [
            "", "x", "null", "[]", "{}", "\"share\"", "1e999", #"{"change":{}}"#, #"{"change":null}"#,
            #"{"change":{"run":{"_0":"/bin/sh"}}}"#, #"{"change":{"account":{"_0":{"shell":{"_0":"id"}}}}}"#,
            #"{"change":{"account":{}}}"#, #"{"change":{"account":{"_0":{}}}}"#,
            #"{"change":{"account":{"_0":{"hostName":{}}}}}"#, #"{"change":{"account":{"_0":{"hostName":{"_0":5}}}}}"#,
            #"{"change":{"account":{"_0":{"hostName":{"_0":["kitchen"]}}}}}"#,
            #"{"change":{"account":{"_0":{"hostName":{"_0":null}}}}}"#,
            // Members that no change has.
            #"{"change":{"account":{"_0":{"hostName":{"_0":"kitchen"}}}},"sudo":true}"#,
            #"{"change":{"account":{"_0":{"hostName":{"_0":"kitchen","path":"/etc/shadow"}}}}}"#,
            #"{"change":{"account":{"_0":{"hostName":{"_0":"kitchen"},"run":{"_0":"x"}}}}}"#,
            #"{"change":{"account":{"_0":{"hostName":{"_0":"kitchen"}}},"share":{"_0":{"off":{}}}}}"#,
            #"{"change":{"account":{"_0":{"hostName":{"_0":"kitchen"},"ssh":{"isOn":true}}}}}"#,
            #"{"Change":{"account":{"_0":{"hostName":{"_0":"kitchen"}}}}}"#,
            // Two documents in one line.
            #"{"change":{"account":{"_0":{"hostName":{"_0":"kitchen"}}}}}{"change":{"share":{"_0":{"off":{}}}}}"#,
        ])
    func nonsense(text: String) throws {
        try fake.file("etc/hostname", "old\n")
        let answer = ask(text)
        #expect(answer.status == .usage)
        #expect(answer.replies == [.failed("the request is not one that this helper knows", status: 64)])
        #expect(machine.files.text("etc/hostname") == "old")
    }

    @Test(
        "values that are paths, options, lines or anything else but a name are refused by the change itself",
        arguments: [
            "../etc/shadow", "/etc/passwd", "-F", "--help", "a b", "a\\nb", "a\\u0000b", "$(id)", "`id`", ";id", "é",
            "",
        ])
    func values(value: String) throws {
        try fake.file("etc/hostname", "old\n")
        let answer = ask(#"{"change":{"account":{"_0":{"hostName":{"_0":"\#(value)"}}}}}"#)
        #expect(answer.status == .badData)
        #expect(answer.replies.count == 1)
        #expect(machine.files.text("etc/hostname") == "old")
    }

    @Test("only one request is served: what follows it is never looked at")
    func second() throws {
        try fake.file("etc/hostname", "old\n")
        try fake.fakeHostName()
        let other = rename.split(separator: "kitchen").joined(separator: "cellar")
        let answer = ask(rename + "\n" + other)
        #expect(answer.status == .done)
        #expect(machine.files.text("etc/hostname") == "kitchen")
    }

    @Test("a document nested without end, one that is too long, cut short or no UTF-8 costs only itself")
    func hostile() {
        for opening in ["[", "{\"change\":"] {
            let deep = String(repeating: opening, count: (DoorLine.limit - 100) / opening.utf8.count)
            #expect(ask(deep).status == .usage)
        }
        let long = ask([UInt8](repeating: 0x20, count: DoorLine.limit + 1) + [0x0A])
        #expect(long.replies == [.failed("the request is too long", status: 64)])
        #expect(ask(Array(rename.utf8)).replies == [.failed("the request is not complete", status: 64)])
        #expect(ask([]).status == .usage)
        #expect(ask([0xFF, 0xFE, 0x0A]).status == .usage)
        #expect(ask([UInt8](repeating: 0, count: 400) + [0x0A]).status == .usage)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = Array(rename.utf8)
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 11...255, using: &generator)
            }
            // A changed letter of the name may make another good name; the file of hosts is absent then.
            #expect(ask(bytes + [0x0A]).replies.count >= 1)
        }
    }

    @Test("a client that connects and says nothing, or half of it, is not waited for without end")
    func slow() {
        for bytes in [[], Array(rename.utf8.prefix(20))] {
            let answer = ask(bytes, patience: 0.05, holds: true)
            #expect(answer.status == .tryLater)
            #expect(answer.replies == [.failed("the request did not come in time", status: 75)])
        }
    }

    @Test("while one change is made another one is told to come later")
    func busy() throws {
        let held = try ChangeLock(machine)
        #expect(throws: ApplianceError.busy("another change of this machine is being made; try again when it is done"))
        {
            _ = try ChangeLock(machine, patience: 0)
        }
        held.release()
        try ChangeLock(machine, patience: 0).release()
    }

    @Test("nobody but root may hold the lock")
    func lockMode() throws {
        try ChangeLock(machine).release()
        #expect(try fileStatus(machine.state.appending("change.lock")).permissions == 0o600)
    }

    @Test("who asked for what is in the log, and no value is")
    func logged() throws {
        _ = ask(#"{"change":{"share":{"_0":{"password":{"_0":"hunter2hunter2"}}}}}"#, peer: 993)
        _ = ask(#"{"change":{"account":{"_0":{"password":{"_0":"short"}}}}}"#, peer: 993)
        let text = String(decoding: try readFile(log), as: UTF8.self)
        #expect(text.contains("user 993 asks for share.password"))
        #expect(text.contains("user 993 asks for account.password"))
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("short"))
    }

    @Test("the other side of the door speaks the same language", arguments: [nil, "a b", "\u{e9}\u{2028}\"\\/"])
    func roundTrip(password: String?) throws {
        for change in [
            MachineChange.share(.on(password: password)), .share(.off), .share(.guest(isAllowed: true)),
            .share(.repair),
            .account(.ssh(isOn: false)), .account(.password(password ?? "")),
        ] {
            let line = DoorLine.encode(DoorRequest(change))
            #expect(DoorRequest.decode(line.dropLast()) == DoorRequest(change))
            #expect(!DoorRequest(change).name.contains("_"))
        }
    }
}

@Suite("The list of what the door can be asked for")
struct DoorListTests {
    @Test("names every change that there is, and none that there is not")
    func documented() throws {
        let root = BytePath(#filePath).parent.parent.parent
        let text = String(decoding: try readFile(root.appending("docs/privileges.md")), as: UTF8.self)
        let documented = Set(
            text.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains(".") }
                .flatMap { $0.split(separator: "|")[0].split(separator: "`") }.map(String.init)
                .filter { $0.contains(".") && !$0.contains(" ") })
        // `case share(ShareChange)` of the list, and the cases of each kind in a file of that name.
        var known: Set<String> = []
        for line in try cases(root.appending("Sources/Appliance/Change/MachineChange.swift")) {
            let parts = line.split(separator: "(")
            let type = String(parts[1].dropLast())
            let folders = try directoryNames(root.appending("Sources/Appliance"))
            let file = folders.map { root.appending("Sources/Appliance").appending($0).appending("\(type).swift") }
                .first(where: fileExists)
            for change in try cases(try #require(file)) {
                known.insert("\(parts[0]).\(change.prefix { $0.isLetter })")
            }
        }
        #expect(known.count > 25)
        #expect(documented == known)
    }

    /// What follows `case` in the lines of a file that declare one.
    private func cases(_ path: BytePath) throws -> [Substring] {
        String(decoding: try readFile(path), as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("    case ") && !$0.hasPrefix("    case .") }.map { $0.dropFirst(9) }
    }
}
