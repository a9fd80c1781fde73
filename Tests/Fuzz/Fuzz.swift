import Glibc

// The bridge from libFuzzer to one of the targets, which scripts/fuzz names in FUZZ_TARGET. Linked with
// Tests/CatalogTests/FuzzTargets.swift; no part of the package, because libFuzzer brings a `main` of its own.

private let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
        end("FUZZ_TARGET is \"\(name)\"; it must be one of \(FuzzTarget.all.map(\.name))")
    }
    return target
}()

/// Ends the process so that libFuzzer writes the bytes down.
private func end(_ sentence: String) -> Never {
    let line = Array("Complaint: \(sentence)\n".utf8)
    _ = write(2, line, line.count)
    abort()
}

/// What libFuzzer calls with bytes of its own invention.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let complaint = target.complaint(Array(UnsafeBufferPointer(start: start, count: count))) {
        end(complaint)
    }
    return 0
}
