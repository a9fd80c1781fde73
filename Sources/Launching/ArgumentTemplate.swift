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
            if template[index] == UInt8(ascii: "{"),
                let end = template[index...].firstIndex(of: UInt8(ascii: "}")),
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
