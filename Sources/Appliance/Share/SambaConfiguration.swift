import SystemKit

/// The sections of `smb.conf` with their parameters, as Samba reads them.
struct SambaConfiguration: Equatable {
    /// Section name in lower case -> parameter in lower case without blanks -> value.
    private(set) var sections: [String: [String: String]] = [:]
    /// Section names in the file's own spelling and order.
    private(set) var names: [String] = []

    /// Reads a file and what it includes.
    ///
    /// - Returns: `nil` where the file is absent or unreadable.
    static func read(_ path: BytePath) -> SambaConfiguration? {
        var result = SambaConfiguration()
        return result.read(path, depth: 0) ? result : nil
    }

    /// Reads the text of a file and what it includes.
    static func parse(_ text: [UInt8], at path: BytePath) -> SambaConfiguration? {
        var result = SambaConfiguration()
        return result.parse(text, path, depth: 0) ? result : nil
    }

    /// A parameter that may have several names.
    func value(_ parameters: [String], in section: String) -> String? {
        let values = sections[section.lowercased()] ?? [:]
        for parameter in parameters {
            if let value = values[parameter] { return value }
        }
        return nil
    }

    private mutating func read(_ path: BytePath, depth: Int) -> Bool {
        // A file that includes itself must end.
        guard depth < 8, let bytes = try? readRegularFile(path, limit: 4 << 20) else { return false }
        return parse(bytes, path, depth: depth)
    }

    private mutating func parse(_ bytes: [UInt8], _ path: BytePath, depth: Int) -> Bool {
        var section = "global"
        var pending = ""
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let text = pending + trimmingSpaces(line)
            if text.hasSuffix("\\") {
                pending = String(text.dropLast())
                continue
            }
            pending = ""
            if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
            if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
                let name = trimmingSpaces(text[text.index(after: text.startIndex)..<end])
                section = name.lowercased()
                if sections[section] == nil {
                    sections[section] = [:]
                    names.append(name)
                }
                continue
            }
            guard let equals = text.firstIndex(of: "=") else { continue }
            let parameter = String(text[..<equals].lowercased().filter { !$0.isWhitespace })
            let value = trimmingSpaces(text[text.index(after: equals)...])
            if parameter == "include" {
                // An include that depends on the client (%m and the like) cannot be followed from here.
                if !value.contains("%") { _ = read(path.parent.appending(value), depth: depth + 1) }
            } else {
                sections[section, default: [:]][parameter] = value
            }
        }
        return true
    }
}
