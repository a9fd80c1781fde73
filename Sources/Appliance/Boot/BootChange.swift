import SystemKit

/// A change of what the firmware reads when the machine starts.
public enum BootChange: Sendable, Equatable, Codable {
    /// Takes a preset for this model of Pi by its name; `none` goes back to the maker's speeds.
    case overclock(preset: String)
    /// Pixels that the television cuts off at its edges; all zero for none.
    case overscan(left: Int, right: Int, top: Int, bottom: Int)
    /// Takes a resolution that the screen at an output offers; `nil` for the screen's own choice.
    case resolution(output: String, mode: String?)
    /// The menu is on the screen: what was changed before this start has proven itself.
    case menuReached

    func plan(on machine: Machine) throws(ApplianceError) -> StepPlan {
        switch self {
        case .overclock(let preset): try overclockPlan(machine, preset)
        case .overscan(let left, let right, let top, let bottom):
            try overscanPlan(
                machine, PictureFacts.Margins(left: left, right: right, top: top, bottom: bottom))
        case .resolution(let output, let mode): try resolutionPlan(machine, output, mode)
        case .menuReached: menuPlan(machine)
        }
    }

    private func overclockPlan(_ machine: Machine, _ name: String) throws(ApplianceError) -> StepPlan {
        let files = try BootFiles(machine)
        guard let model = PiModel.read(machine) else {
            throw .unavailable("this is no model of Raspberry Pi that this program knows the speeds of")
        }
        let preset = model.presets.first { $0.name == name }
        guard preset != nil || name == "none" else {
            let names = (["none"] + model.presets.map(\.name)).joined(separator: ", ")
            throw .badValue(of: "the preset for this model", expected: "one of \(names)")
        }
        var text = ConfigurationText(try files.read(.configuration) ?? [])
        text.replace(keys: OverclockPreset.keys, with: preset?.settings ?? [])
        var notes = ["It takes effect at the next restart, and is taken back if that does not reach the menu."]
        let foreign = text.foreign(OverclockPreset.keys)
        if !foreign.isEmpty {
            notes.append("config.txt also sets \(foreign.joined(separator: ", ")) outside this program's own lines.")
        }
        if preset != nil {
            notes.append(
                "A machine that hangs: switch it off and on; with Shift held while it starts, speeds are usual.")
        }
        let summary = preset.map { "Set \($0.settings.joined(separator: ", ")) in config.txt" }
        return try plan(
            files, machine, "overclocking", notes,
            [(.configuration, text.bytes, summary ?? "Take the speeds out of config.txt")], fault: text.fault)
    }

    private func overscanPlan(
        _ machine: Machine, _ margins: PictureFacts.Margins
    ) throws(ApplianceError) -> StepPlan {
        for value in [margins.left, margins.right, margins.top, margins.bottom]
        where !(0...PictureFacts.Margins.limit).contains(value) {
            throw .badValue(of: "a margin", expected: "0 to \(PictureFacts.Margins.limit) pixels")
        }
        let files = try BootFiles(machine)
        let facts = PictureFacts.read(machine)
        let notes = ["It takes effect at the next restart, and is taken back if that does not reach the menu."]
        if facts.isKernels {
            var line = try commandLine(files)
            let connected = facts.outputs.filter(\.isConnected)
            for output in connected.isEmpty ? facts.outputs : connected {
                var word = VideoWord.find(output.name, in: line) ?? VideoWord()
                word.margins = margins
                line.replace(prefix: VideoWord.prefix(output.name), with: [word.word(output.name)].compactMap { $0 })
            }
            return try plan(
                files, machine, "the picture", notes, [(.commandLine, line.bytes, "Set the margins in cmdline.txt")])
        }
        var text = ConfigurationText(try files.read(.configuration) ?? [])
        let sides = [
            ("left", margins.left), ("right", margins.right), ("top", margins.top), ("bottom", margins.bottom),
        ]
        let lines = sides.filter { $0.1 > 0 }.map { "overscan_\($0.0)=\($0.1)" }
        text.replace(
            keys: ["disable_overscan"] + sides.map { "overscan_" + $0.0 },
            with: lines.isEmpty ? [] : ["disable_overscan=0"] + lines)
        return try plan(
            files, machine, "the picture", notes, [(.configuration, text.bytes, "Set the margins in config.txt")],
            fault: text.fault)
    }

