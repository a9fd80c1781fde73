import SystemKit
import Testing

/// Compares a text with the file of that name in `Golden`; `UPDATE_GOLDEN=1 swift test` writes the files anew.
func expectGolden(_ text: String, _ name: String, location: SourceLocation = #_sourceLocation) {
    let file = BytePath(#filePath).parent.appending("Golden").appending(name)
    if environmentValue("UPDATE_GOLDEN") == "1" {
        do throws(SystemError) {
            try replaceFile(at: file, with: Array(text.utf8))
        } catch { Issue.record("\(error)", sourceLocation: location) }
        return
    }
    guard let expected = try? readFile(file) else {
        Issue.record("there is no \(file); UPDATE_GOLDEN=1 makes it", sourceLocation: location)
        return
    }
    let kept = String(decoding: expected, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let made = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(made == kept, "\(name) is different; UPDATE_GOLDEN=1 takes it over", sourceLocation: location)
}
