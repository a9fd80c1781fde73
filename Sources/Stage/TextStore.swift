internal import FontKit
internal import Interface
internal import SDLKit

/// Measures texts, draws them, and keeps what it drew within a budget.
final class TextStore: TextMeasuring {
    private struct Line: Hashable {
        let text: String
        let style: TextStyle
    }

    private let book: FontBook
    private var widths: BudgetCache<Line, Int>
    private var textures: BudgetCache<Line, Texture?>

    init(book: FontBook, budget: Int) {
        self.book = book
        textures = BudgetCache(budget: budget)
        // Widths cost their key only.
        widths = BudgetCache(budget: 1 << 20)
    }

    var usage: (count: Int, bytes: Int) { (textures.count, textures.bytes) }

    func beginFrame() { textures.beginFrame() }

    func releaseTextures() { textures.removeAll() }

    func width(of text: String, style: TextStyle) -> Double {
        guard !text.isEmpty else { return 0 }
        let line = Line(text: text, style: style)
        if let known = widths.value(line) { return Double(known) }
        let pixels = FontBook.pixels(style)
        let width = book.runs(text, style: style).reduce(0) { $0 + advance(of: $1, pixels: pixels) }
        widths.beginFrame()
        widths.insert(width, bytes: 64 + text.utf8.count, for: line)
        return Double(width)
    }

    func lineHeight(_ style: TextStyle) -> Double { Double(FontBook.lineHeight(style)) }

    /// The drawn line, white on nothing, as tall as its line box; `nil` when there is nothing to see.
    func texture(_ text: String, style: TextStyle, renderer: Renderer) -> Texture? {
        let line = Line(text: text, style: style)
        if let known = textures.value(line) { return known }
        let image = image(of: text, style: style, widest: min(renderer.maximumTextureSide, 8192))
        let texture = image.flatMap { try? Texture(renderer, $0, isSmooth: false) }
        textures.insert(texture, bytes: (texture?.byteCount ?? 0) + 128 + text.utf8.count, for: line)
        return texture
    }

    private func advance(of run: TextRun, pixels: Int) -> Int {
        guard let font = book.font(run.file, pixels: pixels) else { return 0 }
        font.set(isRightToLeft: run.isRightToLeft, script: run.script)
        return Int((Double(font.width(of: run.text)) * shrink(font, pixels: pixels)).rounded(.up))
    }

    /// 1, or less for fonts that exist at one large size only (emoji pictures).
    private func shrink(_ font: Font, pixels: Int) -> Double {
        font.height > pixels * 2 + 8 ? 1.17 * Double(pixels) / Double(font.height) : 1
    }

    private func image(of text: String, style: TextStyle, widest: Int) -> PixelImage? {
        let pixels = FontBook.pixels(style)
        let runs = book.runs(text, style: style)
        let total = min(widest, runs.reduce(0) { $0 + advance(of: $1, pixels: pixels) })
        guard total > 0 else { return nil }
        var image = PixelImage(width: total, height: FontBook.lineHeight(style))
        var x = 0
        for run in runs where x < total {
            guard let font = book.font(run.file, pixels: pixels) else { continue }
            let width = advance(of: run, pixels: pixels)
            if let drawn = draw(run, font: font, pixels: pixels) {
                let top = FontBook.baseline(style) - drawn.ascent
                image.paste(drawn.image, x: x, y: top)
            }
            x += width
        }
        return image
    }

    private func draw(_ run: TextRun, font: Font, pixels: Int) -> (image: PixelImage, ascent: Int)? {
        font.set(isRightToLeft: run.isRightToLeft, script: run.script)
        // A text of joiners only has no width, which is no reason to stop.
        guard let surface = try? font.render(run.text), let image = try? surface.image() else { return nil }
        let scale = shrink(font, pixels: pixels)
        if scale < 1 {
            let small = Resampler.scaled(
                image, width: max(1, Int((Double(image.width) * scale).rounded())),
                height: max(1, Int((Double(image.height) * scale).rounded())))
            return (small, Int((Double(font.ascent) * scale).rounded()))
        }
        return (image, font.ascent + overshoot(run, font: font, height: image.height))
    }

    /// Rows that SDL_ttf added above the font's own line because marks are stacked there.
    private func overshoot(_ run: TextRun, font: Font, height: Int) -> Int {
        let extra = height - font.height
        guard extra > 0 else { return 0 }
        let deepest = run.text.unicodeScalars.compactMap { font.reach(of: $0)?.bottom }.min() ?? 0
        let below = max(0, -deepest - (font.height - font.ascent))
        return max(0, extra - below)
    }
}

extension PixelImage {
    /// Copies another picture's visible pixels onto this one; what lies outside is cut.
    mutating func paste(_ other: PixelImage, x: Int, y: Int) {
        let columns = max(0, -x)..<max(max(0, -x), min(other.width, width - x))
        for row in max(0, -y)..<max(max(0, -y), min(other.height, height - y)) {
            for column in columns {
                let pixel = other.pixels[row * other.width + column]
                // Neighbouring pieces may overlap by the overhang of a letter.
                if pixel >> 24 > pixels[(y + row) * width + x + column] >> 24 {
                    pixels[(y + row) * width + x + column] = pixel
                }
            }
        }
    }
}
