public import Appliance
public import Controllers
public import SystemKit

/// The world that commands work in: passed in, so that tests have one of their own.
public struct Surroundings: Sendable {
    /// A place that takes text.
    public struct Stream: Sendable {
        /// Takes bytes; returns 0 or an error number.
        public let write: @Sendable ([UInt8]) -> Int32
        /// Whether a person looks at it.
        public let isTerminal: Bool
        /// How wide the terminal is; `nil` where it does not say or is none.
        public let columns: Int?

        /// A place with its properties.
        public init(isTerminal: Bool, columns: Int? = nil, write: @escaping @Sendable ([UInt8]) -> Int32) {
            self.write = write
            self.isTerminal = isTerminal
            self.columns = columns
        }

        /// A standard descriptor of this process.
        public init(descriptor: Int32) {
            let isTerminal = SystemKit.isTerminal(descriptor)
            self.init(isTerminal: isTerminal, columns: isTerminal ? terminalColumns(descriptor) : nil) { bytes in
                writeBytes(bytes, to: descriptor)
            }
        }
    }

    /// The environment.
    public var environment: [String: String]
    /// What relative paths on the command line are relative to.
    public var directory: BytePath
    /// For results.
    public var output: Stream
    /// For progress, prose beside results, and errors.
    public var messages: Stream
    /// Reads one line that a person typed; `nil` where there is no person to ask.
    public var answer: (@Sendable () -> String?)?
    /// Asks for something that must not be seen: shows the words and reads a line without showing it; `nil` where
    /// there is no person to ask.
    public var secret: (@Sendable (String) -> String?)?
    /// Reads one line of standard input; `nil` at its end.
    public var inputLine: @Sendable () -> [UInt8]? = { readLine(from: 0) }
    /// Whether this process may change the machine.
    public var isRoot = currentUserID == 0
    /// How programs are found and run.
    public var programs = Programs()
    /// Where facts about the machine are read.
    public var machine: MachineFacts.Sources
    /// How this machine is reached.
    public var network: @Sendable () -> NetworkFacts
    /// A path that exists on the appliance only.
    public var applianceMarker: BytePath
    /// The pads that are plugged in.
    public var controllers: @Sendable (PadKnowledge, PlayerStore) -> ConnectedControllers = ConnectedControllers.read

    /// Makes a process of root act as the owner of a folder; `nil` where that is nobody's wish.
    public var adopt: (@Sendable (BytePath) throws(SystemError) -> AdoptedUser?)?

    /// A world with all its parts.
    public init(
        environment: [String: String], directory: BytePath, output: Stream, messages: Stream,
        answer: (@Sendable () -> String?)? = nil, machine: MachineFacts.Sources = MachineFacts.Sources(),
        network: @escaping @Sendable () -> NetworkFacts = { .read() }, applianceMarker: BytePath = "/etc/retro"
    ) {
        self.environment = environment
        self.directory = directory
        self.output = output
        self.messages = messages
        self.answer = answer
        self.machine = machine
        self.network = network
        self.applianceMarker = applianceMarker
    }

    /// This process's own.
    public static func process() -> Surroundings {
        var surroundings = Surroundings(
            environment: processEnvironment(), directory: BytePath(".").absolute, output: Stream(descriptor: 1),
            messages: Stream(descriptor: 2),
            answer: isTerminal(0) && isTerminal(2) ? answerFromStandardInput : nil)
        surroundings.adopt = becomeOwner
        if isTerminal(0) && isTerminal(2) {
            surroundings.secret = { words in
                writeText(words, to: 2)
                return readHiddenLine(from: 0).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        return surroundings
    }
}

@Sendable
private func answerFromStandardInput() -> String? { readLine(from: 0).map { String(decoding: $0, as: UTF8.self) } }
