import SystemKit

/// What a game is called and where it stands in lists: the one place that decides it.
///
/// The person's word comes first, then that of a gamelist, then the name in a DAT file; without any of them both follow
/// from the file's name, and `title` is `nil`.
struct EffectiveTitle: Equatable {
    /// Longer ones are no titles; a row shows a part of them anyway.
    private static let longest = 300

    /// What lists show; `nil` for the title of the file's name.
    var title: String?
    /// What is ordered by, where it is not the title.
    var sort: String?

    /// - Parameters:
    ///   - person: `user.sqlite`'s title.
    ///   - personSort: the person's `sortname`.
    ///   - gamelist: the record's `name` and `sortname`.
    ///   - dat: the full name in a DAT file, with its tags: `Legend of Zelda, The (USA) (Rev 1)`.
    init(
        person: String? = nil, personSort: String? = nil, gamelist: (name: String?, sort: String?) = (nil, nil),
        dat: String? = nil, parts: TitleParts
    ) {
        let person = EffectiveTitle.usable(person)
        sort = EffectiveTitle.usable(personSort)
        if let person {
            title = person
            return
        }
        title = EffectiveTitle.usable(gamelist.name)
        if sort == nil { sort = EffectiveTitle.usable(gamelist.sort) }
        if title == nil, let dat, !dat.isEmpty {
            var name = dat
            title = EffectiveTitle.usable(
                name.withUTF8 { bytes in
                    parts.parse(bytes)
                    return parts.title
                })
        }
    }

    /// On one line, without what nobody sees; `nil` for nothing.
    private static func usable(_ text: String?) -> String? {
        guard let text else { return nil }
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            line += line.isEmpty ? word : " " + word
            // Characters may be long: of one letter with a thousand accents.
            if line.utf8.count > longest * 4 { break }
        }
        if line.isEmpty { return nil }
        let safe = BytePath.displayString(of: line.utf8)
        return safe.count > longest ? String(safe.prefix(longest)) : safe
    }
}
