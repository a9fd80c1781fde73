import Controllers
import EvdevKit
import Testing

@Suite("Keys")
struct KeyTests {
    @Test("Right Shift is Select, Return is Start, and no other key leaves a game")
    func chordKeys() {
        #expect(Key.allCases.filter { chordButton(for: $0) != nil } == [.return, .rightShift])
        #expect(chordButton(for: .rightShift) == .select)
        #expect(chordButton(for: .return) == .start)
    }
}
