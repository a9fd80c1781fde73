internal import Synchronization
internal import SystemKit

/// Asks for batteries on a thread of its own, which lives only as long as there is something to ask.
final class BatteryWatch: Sendable {
    private struct Question: Sendable {
        let pad: Int
        let systemPath: BytePath
        let device: BytePath
    }

    private struct State: Sendable {
        var questions: [Question] = []
        var answers: [(pad: Int, battery: Battery?)] = []
        var isAsking = false
    }

    private let state = Mutex(State())
    private let folder: BatteryFolder
    private let wake: Wake

    /// - Parameter wake: rung when there is an answer.
    init(folder: BatteryFolder = BatteryFolder(), wake: Wake) {
        self.folder = folder
        self.wake = wake
    }

    /// Asks for the battery of a pad; the answer is there after the wake was rung.
    func ask(pad: Int, systemPath: BytePath, device: BytePath) {
        let question = Question(pad: pad, systemPath: systemPath, device: device)
        let isFirst = state.withLock { state in
            state.questions.append(question)
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isFirst else { return }
        let code = startThread(name: "battery") { [self] in answerAll() }
        if code != 0 {
            state.withLock { state in
                state.questions = []
                state.isAsking = false
            }
        }
    }

    /// The answers since the last call.
    func takeAnswers() -> [(pad: Int, battery: Battery?)] {
        state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    private func answerAll() {
        while let question = nextQuestion() {
            let battery = folder.battery(of: question.systemPath, device: question.device)
            state.withLock { $0.answers.append((question.pad, battery)) }
            wake.ring()
        }
    }

    private func nextQuestion() -> Question? {
        state.withLock { state in
            guard !state.questions.isEmpty else {
                state.isAsking = false
                return nil
            }
            return state.questions.removeFirst()
        }
    }
}
