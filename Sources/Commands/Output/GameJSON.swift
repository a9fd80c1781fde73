import Catalog
import SystemKit
import Systems

extension JSONValue {
    /// A game as `games` lists it.
    static func game(_ game: Game) -> JSONValue { .object(gameMembers(game)) }

    static func gameMembers(_ game: Game) -> [String: JSONValue] {
        let tags = NameTags(of: game.tags)
        var members: [String: JSONValue] = [
            "id": .integer(game.id), "system": .string(game.system), "title": .string(game.title),
            "sortTitle": .string(game.sortTitle), "tags": .strings(game.tags), "regions": .strings(tags.regions),
            "languages": .strings(tags.languages), "revision": .optional(tags.revision), "discs": .integer(game.discs),
            "favourite": .bool(game.isFavourite), "hidden": .bool(game.isHidden),
            "playCount": .integer(game.playCount), "playSeconds": .seconds(game.playSeconds),
            "lastPlayed": .optional(game.lastPlayed.map(utcText)), "missing": .bool(game.isMissing),
            "size": .integer(game.size),
            "modified": .string(utcText(secondsSince1970: Double(game.modifiedNanoseconds) / 1e9)),
            "emulator": .optional(game.emulator),
        ]
        members.merge(path(game.path)) { $1 }
        return members
    }

    /// What is known of a game beyond its file, by the names of gamelist.xml.
    static func details(_ details: GameDetails) -> JSONValue {
        .object([
            "desc": .optional(details.description), "developer": .optional(details.developer),
            "publisher": .optional(details.publisher),
            "genre": .optional(details.genres.isEmpty ? nil : details.genres.joined(separator: ", ")),
            "players": .optional(details.players), "releasedate": .optional(details.released),
            "rating": details.rating.map { .number($0) } ?? .null, "edited": .strings(details.edited),
            "identifiedAs": .optional(details.identifiedAs), "crc": .optional(details.crc),
            "fileProblem": .optional(details.fileProblem),
        ])
    }

    static func scan(_ report: ScanReport) -> JSONValue {
        .object([
            "systems": .integer(report.systems), "games": .integer(report.games), "added": .integer(report.added),
            "removed": .integer(report.removed), "changed": .integer(report.changed),
            "missing": .integer(report.missing), "seconds": .seconds(report.seconds),
            "problems": .array(report.problems.map { problem($0.path, $0.reason) }),
        ])
    }

    static func problem(_ path: BytePath, _ reason: String) -> JSONValue {
        .object(JSONValue.path(path).merging(["reason": .string(reason)]) { $1 })
    }

    /// An emulator and whether it is installed.
    static func emulator(_ emulator: EmulatorDefinition, _ locator: EmulatorLocator) -> JSONValue {
        .object([
            "name": .string(emulator.name), "title": .string(emulator.title),
            "installed": .bool(locator.locate(emulator) != nil),
        ])
    }
}
