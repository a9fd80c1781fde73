import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("B046: whatever is mapped, Start alone leaves no game")
struct StartAloneTests {
    /// A mapping as a damaged profile, a person with an editor or an import may have it: anything anywhere.
    private func mapping(_ device: Device, _ dice: inout Dice) -> PadMapping {
        var controls = device.capabilities.keys.sorted().map(Control.key)
        for code in device.capabilities.axes.keys.sorted() {
            controls += [.axis(code, .negative), .axis(code, .positive)]
        }
        // One that RetroArch has no number for.
        controls.insert(.key(KeyCode(rawValue: 0x2FE)), at: 0)
        var mapping = PadMapping()
        for function in PadFunction.allCases {
            let isOfInterest = [.start, .select, .hotkey, .l, .south].contains(function)
            for _ in 0..<dice.below(isOfInterest ? 4 : 2) {
                mapping.add(controls[dice.below(isOfInterest ? min(5, controls.count) : controls.count)], for: function)
            }
        }
        return mapping
    }

    /// RetroArch's words for the keys that begin so.
    private func values(_ profile: GeneratedProfile, _ entry: String) -> Set<String> {
        var values: Set<String> = []
        for line in String(decoding: profile.contents, as: UTF8.self).split(separator: "\n") {
            for kind in ["btn", "axis"] where line.hasPrefix("input_\(entry)_\(kind) = ") {
                values.insert(kind + line.drop { $0 != "=" })
            }
        }
        return values
    }

    private func profile(_ pad: PadInfo, _ hotkeys: RetroArchHotkeys) -> GeneratedProfile {
        retroArchAutoconfig(for: pad, hotkeys: hotkeys)
    }

    @Test("in RetroArch's profiles: modifier and leaving together or not at all, and never on one control")
    func retroArch() {
        var dice = Dice(seed: 46)
        var whole = 0
        for _ in 0..<1_000 {
            let device = pads[dice.below(pads.count)]
            var pad = device.info
            pad.mapping = mapping(device, &dice)
            let complete = profile(pad, .complete)
            let (modifier, exit) = (values(complete, "enable_hotkey"), values(complete, "exit_emulator"))
            #expect(modifier.isEmpty == exit.isEmpty)
            #expect(modifier.isDisjoint(with: exit))
            if !exit.isEmpty { whole += 1 }
            let commands = ["save_state", "load_state", "menu_toggle", "reset", "toggle_fast_forward", "exit_emulator"]
            for hotkeys in [RetroArchHotkeys.none, .withoutExit, .complete] {
                let profile = profile(pad, hotkeys)
                let modifier = values(profile, "enable_hotkey")
                for command in commands {
                    let values = values(profile, command)
                    #expect(values.isEmpty || !modifier.isEmpty, "\(command) at any time")
                    #expect(values.isDisjoint(with: modifier), "\(command) by the modifier alone")
                }
                if hotkeys == .withoutExit { #expect(values(profile, "exit_emulator").isEmpty) }
                // What is Start for the game is not what makes commands of the others.
                let start = PadMapping(controls: [.start: pad.mapping.controls[.start] ?? []])
                var alone = pad
                alone.mapping = start
                let own = values(self.profile(alone, .none), "start")
                #expect(hotkeys == .none || own.isEmpty || !own.isSubset(of: modifier))
            }
        }
        #expect(whole > 50)
    }
}
