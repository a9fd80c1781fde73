internal import CExpat

/// Why a document could be read only so far.
public struct XMLFault: Error, Sendable, Equatable {
    /// The line, from 1.
    public let line: Int
    /// What is wrong there, without a full stop.
    public let reason: String
}

/// An element's beginning or end.
public enum XMLEvent: Sendable, Equatable {
    /// An element begins.
    case start(name: String, attributes: [String: String], line: Int)
    /// An element ends.
    case end(name: String)
}

/// Reads a document through expat, element by element; text between the elements is passed over.
///
/// What stands before a fault was handed over: of a file that was cut off, its beginning is known. Entities of the
/// document's own are refused, because a few lines of them become gigabytes.
/// - Returns: the fault; `nil` where the document is whole.
public func readXML(_ document: [UInt8], _ body: (XMLEvent) -> Void) -> XMLFault? {
    guard let parser = XML_ParserCreate(nil) else { return XMLFault(line: 1, reason: "out of memory") }
    defer { XML_ParserFree(parser) }
    return withoutActuallyEscaping(body) { body in
        let reader = Reader(parser: parser, body: body)
        return withExtendedLifetime(reader) { () -> XMLFault? in
            XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
            XML_SetElementHandler(parser, started, ended)
            XML_SetEntityDeclHandler(parser, declaredEntity)
            let status = document.withUnsafeBytes { bytes in
                XML_Parse(parser, bytes.bindMemory(to: CChar.self).baseAddress, Int32(clamping: bytes.count), 1)
            }
            if status == XML_STATUS_OK { return nil }
            return reader.fault ?? Reader.fault(of: parser)
        }
    }
}

/// What expat's handlers work on.
private final class Reader {
    /// Deeper than any file that is read here; expat itself has no limit.
    static let deepest = 64

    let parser: XML_Parser
    private let body: (XMLEvent) -> Void
    private var depth = 0
    private(set) var fault: XMLFault?

    init(parser: XML_Parser, body: @escaping (XMLEvent) -> Void) {
        self.parser = parser
        self.body = body
    }

    func handle(_ event: XMLEvent) {
        switch event {
        case .start:
            depth += 1
            if depth > Reader.deepest { return stop("the elements are nested too deep") }
        case .end: depth -= 1
        }
        body(event)
    }

    func stop(_ reason: String) {
        fault = XMLFault(line: Reader.line(of: parser), reason: reason)
        XML_StopParser(parser, 0)
    }

    static func line(of parser: XML_Parser) -> Int { Int(clamping: retro_xml_line(parser)) }

    static func fault(of parser: XML_Parser) -> XMLFault {
        let text = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        return XMLFault(line: line(of: parser), reason: text ?? "it is no XML document")
    }
}

private func reader(_ data: UnsafeMutableRawPointer?) -> Reader? {
    data.map { Unmanaged<Reader>.fromOpaque($0).takeUnretainedValue() }
}

private func started(
    _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
    guard let reader = reader(data), let name, let attributes else { return }
    var values: [String: String] = [:]
    var index = 0
    while let key = attributes[index], let value = attributes[index + 1] {
        values[String(cString: key)] = String(cString: value)
        index += 2
    }
    reader.handle(
        .start(name: String(cString: name), attributes: values, line: Reader.line(of: reader.parser)))
}

private func ended(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
    guard let reader = reader(data), let name else { return }
    reader.handle(.end(name: String(cString: name)))
}

private func declaredEntity(
    _ data: UnsafeMutableRawPointer?, _: UnsafePointer<CChar>?, _: Int32, _: UnsafePointer<CChar>?, _: Int32,
    _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) {
    reader(data)?.stop("it defines entities of its own")
}

/// A text as it stands in an attribute's value, without what XML cannot say.
public func xmlAttribute(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "\t", "\n", "\r": result += "&#\(scalar.value);"
        case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
