import Catalog
import Interface

/// The collections of the person, with marks at those that a game is in.
final class MembershipScreen: ChoiceScreen {
    private let game: Game
    private let inquiry: Inquiry
    private var known: [GameCollection] = []
    private var memberships: Set<Int64> = []

    init(context: MenuContext, game: Game, accent: Color) {
        self.game = game
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Collections", subtitle: game.title, accent: accent, rows: [])
        fill()
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if change == .collections { look() }
    }

    private struct Answer: Sendable {
        let collections: [GameCollection]
        let memberships: Set<Int64>
    }

    private func look() {
        let id = game.id
        inquiry.ask({
            { store in
                Answer(collections: try await store.collections(), memberships: try await store.collections(of: id))
            }
        }) { [weak self] answer in
            // A filter chooses its games itself.
            self?.known = answer.collections.filter { $0.filter == nil }
            self?.memberships = answer.memberships
            self?.fill()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func fill() {
        var rows = known.map { collection in
            Row(label: collection.name, isOn: memberships.contains(collection.id)) { [weak self] in
                self?.toggle(collection)
            }
        }
        rows.append(Row(label: "New collection") { [weak self] in self?.create() })
        replace(rows)
    }

    private func toggle(_ collection: GameCollection) {
        let on = !memberships.contains(collection.id)
        if on { memberships.insert(collection.id) } else { memberships.remove(collection.id) }
        fill()
        let game = game
        context.courier.change({ store in
            try await store.setMember(on, game: game.id, collection: collection.id)
        }) {
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
            self?.look()
        }
    }

    private func create() {
        let game = game
        context.host?.push(
            TextEntryScreen(
                context: context, title: "New collection", note: "A name for the list", accent: accent, limit: 60
            ) { [weak self] name in
                self?.context.courier.change({ store in
                    let made = try await store.createCollection(name: name, filter: nil)
                    try await store.setMember(true, game: game.id, collection: made.id)
                }) { [weak self] in
                    self?.context.host?.toast("\(game.title) is in \(name) now")
                    self?.look()
                } failed: { [weak self] sentence in
                    self?.context.host?.toast(sentence)
                }
            })
    }
}
