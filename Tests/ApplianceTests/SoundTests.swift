import SystemKit
import Testing

@testable import Appliance

@Suite("sound")
struct SoundTests {
    /// Cards in the order of their numbers; what ALSA calls them.
    private func house(_ cards: [String], sound isHeard: Bool = true) throws -> FakeMachine {
        let fake = try FakeMachine()
        try fake.cards(cards, isHeard: isHeard)
        // This machine's own cards are none of the test's business.
        try fake.program("amixer", "exit 1")
        try fake.program("alsactl", "exit 0")
        return fake
    }

    static let layouts: [[String]] = [
        ["ALSA"], ["Headphones", "vc4hdmi"], ["vc4hdmi0", "vc4hdmi1", "Headphones"],
        ["Headphones", "vc4hdmi0", "vc4hdmi1", "CODEC"],
    ]

    @Test("B062: all cards are found by name in each order, and one of them is taken", arguments: layouts)
    func found(cards: [String]) throws {
        for order in [cards, cards.reversed()] {
            let fake = try house(order)
            let facts = SoundFacts.read(fake.machine)
            #expect(facts.cards.map(\.name) == order)
            #expect(facts.volume == nil)
            let best = try #require(facts.right)
            #expect(best == (order.first { $0.hasPrefix("vc4hdmi") } ?? order[0]))
            try SoundChange.follow.plan(on: fake.machine).apply()
            let text = try fake.contents("etc/asound.conf")
            #expect(text.contains("defaults.pcm.!card \"\(best)\"\ndefaults.ctl.!card \"\(best)\"\n"))
            #expect(try SoundChange.follow.plan(on: fake.machine).steps.isEmpty)
        }
    }

    @Test("B062: the chosen card stays chosen while it is away, and is taken again when it comes back")
    func hotPlug() throws {
        let fake = try house(["Headphones", "CODEC"])
        try fake.file("etc/asound.conf", "# mine\npcm.x { type null }\n")
        try SoundChange.output(card: "CODEC").plan(on: fake.machine).apply()
        #expect(SoundFacts.read(fake.machine).current == "CODEC")
        try fake.cards(["Headphones"])
        let facts = SoundFacts.read(fake.machine)
        #expect(facts.right == "Headphones")
        #expect(facts.advice?.contains("CODEC is not there") == true)
        try SoundChange.follow.plan(on: fake.machine).apply()
        #expect(SoundFacts.read(fake.machine).current == "Headphones")
        try fake.cards(["CODEC", "Headphones"])
        try SoundChange.follow.plan(on: fake.machine).apply()
        #expect(SoundFacts.read(fake.machine).current == "CODEC")
        let text = try fake.contents("etc/asound.conf")
        #expect(text.hasPrefix("# mine\npcm.x { type null }\n# retro-appliance begin\n"))
        try SoundChange.output(card: "auto").plan(on: fake.machine).apply()
        #expect(SoundFacts.read(fake.machine).chosen == nil)
        #expect(SoundFacts.read(fake.machine).current == "Headphones")
    }

    @Test("B062: a screen that takes no sound is left for headphones")
    func deafScreen() throws {
        let fake = try house(["vc4hdmi0", "Headphones"], sound: false)
        #expect(SoundFacts.read(fake.machine).right == "Headphones")
        let only = try house(["vc4hdmi0"], sound: false)
        #expect(SoundFacts.read(only.machine).advice?.contains("does not say that it takes sound") == true)
    }

