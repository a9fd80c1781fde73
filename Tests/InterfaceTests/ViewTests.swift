import Interface
import Testing

@Suite("Views and events")
struct ViewTests {
    @Test("a command goes to the first responder and then up until somebody answers")
    func responderChain() {
        let window = window()
        let outer = Listener()
        let inner = Listener()
        inner.answers = false
        window.add(outer)
        outer.add(inner)
        window.firstResponder = inner
        #expect(window.dispatch(.command(.accept, isRepeat: false)))
        #expect(inner.heard == [.command(.accept, isRepeat: false)])
        #expect(outer.heard == inner.heard)
    }

    @Test("a first responder that left the tree hears nothing; the front view does")
    func departedResponder() {
        let window = window()
        let gone = Listener()
        let front = Listener()
        window.add(gone)
        window.firstResponder = gone
        gone.removeFromSuperview()
        window.add(front)
        window.dispatch(.text("x"))
        #expect(gone.heard.isEmpty)
        #expect(front.heard == [.text("x")])
    }

    @Test("a pointer reaches the front view under it, and not a hidden or faded one")
    func hitTesting() {
        let window = window()
        let below = Listener()
        let above = Listener()
        window.add(below)
        window.add(above)
        _ = window.render()
        above.frame = Rect(100, 100, 50, 50)
        window.dispatch(.pointerPressed(Point(120, 120)))
        window.dispatch(.pointerPressed(Point(20, 20)))
        #expect(above.heard.count == 1)
        #expect(below.heard.count == 1)
        above.isHidden = true
        window.dispatch(.pointerPressed(Point(120, 120)))
        above.isHidden = false
        above.opacity = 0
        window.dispatch(.pointerPressed(Point(120, 120)))
        #expect(above.heard.count == 1)
        #expect(below.heard.count == 3)
    }

    @Test("a pointer goes through a view that does not take it, and through what is on that view")
    func transparency() {
        let window = window()
        let below = Listener()
        let above = Listener()
        let onIt = Listener()
        above.takesPointer = false
        window.add(below)
        window.add(above)
        above.add(onIt)
        _ = window.render()
        onIt.frame = Rect(0, 0, 50, 50)
        window.dispatch(.pointerPressed(Point(20, 20)))
        window.dispatch(.wheel(1, at: Point(20, 20)))
        #expect(above.heard.isEmpty && onIt.heard.isEmpty)
        #expect(below.heard.count == 2)
    }

    @Test("who took a press hears the pointer until its release, wherever it goes; nobody else does")
    func capture() {
        let window = window()
        let left = Listener()
        let right = Listener()
        for view in [left, right] {
            view.fillsWindow = false
            window.add(view)
        }
        left.frame = Rect(0, 0, 50, 50)
        right.frame = Rect(50, 0, 50, 50)
        window.dispatch(.pointerPressed(Point(20, 20)))
        window.dispatch(.pointerMoved(Point(60, 20)))
        window.dispatch(.pointerReleased(Point(60, 20)))
        #expect(left.heard.count == 3)
        #expect(right.heard.isEmpty)
        window.dispatch(.pointerMoved(Point(60, 20)))
        #expect(right.heard.count == 1)
    }

    @Test("a view that left the tree while it was pressed hears no more of the pointer")
    func captureEnds() {
        let window = window()
        let below = Listener()
        let gone = Listener()
        window.add(below)
        window.add(gone)
        _ = window.render()
        window.dispatch(.pointerPressed(Point(20, 20)))
        gone.removeFromSuperview()
        window.dispatch(.pointerReleased(Point(20, 20)))
        #expect(gone.heard.count == 1)
        #expect(below.heard.count == 1)
    }

    @Test("a point is converted through every view above")
    func conversion() {
        let window = window()
        let outer = View()
        let inner = View()
        window.add(outer)
        outer.add(inner)
        outer.frame = Rect(30, 40, 200, 200)
        inner.frame = Rect(5, 6, 50, 50)
        #expect(inner.convertFromWindow(Point(40, 50)) == Point(5, 4))
    }

    @Test("a frame is wanted after a change and not after painting")
    func dirtiness() {
        let window = window()
        let view = View()
        window.add(view)
        _ = window.render()
        #expect(!window.needsDisplay)
        view.opacity = 0.5
        #expect(window.needsDisplay)
        _ = window.render()
        view.opacity = 0.5
        #expect(!window.needsDisplay)
        view.frame = Rect(1, 2, 3, 4)
        #expect(window.needsDisplay)
    }

