import SystemKit
import Testing

@testable import Appliance

@Suite("language, time zone and keyboard")
struct PlaceTests {
    private func house() throws -> FakeMachine {
        let fake = try FakeMachine()
        try fake.file(
            "usr/share/i18n/SUPPORTED", "aa_DJ ISO-8859-1\nde_DE.UTF-8 UTF-8\nde_DE ISO-8859-1\nen_GB.UTF-8 UTF-8\n")
        try fake.file(
            "usr/share/i18n/locales/de_DE", "LC_IDENTIFICATION\nlanguage   \"German\"\nterritory  \"Germany\"\n")
        try fake.file("etc/locale.gen", "# a list\n# de_DE.UTF-8 UTF-8\nen_GB.UTF-8 UTF-8\n")
        try fake.program("locale", #"echo C.utf8; sed 's/.UTF-8/.utf8/' "$ROOT/made" 2>/dev/null"#)
        try fake.program("locale-gen", #"grep -v '^#' "$ROOT/etc/locale.gen" | cut -d' ' -f1 > "$ROOT/made""#)
        // This machine's own console is none of the test's business.
        try fake.program("setupcon", "exit 0")
        for zone in [
            "Europe/Berlin", "America/Argentina/Ushuaia", "UTC", "right/Europe/Berlin", "posixrules",
        ] {
            try fake.file("usr/share/zoneinfo/" + zone, "TZif2")
        }
        try fake.file(
            "usr/share/zoneinfo/zone1970.tab",
            "# x\nDE\t+5230+01322\tEurope/Berlin\tmost\nAR\t-5448-06818\tAmerica/Argentina/Ushuaia\nXX\t+0\tEurope/Gone\n"
        )
        try fake.file(
            "usr/share/X11/xkb/rules/evdev.lst",
            "! model\n  pc105 Generic\n\n! layout\n  de              German\n  us              English (US)\n\n! variant\n"
                + "  nodeadkeys      de: German (no dead keys)\n  intl            us: English (US, intl.)\n\n! option\n  grp x\n"
        )
        return fake
    }

    @Test("a locale is made and set, and old words that would win over it go")
    func locale() throws {
        let fake = try house()
        try fake.file("etc/default/locale", "# mine\nLANG=en_GB.UTF-8\nLANGUAGE=en_GB:en\nLC_TIME=en_GB.UTF-8\n")
        let plan = try PlaceChange.locale("de_DE.UTF-8").plan(on: fake.machine)
        #expect(plan.steps.map(\.name) == ["generate-locale", "set-locale"])
        #expect(try fake.contents("etc/locale.gen").contains("# de_DE"))
        try plan.apply()
        #expect(try fake.contents("etc/locale.gen") == "# a list\nde_DE.UTF-8 UTF-8\nen_GB.UTF-8 UTF-8\n")
        #expect(try fake.contents("etc/default/locale") == "# mine\nLANG=de_DE.UTF-8\nLC_TIME=en_GB.UTF-8\n")
        #expect(try PlaceChange.locale("de_DE.UTF-8").plan(on: fake.machine).steps.isEmpty)
    }

    @Test("newer systems keep it in locale.conf, with a link at the old place")
    func localeConf() throws {
        let fake = try house()
        try fake.file("etc/locale.conf", "LANG=C.UTF-8\n")
        try createDirectories(fake.root.appending("etc/default"))
        try makeLink(to: "../locale.conf", at: fake.root.appending("etc/default/locale"))
        try PlaceChange.locale("en_GB.UTF-8").plan(on: fake.machine).apply()
        #expect(try fake.contents("etc/locale.conf") == "LANG=en_GB.UTF-8\n")
        #expect(try linkTarget(fake.root.appending("etc/default/locale")) == "../locale.conf")
    }

    @Test(
        "what is no locale, time zone or keyboard of this system is refused",
        arguments: [
            PlaceChange.locale("de_DE"), .locale("de_DE.UTF-8\nLC_ALL=x"), .locale("../../etc/passwd"), .locale(""),
            .timeZone("Europe/Paris"), .timeZone("../../etc/passwd"), .timeZone("/etc/passwd"),
            .timeZone("zone1970.tab"), .timeZone("right/Europe/Berlin"), .timeZone("posixrules"),
            .timeZone("Europe"), .timeZone("Europe/Berlin\n"), .timeZone(""),
            .keyboard(layout: "xx", variant: nil), .keyboard(layout: "de", variant: "intl"),
            .keyboard(layout: "de\"; reboot; \"", variant: nil), .keyboard(layout: "pc105", variant: nil), .time(0),
            .time(.max),
        ])
    func refused(change: PlaceChange) throws {
        let fake = try house()
        try fake.file("usr/lib/os-release", "ID=debian\n")
        #expect(throws: ApplianceError.self) { try change.plan(on: fake.machine) }
    }

    @Test("a locale that could not be made is told, and the language stays")
    func notMade() throws {
        let fake = try house()
        try fake.program("locale-gen", "exit 0")
        #expect(throws: ApplianceError.unverified("the locale de_DE.UTF-8 was not made")) {
            try PlaceChange.locale("de_DE.UTF-8").plan(on: fake.machine).apply()
        }
        #expect(PlaceFacts.read(fake.machine).locale == nil)
    }

    @Test("choices have names for people")
    func choices() throws {
        let fake = try house()
        #expect(
            PlaceChoices.locales(fake.machine).map(\.title) == ["English, plain", "German (Germany)", "en_GB.UTF-8"])
        #expect(PlaceChoices.timeZones(fake.machine) == ["America/Argentina/Ushuaia", "Europe/Berlin", "UTC"])
        let keyboards = PlaceChoices.keyboards(fake.machine)
        #expect(keyboards.map(\.layout) == ["de", "us"])
        #expect(keyboards.first?.variants == [PlaceChoices.Choice("nodeadkeys", title: "German (no dead keys)")])
    }

