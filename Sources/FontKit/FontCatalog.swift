internal import CFontconfig
public import SystemKit

/// A font: a file and which font of a collection in it.
public struct FontFile: Sendable, Hashable {
    /// The file.
    public let path: BytePath
    /// Which font of it.
    public let index: Int

    /// A font.
    public init(path: BytePath, index: Int) {
        self.path = path
        self.index = index
    }
}

/// Thickness of strokes in fontconfig's scale.
public enum FontWeight: Int32, Sendable, Hashable {
    /// 80 there.
    case regular = 80
    /// 100 there.
    case medium = 100
    /// 180 there.
    case semibold = 180
    /// 200 there.
    case bold = 200
    /// 205 there: heavy enough for a heading, and most families have it.
    case heavy = 205
}

/// The fonts that are installed, as fontconfig knows them. Not for several threads.
///
/// Answers are remembered: fontconfig is asked once for each family and weight, and once for each character.
public final class FontCatalog {
    private struct Question: Hashable {
        let families: [String]
        let weight: FontWeight
    }

    private struct Candidate {
        let file: FontFile
        // Owned by the font set, which lives as long as the catalog.
        let characters: OpaquePointer
    }

    private let config: OpaquePointer?
    private var best: [Question: FontFile?] = [:]
    private var sets: [FontWeight: UnsafeMutablePointer<FcFontSet>] = [:]
    private var chains: [FontWeight: [Candidate]] = [:]
    private var fallbacks: [FontWeight: [UInt32: Int16]] = [:]

    /// Reads fontconfig's configuration and cache.
    public init() { config = FcInitLoadConfigAndFonts() }

    deinit {
        for set in sets.values { FcFontSetDestroy(set) }
        if let config { FcConfigDestroy(config) }
    }

    /// The installed font that comes closest to the first of the families.
    ///
    /// - Returns: `nil` when no font at all is installed.
    public func bestFont(families: [String], weight: FontWeight) -> FontFile? {
        let question = Question(families: families, weight: weight)
        if let known = best[question] { return known }
        guard let pattern = pattern(families: families, weight: weight) else { return nil }
        defer { FcPatternDestroy(pattern) }
        var result = FcResultNoMatch
        var file: FontFile?
        if let match = FcFontMatch(config, pattern, &result) {
            file = FontCatalog.file(of: match)
            FcPatternDestroy(match)
        }
        best[question] = file
        return file
    }

    /// The first font of the system's fallback chain that has a character.
    ///
    /// - Returns: `nil` when no installed font has it.
    public func fallbackFont(for scalar: Unicode.Scalar, weight: FontWeight) -> FontFile? {
        let chain = chain(weight)
        if let known = fallbacks[weight]?[scalar.value] { return known < 0 ? nil : chain[Int(known)].file }
        let index = chain.firstIndex { FcCharSetHasChar($0.characters, scalar.value) != 0 }
        // Four numbers a character; a library in every script of the world stays far below this.
        if fallbacks[weight, default: [:]].count > 50_000 { fallbacks[weight] = [:] }
        fallbacks[weight, default: [:]][scalar.value] = index.map { Int16(clamping: $0) } ?? -1
        return index.map { chain[$0].file }
    }

    private func chain(_ weight: FontWeight) -> [Candidate] {
        if let known = chains[weight] { return known }
        var chain: [Candidate] = []
        if let pattern = pattern(families: ["sans-serif"], weight: weight) {
            defer { FcPatternDestroy(pattern) }
            var result = FcResultNoMatch
            // Trimmed: only fonts that add characters to those before them.
            if let set = FcFontSort(config, pattern, FcBool(1), nil, &result) {
                sets[weight] = set
                for position in 0..<Int(set.pointee.nfont) {
                    guard let font = set.pointee.fonts[position], let file = FontCatalog.file(of: font) else {
                        continue
                    }
                    var characters: OpaquePointer?
                    guard FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch, let characters
                    else { continue }
                    chain.append(Candidate(file: file, characters: characters))
                }
            }
        }
        chains[weight] = chain
        return chain
    }

    private func pattern(families: [String], weight: FontWeight) -> OpaquePointer? {
        guard let pattern = FcPatternCreate() else { return nil }
        for family in families { FcPatternAddString(pattern, FC_FAMILY, family) }
        FcPatternAddInteger(pattern, FC_WEIGHT, weight.rawValue)
        FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN)
        FcPatternAddInteger(pattern, FC_WIDTH, FC_WIDTH_NORMAL)
        FcConfigSubstitute(config, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        return pattern
    }

    private static func file(of font: OpaquePointer) -> FontFile? {
        var name: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(font, FC_FILE, 0, &name) == FcResultMatch, let name else { return nil }
        var index: Int32 = 0
        _ = FcPatternGetInteger(font, FC_INDEX, 0, &index)
        let bytes = UnsafeBufferPointer(start: name, count: strlenOf(name))
        // The upper half of the number is a named instance of a variable font, which FreeType takes as it is.
        return FontFile(path: BytePath(bytes: bytes), index: Int(index))
    }

    private static func strlenOf(_ text: UnsafePointer<FcChar8>) -> Int {
        var count = 0
        while text[count] != 0 { count += 1 }
        return count
    }
}
