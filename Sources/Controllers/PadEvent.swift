public import EvdevKit
public import SystemKit

/// A control by its position or printed meaning, the same on every pad.
///
/// The face buttons are named by where they sit, because makers print different letters there.
public enum PadButton: String, Sendable, CaseIterable, Codable {
    /// D-pad or left stick up.
    case up
    /// D-pad or left stick down.
    case down
    /// D-pad or left stick left.
    case left
    /// D-pad or left stick right.
    case right
    /// Lower face button: A on an Xbox pad, cross on a PlayStation's, B on Nintendo's.
    case south
    /// Right face button: B on an Xbox pad, circle, A on Nintendo's.
    case east
    /// Left face button: X on an Xbox pad, square, Y on Nintendo's.
    case west
    /// Upper face button: Y on an Xbox pad, triangle, X on Nintendo's.
    case north
    /// Start, Options, plus.
    case start
    /// Select, Back, Share, minus.
    case select
    /// Left shoulder.
    case l
    /// Right shoulder.
    case r
    /// Left trigger.
    case l2
    /// Right trigger.
    case r2
    /// Left stick pressed.
    case l3
    /// Right stick pressed.
    case r3
    /// The maker's own button in the middle.
    case guide
    /// A button that was mapped to be held together with others, and is for nothing else.
    case hotkey
}

/// Which letters a pad has printed on its face buttons.
public enum PadFamily: String, Sendable, Codable {
    /// A below, B right, X left, Y above.
    case xbox
    /// Cross, circle, square, triangle.
    case playstation
    /// B below, A right, Y left, X above.
    case nintendo
    /// A keyboard.
    case keyboard
}

/// What a device tells about itself.
public struct DeviceFacts: Sendable, Equatable {
    /// What it calls itself, blanks at the end included.
    public let name: String
    /// Bus, vendor, product and version as the kernel tells them.
    public let identity: PadIdentity
    /// Its own address or serial number; empty where it has none.
    public let unique: String
    /// The port it hangs on, e.g. `usb-0000:00:14.0-2/input0`; empty where the driver does not say.
    public let physicalPath: String
    /// What is the same for all event nodes of the thing in one's hand, and another for the next one of its kind.
    public let device: String
    /// What it can send, and its axes' values when it was opened.
    public let capabilities: Capabilities

    /// Facts with all their parts.
    public init(
        name: String, identity: PadIdentity, unique: String = "", physicalPath: String = "", device: String = "",
        capabilities: Capabilities = Capabilities()
    ) {
        self.name = name
        self.identity = identity
        self.unique = unique
        self.physicalPath = physicalPath
        self.device = device
        self.capabilities = capabilities
    }
}

/// A pad as long as it is plugged in.
public struct PadInfo: Sendable, Equatable {
    /// The monitor's number of this connection; never used twice in a process.
    public let id: Int
    /// The event node, e.g. `/dev/input/event3`.
    public let node: BytePath
    /// What the device tells about itself.
    public let facts: DeviceFacts
    /// Which letters its buttons have.
    public var family: PadFamily
    /// Which of its controls does what.
    public var mapping: PadMapping
    /// Who said so. Where it is `none`, the mapping is a guess or empty.
    public var source: MappingSource
    /// The player whose pad it is, from 1; 0 while it is nobody's.
    public var player: Int

    /// A pad with all its parts.
    public init(
        id: Int, node: BytePath, facts: DeviceFacts, family: PadFamily, mapping: PadMapping, source: MappingSource,
        player: Int = 0
    ) {
        self.id = id
        self.node = node
        self.facts = facts
        self.family = family
        self.mapping = mapping
        self.source = source
        self.player = player
    }

    /// What the device calls itself.
    public var name: String { facts.name }
    /// Bus, vendor, product and version.
    public var identity: PadIdentity { facts.identity }
    /// What it can send.
    public var capabilities: Capabilities { facts.capabilities }
    /// Its own address or serial number.
    public var unique: String { facts.unique }
    /// The port it hangs on.
    public var physicalPath: String { facts.physicalPath }
    /// What all event nodes of the thing in one's hand share.
    public var device: String { facts.device }
}

/// `struct input_id` of linux/input.h.
public struct PadIdentity: Sendable, Equatable, Hashable {
    /// `BUS_USB` is 3, `BUS_BLUETOOTH` is 5.
    public let bus: UInt16
    /// USB vendor id or what stands for it.
    public let vendor: UInt16
    /// USB product id or what stands for it.
    public let product: UInt16
    /// Device version.
    public let version: UInt16

    /// An identity with all its parts.
    public init(bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16) {
        self.bus = bus
        self.vendor = vendor
        self.product = product
        self.version = version
    }
}

/// What the controllers have to say.
public enum ControllerEvent: Sendable, Equatable {
    /// A pad is ready.
    case connected(PadInfo)
    /// A pad is gone; everything it held was released before.
    case disconnected(id: Int)
    /// A control went down or up.
    case button(pad: Int, button: PadButton, isPressed: Bool, time: MonotonicInstant)
    /// A key of a keyboard or remote control went down or up; held keys are not repeated.
    ///
    /// The character is what typing it enters, on a press only; `nil` where the source cannot tell.
    case key(Key, isPressed: Bool, time: MonotonicInstant, character: String?)
    /// A device that looks like a pad cannot be used: which node, and why, as a sentence.
    case problem(node: BytePath, reason: String)
    /// A node of which there was a problem can be used now, or is gone.
    case solved(node: BytePath)
    /// A pad that is plugged in has another mapping, family or player; everything it held was released before.
    case changed(PadInfo)
    /// What a device sent, before anything was made of it: a key that went down or up, an axis, or lost events.
    ///
    /// Always of pads whose mapping nobody knows; of all devices while `PadMonitor.setListening(raw:)` is on.
    case raw(pad: Int, InputEvent)
    /// While listening to everything: a device that is no pad by itself, but has controls.
    ///
    /// Its number is of the same row as the pads'. A keyboard's family is `.keyboard`.
    case candidate(PadInfo)
    /// A candidate is gone, became a pad, or is not listened to any more.
    case candidateGone(id: Int)
    /// How full a pad's battery is, when it is connected and whenever the kernel says something new.
    case battery(pad: Int, Battery)
}
