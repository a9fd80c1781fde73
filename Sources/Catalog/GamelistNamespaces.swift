/// Keeps names with a prefix readable for those who look prefixes up, where they leave the file that declared them.
enum GamelistNamespaces {
    private struct Attribute {
        let prefix: String?
        let name: String
        /// With the blank before it.
        let xml: String
    }

    /// The declarations among a tag's attributes, by prefix.
    static func declarations(_ attributes: String) -> [String: String] {
        var found: [String: String] = [:]
        for attribute in parts(attributes) where attribute.prefix == "xmlns" {
            found[String(attribute.name.dropFirst(6))] = " " + attribute.xml.drop { $0.isWhitespace }
        }
        return found
    }

    /// A tag's attributes with the declarations that they need and do not have.
    static func bound(_ attributes: String, by declared: [String: String]) -> String {
        if declared.isEmpty { return attributes }
        let own = declarations(attributes)
        let needed = Set(parts(attributes).compactMap(\.prefix)).filter { own[$0] == nil }
        return attributes + needed.sorted().compactMap { declared[$0] }.joined()
    }

    /// An element with the declarations that its tags need and its first one does not have.
    static func bound(element xml: String, by declared: [String: String]) -> String {
        if declared.isEmpty { return xml }
        var used: Set<String> = []
        var own: [String: String] = [:]
        var place: Int?
        let bytes = Array(xml.utf8)
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count, let (token, end) = Markup.next(in: bytes, at: index, isEnd: true) {
                if case .start(let name, let isClosed) = token {
                    let last = max(name.upperBound, end - (isClosed ? 2 : 1))
                    let attributes = String(decoding: bytes[name.upperBound..<last], as: UTF8.self)
                    if place == nil {
                        place = name.upperBound
                        own = declarations(attributes)
                    }
                    let names = String(decoding: bytes[name], as: UTF8.self)
                    used.formUnion([prefix(of: names)].compactMap { $0 })
                    used.formUnion(parts(attributes).compactMap(\.prefix))
                }
                index = end
            }
        }
        let missing = used.filter { own[$0] == nil }.sorted().compactMap { declared[$0] }.joined()
        guard let place, !missing.isEmpty else { return xml }
        return String(decoding: bytes[..<place], as: UTF8.self) + missing
            + String(decoding: bytes[place...], as: UTF8.self)
    }

    /// A tag's attributes without those whose prefix nothing declares.
    static func withoutUnbound(_ attributes: String, in declared: [String: String]) -> String {
        let own = declarations(attributes)
        return parts(attributes).filter { attribute in
            guard let prefix = attribute.prefix, prefix != "xml", prefix != "xmlns" else { return true }
            return own[prefix] != nil || declared[prefix] != nil
        }.map(\.xml).joined()
    }

    private static func prefix(of name: String) -> String? {
        guard let colon = name.firstIndex(of: ":"), colon != name.startIndex else { return nil }
        return String(name[..<colon])
    }

    /// The attributes of a tag that is XML.
    private static func parts(_ attributes: String) -> [Attribute] {
        var parts: [Attribute] = []
        var rest = attributes[...]
        while let equals = rest.firstIndex(of: "="),
            let open = rest[equals...].firstIndex(where: { "\"'".contains($0) }),
            let close = rest[rest.index(after: open)...].firstIndex(of: rest[open])
        {
            let name = GamelistValues.trimmed(rest[..<equals])
            parts.append(Attribute(prefix: prefix(of: name), name: name, xml: String(rest[...close])))
            rest = rest[rest.index(after: close)...]
        }
        return parts
    }
}
