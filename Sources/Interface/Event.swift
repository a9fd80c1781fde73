/// What a person wants, whatever the device it came from.
public enum Command: String, Sendable, CaseIterable {
    /// Towards the top.
    case up
    /// Towards the bottom.
    case down
    /// Towards the left.
    case left
    /// Towards the right.
    case right
    /// Yes, this one.
    case accept
    /// Back, away, cancel.
    case back
    /// The first extra action of the screen.
    case extra
    /// The second extra action of the screen.
    case search
    /// The menu of the screen.
    case menu
    /// The Select button.
    case select
    /// A page towards the start.
    case pageUp
    /// A page towards the end.
    case pageDown
    /// The group (letter) before.
    case previousGroup
    /// The group (letter) after.
    case nextGroup
}

/// A key of a keyboard that means something by itself, not by its letter.
public enum Key: String, Sendable, CaseIterable {
    /// Arrow up.
    case up
    /// Arrow down.
    case down
    /// Arrow left.
    case left
    /// Arrow right.
    case right
    /// Return or Enter.
    case enter = "return"
    /// Escape.
    case escape
    /// Delete to the left.
    case backspace
    /// The long one.
    case space
    /// Tabulator.
    case tab
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// Home.
    case home
    /// End.
    case end
    /// Delete to the right.
    case delete
    /// The right shift key.
    case rightShift
    /// The left shift key.
    case leftShift
    /// Help.
    case f1
    /// Options.
    case f2
    /// Favourite.
    case f3
    /// Search.
    case f4
}

/// What arrives at a view.
public enum Event: Sendable, Equatable {
    /// A command; `isRepeat` while a control is held.
    case command(Command, isRepeat: Bool)
    /// Text typed on a keyboard or by a script.
    case text(String)
    /// The character before the insertion point shall go.
    case deleteBackward
    /// The pointer moved to a point, or a finger dragged there.
    case pointerMoved(Point)
    /// A button or finger went down.
    case pointerPressed(Point)
    /// It went up at this point.
    case pointerReleased(Point)
    /// The wheel turned by so many notches; positive is towards the start.
    case wheel(Double, at: Point)
}

/// What the stage reports: the raw side of `Event`.
public enum StageEvent: Sendable, Equatable {
    /// A key went down or up; `isRepeat` when the keyboard repeats it.
    case key(Key, isPressed: Bool, isRepeat: Bool)
    /// Text typed.
    case text(String)
    /// Pointer, finger and wheel events.
    case pointer(Event)
    /// The drawing area has another size now.
    case resized(Size)
    /// What is on the screen was damaged and must be drawn again.
    case exposed
    /// The window's close button, or a polite request of the system to end.
    case quit
    /// A picture that was asked for has been decoded.
    case imageReady
    /// Somebody rang: the mailbox has something.
    case woken
}
