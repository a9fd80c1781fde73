import Interface
import Testing

@Suite("A list of any length")
struct ListViewTests {
    /// A list of rows 20 pixels high in a window of 100 x 100.
    private func list(_ count: Int, selection: Int = 0) -> (Window, ListView) {
        let window = window(100, 100)
        let list = ListView()
        list.rowHeight = 20
        window.add(list)
        window.firstResponder = list
        _ = window.render()
        list.reload(count: count, selection: selection)
        return (window, list)
    }

    @Test("only rows in sight are painted, however many there are")
    func recycling() {
        let (window, list) = list(1_000_000, selection: 500_000)
        var painted: [Int] = []
        list.drawRow = { _, row, _, _ in painted.append(row) }
        list.setNeedsDisplay()
        _ = window.render()
        #expect(painted.count <= 6)
        #expect(painted.contains(500_000))
    }

    @Test("a new press goes round the ends, a held key stops there")
    func ends() {
        let (window, list) = list(3)
        window.dispatch(.command(.up, isRepeat: true))
        #expect(list.selection == 0)
        window.dispatch(.command(.up, isRepeat: false))
        #expect(list.selection == 2)
        window.dispatch(.command(.down, isRepeat: true))
        #expect(list.selection == 2)
        window.dispatch(.command(.down, isRepeat: false))
        #expect(list.selection == 0)
    }

    @Test("pages move by what is in sight and stop at the ends")
    func pages() {
        let (window, list) = list(12)
        window.dispatch(.command(.pageDown, isRepeat: false))
        #expect(list.selection == 5)
        window.dispatch(.command(.pageDown, isRepeat: false))
        window.dispatch(.command(.pageDown, isRepeat: false))
        #expect(list.selection == 11)
        window.dispatch(.command(.pageUp, isRepeat: false))
        #expect(list.selection == 6)
    }

    @Test("an empty list answers nothing and takes no selection")
    func empty() {
        let (window, list) = list(0)
        var accepted = false
        list.onAccept = { _ in accepted = true }
        #expect(!window.dispatch(.command(.accept, isRepeat: false)))
        list.select(4)
        #expect(list.selection == 0)
        #expect(!accepted)
        #expect(list.visibleRows.isEmpty)
    }

    @Test("rows that come before the chosen one leave it in its place on the screen")
    func insertion() {
        let (window, list) = list(100, selection: 50)
        var places: [Int: Double] = [:]
        list.drawRow = { _, row, rect, _ in places[row] = rect.y }
        list.setNeedsDisplay()
        _ = window.render()
        let before = places[50]
        places = [:]
        list.update(count: 110, selection: 60)
        _ = window.render()
        #expect(places[60] == before)
    }

    @Test("the chosen row is in sight wherever it is, at the end of its way", arguments: [0, 1, 7, 40, 98, 99])
    func inSight(row: Int) {
        let (window, list) = list(100)
        list.select(row)
        for _ in 0..<60 { window.advance(0.016) }
        #expect(list.visibleRows.contains(row))
        #expect(!window.advance(0.016))
    }

    @Test("rows that get shorter than the selection take it along")
    func shrinking() {
        let (_, list) = list(10, selection: 9)
        list.update(count: 3, selection: 9)
        #expect(list.selection == 2)
    }

    @Test("a press on the chosen row accepts it, on another one chooses it")
    func pointer() {
        let (window, list) = list(5)
        var accepted: [Int] = []
        list.onAccept = { accepted.append($0) }
        window.dispatch(.pointerPressed(Point(50, 45)))
        window.dispatch(.pointerReleased(Point(50, 45)))
        #expect(list.selection == 2)
        window.dispatch(.pointerPressed(Point(50, 45)))
        window.dispatch(.pointerReleased(Point(50, 45)))
        #expect(accepted == [2])
    }

    @Test("a press that is let go beside the list chooses and accepts nothing")
    func leaving() {
        let (window, list) = list(5)
        var accepted: [Int] = []
        list.onAccept = { accepted.append($0) }
        for place in [Point(50, 5), Point(50, 45)] {
            window.dispatch(.pointerPressed(place))
            window.dispatch(.pointerReleased(Point(list.frame.maxX + 5, place.y)))
        }
        #expect(accepted.isEmpty)
        #expect(list.selection == 0)
    }

    @Test("dragging scrolls and chooses nothing")
    func dragging() {
        let (window, list) = list(50)
        window.dispatch(.pointerPressed(Point(50, 80)))
        window.dispatch(.pointerMoved(Point(50, 20)))
        window.dispatch(.pointerReleased(Point(50, 20)))
        #expect(list.selection == 0)
        #expect(list.visibleRows.lowerBound == 3)
    }
}

@Suite("Numbers that glide")
struct AnimatedTests {
    @Test("it arrives exactly, in about its duration, whatever the steps", arguments: [0.001, 0.016, 0.05, 0.2])
    func arrives(step: Double) {
        var value = Animated(0, duration: 0.2)
        value.move(to: 100)
        var passed = 0.0
        while value.step(step) && passed < 2 { passed += step }
        #expect(value.value == 100)
        #expect(passed < 0.6)
    }

    @Test("it never overshoots a target from rest")
    func noOvershoot() {
        var value = Animated(0)
        value.move(to: 1)
        for _ in 0..<100 {
            value.step(0.01)
            #expect(value.value <= 1.0001)
        }
    }

    @Test("an interruption does not jerk")
    func interruption() {
        var value = Animated(0)
        value.move(to: 100)
        value.step(0.03)
        let before = value.value
        value.move(to: -100)
        value.step(0.001)
        #expect(abs(value.value - before) < 3)
    }
}
