import Controllers
import EvdevKit

// More pads, as their drivers present them: ids, codes and ranges from the sources of Linux's drivers, from tables that
// `evtest` printed for other people, and from what SDL's database says about the numbers of buttons and axes.

private let hat: [AxisCode: AxisInfo] = [.hat0X: axis(-1, 1), .hat0Y: axis(-1, 1)]
private let byte = axis(0, 255, at: 128)
private let nearByte = axis(0, 255, at: 127)
private let fourSticks: [AxisCode: AxisInfo] = [.x: byte, .y: byte, .z: byte, .rz: byte]
private let twoAxes: [AxisCode: AxisInfo] = [.x: nearByte, .y: nearByte]
private let triggerPair: [AxisCode: AxisInfo] = [.gas: axis(0, 255), .brake: axis(0, 255)]
private let sonyKeys: [ClosedRange<UInt16>] = [0x130...0x131, 0x133...0x134, 0x136...0x13E]
private let xpadKeys: [ClosedRange<UInt16>] = [0x130...0x131, 0x133...0x134, 0x136...0x137, 0x13A...0x13E]
private let noisyStick = AxisInfo(value: 128, minimum: -32768, maximum: 32767, fuzz: 16, flat: 128)
private let switchStick = AxisInfo(value: 0, minimum: -32767, maximum: 32767, fuzz: 250, flat: 500)

private func with(_ tables: [AxisCode: AxisInfo]...) -> [AxisCode: AxisInfo] {
    tables.reduce(into: [:]) { $0.merge($1) { _, new in new } }
}

private let xpadAxes = with(
    hat,
    [
        .x: noisyStick, .y: noisyStick, .rx: noisyStick, .ry: noisyStick, .z: axis(0, 255), .rz: axis(0, 255),
    ])
private let sonyAxes: [AxisCode: AxisInfo] = [
    .x: byte, .y: byte, .rx: byte, .ry: byte, .z: axis(0, 255), .rz: axis(0, 255),
]

// MARK: Sony

let dualShock3 = Device(
    "Sony PLAYSTATION(R)3 Controller", vendor: 0x054C, product: 0x0268, version: 0x8111,
    keys: sonyKeys + [0x220...0x223], axes: sonyAxes)
let playStationClassic = Device(
    "Sony Interactive Entertainment Controller", vendor: 0x054C, product: 0x0CDA, version: 0x0111,
    keys: [0x120...0x129], axes: [.x: axis(0, 2, at: 1), .y: axis(0, 2, at: 1)])
/// An 8BitDo pad in the mode for Macs says that it is one of these.
let dualShock4Bluetooth = Device(
    "Wireless Controller", bus: 5, vendor: 0x054C, product: 0x05C4, version: 0x8100, keys: sonyKeys,
    axes: with(sonyAxes, hat))

// MARK: Nintendo

let switchProUSB = Device(
    "Nintendo Switch Pro Controller", vendor: 0x057E, product: 0x2009, version: 0x8111,
    keys: [0x130...0x131, 0x133...0x13E],
    axes: with(hat, [.x: switchStick, .y: switchStick, .rx: switchStick, .ry: switchStick]))
let joyConLeft = Device(
    "Nintendo Switch Left Joy-Con", bus: 5, vendor: 0x057E, product: 0x2006, version: 0x8001,
    keys: [0x135...0x13A, 0x13D...0x13D, 0x220...0x223], axes: [.x: switchStick, .y: switchStick])
let joyConRight = Device(
    "Nintendo Switch Right Joy-Con", bus: 5, vendor: 0x057E, product: 0x2007, version: 0x8001,
    keys: [0x130...0x131, 0x133...0x134, 0x136...0x139, 0x13B...0x13C, 0x13E...0x13E],
    axes: [.rx: switchStick, .ry: switchStick])
let joyConPair = Device(
    "Nintendo Switch Combined Joy-Cons", bus: 6, vendor: 0x057E, product: 0x2008, version: 0,
    keys: [0x130...0x131, 0x133...0x13E, 0x220...0x223],
    axes: [.x: switchStick, .y: switchStick, .rx: switchStick, .ry: switchStick])
let gameCubeAdapter = Device(
    "MAYFLASH GameCube Controller Adapter", vendor: 0x0079, product: 0x1843, keys: [0x120...0x12F],
    axes: with(fourSticks, [.rx: axis(0, 255), .ry: axis(0, 255)]))
let gameCubeBox = Device(
    "HuiJia  USB GamePad", vendor: 0x1A34, product: 0xF705, keys: [0x120...0x12B],
    axes: with(fourSticks, [.rx: axis(0, 255), .ry: axis(0, 255)]))

// MARK: 8BitDo

let eightBitDoXInput = Device(
    "Microsoft X-Box 360 pad", vendor: 0x045E, product: 0x028E, version: 0x0114, keys: xpadKeys, axes: xpadAxes)
let eightBitDoDirect = Device(
    "8BitDo SN30 Pro", vendor: 0x2DC8, product: 0x6001, version: 0x0111, keys: [0x130...0x13E],
    axes: with(hat, fourSticks, triggerPair))
