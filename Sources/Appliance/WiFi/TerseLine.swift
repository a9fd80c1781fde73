/// One line of `nmcli -t -e yes`: fields with colons between them, `\:` for a colon and `\\` for a backslash in a field.
enum TerseLine {
    /// The fields of a line, each as the bytes that it stands for.
    ///
    /// Splitting at colons would be wrong for a network called `My:Net`, and looking only at the byte before a colon
    /// for one that ends in a backslash.
    static func fields(_ line: some Sequence<UInt8>) -> [[UInt8]] {
        var fields: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in line {
            if isEscaped {
                // A backslash before anything else is none of nmcli's: it stands for itself.
                if byte != colon, byte != backslash { fields[fields.count - 1].append(backslash) }
                fields[fields.count - 1].append(byte)
                isEscaped = false
            } else if byte == backslash {
                isEscaped = true
            } else if byte == colon {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
        }
        if isEscaped { fields[fields.count - 1].append(backslash) }
        return fields
    }

    /// The lines of an answer that have so many fields; any other line costs only itself.
    static func rows(_ output: [UInt8], fields count: Int) -> [[[UInt8]]] {
        output.split(separator: 0x0A).map { fields($0) }.filter { $0.count == count }
    }

    private static let colon = UInt8(ascii: ":")
    private static let backslash = UInt8(ascii: "\\")
}

/// The bytes that pairs of hexadecimal digits stand for; `nil` where they are none.
func bytesOfHexadecimal(_ digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
        guard let value = hexadecimalValue(digit) else { return nil }
        if let first = high {
            bytes.append(first << 4 | value)
            high = nil
        } else {
            high = value
        }
    }
    return bytes
}

/// What one hexadecimal digit is worth; `nil` for any other byte.
func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// Two lower-case hexadecimal digits a byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
