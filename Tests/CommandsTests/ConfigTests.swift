import Appliance
import SystemKit
import Testing

@testable import Commands

@Suite("config")
struct ConfigTests {
    @Test("a setting has its default until it is set, and again after a reset")
    func roundTrip() async throws {
        let world = try World()
        #expect(await world.run("config", "get", "menu.motion").output == "on\n")
        #expect(await world.run("config", "set", "menu.motion", "OFF").output == "off\n")
        #expect(await world.run("config", "get", "menu.motion").output == "off\n")
        let value = try await world.run("config", "get", "menu.motion", "--json").json()
        #expect(value["value"]?.string == "off" && value["default"]?.string == "on")
        expectGolden(value.shape + "\n", "config-get.shape")
        #expect(await world.run("config", "reset", "menu.motion").output == "on\n")
        #expect(await world.run("config", "get", "menu.motion").output == "on\n")
    }

    @Test("every setting of the table can be listed, read and set to each value that it allows")
    func table() async throws {
        let world = try World()
        let list = try await world.run("config", "list", "--json").json()
        for setting in Settings.all {
            #expect(list[setting.key]?["value"]?.string == setting.defaultValue)
            for value in setting.allowed {
                #expect(await world.run("config", "set", BytePath(setting.key), BytePath(value)).status == .done)
                #expect(await world.run("config", "get", BytePath(setting.key)).output == value + "\n")
            }
            #expect(await world.run("config", "list").output.contains(setting.key))
        }
    }

    @Test("an unknown name is a usage error with the nearest one, a bad value is bad data with the good ones")
    func faults() async throws {
        let world = try World()
        let unknown = await world.run("config", "get", "menu.moton")
        #expect(unknown.status == .usage)
        #expect(unknown.messages == "retro-admin: there is no setting 'menu.moton'; did you mean 'menu.motion'?\n")
        let bad = await world.run("config", "set", "menu.clock", "13")
        #expect(bad.status == .badData)
        #expect(bad.messages == "retro-admin: menu.clock must be 24 or 12, not '13'\n")
        #expect(await world.run("config", "set", "menu.clock", BytePath(bytes: [0xFF])).status == .usage)
        #expect(await world.run("config", "get", "emulator.nse").status == .usage)
        #expect(await world.run("config", "set", "emulator.nes", "nothing").status == .badData)
    }

    @Test("the emulator of a system is a setting, by any of the system's names")
    func emulator() async throws {
        let world = try World()
        #expect(await world.run("config", "get", "emulator.nes").output == "automatic\n")
        #expect(await world.run("config", "set", "emulator.NES", "nestopia").output == "nestopia\n")
        let list = try await world.run("config", "list", "--json").json()
        #expect(list["emulator.nes"]?["value"]?.string == "nestopia")
        #expect(list["emulator.snes"] == nil, "systems without a choice are not listed")
        #expect(await world.run("config", "reset", "emulator.nes").output == "automatic\n")
    }

    @Test("resetting everything asks first, and says what was reset")
    func resetAll() async throws {
        let world = try World()
        #expect(await world.run("config", "reset").output == "Everything has its default.\n")
        _ = await world.run("config", "set", "menu.motion", "off")
        _ = await world.run("config", "set", "emulator.nes", "nestopia")
        #expect(await world.run("config", "reset").status == .usage)
        #expect(await world.run("config", "reset", answer: "n").messages.hasSuffix("Nothing was changed.\n"))
        let plan = try await world.run("config", "reset", "--dry-run", "--json").json()
        #expect(plan["set"] == .object(["menu.motion": .null, "emulator.nes": .null]))
        #expect(await world.run("config", "get", "menu.motion").output == "off\n")
        #expect(await world.run("config", "reset", "--yes").output == "Reset menu.motion and emulator.nes.\n")
        #expect(await world.run("config", "get", "menu.motion").output == "on\n")
    }
}
