/// Which player each pad belongs to, by the thing in one's hand: pure.
///
/// A pad keeps its player for the session while it is away, and gets the player of the last session back if nobody
/// has it; a new pad gets the lowest that nobody has had in this session.
public struct PlayerSlots: Sendable, Equatable {
    /// A pad's place, from its connection until it goes.
    public struct Seat: Sendable, Hashable {
        /// The physical identity, made different for two connected pads that say the same.
        public let unit: String
        /// The player, from 1, at the time it was given.
        public let player: Int

        /// A seat with all its parts.
        public init(unit: String, player: Int) {
            self.unit = unit
            self.player = player
        }
    }

    /// A player who is kept for a pad of this session.
    private struct Reservation: Sendable, Equatable {
        var player: Int
        /// The unit with the port, which tells pads with one serial number apart.
        var port: String
        var isConnected: Bool
    }

    /// Players beyond it exist only in the wildest storm of pads.
    private static let highest = 9999

    private var reserved: [String: Reservation] = [:]
    /// Of earlier sessions; one unit a player.
    private var remembered: [String: Int]
    /// Serial numbers that two pads were seen to share: the port counts instead.
    private var shared: Set<String>
    /// The units of this session that were found to be shared, and what they are called since.
    private var renamed: [String: String] = [:]

    /// No pad is known.
    public init() {
        remembered = [:]
        shared = []
    }

    /// Whether an earlier session knew this pad.
    public func isKnown(_ facts: DeviceFacts) -> Bool {
        let unit = unit(of: facts)
        return reserved[unit] != nil || remembered[unit] != nil
    }

    /// Gives a pad that was connected its player.
    public mutating func assign(_ facts: DeviceFacts) -> Seat {
        let port = padUnit(facts, byPort: true)
        separate(facts, port: port)
        let base = unit(of: facts)
        // Two pads in one adapter say the same about everything, and are told in their order.
        let names = [base] + (2...).lazy.prefix(PlayerSlots.highest).map { "\(base) \($0)" }
        let unit = names.first { reserved[$0]?.isConnected != true } ?? base
        let player = reserved[unit]?.player ?? free(wish: remembered[unit])
        reserved[unit] = Reservation(player: player, port: port, isConnected: true)
        remembered = remembered.filter { $0.value != player && $0.key != unit }
        return Seat(unit: unit, player: player)
    }

    /// The pad is gone; its player is kept for it.
    public mutating func release(_ seat: Seat) { reserved[current(seat.unit)]?.isConnected = false }

    /// Makes a pad another player's; the pad that had that player gets this one's.
    public mutating func move(_ unit: String, to player: Int) {
        let unit = current(unit)
        guard let old = reserved[unit]?.player, (1...PlayerSlots.highest).contains(player), old != player else {
            return
        }
        for (other, reservation) in reserved where reservation.player == player { reserved[other]?.player = old }
        remembered = remembered.filter { $0.value != player && $0.value != old }
        reserved[unit]?.player = player
    }

    /// The player of a pad of this session.
    public func player(of unit: String) -> Int? { reserved[current(unit)]?.player }

    /// The pads in the order in which a game has them as players: the one that starts it first, the others by their
    /// players.
    public static func order(_ pads: some Sequence<PadInfo>, starter: Int?) -> [PadInfo] {
        pads.sorted { left, right in
            let (one, two) = (left.rank(starter: starter), right.rank(starter: starter))
            return one != two ? one < two : left.id < right.id
        }
    }

    private func current(_ unit: String) -> String { renamed[unit] ?? unit }

    private func unit(of facts: DeviceFacts) -> String {
        let unit = padUnit(facts)
        return shared.contains(unit) ? padUnit(facts, byPort: true) : unit
    }

    /// Tells two pads with one serial number apart from the moment on when both are there.
    private mutating func separate(_ facts: DeviceFacts, port: String) {
        let unit = padUnit(facts)
        guard unit != port, let other = reserved[unit], other.isConnected, other.port != port else { return }
        shared.insert(unit)
        reserved[unit] = nil
        reserved[other.port] = other
        renamed[unit] = other.port
    }

    private func free(wish: Int?) -> Int {
        let taken = Set(reserved.values.map(\.player))
        if let wish, !taken.contains(wish) { return wish }
        return (1...PlayerSlots.highest).first { !taken.contains($0) } ?? PlayerSlots.highest
    }
}

extension PlayerSlots: Codable {
    private enum CodingKeys: String, CodingKey {
        case players
        case shared
    }

    private struct Player: Codable {
        let unit: String
        let player: Int
    }

    /// How many pads are remembered for the next session.
    private static let memory = 64

    /// Takes in what an earlier session knew; of two pads with one player the first counts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        var taken: Set<Int> = []
        for entry in try container.decode([Player].self, forKey: .players).prefix(PlayerSlots.memory)
        where (1...PlayerSlots.highest).contains(entry.player) && remembered[entry.unit] == nil {
            if taken.insert(entry.player).inserted { remembered[entry.unit] = entry.player }
        }
        shared = Set(try container.decodeIfPresent([String].self, forKey: .shared) ?? [])
    }

    /// What the next session shall know, by players.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let entries = memory.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(PlayerSlots.memory)
        try container.encode(entries.map { Player(unit: $0.key, player: $0.value) }, forKey: .players)
        if !shared.isEmpty {
            try container.encode(shared.sorted().prefix(PlayerSlots.memory).map(\.self), forKey: .shared)
        }
    }

    private var memory: [String: Int] {
        remembered.merging(reserved.mapValues(\.player)) { _, current in current }
    }

    /// Whether the next session would know the same.
    func isSaved(in other: PlayerSlots) -> Bool { memory == other.memory && shared == other.shared }
}

extension PadInfo {
    fileprivate func rank(starter: Int?) -> Int { id == starter ? -1 : player > 0 ? player : Int.max }
}

/// The thing in one's hand, wherever and whenever it is plugged in: its own address or serial number, else its port.
///
/// - Parameter byPort: leave the serial number out, where several things share it.
public func padUnit(_ facts: DeviceFacts, byPort: Bool = false) -> String {
    let product = "\(hexadecimal(facts.identity.vendor)):\(hexadecimal(facts.identity.product))"
    if !byPort, !facts.unique.isEmpty { return "\(product) \(facts.unique.lowercased())" }
    if !facts.physicalPath.isEmpty { return "\(product) \(facts.physicalPath)" }
    return "\(product) \(facts.unique.isEmpty ? facts.device : facts.unique.lowercased())"
}