    @Test("the colours of a faded view's children are faded by all views above")
    func opacity() {
        final class Painter: View {
            override func draw(_ canvas: inout Canvas) { canvas.fill(bounds, .white) }
        }
        let window = window()
        let outer = View()
        let inner = Painter()
        window.add(outer)
        outer.add(inner)
        _ = window.render()
        outer.opacity = 0.5
        inner.opacity = 0.5
        inner.frame = Rect(10, 10, 20, 20)
        let list = window.render()
        #expect(list.commands == [.fill(Rect(10, 10, 20, 20), Color.white.faded(0.25), radius: 0)])
    }

    @Test("clips are cut with the clips around them and end in order")
    func clips() {
        var canvas = Canvas(bounds: Rect(0, 0, 100, 100), measurer: HalfWidth())
        canvas.clipped(to: Rect(50, 50, 100, 100)) { canvas in
            canvas.clipped(to: Rect(0, 0, 60, 60)) { $0.fill(Rect(0, 0, 10, 10), .white) }
        }
        #expect(
            canvas.list.commands == [
                .pushClip(Rect(50, 50, 50, 50)), .pushClip(Rect(50, 50, 10, 10)),
                .fill(Rect(0, 0, 10, 10), .white, radius: 0), .popClip, .popClip,
            ])
    }
}

@Suite("Text in boxes")
struct TextTests {
    let style = TextStyle(20)
    let measurer = HalfWidth()

    @Test("what is too wide ends in an ellipsis and fits", arguments: [9.0, 10, 11, 55, 60, 75, 200])
    func truncation(width: Double) {
        let text = "Legend of Test"
        let shown = measurer.truncated(text, style: style, width: width)
        #expect(measurer.width(of: shown, style: style) <= max(width, 10))
        #expect(shown == text ? width >= 140 : shown.hasSuffix("…"))
    }

    @Test("lines break at blanks, and the last allowed one takes the rest")
    func wrapping() {
        #expect(measurer.wrapped("one two three", style: style, width: 70) == ["one two", "three"])
        #expect(measurer.wrapped("one two three four", style: style, width: 80, lines: 2) == ["one two", "three f…"])
        #expect(measurer.wrapped("a\nb", style: style, width: 100) == ["a", "b"])
        #expect(measurer.wrapped("", style: style, width: 100) == [""])
        #expect(measurer.wrapped("incomprehensible", style: style, width: 60) == ["incom…"])
    }

    @Test("text stands where it was aligned, in the middle of its box")
    func alignment() {
        var canvas = Canvas(bounds: Rect(0, 0, 400, 100), measurer: measurer)
        canvas.text("abcd", in: Rect(100, 0, 200, 45), style: style, color: .white, align: .right)
        canvas.text("abcd", in: Rect(100, 0, 200, 45), style: style, color: .white, align: .center)
        #expect(
            canvas.list.commands == [
                .text("abcd", Point(260, 10), style, .white), .text("abcd", Point(180, 10), style, .white),
            ])
    }

    @Test("only text that can be seen counts as being on the screen")
    func texts() {
        var canvas = Canvas(bounds: Rect(0, 0, 400, 100), measurer: measurer)
        canvas.text("seen", in: Rect(0, 0, 100, 20), style: style, color: .white)
        canvas.translated(0, 0, opacity: 0.01) {
            $0.text("unseen", in: Rect(0, 0, 100, 20), style: style, color: .white)
        }
        #expect(canvas.list.texts == ["seen"])
    }
}

@Suite("Colours")
struct ColorTests {
    @Test("text on an accent is readable: dark on bright, white on dark")
    func readable() {
        #expect(Color(hex: 0xFFE04A).readableText != .white)
        #expect(Color(hex: 0x203A8F).readableText == .white)
    }

    @Test("mixing goes from one colour to the other")
    func mixing() {
        #expect(Color.black.mixed(with: .white, 0) == .black)
        #expect(Color.black.mixed(with: .white, 1) == .white)
        #expect(Color.black.mixed(with: .white, 0.5).red == 0.5)
    }
}
