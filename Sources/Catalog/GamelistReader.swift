import SystemKit

/// Reads a gamelist piece by piece, in little memory, and understands what it can of one that is no XML.
///
/// The records are found before anything in them is looked at, so that a bad one costs itself. Declarations are passed
/// over: no entity is expanded but those that XML knows by itself, and nothing is fetched.
final class GamelistReader {
    /// A record, or anything else in one piece, has at most so many bytes.
    static let longest = 1 << 20
    private static let deepest = 64

    private let body: (GamelistItem) -> Void
    private let parser = GamelistRecordParser()
    private var text = GamelistText()
    private var pending: [UInt8] = []
    private var cursor = 0
    // What is being gathered: where it began in `pending`, and the names of the elements open in it.
    private var begin: Int?
    private var name = ""
    private var stack: [String] = []
    // What belongs to a record that was too long.
    private var isSkipping = false
    private var number = 0
    private var hasContent = false
    private var hasList = false
    private var isListOpen = false
    private var hasStrayText = false
    private var hasDoctype = false
    private var hasElement = false
    private(set) var isSound = true

    init(_ body: @escaping (GamelistItem) -> Void) { self.body = body }

    /// All of a list at once.
    static func read(bytes: [UInt8]) -> GamelistContents {
        var contents = GamelistContents()
        let reader = GamelistReader { contents.items.append($0) }
        bytes.withUnsafeBufferPointer { reader.feed($0) }
        reader.finish()
        contents.isSound = reader.isSound
        return contents
    }

