internal import FontKit
internal import Interface
internal import SDLKit
internal import SystemKit

/// The open fonts, and which one draws which character.
final class FontBook {
    private struct Face: Hashable {
        let file: FontFile
        let pixels: Int
    }

    /// Fonts that may be open at once; each holds a descriptor and a cache of glyphs.
    private static let mostOpen = 40

    private let catalog = FontCatalog()
    private let system: TextSystem
    private var open: [Face: Font] = [:]
    private var order: [Face] = []
    private var broken: Set<FontFile> = []

    init() throws(SDLError) { system = try TextSystem() }

    var openFonts: Int { open.count }

    /// Whole pixels of a style's em square.
    static func pixels(_ style: TextStyle) -> Int {
        style.size.isFinite ? Int(max(4, min(400, style.size.rounded()))) : 16
    }

    /// Pixels of a style's line box.
    static func lineHeight(_ style: TextStyle) -> Int { Int((Double(pixels(style)) * 1.25).rounded(.up)) }

    /// Pixels from the top of the line box to the baseline, the same whatever fonts a line needs.
    static func baseline(_ style: TextStyle) -> Int {
        // Puts capitals, which are 0.727 em tall in our typeface, into the middle of the box.
        Int((Double(lineHeight(style)) / 2 + 0.3635 * Double(pixels(style))).rounded())
    }

    /// The typeface's own font.
    func primary(_ style: TextStyle) -> FontFile? {
        let families =
            switch style.design {
            case .text: ["Inter", "DejaVu Sans", "sans-serif"]
            case .display: ["Inter Display", "Inter", "DejaVu Sans", "sans-serif"]
            case .monospaced: ["JetBrains Mono", "DejaVu Sans Mono", "monospace"]
            }
        guard let file = catalog.bestFont(families: families, weight: FontWeight(style.weight)) else { return nil }
        if !broken.contains(file) { return file }
        return catalog.fallbackFont(for: "A", weight: .regular)
    }

    /// The font for a cluster of characters; `nil` when no installed font has them.
    func font(for cluster: Character, style: TextStyle, primary: FontFile) -> FontFile? {
        guard let font = font(primary, pixels: FontBook.pixels(style)) else { return nil }
        guard let missing = cluster.unicodeScalars.first(where: { needsGlyph($0) && !font.has($0) }) else {
            return primary
        }
        let weight = FontWeight(style.weight)
        if let file = catalog.fallbackFont(for: missing, weight: weight), !broken.contains(file) { return file }
        // A mark that nobody has must not take the letter under it away.
        guard missing != cluster.unicodeScalars.first, let base = cluster.unicodeScalars.first else { return nil }
        return self.font(for: Character(base), style: style, primary: primary)
    }

    /// An open font; `nil` when its file is unusable.
    func font(_ file: FontFile, pixels: Int) -> Font? {
        let face = Face(file: file, pixels: pixels)
        if let known = open[face] {
            if order.last != face, let index = order.lastIndex(of: face) {
                order.remove(at: index)
                order.append(face)
            }
            return known
        }
        if broken.contains(file) { return nil }
        guard let font = try? Font(system, path: file.path, index: file.index, pixels: pixels) else {
            broken.insert(file)
            return nil
        }
        if order.count >= FontBook.mostOpen { open.removeValue(forKey: order.removeFirst()) }
        open[face] = font
        order.append(face)
        return font
    }

    /// Joiners and selectors change their neighbours and show nothing themselves.
    private func needsGlyph(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && !scalar.properties.isDefaultIgnorableCodePoint
    }
}

extension FontWeight {
    init(_ weight: TextStyle.Weight) {
        switch weight {
        case .regular: self = .regular
        case .medium: self = .medium
        case .semibold: self = .semibold
        case .bold: self = .bold
        case .heavy: self = .heavy
        }
    }
}
