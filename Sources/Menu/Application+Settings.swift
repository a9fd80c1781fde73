import Appliance
import Catalog
import Interface

extension Application {
    func readSettings() {
        context.courier.perform({ store in try await store.settings() }) { [weak self] settings in
            guard let self else { return }
            for (key, value) in settings { self.apply(setting: key, value) }
        }
    }

    func apply(setting key: String, _ value: String) {
        switch key {
        case Settings.motion.key: window.motionEnabled = Settings.motion.effective(value) == "on"
        case Settings.swapAcceptBack.key:
            context.mapper.swapsAcceptAndBack = Settings.swapAcceptBack.effective(value) == "on"
        case Settings.clock.key:
            context.uses24Hours = Settings.clock.effective(value) == "24"
            nextMinute = nil
        case Settings.screenOff.key, Settings.powerOff.key:
            idleChoices[key] = value
            idle.policy = IdlePolicy(
                screenOff: idleChoices[Settings.screenOff.key], powerOff: idleChoices[Settings.powerOff.key])
        case LibrarySetting.folders: context.browsesFolders = value == "on"
        case LibrarySetting.collapse: context.collapsesVersions = value != "off"
        case LibrarySetting.regions: context.regionOrder = RegionOrder.parse(value)
        default: break
        }
        refreshBars()
    }
}