    /// Takes the next bytes of the file.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
        text.feed(bytes, isEnd: false) { append($0) }
        advance(isEnd: false)
    }

    /// Takes the end of the file.
    func finish() {
        text.feed(UnsafeBufferPointer(start: nil, count: 0), isEnd: true) { append($0) }
        advance(isEnd: true)
        if begin != nil { endOfFile() }
        if !hasContent {
            problem(0, "the file is empty or holds nothing but zeros")
        } else if number == 0 && !hasList {
            problem(0, "this is no list of games")
        } else if !hasList {
            problem(0, "the list has no <gameList> around it")
        } else if isListOpen {
            problem(0, "the file ends before the list does")
        }
        if hasStrayText { isSound = false }
    }

    private func problem(_ record: Int, _ reason: String) {
        isSound = false
        body(.problem(record: record, reason: reason))
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if !hasContent { hasContent = bytes.contains { $0 != 0 && !Markup.isBlank($0) } }
        pending.append(contentsOf: bytes)
    }

    // MARK: - Parts

    private func advance(isEnd: Bool) {
        pending.withUnsafeBufferPointer { bytes in
            while cursor < bytes.count {
                // What is too long to be anything is text.
                let isOverlong = bytes.count - cursor > GamelistReader.longest
                guard var (token, end) = Markup.next(in: bytes, at: cursor, isEnd: isEnd || isOverlong) else { break }
                if token != .text, end - cursor > GamelistReader.longest { (token, end) = (.stray, cursor + 1) }
                if begin == nil { outside(token, end, bytes) } else { inside(token, end, bytes) }
                cursor = max(cursor, end)
                if let begin, cursor - begin > GamelistReader.longest { giveUp() }
            }
        }
        let done = begin ?? cursor
        guard done > 0 else { return }
        pending.removeFirst(done)
        cursor -= done
        if begin != nil { begin = 0 }
    }

    private func outside(_ token: Markup.Token, _ end: Int, _ bytes: Markup.Bytes) {
        switch token {
        case .text, .stray:
            if !hasStrayText { hasStrayText = bytes[cursor..<end].contains { !Markup.isBlank($0) } }
        case .comment:
            if MarkupWriter().isComment(bytes, cursor..<end), LenientUTF8.isValid(slice(bytes, cursor, end)) {
                body(.outside(String(decoding: bytes[cursor..<end], as: UTF8.self)))
            }
        case .instruction:
            if MarkupWriter().isInstruction(bytes, cursor..<end), LenientUTF8.isValid(slice(bytes, cursor, end)) {
                body(.outside(String(decoding: bytes[cursor..<end], as: UTF8.self)))
            }
        case .declaration: declaration(slice(bytes, cursor, end))
        case .data: break
        case .start(let range, let isClosed):
            hasElement = true
            let name = String(decoding: bytes[range], as: UTF8.self)
            if GamelistReader.isList(name) {
                open(slice(bytes, range.upperBound, max(range.upperBound, end - (isClosed ? 2 : 1))), isClosed)
            } else if GamelistNames.isRecord(name) || !(isSkipping || GamelistNames.isText(name)) {
                start(name)
                if isClosed { emit(upTo: end, bytes) }
            }
        case .end(let range):
            let name = String(decoding: bytes[range], as: UTF8.self)
            if GamelistReader.isList(name) { close() }
            if GamelistNames.isRecord(name) { isSkipping = false }
        }
    }

    private func start(_ name: String) {
        begin = cursor
        self.name = name
        stack = []
        if GamelistNames.isRecord(name) {
            number += 1
            isSkipping = false
        }
    }

    private func inside(_ token: Markup.Token, _ end: Int, _ bytes: Markup.Bytes) {
        switch token {
        case .start(let range, let isClosed):
            let name = String(decoding: bytes[range], as: UTF8.self)
            let isRecord = GamelistNames.isRecord(name)
            if isRecord || GamelistReader.isList(name) {
                let isNested = !(stack.last.map(GamelistNames.isText) ?? true)
                if !GamelistNames.isRecord(self.name) {
                    // What seemed to be an element of somebody's is around the list.
                    begin = nil
                    return outside(token, end, bytes)
                }
                if !isNested {
                    emit(upTo: cursor, bytes)
                    return outside(token, end, bytes)
                }
            }
            if !isClosed, stack.count < GamelistReader.deepest { stack.append(name) }
        case .end(let range):
            let name = String(decoding: bytes[range], as: UTF8.self)
            if let index = stack.lastIndex(of: name) {
                stack.removeLast(stack.count - index)
            } else if name == self.name || (stack.isEmpty && GamelistNames.isRecord(name) && isRecordOpen) {
                emit(upTo: end, bytes)
            } else if GamelistReader.isList(name) {
                if isRecordOpen { emit(upTo: cursor, bytes) } else { begin = nil }
                close()
            }
        case .text, .stray, .comment, .data, .instruction, .declaration: break
        }
    }

    private var isRecordOpen: Bool { GamelistNames.isRecord(name) }

    private func open(_ attributes: Markup.Bytes, _ isClosed: Bool) {
        if !hasList {
            let text = LenientUTF8.isValid(attributes) ? Array(attributes) : LenientUTF8.mended(attributes)
            let (xml, isWhole) = GamelistRecordParser.attributes(text)
            if !isWhole { isSound = false }
            body(.list(xml))
        }
        hasList = true
        isListOpen = true
        if isClosed { close() }
    }

    private func close() {
        if isListOpen { body(.end) }
        isListOpen = false
    }

    /// One that declares something is passed over: what it means is for readers that nobody here knows.
    private func declaration(_ bytes: Markup.Bytes) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard !hasDoctype, !hasElement, LenientUTF8.isValid(bytes), MarkupWriter().isClean(bytes, 0..<bytes.count),
            GamelistNames.isDoctype(text)
        else {
            isSound = false
            return
        }
        hasDoctype = true
        body(.doctype(text))
    }

    private static func isList(_ name: String) -> Bool { name == "gameList" || name == "gamelist" }

    private func slice(_ bytes: Markup.Bytes, _ start: Int, _ end: Int) -> Markup.Bytes {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    // MARK: - Results

    private func emit(upTo end: Int, _ bytes: Markup.Bytes, isCut: Bool = false) {
        guard let start = begin else { return }
        begin = nil
        let part = slice(bytes, start, end)
        guard isRecordOpen else {
            // Read like a record's part, so that it is XML.
            let text = LenientUTF8.isValid(part) ? Array(part) : LenientUTF8.mended(part)
            for element in parser.elements(of: String(decoding: text, as: UTF8.self)) { body(.outside(element.xml)) }
            return
        }
        let record = parser.parse(part, number: number, isCut: isCut, isOtherEncoding: text.isOtherEncoding)
        if !record.flaws.isEmpty { problem(number, "mended: " + record.flaws.joined(separator: ", ")) }
        body(.record(record))
    }

    private func giveUp() {
        if isRecordOpen {
            problem(number, "it is longer than a record can be, and was left out")
            isSkipping = true
        } else {
            isSound = false
        }
        begin = nil
    }

    private func endOfFile() {
        isSound = false
        guard isRecordOpen else { return }
        pending.withUnsafeBufferPointer { emit(upTo: $0.count, $0, isCut: true) }
    }
}
