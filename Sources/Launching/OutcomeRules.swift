internal import SystemKit

extension LaunchOutcome {
    /// A game that ends well in less than this was not played.
    static let shortestPlay = 5.0

    /// Decides what happened.
    ///
    /// - Parameters:
    ///   - end: how the first process ended; `nil` when it could not be told.
    ///   - wasStopped: whether the person left the game; whatever the program then answered is fine.
    ///   - seconds: how long anything of the game ran.
    static func judge(
        end: ProcessEnd?, wasStopped: Bool, seconds: Double, emulator: String, logTail: [String]
    ) -> LaunchOutcome {
        var status: Int32?
        var signal: Int32?
        var kind = Kind.finished
        var sentence = ""
        switch end {
        case .exited(0) where seconds < shortestPlay:
            status = 0
            kind = .endedAtOnce
            sentence = "\(emulator) closed after \(spoken(seconds)).\(reason(logTail))"
        case .exited(let code):
            status = code
            if code != 0 {
                kind = .failed
                sentence = "\(emulator) stopped with error \(code).\(reason(logTail))"
            }
        case .signalled(let number):
            signal = number
            kind = .crashed
            sentence = "\(emulator) crashed after \(spoken(seconds)): \(meaning(of: number))."
        case nil:
            if seconds < shortestPlay {
                kind = .endedAtOnce
                sentence = "\(emulator) closed after \(spoken(seconds)).\(reason(logTail))"
            }
        }
        if wasStopped {
            kind = .stopped
            sentence = ""
        }
        return LaunchOutcome(
            kind: kind, exitStatus: status, signal: signal, seconds: seconds, sentence: sentence, logTail: logTail)
    }

    private static func reason(_ lines: [String]) -> String {
        guard let line = LogTail.mostTelling(lines) else { return " It did not say why." }
        return " It said: \(line)"
    }

    static func spoken(_ seconds: Double) -> String {
        if seconds < 1 { return "less than a second" }
        if seconds < 120 { return seconds < 2 ? "1 second" : "\(Int(seconds)) seconds" }
        return "\(Int(seconds / 60)) minutes"
    }

    /// What a signal means, for somebody who never heard of signals.
    static func meaning(of signal: Int32) -> String {
        let name = signalName(signal)
        let words: String? =
            switch name {
            case "SIGSEGV", "SIGBUS": "it used memory wrongly"
            case "SIGABRT": "it gave up by itself"
            case "SIGILL": "it is made for another processor"
            case "SIGFPE": "it made an impossible calculation"
            case "SIGKILL": "it was killed, perhaps because memory ran out"
            case "SIGTERM", "SIGINT", "SIGHUP": "another program ended it"
            case "SIGSYS": "it asked the system for something forbidden"
            case "SIGPIPE": "its output was cut off"
            default: nil
            }
        return words.map { "\($0) (\(name))" } ?? name
    }
}
