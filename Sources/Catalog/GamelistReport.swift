/// What reading or writing a gamelist did.
public struct GamelistReport: Sendable, Equatable {
    /// A record that could not be taken as it is.
    public struct Problem: Sendable, Equatable {
        /// Which one it is in the file, from 1; 0 for the file as a whole.
        public let record: Int
        /// What is wrong, as a sentence without a full stop.
        public let reason: String

        /// A problem of a record.
        public init(record: Int, reason: String) {
            self.record = record
            self.reason = reason
        }
    }

    /// Records in the file.
    public var records = 0
    /// Records of games that the catalog has.
    public var matched = 0
    /// Records of paths that no list had told of before; in a written file, those that it did not have before.
    public var added = 0
    /// Records that said something new; in a written file, those that are not as they were.
    public var changed = 0
    /// Records of games that the catalog does not have; they are kept.
    public var unknown = 0
    /// What was wrong, the first thousand.
    public var problems: [Problem] = []
    /// Problems beyond those.
    public var moreProblems = 0
    /// The name under which a file that was not sound stays, when another one took its place.
    public var damagedFile: String?
    /// How long it took, by the monotonic clock.
    public var seconds = 0.0

    /// A report of nothing yet.
    public init() {}

    mutating func note(_ record: Int, _ reason: String) {
        if problems.count < 1000 {
            problems.append(Problem(record: record, reason: reason))
        } else {
            moreProblems += 1
        }
    }
}
