import SystemKit
import Systems
import Testing

@testable import Catalog

/// A library whose system `nes` has a gamelist.
protocol GamelistFixture {
    var library: Library { get }
    var list: BytePath { get }
}

extension GamelistFixture {
    func write(_ text: String, to path: BytePath? = nil) throws {
        try createDirectories((path ?? list).parent)
        try writeFile(path ?? list, Array(text.utf8))
    }

    func text(_ path: BytePath? = nil) throws -> String {
        String(decoding: try readFile(path ?? list), as: UTF8.self)
    }

    func xml(_ records: String) -> String { "<?xml version=\"1.0\"?>\n<gameList>\n\(records)</gameList>\n" }

    func record(_ inside: String) -> String { "\t<game>\n\t\t\(inside)\n\t</game>\n" }

    func scanned(_ files: [String]) async throws -> CatalogStore {
        try library.add(files)
        let store = try library.open()
        _ = try await store.scan()
        return store
    }

    func game(_ store: CatalogStore, _ name: BytePath) async throws -> Game {
        try #require(await store.game(path: library.root.roms.appending("nes").appending(name)))
    }

    func names() throws -> [String] {
        try directoryNames(list.parent).map(\.displayString).filter { $0.contains("gamelist") }.sorted()
    }
}
