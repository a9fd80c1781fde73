/// What a picture file says about itself before anything is decoded.
struct PictureHeader: Equatable {
    /// SDL_image's name of the format.
    let type: String
    /// Pixels across.
    let width: Int
    /// Pixels down.
    let height: Int

    /// Reads the first bytes; `nil` for anything that is not one of the formats with a size in front.
    init?(_ bytes: [UInt8]) {
        let reader = Reader(bytes: bytes)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            guard let width = reader.big(16, 4), let height = reader.big(20, 4) else { return nil }
            self.init("PNG", width, height)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            guard let size = PictureHeader.jpegSize(reader) else { return nil }
            self.init("JPG", size.width, size.height)
        } else if bytes.starts(with: Array("GIF8".utf8)) {
            guard let width = reader.little(6, 2), let height = reader.little(8, 2) else { return nil }
            self.init("GIF", width, height)
        } else if bytes.starts(with: Array("BM".utf8)) {
            guard let width = reader.little(18, 4), let height = reader.little(22, 4) else { return nil }
            // A negative height means that the rows go from the top.
            self.init("BMP", width, height > 0x7FFF_FFFF ? 0x1_0000_0000 - height : height)
        } else if bytes.starts(with: Array("RIFF".utf8)), reader.text(8) == "WEBP" {
            guard let size = PictureHeader.webpSize(reader) else { return nil }
            self.init("WEBP", size.width, size.height)
        } else {
            return nil
        }
    }

    private init?(_ type: String, _ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.type = type
        self.width = width
        self.height = height
    }

    private static func jpegSize(_ reader: Reader) -> (width: Int, height: Int)? {
        var offset = 2
        while let marker = reader.big(offset, 2) {
            guard marker >> 8 == 0xFF else { return nil }
            let kind = marker & 0xFF
            if kind == 0xFF {
                offset += 1
                continue
            }
            // Start of a frame; C4, C8 and CC in that range are tables.
            if (0xC0...0xCF).contains(kind), kind != 0xC4, kind != 0xC8, kind != 0xCC {
                guard let height = reader.big(offset + 5, 2), let width = reader.big(offset + 7, 2) else { return nil }
                return (width, height)
            }
            if kind == 0x01 || (0xD0...0xD8).contains(kind) {
                offset += 2
                continue
            }
            guard let length = reader.big(offset + 2, 2), length >= 2 else { return nil }
            offset += 2 + length
        }
        return nil
    }

    private static func webpSize(_ reader: Reader) -> (width: Int, height: Int)? {
        switch reader.text(12) {
        case "VP8 ":
            guard let width = reader.little(26, 2), let height = reader.little(28, 2) else { return nil }
            return (width & 0x3FFF, height & 0x3FFF)
        case "VP8L":
            guard let bits = reader.little(21, 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8X":
            guard let width = reader.little(24, 3), let height = reader.little(27, 3) else { return nil }
            return (width + 1, height + 1)
        default: return nil
        }
    }

    private struct Reader {
        let bytes: [UInt8]

        func big(_ offset: Int, _ count: Int) -> Int? {
            guard offset + count <= bytes.count else { return nil }
            return bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
        }

        func little(_ offset: Int, _ count: Int) -> Int? {
            guard offset + count <= bytes.count else { return nil }
            return bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        func text(_ offset: Int) -> String {
            guard offset + 4 <= bytes.count else { return "" }
            return String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
        }
    }
}
