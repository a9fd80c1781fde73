public import Interface
internal import SDLKit
public import SystemKit

/// When the pointer was last moved, and whether it shows.
struct CursorState {
    /// Seconds without movement after which the pointer hides.
    static let patience = 2.5
    var hidesAt: MonotonicInstant?
    /// Where it was last, in window units.
    var place: (x: Int, y: Int)?
}

extension Stage {
    /// Sleeps until something happens, and tells what.
    ///
    /// Works without display too; then only `wake` ends the sleep early.
    /// - Parameter deadline: when to return at the latest; `nil` sleeps for ever.
    /// - Returns: what happened, in order; empty when the time is over.
    public func waitEvents(until deadline: MonotonicInstant?) -> [StageEvent] {
        while true {
            var events = pending()
            if !events.isEmpty { return events }
            let now = MonotonicInstant.now
            if let deadline, deadline <= now { return [] }
            returnOwedMemory()
            let end = [deadline, cursor.hidesAt, pictures.settlesAt].compactMap { $0 }.min()
            let first = sleep(seconds: end.map { max(0, $0.seconds(since: now)) })
            if let first { events += translate(first) }
            tick()
            events += pending()
            if !events.isEmpty { return events }
        }
    }

    private func sleep(seconds: Double?) -> SDLEvent? {
        guard let display, display.video != nil else {
            wake.wake.wait(seconds: seconds)
            return nil
        }
        if display.sleepsInSDL {
            return EventQueue.wait(milliseconds: seconds.map { Int(($0 * 1000).rounded(.up)) })
        }
        display.console.wait(bell: wake.wake.rawDescriptor, seconds: seconds)
        return nil
    }

    /// Everything that has happened by now.
    private func pending() -> [StageEvent] {
        var events: [StageEvent] = []
        if display?.video != nil {
            while let event = EventQueue.poll() { events += translate(event) }
        }
        if wake.takeRing() { events.append(.woken) }
        if pictures.collect() { events.append(.imageReady) }
        return events
    }

    private func tick() {
        let now = MonotonicInstant.now
        pictures.settle(now)
        if let hides = cursor.hidesAt, hides <= now {
            display?.video?.setCursorVisible(false)
            cursor.hidesAt = nil
        }
    }

    private func translate(_ event: SDLEvent) -> [StageEvent] {
        guard let display else { return [] }
        switch event {
        case .quit: return [.quit]
        case .exposed: return (updateSize().map { [.resized($0)] } ?? []) + [.exposed]
        case .texturesLost:
            renewTextures()
            return [.exposed]
        case .sizeChanged: return updateSize().map { [.resized($0)] } ?? []
        case .key(let key, let isPressed, let isRepeat):
            return Key(key).map { [.key($0, isPressed: isPressed, isRepeat: isRepeat)] } ?? []
        case .text(let text): return [.text(text)]
        case .mouseMoved(let x, let y):
            // A new window is told where the pointer is; that is no movement, and nobody's hand is on the mouse.
            let before = cursor.place
            cursor.place = (x, y)
            guard let before, before != (x, y) else { return [] }
            showCursor()
            return [.pointer(.pointerMoved(display.pixel(x: x, y: y)))]
        case .mouseButton(let button, let isPressed, let x, let y):
            guard button == 1 else { return [] }
            showCursor()
            let point = display.pixel(x: x, y: y)
            return [.pointer(isPressed ? .pointerPressed(point) : .pointerReleased(point))]
        case .wheel(let notches, let x, let y):
            return [.pointer(.wheel(notches, at: display.pixel(x: x, y: y)))]
        case .finger(let phase, let x, let y):
            let point = Point(x * size.width, y * size.height)
            switch phase {
            case .down: return [.pointer(.pointerPressed(point))]
            case .moved: return [.pointer(.pointerMoved(point))]
            case .up: return [.pointer(.pointerReleased(point))]
            }
        case .wake, .unknown: return []
        }
    }

    private func showCursor() {
        if cursor.hidesAt == nil { display?.video?.setCursorVisible(true) }
        cursor.hidesAt = MonotonicInstant.now.advanced(bySeconds: CursorState.patience)
    }
}

extension Key {
    init?(_ key: SDLKey) {
        switch key {
        case .up: self = .up
        case .down: self = .down
        case .left: self = .left
        case .right: self = .right
        case .enter: self = .enter
        case .escape: self = .escape
        case .backspace: self = .backspace
        case .space: self = .space
        case .tab: self = .tab
        case .pageUp: self = .pageUp
        case .pageDown: self = .pageDown
        case .home: self = .home
        case .end: self = .end
        case .delete: self = .delete
        case .leftShift: self = .leftShift
        case .rightShift: self = .rightShift
        case .f1: self = .f1
        case .f2: self = .f2
        case .f3: self = .f3
        case .f4: self = .f4
        case .other: return nil
        }
    }
}
