internal import CXInput

/// Hears every key of an X display, whichever window has the focus, over a connection of its own; for one thread.
///
/// It never asks again and again: the server sends raw events of all keyboards, also those made by XTEST.
public final class RawKeyListener {
    /// The connection's descriptor for a poll set.
    ///
    /// Xlib keeps events in a queue of its own: call `next` until it gives `nil` before sleeping.
    public let rawDescriptor: Int32

    private let display: OpaquePointer
    private let opcode: Int32
    private let connection: ConnectionState

    /// Connects and asks for raw key events.
    ///
    /// - Parameter display: a name such as `:0`; `nil` takes `$DISPLAY`.
    /// - Throws: `XInputError`.
    public init(display name: String?) throws(XInputError) {
        let shown = name ?? "$DISPLAY"
        guard let display = name.map({ XOpenDisplay($0) }) ?? XOpenDisplay(nil) else { throw .noDisplay(shown) }
        let state = ConnectionState()
        // Xlib holds a bare pointer to it, also on the ways out by an error.
        defer { withExtendedLifetime(state) {} }
        // By default Xlib ends the process when the server dies, in either of two handlers. The first is the process's
        // and may return only because the second, which every display has for itself, still ends it for all others.
        // Ours returns, and every later call fails.
        XSetIOErrorHandler { _ in 0 }
        XSetIOErrorExitHandler(
            display,
            { _, argument in
                guard let argument else { return }
                Unmanaged<ConnectionState>.fromOpaque(argument).takeUnretainedValue().isLost = true
            }, Unmanaged.passUnretained(state).toOpaque())
        var opcode: Int32 = 0
        var firstEvent: Int32 = 0
        var firstError: Int32 = 0
        var major: Int32 = 2
        var minor: Int32 = 1
        guard XQueryExtension(display, "XInputExtension", &opcode, &firstEvent, &firstError) != 0,
            XIQueryVersion(display, &major, &minor) == 0, (major, minor) >= (2, 1)
        else {
            XCloseDisplay(display)
            throw .noXInput2(shown)
        }
        var bits = [UInt8](repeating: 0, count: Int(XI_LASTEVENT) / 8 + 1)
        for event in [XI_RawKeyPress, XI_RawKeyRelease] { bits[Int(event) >> 3] |= 1 << (UInt8(event) & 7) }
        bits.withUnsafeMutableBufferPointer { buffer in
            var mask = XIEventMask(
                deviceid: Int32(XIAllMasterDevices), mask_len: Int32(buffer.count), mask: buffer.baseAddress)
            XISelectEvents(display, XDefaultRootWindow(display), &mask, 1)
        }
        // A round trip: from here on no key is missed.
        XSync(display, 0)
        self.display = display
        self.opcode = opcode
        connection = state
        rawDescriptor = XConnectionNumber(display)
    }

    deinit { XCloseDisplay(display) }

    /// Whether the server is gone; nothing comes any more.
    public var isLost: Bool { connection.isLost }

    /// The next key that has arrived; `nil` when there is none.
    public func next() -> RawKey? {
        while !connection.isLost, XPending(display) > 0, !connection.isLost {
            var event = XEvent()
            XNextEvent(display, &event)
            guard !connection.isLost else { return nil }
            if event.type == MappingNotify {
                XRefreshKeyboardMapping(&event.xmapping)
                continue
            }
            guard event.type == GenericEvent, event.xcookie.extension == opcode,
                XGetEventData(display, &event.xcookie) != 0
            else { continue }
            defer { XFreeEventData(display, &event.xcookie) }
            let kind = event.xcookie.evtype
            guard kind == XI_RawKeyPress || kind == XI_RawKeyRelease, let data = event.xcookie.data else { continue }
            let detail = data.assumingMemoryBound(to: XIRawEvent.self).pointee.detail
            guard let keycode = UInt8(exactly: detail) else { continue }
            let symbol = XkbKeycodeToKeysym(display, keycode, 0, 0)
            return RawKey(
                keycode: keycode, symbol: symbol == 0 ? nil : KeySymbol(rawValue: UInt32(truncatingIfNeeded: symbol)),
                isPressed: kind == XI_RawKeyPress)
        }
        return nil
    }
}

private final class ConnectionState {
    var isLost = false
}
