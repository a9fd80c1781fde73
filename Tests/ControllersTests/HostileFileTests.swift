import Controllers
import EvdevKit
import Glibc
import SystemKit
import Testing

@Suite("Files about pads that something happened to")
struct HostileFileTests {
    private let temporary: TemporaryFolder
    private let folder: BytePath

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path.appending("controllers")
        try createDirectories(folder.appending("profiles"))
    }

    private var knowledge: PadKnowledge { PadKnowledge(folder: folder) }
    private var database: BytePath { folder.appending("gamecontrollerdb.txt") }

    private func link(_ path: BytePath, to target: String) {
        #expect(symlink(target, path.displayString) == 0)
    }

    /// What the shipped database does not say about a pad.
    private let line =
        "030000001008000001e5000010010000,Mine,a:b9,b:b8,start:b0,dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0,platform:Linux,"
    private let other =
        "03000000830500006020000010010000,Other,a:b7,b:b6,start:b0,dpup:-a1,dpdown:+a1,dpleft:-a0,dpright:+a0,platform:Linux,"

    private func south(_ device: Device) -> Control? { knowledge.answer(for: device.facts).mapping.bindings[.south] }

    // MARK: gamecontrollerdb.txt

    /// Files with both lines, as editors and other systems leave them.
    static let spellings: [(String, String, String)] = [
        ("plain", "", "\n"), ("Windows", "", "\r\n"), ("marked", "\u{FEFF}", "\n"),
        ("marked, Windows", "\u{FEFF}", "\r\n"),
        ("blank lines", "\n\r\n \t\n", "\n\n"), ("comments", "# Linux\r\n", "\r\n# more\r\n"),
    ]

    @Test("a person's database may come from Windows and begin with a mark", arguments: spellings.indices)
    func spelling(index: Int) throws {
        let (name, head, end) = HostileFileTests.spellings[index]
        try replaceFile(at: database, with: Array((head + line + end + other + end).utf8))
        #expect(south(snesAdapter) == button(9), "\(name)")
        #expect(south(buffaloSNES) == button(7), "\(name)")
        #expect(knowledge.problems.isEmpty, "\(name)")
    }

    @Test("the same when it is brought in, into a database of the same kind", arguments: spellings.indices)
    func importing(index: Int) throws {
        let (name, head, end) = HostileFileTests.spellings[index]
        let old = line.replacing("a:b9", with: "a:b1")
        try replaceFile(at: database, with: Array((head + old + end).utf8))
        let file = temporary.path.appending("new.txt")
        try replaceFile(at: file, with: Array((head + line + end + other + end).utf8))
        let found = try ControllerImport(file: file)
        #expect(found.count == 2 && found.problems.isEmpty, "\(name): \(found.problems)")
        #expect(try knowledge.adopt(found, connected: []).lines == 2)
        #expect(south(snesAdapter) == button(9), "\(name)")
        #expect(south(buffaloSNES) == button(7), "\(name)")
        // The old line was replaced.
        #expect(knowledge.problems.isEmpty, "\(name): \(knowledge.problems)")
    }

    @Test("what cannot be a line costs itself, and stays in the file when another is added")
    func lines() throws {
        let long = "# " + String(repeating: "x", count: 1 << 20)
        let bad = [
            "03000000", "0300000010080000001e5000010010000,odd,a:b0,platform:Linux,",
            String(repeating: "0", count: 64) + ",a,b:b0",
            "xinput,XInput Controller,a:b0,platform:Windows,", ",,,", "\u{0}\u{0}\u{0}", "{}", "<a>",
            line + "a:b99999999999999999999",
        ]
        let text = ([long] + bad + [other]).joined(separator: "\n")
        try replaceFile(at: database, with: Array(text.utf8))
        #expect(south(buffaloSNES) == button(7))
        #expect(!knowledge.problems.isEmpty)
        let file = temporary.path.appending("new.txt")
        try replaceFile(at: file, with: Array(line.utf8))
        _ = try knowledge.adopt(try ControllerImport(file: file), connected: [])
        #expect(south(snesAdapter) == button(9) && south(buffaloSNES) == button(7))
        let after = try readFile(database).split(separator: 0x0A)
        for kept in [long] + bad.dropLast() {
            #expect(after.contains { $0.elementsEqual(kept.utf8) }, "\(kept.prefix(40))")
        }
    }

    @Test("a database that is a folder, a pipe, a device, a circle of links or endless is told of and done without")
    func notADatabase() throws {
        let shipped = PadKnowledge(folder: "/nonexistent").answer(for: snesAdapter.facts)
        for make in [
            { try createDirectories(database) }, { #expect(mkfifo(database.displayString, 0o644) == 0) },
            { link(database, to: "/dev/zero") }, { link(database, to: "gamecontrollerdb.txt") },
            { link(database, to: "/nonexistent/file") },
            {
                let file = open(database.displayString, O_CREAT | O_WRONLY, 0o644)
                #expect(ftruncate(file, 100 << 20) == 0)
                close(file)
            },
        ] as [() throws -> Void] {
            try make()
            #expect(knowledge.answer(for: snesAdapter.facts) == shipped)
            if (try? fileStatus(database, followLinks: false))?.kind == .directory {
                #expect(knowledge.problems.count == 1)
                try removeDirectory(database)
            } else {
                try removeFile(database)
            }
        }
    }

    // MARK: Profiles

    @Test("a profile may be reached through a link, and what is no profile costs itself")
    func links() throws {
        let profiles = folder.appending("profiles")
        let mapping = PadMapping(controls: [.south: [.key(KeyCode(rawValue: 0x125))]])
        try PadKnowledge(folder: temporary.path.appending("other")).save(mapping, for: snesAdapter.facts)
        let made = temporary.path.appending("other").appending("profiles")
        let file = made.appending(try #require(try directoryNames(made).first))
        link(profiles.appending("mine.json"), to: file.displayString)
        link(profiles.appending("zero.json"), to: "/dev/zero")
        link(profiles.appending("circle.json"), to: "circle.json")
        link(profiles.appending("nowhere.json"), to: "/nonexistent/file")
        let large = open(profiles.appending("large.json").displayString, O_CREAT | O_WRONLY, 0o644)
        #expect(ftruncate(large, 100 << 20) == 0)
        close(large)
        #expect(knowledge.answer(for: snesAdapter.facts).mapping == mapping)
        #expect(
            Set(knowledge.problems.map(\.file.name.displayString)) == [
                "zero.json", "circle.json", "nowhere.json", "large.json",
            ])
    }

    static let documents: [(String, Bool)] = [
        ("", false), ("\u{0}", false), (String(repeating: "[", count: 60_000), false),
        (String(repeating: "{\"a\":", count: 12_000), false), ("null", false), ("1e999", false), ("\"text\"", false),
        ("{\"format\":1e999}", false), ("{\"format\":-1}", false), ("{\"format\":\"1\"}", false),
        (profile("\"controls\":{\"a\":[\"button 289\"]}"), true),
        (profile("\"controls\":{\"a\":[\"button 289\",\"button 289\"],\"fly\":[\"button 1\"]}"), true),
        (profile("\"controls\":{\"a\":[\"button 300\"],\"a\":[\"button 289\"]}"), true),
        (profile("\"controls\":{\"a\":\"button 289\"}"), false), (profile("\"controls\":[]"), false),
        (profile("\"controls\":{\"a\":[289]}"), false), (profile("\"controls\":{\"a\":[]}"), false),
        (
            profile("\"controls\":{\"a\":[\"button 99999\",\"button -1\",\"button\",\"axis 99 +\",\"axis 1 *\",\"\"]}"),
            false
        ),
        (profile("\"controls\":{\"a\":[\"button 289\"]},\"travels\":{\"0\":{\"rest\":\"99999999999\"}}"), true),
        (
            profile(
                "\"controls\":{\"a\":[\"button 289\"]},\"travels\":{\"0\":{\"rest\":\"5\",\"minimum\":9,\"maximum\":1}}"
            ), true
        ),
        (
            profile(
                "\"controls\":{\"a\":[\"button 289\"]},\"travels\":{\"0\":{\"rest\":\"middle\",\"minimum\":99999999999}}"
            ), false
        ),
        (profile("\"controls\":{\"a\":[\"button 289\"]},\"unit\":\"\\u0000\",\"family\":\"\\u0000\""), true),
        (profile("\"controls\":{\"a\":[\"button 289\"]},\"extra\":{\"deep\":[[[[[]]]]]}"), true),
    ]

    private static func profile(_ rest: String) -> String {
        "{\"format\":1,\"name\":\"Pad\",\"capabilities\":\"0\",\"identity\":{\"bus\":\"0003\",\"vendor\":\"0810\","
            + "\"product\":\"e501\",\"version\":\"0110\"},\(rest)}"
    }

    @Test(
        "whatever a profile says, it is read as far as it can be, and told of otherwise", arguments: documents.indices)
    func document(index: Int) throws {
        let (text, isUsable) = HostileFileTests.documents[index]
        try replaceFile(at: folder.appending("profiles").appending("x.json"), with: Array(text.utf8))
        let problems = knowledge.problems
        #expect(isUsable || problems.count > 0, "\(text.prefix(200))")
        let file = temporary.path.appending("import.json")
        try replaceFile(at: file, with: Array(text.utf8))
        let found = try? ControllerImport(file: file)
        #expect((found?.count == 1) == isUsable, "\(text.prefix(200))")
    }

    // MARK: es_input.cfg

    private func config(_ inputs: String) -> String {
        "<inputList><inputConfig type=\"joystick\" deviceName=\"x\" deviceGUID=\"030000001008000001e5000010010000\">"
            + inputs + "</inputConfig></inputList>"
    }

    @Test("numbers beyond all that a device may have mean nothing, to the pad at hand and to the database")
    func ranges() throws {
        let inputs = [
            ("a", "button", "99", "1"), ("b", "button", "2", "1"), ("x", "button", "9223372036854775807", "1"),
            ("y", "button", "9223372036854775808", "1"), ("up", "axis", "1", "-9223372036854775808"),
            ("down", "axis", "1", "9223372036854775807"), ("left", "axis", "0", "-1"), ("right", "axis", "0", "1"),
            ("l2", "hat", "0", "3"), ("r2", "hat", "-1", "1"), ("l3", "hat", "7", "16"), ("r3", "axis", "5000", "1"),
            ("select", "key", "8", "1"), ("start", "lever", "9", "1"),
        ].map { "<input name=\"\($0)\" type=\"\($1)\" id=\"\($2)\" value=\"\($3)\"/>" }
        let file = temporary.path.appending("es_input.cfg")
        try replaceFile(at: file, with: Array(config(inputs.joined()).utf8))
        let found = try ControllerImport(file: file)
        #expect(found.problems.count == 3)
        #expect(try knowledge.adopt(found, connected: []).lines == 1)
        let expected = PadMapping(controls: [
            .south: [button(2)], .up: [stickUp], .down: [stickDown], .left: [stickLeft], .right: [stickRight],
        ])
        #expect(
            GameControllerDatabase(try readFile(database)).mapping(for: snesAdapter.facts)?.controls
                == expected.controls)
        #expect(knowledge.problems.isEmpty, "\(knowledge.problems)")
        #expect(try knowledge.adopt(found, connected: [snesAdapter.facts]).profiles == 1)
        #expect(knowledge.answer(for: snesAdapter.facts).mapping.controls == expected.controls)
    }

    @Test("a file from Windows, with a mark, is read as any other, of every kind")
    func windows() throws {
        let pad = snesAdapter.info
        let texts = [
            String(decoding: ESInputFile(pads: [pad]).contents, as: UTF8.self),
            String(decoding: retroArchAutoconfig(for: pad, hotkeys: .none).contents, as: UTF8.self),
            (sdlMapping(for: pad) ?? "") + "\n",
        ]
        for text in texts {
            let file = temporary.path.appending("windows")
            try replaceFile(at: file, with: Array(("\u{FEFF}" + text.replacing("\n", with: "\r\n")).utf8))
            let found = try ControllerImport(file: file)
            #expect(found.problems.isEmpty)
            _ = try knowledge.adopt(found, connected: [snesAdapter.facts])
            let answer = knowledge.answer(for: snesAdapter.facts)
            #expect(answer.source == .user || answer.source == .database)
            #expect(answer.mapping.bindings.filter { $0.key != .hotkey } == pad.mapping.bindings, "\(text.prefix(30))")
            try knowledge.forget(snesAdapter.facts)
        }
    }
}
