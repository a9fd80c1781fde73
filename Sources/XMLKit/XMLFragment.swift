internal import CExpat

/// A part of a document, with the texts that `XMLEvent` leaves out.
public enum XMLPiece: Sendable, Equatable {
    /// An element begins.
    case start(name: String, attributes: [String: String])
    /// Text; a long one, or one with references, comes in several pieces.
    case text(String)
    /// An element ends.
    case end(name: String)
}

/// Reads one element with all that is in it, cut out of a document.
///
/// A list of a hundred thousand records is read record by record this way: one that is broken costs itself.
/// - Parameter encoding: what the document's declaration says; `nil` for UTF-8.
/// - Returns: the fault; `nil` where the element is whole. What stands before it was handed over.
public func readXMLFragment(
    _ fragment: UnsafeRawBufferPointer, encoding: String? = nil, _ body: (XMLPiece) -> Void
) -> XMLFault? {
    guard let parser = XML_ParserCreate(encoding ?? "UTF-8") else { return XMLFault(line: 1, reason: "out of memory") }
    defer { XML_ParserFree(parser) }
    return withoutActuallyEscaping(body) { body in
        let reader = PieceReader(parser: parser, body: body)
        return withExtendedLifetime(reader) { () -> XMLFault? in
            XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
            XML_SetElementHandler(parser, pieceStarted, pieceEnded)
            XML_SetCharacterDataHandler(parser, pieceText)
            XML_SetEntityDeclHandler(parser, pieceEntity)
            let status = XML_Parse(
                parser, fragment.bindMemory(to: CChar.self).baseAddress, Int32(clamping: fragment.count), 1)
            if status == XML_STATUS_OK { return nil }
            let line = Int(clamping: retro_xml_line(parser))
            if let reason = reader.refusal { return XMLFault(line: line, reason: reason) }
            let text = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            return XMLFault(line: line, reason: text ?? "it is no XML")
        }
    }
}

private final class PieceReader {
    static let deepest = 64

    let parser: XML_Parser
    let body: (XMLPiece) -> Void
    var depth = 0
    private(set) var refusal: String?

    init(parser: XML_Parser, body: @escaping (XMLPiece) -> Void) {
        self.parser = parser
        self.body = body
    }

    func refuse(_ reason: String) {
        refusal = reason
        XML_StopParser(parser, 0)
    }
}

private func pieces(_ data: UnsafeMutableRawPointer?) -> PieceReader? {
    data.map { Unmanaged<PieceReader>.fromOpaque($0).takeUnretainedValue() }
}

private func pieceStarted(
    _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
    guard let reader = pieces(data), let name, let attributes else { return }
    reader.depth += 1
    if reader.depth > PieceReader.deepest { return reader.refuse("the elements are nested too deep") }
    var values: [String: String] = [:]
    var index = 0
    while let key = attributes[index], let value = attributes[index + 1] {
        values[String(cString: key)] = String(cString: value)
        index += 2
    }
    reader.body(.start(name: String(cString: name), attributes: values))
}

private func pieceEnded(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
    guard let reader = pieces(data), let name else { return }
    reader.depth -= 1
    reader.body(.end(name: String(cString: name)))
}

private func pieceText(_ data: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int32) {
    guard let reader = pieces(data), let text else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    reader.body(.text(String(decoding: bytes, as: UTF8.self)))
}

private func pieceEntity(
    _ data: UnsafeMutableRawPointer?, _: UnsafePointer<CChar>?, _: Int32, _: UnsafePointer<CChar>?, _: Int32,
    _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) {
    pieces(data)?.refuse("it defines entities of its own")
}
