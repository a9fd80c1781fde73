import FoundationEssentials
import SystemKit

/// A change of the boot files that has yet to prove itself: it stays only if the next start reaches the menu.
///
/// The change is written with a note of what was before. The first start after it is the trial. Where the menu comes up,
/// the note goes and the change stays. Where another start begins and the note is still there, the trial failed: what
/// was before is put back, and the machine starts anew with it. One failed start is enough: who pulled the plug during
/// it may set the change again, whereas who sits before a machine that hangs can do nothing but pull the plug.
struct BootTrial: Sendable, Equatable, Codable {
    /// What was changed: a word for people.
    let subject: String
    /// The start that the change was made in.
    let madeIn: String
    /// The start that tries it.
    var triedIn: String?
    /// The lines of our block before the change.
    let settings: [String]
    /// The words of the kernel's command line that were ours to change, before the change.
    let video: [String]

    private static func path(_ machine: Machine) -> BytePath { machine.state.appending("boot-trial.json") }
    private static func revertedPath(_ machine: Machine) -> BytePath { machine.state.appending("boot-reverted") }

    /// The number of this start of the machine.
    static func currentBoot(_ machine: Machine) -> String {
        machine.files.text("proc/sys/kernel/random/boot_id") ?? "unknown"
    }

    /// The trial that is under way or will be at the next start.
    static func read(_ machine: Machine) -> BootTrial? {
        guard let bytes = try? readFile(path(machine), limit: 1 << 16) else { return nil }
        return try? JSONDecoder().decode(BootTrial.self, from: Data(decodableJSON(bytes)))
    }

    /// What was taken back at this start or before, until the next change.
    static func reverted(_ machine: Machine) -> String? {
        guard let bytes = try? readFile(revertedPath(machine), limit: 1 << 10) else { return nil }
        return trimmingSpaces(String(decoding: bytes, as: UTF8.self))
    }

    /// Notes what is so now, before it is changed. Where another change is not proven yet, its note stays: what was
    /// before that is what the machine is known to start with.
    static func begin(_ subject: String, _ machine: Machine) throws(ApplianceError) {
        try? removeFile(revertedPath(machine))
        if read(machine) != nil { return }
        let files = try BootFiles(machine)
        let trial = BootTrial(
            subject: subject, madeIn: currentBoot(machine), triedIn: nil,
            settings: ConfigurationText(try files.read(.configuration) ?? []).settings,
            video: CommandLineText(try files.read(.commandLine) ?? []).words.filter { $0.hasPrefix("video=") })
        try trial.write(machine)
    }

    private func write(_ machine: Machine) throws(ApplianceError) {
        let bytes = (try? JSONEncoder().encode(self)) ?? Data()
        try system { () throws(SystemError) in
            try createDirectories(machine.state)
            try replaceFile(at: BootTrial.path(machine), with: Array(bytes))
        }
    }

    /// What has to be done at the beginning of a start.
    ///
    /// - Returns: what was taken back; the machine must start anew then.
    static func atStart(_ machine: Machine) throws(ApplianceError) -> String? {
        let boot = currentBoot(machine)
        guard var trial = read(machine) ?? unreadable(machine), trial.madeIn != boot, trial.triedIn != boot else {
            return nil
        }
        guard trial.triedIn != nil else {
            trial.triedIn = boot
            try trial.write(machine)
            return nil
        }
        try trial.revert(machine)
        let sentence = "The machine did not reach the menu after the change of \(trial.subject); it was taken back."
        try system { () throws(SystemError) in
            try replaceFile(at: revertedPath(machine), with: Array((sentence + "\n").utf8))
            try removeFile(path(machine))
            try synchronizeDirectory(machine.state)
        }
        return sentence
    }

    /// Where the note is there and says nothing, a trial is under way all the same; what was before it is in the copies
    /// that were kept. This start is taken for the first one with it.
    private static func unreadable(_ machine: Machine) -> BootTrial? {
        guard fileExists(path(machine)), let files = try? BootFiles(machine) else { return nil }
        let video = CommandLineText(files.backup(.commandLine) ?? []).words.filter { $0.hasPrefix("video=") }
        return BootTrial(
            subject: "the boot files", madeIn: "", triedIn: nil,
            settings: ConfigurationText(files.backup(.configuration) ?? []).settings, video: video)
    }

    private func revert(_ machine: Machine) throws(ApplianceError) {
        let files = try BootFiles(machine)
        if let bytes = try files.read(.configuration) {
            var text = ConfigurationText(bytes)
            text.settings = settings
            if text.bytes != bytes { try files.replace(.configuration, with: text.bytes) }
        }
        if let bytes = try files.read(.commandLine) {
            var line = CommandLineText(bytes)
            guard line.words.filter({ $0.hasPrefix("video=") }) != video else { return }
            line.replace(prefix: "video=", with: video)
            try files.replace(.commandLine, with: line.bytes)
        }
    }

    /// The menu is on the screen: what was changed is proven, and these files are the ones to go back to.
    static func atMenu(_ machine: Machine) throws(ApplianceError) {
        if let trial = read(machine), trial.madeIn != currentBoot(machine) {
            try system { () throws(SystemError) in
                try removeFile(path(machine))
                try synchronizeDirectory(machine.state)
            }
        }
        // A change that waits for its first start has proven nothing yet.
        guard read(machine) == nil, let partition = BootPartition.find(machine) else { return }
        let files = BootFiles(partition, machine)
        for file in BootFile.allCases { try files.keep(file) }
    }

    /// Whether `atMenu` would have something to do.
    static func isMenuAwaited(_ machine: Machine) -> Bool {
        if let trial = read(machine) { return trial.madeIn != currentBoot(machine) }
        guard let partition = BootPartition.find(machine) else { return false }
        let files = BootFiles(partition, machine)
        return BootFile.allCases.contains { files.needsKeeping($0) }
    }
}
