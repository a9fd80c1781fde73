internal import EvdevKit
public import SystemKit
internal import XMLKit

/// EmulationStation's `es_input.cfg`: which of SDL's numbers have which functions, a part for each kind of device.
public struct ESInputFile: Sendable, Equatable {
    /// One control.
    public struct Input: Sendable, Equatable {
        /// EmulationStation's name of the function.
        public let name: String
        /// `button`, `hat`, `axis` or `key`.
        public let type: String
        /// SDL's number.
        public let id: Int
        /// A hat's direction, or to which side an axis is moved.
        public let value: Int
    }

    /// One kind of device.
    public struct Device: Sendable, Equatable {
        /// `joystick` or `keyboard`.
        public let type: String
        /// What SDL calls it.
        public let name: String
        /// SDL's sixteen bytes, or `-1` for a keyboard.
        public let guid: String
        /// Its controls.
        public internal(set) var inputs: [Input]
    }

    /// The devices, in the order of the file.
    public private(set) var devices: [Device] = []
    /// What could not be used.
    public private(set) var problems: [ProfileProblem] = []

    /// A file about pads; a keyboard, or a pad of which SDL sees nothing, is left out.
    public init(pads: [PadInfo]) {
        devices = pads.compactMap(Device.init(pad:))
    }

    /// Reads a file, record by record: a damaged one costs itself, and of a file that was cut off the beginning holds.
    public init(contents: [UInt8], file: BytePath) {
        var reader = ESReader(file: file)
        let fault = readXML(contents) { reader.handle($0) }
        reader.finish(fault)
        devices = reader.devices
        problems = reader.problems
    }

    /// The file's bytes.
    public var contents: [UInt8] {
        var lines = ["<?xml version=\"1.0\"?>", "<inputList>"]
        for device in devices {
            lines.append(
                "  <inputConfig type=\"\(xmlAttribute(device.type))\" deviceName=\"\(xmlAttribute(device.name))\""
                    + " deviceGUID=\"\(xmlAttribute(device.guid))\">")
            for input in device.inputs.sorted(by: { $0.name < $1.name }) {
                lines.append(
                    "    <input name=\"\(xmlAttribute(input.name))\" type=\"\(xmlAttribute(input.type))\""
                        + " id=\"\(input.id)\" value=\"\(input.value)\" />")
            }
            lines.append("  </inputConfig>")
        }
        lines.append("</inputList>")
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}

/// Puts the file together out of its elements.
private struct ESReader {
    let file: BytePath
    var devices: [ESInputFile.Device] = []
    var problems: [ProfileProblem] = []
    private var current: ESInputFile.Device?
    private var isList = false

    init(file: BytePath) { self.file = file }

    mutating func handle(_ event: XMLEvent) {
        switch event {
        case .start("inputList", _, _): isList = true
        case .start("inputConfig", let attributes, let line):
            guard let guid = attributes["deviceGUID"] else {
                return report("a device without its GUID", line)
            }
            current = ESInputFile.Device(
                type: attributes["type"] ?? "joystick", name: attributes["deviceName"] ?? "", guid: guid, inputs: [])
        case .start("input", let attributes, let line): add(attributes, line)
        case .end("inputConfig"): finishDevice()
        case .start, .end: break
        }
    }

    private mutating func add(_ attributes: [String: String], _ line: Int) {
        guard current != nil else { return }
        guard let name = attributes["name"]?.lowercased(), let type = attributes["type"]?.lowercased(),
            let id = attributes["id"].flatMap({ Int($0) })
        else { return report("an input without its name, type or number", line) }
        guard ["button", "hat", "axis", "key"].contains(type), id >= 0 else {
            return report("no input of type \"\(type)\" and number \(id) is known", line)
        }
        let value = attributes["value"].flatMap { Int($0) } ?? 1
        current?.inputs.append(ESInputFile.Input(name: name, type: type, id: id, value: value))
    }

    private mutating func finishDevice() {
        if let device = current, !device.inputs.isEmpty { devices.append(device) }
        current = nil
    }

    mutating func finish(_ fault: XMLFault?) {
        // What was read of the last device before the fault is worth keeping.
        finishDevice()
        if let fault { report(fault.reason, fault.line) }
        if !isList, fault == nil { report("it has no inputList", nil) }
    }

