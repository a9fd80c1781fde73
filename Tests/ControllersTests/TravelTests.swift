import Controllers
import EvdevKit
import Testing

/// Axes as a mapping describes them, wherever it comes from.
@Suite("Travels of axes")
struct TravelTests {
    private func mapping(
        _ controls: [PadFunction: [Control]], _ code: AxisCode, _ rest: AxisTravel.Rest, from minimum: Int32? = nil,
        to maximum: Int32? = nil
    ) -> PadMapping {
        PadMapping(
            controls: controls, travels: [code: AxisTravel(rest: rest, minimum: minimum, maximum: maximum)])
    }

    @Test("a measured rest and measured ends count, not the declared ones")
    func measured() {
        // Declared 0...1023, but it rests at 80 and ends at 480: pressed beyond 320, released below 240.
        var replay = Replay(
            [.z: axis(0, 1023, at: 80)], mapping([.l2: [.axis(.z, .positive)]], .z, .value(80), to: 480))
        replay.axis(.z, 320, 321, 240, 239, 1023, 0)
        #expect(replay.next() == ["+l2", "-l2", "+l2", "-l2"])
    }

    @Test("a worn stick's measured centre and ends")
    func wornStick() {
        let controls: [PadFunction: [Control]] = [
            .leftLeft: [.axis(.x, .negative)], .leftRight: [.axis(.x, .positive)],
        ]
        var replay = Replay(
            [.x: axis(0, 255, at: 128)], mapping(controls, .x, .value(90), from: 20, to: 200))
        replay.axis(.x, 128, 110, 90, 47, 62, 63, 157, 133)
        #expect(replay.next() == ["+left", "-left", "+right", "-right"])
    }

    @Test("one axis whose halves are two triggers holds one of them at a time")
    func combinedTriggers() {
        let controls: [PadFunction: [Control]] = [.l2: [.axis(.z, .positive)], .r2: [.axis(.z, .negative)]]
        for rest in [AxisTravel.Rest.middle, .initial, .value(128)] {
            var replay = Replay([.z: axis(0, 255, at: 128)], mapping(controls, .z, rest))
            replay.axis(.z, 255, 128, 0, 128)
            #expect(replay.next() == ["+l2", "-l2", "+r2", "-r2"])
            // Straight from one end to the other.
            replay.axis(.z, 255, 0, 128)
            #expect(replay.next() == ["+l2", "-l2", "+r2", "-r2"])
        }
    }

    @Test("half of an axis is one control, and the other half nothing")
    func halfAxis() {
        var replay = Replay([.rz: axis(-100, 100)], mapping([.r2: [.axis(.rz, .positive)]], .rz, .middle))
        replay.axis(.rz, -100, 0, 100, -100, 0)
        #expect(replay.next() == ["+r2", "-r2"])
    }

    @Test("an inverted stick and an inverted trigger are what the mapping says")
    func inverted() {
        let controls: [PadFunction: [Control]] = [
            .up: [.axis(.y, .positive)], .down: [.axis(.y, .negative)], .r2: [.axis(.rz, .negative)],
        ]
        var replay = Replay(
            [.y: axis(0, 255, at: 128), .rz: axis(0, 255, at: 255)], mapping(controls, .rz, .maximum))
        replay.axis(.y, 255, 128, 0, 128)
        replay.axis(.rz, 200, 0, 255)
        #expect(replay.next() == ["+up", "-up", "+down", "-down", "+r2", "-r2"])
    }

    @Test("a hat, four buttons and a stick for one D-pad are one press until the last of them is let go")
    func threefold() {
        let mapping = PadMapping(controls: [
            .up: [.axis(.hat0Y, .negative), .key(.dpadUp)], .leftUp: [.axis(.y, .negative)],
        ])
        var replay = Replay([.hat0Y: axis(-1, 1), .y: axis(0, 255, at: 127)], mapping)
        replay.axis(.hat0Y, -1)
        replay.key(KeyCode.dpadUp.rawValue, 1)
        replay.axis(.y, 0)
        replay.axis(.hat0Y, 0)
        replay.key(KeyCode.dpadUp.rawValue, 0)
        #expect(replay.next() == ["+up"])
        replay.axis(.y, 127)
        #expect(replay.next() == ["-up"])
    }

    @Test("what is held when the device is opened counts only after it was let go")
    func heldAtFirst() {
        var stick = Replay(
            [.x: axis(0, 255, at: 255)], PadMapping(controls: [.right: [.axis(.x, .positive)]]))
        stick.axis(.x, 254, 255, 250)
        #expect(stick.next() == [])
        stick.axis(.x, 128, 255)
        #expect(stick.next() == ["+right"])
        var hat = Replay([.hat0X: axis(-1, 1, at: -1)], PadMapping(controls: [.left: [.axis(.hat0X, .negative)]]))
        hat.axis(.hat0X, 0, -1)
        #expect(hat.next() == ["+left"])
    }

    @Test("a trigger of an unknown pad that is held when it is plugged in is a trigger like the other one")
    func triggerHeldAtFirst() {
        let pad = Device(
            "Nobody's", vendor: 0x20D6, product: 7, keys: [0x130...0x131],
            axes: [
                .rx: axis(0, 255, at: 128), .ry: axis(0, 255, at: 128), .z: axis(0, 255, at: 250),
                .rz: axis(0, 255, at: 0),
            ])
        var replay = Replay(pad)
        replay.axis(.z, 255, 248, 255, 130)
        #expect(replay.next() == [])
        replay.axis(.z, 0, 255, 0)
        replay.axis(.rz, 255, 0)
        #expect(replay.next() == ["+l2", "-l2", "+r2", "-r2"])
    }

    @Test("a travel that makes no sense is not believed")
    func nonsense() {
        for (minimum, maximum) in [(Int32(10), Int32(10)), (200, 3), (.max, .min)] {
            var replay = Replay(
                [.z: axis(0, 255)], mapping([.l2: [.axis(.z, .positive)]], .z, .minimum, from: minimum, to: maximum))
            replay.axis(.z, 255, 0)
            #expect(replay.next() == ["+l2", "-l2"])
        }
    }
}
