internal import EvdevKit

/// One line of `gamecontrollerdb.txt`.
struct SDLMapping: Sendable {
    /// Something in a line that is not understood; the rest of the line holds.
    struct Fault: Error {
        let reason: String
    }

    let guid: ControllerGUID
    let name: String
    /// The mapping is only for devices with this sum over the name.
    let nameSum: UInt16?
    let fields: [(name: String, input: SDLInput)]
    private(set) var faults: [String] = []

    /// Reads a line.
    ///
    /// - Returns: `nil` for a comment, an empty line, and one for another system or another kind of labels.
    /// - Throws: why nothing of it can be used.
    init?(_ line: Substring) throws(Fault) {
        guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { return nil }
        let parts = line.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { throw Fault(reason: "it has no GUID, name and mappings with commas between") }
        guard var guid = ControllerGUID(String(parts[0].trimmed)) else {
            throw Fault(reason: "\"\(parts[0].trimmed)\" is no GUID of 32 hexadecimal digits")
        }
        var sum: UInt16? = guid.nameSum == 0 ? nil : guid.nameSum
        guid.nameSum = 0
        var fields: [(name: String, input: SDLInput)] = []
        var platform: Substring?
        for part in parts.dropFirst(2) where !part.trimmed.isEmpty {
            guard let colon = part.firstIndex(of: ":") else {
                faults.append("\"\(part.trimmed)\" has no colon")
                continue
            }
            let key = part[..<colon].trimmed
            let value = part[part.index(after: colon)...].trimmed
            switch key {
            case "platform": platform = value
            case "crc": sum = UInt16(value, radix: 16) ?? sum
            case "hint":
                if !SDLMapping.isWanted(hint: value) { return nil }
            // Only newer than any version that is out.
            case "sdk<=": return nil
            case "sdk>=", "type": break
            default:
                if value.isEmpty { continue }
                guard let input = SDLInput(value) else {
                    faults.append("\"\(value)\" at \"\(key)\" is no button, axis or hat")
                    continue
                }
                fields.append((String(key), input))
            }
        }
        // SDL itself, asked for one mapping, may leave the platform out: then it is this one's.
        guard platform == nil || platform == "Linux" else { return nil }
        guard !fields.isEmpty else { throw Fault(reason: "it maps nothing") }
        self.guid = guid
        self.name = String(parts[1])
        self.nameSum = sum
        self.fields = fields
    }

    init(guid: ControllerGUID, name: String, nameSum: UInt16?, fields: [(name: String, input: SDLInput)]) {
        self.guid = guid
        self.name = name
        self.nameSum = nameSum
        self.fields = fields
    }

    /// The line.
    var text: String {
        var parts = [guid.description, label]
        if let nameSum { parts.append("crc:" + hexadecimal(nameSum)) }
        parts += fields.sorted { $0.name < $1.name }.map { "\($0.name):\($0.input.text)" }
        return (parts + ["platform:Linux"]).joined(separator: ",") + ","
    }

    /// The name as one field of one line. SDL compares bytes, so an accent behind a comma hides none.
    private var label: String {
        let words = name.unicodeScalars.split { $0 == "," || $0.properties.isWhitespace || $0.value < 0x20 }
        return words.isEmpty ? "Controller" : words.map { String($0) }.joined(separator: " ")
    }

    /// Lines of Nintendo's pads come twice: by what is printed, and by position as on an Xbox pad, which is meant here.
    private static func isWanted(hint: Substring) -> Bool {
        var name = hint.prefix { $0 != ":" }
        let isNegated = name.first == "!"
        if isNegated { name.removeFirst() }
        guard name == "SDL_GAMECONTROLLER_USE_BUTTON_LABELS" else { return hint.hasSuffix(":=1") != isNegated }
        return isNegated
    }

