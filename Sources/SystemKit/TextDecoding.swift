internal import Glibc

/// Makes UTF-8 of text from a file whose encoding nobody wrote down: byte order marks and zeros tell UTF-16; bytes
/// that are no UTF-8 are taken for Shift-JIS, for Windows-1252 and for what a Macintosh wrote.
///
/// - Returns: the readings to try, the likeliest first; never empty.
public func decodedTexts(_ bytes: [UInt8]) -> [[UInt8]] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return [Array(bytes.dropFirst(3))] }
    if bytes.starts(with: [0xFF, 0xFE]) { return [utf16(bytes.dropFirst(2), isBig: false)] }
    if bytes.starts(with: [0xFE, 0xFF]) { return [utf16(bytes.dropFirst(2), isBig: true)] }
    let start = bytes.prefix(512)
    if start.count >= 4, start.contains(0) {
        let evenZeros = stride(from: 0, to: start.count, by: 2).count { start[$0] == 0 }
        let oddZeros = stride(from: 1, to: start.count, by: 2).count { start[$0] == 0 }
        if max(evenZeros, oddZeros) * 4 >= start.count { return [utf16(bytes[...], isBig: evenZeros > oddZeros)] }
    }
    if String(validating: bytes, as: UTF8.self) != nil { return [bytes] }
    // The bytes themselves come first: the names on disk may be in the same encoding.
    return [bytes] + ["CP932", "CP1252", "MACINTOSH"].compactMap { converted(bytes, from: $0) }
}

private func utf16(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        units.append(isBig ? first << 8 | second : second << 8 | first)
        index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
}

private func converted(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
    guard let converter = iconv_open("UTF-8", encoding), Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    let capacity = output.count
    let written = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output -> Int? in
            var from = input.baseAddress
            var fromLeft = input.count
            var to = output.baseAddress
            var toLeft = capacity
            let result = iconv(converter, &from, &fromLeft, &to, &toLeft)
            return result == Int(bitPattern: UInt.max) || result == -1 ? nil : capacity - toLeft
        }
    }
    return written.map { output.prefix($0).map { UInt8(bitPattern: $0) } }
}
