internal import Glibc

/// A file name or path as the kernel has it: bytes without a zero.
///
/// Linux names need not be UTF-8, and Swift's `String ==` treats composed and decomposed accents as equal while
/// the filesystem keeps two files. Identity is therefore bytes; `displayString` is for people only.
public struct BytePath: Hashable, Sendable, Comparable {
    /// The bytes, without a terminating zero.
    public let bytes: [UInt8]

    /// A path of exactly these bytes, cut at the first zero byte.
    public init(bytes: some Sequence<UInt8>) {
        // Copied first and searched after that: a sequence of another module is walked through its witnesses, a byte
        // at a time, and an array is not.
        let all = Array(bytes)
        self.bytes = all.firstIndex(of: 0).map { Array(all[..<$0]) } ?? all
    }

    /// The UTF-8 bytes of a Swift string, unchanged (no normalisation).
    public init(_ string: String) {
        self.init(bytes: string.utf8)
    }

    /// A C string as `readdir` or `argv` gives it.
    public init(cString: UnsafePointer<CChar>) {
        let length = strlen(cString)
        bytes = cString.withMemoryRebound(to: UInt8.self, capacity: length) {
            Array(UnsafeBufferPointer(start: $0, count: length))
        }
    }

    /// The text for people: invalid UTF-8 becomes U+FFFD, control characters become their Unicode pictures.
    ///
    /// Never use it to open a file.
    public var displayString: String { BytePath.displayString(of: bytes) }

    /// The same for any bytes that came from a file, a device or the network.
    public static func displayString(of bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            safe.append(isControl(scalar) ? picture(of: scalar) : scalar)
        }
        return String(safe)
    }

    /// The string, when the bytes are valid UTF-8.
    public var validUTF8: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether it starts at the root directory.
    public var isAbsolute: Bool { bytes.first == BytePath.slash }

    /// The part after the last slash; the whole where there is none.
    public var name: BytePath {
        guard let index = trimmed.lastIndex(of: BytePath.slash) else { return BytePath(bytes: trimmed) }
        return BytePath(bytes: trimmed[(index + 1)...])
    }

    /// The part before the last slash; `/` for a top-level entry, `.` for a bare name.
    public var parent: BytePath {
        let path = trimmed
        guard let index = path.lastIndex(of: BytePath.slash) else { return BytePath(".") }
        return index == path.startIndex ? BytePath("/") : BytePath(bytes: path[..<index])
    }

    /// The bytes after the last dot of the name, lower-cased in ASCII only; `nil` without one or for a dot file.
    public var fileExtension: [UInt8]? {
        let name = name.bytes
        guard let dot = name.lastIndex(of: BytePath.dot), dot > name.startIndex, dot + 1 < name.endIndex else {
            return nil
        }
        return name[(dot + 1)...].map(asciiLowercased)
    }

    /// The name without its last extension.
    public var stem: BytePath {
        let name = name.bytes
        guard let dot = name.lastIndex(of: BytePath.dot), dot > name.startIndex else { return BytePath(bytes: name) }
        return BytePath(bytes: name[..<dot])
    }

    /// Joins a relative path below this one; an absolute one replaces it.
    public func appending(_ other: BytePath) -> BytePath {
        if other.isAbsolute || bytes.isEmpty { return other }
        if other.bytes.isEmpty { return self }
        var joined = bytes
        if joined.last != BytePath.slash { joined.append(BytePath.slash) }
        joined.append(contentsOf: other.bytes)
        return BytePath(bytes: joined)
    }

    /// Joins a relative path given as text.
    public func appending(_ other: String) -> BytePath { appending(BytePath(other)) }

    /// The path below `root`, when this path lies in it.
    public func relative(to root: BytePath) -> BytePath? {
        var prefix = root.bytes
        if prefix.last != BytePath.slash { prefix.append(BytePath.slash) }
        guard bytes.count > prefix.count, bytes.starts(with: prefix) else { return nil }
        return BytePath(bytes: bytes[prefix.count...])
    }

    /// An absolute form: relative paths are joined to the working directory. Links are not resolved.
    public var absolute: BytePath {
        if isAbsolute { return self }
        guard let pointer = getcwd(nil, 0) else { return self }
        defer { free(pointer) }
        return self == "." ? BytePath(cString: pointer) : BytePath(cString: pointer).appending(self)
    }

    /// Calls `body` with a zero-terminated C string.
    public func withCString<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A typed rethrow cannot pass through withUnsafeBufferPointer on every compiler we support.
        let count = bytes.count
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
        defer { buffer.deallocate() }
        for index in 0..<count { buffer[index] = CChar(bitPattern: bytes[index]) }
        buffer[count] = 0
        return try body(buffer)
    }

    /// Byte order, as `LC_ALL=C sort` gives it.
    public static func < (left: BytePath, right: BytePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    private var trimmed: ArraySlice<UInt8> {
        var path = bytes[...]
        while path.count > 1, path.last == BytePath.slash { path.removeLast() }
        return path
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        // Bidirectional overrides would let a name reorder the text around it.
        case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        // U+2400... are the pictures of the C0 controls, U+2421 that of DEL.
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        default: "\u{FFFD}"
        }
    }
}

extension BytePath: CustomStringConvertible {
    /// `displayString`.
    public var description: String { displayString }
}

extension BytePath: ExpressibleByStringLiteral {
    /// A path from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}

/// Folds A-Z only: extension matching must not depend on the locale (Turkish dotless i).
@inlinable
public func asciiLowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}
