public import SystemKit

/// The helper's side of the door: reads one request, carries it out, and says what happened.
///
/// systemd starts a process for each connection to `/run/retro/door`, with the connection as standard input and output
/// (`retro-door.socket`, `Accept=yes`). The socket's file lets only the player's group in, and the helper asks the kernel
/// who is there. What can be asked for is `MachineChange` and nothing else: `docs/privileges.md`.
public struct DoorServer: Sendable {
    /// The account that the menu runs as.
    public static let player = "retro"

    private let machine: Machine
    private let patience: Double
    private let log: Log

    /// A server for a machine.
    ///
    /// - Parameters:
    ///   - patience: how many seconds a client may take to say what it wants.
    ///   - log: hears who asked for what and what came of it, without the values.
    public init(machine: Machine, patience: Double = 10, log: Log = Log()) {
        self.machine = machine
        self.patience = patience
        self.log = log
    }

    /// Serves one connection, which is one request.
    ///
    /// - Parameters:
    ///   - input: where the request is read.
    ///   - output: where replies are written; a client that has gone, or does not read, does not stop a change that was
    ///     begun.
    /// - Returns: the status for the process.
    public func serve(input: Int32, output: Int32) -> ExitStatus {
        serve(input: input, output: output, peer: peerUser(input))
    }

    /// Serves a connection of a user; `nil` is whoever started this process.
    func serve(input: Int32, output: Int32, peer: UInt32?) -> ExitStatus {
        let who = peer.map { "user \($0)" } ?? "the caller"
        func refuse(_ sentence: String, _ status: ExitStatus) -> ExitStatus {
            tell(.failed(sentence, status: status.rawValue), output)
            log.write(.warning, "door: \(who) was refused: \(sentence)")
            return status
        }
        guard mayAsk(peer) else { return refuse("this account may not change the machine", .noPermission) }
        let request: DoorRequest
        switch readLine(from: input, limit: DoorLine.limit, seconds: patience) {
        case .cutShort: return refuse("the request is not complete", .usage)
        case .tooLong: return refuse("the request is too long", .usage)
        case .late: return refuse("the request did not come in time", .tryLater)
        case .line(let line):
            guard let decoded = DoorRequest.decode(line) else {
                return refuse("the request is not one that this helper knows", .usage)
            }
            request = decoded
        }
        log.write(.info, "door: \(who) asks for \(request.name)")
        do throws(ApplianceError) {
            let notes = try request.change.carryOut(on: machine) { progress in
                if case .began(_, let summary) = progress { tell(.began(summary), output) }
            }
            log.write(.info, "door: \(request.name) was done")
            tell(.done(notes), output)
            return .done
        } catch {
            log.write(.warning, "door: \(request.name) was not done: \(error)")
            tell(.failed(error.description, status: error.status.rawValue), output)
            return error.status
        }
    }

    private func tell(_ reply: DoorReply, _ output: Int32) {
        writeWithoutWaiting(DoorLine.encode(reply), to: output)
    }

    /// Root and the player. Whoever else is in the player's group may reach the socket, but not ask.
    private func mayAsk(_ peer: UInt32?) -> Bool {
        guard let peer, peer != 0 else { return true }
        return peer == Accounts.read(machine).named(DoorServer.player)?.user
    }
}
