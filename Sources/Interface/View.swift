/// A rectangle that can be seen and may react.
///
/// Views live on one thread, form a tree, and draw only when something below the window asked for it.
open class View {
    /// The place in the coordinates of the view above.
    public var frame: Rect = .zero {
        didSet {
            if frame.size != oldValue.size { setNeedsLayout() }
            if frame != oldValue { setNeedsDisplay() }
        }
    }
    /// The views on top of this one, the last in front.
    public private(set) var subviews: [View] = []
    /// The view this one is part of.
    public private(set) weak var superview: View?
    /// Whether it and everything on it is left out.
    public var isHidden = false { didSet { if isHidden != oldValue { setNeedsDisplay() } } }
    /// Fades it and everything on it; 1 is solid.
    public var opacity = 1.0 { didSet { if opacity != oldValue { setNeedsDisplay() } } }
    /// Whether the window gives it its whole area.
    public var fillsWindow = true
    /// Whether the pointer reaches it and what is on it; else it goes through to what lies behind.
    public var takesPointer = true
    /// Whether nothing of it shows outside its frame.
    public var clipsToBounds = false
    var needsLayout = true

    /// A view without a place yet.
    public init() {}

    /// The own rectangle in own coordinates.
    public var bounds: Rect { Rect(0, 0, frame.width, frame.height) }

    /// The window it is in.
    public var window: Window? { superview?.window }

    /// Tells text sizes; there is one as soon as the view is in a window.
    public var measurer: (any TextMeasuring)? { window?.measurer }

    /// Puts a view on top of this one.
    public func add(_ view: View) {
        view.removeFromSuperview()
        view.superview = self
        subviews.append(view)
        setNeedsLayout()
        view.setNeedsLayout()
    }

    /// Takes the view out of the tree.
    public func removeFromSuperview() {
        guard let above = superview else { return }
        above.subviews.removeAll { $0 === self }
        superview = nil
        above.setNeedsDisplay()
    }

    /// Asks for a frame.
    public func setNeedsDisplay() { window?.needsDisplay = true }

    /// Asks for `layout` before the next frame.
    public func setNeedsLayout() {
        needsLayout = true
        setNeedsDisplay()
    }

    /// Places the subviews inside `bounds`.
    open func layout() {}

    /// Paints what lies under the subviews.
    open func draw(_ canvas: inout Canvas) {}

    /// Paints what lies over the subviews.
    open func drawOverlay(_ canvas: inout Canvas) {}

    /// Reacts to an event, or leaves it to the view above.
    ///
    /// - Returns: whether the event is dealt with.
    open func handle(_ event: Event) -> Bool { false }

    /// Lets animations go on.
    ///
    /// - Parameter seconds: since the last frame.
    /// - Returns: whether something still moves and another frame is wanted.
    open func animate(_ seconds: Double) -> Bool { false }

    /// The deepest visible view at a point of this view.
    public func hitTest(_ point: Point) -> View? {
        guard takesPointer, !isHidden, opacity > 0.01, bounds.contains(point) else { return nil }
        for view in subviews.reversed() {
            if let hit = view.hitTest(Point(point.x - view.frame.x, point.y - view.frame.y)) { return hit }
        }
        return self
    }

    /// A point of the window in the coordinates of this view.
    public func convertFromWindow(_ point: Point) -> Point {
        var result = point
        var view: View? = self
        while let current = view {
            result = Point(result.x - current.frame.x, result.y - current.frame.y)
            view = current.superview
        }
        return result
    }

    func layoutTree() {
        if needsLayout {
            needsLayout = false
            layout()
        }
        for view in subviews { view.layoutTree() }
    }

    func drawTree(_ canvas: inout Canvas) {
        guard !isHidden, opacity > 0.01, frame.width > 0, frame.height > 0 else { return }
        canvas.translated(frame.x, frame.y, opacity: opacity) { canvas in
            if clipsToBounds {
                canvas.clipped(to: bounds) { paint(&$0) }
            } else {
                paint(&canvas)
            }
        }
    }

    func animateTree(_ seconds: Double) -> Bool {
        var moving = animate(seconds)
        for view in subviews where !view.isHidden {
            if view.animateTree(seconds) { moving = true }
        }
        return moving
    }

    private func paint(_ canvas: inout Canvas) {
        draw(&canvas)
        for view in subviews { view.drawTree(&canvas) }
        drawOverlay(&canvas)
    }
}
