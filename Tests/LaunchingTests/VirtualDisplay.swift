import Glibc
import SystemKit
import Testing

/// An X server without a screen, whose picture can be read.
final class VirtualDisplay: Sendable {
    let name: String
    private let server: ChildProcess
    private let framebuffer: BytePath

    /// - Returns: `nil` where Xvfb is not installed.
    init?(folder: BytePath, width: Int = 640, height: Int = 480) throws {
        guard isExecutable("/usr/bin/Xvfb") else { return nil }
        let output = try Pipe()
        let null = try Descriptor.open("/dev/null", flags: O_WRONLY)
        server = try ChildProcess.start(
            Spawn(
                program: "/usr/bin/Xvfb",
                arguments: [
                    "Xvfb", "-displayfd", "1", "-screen", "0", BytePath("\(width)x\(height)x24"), "-fbdir", folder,
                    "-nolisten", "tcp",
                ], environment: Spawn.currentEnvironment, separation: .group),
            streams: SpawnStreams(output: output.writing, error: null.rawValue))
        output.closeWriting()
        framebuffer = folder.appending("Xvfb_screen0")
        // It prints its number when it is ready.
        var text: [UInt8] = []
        while text.last != 0x0A, output.isOpen {
            _ = waitReadable([output.reading])
            output.drain { text += $0 }
        }
        guard let number = Int(String(decoding: text, as: UTF8.self).filter(\.isNumber)) else { return nil }
        name = ":\(number)"
    }

    deinit {
        server.signal(SIGTERM)
        _ = server.wait()
    }

    /// The colour in the middle of the screen as 0xRRGGBB; the file is an X window dump.
    func middle() throws -> UInt32 {
        let bytes = try readFile(framebuffer)
        func word(_ index: Int) -> Int {
            bytes[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        let (header, width, height, lineBytes, colors) = (word(0), word(4), word(5), word(12), word(19))
        let pixels = header + colors * 12
        let offset = pixels + height / 2 * lineBytes + width / 2 * 4
        return UInt32(bytes[offset + 2]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset])
    }

    /// Waits until the colour in the middle is what is wanted. Nothing tells of a change, so this looks again and again.
    func waitForMiddle(_ isWanted: (UInt32) -> Bool) async throws {
        while !isWanted(try middle()) {
            // The server draws into a file without telling anybody.
            try await Task.sleep(nanoseconds: 5_000_000)
        }
    }
}

/// A program for the NES, assembled by hand: the whole screen is green, and red while Right is held. It has a battery
/// and leaves 0x42 in its memory.
func colourROM() -> [UInt8] {
    let code: [UInt8] = [
        0x78, 0xD8, 0xA2, 0xFF, 0x9A,  // sei, cld, stack
        0xA9, 0x00, 0x8D, 0x00, 0x20, 0x8D, 0x01, 0x20,  // no interrupts, no rendering
        0x2C, 0x02, 0x20, 0x10, 0xFB, 0x2C, 0x02, 0x20, 0x10, 0xFB,  // two vertical blanks
        0xA9, 0x42, 0x8D, 0x00, 0x60,  // $42 into the battery memory
        // $C01C: every frame
        0x2C, 0x02, 0x20, 0x10, 0xFB,
        0xA9, 0x01, 0x8D, 0x16, 0x40, 0xA9, 0x00, 0x8D, 0x16, 0x40,  // latch the pad
        0xA2, 0x07, 0xAD, 0x16, 0x40, 0xCA, 0xD0, 0xFA,  // pass over seven buttons
        0xAD, 0x16, 0x40, 0x29, 0x01, 0xA8,  // Right into y
        0xA9, 0x3F, 0x8D, 0x06, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20,
        0xB9, 0x56, 0xC0, 0x8D, 0x07, 0x20,  // the colour
        0xA9, 0x3F, 0x8D, 0x06, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20,
        0x4C, 0x1C, 0xC0,
        0x1A, 0x16,  // $C056: green, red
    ]
    var program = code + [UInt8](repeating: 0xFF, count: 16384 - code.count)
    for vector in [16378, 16380, 16382] {
        program[vector] = 0x00
        program[vector + 1] = 0xC0
    }
    let header: [UInt8] = [0x4E, 0x45, 0x53, 0x1A, 1, 1, 0x02, 0] + [UInt8](repeating: 0, count: 8)
    return header + program + [UInt8](repeating: 0, count: 8192)
}
