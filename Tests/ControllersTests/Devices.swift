import Controllers
import EvdevKit
import SystemKit
import Testing

/// A device as its driver presents it, written down from public tables of capabilities.
struct Device: Sendable, CustomTestStringConvertible {
    let name: String
    let identity: PadIdentity
    let capabilities: Capabilities

    var testDescription: String { name }

    init(
        _ name: String, bus: UInt16 = 3, vendor: UInt16, product: UInt16, version: UInt16 = 0x0110,
        keys: [ClosedRange<UInt16>] = [], axes: [AxisCode: AxisInfo] = [:], relative: Set<UInt16> = [],
        properties: Set<InputProperty> = []
    ) {
        self.name = name
        identity = PadIdentity(bus: bus, vendor: vendor, product: product, version: version)
        capabilities = Capabilities(
            keys: Set(keys.joined().map(KeyCode.init(rawValue:))), axes: axes, relative: relative,
            properties: properties)
    }

    var facts: DeviceFacts { DeviceFacts(name: name, identity: identity, capabilities: capabilities) }

    var info: PadInfo { PadInfo(id: 1, node: "/dev/input/event0", unmapped: facts) }

    var interpreter: PadInterpreter {
        PadInterpreter(capabilities: capabilities, mapping: info.mapping)
    }
}

func axis(_ minimum: Int32, _ maximum: Int32, at value: Int32 = 0) -> AxisInfo {
    AxisInfo(value: value, minimum: minimum, maximum: maximum)
}

private let hat: [AxisCode: AxisInfo] = [.hat0X: axis(-1, 1), .hat0Y: axis(-1, 1)]
private let fullStick = axis(-32768, 32767)
private let byteStick = axis(0, 255, at: 128)

private func with(_ tables: [AxisCode: AxisInfo]...) -> [AxisCode: AxisInfo] {
    tables.reduce(into: [:]) { $0.merge($1) { _, new in new } }
}

private let xpadKeys: [ClosedRange<UInt16>] = [0x130...0x131, 0x133...0x134, 0x136...0x137, 0x13A...0x13E]
private let sonyKeys: [ClosedRange<UInt16>] = [0x130...0x131, 0x133...0x134, 0x136...0x13E]

private func xpadAxes(triggers: Int32) -> [AxisCode: AxisInfo] {
    with(
        hat,
        [
            .x: fullStick, .y: fullStick, .rx: fullStick, .ry: fullStick, .z: axis(0, triggers),
            .rz: axis(0, triggers),
        ])
}

private let sonyAxes = with(
    hat,
    [.x: byteStick, .y: byteStick, .rx: byteStick, .ry: byteStick, .z: axis(0, 255), .rz: axis(0, 255)])

let xbox360 = Device(
    "Microsoft X-Box 360 pad", vendor: 0x045E, product: 0x028E, keys: xpadKeys, axes: xpadAxes(triggers: 255))
let xboxOne = Device(
    "Microsoft X-Box One S pad", vendor: 0x045E, product: 0x02EA, version: 0x0301, keys: xpadKeys,
    axes: xpadAxes(triggers: 1023))
let xboxBluetooth = Device(
    "Xbox Wireless Controller", bus: 5, vendor: 0x045E, product: 0x0B13, version: 0x0507,
    keys: [0x130...0x13E, 0xA7...0xA7],
    axes: with(
        hat,
        [
            .x: axis(0, 65535, at: 32768), .y: axis(0, 65535, at: 32768), .z: axis(0, 65535, at: 32768),
            .rz: axis(0, 65535, at: 32768), .gas: axis(0, 1023), .brake: axis(0, 1023),
        ]))
let xbox360Wireless = Device(
    "Xbox 360 Wireless Receiver", vendor: 0x045E, product: 0x0719, version: 0x0100, keys: xpadKeys + [0x2C0...0x2C3],
    axes: xpadAxes(triggers: 255))
