/// Reads clrmamepro's own format: words, texts in quotation marks, and lists in parentheses.
///
///     game ( name "Tetris" rom ( name "Tetris.gb" size 32768 crc 46DF91AD ) )
final class DatText {
    private static let longestText = 64 << 10
    private static let mostRoms = 100_000
    private static let headers: Set<String> = ["clrmamepro", "emulator"]

    private enum State { case blank, word, quoted }

    private let body: (DatReader.Event) -> Void
    private var state = State.blank
    private var text: [UInt8] = []
    private var depth = 0
    private var record = 0
    private var hasAny = false
    private var key: String?
    private var kind = ""
    private var values: [String: String] = [:]
    private var inner: (kind: String, values: [String: String])?
    private var roms: [DatRom] = []
    private var isBroken = false

    init(_ body: @escaping (DatReader.Event) -> Void) { self.body = body }

    func feed(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { take(byte) }
    }

    func finish() {
        endOfWord()
        if depth > 0 {
            body(.problem(record: record, reason: "The file ends in the middle of it"))
        } else if !hasAny {
            body(.problem(record: 0, reason: "The file is no DAT file"))
        }
    }

    private func take(_ byte: UInt8) {
        switch (state, byte) {
        // A text ends with its line: a mark that is missing must not swallow the rest of the file.
        case (.quoted, UInt8(ascii: "\"")), (.quoted, 0x0A):
            endOfText()
        case (.quoted, _): append(byte)
        case (_, UInt8(ascii: "\"")) where state == .blank: state = .quoted
        case (_, 0...0x20): endOfWord()
        case (_, UInt8(ascii: "(")) where state == .blank: open()
        case (_, UInt8(ascii: ")")) where state == .blank: close()
        default:
            state = .word
            append(byte)
        }
    }

    private func append(_ byte: UInt8) {
        if text.count < DatText.longestText { text.append(byte) } else { isBroken = true }
    }

    private func endOfWord() {
        if state == .word { endOfText() }
    }

    private func endOfText() {
        state = .blank
        let value = String(decoding: text, as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        guard let name = key else {
            key = value.lowercased()
            return
        }
        key = nil
        if inner != nil { inner?.values[name] = value } else if depth == 1 { values[name] = value }
    }

    private func open() {
        depth += 1
        let name = key ?? ""
        key = nil
        switch depth {
        case 1:
            hasAny = true
            kind = name
            if !DatText.headers.contains(kind) { record += 1 }
            (values, roms, isBroken) = ([:], [], false)
        case 2: inner = (name, [:])
        default: isBroken = true
        }
    }

    private func close() {
        key = nil
        switch depth {
        case 0: return
        case 2:
            if let inner, ["rom", "disk"].contains(inner.kind), roms.count < DatText.mostRoms {
                roms.append(DatGame.rom(inner.values))
            }
            inner = nil
        case 1: endOfRecord()
        default: break
        }
        depth -= 1
    }

    private func endOfRecord() {
        switch kind {
        case _ where DatText.headers.contains(kind):
            body(
                .header(
                    DatHeader(name: values["name"], description: values["description"], version: values["version"])))
        case "game", "machine", "resource":
            guard let name = values["name"], !name.isEmpty, !isBroken else {
                return body(.problem(record: record, reason: isBroken ? "It is damaged" : "It has no name"))
            }
            let description = values["description"].flatMap { $0.isEmpty ? nil : $0 }
            body(.game(DatGame(name: name, description: description, roms: roms)))
        default: break
        }
    }
}
