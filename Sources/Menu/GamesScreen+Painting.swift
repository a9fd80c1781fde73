import Catalog
import Interface
import Systems

extension GamesScreen {
    /// The title, the folders on the way here, and how many games there are.
    func drawHeading(_ canvas: inout Canvas) {
        let safe = theme.safeArea
        let clock = theme(130)
        canvas.fill(Rect(safe.x, safe.y + theme(5), theme(6), theme(32)), color, radius: theme(3))
        let note = pager.isLoaded ? countNote : ""
        let noteWidth = canvas.measurer.width(of: note, style: theme.label)
        let end = safe.maxX - clock - noteWidth - theme(16)
        var x = safe.x + theme(22)
        let isInside = !heading.folders.isEmpty
        // The outer names give way: where one is matters more than where one came from.
        let shown = isInside && heading.folders.count > 2 ? ["…"] + heading.folders.suffix(2) : heading.folders
        let style = isInside ? theme.body : theme.heading
        x += canvas.text(
            heading.title, in: Rect(x, safe.y, (end - x) * (isInside ? 0.45 : 1), theme(42)), style: style,
            color: isInside ? Theme.quiet : Theme.text)
        for (index, name) in shown.enumerated() {
            guard end - x > theme(60) else { break }
            let side = theme(14)
            canvas.image(
                .icon("arrow-right"), in: Rect(x + theme(10), safe.y + theme(21) - side / 2, side, side),
                tint: Theme.faint)
            x += theme(20) + side
            let isLast = index == shown.count - 1
            x += canvas.text(
                name, in: Rect(x, safe.y, isLast ? end - x : (end - x) * 0.5, theme(42)),
                style: isLast ? theme.heading : theme.body, color: isLast ? Theme.text : Theme.quiet)
        }
        canvas.text(
            note, in: Rect(x + theme(16), safe.y + theme(3), noteWidth + theme(4), theme(42)), style: theme.label,
            color: Theme.faint)
    }

    private var countNote: String {
        var parts = [Phrase.games(pager.count)]
        if !pager.folders.isEmpty {
            let folders = pager.folders.count == 1 ? "1 folder" : "\(Phrase.grouped(pager.folders.count)) folders"
            parts = pager.count > 0 ? [folders, Phrase.games(pager.count)] : [folders]
        }
        if pager.showsHidden { parts.append("with hidden ones") }
        if pager.showsMissing { parts.append("with absent ones") }
        return parts.joined(separator: "  ·  ")
    }

    /// What stands at the right while a folder is chosen.
    func draw(folder: GameFolder, _ canvas: inout Canvas) {
        let left = list.frame.maxX + theme(theme.isNarrow ? 18 : 44)
        let area = Rect(left, content.y, content.maxX - left, content.height)
        let side = min(area.width * 0.42, area.height * 0.34)
        let box = Rect(area.midX - side / 2, area.y + area.height * 0.16, side, side)
        canvas.glow(Point(box.midX, box.midY), radius: side, color.faded(0.3))
        canvas.image(.icon("folder"), in: box, tint: color.mixed(with: .white, 0.25))
        canvas.paragraph(
            folder.name, in: Rect(area.x, box.maxY + theme(28), area.width, theme(80)), style: theme.heading,
            color: Theme.text, align: .center)
    }

    func drawRow(_ canvas: inout Canvas, _ row: Int, _ rect: Rect, _ nearness: Double) {
        let box = rect.inset(by: Insets(top: theme(3), bottom: theme(3)))
        if nearness > 0.01 {
            canvas.gradient(
                box, from: color.mixed(with: .white, 0.06).faded(nearness), to: color.faded(0.72 * nearness),
                vertical: false, radius: theme(14))
        }
        let ink = nearness > 0.5 ? color.readableText : Theme.text
        if let folder = pager.folder(at: row) {
            draw(folder: folder, in: box, ink: ink, nearness: nearness, &canvas)
        } else if let game = pager.game(at: row) {
            draw(game: game, versions: pager.versions(at: row), in: box, ink: ink, nearness: nearness, &canvas)
        }
    }

    private func draw(
        folder: GameFolder, in box: Rect, ink: Color, nearness: Double, _ canvas: inout Canvas
    ) {
        let side = theme(26)
        canvas.image(
            .icon("folder"), in: Rect(box.x + theme(18), box.midY - side / 2, side, side),
            tint: nearness > 0.5 ? ink : color.mixed(with: .white, 0.3))
        let note = Phrase.grouped(folder.games)
        let width = canvas.measurer.width(of: note, style: theme.caption)
        let right = box.maxX - theme(18) - width
        canvas.text(
            note, in: Rect(right - 1, box.y, width + 2, box.height), style: theme.caption, color: ink.faded(0.6))
        let x = box.x + theme(18) + side + theme(14)
        canvas.text(
            folder.name, in: Rect(x, box.y, right - theme(14) - x, box.height), style: theme.row, color: ink)
    }

    private func draw(
        game: Game, versions: Int, in box: Rect, ink: Color, nearness: Double, _ canvas: inout Canvas
    ) {
        var right = box.maxX - theme(18)
        if game.isFavourite {
            let side = theme(20)
            canvas.image(
                .icon("heart"), in: Rect(right - side, box.midY - side / 2, side, side),
                tint: nearness > 0.5 ? ink : Theme.heart)
            right -= side + theme(12)
        }
        if versions > 1 { right = drawMark(versions, right: right, in: box, ink: ink, nearness: nearness, &canvas) }
        let note = note(of: game, versions: versions)
        if !note.isEmpty {
            let width = min(canvas.measurer.width(of: note, style: theme.caption), box.width * 0.3)
            canvas.text(
                note, in: Rect(right - width - 1, box.y, width + 2, box.height), style: theme.caption,
                color: ink.faded(nearness > 0.5 ? 0.75 : 0.42))
            right -= width + theme(16)
        }
        let isPale = game.isMissing || game.isHidden
        canvas.text(
            game.title, in: Rect(box.x + theme(18), box.y, right - box.x - theme(18), box.height), style: theme.row,
            color: ink.faded(isPale ? (nearness > 0.5 ? 0.75 : 0.42) : 1))
    }

    private func note(of game: Game, versions: Int) -> String {
        if game.isMissing { return "not there" }
        if game.isHidden { return "hidden" }
        if pager.base.system == nil { return context.registry.system(named: game.system)?.name ?? game.system }
        // A row that stands for several is not one region's.
        return versions > 1 ? "" : game.tags.first ?? ""
    }

    /// A small sign that several versions are behind the row.
    private func drawMark(
        _ versions: Int, right: Double, in box: Rect, ink: Color, nearness: Double, _ canvas: inout Canvas
    ) -> Double {
        let text = Phrase.grouped(versions)
        let width = canvas.measurer.width(of: text, style: theme.caption)
        let side = theme(17)
        let pill = Rect(right - width - side - theme(24), box.midY - theme(15), width + side + theme(24), theme(30))
        canvas.fill(pill, ink.faded(nearness > 0.5 ? 0.16 : 0.08), radius: theme(15))
        let tint = ink.faded(nearness > 0.5 ? 0.9 : 0.6)
        canvas.image(
            .icon("versions"), in: Rect(pill.x + theme(9), pill.midY - side / 2, side, side), tint: tint)
        canvas.text(
            text, in: Rect(pill.x + theme(9) + side + theme(6), pill.y, width + 2, pill.height), style: theme.caption,
            color: tint)
        return pill.x - theme(12)
    }
}
