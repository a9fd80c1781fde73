import SystemKit

/// A change of sound.
public enum SoundChange: Sendable, Equatable, Codable {
    /// Takes the card of that name for sound; `auto` takes the best one that is there.
    case output(card: String)
    /// Percent, 0 to 100.
    case volume(Int)
    /// Silent, or not.
    case mute(Bool)
    /// Lets programs follow what is plugged in now: after a card came or went, and when the machine starts.
    case follow

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .output(let card): return try outputPlan(machine, card)
        case .volume(let percent):
            guard (0...100).contains(percent) else { throw .badValue(of: "the volume", expected: "0 to 100") }
            return try volumePlan(
                machine, "Set the volume to \(percent) %", [BytePath("\(percent)%"), "unmute"],
                isDone: { $0.percent == percent && $0.isMuted != true },
                // Controls have steps of their own.
                isRight: { abs($0.percent - percent) <= 5 })
        case .mute(let isMuted):
            return try volumePlan(
                machine, isMuted ? "Mute" : "Unmute", [isMuted ? "mute" : "unmute"], isDone: { $0.isMuted == isMuted },
                isRight: { $0.isMuted == nil || $0.isMuted == isMuted })
        case .follow: return followPlan(machine, SoundFacts.read(machine).right)
        }
    }

    private func outputPlan(_ machine: Machine, _ name: String) throws(ApplianceError) -> StepPlan {
        let cards = SoundFacts.cards(machine)
        let card = name == "auto" ? nil : name
        if let card, !cards.contains(where: { $0.name == card }) {
            guard !cards.isEmpty else { throw .unavailable("there is no sound card") }
            let names = (["auto"] + cards.map(\.name)).joined(separator: ", ")
            throw .badValue(of: "the sound card", expected: "one of \(names)")
        }
        var steps: [Step] = []
        if SoundChoice.chosen(machine) != card {
            steps.append(
                Step(
                    "choose-card",
                    card.map { "Choose \($0) for sound" } ?? "Choose the best card that is there for sound",
                    act: { () throws(ApplianceError) in try SoundChoice.choose(card, machine) },
                    check: { () throws(ApplianceError) in
                        SoundChoice.chosen(machine) == card ? nil : "the choice was not kept"
                    }))
        }
        let follow = followPlan(machine, SoundFacts.best(cards, card))
        return StepPlan(steps + follow.steps, notes: follow.notes)
    }

    private func followPlan(_ machine: Machine, _ card: String?) -> StepPlan {
        guard let card, SoundChoice.current(machine) != card else { return StepPlan([]) }
        var notes = ["Games take it when they start; the menu does so once it starts again."]
        if SoundChoice.isOverridden(machine) {
            notes.append("/etc/asound.conf also has lines of somebody else that name a default.")
        }
        return StepPlan(
            [
                Step(
                    "write-asound.conf", "Let programs play on \(card)",
                    act: { () throws(ApplianceError) in try SoundChoice.write(card, machine) },
                    check: { () throws(ApplianceError) in
                        SoundChoice.current(machine) == card ? nil : "/etc/asound.conf does not name \(card)"
                    })
            ], notes: notes)
    }

    private func volumePlan(
        _ machine: Machine, _ summary: String, _ arguments: [BytePath],
        isDone: (SoundVolume) -> Bool, isRight: @escaping @Sendable (SoundVolume) -> Bool
    ) throws(ApplianceError) -> StepPlan {
        guard machine.programs.find("amixer") != nil else {
            throw .missingProgram("amixer", package: "alsa-utils")
        }
        let facts = SoundFacts.read(machine)
        guard let card = facts.right else { throw .unavailable("there is no sound card") }
        guard let volume = facts.volume else {
            throw .unavailable(
                "the sound card \(card) has no control for the volume; some have it only once something was played: "
                    + "try 'retro-admin system audio test'")
        }
        if isDone(volume) { return StepPlan([]) }
        let control = BytePath(volume.control)
        return StepPlan([
            Step(
                "set-volume", summary, command: ["amixer", "-c", card, "sset", volume.control],
                act: { () throws(ApplianceError) in
                    let result = try SoundVolume.mixer(machine, card, ["-q", "sset", control] + arguments)
                    // A control that cannot be muted refuses the word, and takes the volume alone.
                    if !result.succeeded, let first = arguments.first, arguments.count > 1 {
                        _ = try SoundVolume.mixer(machine, card, ["-q", "sset", control, first])
                    }
                    _ = try? machine.programs.run(
                        "alsactl", ["store", BytePath(card)], package: "alsa-utils", seconds: 10)
                },
                check: { () throws(ApplianceError) in
                    guard let now = SoundVolume.read(machine, card: card) else { return "the volume cannot be read" }
                    return isRight(now) ? nil : "the volume is \(now.percent) %\(now.isMuted == true ? ", muted" : "")"
                })
        ])
    }
}

/// A short sound, to hear whether the right loudspeakers play.
public enum SoundTest {
    /// Plays it on a card, or where programs play now. Needs no root, but membership in `audio`.
    ///
    /// - Returns: what a person should hear and do where they do not: sentences.
    /// - Throws: `ApplianceError.unavailable` without a card, `.failed` where it could not be played.
    public static func play(_ machine: Machine, card: String? = nil) throws(ApplianceError) -> [String] {
        let facts = SoundFacts.read(machine)
        guard let right = card ?? facts.right else { throw .unavailable(facts.advice ?? "there is no sound card") }
        guard let found = facts.cards.first(where: { $0.name == right }) else {
            throw .notFound("there is no sound card \(BytePath.displayString(of: Array(right.utf8)))")
        }
        // By the card's own default: that one converts what HDMI wants converted.
        let device = BytePath("sysdefault:CARD=\(right)")
        try machine.programs.demand(
            "aplay", ["-q", "-D", device, "-"], package: "alsa-utils", input: wave, seconds: 20)
        let server = facts.server.map { ["\($0) runs and may have taken the sound elsewhere."] } ?? []
        return [
            "Two notes were played on \(found.title). Where you heard nothing, try another card, the volume, and "
                + "the volume of the television."
        ] + server
    }

    /// Two notes, first left then right: 16 bits, two channels, 48000 samples a second.
    static let wave: [UInt8] = {
        let rate = 48000
        var samples: [Int16] = []
        for (frequency, left) in [(440, true), (660, false)] {
            // A triangle of the frequency that fades out.
            let count = rate / 2
            for index in 0..<count {
                let phase = index * frequency * 4 % (rate * 4)
                let up = phase < rate * 2 ? phase - rate : rate * 3 - phase
                let level = Int16(up * 9000 / rate * (count - index) / count)
                samples += left ? [level, 0] : [0, level]
            }
        }
        func number(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let size = samples.count * 2
        var bytes = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
        bytes += number(1, 2) + number(2, 2) + number(rate, 4) + number(rate * 4, 4) + number(4, 2) + number(16, 2)
        bytes += Array("data".utf8) + number(size, 4)
        for sample in samples { bytes += number(Int(sample), 2) }
        return bytes
    }()
}
