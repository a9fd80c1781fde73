import SystemKit
import Testing

@testable import Commands

/// What the machine runs by itself names commands that there are: a unit is noticed by nobody until it is needed.
@Suite("Units and rules of the image")
struct UnitFilesTests {
    private static let image = BytePath(#filePath).parent.parent.parent.appending("image")
    private static let program = "/usr/bin/retro-admin"

    /// The words of each call of `retro-admin` in a folder's files.
    private static func calls(in folder: BytePath) throws -> [[String]] {
        var calls: [[String]] = []
        for name in try directoryNames(folder).sorted() {
            let path = folder.appending(name)
            guard try fileStatus(path).kind == .regular else { continue }
            let text = String(decoding: try readRegularFile(path, limit: 1 << 20), as: UTF8.self)
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                guard let place = line.firstRange(of: program) else { continue }
                // In a rule of udev the command stands between quotes.
                let command = line[place.upperBound...].prefix { $0 != "\"" }
                calls.append(command.split(separator: " ").map(String.init))
            }
        }
        return calls
    }

    @Test("every command that a unit or a rule names is one, with options and arguments that it takes")
    func commands() throws {
        let calls = try UnitFilesTests.calls(in: UnitFilesTests.image.appending("systemd"))
        #expect(calls.count >= 10)
        let rules = try UnitFilesTests.calls(in: UnitFilesTests.image.appending("udev"))
        for words in calls + rules {
            // What systemd puts in for a device.
            let line = words.map { BytePath(["%I", "%i", "%k"].contains($0) ? "sda1" : $0) }
            do throws(CommandError) {
                let parsed = try LineParser(tree: CommandTable.root).parse(line)
                #expect(parsed.command.verb != nil, "\(words)")
            } catch { Issue.record("\(words): \(error)") }
        }
    }

    @Test("a verb that is gone is noticed")
    func gone() {
        #expect(throws: CommandError.self) {
            _ = try LineParser(tree: CommandTable.root).parse(["system", "boot-chek", "--early"])
        }
    }
}