let dualShock4 = Device(
    "Sony Interactive Entertainment Wireless Controller", vendor: 0x054C, product: 0x09CC, version: 0x8111,
    keys: sonyKeys,
    axes: sonyAxes)
let dualShock4Motion = Device(
    "Sony Interactive Entertainment Wireless Controller Motion Sensors", vendor: 0x054C, product: 0x09CC,
    axes: [
        .x: fullStick, .y: fullStick, .z: fullStick, .rx: axis(-2_097_152, 2_097_152),
        .ry: axis(-2_097_152, 2_097_152), .rz: axis(-2_097_152, 2_097_152),
    ], properties: [.accelerometer])
let dualShock4Touchpad = Device(
    "Sony Interactive Entertainment Wireless Controller Touchpad", vendor: 0x054C, product: 0x09CC,
    keys: [0x110...0x110, 0x145...0x145, 0x14A...0x14A, 0x14D...0x14D],
    axes: [.x: axis(0, 1919), .y: axis(0, 941), .touchSlot: axis(0, 1), .touchX: axis(0, 1919)],
    properties: [.pointer, .buttonPad])
let dualSense = Device(
    "Sony Interactive Entertainment DualSense Wireless Controller", vendor: 0x054C, product: 0x0CE6, version: 0x8111,
    keys: sonyKeys,
    axes: with(sonyAxes, [.z: axis(0, 255, at: 128), .rz: axis(0, 255, at: 128)]))
let switchPro = Device(
    "Nintendo Switch Pro Controller", bus: 5, vendor: 0x057E, product: 0x2009, version: 0x8001,
    keys: [0x130...0x131, 0x133...0x13E],
    axes: with(
        hat,
        [
            .x: axis(-32767, 32767), .y: axis(-32767, 32767), .rx: axis(-32767, 32767), .ry: axis(-32767, 32767),
        ]))
let eightBitDo = Device(
    "8BitDo SN30 Pro", bus: 5, vendor: 0x2DC8, product: 0x6101, version: 0x0100, keys: [0x130...0x13E],
    axes: with(
        hat,
        [.x: byteStick, .y: byteStick, .z: byteStick, .rz: byteStick, .gas: axis(0, 255), .brake: axis(0, 255)]))
let f310 = Device(
    "Logitech Gamepad F310", vendor: 0x046D, product: 0xC21D, version: 0x4014, keys: xpadKeys,
    axes: xpadAxes(triggers: 255))
let f310Direct = Device(
    "Logitech Logitech Dual Action", vendor: 0x046D, product: 0xC216, keys: [0x120...0x12B],
    axes: with(hat, [.x: byteStick, .y: byteStick, .z: byteStick, .rz: byteStick]))
let dragonRise = Device(
    "DragonRise Inc.   Generic   USB  Joystick  ", vendor: 0x0079, product: 0x0006, keys: [0x120...0x12B],
    axes: with(
        hat, [.x: axis(0, 255, at: 127), .y: axis(0, 255, at: 127), .z: axis(0, 255, at: 127), .rz: byteStick]))
let snesAdapter = Device(
    "USB gamepad           ", vendor: 0x0810, product: 0xE501, keys: [0x120...0x129],
    axes: [.x: axis(0, 255, at: 127), .y: axis(0, 255, at: 127)])
let buffaloSNES = Device(
    "USB,2-axis 8-button gamepad  ", vendor: 0x0583, product: 0x2060, keys: [0x120...0x127],
    axes: [.x: axis(0, 255, at: 128), .y: axis(0, 255, at: 128)])
let arcadeEncoder = Device(
    "Xin-Mo Xin-Mo Dual Arcade", vendor: 0x16C0, product: 0x05E1, keys: [0x120...0x12A],
    axes: [.x: axis(-1, 1), .y: axis(-1, 1)])
let oneButtonStick = Device(
    "Retro Joystick Adapter", vendor: 0x1209, product: 0x0001, keys: [0x120...0x120],
    axes: [.x: axis(0, 255, at: 127), .y: axis(0, 255, at: 127)])
