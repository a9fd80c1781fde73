import Appliance
import Testing

@Suite("Settings")
struct SettingsTests {
    @Test("every setting has a default that it allows, a text, and a name of its own")
    func table() {
        for setting in Settings.all {
            #expect(setting.canonical(setting.defaultValue) == setting.defaultValue)
            #expect(!setting.summary.isEmpty && !setting.summary.hasSuffix("."))
            #expect(Settings.definition(of: setting.key) == setting)
        }
        #expect(Set(Settings.all.map(\.key)).count == Settings.all.count)
    }

    @Test(
        "switches know the usual words",
        arguments: [
            ("on", "on"), ("OFF", "off"), ("Yes", "on"), ("false", "off"), ("1", "on"), ("0", "off"), ("maybe", nil),
            ("", nil), ("on ", nil),
        ] as [(String, String?)])
    func switches(typed: String, stored: String?) {
        #expect(Settings.motion.canonical(typed) == stored)
    }

    @Test("a clock has hours, not switches")
    func clock() {
        #expect(Settings.clock.canonical("12") == "12")
        #expect(Settings.clock.canonical("on") == nil)
    }

    @Test("a list has known words in the person's order, each once")
    func list() {
        #expect(Settings.regions.canonical("europe, united  kingdom,USA") == "Europe,United Kingdom,USA")
        #expect(Settings.regions.canonical("Europe,Europe") == nil)
        #expect(Settings.regions.canonical("Atlantis") == nil)
        #expect(Settings.regions.canonical("") == nil)
        #expect(Settings.regions.effective("Europe,") == "USA,World,Europe,Japan")
    }

    @Test("a stored value that is not allowed counts as none")
    func damaged() {
        #expect(Settings.motion.effective("sideways") == "on")
        #expect(Settings.motion.effective("off") == "off")
        #expect(Settings.motion.effective(nil) == "on")
        #expect(Settings.definition(of: "menu.nothing") == nil)
    }
}
