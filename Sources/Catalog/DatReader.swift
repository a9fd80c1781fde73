import SystemKit

/// Reads DAT files: Logiqx XML (No-Intro, Redump, TOSEC), MAME's `-listxml` and software lists, and clrmamepro's text.
///
/// It is fed piece by piece and keeps one record at a time, because MAME's list has 300 megabytes. A record that is
/// broken costs itself. Pure: it reads bytes and knows no file.
public final class DatReader {
    /// What it comes to, in the order of the file.
    public enum Event: Sendable, Equatable {
        /// What the file says about itself; it may come in several parts.
        case header(DatHeader)
        /// A game.
        case game(DatGame)
        /// A record that could not be read; numbered from 1.
        case problem(record: Int, reason: String)
    }

    private enum Dialect {
        case unknown, xml(DatXML), text(DatText), none
    }

    private var dialect = Dialect.unknown
    private var beginning: [UInt8] = []
    private var text = GamelistText()
    private let body: (Event) -> Void

    /// - Parameter body: hears of each record when it is complete.
    public init(_ body: @escaping (Event) -> Void) { self.body = body }

    /// Takes the next bytes of the file.
    public func feed(_ bytes: UnsafeRawBufferPointer) {
        text.feed(bytes.bindMemory(to: UInt8.self), isEnd: false, take)
    }

    /// Takes bytes whose encoding is known.
    private func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch dialect {
        case .xml(let reader): reader.feed(UnsafeRawBufferPointer(bytes))
        case .text(let reader): reader.feed(UnsafeRawBufferPointer(bytes))
        case .none: break
        case .unknown:
            beginning.append(contentsOf: bytes)
            decide(isEnd: false)
        }
    }

    /// Tells that the file ends here.
    public func finish() {
        text.feed(UnsafeBufferPointer(start: nil, count: 0), isEnd: true, take)
        decide(isEnd: true)
        switch dialect {
        case .xml(let reader): reader.finish()
        case .text(let reader): reader.finish()
        case .unknown, .none: break
        }
    }

    /// Reads a whole file at once.
    public static func read(bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        let reader = DatReader { events.append($0) }
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(64 << 10).withUnsafeBytes { reader.feed($0) }
            rest = rest.dropFirst(64 << 10)
        }
        reader.finish()
        return events
    }

    /// The first character that means something tells the dialect.
    private func decide(isEnd: Bool) {
        guard case .unknown = dialect, beginning.count >= 4 || isEnd else { return }
        let first = beginning.first { $0 > 0x20 }
        switch first {
        case nil where !isEnd && beginning.count < 1 << 16: return
        case nil: dialect = refuse("The file is empty")
        case _ where beginning.prefix(64).contains(0): dialect = refuse("The file is no text")
        case UInt8(ascii: "<"): dialect = .xml(DatXML(body))
        default: dialect = .text(DatText(body))
        }
        let bytes = beginning
        beginning = []
        bytes.withUnsafeBufferPointer { take($0) }
    }

    private func refuse(_ reason: String) -> Dialect {
        body(.problem(record: 0, reason: reason))
        return .none
    }
}