let dpadButtonsPad = Device(
    "Pad with four buttons for directions", vendor: 0x20D6, product: 0x0001,
    keys: [0x130...0x131, 0x133...0x134, 0x13A...0x13B, 0x220...0x223])
let doubleDpadPad = Device(
    "Pad with hat and buttons for directions", vendor: 0x20D6, product: 0x0002,
    keys: [0x130...0x131, 0x13A...0x13B, 0x220...0x223], axes: hat)

let pads: [Device] = [
    xbox360, xboxOne, xboxBluetooth, xbox360Wireless, dualShock4, dualSense, switchPro, eightBitDo, f310, f310Direct,
    dragonRise, snesAdapter, buffaloSNES, arcadeEncoder, oneButtonStick, dpadButtonsPad, doubleDpadPad,
]

/// The codes of an ordinary keyboard.
private let keyboardKeys: [ClosedRange<UInt16>] = [1...83, 86...88, 96...111, 113...119, 125...127]

let plainKeyboard = Device("AT Translated Set 2 keyboard", bus: 0x11, vendor: 1, product: 1, keys: keyboardKeys)
let liteOnKeyboard = Device(
    "LITEON Technology USB Multimedia Keyboard", vendor: 0x04CA, product: 0x004B,
    keys: keyboardKeys + [0x120...0x120, 0x124...0x126], axes: [AxisCode(rawValue: 0x20): axis(0, 652)])
let arcadeKeyboard = Device(
    "XGaming X-Arcade", vendor: 0xAA55, product: 0x0101, keys: keyboardKeys,
    axes: [.x: axis(-127, 127), .y: axis(-127, 127)])
let remoteControl = Device(
    "vc4-hdmi", bus: 0x1E, vendor: 0, product: 0, keys: [1...11, 103...103, 105...106, 108...108, 352...352, 174...174])
let keyboards: [Device] = [plainKeyboard, liteOnKeyboard, arcadeKeyboard, remoteControl]

let others: [(Device, DeviceKind.Reason)] = [
    (dualShock4Motion, .motionSensor),
    (dualShock4Touchpad, .touch),
    (
        Device(
            "ST LIS3LV02DL Accelerometer", bus: 0x19, vendor: 0, product: 0,
            axes: [.x: axis(-54, 54), .y: axis(-54, 54), .z: axis(-54, 54)]), .noButtons
    ),
    (
        Device(
            "SynPS/2 Synaptics TouchPad", bus: 0x11, vendor: 2, product: 7, keys: [0x100...0x103, 0x110...0x111],
            axes: [.x: axis(1472, 5472), .y: axis(1408, 4448), .touchX: axis(1472, 5472)],
            properties: [.semiTouch]), .touch
    ),
    (
        Device(
            "A4Tech USB Mouse", vendor: 0x09DA, product: 0x9090, keys: [0x110...0x117, 0x120...0x121, 0x130...0x133],
            axes: [AxisCode(rawValue: 0x28): axis(0, 255)], relative: [0, 1, 8]), .mouse
    ),
    (
        Device(
            "Keychron K2 System Control", vendor: 0x05AC, product: 0x024F, keys: [116...116, 142...143]), .mediaKeys
    ),
    (
        Device(
            "Keychron K2 Consumer Control", vendor: 0x05AC, product: 0x024F,
            keys: [110...110, 113...115, 140...140, 155...155, 164...164, 0x120...0x12F],
            axes: [.x: axis(0, 255), .y: axis(0, 255)]), .mediaKeys
    ),
    (
        Device(
            "Wacom Bamboo Pad", vendor: 0x056A, product: 0x00D1, keys: [0x100...0x103, 0x14B...0x14B],
            axes: [.x: axis(0, 1), .y: axis(0, 1)]), .touch
    ),
    (Device("Foot pedals", vendor: 0x0C45, product: 0x7403, keys: [0x120...0x122]), .noDirections),
]
