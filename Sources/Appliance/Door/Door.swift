public import SystemKit

/// How a change of the machine is asked for: by this process where it is root, through the helper's socket else.
public struct Door: Sendable {
    /// Where the helper listens.
    public static let socket: BytePath = "/run/retro/door"

    private let machine: Machine
    private let socket: BytePath
    private let isRoot: Bool

    /// A door.
    ///
    /// - Parameter isRoot: whether this process may change the machine itself.
    public init(machine: Machine, socket: BytePath = Door.socket, isRoot: Bool = currentUserID == 0) {
        self.machine = machine
        self.socket = socket
        self.isRoot = isRoot
    }

    /// Carries a change out. Blocks until it is done: call it from a thread that may wait.
    ///
    /// - Parameter began: hears what is being done: a sentence a step.
    /// - Returns: what a person should know: sentences.
    /// - Throws: `ApplianceError`; `.needsRoot` where there is no helper.
    public func perform(
        _ change: MachineChange, began: (String) -> Void = { _ in }
    ) throws(ApplianceError) -> [String] {
        guard isRoot else { return try ask(change, began) }
        return try change.carryOut(on: machine) { progress in
            if case .began(_, let summary) = progress { began(summary) }
        }
    }

    private func ask(_ change: MachineChange, _ began: (String) -> Void) throws(ApplianceError) -> [String] {
        let connection: LocalSocket
        do throws(SystemError) { connection = try LocalSocket(connectingTo: socket) } catch {
            throw .needsRoot("this")
        }
        try system { () throws(SystemError) in try connection.write(DoorLine.encode(DoorRequest(change))) }
        while let line = connection.readLine(limit: DoorLine.limit) {
            switch DoorLine.decode(DoorReply.self, line) {
            case .began(let sentence): began(sentence)
            case .done(let notes): return notes
            case .failed(let sentence, let status): throw ApplianceError.told(sentence, status: status)
            case nil: throw .failed("the helper", detail: "it said something that is not understood")
            }
        }
        throw .failed("the helper", detail: "it ended without an answer")
    }
}

extension ApplianceError {
    /// An error that went through the door as a sentence and a status.
    static func told(_ sentence: String, status: Int32) -> ApplianceError {
        switch ExitStatus(rawValue: status) {
        case .unavailable: .unavailable(sentence)
        case .notFound: .notFound(sentence)
        case .cannotCreate: .cannotCreate(sentence)
        case .tryLater: .busy(sentence)
        case .noPermission: .denied(sentence)
        case .inputOutput: .unverified(sentence)
        default: .refused(sentence)
        }
    }
}
