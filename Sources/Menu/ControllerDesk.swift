public import Controllers

/// What the menu can have done about controllers. The door connects it with the monitor and what is known about pads;
/// tests do with what they note.
public struct ControllerDesk {
    /// Whether everything that any device sends shall be told, for setting one up.
    public var listen: (Bool) -> Void = { _ in }
    /// Whether a pad that nobody knows may be used by a guess of what its controls mean.
    public var setGuessing: (Int, Bool) -> Void = { _, _ in }
    /// Reads again what the person stored, by `retro-admin` for one. Called away from the menu's thread.
    public var reload: @Sendable () -> Void = {}
    /// Pads get what is newly known about them.
    public var refresh: () -> Void = {}
    /// A pad becomes another player's.
    public var assign: (_ pad: Int, _ player: Int) -> Void = { _, _ in }
    /// Stores a mapping so that a power cut cannot take it away. Called away from the menu's thread.
    public var save: @Sendable (PadMapping, DeviceFacts, PadFamily?, _ onlyThisUnit: Bool) throws -> Void = {
        _, _, _, _ in
    }
    /// Keeps a mapping until the menu ends, where it cannot be stored. Called away from the menu's thread.
    public var keep: @Sendable (PadMapping, DeviceFacts, PadFamily?) -> Void = { _, _, _ in }
    /// Removes what the person stored about a pad; whether there was anything. Called away from the menu's thread.
    public var forget: @Sendable (DeviceFacts) throws -> Bool = { _ in false }

    /// A desk at which nothing is done.
    public init() {}
}

/// The controllers that are there, as the screens see them. Lives on the menu's thread.
final class ControllerTable {
    /// A node that looks like a pad and cannot be used.
    struct Problem: Equatable {
        let node: String
        let sentence: String
    }

    /// Pads that move the menu or could.
    var pads: [Int: PadInfo] = [:]
    /// Devices that are no pads by themselves, while everything is listened to.
    var candidates: [Int: PadInfo] = [:]
    var batteries: [Int: Battery] = [:]
    var problems: [Problem] = []
    /// Pads, by what tells them apart, about which the person was asked: nobody is asked twice.
    var asked: Set<String> = []
    /// Whether it was not said yet how an unknown pad beside others is set up.
    var owesHint = false
    /// The pad that was used last.
    var latest: Int?
    let desk: ControllerDesk

    init(desk: ControllerDesk) { self.desk = desk }

    /// The pads by their players, those without one last.
    var ordered: [PadInfo] { PlayerSlots.order(pads.values, starter: nil) }

    /// A device that can be set up; all keyboards are one.
    func device(_ id: Int) -> PadInfo? {
        if id == keyboardPad { return .keyboard }
        return pads[id] ?? candidates[id]
    }

    /// The device that a raw event counts for.
    func source(of id: Int) -> Int { candidates[id]?.family == .keyboard ? keyboardPad : id }
}
