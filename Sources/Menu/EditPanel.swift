import Catalog
import Interface

/// Changes what is said about a game: its title and what a gamelist tells.
final class EditPanel: ChoiceScreen {
    /// A key of gamelist.xml with its words for people.
    private struct Field: Sendable {
        let key: String
        let label: String
        let note: String
        let value: @Sendable (GameDetails) -> String
    }

    private static let fields = [
        Field(key: "genre", label: "Genre", note: "Platform, Puzzle…") { $0.genres.joined(separator: ", ") },
        Field(key: "releasedate", label: "Year", note: "1990") { String(($0.released ?? "").prefix(4)) },
        Field(key: "developer", label: "Made by", note: "Who made it") { $0.developer ?? "" },
        Field(key: "publisher", label: "Sold by", note: "Who sold it") { $0.publisher ?? "" },
        Field(key: "players", label: "Players", note: "1-2") { $0.players ?? "" },
    ]

    private var game: Game
    private var details: GameDetails?
    private let inquiry: Inquiry

    init(context: MenuContext, game: Game, accent: Color) {
        self.game = game
        inquiry = Inquiry(courier: context.courier)
        super.init(context: context, title: "Edit", subtitle: game.title, accent: accent, rows: [])
        fill()
    }

    override func appear() { look() }

    override func catalogChanged(_ change: CatalogChange) {
        if case .scanning = change { return }
        look()
    }

    private struct Answer: Sendable {
        let game: Game?
        let details: GameDetails
    }

    private func look() {
        let id = game.id
        inquiry.ask({
            { store in
                let game = try await store.game(id: id)
                return Answer(game: game, details: game == nil ? GameDetails() : try await store.details(of: id))
            }
        }) { [weak self] answer in
            guard let self else { return }
            guard let game = answer.game else { return self.context.host?.remove(self) ?? () }
            self.game = game
            self.subtitle = game.title
            self.details = answer.details
            self.fill()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }

    private func fill() {
        var rows = [Row(label: "Title", value: game.title) { [weak self] in self?.editTitle() }]
        guard let details else { return replace(rows) }
        for field in EditPanel.fields {
            let value = field.value(details)
            rows.append(
                Row(label: field.label, value: value.isEmpty ? "–" : value) { [weak self] in
                    self?.edit(field, value)
                })
        }
        rows.append(
            Row(label: "Stars", value: Stars.text(details.rating)) { [weak self] in
                self?.rate((details.rating.map { Int(($0 * 5).rounded()) } ?? 0) + 1)
            })
        if !details.edited.isEmpty {
            rows.append(
                Row(label: "Take my changes back", warns: true) { [weak self] in self?.revert(details.edited) })
        }
        replace(rows)
    }

    private func editTitle() {
        context.host?.push(
            TextEntryScreen(
                context: context, title: "Title", note: "Nothing brings back the name of the file", text: game.title,
                accent: accent, limit: 120, mayBeEmpty: true
            ) { [weak self] title in
                guard let id = self?.game.id else { return }
                self?.store { store in try await store.setTitle(title.isEmpty ? nil : title, game: id) }
            })
    }

    private func edit(_ field: Field, _ value: String) {
        context.host?.push(
            TextEntryScreen(
                context: context, title: field.label, note: field.note, text: value, accent: accent, mayBeEmpty: true
            ) { [weak self] text in
                guard let id = self?.game.id else { return }
                let key = field.key
                self?.store { store in
                    try await store.setEdit(key, text.isEmpty ? nil : text, game: id)
                }
            })
    }

    /// The next number of stars; after five there are none.
    private func rate(_ stars: Int) {
        let id = game.id
        let value = stars > 5 ? nil : stars == 5 ? "1" : "0.\(stars * 2)"
        store { store in try await store.setEdit("rating", value, game: id) }
    }

    private func revert(_ keys: [String]) {
        let id = game.id
        store { store in
            for key in keys { try await store.setEdit(key, nil, game: id) }
        }
    }

    private func store(_ work: @escaping @Sendable (CatalogStore) async throws -> Void) {
        context.courier.change(work) { [weak self] in
            self?.look()
        } failed: { [weak self] sentence in
            self?.context.host?.toast(sentence)
        }
    }
}

/// A rating as stars.
enum Stars {
    /// For a row of a panel: `4 of 5`.
    static func text(_ rating: Double?) -> String {
        guard let rating else { return "–" }
        let halves = Int((min(max(0, rating), 1) * 10).rounded())
        return halves % 2 == 0 ? "\(halves / 2) of 5" : "\(halves / 2).5 of 5"
    }

    /// Paints five stars, as many of them bright as the rating says.
    ///
    /// - Returns: the width that was used.
    @discardableResult
    static func draw(
        _ canvas: inout Canvas, _ rating: Double, x: Double, midY: Double, side: Double, color: Color
    ) -> Double {
        let gap = (side * 0.18).rounded()
        for index in 0..<5 {
            let box = Rect(x + Double(index) * (side + gap), midY - side / 2, side, side)
            canvas.image(.icon("star"), in: box, tint: Color.white.faded(0.16))
            let part = min(1, max(0, min(max(0, rating), 1) * 5 - Double(index)))
            guard part > 0.05 else { continue }
            canvas.clipped(to: Rect(box.x, box.y, box.width * part, box.height)) { canvas in
                canvas.image(.icon("star"), in: box, tint: color)
            }
        }
        return side * 5 + gap * 4
    }
}