    /// What it means for a device: bindings to controls that the device lacks are left out.
    func mapping(for capabilities: Capabilities) -> PadMapping {
        let numbering = SDLNumbering(capabilities)
        var mapping = PadMapping()
        for (name, input) in fields {
            if case .axis(let number, let half, let isInverted) = input {
                guard let code = numbering.axis(number), let info = capabilities.axes[code],
                    info.maximum > info.minimum
                else { continue }
                let axis = SDLAxis(code: code, info: info, half: half, isInverted: isInverted)
                axis.add(to: &mapping, field: name)
            } else if let control = numbering.control(of: input), let function = SDLMapping.functions[name] {
                mapping.add(control, for: function)
            } else if let control = numbering.control(of: input), let function = SDLMapping.halves[name] {
                // A stick of four buttons.
                mapping.add(control, for: function)
            }
        }
        mapping.useStickAsDpad()
        return mapping
    }

    static let functions: [String: PadFunction] = [
        "a": .south, "b": .east, "x": .west, "y": .north, "back": .select, "start": .start, "guide": .guide,
        "leftshoulder": .l, "rightshoulder": .r, "lefttrigger": .l2, "righttrigger": .r2, "leftstick": .l3,
        "rightstick": .r3, "dpup": .up, "dpdown": .down, "dpleft": .left, "dpright": .right,
        // Ours: SDL has no such thing and passes over it.
        "hotkey": .hotkey,
    ]
    static let halves: [String: PadFunction] = [
        "-leftx": .leftLeft, "+leftx": .leftRight, "-lefty": .leftUp, "+lefty": .leftDown, "-rightx": .rightLeft,
        "+rightx": .rightRight, "-righty": .rightUp, "+righty": .rightDown,
    ]
    static let sticks: [String: (negative: PadFunction, positive: PadFunction)] = [
        "leftx": (.leftLeft, .leftRight), "lefty": (.leftUp, .leftDown), "rightx": (.rightLeft, .rightRight),
        "righty": (.rightUp, .rightDown),
    ]
}

/// An axis of a mapping, applied to a device's.
private struct SDLAxis {
    let code: AxisCode
    let info: AxisInfo
    let half: AxisDirection?
    let isInverted: Bool

    func add(to mapping: inout PadMapping, field: String) {
        if let (negative, positive) = SDLMapping.sticks[field] {
            if let half {
                // Half an axis that moves a whole stick from end to end: as good as its one direction.
                mapping.add(.axis(code, half), for: isInverted ? negative : positive)
            } else {
                mapping.add(.axis(code, isInverted ? .positive : .negative), for: negative)
                mapping.add(.axis(code, isInverted ? .negative : .positive), for: positive)
            }
            return
        }
        guard let function = SDLMapping.functions[field] ?? SDLMapping.halves[field] else { return }
        let middle = Int32((Int64(info.minimum) + Int64(info.maximum)) / 2)
        switch (half, isInverted) {
        case (nil, false):
            mapping.add(.axis(code, .positive), for: function)
            mapping.travels[code] = AxisTravel(rest: .minimum)
        case (nil, true):
            mapping.add(.axis(code, .negative), for: function)
            mapping.travels[code] = AxisTravel(rest: .maximum)
        case (let half?, false): mapping.add(.axis(code, half), for: function)
        // From the end back to the middle.
        case (.positive?, true):
            mapping.add(.axis(code, .negative), for: function)
            mapping.travels[code] = AxisTravel(rest: .maximum, minimum: middle)
        case (.negative?, true):
            mapping.add(.axis(code, .positive), for: function)
            mapping.travels[code] = AxisTravel(rest: .minimum, maximum: middle)
        }
    }
}

extension PadMapping {
    /// A pad without a D-pad has its stick in that place, which is how all of us treat it.
    fileprivate mutating func useStickAsDpad() {
        let pairs = Array(zip(PadFunction.dpad, PadFunction.leftStick))
        guard pairs.allSatisfy({ controls[$0.0] == nil && controls[$0.1] != nil }) else { return }
        for (dpad, stick) in pairs { controls[dpad] = controls.removeValue(forKey: stick) }
    }
}

extension Substring {
    /// Without blanks at both ends, and without the carriage return of other systems.
    var trimmed: Substring {
        var result = self
        while result.first?.isWhitespace == true { result.removeFirst() }
        while result.last?.isWhitespace == true { result.removeLast() }
        return result
    }
}