    @Test("the time zone is a link and a name")
    func timeZone() throws {
        let fake = try house()
        try fake.file("etc/localtime", "TZif a copy")
        try PlaceChange.timeZone("Europe/Berlin").plan(on: fake.machine).apply()
        #expect(try linkTarget(fake.root.appending("etc/localtime")) == "../usr/share/zoneinfo/Europe/Berlin")
        #expect(try fake.contents("etc/timezone") == "Europe/Berlin\n")
        #expect(PlaceFacts.read(fake.machine).timeZone == "Europe/Berlin")
        #expect(try PlaceChange.timeZone("Europe/Berlin").plan(on: fake.machine).steps.isEmpty)
        #expect(try directoryNames(fake.root.appending("etc")).sorted() == ["locale.gen", "localtime", "timezone"])
    }

    @Test("the keyboard keeps what else its file says")
    func keyboard() throws {
        let fake = try house()
        try fake.file("etc/default/keyboard", "XKBMODEL=\"pc104\"\nXKBLAYOUT=\"us\"\nXKBOPTIONS=\"compose:menu\"\n")
        try PlaceChange.keyboard(layout: "de", variant: "nodeadkeys").plan(on: fake.machine).apply()
        #expect(
            try fake.contents("etc/default/keyboard")
                == "XKBMODEL=\"pc104\"\nXKBLAYOUT=\"de\"\nXKBOPTIONS=\"compose:menu\"\nXKBVARIANT=\"nodeadkeys\"\n")
        #expect(try PlaceChange.keyboard(layout: "de", variant: "nodeadkeys").plan(on: fake.machine).steps.isEmpty)
        #expect(try PlaceChange.keyboard(layout: "de", variant: nil).plan(on: fake.machine).steps.count == 1)
    }
}

@Suite("the clock of a machine without a clock chip")
struct ClockTests {
    @Test("B100: it starts at the time that was saved, or when the system was made, and never goes back")
    func correction() throws {
        let fake = try FakeMachine()
        #expect(ClockKeeper.correction(fake.machine, now: 0) == nil)
        try fake.file("usr/lib/os-release", "ID=debian\n")
        let build = ClockKeeper.buildTime(fake.machine)
        #expect(build > 1_700_000_000)
        #expect(ClockKeeper.correction(fake.machine, now: 0) == build)
        try ClockKeeper.save(fake.machine, now: build + 1000, isRight: true)
        #expect(ClockKeeper.correction(fake.machine, now: 0) == build + 1000)
        #expect(ClockKeeper.correction(fake.machine, now: build + 1000) == nil)
        #expect(ClockKeeper.restorePlan(fake.machine, now: 0).steps.map(\.name) == ["set-clock"])
        #expect(ClockKeeper.restorePlan(fake.machine, now: build + 1000).steps.isEmpty)
        #expect(ClockKeeper.correction(fake.machine, now: build + 5000) == nil)
        try ClockKeeper.save(fake.machine, now: 500, isRight: true)
        #expect(ClockKeeper.correction(fake.machine, now: 0) == build)
    }

    @Test("B100: a clock that nobody set does not put the saved time back; one that a server set does")
    func saving() throws {
        let fake = try FakeMachine()
        try ClockKeeper.save(fake.machine, now: 2_000_000_000, isRight: false)
        try ClockKeeper.save(fake.machine, now: 1_000_000_000, isRight: false)
        #expect(ClockKeeper.saved(fake.machine) == 2_000_000_000)
        try ClockKeeper.save(fake.machine, now: 1_900_000_000, isRight: true)
        #expect(ClockKeeper.saved(fake.machine) == 1_900_000_000)
    }

    @Test("B100: a damaged note of the time is none", arguments: ["", "\0\0\0", "-5", "99999999999", "soon"])
    func damaged(text: String) throws {
        let fake = try FakeMachine()
        try fake.file("var/lib/retro-machine/clock", text)
        #expect(ClockKeeper.saved(fake.machine) == nil)
    }

    @Test("B100: the clock counts as set once a server answered, or a chip kept the time")
    func isSet() throws {
        let fake = try FakeMachine()
        #expect(!ClockFacts.read(fake.machine, isSynchronized: false).isSet)
        #expect(ClockFacts.read(fake.machine, isSynchronized: true).isSet)
        try fake.file("usr/lib/os-release", "ID=debian\n")
        try fake.file("sys/class/rtc/rtc0/since_epoch", "0\n")
        #expect(!ClockFacts.read(fake.machine, isSynchronized: false).isSet, "the chip's battery is empty")
        try fake.file("sys/class/rtc/rtc0/since_epoch", "\(ClockKeeper.buildTime(fake.machine) + 1)\n")
        #expect(ClockFacts.read(fake.machine, isSynchronized: false).isSet)
        let other = try FakeMachine()
        try other.file("run/systemd/timesync/synchronized", "")
        #expect(ClockFacts.read(other.machine, isSynchronized: false).isSet)
    }

    @Test("a clock that was set by hand is told as the time until the machine is switched off")
    func byHand() throws {
        let fake = try FakeMachine()
        try ClockKeeper.noteSetByHand(fake.machine)
        #expect(ClockFacts.read(fake.machine, isSynchronized: false).isSet)
    }

    @Test("only the appliance doubts its clock", .enabled(if: !isClockSynchronized(), "needs a clock without a server"))
    func elsewhere() throws {
        let fake = try FakeMachine()
        #expect(ClockFacts.isTold(fake.machine))
        try fake.file("etc/retro/systems.d/README", "")
        #expect(!ClockFacts.isTold(fake.machine))
    }
}
