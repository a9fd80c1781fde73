public import SystemKit

/// What the machine is and how it is, read from the kernel's own files.
public struct MachineFacts: Sendable, Equatable {
    /// Where to read. Tests point it at a folder of their own.
    public struct Sources: Sendable, Equatable {
        /// The root of `proc`, `sys` and `etc`.
        public let filesystem: BytePath

        /// The files below a root; `/` is this machine.
        public init(filesystem: BytePath = "/") { self.filesystem = filesystem }

        func path(_ relative: String) -> BytePath { filesystem.appending(relative) }

        /// The trimmed text of a small file; `nil` where it is absent, unreadable or empty.
        func text(_ relative: String) -> String? {
            guard let bytes = try? readFile(path(relative), limit: 1 << 20) else { return nil }
            // The device tree ends its strings with a zero.
            let text = BytePath.displayString(of: bytes.prefix { $0 != 0 }.split(separator: 0x0A).first ?? [])
            let trimmed = trimmingSpaces(text)
            return trimmed.isEmpty ? nil : trimmed
        }

        func lines(_ relative: String) -> [String] {
            guard let bytes = try? readFile(path(relative), limit: 1 << 20) else { return [] }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// What the maker calls the machine, e.g. `Raspberry Pi 4 Model B Rev 1.4`.
    public let model: String
    /// The operating system, e.g. `Debian GNU/Linux 13 (trixie)`.
    public let operatingSystem: String
    /// The kernel's release.
    public let kernel: String
    /// The processor family of this program, e.g. `arm64`.
    public let architecture: String
    /// Seconds since the machine was switched on.
    public let uptimeSeconds: Double?
    /// Bytes of memory.
    public let memoryTotalBytes: Int64?
    /// Bytes that programs could still get.
    public let memoryAvailableBytes: Int64?
    /// The processor's temperature in degrees Celsius.
    public let temperature: Double?

    /// Facts with all their parts.
    public init(
        model: String, operatingSystem: String, kernel: String, architecture: String, uptimeSeconds: Double?,
        memoryTotalBytes: Int64?, memoryAvailableBytes: Int64?, temperature: Double?
    ) {
        self.model = model
        self.operatingSystem = operatingSystem
        self.kernel = kernel
        self.architecture = architecture
        self.uptimeSeconds = uptimeSeconds
        self.memoryTotalBytes = memoryTotalBytes
        self.memoryAvailableBytes = memoryAvailableBytes
        self.temperature = temperature
    }

    /// Reads everything now. What cannot be read is `nil` or `unknown`: a support person wants the rest.
    public static func read(_ sources: Sources = Sources()) -> MachineFacts {
        MachineFacts(
            model: model(sources), operatingSystem: operatingSystem(sources),
            kernel: sources.text("proc/sys/kernel/osrelease") ?? "unknown", architecture: architecture,
            uptimeSeconds: sources.text("proc/uptime")?.split(separator: " ").first
                .flatMap { number(String($0), within: 0...1e11) },
            memoryTotalBytes: memory(sources, "MemTotal"), memoryAvailableBytes: memory(sources, "MemAvailable"),
            temperature: sources.text("sys/class/thermal/thermal_zone0/temp")
                .flatMap { number($0, within: -274e3...1e6) }.map { $0 / 1000 })
    }

    /// A sensor that is broken says anything, also what is no number that can be shown.
    private static func number(_ text: String, within bounds: ClosedRange<Double>) -> Double? {
        Double(text).flatMap { bounds.contains($0) ? $0 : nil }
    }

    private static func model(_ sources: Sources) -> String {
        if let model = sources.text("proc/device-tree/model") { return model }
        let maker = sources.text("sys/class/dmi/id/sys_vendor")
        let product = sources.text("sys/class/dmi/id/product_name")
        let words = [maker, product].compactMap { $0 }
        return words.isEmpty ? "unknown" : words.joined(separator: " ")
    }

    private static func operatingSystem(_ sources: Sources) -> String {
        for line in sources.lines("etc/os-release") where line.hasPrefix("PRETTY_NAME=") {
            let value = line.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" && $0 != "'" }
            return BytePath.displayString(of: Array(value.utf8))
        }
        return "unknown"
    }

    private static func memory(_ sources: Sources, _ name: String) -> Int64? {
        for line in sources.lines("proc/meminfo") where line.hasPrefix(name + ":") {
            let words = line.split(separator: " ")
            guard words.count >= 2, let kibibytes = Int64(words[1]) else { return nil }
            return kibibytes.multipliedReportingOverflow(by: 1024).partialValue
        }
        return nil
    }

    private static var architecture: String {
        #if arch(arm64)
            "arm64"
        #elseif arch(x86_64)
            "amd64"
        #elseif arch(arm)
            "armhf"
        #else
            "unknown"
        #endif
    }
}

/// Text without blanks, tabs and carriage returns at its ends.
func trimmingSpaces(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" || $0 == "\n" }
    var rest = text[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest)
}