    @Test("no card at all is told with what to do, and nothing can be chosen")
    func silent() throws {
        let fake = try FakeMachine()
        try fake.file("proc/asound/cards", "--- no soundcards ---\n")
        #expect(SoundFacts.read(fake.machine).advice?.contains("dtparam=audio=on") == true)
        #expect(throws: ApplianceError.unavailable("there is no sound card")) {
            try SoundChange.output(card: "Headphones").plan(on: fake.machine)
        }
        #expect(try SoundChange.follow.plan(on: fake.machine).steps.isEmpty)
        #expect(throws: ApplianceError.self) { try SoundTest.play(fake.machine) }
    }

    @Test("only cards that are there can be chosen", arguments: ["0", "hw:0", "x\"\n}", "", "Mic"])
    func unknown(name: String) throws {
        let fake = try house(["Headphones"])
        try fake.file("proc/asound/card1/pcm0c/info", "capture\n")
        try fake.file(
            "proc/asound/cards", try fake.contents("proc/asound/cards") + " 1 [Mic            ]: USB-Audio - Mic\n")
        #expect(SoundFacts.read(fake.machine).cards.map(\.name) == ["Headphones"])
        #expect(throws: ApplianceError.self) { try SoundChange.output(card: name).plan(on: fake.machine) }
    }

    @Test("a server that mixes the sound is told")
    func server() throws {
        let fake = try house(["Headphones"])
        try fake.file("proc/77/comm", "pipewire-pulse\n")
        #expect(SoundFacts.read(fake.machine).server == "PipeWire")
    }

    // MARK: Volume

    private static let headphones = """
        Simple mixer control 'PCM',0
          Capabilities: pvolume pvolume-joined pswitch pswitch-joined
          Playback channels: Mono
          Limits: Playback -10239 - 400
          Mono: Playback -2000 [PERCENT%] [-20.00dB] [SWITCH]
        """
    private static let usb = """
        Simple mixer control 'Mic',0
          Capabilities: cvolume cswitch
          Limits: Capture 0 - 100
          Front Left: Capture 50 [50%] [on]
        Simple mixer control 'Speaker',0
          Capabilities: pvolume pswitch
          Front Left: Playback 10 [30%] [-9.00dB] [on]
          Front Right: Playback 12 [36%] [-8.00dB] [off]
        """

    /// As snd-dummy has it: one control for both, which can be switched off for recording only.
    private static let both = """
        Simple mixer control 'Master',0
          Capabilities: volume cswitch
          Playback channels: Front Left - Front Right
          Capture channels: Front Left - Front Right
          Limits: -50 - 100
          Front Left: 0 [17%] [-30.00dB] Capture [off]
        """

    @Test("B062: the control is the one that plays, whatever it is called")
    func controls() {
        #expect(SoundVolume.parse(SoundTests.usb) == [SoundVolume(control: "Speaker", percent: 36, isMuted: false)])
        #expect(SoundVolume.parse(SoundTests.both) == [SoundVolume(control: "Master", percent: 17, isMuted: nil)])
        #expect(SoundVolume.parse("") == [])
        #expect(
            SoundVolume.parse("Simple mixer control 'IEC958',0\n  Capabilities: pswitch\n  Mono: Playback [on]\n") == []
        )
    }

    private func mixer(_ fake: FakeMachine) throws {
        try fake.file("percent", "50")
        try fake.file("switch", "on")
        // amixer -M -c CARD scontents, or -q sset CONTROL WORD...
        try fake.program(
            "amixer",
            """
            shift 3
            [ "$1" = -q ] && shift
            if [ "$1" = scontents ]; then
                printf '%s\\n' "\(SoundTests.headphones)" |
                    sed "s/PERCENT/$(cat "$ROOT/percent")/; s/SWITCH/$(cat "$ROOT/switch")/"
                exit
            fi
            shift 2
            for word; do
                case $word in
                    *%) printf %s "${word%\\%}" > "$ROOT/percent" ;;
                    mute) printf off > "$ROOT/switch" ;;
                    unmute) printf on > "$ROOT/switch" ;;
                esac
            done
            """)
    }

    @Test("the volume is set, read again, and silence ends with it")
    func volume() throws {
        let fake = try house(["Headphones"])
        try mixer(fake)
        #expect(SoundFacts.read(fake.machine).volume == SoundVolume(control: "PCM", percent: 50, isMuted: false))
        try SoundChange.mute(true).plan(on: fake.machine).apply()
        #expect(SoundFacts.read(fake.machine).volume?.isMuted == true)
        try SoundChange.volume(80).plan(on: fake.machine).apply()
        #expect(SoundFacts.read(fake.machine).volume == SoundVolume(control: "PCM", percent: 80, isMuted: false))
        for percent in [-1, 101] {
            #expect(throws: ApplianceError.self) { try SoundChange.volume(percent).plan(on: fake.machine) }
        }
    }

    @Test("B062: without a control the volume is unavailable, which says how it may come")
    func noControl() throws {
        let fake = try house(["vc4hdmi0"])
        try fake.program("amixer", "echo \"amixer: Unable to find simple control 'PCM',0\" >&2; exit 1")
        do throws(ApplianceError) {
            _ = try SoundChange.volume(50).plan(on: fake.machine)
            Issue.record("it was accepted")
        } catch {
            #expect(error.status == .unavailable)
            #expect(error.description.contains("audio test"))
        }
    }

    @Test("a mixer that does nothing is not believed")
    func lyingMixer() throws {
        let fake = try house(["Headphones"])
        try mixer(fake)
        let plan = try SoundChange.volume(80).plan(on: fake.machine)
        let answer = SoundTests.headphones.replacing("PERCENT", with: "50").replacing("SWITCH", with: "on")
        try fake.program("amixer", "printf '%s\\n' \"\(answer)\"")
        #expect(throws: ApplianceError.unverified("the volume is 50 %")) { try plan.apply() }
    }

    @Test("the test sound is a sound, and goes to the card by name")
    func testSound() throws {
        let fake = try house(["vc4hdmi0", "Headphones"])
        try fake.program("aplay", #"echo "$@" > "$ROOT/played"; cat > "$ROOT/sound""#)
        #expect(try SoundTest.play(fake.machine).first?.contains("HDMI 1") == true)
        #expect(try fake.contents("played") == "-q -D sysdefault:CARD=vc4hdmi0 -\n")
        let sound = try readFile(fake.root.appending("sound"))
        #expect(sound.count == 44 + 48000 * 4)
        #expect(sound.starts(with: Array("RIFF".utf8)))
        #expect(Set(sound.dropFirst(44)).count > 100)
    }
}

extension FakeMachine {
    /// Sound cards as the kernel tells them.
    func cards(_ names: [String], isHeard: Bool = true) throws {
        var text = ""
        for (number, name) in names.enumerated() {
            let driver = name.hasPrefix("vc4") ? "vc4-hdmi" : name == "CODEC" ? "USB-Audio" : "bcm2835_headpho"
            text += " \(number) [\(name)\(String(repeating: " ", count: 15 - name.count))]: \(driver) - \(name) long\n"
            text += "                      \(name) longer\n"
            try file("proc/asound/card\(number)/pcm0p/info", "card: \(number)\n")
            let report = root.appending("proc/asound/card\(number)/eld#0")
            try removeFile(report)
            if name.hasPrefix("vc4") {
                try file("proc/asound/card\(number)/eld#0", "monitor_present\t\t1\neld_valid\t\t\(isHeard ? 1 : 0)\n")
            }
        }
        try file("proc/asound/cards", text)
    }
}
