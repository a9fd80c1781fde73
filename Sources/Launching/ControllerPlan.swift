internal import Controllers
internal import SystemKit

/// Who plays with what, in RetroArch's words.
struct RetroArchPlayers {
    /// How many can play.
    static let most = 8

    private let ordered: [PadInfo]
    private let ports: RetroArchPorts

    init(pads: [PadInfo], ports: RetroArchPorts) {
        ordered = pads
        self.ports = ports
    }

    /// Which pad is whose.
    var pads: [(String, String)] {
        let players = ordered.filter { $0.family != .keyboard && ports.nodes.contains($0.node) }
        var result = ports.numbers(for: players, players: RetroArchPlayers.most).enumerated().map {
            ("input_player\($0.offset + 1)_joypad_index", String($0.element))
        }
        for (index, pad) in players.prefix(RetroArchPlayers.most).enumerated() {
            // RetroArch has one description for pads that call themselves the same; a person may have two.
            guard let twin = players[..<index].first(where: { $0.name == pad.name && $0.identity == pad.identity }),
                twin.mapping != pad.mapping
            else { continue }
            result += pad.retroArchBindings.sorted { $0.key < $1.key }.map {
                ("input_player\(index + 1)_\($0.key)", $0.value)
            }
        }
        return result
    }

    /// The keys of the first player: what a person mapped, else as RetroArch's own but for letters that lie together.
    var keyboard: [(String, String)] {
        let keys = ordered.first { $0.family == .keyboard }?.retroArchKeys ?? RetroArchPlayers.usualKeys
        let silent = RetroArchPlayers.usualKeys.keys.filter { keys[$0] == nil }
        // A key that is not named has RetroArch's own meaning.
        return (keys.map { ($0.key, $0.value) } + silent.map { ($0, "nul") }).sorted { $0.0 < $1.0 }.map {
            ("input_player1_\($0.0)", $0.1)
        }
    }

    private static let usualKeys = [
        "up": "up", "down": "down", "left": "left", "right": "right", "b": "z", "a": "x", "y": "a", "x": "s", "l": "q",
        "r": "w", "start": "enter", "select": "rshift",
    ]
}

/// What emulators that use SDL must be told about the pads: their order, and what their controls mean.
func sdlEnvironment(for pads: [PadInfo]) -> [String: String] {
    let pads = pads.filter { $0.family != .keyboard }
    guard !pads.isEmpty else { return [:] }
    // SDL's own drivers that pass the kernel by number the buttons in another way, and come in another order.
    var environment = ["SDL_JOYSTICK_HIDAPI": "0"]
    let nodes = pads.map(\.node.displayString)
    // The names stand in a list with colons between.
    if !nodes.contains(where: { $0.contains(":") }) {
        environment["SDL_JOYSTICK_DEVICE"] = nodes.joined(separator: ":")
    }
    var seen: Set<ControllerGUID> = []
    let lines = pads.filter { seen.insert(ControllerGUID(for: $0.facts)).inserted }.compactMap(sdlMapping)
    if !lines.isEmpty { environment["SDL_GAMECONTROLLERCONFIG"] = lines.joined(separator: "\n") }
    return environment
}
