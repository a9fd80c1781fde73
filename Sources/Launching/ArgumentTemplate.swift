internal import SystemKit

/// Replaces tokens such as `{rom}` in one pass from left to right.
///
/// What was put in is never looked at again, so a game named `{core}.nes` stays one.
struct ArgumentTemplate {
    private var values: [[UInt8]: [UInt8]] = [:]

    init(_ values: [String: BytePath]) {
        for (name, value) in values { self.values[Array(name.utf8)] = value.bytes }
    }

    /// One element of argv from one element of the template; a brace that begins no token stays as it is.
    func expand(_ element: String) -> BytePath {
        let template = Array(element.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < template.count {
            // Only up to the next brace of either kind: a template of braces alone must not be searched again and again.
            if template[index] == UInt8(ascii: "{"),
                let end = template[(index + 1)...].firstIndex(where: isBrace), template[end] == UInt8(ascii: "}"),
                let value = values[Array(template[(index + 1)..<end])]
            {
                result.append(contentsOf: value)
                index = end + 1
            } else {
                result.append(template[index])
                index += 1
            }
        }
        return BytePath(bytes: result)
    }
}

private func isBrace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") }
