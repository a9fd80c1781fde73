import Interface

/// Sizes, type and colours of the whole menu, derived from the size of the screen.
///
/// All lengths are multiples of `unit`: one unit is a pixel at 1280x720. Small screens get a larger unit than their
/// size alone would give, because text must stay readable from a sofa.
struct Theme: Equatable {
    let size: Size
    let unit: Double

    init(size: Size) {
        self.size = size
        let natural = min(size.width / 1280, size.height / 720)
        let readable = min(0.75, size.width / 860, size.height / 640)
        unit = max(natural, readable)
    }

    /// A length in pixels.
    func callAsFunction(_ units: Double) -> Double { (units * unit).rounded() }

    /// Whether there is no room for two columns.
    var isNarrow: Bool { size.width / unit < 800 }
    /// Whether lines of decoration have to go.
    var isLow: Bool { size.height / unit < 680 }

    /// The area that every television shows (5 % off each side is the common rule of broadcasters).
    var safeArea: Rect {
        Rect(0, 0, size.width, size.height).inset(
            by: Insets(top: self(34), left: self(64) * sideFactor, bottom: self(26), right: self(64) * sideFactor))
    }

    private var sideFactor: Double { size.width / unit < 1000 ? 0.55 : 1 }

    var hero: TextStyle { TextStyle(self(62), .heavy, .display) }
    var title: TextStyle { TextStyle(self(38), .bold, .display) }
    var heading: TextStyle { TextStyle(self(28), .bold, .display) }
    var row: TextStyle { TextStyle(self(24), .semibold) }
    var body: TextStyle { TextStyle(self(22), .medium) }
    var label: TextStyle { TextStyle(self(19), .medium) }
    var caption: TextStyle { TextStyle(self(17), .semibold) }
    var mono: TextStyle { TextStyle(self(17), .regular, .monospaced) }

    static let ink = Color(hex: 0x0A0C12)
    static let night = Color(hex: 0x10131C)
    static let panel = Color(hex: 0xFFFFFF, alpha: 0.055)
    static let panelEdge = Color(hex: 0xFFFFFF, alpha: 0.09)
    static let text = Color(hex: 0xF4F6FB)
    static let quiet = Color(hex: 0xF4F6FB, alpha: 0.66)
    static let faint = Color(hex: 0xF4F6FB, alpha: 0.42)
    static let brand = Color(hex: 0x5B8CFF)
    static let warning = Color(hex: 0xFFB454)
    static let heart = Color(hex: 0xFF5C7A)

    /// A system's colour, lifted where it would drown in the dark background.
    static func accent(_ hex: UInt32) -> Color {
        let color = Color(hex: hex)
        let luminance = color.luminance
        return luminance < 0.12 ? color.mixed(with: .white, 0.34 - luminance * 1.6) : color
    }
}

/// Words for numbers and times.
enum Phrase {
    static func games(_ count: Int) -> String { count == 1 ? "1 game" : "\(grouped(count)) games" }

    static func grouped(_ number: Int) -> String {
        var digits = Array(String(abs(number)))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    static func bytes(_ size: Int64) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        var value = Double(size)
        var unit = 0
        while value >= 1000 && unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        if unit == 0 { return size == 1 ? "1 byte" : "\(size) bytes" }
        if value >= 9.95 { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    static func duration(_ seconds: Double) -> String {
        let minutes = Int(seconds / 60)
        if minutes < 1 { return "\(max(0, Int(seconds))) s" }
        if minutes < 60 { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// How long ago something was, for a clock that may have been wrong: never a negative time.
    static func ago(_ time: Double, now: Double) -> String {
        let seconds = now - time
        switch seconds {
        case ..<90: return "just now"
        case ..<3600: return "\(Int(seconds / 60)) minutes ago"
        case ..<7200: return "an hour ago"
        case ..<86400: return "\(Int(seconds / 3600)) hours ago"
        case ..<172_800: return "yesterday"
        case ..<(86400 * 60): return "\(Int(seconds / 86400)) days ago"
        case ..<(86400 * 730): return "\(Int(seconds / 86400 / 30)) months ago"
        default: return "years ago"
        }
    }
}
