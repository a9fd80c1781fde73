import SystemKit
import Testing

@Suite("JSON that may be given to the decoder")
struct StrictJSONTests {
    @Test(
        "documents of ours are, whatever their values hold",
        arguments: [
            "{}", "[]", "", "{\"a\": \"b\\n\\u00e9\\\\\"}", "{\"a\":[\"x\\\"y\", 1, null], \"b\" : {\"c\":\"\\\\\"}}",
            "\"\\u0000\"",
        ])
    func good(_ text: String) {
        #expect(isSafeForDecoding(json: Array(text.utf8)))
        #expect(decodableJSON(Array(text.utf8)) == Array(text.utf8))
    }

    @Test(
        "control characters in strings, escapes in names, and strings without an end are not",
        arguments: [
            "{\"chan\u{17}ge\": 1}", "{\"a\": \"\u{1}\"}", "{\"a\\qb\": 1}", "{\"a\\u12\" : 1}", "{\"\\ud800\"\n:1}",
            "{\"a", "\"\\\"",
        ])
    func bad(_ text: String) {
        #expect(!isSafeForDecoding(json: Array(text.utf8)))
        #expect(decodableJSON(Array(text.utf8)).isEmpty)
    }

    @Test("bytes that are no UTF-8 are not")
    func noText() { #expect(!isSafeForDecoding(json: [0x22, 0xFF, 0x22])) }

    @Test(
        "what can be read in one way only is not ambiguous",
        arguments: [
            "{}", "[{\"a\":1},{\"a\":1}]", "{\"a\":{\"a\":\"a\"},\"b\":\"a\"}", "{\"a\":\"null :{\\\"a\\\":\"}",
            "{\"a\" : [true, false, -1.5e3]}",
        ])
    func clear(_ text: String) { #expect(isUnambiguous(json: Array(text.utf8))) }

    @Test(
        "doubled members, null, names beside ASCII and depth are",
        arguments: [
            "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":{},\"a\" :1}", "[{\"x\":{\"a\":[],\"a\":2}}]", "{\"a\":null}", "null",
            "{\"\u{E9}\":1}", String(repeating: "[", count: 33) + String(repeating: "]", count: 33), ":", "{\"a",
        ])
    func ambiguous(_ text: String) { #expect(!isUnambiguous(json: Array(text.utf8))) }
}