    private func resolutionPlan(
        _ machine: Machine, _ name: String, _ mode: String?
    ) throws(ApplianceError) -> StepPlan {
        let files = try BootFiles(machine)
        let facts = PictureFacts.read(machine)
        guard facts.isKernels else {
            throw .unavailable("the firmware drives the screen here, so its resolution cannot be chosen")
        }
        guard let output = facts.outputs.first(where: { $0.name == name }) else {
            let names = facts.outputs.map(\.name).joined(separator: ", ")
            throw .notFound("there is no output \(BytePath.displayString(of: Array(name.utf8))); there are: \(names)")
        }
        if let mode, !output.modes.contains(mode) {
            throw .badValue(of: "the resolution of \(name)", expected: "one of \(output.modes.joined(separator: ", "))")
        }
        var line = try commandLine(files)
        var word = VideoWord.find(name, in: line) ?? VideoWord()
        word.mode = mode
        line.replace(prefix: VideoWord.prefix(name), with: [word.word(name)].compactMap { $0 })
        return try plan(
            files, machine, "the picture",
            ["It takes effect at the next restart, and is taken back if that does not reach the menu."],
            [
                (
                    .commandLine, line.bytes,
                    mode.map { "Set \(name) to \($0) in cmdline.txt" }
                        ?? "Leave the resolution of \(name) to the screen"
                )
            ])
    }

    private func commandLine(_ files: BootFiles) throws(ApplianceError) -> CommandLineText {
        guard let bytes = try files.read(.commandLine) else { throw .notFound("there is no cmdline.txt") }
        if let damage = BootFile.commandLine.damage(in: bytes) {
            throw .refused("cmdline.txt is damaged (\(damage)); run 'retro-admin system boot-check --early'")
        }
        return CommandLineText(bytes)
    }

    private func menuPlan(_ machine: Machine) -> StepPlan {
        guard BootTrial.isMenuAwaited(machine) else { return StepPlan([]) }
        return StepPlan([
            Step(
                "keep-boot-files", "Keep the boot files that the machine started with",
                act: { () throws(ApplianceError) in try BootTrial.atMenu(machine) },
                check: { () throws(ApplianceError) in
                    BootTrial.isMenuAwaited(machine) ? "the boot files could not be kept" : nil
                })
        ])
    }

    /// The steps that replace boot files on trial.
    private func plan(
        _ files: BootFiles, _ machine: Machine, _ subject: String, _ notes: [String],
        _ changes: [(file: BootFile, bytes: [UInt8], summary: String)], fault: String? = nil
    ) throws(ApplianceError) -> StepPlan {
        if let fault { throw .refused("config.txt would be broken: \(fault)") }
        var steps: [Step] = []
        for change in changes {
            let now = try files.read(change.file)
            if now == change.bytes { continue }
            // One that is not there, or empty, is a file that firmware can start with.
            if let now, now.contains(where: { $0 > 0x20 }), let damage = change.file.damage(in: now) {
                throw .refused(
                    "\(change.file.rawValue) is damaged (\(damage)); run 'sudo retro-admin system boot-check --early'")
            }
            if let damage = change.file.damage(in: change.bytes) {
                throw .refused("\(change.file.rawValue) would be broken: \(damage)")
            }
            steps.append(
                Step(
                    "write-" + change.file.rawValue, change.summary,
                    act: { () throws(ApplianceError) in
                        try BootTrial.begin(subject, machine)
                        try BootFiles(machine).replace(change.file, with: change.bytes)
                    },
                    check: { () throws(ApplianceError) in
                        try BootFiles(machine).read(change.file) == change.bytes
                            ? nil : "\(change.file.rawValue) does not say what was written"
                    }))
        }
        return StepPlan(steps, notes: steps.isEmpty ? [] : notes)
    }
}
