internal import Glibc
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
        switch signal {
        case SIGSEGV, SIGBUS: "it used memory wrongly (\(name(of: signal)))"
        case SIGABRT: "it gave up by itself (SIGABRT)"
        case SIGILL: "it is made for another processor (SIGILL)"
        case SIGFPE: "it made an impossible calculation (SIGFPE)"
        case SIGKILL: "it was killed, perhaps because memory ran out (SIGKILL)"
        case SIGTERM, SIGINT, SIGHUP: "another program ended it (\(name(of: signal)))"
        case SIGSYS: "it asked the system for something forbidden (SIGSYS)"
        case SIGPIPE: "its output was cut off (SIGPIPE)"
        default: "signal \(signal)"
        }
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGBUS: "SIGBUS"
        case SIGTERM: "SIGTERM"
        case SIGINT: "SIGINT"
        case SIGHUP: "SIGHUP"
        default: "signal \(signal)"
        }
    }
}
