/// Whether a JSON document can be given to Swift 6.0's decoder, which ends the process at a member's name with a control
/// character or a bad escape in it instead of throwing.
///
/// Strings must be UTF-8 without raw control characters, and names of members without any escape: no document of ours
/// has one there. What else may be wrong with the document is the decoder's to say.
public func isSafeForDecoding(json bytes: some Collection<UInt8>) -> Bool {
    guard String(validating: Array(bytes), as: UTF8.self) != nil else { return false }
    var isInside = false
    var isEscaped = false
    var hasEscape = false
    /// Whether the last thing was a string with an escape in it: if a colon follows, it was a name.
    var isSuspect = false
    for byte in bytes {
        if isInside {
            if byte < 0x20 { return false }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                hasEscape = true
            } else if byte == UInt8(ascii: "\"") {
                isInside = false
                isSuspect = hasEscape
            }
            continue
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInside = true
            hasEscape = false
            isSuspect = false
        case UInt8(ascii: ":"):
            if isSuspect { return false }
        case 0x20, 0x09, 0x0A, 0x0D: break
        default: isSuspect = false
        }
    }
    return !isInside
}

/// A document for the decoder: the same bytes, or none at all where they are not safe for it, which it then refuses.
public func decodableJSON(_ bytes: some Collection<UInt8>) -> [UInt8] {
    isSafeForDecoding(json: bytes) ? Array(bytes) : []
}

/// Whether a document that is safe for decoding says each thing once and in one way only: no object has two members of one
/// name, no name has a character beside ASCII (some of which Swift takes for an ASCII one), nothing is `null`, and nothing
/// lies deeper than `depth`.
///
/// Readers of JSON do not agree on what else means, and who checks a document must read it as who obeys it.
public func isUnambiguous(json bytes: some Collection<UInt8>, depth: Int = 32) -> Bool {
    guard isSafeForDecoding(json: bytes) else { return false }
    /// The names so far of each object around; none for an array.
    var names: [Set<[UInt8]>] = []
    var string: [UInt8] = []
    var isInside = false
    var isEscaped = false
    for byte in bytes {
        if isInside {
            if !isEscaped, byte == UInt8(ascii: "\"") {
                isInside = false
            } else {
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                string.append(byte)
            }
            continue
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInside = true
            string.removeAll()
        case UInt8(ascii: ":"):
            guard !names.isEmpty, string.allSatisfy({ $0 < 0x80 }), names[names.count - 1].insert(string).inserted
            else { return false }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard names.count < depth else { return false }
            names.append([])
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = names.popLast()
        // Of all words and numbers of JSON only this one has the letter in its beginning or elsewhere.
        case UInt8(ascii: "n"): return false
        default: break
        }
    }
    return true
}
