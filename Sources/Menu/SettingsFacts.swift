import Appliance
import SystemKit

/// How the machine is, in a few words a setting. Reading it may take a moment.
struct SettingsFacts: Sendable {
    /// One part: its words, and whether something is wrong.
    struct Note: Sendable, Equatable {
        var text = ""
        var warns = false
    }

    var wifi = Note()
    var share = Note()
    var storage = Note()
    var sound = Note()
    var picture = Note()
    var place = Note()
    var name = Note()
    var speed = Note()

    static func read(_ machine: Machine) -> SettingsFacts {
        var facts = SettingsFacts()
        let network = NetworkFacts.read()
        let share = ShareFacts.read(roms: machine.data.roms, network: network, sources: machine.files)
        facts.share = note(share)
        facts.storage = storage(machine)
        facts.name.text = network.hostName
        if let temperature = MachineFacts.read(machine.files).temperature {
            facts.speed = Note(text: "\(Int(temperature.rounded())) °C", warns: temperature >= 80)
        }
        if let throttling = Throttling.read(machine), throttling.isUndervolted || throttling.isSlowed {
            facts.speed = Note(text: throttling.isUndervolted ? "too little power" : "slowed down", warns: true)
        }
        facts.wifi = note(WiFiFacts.read(machine))
        facts.sound = note(SoundFacts.read(machine))
        facts.place = place(machine)
        if case .room(let bytes) = StorageOutlook.read(machine) {
            facts.storage.text = "\(Phrase.bytes(bytes)) of the card are not used"
            facts.storage.warns = true
        }
        let picture = PictureFacts.read(machine)
        let output = picture.outputs.first { $0.isConnected }
        facts.picture.text = output.flatMap { $0.setting ?? $0.modes.first } ?? ""
        if !picture.isChangeable { facts.picture.text = "set by the system" }
        if facts.speed.text.isEmpty, OverclockFacts.read(machine).presets.isEmpty { facts.speed.text = "normal" }
        return facts
    }

    private static func note(_ wifi: WiFiFacts) -> Note {
        if wifi.conflict != nil { return Note(text: "two programs look after it", warns: true) }
        guard let isOn = wifi.isRadioOn else { return Note(text: "no adapter") }
        if !isOn { return Note(text: "off") }
        if let active = wifi.active { return Note(text: active.name) }
        return Note(text: wifi.problem == nil ? "not connected" : "not usable", warns: wifi.problem != nil)
    }

    private static func note(_ share: ShareFacts) -> Note {
        switch share.state {
        case .running: Note(text: share.windowsAddress)
        case .stopped: Note(text: "off")
        case .notConfigured: Note(text: "not set up")
        case .notInstalled: Note(text: "not installed")
        }
    }

    private static func note(_ sound: SoundFacts) -> Note {
        guard let card = sound.cards.first(where: { $0.name == sound.right }) else { return Note(text: "no card") }
        guard let volume = sound.volume else { return Note(text: card.title) }
        return Note(text: "\(card.title), \(volume.isMuted == true ? "muted" : "\(volume.percent) %")")
    }

    private static func place(_ machine: Machine) -> Note {
        let zone = PlaceFacts.read(machine).timeZone
        if !ClockFacts.isTold(machine) { return Note(text: "clock not set", warns: true) }
        return Note(text: zone ?? "")
    }

    private static func storage(_ machine: Machine) -> Note {
        // A disk that does not answer keeps nobody waiting.
        let place = machine.data.root
        guard let space = answer(within: 3, { try? DiskSpace.read(place) }) ?? nil else { return Note() }
        let free = "\(Phrase.bytes(space.freeBytes)) free of \(Phrase.bytes(space.totalBytes))"
        return Note(
            text: space.isReadOnly ? "read-only" : free, warns: space.isReadOnly || space.freeBytes < 500_000_000)
    }
}

extension SettingsScreen {
    /// What can be opened, with how it is now.
    static func entries(_ facts: SettingsFacts) -> [Entry] {
        [
            Entry(icon: "wifi", title: "Wi-Fi", note: facts.wifi.text, warns: facts.wifi.warns) {
                WiFiScreen(context: $0)
            },
            Entry(icon: "network", title: "Share", note: facts.share.text) { ShareScreen(context: $0) },
            Entry(icon: "drive", title: "Storage", note: facts.storage.text, warns: facts.storage.warns) {
                StoragePanel(context: $0)
            },
            Entry(icon: "speaker", title: "Sound", note: facts.sound.text, warns: facts.sound.warns) {
                SoundPanel(context: $0)
            },
            Entry(icon: "screen", title: "Picture", note: facts.picture.text) { PicturePanel(context: $0) },
            Entry(icon: "globe", title: "Place", note: facts.place.text, warns: facts.place.warns) {
                PlacePanel(context: $0)
            },
            Entry(icon: "gauge", title: "Speed", note: facts.speed.text, warns: facts.speed.warns) {
                SpeedPanel(context: $0)
            },
            Entry(icon: "lock", title: "Name and access", note: facts.name.text) { AccessPanel(context: $0) },
            Entry(icon: "archive", title: "Backup", note: "") { BackupPanel(context: $0) },
            Entry(icon: "pulse", title: "Health", note: "") { HealthScreen(context: $0) },
            Entry(icon: "power", title: "Power", note: "") { PowerPanel(context: $0) },
        ]
    }
}
