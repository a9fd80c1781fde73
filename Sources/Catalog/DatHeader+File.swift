public import SystemKit

extension DatHeader {
    /// What a file says about itself, without reading all of it.
    ///
    /// - Returns: an empty header where it says nothing before its first game.
    /// - Throws: `SystemError` of `open` or `read`.
    public init(of file: BytePath) throws(SystemError) {
        self.init()
        var header = DatHeader()
        var isComplete = false
        let reader = DatReader { event in
            switch event {
            case .header(let more) where !isComplete:
                header.name = header.name ?? more.name
                header.description = header.description ?? more.description
                header.version = header.version ?? more.version
            case .header: break
            case .game, .problem: isComplete = true
            }
        }
        let isWhole = try readChunks(of: file) { bytes in
            reader.feed(bytes)
            return !isComplete
        }
        // A short list may end before its reader was sure of what it is.
        if isWhole { reader.finish() }
        self = header
    }
}