let eightBitDoSwitch = Device(
    "Pro Controller", bus: 5, vendor: 0x057E, product: 0x2009, version: 0x8001,
    keys: [0x130...0x131, 0x133...0x13E],
    axes: with(hat, [.x: switchStick, .y: switchStick, .rx: switchStick, .ry: switchStick]))
let eightBitDoSN30 = Device(
    "8Bitdo SN30 GamePad", bus: 5, vendor: 0x2DC8, product: 0x2862, version: 0x0100, keys: [0x130...0x13B],
    axes: twoAxes)
let eightBitDoSF30 = Device(
    "8Bitdo SFC30 GamePad", bus: 5, vendor: 0x2DC8, product: 0x2830, version: 0x0100, keys: [0x130...0x13B],
    axes: twoAxes)

// MARK: Logitech and others

let f710 = Device(
    "Logitech Gamepad F710", vendor: 0x046D, product: 0xC21F, version: 0x0305, keys: xpadKeys, axes: xpadAxes)
let f710Direct = Device(
    "Logitech Logitech Cordless RumblePad 2", vendor: 0x046D, product: 0xC219, version: 0x0111,
    keys: [0x120...0x12B], axes: with(hat, fourSticks))
let retrolinkSNES = Device(
    "USB Gamepad ", vendor: 0x0079, product: 0x0011, keys: [0x120...0x129], axes: twoAxes)
let playStation2Adapter = Device(
    "Twin USB Joystick", vendor: 0x0810, product: 0x0001, keys: [0x120...0x12B], axes: with(hat, fourSticks))
let zeroDelayEncoder = Device(
    "DragonRise Inc.   Generic   USB  Joystick  ", vendor: 0x0079, product: 0x0006, keys: [0x120...0x12B],
    axes: with(hat, fourSticks, [.rx: nearByte]))
let steamController = Device(
    "Valve Software Steam Controller", vendor: 0x28DE, product: 0x1102, version: 0x0111,
    keys: [
        0x121...0x122, 0x130...0x131, 0x133...0x134, 0x136...0x13E, 0x150...0x151, 0x220...0x223,
    ],
    axes: [
        .x: axis(-32767, 32767), .y: axis(-32767, 32767),
        .rx: AxisInfo(minimum: -32767, maximum: 32767, fuzz: 256, resolution: 1638),
        .ry: AxisInfo(minimum: -32767, maximum: 32767, fuzz: 256, resolution: 1638),
        .hat0X: AxisInfo(minimum: -32767, maximum: 32767, fuzz: 256, resolution: 1638),
        .hat0Y: AxisInfo(minimum: -32767, maximum: 32767, fuzz: 256, resolution: 1638),
        .hat2X: AxisInfo(minimum: 0, maximum: 255, resolution: 51),
        .hat2Y: AxisInfo(minimum: 0, maximum: 255, resolution: 51),
    ])
let stadia = Device(
    "Google LLC Stadia Controller rev. A", vendor: 0x18D1, product: 0x9400, version: 0x0111,
    keys: xpadKeys + [0x2C0...0x2C3],
    axes: with(
        hat, [.x: axis(1, 255, at: 128), .y: axis(1, 255, at: 128), .z: axis(1, 255, at: 128)],
        [.rz: axis(1, 255, at: 128)], triggerPair))
let luna = Device(
    "Amazon Luna Controller", bus: 5, vendor: 0x0171, product: 0x0419, version: 0x0100,
    keys: [
        0x130...0x131, 0x133...0x134, 0x136...0x137, 0x13B...0x13B, 0x13D...0x13E, 0x9E...0x9E, 0xAC...0xAC,
        0xD9...0xD9,
    ], axes: with(hat, fourSticks, triggerPair))
let gameSir = Device(
    "GameSir-G3w", vendor: 0x20BC, product: 0x5500, version: 0x0111, keys: [0x130...0x13E],
    axes: with(hat, fourSticks, triggerPair))
/// A pull-up panel whose triggers rest at the upper end, as some adapters for old wheels have them.
let invertedTriggers = Device(
    "Adapter with inverted pedals", vendor: 0x1FC9, product: 0x8298, keys: xpadKeys,
    axes: with(
        hat, fourSticks, [.x: byte, .rx: byte, .ry: byte, .z: axis(0, 255, at: 255), .rz: axis(0, 255, at: 255)]))

/// All pads there are tables of.
let allPads: [Device] =
    pads + [
        dualShock3, playStationClassic, dualShock4Bluetooth, switchProUSB, joyConLeft, joyConRight, joyConPair,
        gameCubeAdapter, gameCubeBox, eightBitDoXInput, eightBitDoDirect, eightBitDoSwitch, eightBitDoSN30,
        eightBitDoSF30, f710, f710Direct, retrolinkSNES, playStation2Adapter, zeroDelayEncoder, steamController,
        stadia, luna, gameSir, invertedTriggers,
    ]
