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
    private(set) var count = 0
    private(set) var isLoaded = false
    private var pages: [Int: [Game]] = [:]
    private var order: [Int] = []
    private var asked: Set<Int> = []
    private var generation = 0
    /// Called when rows can be drawn that could not before.
    var onRows: (() -> Void)?
    /// Called when the number of games is known or changed: new count, and the new row of the game that was chosen.
    var onCount: ((Int, Int) -> Void)?
    /// Called when the catalog cannot be read.
    var onFailure: ((String) -> Void)?

    init(query: GameQuery, courier: Courier) {
        self.query = query
        self.courier = courier
    }

    /// The game in a row, when its page is here.
    func game(at row: Int) -> Game? {
        guard let page = pages[row / GamePager.pageSize] else { return nil }
        let index = row % GamePager.pageSize
        return page.indices.contains(index) ? page[index] : nil
    }

    /// Reads everything again, keeping the rows on the screen until the new ones are here.
    ///
    /// - Parameters:
    ///   - chosen: the game to find again, when it is known.
    ///   - row: the chosen row until now.
    func reload(chosen: Int64?, row old: Int) {
        generation += 1
        let current = generation
        asked = []
        let query = query
        let size = GamePager.pageSize
        courier.perform({ store -> (Int, Int, Int, [Game]) in
            let count = try await store.count(query)
            var row = old
            if let chosen, let found = try await store.position(of: chosen, in: query) { row = found }
            let page = min(row, max(0, count - 1)) / size
            let games = try await store.games(query, offset: page * size, limit: size)
            return (count, row, page, games)
        }) { [weak self] count, row, page, games in
            guard let self, self.generation == current else { return }
            self.count = count
            self.isLoaded = true
            self.pages = [page: games]
            self.order = [page]
            self.asked = [page]
            self.onCount?(count, min(row, max(0, count - 1)))
        } failed: { [weak self] sentence in
            self?.onFailure?(sentence)
        }
    }

    /// Makes sure that rows can be drawn, and those a page around them.
    func want(_ rows: Range<Int>) {
        guard isLoaded, count > 0 else { return }
        let first = max(0, rows.lowerBound / GamePager.pageSize)
        let last = min((count - 1) / GamePager.pageSize, rows.upperBound / GamePager.pageSize)
        guard first <= last else { return }
        for page in first...last where pages[page] == nil && !asked.contains(page) { fetch(page) }
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
            self.keep(games, page: page)
            self.onRows?()
        } failed: { [weak self] sentence in
            self?.asked.remove(page)
            self?.onFailure?(sentence)
        }
    }

    private func keep(_ games: [Game], page: Int) {
        pages[page] = games
        order.append(page)
        if order.count > GamePager.capacity {
            let dropped = order.removeFirst()
            pages[dropped] = nil
            asked.remove(dropped)
        }
    }
}
