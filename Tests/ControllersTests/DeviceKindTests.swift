import Controllers
import EvdevKit
import Testing

@Suite("What a device is")
struct DeviceKindTests {
    @Test("pads and joysticks are pads", arguments: pads)
    func padsArePads(device: Device) {
        #expect(DeviceKind(of: device.capabilities) == .pad)
    }

    @Test(
        "B044: keyboards and remote controls are keyboards, whatever joystick buttons they claim", arguments: keyboards)
    func keyboardsAreKeyboards(device: Device) {
        #expect(DeviceKind(of: device.capabilities) == .keyboard)
    }

    @Test("B044: motion sensors, touchpads, mice and media keys are no players", arguments: others.indices)
    func othersAreNeither(index: Int) {
        let (device, reason) = others[index]
        #expect(DeviceKind(of: device.capabilities) == .other(reason), "\(device.name)")
    }

    @Test("B044: a keyboard that claims all of a gamepad's buttons, too, is a keyboard")
    func claimsAll() {
        let keyboard = Device(
            "Keyboard that says yes to everything", vendor: 0x1234, product: 1, keys: [1...127, 0x120...0x13E],
            axes: [.x: axis(0, 255), .y: axis(0, 255), .hat0X: axis(-1, 1), .hat0Y: axis(-1, 1)])
        #expect(DeviceKind(of: keyboard.capabilities) == .keyboard)
    }

    @Test("B043: of the three nodes of a DualShock 4 exactly one plays, and all three are one device")
    func oneDeviceOnePlayer() {
        let nodes = [dualShock4, dualShock4Motion, dualShock4Touchpad]
        #expect(nodes.filter { DeviceKind(of: $0.capabilities) == .pad }.map(\.name) == [dualShock4.name])
        let groups = nodes.map {
            deviceGroup(
                unique: "1c:66:6d:00:00:01", physicalPath: "usb-3f980000.usb-1.2/input3", identity: $0.identity,
                physicalDevice: nil)
        }
        #expect(Set(groups).count == 1)
    }

    @Test("two equal pads are two devices, by address over Bluetooth and by port otherwise")
    func equalPadsAreTold() {
        func group(_ device: Device, unique: String = "", path: String = "") -> String {
            deviceGroup(unique: unique, physicalPath: path, identity: device.identity, physicalDevice: nil)
        }
        #expect(group(xbox360, path: "usb-1.1/input0") != group(xbox360, path: "usb-1.2/input0"))
        #expect(
            group(switchPro, unique: "AA:BB:CC:00:11:22", path: "b8:27:eb:00:00:00")
                == group(switchPro, unique: "aa:bb:cc:00:11:22", path: "b8:27:eb:00:00:01"))
        #expect(group(switchPro, unique: "aa:bb:cc:00:11:22") != group(switchPro, unique: "aa:bb:cc:00:11:23"))
    }

    @Test("sysfs bitmaps give the same verdict without opening the node")
    func bitmaps() {
        // An Xbox 360 pad's files on a 64-bit machine.
        let capabilities = Capabilities(
            keyBitmap: "7cdb000000000000 0 0 0 0", axisBitmap: "3003f", relativeBitmap: "0", propertyBitmap: "0")
        #expect(capabilities.keys == xbox360.capabilities.keys)
        #expect(Set(capabilities.axes.keys) == Set(xbox360.capabilities.axes.keys))
        #expect(DeviceKind(of: capabilities) == .pad)
        let broken = Capabilities(keyBitmap: "no bitmap", axisBitmap: "", relativeBitmap: "-1", propertyBitmap: "zz")
        #expect(broken == Capabilities())
    }

    @Test(
        "the letters on the buttons follow the maker",
        arguments: [
            (xbox360, PadFamily.xbox), (dualShock4, .playstation), (dualSense, .playstation), (switchPro, .nintendo),
            (snesAdapter, .nintendo), (buffaloSNES, .nintendo), (eightBitDo, .nintendo), (f310, .xbox),
        ])
    func families(device: Device, family: PadFamily) {
        #expect(device.info.family == family)
    }
}
