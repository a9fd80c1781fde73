public import SystemKit

/// Mappings in the form of SDL's `gamecontrollerdb.txt`, of which a line is read only when a device asks for it.
public struct GameControllerDatabase: Sendable {
    /// Larger than the largest that people share, by far.
    static let limit = 16 << 20

    /// Where the text is: our own lies in the program and is never copied.
    private enum Text: Sendable {
        case constant(StaticString)
        case bytes([UInt8])

        func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
            switch self {
            case .constant(let text):
                body(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            case .bytes(let bytes): bytes.withUnsafeBufferPointer(body)
            }
        }
    }

    private let text: Text

    /// What SDL itself knows, as it was when this program was built.
    public static let shipped = GameControllerDatabase(.constant(gameControllerMappings))

    private init(_ text: Text) { self.text = text }

    /// A database with this content.
    public init(_ contents: [UInt8]) { text = .bytes(contents) }

    /// A person's file; one that is not there is empty.
    ///
    /// - Throws: `SystemError` where it is there and cannot be read.
    public init(file: BytePath) throws(SystemError) {
        do throws(SystemError) {
            text = .bytes(try readRegularFile(file, limit: GameControllerDatabase.limit))
        } catch {
            guard error.isNotFound else { throw error }
            text = .bytes([])
        }
    }

    /// What it says about a device, as SDL would choose: the same version first, then any; `nil` where it says nothing,
    /// or nothing that the menu could be used with.
    public func mapping(for facts: DeviceFacts) -> PadMapping? { entry(for: facts)?.mapping }

    /// The same with the database's own name for the device.
    func entry(for facts: DeviceFacts) -> (mapping: PadMapping, name: String)? {
        for line in candidates(for: facts) {
            let mapping = line.mapping(for: facts.capabilities)
            if mapping.isUsable { return (mapping, line.name) }
        }
        return nil
    }

    /// The text.
    var contents: [UInt8] { text.withBytes { Array($0) } }

    /// The same with some lines added, in place of those for the same devices.
    func replacing(_ lines: [String]) -> GameControllerDatabase {
        func key(_ line: Substring) -> String? {
            (try? SDLMapping(line)).flatMap { $0.map { "\($0.guid) \($0.nameSum ?? 0)" } }
        }
        let replaced = Set(lines.compactMap { key($0[...]) })
        var kept: [UInt8] = []
        forEachLine(longest: .max) { _, bytes in
            // What is too long for a line is not ours to throw away.
            let isLine = bytes.count <= GameControllerDatabase.longestLine
            if isLine, let key = key(String(decoding: bytes, as: UTF8.self)[...]), replaced.contains(key) { return }
            kept += Array(bytes) + [0x0A]
        }
        return GameControllerDatabase(kept + lines.flatMap { Array(($0 + "\n").utf8) })
    }

    /// The lines that are about a device, the best first.
    private func candidates(for facts: DeviceFacts) -> [SDLMapping] {
        let guid = ControllerGUID(for: facts)
        guard !guid.isEmpty else { return [] }
        let sum = ControllerGUID.sum(over: ControllerGUID.name(of: facts))
        var ranked: [(rank: Int, line: SDLMapping)] = []
        for line in lines(like: guid) {
            let isSameName = line.nameSum == sum
            if line.guid == guid {
                ranked.append((isSameName ? 0 : 1, line))
            } else if let kind = guid.withoutVersion, line.guid.withoutVersion == kind,
                line.guid.hasOwnDriver == guid.hasOwnDriver
            {
                ranked.append((isSameName ? 2 : 3, line))
            }
        }
        // A later line replaces an earlier one of the same GUID, as in SDL; of other versions SDL takes the first.
        let places = ranked.indices.sorted { left, right in
            if ranked[left].rank != ranked[right].rank { return ranked[left].rank < ranked[right].rank }
            return ranked[left].rank < 2 ? left > right : left < right
        }
        return places.map { ranked[$0].line }
    }

    /// The lines whose first digits fit, read.
    private func lines(like guid: ControllerGUID) -> [SDLMapping] {
        // Bus, and vendor and product or the beginning of the name; the sum between them is another thing.
        let digits = Array(guid.description.utf8)
        var found: [SDLMapping] = []
        forEachLine { _, bytes in
            guard bytes.count > 32 else { return }
            var start = 0
            while start < bytes.count - 32, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
            for index in 0..<24 where !(4..<8).contains(index) {
                let byte = bytes[start + index]
                let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F") ? byte | 0x20 : byte
                if lower != digits[index] { return }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let line = try? SDLMapping(text[...]) { found.append(line) }
        }
        return found
    }

    /// A line of megabytes is damage, and nothing in it is worth the time.
    private static let longestLine = 8192

    private func forEachLine(
        longest: Int = GameControllerDatabase.longestLine, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        text.withBytes { bytes in
            // A byte order mark may stand before the first line.
            var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            var number = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count, bytes[end] != 0x0A { end += 1 }
                number += 1
                if end - start <= longest { body(number, UnsafeBufferPointer(rebasing: bytes[start..<end])) }
                start = end + 1
            }
        }
    }

    /// What is wrong in it, line by line; reads all of it.
    ///
    /// Of two lines for one kind of device SDL uses the later one without a word: whichever was meant, one of them is
    /// wrong.
    public func problems(in file: BytePath) -> [ProfileProblem] {
        struct Key: Hashable {
            let guid: ControllerGUID
            let sum: UInt16?
        }
        var problems: [ProfileProblem] = []
        var seen: [Key: (number: Int, fields: [String: SDLInput])] = [:]
        forEachLine { number, bytes in
            func report(_ reason: String) {
                problems.append(ProfileProblem(file: file, line: number, reason: reason))
            }
            do throws(SDLMapping.Fault) {
                guard let line = try SDLMapping(String(decoding: bytes, as: UTF8.self)[...]) else { return }
                line.faults.forEach(report)
                let key = Key(guid: line.guid, sum: line.nameSum)
                let fields = Dictionary(line.fields.map { ($0.name, $0.input) }, uniquingKeysWith: { $1 })
                if let other = seen[key] {
                    let differing = Set(fields.keys).union(other.fields.keys).filter { fields[$0] != other.fields[$0] }
                    report(
                        "the same device as in line \(other.number)"
                            + (differing.isEmpty
                                ? "" : ", but differs in \(differing.sorted().joined(separator: ", "))"))
                }
                seen[key] = (number, fields)
            } catch {
                report(error.reason)
            }
        }
        return problems
    }
}
