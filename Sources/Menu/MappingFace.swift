import Controllers

/// What the mapping screen shows at one moment, as plain words and numbers.
struct MappingFace: Equatable {
    /// One control that is asked for, was, or will be.
    struct Row: Equatable {
        enum Kind {
            case open
            case known
            case skipped
            case absent
        }

        let function: PadFunction
        var kind = Kind.open
        /// What it was bound to.
        var value = ""
    }

    /// What a button of the pad or of another device does now.
    struct Key: Equatable {
        /// The pad's control; `nil` for another device's Back.
        let function: PadFunction?
        let label: String
    }

    var rows: [Row] = []
    /// What the pad does not have, whether there is a row for it or not.
    var absent: Set<PadFunction> = []
    var current: Int?
    /// What to do, in a few large words.
    var prompt = ""
    /// What more there is to know, in a small line.
    var detail = ""
    /// Whether the small line is important now.
    var isUrgent = false
    /// How far the ring around the prompt's sign is filled.
    var ring: Double?
    /// Seconds that the ring counts down, shown in place of the sign.
    var seconds: Int?
    var keys: [Key] = []
    var isTesting = false
    var isLost = false
    var held: Set<PadFunction> = []
    var levels: [PadFunction: Double] = [:]

    var wanted: PadFunction? {
        guard !isTesting, !isLost, let current, rows.indices.contains(current) else { return nil }
        return rows[current].function
    }

    /// How much is done, from 0 to 1.
    var progress: Double {
        guard !rows.isEmpty else { return 0 }
        return isTesting ? 1 : Double(current ?? 0) / Double(rows.count)
    }

    /// What the picture shows of it.
    func picture(labels: [PadFunction: String] = [:]) -> PadPicture.State {
        var state = PadPicture.State()
        state.wanted = wanted
        state.known = Set(rows.filter { $0.kind == .known }.map(\.function))
        state.absent = absent
        state.held = held
        state.levels = levels
        state.labels = labels
        state.lightsKnown = !isTesting
        return state
    }
}