    private mutating func report(_ reason: String, _ line: Int?) {
        problems.append(ProfileProblem(file: file, line: line, reason: reason))
    }
}

// MARK: Meaning

/// EmulationStation's names, those that are written first; its letters are those of a Super Nintendo's pad.
private let functions: [(name: String, field: String, function: PadFunction)] = [
    ("up", "dpup", .up), ("down", "dpdown", .down), ("left", "dpleft", .left), ("right", "dpright", .right),
    ("a", "b", .east), ("b", "a", .south), ("x", "y", .north), ("y", "x", .west), ("start", "start", .start),
    ("select", "back", .select), ("leftshoulder", "leftshoulder", .l), ("rightshoulder", "rightshoulder", .r),
    ("lefttrigger", "lefttrigger", .l2), ("righttrigger", "righttrigger", .r2), ("leftthumb", "leftstick", .l3),
    ("rightthumb", "rightstick", .r3), ("leftanalogup", "-lefty", .leftUp), ("leftanalogdown", "+lefty", .leftDown),
    ("leftanalogleft", "-leftx", .leftLeft), ("leftanalogright", "+leftx", .leftRight),
    ("rightanalogup", "-righty", .rightUp), ("rightanalogdown", "+righty", .rightDown),
    ("rightanalogleft", "-rightx", .rightLeft), ("rightanalogright", "+rightx", .rightRight),
    ("hotkeyenable", "hotkey", .hotkey),
]

/// Names of older versions and of relatives.
private let otherNames: [String: String] = [
    "pageup": "leftshoulder", "pagedown": "rightshoulder", "leftbottom": "leftshoulder",
    "rightbottom": "rightshoulder", "lefttop": "lefttrigger", "righttop": "righttrigger", "l2": "lefttrigger",
    "r2": "righttrigger", "l3": "leftstick", "r3": "rightstick", "hotkey": "hotkey",
]

/// Relatives that name one direction of a stick only.
private let halfSticks: [String: (field: String, opposite: String)] = [
    "joystick1up": ("-lefty", "+lefty"), "joystick1left": ("-leftx", "+leftx"),
    "joystick2up": ("-righty", "+righty"), "joystick2left": ("-rightx", "+rightx"),
]

extension ESInputFile.Device {
    fileprivate init?(pad: PadInfo) {
        guard pad.family != .keyboard else { return nil }
        let numbering = SDLNumbering(pad.capabilities)
        var inputs: [ESInputFile.Input] = []
        for (name, _, function) in functions {
            var controls = pad.mapping.controls[function] ?? []
            if function == .hotkey { controls = pad.modifierControls ?? [] }
            guard let input = controls.lazy.compactMap({ numbering.esInput(named: name, for: $0) }).first else {
                continue
            }
            inputs.append(input)
        }
        guard !inputs.isEmpty else { return nil }
        self.init(
            type: "joystick", name: ControllerGUID.name(of: pad.facts),
            guid: ControllerGUID(for: pad.facts).description, inputs: inputs)
    }

    /// The same in SDL's words, which a device's capabilities turn into controls; `nil` for a keyboard.
    var sdlMapping: SDLMapping? {
        guard type == "joystick", var guid = ControllerGUID(guid) else { return nil }
        let sum = guid.nameSum
        guid.nameSum = 0
        var fields: [(name: String, input: SDLInput)] = []
        for input in inputs {
            let field = functions.first { $0.name == input.name }?.field ?? otherNames[input.name]
            if let field, let sdl = sdlInput(input, field: field), !fields.contains(where: { $0.name == field }) {
                fields.append((field, sdl))
            } else if let (field, opposite) = halfSticks[input.name], input.type == "axis",
                SDLInput.numbers.contains(input.id)
            {
                let side: AxisDirection = input.value < 0 ? .negative : .positive
                fields.append((field, .axis(input.id, half: side, isInverted: false)))
                fields.append((opposite, .axis(input.id, half: side.opposite, isInverted: false)))
            } else if let (field, opposite) = halfSticks[input.name], input.type == "hat",
                let one = sdlInput(input, field: field), case .hat(let id, let direction) = one
            {
                fields.append((field, one))
                fields.append((opposite, .hat(id, direction: direction < 4 ? direction * 4 : direction / 4)))
            }
        }
        guard !fields.isEmpty else { return nil }
        return SDLMapping(guid: guid, name: name, nameSum: sum == 0 ? nil : sum, fields: fields)
    }

    private func sdlInput(_ input: ESInputFile.Input, field: String) -> SDLInput? {
        guard SDLInput.numbers.contains(input.id) else { return nil }
        switch input.type {
        case "button": return .button(input.id)
        case "hat": return [1, 2, 4, 8].contains(input.value) ? .hat(input.id, direction: input.value) : nil
        case "axis":
            let side: AxisDirection = input.value < 0 ? .negative : .positive
            // The file does not say where an axis rests: a trigger that has it for itself rests at an end.
            let isShared = inputs.contains {
                $0.type == "axis" && $0.id == input.id && ($0.value < 0) != (side == .negative)
            }
            if field.hasSuffix("trigger"), !isShared {
                return .axis(input.id, half: nil, isInverted: side == .negative)
            }
            return .axis(input.id, half: side, isInverted: false)
        default: return nil
        }
    }
}

extension SDLNumbering {
    fileprivate func esInput(named name: String, for control: Control) -> ESInputFile.Input? {
        switch (input(for: control, travel: nil), control) {
        case (.button(let id)?, _): return ESInputFile.Input(name: name, type: "button", id: id, value: 1)
        case (.hat(let id, let direction)?, _):
            return ESInputFile.Input(name: name, type: "hat", id: id, value: direction)
        case (.axis(let id, _, _)?, .axis(_, let side)):
            return ESInputFile.Input(name: name, type: "axis", id: id, value: side == .negative ? -1 : 1)
        default: return nil
        }
    }
}
