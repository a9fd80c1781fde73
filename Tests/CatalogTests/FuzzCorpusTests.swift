import SystemKit
import Testing

@Suite("Bytes that once reached or broke a parser")
struct FuzzCorpusTests {
    /// `Tests/Fuzz/corpus` beside this folder.
    static let corpus = BytePath(#filePath).parent.parent.appending("Fuzz/corpus")

    @Test("every parser keeps what it promises for the kept bytes", arguments: FuzzTarget.all.map(\.name))
    func replays(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let folder = FuzzCorpusTests.corpus.appending(name)
        let names = try directoryNames(folder)
        #expect(!names.isEmpty)
        for file in names {
            let bytes = try readFile(folder.appending(file))
            #expect(target.complaint(bytes) == nil, "\(file)")
            // A write that was cut off anywhere.
            for end in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 64)) {
                #expect(target.complaint(Array(bytes[..<end])) == nil, "\(file) up to \(end)")
            }
        }
    }

    @Test("every kept corpus has a parser, and all are small enough to be committed")
    func isComplete() throws {
        let folders = try directoryNames(FuzzCorpusTests.corpus)
        #expect(Set(folders.map(\.displayString)) == Set(FuzzTarget.all.map(\.name)))
        let files = try folders.flatMap { folder in
            try directoryNames(FuzzCorpusTests.corpus.appending(folder)).map {
                try fileStatus(FuzzCorpusTests.corpus.appending(folder).appending($0)).size
            }
        }
        #expect(files.count <= 200)
        #expect(files.allSatisfy { $0 <= 2048 })
    }
}
