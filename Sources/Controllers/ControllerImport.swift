internal import EvdevKit
public import SystemKit

/// What somebody brings along from elsewhere: profiles of ours, `es_input.cfg`, lines of `gamecontrollerdb.txt`, or
/// RetroArch's autoconfig files.
public struct ControllerImport: Sendable {
    enum Record: Sendable {
        case profile(PadProfile)
        /// SDL's numbers: of a pad that is plugged in they become a profile, of others a line of the database.
        case numbers(SDLMapping)
        case line(String)
        case retroArch(RetroArchImport)
    }

    /// What became of it.
    public struct Outcome: Sendable, Equatable {
        /// How many became profiles.
        public var profiles = 0
        /// How many became lines of the person's database, for when their pad is plugged in.
        public var lines = 0
        /// How many mean something only while their pad is plugged in, and it is not.
        public var waiting = 0

        /// Nothing yet.
        public init() {}
    }

    let records: [Record]
    /// What could not be used.
    public let problems: [ProfileProblem]

    /// How many kinds of pads it is about.
    public var count: Int { records.count }

    /// Reads a file of any of the kinds, which its content tells.
    ///
    /// - Throws: `ControllerError` where it cannot be read or is none of them.
    public init(file: BytePath) throws(ControllerError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try readRegularFile(file, limit: GameControllerDatabase.limit)
        } catch {
            throw .file(error)
        }
        try self.init(contents: bytes, file: file)
    }

    init(contents: [UInt8], file: BytePath) throws(ControllerError) {
        let text = String(
            decoding: contents.starts(with: [0xEF, 0xBB, 0xBF]) ? contents.dropFirst(3) : contents[...], as: UTF8.self)
        var records: [Record] = []
        var problems: [ProfileProblem] = []
        switch text.first(where: { !$0.isWhitespace }) {
        case "<":
            let input = ESInputFile(contents: contents, file: file)
            problems = input.problems
            for device in input.devices {
                if let mapping = device.sdlMapping {
                    records.append(.numbers(mapping))
                } else {
                    problems.append(
                        ProfileProblem(file: file, reason: "the keys of \"\(device.name)\" are not taken over"))
                }
            }
        case "{":
            var reasons: [String] = []
            if let profile = PadProfile(fileContents: contents, report: { reasons.append($0) }) {
                records.append(.profile(profile))
            }
            problems = reasons.map { ProfileProblem(file: file, reason: $0) }
        default:
            if let retroArch = RetroArchImport(text) {
                records.append(.retroArch(retroArch))
            } else {
                (records, problems) = ControllerImport.lines(text, file: file)
            }
        }
        guard !records.isEmpty else {
            throw .notUnderstood(
                file: file, reason: problems.first.map(\.reason) ?? "it has nothing about controllers under Linux")
        }
        self.records = records
        self.problems = problems
    }

    private static func lines(_ text: String, file: BytePath) -> ([Record], [ProfileProblem]) {
        var records: [Record] = []
        var problems: [ProfileProblem] = []
        for (index, line) in text.lines.enumerated() {
            do throws(SDLMapping.Fault) {
                guard let mapping = try SDLMapping(line) else { continue }
                for reason in mapping.faults {
                    problems.append(ProfileProblem(file: file, line: index + 1, reason: reason))
                }
                records.append(.line(String(line.trimmed)))
            } catch {
                problems.append(ProfileProblem(file: file, line: index + 1, reason: error.reason))
            }
        }
        return (records, problems)
    }
}

/// RetroArch's description of a pad: RetroArch's numbers, which need the device to mean something.
struct RetroArchImport: Sendable {
    let name: String
    let vendor: UInt16?
    let product: UInt16?
    private let values: [String: String]

    /// Reads a file; `nil` where it is no description for the udev driver.
    init?(_ text: String) {
        var values: [String: String] = [:]
        for line in text.lines {
            guard let equals = line.firstIndex(of: "="), line.first != "#" else { continue }
            let value = line[line.index(after: equals)...].trimmed
            values[String(line[..<equals].trimmed)] = String(value.drop { $0 == "\"" }.prefix { $0 != "\"" })
        }
        guard values["input_driver"] == "udev", values["input_device"] ?? values["input_vendor_id"] != nil else {
            return nil
        }
        name = values["input_device"] ?? ""
        vendor = values["input_vendor_id"].flatMap { UInt16($0) }
        product = values["input_product_id"].flatMap { UInt16($0) }
        self.values = values
    }

    /// Whether RetroArch would use it for a device: the ids and the name where both are given.
    func isAbout(_ facts: DeviceFacts) -> Bool {
        if let vendor, let product, (vendor, product) != (facts.identity.vendor, facts.identity.product) {
            return false
        }
        return name.isEmpty || name == facts.name
    }

    func mapping(for capabilities: Capabilities) -> PadMapping {
        let numbering = RetroArchNumbering(capabilities)
        var controls: [String: Control] = [:]
        for code in numbering.buttons.keys { add(.key(code), numbering, to: &controls) }
        for code in capabilities.axes.keys {
            add(.axis(code, .negative), numbering, to: &controls)
            add(.axis(code, .positive), numbering, to: &controls)
        }
        var mapping = PadMapping()
        for function in PadFunction.allCases {
            guard let entry = function == .hotkey ? "enable_hotkey" : retroArchName(of: function) else { continue }
            for kind in ["btn", "axis"] {
                guard let value = values["input_\(entry)_\(kind)"], let control = controls["\(kind) \(value)"] else {
                    continue
                }
                mapping.add(control, for: function)
                guard function == .l2 || function == .r2, case .axis(let code, let side) = control, !code.isHat else {
                    continue
                }
                mapping.travels[code] = AxisTravel(rest: side == .positive ? .minimum : .maximum)
            }
        }
        return mapping
    }

    private func add(_ control: Control, _ numbering: RetroArchNumbering, to controls: inout [String: Control]) {
        if let bound = numbering.value(of: control) { controls["\(bound.kind) \(bound.value)"] = control }
    }
}

extension String {
    /// The lines, of any system: to Swift, a carriage return and a line feed are one character.
    fileprivate var lines: [Substring] { split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }
}
