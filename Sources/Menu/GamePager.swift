import Catalog
import Interface

/// The games of a list, fetched a page at a time: only what is in sight is in memory.
final class GamePager {
    /// Games fetched at once.
    static let pageSize = 64
    /// Pages kept.
    static let capacity = 12

    let query: GameQuery
    private let courier: Courier
    private let inquiry: Inquiry
    private(set) var count = 0
    private(set) var isLoaded = false
    private var pages: [Int: [Game]] = [:]
    private var asked: Set<Int> = []
    private var wanted = 0..<0
    private var generation = 0
    /// Tells the chosen row.
    var chosenRow: () -> Int = { 0 }
    /// Called when rows can be drawn that could not before.
    var onRows: (() -> Void)?
    /// Called when the number of games is known or changed: new count, and the new row of the game that is chosen.
    var onCount: ((Int, Int) -> Void)?
    /// Called when the catalog cannot be read.
    var onFailure: ((String) -> Void)?

    init(query: GameQuery, courier: Courier) {
        self.query = query
        self.courier = courier
        inquiry = Inquiry(courier: courier)
    }

    /// The game in a row, when its page is here.
    func game(at row: Int) -> Game? {
        guard let page = pages[row / GamePager.pageSize] else { return nil }
        let index = row % GamePager.pageSize
        return page.indices.contains(index) ? page[index] : nil
    }

    private struct Start: Sendable {
        /// The row that was chosen when it was asked for, and where its game is now.
        let before: Int
        let row: Int
        let count: Int
        let page: Int
        let games: [Game]
    }

    /// Reads everything again, keeping the rows on the screen until the new ones are here.
    func reload() {
        let query = query
        let size = GamePager.pageSize
        inquiry.ask({ [weak self] in
            let before = self?.chosenRow() ?? 0
            let chosen = self?.game(at: before)?.id
            return { store in
                let count = try await store.count(query)
                var row = before
                if let chosen, let found = try await store.position(of: chosen, in: query) { row = found }
                let page = min(row, max(0, count - 1)) / size
                let games = try await store.games(query, offset: page * size, limit: size)
                return Start(before: before, row: row, count: count, page: page, games: games)
            }
        }) { [weak self] in
            self?.begin($0)
        } failed: { [weak self] sentence in
            self?.onFailure?(sentence)
        }
    }

    private func begin(_ start: Start) {
        // Pages that were asked for before this may hold the rows of before.
        generation += 1
        count = start.count
        isLoaded = true
        pages = [start.page: start.games]
        asked = [start.page]
        // The person may have gone on meanwhile; the rows moved by this much under the choice.
        let row = chosenRow() + start.row - start.before
        onCount?(count, min(max(0, row), max(0, count - 1)))
    }

    /// Makes sure that rows can be drawn, and those a page around them.
    func want(_ rows: Range<Int>) {
        guard isLoaded, count > 0 else { return }
        let first = max(0, rows.lowerBound / GamePager.pageSize)
        let last = min((count - 1) / GamePager.pageSize, rows.upperBound / GamePager.pageSize)
        guard first <= last else { return }
        wanted = first..<(last + 1)
        for page in wanted where pages[page] == nil && !asked.contains(page) { fetch(page) }
    }

    private func fetch(_ page: Int) {
        asked.insert(page)
        let current = generation
        let query = query
        let size = GamePager.pageSize
        courier.perform({ store in
            try await store.games(query, offset: page * size, limit: size)
        }) { [weak self] games in
            guard let self, self.generation == current else { return }
            self.pages[page] = games
            self.dropDistantPages()
            self.onRows?()
        } failed: { [weak self] sentence in
            guard let self, self.generation == current else { return }
            self.asked.remove(page)
            self.onFailure?(sentence)
        }
    }

    /// What is in sight stays, however long ago it was fetched: nobody asks for it again while nothing moves.
    private func dropDistantPages() {
        let middle = (wanted.lowerBound + wanted.upperBound) / 2
        while pages.count > GamePager.capacity {
            guard let distant = pages.keys.max(by: { abs($0 - middle) < abs($1 - middle) }) else { return }
            pages[distant] = nil
            asked.remove(distant)
        }
    }
}
