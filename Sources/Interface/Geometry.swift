/// A point in pixels, y growing downwards.
public struct Point: Sendable, Equatable {
    /// Pixels from the left.
    public var x: Double
    /// Pixels from the top.
    public var y: Double

    /// A point.
    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// A width and a height in pixels.
public struct Size: Sendable, Equatable {
    /// Pixels across.
    public var width: Double
    /// Pixels down.
    public var height: Double

    /// A size.
    public init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }
}

/// Distances from the four edges, in pixels.
public struct Insets: Sendable, Equatable {
    /// From the top.
    public var top: Double
    /// From the left.
    public var left: Double
    /// From the bottom.
    public var bottom: Double
    /// From the right.
    public var right: Double

    /// Four distances.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// A rectangle in pixels.
public struct Rect: Sendable, Equatable {
    /// Left edge.
    public var x: Double
    /// Top edge.
    public var y: Double
    /// Pixels across.
    public var width: Double
    /// Pixels down.
    public var height: Double

    /// A rectangle.
    public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The empty rectangle at the origin.
    public static var zero: Rect { Rect(0, 0, 0, 0) }
    /// Left edge.
    public var minX: Double { x }
    /// Top edge.
    public var minY: Double { y }
    /// Right edge.
    public var maxX: Double { x + width }
    /// Bottom edge.
    public var maxY: Double { y + height }
    /// Horizontal middle.
    public var midX: Double { x + width / 2 }
    /// Vertical middle.
    public var midY: Double { y + height / 2 }
    /// Width and height.
    public var size: Size { Size(width, height) }

    /// The part inside the given distances; never of negative size.
    public func inset(by insets: Insets) -> Rect {
        Rect(
            x + insets.left, y + insets.top, max(0, width - insets.left - insets.right),
            max(0, height - insets.top - insets.bottom))
    }

    /// The same distance from all four edges; a negative one grows the rectangle.
    public func inset(_ distance: Double) -> Rect {
        inset(by: Insets(top: distance, left: distance, bottom: distance, right: distance))
    }

    /// The rectangle moved.
    public func offset(_ dx: Double, _ dy: Double) -> Rect { Rect(x + dx, y + dy, width, height) }

    /// The rectangle scaled about its middle.
    public func scaled(_ factor: Double) -> Rect {
        Rect(midX - width * factor / 2, midY - height * factor / 2, width * factor, height * factor)
    }

    /// Whether a point lies inside.
    public func contains(_ point: Point) -> Bool {
        point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
    }

    /// The shared area; of zero size where there is none.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return Rect(left, top, max(0, min(maxX, other.maxX) - left), max(0, min(maxY, other.maxY) - top))
    }

    /// The largest rectangle of the given proportions in the middle of this one.
    public func fitting(_ size: Size) -> Rect {
        guard size.width > 0, size.height > 0 else { return Rect(midX, midY, 0, 0) }
        let scale = min(width / size.width, height / size.height)
        return Rect(
            midX - size.width * scale / 2, midY - size.height * scale / 2, size.width * scale, size.height * scale)
    }
}
