import Catalog
import Interface
import SystemKit

/// The rows of a list, fetched a page at a time: only what is in sight is in memory. Folders come first, then games.
final class GamePager {
    /// Games fetched at once.
    static let pageSize = 64
    /// Pages kept.
    static let capacity = 12

    /// What was asked for.
    let base: GameQuery
    /// The folder that is shown, a path below the system's; `nil` where folders are not browsed.
    let place: BytePath?
    /// What is listed now.
    private(set) var query: GameQuery
    /// Whether games that the person put out of sight are listed too.
    var showsHidden = false
    /// Whether games whose files are absent are listed too.
    var showsMissing = false
    private let courier: Courier
    private let inquiry: Inquiry
    /// Folders in the folder that is shown.
    private(set) var folders: [GameFolder] = []
    /// Games, without folders.
    private(set) var count = 0
    private(set) var isLoaded = false
    private var pages: [Int: [Game]] = [:]
    /// How many versions stand behind games that have several.
    private var versions: [Int64: Int] = [:]
    private var asked: Set<Int> = []
    private var wanted = 0..<0
    private var generation = 0
    /// What is chosen as soon as the list is there.
    private var remembered: ListPlace?
    /// Tells the chosen row.
    var chosenRow: () -> Int = { 0 }
    /// Called when rows can be drawn that could not before.
    var onRows: (() -> Void)?
    /// Called when the number of rows is known or changed: new number, and the new row of what is chosen.
    var onCount: ((Int, Int) -> Void)?
    /// Called when the catalog cannot be read.
    var onFailure: ((String) -> Void)?

    init(query: GameQuery, place: BytePath? = nil, remembered: ListPlace? = nil, courier: Courier) {
        base = query
        self.place = place
        self.query = query
        self.remembered = remembered
        self.courier = courier
        inquiry = Inquiry(courier: courier)
    }

    /// Rows of folders and games.
    var rows: Int { folders.count + count }

    /// The folder in a row.
    func folder(at row: Int) -> GameFolder? { folders.indices.contains(row) ? folders[row] : nil }

    /// The game in a row, when its page is here.
    func game(at row: Int) -> Game? {
        let row = row - folders.count
        guard row >= 0, let page = pages[row / GamePager.pageSize] else { return nil }
        let index = row % GamePager.pageSize
        return page.indices.contains(index) ? page[index] : nil
    }

    /// How many versions the game in a row stands for, itself included.
    func versions(at row: Int) -> Int {
        guard let game = game(at: row) else { return 1 }
        return versions[game.id] ?? 1
    }

    /// What is chosen, for the next time the list is opened.
    func listPlace(at row: Int) -> ListPlace? {
        folder(at: row).map { .folder($0.path) } ?? game(at: row).map { .game($0.id) }
    }

    private struct Start: Sendable {
        /// The row that was chosen when it was asked for, and where its game is now.
        let before: Int
        let row: Int
        let query: GameQuery
        let folders: [GameFolder]
        let count: Int
        let page: Int
        let games: [Game]
    }

    private var wish: GameQuery {
        var query = base
        if showsHidden { query.includesHidden = true }
        if showsMissing { query.missing = nil }
        return query
    }

    /// Reads everything again, keeping the rows on the screen until the new ones are here.
    func reload() {
        let size = GamePager.pageSize
        let place = place
        inquiry.ask({ [weak self] in
            let wish = self?.wish ?? GameQuery()
            let before = self?.chosenRow() ?? 0
            let chosen = self?.remembered ?? self?.listPlace(at: before)
            return { store in
                let (query, folders) = try await GamePager.listed(wish, place: place, store: store)
                let count = try await store.count(query)
                var row = before
                switch chosen {
                case .folder(let path)?: row = folders.firstIndex { $0.path == path } ?? before
                case .game(let id)?:
                    if let found = try await store.position(of: id, in: query) { row = folders.count + found }
                case nil: break
                }
                let page = min(max(0, row - folders.count), max(0, count - 1)) / size
                let games = try await store.games(query, offset: page * size, limit: size)
                return Start(
                    before: before, row: row, query: query, folders: folders, count: count, page: page, games: games)
            }
        }) { [weak self] in
            self?.begin($0)
        } failed: { [weak self] sentence in
            self?.onFailure?(sentence)
        }
    }

