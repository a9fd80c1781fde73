/// The root of the view tree: sends events to the first responder and up, and knows whether a frame is due.
public final class Window: View {
    /// Whether something changed since the last frame.
    public internal(set) var needsDisplay = true
    /// Whether something was still moving when time last passed: the next frame is due even if nobody asks for it.
    public private(set) var isAnimating = false
    /// The view that hears commands and text first.
    public weak var firstResponder: View? { didSet { if firstResponder !== oldValue { setNeedsDisplay() } } }
    /// Whether motion explains changes; off makes everything jump.
    public var motionEnabled = true
    private let measure: any TextMeasuring
    private weak var pressedView: View?

    /// A window of a size in pixels.
    public init(size: Size, measurer: any TextMeasuring) {
        measure = measurer
        super.init()
        frame = Rect(0, 0, size.width, size.height)
    }

    /// Itself.
    public override var window: Window? { self }
    /// The stage's measure.
    public override var measurer: (any TextMeasuring)? { measure }

    /// Gives the whole area to the views that ask for it.
    public override func layout() {
        for view in subviews where view.fillsWindow { view.frame = bounds }
    }

    /// Asks for a frame.
    public override func setNeedsDisplay() { needsDisplay = true }

    /// Sends an event on its way: pointers to the view under them, all else to the first responder, then up.
    ///
    /// The view that took a press also hears what the pointer does until it is released, wherever it went: a drag that
    /// ends outside must end.
    ///
    /// - Returns: whether somebody dealt with it.
    @discardableResult
    public func dispatch(_ event: Event) -> Bool {
        switch event {
        case .pointerPressed(let point):
            pressedView = send(event, from: hitTest(point))
            return pressedView != nil
        case .pointerMoved(let point):
            return send(event, from: holder ?? hitTest(point)) != nil
        case .pointerReleased(let point):
            let start = holder ?? hitTest(point)
            pressedView = nil
            return send(event, from: start) != nil
        case .wheel(_, let point): return send(event, from: hitTest(point)) != nil
        case .command, .text, .deleteBackward:
            return send(event, from: isInTree(firstResponder) ? firstResponder : subviews.last) != nil
        }
    }

    /// Who took the press that is not released yet.
    private var holder: View? { isInTree(pressedView) ? pressedView : nil }

    /// - Returns: the view that dealt with it.
    private func send(_ event: Event, from start: View?) -> View? {
        var responder = start
        while let view = responder, view !== self {
            if view.handle(event) { return view }
            responder = view.superview
        }
        return nil
    }

    /// Lets time pass for everything that moves.
    ///
    /// - Returns: whether another frame is wanted after this one.
    @discardableResult
    public func advance(_ seconds: Double) -> Bool {
        // Without motion every animation gets so much time that it has arrived.
        isAnimating = animateTree(motionEnabled ? seconds : 10)
        if isAnimating { needsDisplay = true }
        return isAnimating
    }

    /// Lays out what needs it and paints everything.
    public func render() -> DrawList {
        var rounds = 0
        // Laying out a view may ask for the layout of another one above it; two rounds settle every screen we have.
        repeat {
            layoutTree()
            rounds += 1
        } while rounds < 2
        needsDisplay = false
        var canvas = Canvas(bounds: bounds, measurer: measure)
        drawTree(&canvas)
        return canvas.list
    }

    private func isInTree(_ view: View?) -> Bool {
        var current = view
        while let candidate = current {
            if candidate === self { return true }
            if candidate.isHidden { return false }
            current = candidate.superview
        }
        return false
    }
}
