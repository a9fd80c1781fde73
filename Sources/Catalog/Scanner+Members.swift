import SQLiteKit
import SystemKit

// Sheets may name files in other folders, and a sheet that goes lets its members show again.
extension Scanner {
    /// Brings the members of sheets up to date whose folders were not looked at together with the sheet.
    func settleMembers() throws(CatalogError) {
        try flush()
        let outside = outsideMembers
        outsideMembers = []
        for member in outside {
            try write { writer throws(SQLiteError) in
                try writer.addOutside(member, root: rootID)
                guard let target = try directory(member.folder, member.relative) else { return }
                try writer.addMember(member.hider, directory: target, name: member.name)
                writer.memberTargets.insert(target)
            }
        }
        guard writing?.memberTargets.isEmpty == false else { return }
        try write { writer throws(SQLiteError) in
            let targets = writer.memberTargets
            writer.memberTargets = []
            for target in targets { try apply(target, writer) }
        }
    }

    private func directory(_ folder: [UInt8], _ relative: [UInt8]) throws(SQLiteError) -> Int64? {
        let exact = try catalog.connection.integer(
            "SELECT id FROM directories WHERE root = ? AND folder = ? AND relative = ?",
            [.integer(rootID), .blob(folder), .blob(relative)])
        if let exact { return exact }
        // Written on Windows: the case may differ.
        let folded = relative.map(asciiLowercased)
        let all = try rows("d.root = ? AND d.folder = ?", [.integer(rootID), .blob(folder)])
        return all.first { $0.relative.count == folded.count && $0.relative.map(asciiLowercased) == folded }?.id
    }

    private func apply(_ directory: Int64, _ writer: ScanWriter) throws(SQLiteError) {
        guard
            let system = try catalog.connection.integer(
                "SELECT system FROM directories WHERE id = ?", [.integer(directory)])
        else { return }
        let name = try catalog.connection.text("SELECT name FROM systems WHERE id = ?", [.integer(system)])
        let rules = name.flatMap { self.rules[$0] }
        let hiders = try writer.hiders(in: directory)
        let known = try writer.known(in: directory)
        var changed = known
        var sets = DiscSets()
        for (index, game) in known.enumerated() {
            changed[index].hiddenBy = game.name.withUnsafeBufferPointer { hider(of: $0, id: game.id, hiders) }
            let isPlaylist = game.kind == 1 && game.name.withUnsafeBufferPointer { NameRules.sheet($0) == .m3u }
            if !isPlaylist { changed[index].discs = 1 }
            guard let rules, rules.hasDiscs, changed[index].hiddenBy == nil, !isPlaylist, game.kind != 2,
                game.state & CatalogSchema.State.missing == 0
            else { continue }
            game.name.withUnsafeBufferPointer { name in
                sets.add(index, name, stem: rules.stemLength(name) ?? SystemRules.plainStemLength(name))
            }
        }
        for (index, standing) in sets.standings() {
            if standing.isLeader {
                changed[index].discs = standing.discs
            } else {
                changed[index].hiddenBy = known[standing.leader].id
            }
        }
        for (index, game) in known.enumerated() where game.state & CatalogSchema.State.missing == 0 {
            changed[index].state &= ~CatalogSchema.State.member
            if changed[index].hiddenBy != nil { changed[index].state |= CatalogSchema.State.member }
            if changed[index] != game { try writer.update(changed[index], from: game, system: system) }
        }
    }
}
