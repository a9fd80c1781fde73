import Glibc
import Interface
import SDLKit
import Stage
import SystemKit
import Testing

/// All tests of this target run one after another: SDL has one event queue and one FreeType.
@Suite(.serialized) enum StageSuite {}

/// A folder that is gone after the test.
func withFolder<Result>(_ body: (BytePath) throws -> Result) throws -> Result {
    var template = Array("/tmp/stage-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { mkdtemp($0) != nil } }
    try #require(made == true)
    let folder = BytePath(bytes: template.map { UInt8(bitPattern: $0) })
    defer {
        for name in (try? directoryNames(folder)) ?? [] {
            _ = folder.appending(name).withCString { unlink($0) == 0 || rmdir($0) == 0 }
        }
        _ = folder.withCString { rmdir($0) }
    }
    return try body(folder)
}

/// A stage in memory.
func memoryStage(
    _ width: Int = 200, _ height: Int = 120, icons: @escaping @Sendable (String) -> [UInt8]? = { _ in nil },
    textBudget: Int = 4 << 20,
    pictureBudget: Int = 16 << 20
) throws -> Stage {
    try Stage(
        StageOptions(
            mode: .headless(width: width, height: height), title: "test", icons: icons, vsync: false,
            pictureBudget: pictureBudget, textBudget: textBudget),
        log: Log(minimum: .error))
}

extension Stage {
    /// Shows commands and returns the pixels, by way of the screenshot's PNG.
    func pixels(_ commands: [DrawCommand]) throws -> PixelImage {
        var list = DrawList()
        list.commands = commands
        present(list)
        return try withFolder { folder in
            let path = folder.appending("shot.png")
            try screenshot(to: path)
            return try Surface(decoding: try readFile(path), type: "PNG").image()
        }
    }

    /// Sleeps until a picture came; `false` when none does.
    func awaitPicture() -> Bool {
        let end = MonotonicInstant.now.advanced(bySeconds: 30)
        while MonotonicInstant.now < end {
            if waitEvents(until: end).contains(.imageReady) { return true }
        }
        return false
    }
}

extension PixelImage {
    /// The colour without alpha.
    func rgb(_ x: Int, _ y: Int) -> UInt32 { self[x, y] & 0xFF_FFFF }

    /// The rectangle around all pixels that are not black, as (left, top, right, bottom), the last two outside.
    var inked: (left: Int, top: Int, right: Int, bottom: Int)? {
        var box: (Int, Int, Int, Int)?
        for y in 0..<height {
            for x in 0..<width where rgb(x, y) != 0 {
                guard let old = box else {
                    box = (x, y, x + 1, y + 1)
                    continue
                }
                box = (min(old.0, x), min(old.1, y), max(old.2, x + 1), max(old.3, y + 1))
            }
        }
        return box
    }
}

/// Descriptors that are open in this process.
func openDescriptors() throws -> Int { try directoryNames("/proc/self/fd").count }
