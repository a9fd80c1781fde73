import Controllers
import EvdevKit
import SystemKit
import Testing

@Suite("RetroArch's controller profiles")
struct RetroArchProfileTests {
    private func text(_ device: Device) -> String {
        String(decoding: retroArchAutoconfig(for: device.info, hotkeys: .none).contents, as: UTF8.self)
    }

    @Test("an Xbox 360 pad's profile, byte for byte")
    func xbox() {
        let profile = retroArchAutoconfig(for: xbox360.info, hotkeys: .none)
        #expect(profile.name == "Microsoft X-Box 360 pad (045e-028e).cfg")
        #expect(
            String(decoding: profile.contents, as: UTF8.self) == """
                input_driver = "udev"
                input_device = "Microsoft X-Box 360 pad"
                input_vendor_id = "1118"
                input_product_id = "654"
                input_a_btn = "1"
                input_b_btn = "0"
                input_down_btn = "h0down"
                input_l2_axis = "+2"
                input_l3_btn = "9"
                input_l_btn = "4"
                input_l_x_minus_axis = "-0"
                input_l_x_plus_axis = "+0"
                input_l_y_minus_axis = "-1"
                input_l_y_plus_axis = "+1"
                input_left_btn = "h0left"
                input_r2_axis = "+5"
                input_r3_btn = "10"
                input_r_btn = "5"
                input_r_x_minus_axis = "-3"
                input_r_x_plus_axis = "+3"
                input_r_y_minus_axis = "-4"
                input_r_y_plus_axis = "+4"
                input_right_btn = "h0right"
                input_select_btn = "6"
                input_start_btn = "7"
                input_up_btn = "h0up"
                input_x_btn = "3"
                input_y_btn = "2"

                """)
    }

    @Test("a Super Nintendo adapter's axes are its D-pad, and its name keeps its blanks")
    func adapter() {
        #expect(
            text(snesAdapter) == """
                input_driver = "udev"
                input_device = "USB gamepad           "
                input_vendor_id = "2064"
                input_product_id = "58625"
                input_a_btn = "1"
                input_b_btn = "2"
                input_down_axis = "+1"
                input_l2_btn = "6"
                input_l_btn = "4"
                input_left_axis = "-0"
                input_r2_btn = "7"
                input_r_btn = "5"
                input_right_axis = "+0"
                input_select_btn = "8"
                input_start_btn = "9"
                input_up_axis = "-1"
                input_x_btn = "0"
                input_y_btn = "3"

                """)
    }

    @Test("keys of a keyboard in a pad are numbered after its buttons, and arrows before")
    func oddNumbering() {
        let pad = Device(
            "Odd \"quoted\" pad/../", vendor: 1, product: 2,
            keys: [0x67...0x67, 0x1C...0x1C, 0x130...0x131, 0x9E...0x9E],
            axes: [.x: axis(0, 255, at: 127), .y: axis(0, 255, at: 127), .rz: axis(3, 3)])
        let lines = text(pad).split(separator: "\n")
        #expect(lines.contains("input_b_btn = \"1\""))
        #expect(lines.contains("input_a_btn = \"2\""))
        #expect(lines.contains("input_select_btn = \"4\""))
        #expect(!lines.contains { $0.hasPrefix("input_device") })
        #expect(retroArchAutoconfig(for: pad.info).name == "Odd _quoted_ pad____ (0001-0002).cfg")
    }

    @Test("every pad's profile binds directions, both accepting buttons and nothing twice", arguments: pads)
    func complete(device: Device) {
        let lines = text(device).split(separator: "\n").map { $0.split(separator: "=")[0] }
        #expect(Set(lines).count == lines.count)
        for direction in ["up", "down", "left", "right"] {
            #expect(lines.contains { $0.hasPrefix("input_\(direction)_") }, "\(direction)")
        }
        #expect(lines.contains { $0.hasPrefix("input_b_btn") })
    }

    @Test("a touchpad that is told as a hat is no D-pad for RetroArch, which would turn it round")
    func analogueHat() {
        let wide = axis(-32767, 32767)
        let pad = Device(
            "Pad with a touchpad", vendor: 1, product: 3, keys: [0x130...0x131, 0x13A...0x13B, 0x220...0x223],
            axes: [.hat0X: wide, .hat0Y: wide])
        let lines = text(pad).split(separator: "\n").filter { $0.hasPrefix("input_up") || $0.hasPrefix("input_left") }
        #expect(lines.sorted() == ["input_left_btn = \"6\"", "input_up_btn = \"4\""])
    }
}
