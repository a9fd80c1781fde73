import Controllers
import EvdevKit
import SystemKit
import Testing

/// With made-up devices, of which a process can have one set at a time: so these belong to the monitor's tests.
extension PadMonitorTests {
    @Test("one device read raw: events arrive with their values, its end is told once, its return with the new node")
    func rawSession() throws {
        guard let bed = madeUp(), let plugged = bed.plug(snesAdapter) else { return }
        let pad = try DeviceSession.look(at: plugged.node)
        #expect(pad.facts.isSameDevice(as: snesAdapter.facts))
        let session = try DeviceSession(pad: pad)
        bed.send(plugged, [(3, 1, 0), (1, 0x120, 1)])
        #expect(news(session) == ["axis 1 0", "button 288 1", "report"])
        bed.unplug(plugged, isTold: true)
        #expect(news(session) == ["removed"])
        // Another pad is not taken for it.
        _ = bed.plug(buffaloSNES)
        guard let back = bed.plug(snesAdapter) else { return }
        #expect(news(session) == ["returned \(back.node)"])
        bed.send(back, [(1, 0x121, 1)])
        #expect(news(session) == ["button 289 1", "report"])
        bed.unplug(back, isTold: false)
        #expect(news(session) == ["removed"])
    }

    @Test("the mapping wizard binds what a device sends, with the kernel's own times")
    func wizardWithDevice() throws {
        guard let bed = madeUp(), let plugged = bed.plug(oneButtonStick) else { return }
        let session = try DeviceSession(pad: DeviceSession.look(at: plugged.node))
        var wizard = MappingWizard(pad: session.pad, at: .now)
        // What the hand does next, each when the wizard is ready for it.
        var acts: [[(type: UInt16, code: UInt16, value: Int32)]] = [
            [(3, 1, 0)], [(3, 1, 127)], [(3, 1, 255)], [(3, 1, 127)], [(3, 0, 0)], [(3, 0, 127)], [(3, 0, 255)],
            [(3, 0, 127)], [(1, 0x120, 1)], [(1, 0x120, 0)], [(1, 0x120, 1)],
        ]
        var isDown = false
        while let deadline = wizard.deadline {
            let mayAct = isDown ? wizard.phase == .releasing : wizard.phase == .listening || wizard.phase == .testing
            if mayAct, !acts.isEmpty {
                bed.send(plugged, acts.removeFirst())
                isDown.toggle()
            }
            for case .event(let event) in session.next(until: deadline).news {
                // The testbed's kernel has no clock.
                wizard.handle(event.kind, at: .now)
            }
            wizard.advance(to: .now)
        }
        guard case .ended(.saved(let mapping)) = wizard.phase else {
            Issue.record("\(wizard.phase)")
            return
        }
        #expect(
            mapping.bindings == [
                .up: stickUp, .down: stickDown, .left: stickLeft, .right: stickRight, .south: button(0),
            ])
    }

    private func madeUp() -> Testbed? {
        if let missing = Testbed.isMissing { print(missing) }
        return Testbed()
    }

    private func news(_ session: DeviceSession) -> [String] {
        var words: [String] = []
        // What belongs together may come in parts.
        while words.isEmpty
            || (words.last != "report" && words.last?.contains(" ") == true && !words[0].hasPrefix("returned"))
        {
            for news in session.next(until: MonotonicInstant.now.advanced(bySeconds: 30)).news {
                switch news {
                case .event(let event):
                    switch event.kind {
                    case .key(let code, let value): words.append("button \(code.rawValue) \(value)")
                    case .axis(let code, let value): words.append("axis \(code.rawValue) \(value)")
                    case .report: words.append("report")
                    default: words.append("other")
                    }
                case .removed: words.append("removed")
                case .returned(let pad): words.append("returned \(pad.node)")
                }
            }
        }
        return words
    }
}
