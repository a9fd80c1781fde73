import Controllers
import EvdevKit
import SystemKit
import Testing

@testable import Commands

@Suite("controllers")
struct ControllerTests {
    private let world: World
    /// A pad that SDL's database knows, and one that nobody does.
    private let adapter = DeviceFacts(
        name: "USB gamepad           ", identity: PadIdentity(bus: 3, vendor: 0x0810, product: 0xE501, version: 0x0110),
        physicalPath: "usb-1/input0", capabilities: ControllerTests.capabilities(buttons: 10))
    private let stranger = DeviceFacts(
        name: "No, Name", identity: PadIdentity(bus: 3, vendor: 0x1234, product: 0x5678, version: 1),
        capabilities: ControllerTests.capabilities(buttons: 8))

    init() throws { world = try World() }

    private static func capabilities(buttons: Int) -> Capabilities {
        let info = AxisInfo(value: 127, minimum: 0, maximum: 255)
        return Capabilities(
            keys: Set((0..<buttons).map { KeyCode.joystick.advanced(by: $0) }), axes: [.x: info, .y: info])
    }

    private func run(_ words: BytePath..., answer: String? = nil) async -> World.Result {
        await world.run(words: ["controllers"] + words, answer: answer, pads: [adapter, stranger])
    }

    @Test("the list says who each is, whose, and who knows it")
    func list() async throws {
        let list = try await run("list", "--json").json()
        expectGolden(list.shape + "\n", "controllers.shape")
        #expect(list.array.map { $0["source"]?.string } == ["database", "none"])
        #expect(list.array.first?["bindings"]?["a"]?.string == "button 290")
        let text = await run("list").output
        #expect(text.contains("40 %, charging"))
        #expect(text.contains("USB gamepad") && text.contains("database") && text.contains("nobody"))
    }

    @Test("what is wrong in the person's files is told beside the list")
    func problems() async throws {
        let folder = world.root.appending(".retro/controllers")
        try createDirectories(folder.appending("profiles"))
        try replaceFile(at: folder.appending("profiles/x.json"), with: Array("{".utf8))
        try replaceFile(at: folder.appending("gamecontrollerdb.txt"), with: Array("\n0,y,a:b1\n".utf8))
        let result = await run("list")
        #expect(result.status == .done)
        #expect(result.messages.contains("x.json: it is no JSON document, or a damaged one"))
        #expect(result.messages.contains("gamecontrollerdb.txt, line 2: \"0\" is no GUID"))
    }

    @Test("one can be shown by its number")
    func show() async throws {
        let text = await run("show", "1").output
        #expect(text.contains("up") && text.contains("axis 1 -") && text.contains("button 290"))
        #expect(try await run("show", "2", "--json").json()["vendor"]?.string == "1234")
        let absent = await run("show", "7")
        #expect(absent.status == .notFound)
        #expect(absent.messages.contains("there is no controller 7"))
        #expect(await run("show", "x").status == .usage)
        #expect(await run("show").status == .usage)
    }

    @Test("what is exported comes back in, and is the person's own then")
    func roundTrip() async throws {
        let out = world.folder.appending("out")
        for kind in ["es", "retroarch"] {
            let export = await run("export", BytePath(kind), "--to", "out")
            #expect(export.status == .done)
            // A guess is nothing that is known.
            #expect(export.messages.contains("so it is left out"))
        }
        #expect(try directoryNames(out).count == 2)
        let imported = try await run("import", "out/es_input.cfg", "--json").json()
        #expect(imported["profiles"] == .integer(1) && imported["lines"] == .integer(0))
        #expect(try await run("list", "--json").json().array.map { $0["source"]?.string } == ["user", "none"])
        #expect(try await run("show", "1", "--json").json()["bindings"]?["a"]?.string == "button 290")
        #expect(try await run("forget", "1", "--dry-run", "--json").json()["forgotten"] == .bool(true))
        #expect(try await run("forget", "1", "--json").json()["forgotten"] == .bool(true))
        #expect(await run("forget", "1").messages.contains("Nothing was assigned"))
        #expect(try await run("show", "1", "--json").json()["source"]?.string == "database")
        let file = try #require(try directoryNames(out).first { $0.bytes.starts(with: "USB".utf8) })
        #expect(await run("import", BytePath("out").appending(file)).output == "1 controller: 1 assigned.\n")
        #expect(try await run("show", "1", "--json").json()["source"]?.string == "user")
    }

    @Test("what is about an absent controller waits for it")
    func waiting() async throws {
        #expect(await run("export", "es", "--to", "out").status == .done)
        #expect(await run("export", "retroarch", "--to", "out").status == .done)
        let none = { (words: [BytePath]) in await world.run(words: ["controllers"] + words, pads: []) }
        #expect(await none(["import", "out/es_input.cfg"]).output == "1 controller: 1 known when plugged in.\n")
        let file = try #require(
            try directoryNames(world.folder.appending("out")).first { $0.bytes.starts(with: "USB".utf8) })
        #expect(await none(["import", BytePath("out").appending(file)]).output.contains("1 not taken over"))
        #expect(try await run("list", "--json").json().array.map { $0["source"]?.string } == ["database", "none"])
        // The same once more is no second line.
        _ = await none(["import", "out/es_input.cfg"])
        let database = world.root.appending(".retro/controllers/gamecontrollerdb.txt")
        #expect(String(decoding: try readFile(database), as: UTF8.self).split(separator: "\n").count == 1)
    }

    @Test("a file of the person's is replaced only when that is wanted, and a plan changes nothing")
    func careful() async throws {
        let file = world.folder.appending("my folder/es_input.cfg")
        try createDirectories(file.parent)
        try replaceFile(at: file, with: Array("mine".utf8))
        #expect(await run("export", "es", "--to", "my folder").status == .usage)
        #expect(await run("export", "es", "--to", "my folder", answer: "n").status == .done)
        let plan = await run("export", "es", "--to", "my folder", "--dry-run").output
        #expect(plan == "Would write \(file.displayString)\n")
        #expect(try readFile(file) == Array("mine".utf8))
        #expect(await run("export", "es", "--to", "my folder", "--yes").status == .done)
        #expect(try readFile(file) != Array("mine".utf8))
        #expect(await run("import", "my folder/es_input.cfg", "--dry-run").output == "Would take over 1 controller.\n")
        #expect(try await run("list", "--json").json().array.map { $0["source"]?.string } == ["database", "none"])
    }

    @Test("words that mean nothing and files that are something else are refused with a reason")
    func refusals() async throws {
        #expect(await run("export", "psp", "--to", "x").status == .usage)
        #expect(await run("export", "es").status == .usage)
        #expect(await run("import", "nothing.cfg").status == .notFound)
        try replaceFile(at: world.folder.appending("poem.txt"), with: Array("a rose\nis a rose\n".utf8))
        let poem = await run("import", "poem.txt")
        #expect(poem.status == .badData)
        #expect(poem.messages.contains("poem.txt cannot be used"))
        let none = await world.run(words: ["controllers", "export", "es", "--to", "out"], pads: [])
        #expect(none.messages.contains("No controller is plugged in"))
        #expect(!fileExists(world.folder.appending("out")))
    }
}
