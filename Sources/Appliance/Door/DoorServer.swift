public import SystemKit

/// The helper's side of the door: reads one request, carries it out, and says what happened.
///
/// systemd starts a process for each connection to `/run/retro/door`, with the connection as standard input and output
/// (`retro-door.socket`, `Accept=yes`). The socket's file lets only the player's group in. What can be asked for is
/// `MachineChange` and nothing else.
public struct DoorServer: Sendable {
    private let machine: Machine

    /// A server for a machine.
    public init(machine: Machine) { self.machine = machine }

    /// Serves one connection.
    ///
    /// - Parameters:
    ///   - input: where the request is read.
    ///   - output: where replies are written; a client that has gone does not stop a change that was begun.
    /// - Returns: the status for the process.
    public func serve(input: Int32, output: Int32) -> ExitStatus {
        func tell(_ reply: DoorReply) { _ = writeBytes(DoorLine.encode(reply), to: output) }
        guard let line = readLine(from: input, limit: DoorLine.limit),
            let request = DoorLine.decode(DoorRequest.self, line)
        else {
            tell(.failed("the request is not one that this helper knows", status: ExitStatus.usage.rawValue))
            return .usage
        }
        do throws(ApplianceError) {
            let plan = try request.change.plan(on: machine)
            try plan.apply { progress in
                if case .began(_, let summary) = progress { tell(.began(summary)) }
            }
            tell(.done(plan.notes))
            return .done
        } catch {
            tell(.failed(error.description, status: error.status.rawValue))
            return error.status
        }
    }
}
