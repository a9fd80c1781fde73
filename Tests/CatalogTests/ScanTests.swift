import Catalog
import SystemKit
import Testing

@Suite("Scanning finds the games that are there")
struct ScanTests {
    @Test("companions of Macs, dot files and their folders are no games (B001)")
    func ignoresDotEntries() async throws {
        let library = try Library()
        try library.add(["nes/Real.nes", "nes/._Real.nes", "nes/.hidden/x.nes", "nes/.DS_Store", "nes/__MACOSX/y.nes"])
        #expect(try await library.listed() == ["nes/Real.nes"])
    }

    @Test("extensions match whatever their case, also double ones (B002)")
    func foldsExtensions() async throws {
        let library = try Library()
        try library.add(["nes/A.NES", "nes/b.Nes", "nes/c.nes", "nes/d.nesx", "atari800/x.ATR.gz", "atari800/y.gz"])
        #expect(try await library.listed() == ["atari800/x.ATR.gz", "nes/A.NES", "nes/b.Nes", "nes/c.nes"])
    }
}