    /// Where a system has no folders of its own, or shall not show them, its games are one list.
    private static func listed(
        _ wish: GameQuery, place: BytePath?, store: CatalogStore
    ) async throws -> (GameQuery, [GameFolder]) {
        guard let place, let system = wish.system else { return (wish, []) }
        let folders = try await store.folders(system: system, in: place)
        guard !folders.isEmpty || !place.bytes.isEmpty else { return (wish, []) }
        var query = wish
        query.folder = place
        return (query, folders)
    }

    private func begin(_ start: Start) {
        // Pages that were asked for before this may hold the rows of before.
        generation += 1
        query = start.query
        folders = start.folders
        count = start.count
        isLoaded = true
        remembered = nil
        pages = [start.page: start.games]
        countVersions(of: start.games, afresh: true)
        asked = [start.page]
        // The person may have gone on meanwhile; the rows moved by this much under the choice.
        let row = chosenRow() + start.row - start.before
        onCount?(rows, min(max(0, row), max(0, rows - 1)))
    }

    /// Makes sure that rows can be drawn, and those a page around them.
    func want(_ rows: Range<Int>) {
        guard isLoaded, count > 0 else { return }
        let first = max(0, rows.lowerBound - folders.count) / GamePager.pageSize
        let last = min((count - 1) / GamePager.pageSize, max(0, rows.upperBound - folders.count) / GamePager.pageSize)
        guard first <= last else { return }
        wanted = first..<(last + 1)
        for page in wanted where pages[page] == nil && !asked.contains(page) { fetch(page) }
    }

    private func fetch(_ page: Int) {
        asked.insert(page)
        let current = generation
        let query = query
        courier.perform({ store in
            try await store.games(query, offset: page * GamePager.pageSize, limit: GamePager.pageSize)
        }) { [weak self] games in
            guard let self, self.generation == current else { return }
            self.pages[page] = games
            self.countVersions(of: games, afresh: false)
            self.dropDistantPages()
            self.onRows?()
        } failed: { [weak self] sentence in
            guard let self, self.generation == current else { return }
            self.asked.remove(page)
            self.onFailure?(sentence)
        }
    }

    /// Finds out which rows stand for several versions. The rows are shown meanwhile.
    private func countVersions(of games: [Game], afresh: Bool) {
        guard !query.includesVersions else { return }
        let current = generation
        let ids = games.map(\.id)
        courier.perform({ store in
            var counts: [Int64: Int] = [:]
            for id in ids {
                let count = try await store.versions(of: id).count
                if count > 1 { counts[id] = count }
            }
            return counts
        }) { [weak self] counts in
            guard let self, self.generation == current else { return }
            let before = self.versions
            if afresh { self.versions = counts } else { self.versions.merge(counts) { _, new in new } }
            if self.versions != before { self.onRows?() }
        }
    }

    /// What is in sight stays, however long ago it was fetched: nobody asks for it again while nothing moves.
    private func dropDistantPages() {
        let middle = (wanted.lowerBound + wanted.upperBound) / 2
        while pages.count > GamePager.capacity {
            guard let distant = pages.keys.max(by: { abs($0 - middle) < abs($1 - middle) }) else { return }
            for game in pages[distant] ?? [] { versions[game.id] = nil }
            pages[distant] = nil
            asked.remove(distant)
        }
    }
}

/// Where in a list somebody was.
enum ListPlace: Sendable, Equatable {
    /// On a folder, by its path below the system's.
    case folder(BytePath)
    /// On a game, by its number.
    case game(Int64)
}
