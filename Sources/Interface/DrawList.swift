/// Where the pixels of a picture come from.
public enum ImageSource: Sendable, Hashable {
    /// A picture file of the person's, by the bytes of its path. Decoded in the background; drawn when it is there.
    case file([UInt8])
    /// A drawing that belongs to the program, by name; a single-colour shape that is tinted.
    case icon(String)
}

/// How a picture fills its place.
public enum ImageFit: Sendable, Equatable {
    /// Whole picture, middle of the place.
    case fit
    /// Whole place, picture cut.
    case fill
}

/// One thing to paint, in pixels of the screen. Later ones cover earlier ones.
public enum DrawCommand: Sendable, Equatable {
    /// A rectangle, its corners rounded by a radius.
    case fill(Rect, Color, radius: Double)
    /// A rectangle whose colour changes from top to bottom or from left to right.
    case gradient(Rect, from: Color, to: Color, vertical: Bool, radius: Double)
    /// The edge of a rectangle, `width` pixels thick, inside it.
    case stroke(Rect, Color, radius: Double, width: Double)
    /// A soft shadow or glow around a rectangle, fading over `blur` pixels.
    case shadow(Rect, Color, radius: Double, blur: Double)
    /// A round light: the colour in the middle, fading to nothing at the radius.
    case glow(Point, radius: Double, Color)
    /// An arc from twelve o'clock, clockwise, over a fraction (0...1) of the circle.
    case ring(Point, radius: Double, width: Double, fraction: Double, Color)
    /// One line of text; the point is the left end of its line box, whose height is `lineHeight`.
    case text(String, Point, TextStyle, Color)
    /// A picture in a place; `tint` multiplies its colours.
    case image(ImageSource, Rect, ImageFit, radius: Double, tint: Color)
    /// From here on only this area (cut with the surrounding one) is painted.
    case pushClip(Rect)
    /// Ends the innermost clip.
    case popClip
}

/// Everything that is on the screen, in order of painting.
public struct DrawList: Sendable, Equatable {
    /// What to paint.
    public var commands: [DrawCommand] = []

    /// A list of nothing.
    public init() {}

    /// All text on the screen, in order of painting.
    public var texts: [String] {
        commands.compactMap { command in
            if case .text(let text, _, _, let color) = command, color.alpha > 0.05 { text } else { nil }
        }
    }
}

/// Paints into a draw list, in the coordinates of the view being drawn.
public struct Canvas {
    /// What was painted so far.
    public private(set) var list = DrawList()
    /// Tells text sizes.
    public let measurer: any TextMeasuring
    var origin = Point(0, 0)
    var opacity = 1.0
    var clip: Rect

    /// A canvas over an area of the screen.
    public init(bounds: Rect, measurer: any TextMeasuring) {
        clip = bounds
        self.measurer = measurer
    }

    /// A filled rectangle.
    public mutating func fill(_ rect: Rect, _ color: Color, radius: Double = 0) {
        add(.fill(place(rect), color.faded(opacity), radius: radius))
    }

    /// A rectangle with a changing colour.
    public mutating func gradient(_ rect: Rect, from: Color, to: Color, vertical: Bool = true, radius: Double = 0) {
        add(
            .gradient(
                place(rect), from: from.faded(opacity), to: to.faded(opacity), vertical: vertical, radius: radius))
    }

    /// The edge of a rectangle.
    public mutating func stroke(_ rect: Rect, _ color: Color, radius: Double = 0, width: Double) {
        add(.stroke(place(rect), color.faded(opacity), radius: radius, width: width))
    }

    /// A soft shadow or glow around a rectangle.
    public mutating func shadow(_ rect: Rect, _ color: Color, radius: Double, blur: Double) {
        add(.shadow(place(rect), color.faded(opacity), radius: radius, blur: blur))
    }

    /// A round light.
    public mutating func glow(_ center: Point, radius: Double, _ color: Color) {
        add(.glow(Point(center.x + origin.x, center.y + origin.y), radius: radius, color.faded(opacity)))
    }

    /// An arc of a circle.
    public mutating func ring(_ center: Point, radius: Double, width: Double, fraction: Double, _ color: Color) {
        add(
            .ring(
                Point(center.x + origin.x, center.y + origin.y), radius: radius, width: width, fraction: fraction,
                color.faded(opacity)))
    }

    /// A picture.
    public mutating func image(
        _ source: ImageSource, in rect: Rect, _ fit: ImageFit = .fit, radius: Double = 0, tint: Color = .white
    ) {
        add(.image(source, place(rect), fit, radius: radius, tint: tint.faded(opacity)))
    }

    /// One line of text in a box: aligned as asked, in the vertical middle, cut with an ellipsis.
    ///
    /// - Returns: the width that was used, in pixels.
    @discardableResult
    public mutating func text(
        _ text: String, in rect: Rect, style: TextStyle, color: Color, align: TextAlignment = .left
    ) -> Double {
        guard !text.isEmpty, rect.width > 0 else { return 0 }
        let shown = measurer.truncated(text, style: style, width: rect.width)
        let width = measurer.width(of: shown, style: style)
        let x =
            switch align {
            case .left: rect.x
            case .center: rect.midX - width / 2
            case .right: rect.maxX - width
            }
        let y = rect.midY - measurer.lineHeight(style) / 2
        add(.text(shown, Point(x + origin.x, y + origin.y), style, color.faded(opacity)))
        return width
    }

    /// Several lines from the top of a box, broken at blanks and cut at its bottom.
    ///
    /// - Returns: the height that was used, in pixels.
    @discardableResult
    public mutating func paragraph(
        _ text: String, in rect: Rect, style: TextStyle, color: Color, align: TextAlignment = .left,
        lineSpacing: Double = 1
    ) -> Double {
        let height = measurer.lineHeight(style) * lineSpacing
        let most = max(1, Int((rect.height / height).rounded(.down)))
        let lines = measurer.wrapped(text, style: style, width: rect.width, lines: most)
        for (index, line) in lines.enumerated() {
            self.text(
                line, in: Rect(rect.x, rect.y + Double(index) * height, rect.width, height), style: style,
                color: color, align: align)
        }
        return Double(lines.count) * height
    }

    /// Paints with a clip around it.
    public mutating func clipped(to rect: Rect, _ body: (inout Canvas) -> Void) {
        let outer = clip
        clip = clip.intersection(place(rect))
        list.commands.append(.pushClip(clip))
        body(&self)
        list.commands.append(.popClip)
        clip = outer
    }

    /// Paints with the origin moved and everything faded.
    public mutating func translated(
        _ x: Double, _ y: Double, opacity factor: Double = 1, _ body: (inout Canvas) -> Void
    ) {
        let before = (origin, opacity)
        origin = Point(origin.x + x, origin.y + y)
        opacity *= factor
        body(&self)
        (origin, opacity) = before
    }

    private func place(_ rect: Rect) -> Rect { rect.offset(origin.x, origin.y) }

    private mutating func add(_ command: DrawCommand) {
        if opacity <= 0.001 { return }
        list.commands.append(command)
    }
}
