import Glibc

// The bridge from libFuzzer to one of the targets, which scripts/fuzz names in FUZZ_TARGET. Linked with
// Tests/CatalogTests/FuzzTargets.swift; no part of the package, because libFuzzer brings a `main` of its own.

private let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
        fatalError("FUZZ_TARGET is \"\(name)\"; it must be one of \(FuzzTarget.all.map(\.name))")
    }
    return target
}()

/// What libFuzzer calls with bytes of its own invention.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let complaint = target.complaint(Array(UnsafeBufferPointer(start: start, count: count))) {
        fatalError(complaint)
    }
    return 0
}
