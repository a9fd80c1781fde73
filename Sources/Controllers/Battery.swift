package import SystemKit

/// How full a pad's battery is.
public struct Battery: Sendable, Equatable {
    /// 0 to 100.
    public let percent: Int
    /// Whether it is being charged.
    public let isCharging: Bool

    /// A state with all its parts.
    public init(percent: Int, isCharging: Bool) {
        self.percent = min(max(percent, 0), 100)
        self.isCharging = isCharging
    }
}

/// Reads batteries in sysfs.
///
/// Some drivers ask the pad over the air when its battery is read, which may take seconds: not for a thread that has
/// something else to do.
package struct BatteryFolder: Sendable {
    /// What `/sys` is below; for tests.
    let root: BytePath

    package init(root: BytePath = "/") { self.root = root }

    /// The battery of the thing in one's hand that an event node belongs to: the one nearest to the node.
    ///
    /// - Parameter systemPath: the node's folder in `/sys`.
    /// - Parameter device: the folder of the USB or HID device, above which there are other things' batteries.
    package func battery(of systemPath: BytePath, device: BytePath) -> Battery? {
        var folder = systemPath
        while folder.bytes.count >= device.bytes.count, folder.bytes.starts(with: device.bytes) {
            let supplies = path(folder).appending("power_supply")
            for name in ((try? directoryNames(supplies)) ?? []).sorted() {
                if let battery = read(supplies.appending(name)) { return battery }
            }
            guard folder.parent.bytes.count < folder.bytes.count else { return nil }
            folder = folder.parent
        }
        return nil
    }

    /// Reads one supply; `nil` for a charger and for a battery that has nothing to say.
    private func read(_ supply: BytePath) -> Battery? {
        func text(_ name: BytePath) -> String? {
            guard let bytes = try? readFile(supply.appending(name), limit: 4096) else { return nil }
            return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
        }
        if let type = text("type"), type != "Battery" { return nil }
        if text("present") == "0" { return nil }
        let status = text("status") ?? "Unknown"
        guard let percent = text("capacity").flatMap(Int.init) ?? text("capacity_level").flatMap(BatteryFolder.percent)
        else { return nil }
        // Before the pad's first report some drivers say this.
        if percent == 0 && status == "Unknown" { return nil }
        return Battery(percent: percent, isCharging: status == "Charging")
    }

    /// What the kernel's five words come to.
    private static func percent(_ level: String) -> Int? {
        switch level {
        case "Critical": 5
        case "Low": 20
        case "Normal": 55
        case "High": 80
        case "Full": 100
        default: nil
        }
    }

    private func path(_ systemPath: BytePath) -> BytePath {
        root.appending(BytePath(bytes: Array(systemPath.bytes.drop { $0 == UInt8(ascii: "/") })))
    }
}
