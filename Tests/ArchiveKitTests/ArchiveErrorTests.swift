import ArchiveKit
import SystemKit
import Testing

@Suite("What is wrong with an archive")
struct ArchiveErrorTests {
    @Test(
        "is said in a sentence",
        arguments: [
            (ArchiveError.empty, "The archive is empty."),
            (.needsPassword, "The archive needs a password."),
            (.noSuchMember("a/b.nes"), "The archive holds no b.nes."),
        ])
    func sentences(error: ArchiveError, sentence: String) { #expect(error.description == sentence) }
}
