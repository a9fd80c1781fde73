import SystemKit

extension Doctor {
    /// The share.
    static let share = [
        DoctorCheck("share") { context in
            let facts = ShareFacts.read(
                roms: context.machine.data.roms, network: context.network, sources: context.machine.files)
            switch facts.state {
            case .notInstalled: return .ok("the share is off: Samba is not installed")
            case .notConfigured: return .ok("the share is off")
            case .stopped:
                return .failed(
                    "the share is set up, but Samba does not run", cure: "'sudo retro-admin share on' starts it")
            case .running:
                if facts.isReadOnly {
                    return .warning(
                        "the share can only be read",
                        cure: "'sudo retro-admin share repair', and look whether the disk is mounted read-only")
                }
                return .ok("the share is at \(facts.windowsAddress)")
            }
        },
        DoctorCheck("share-guests") { context in
            guard let configuration = SambaConfiguration.read(context.machine.path("etc/samba/smb.conf")) else {
                return .ok("there is no share")
            }
            let open = configuration.names.filter { name in
                guard name.lowercased() != "global", !["printers", "print$"].contains(name.lowercased()) else {
                    return false
                }
                let value = configuration.value(["guestok", "public"], in: name) ?? "no"
                return ["yes", "true", "1", "on"].contains(value.lowercased())
            }
            guard let first = open.first else { return .ok("no share lets anybody in without a password") }
            return .warning(
                "everybody in the network may use the share \(shortened(first)) without a password",
                cure: "switch guests off in the settings, unless that is meant so")
        },
    ]

    /// Cables and Wi-Fi.
    static let network = [
        DoctorCheck("network") { context in
            if let address = context.network.mainAddress {
                let isOwn = context.network.addresses.allSatisfy(\.isLinkLocal)
                if isOwn {
                    return .warning(
                        "the network gives this machine no address: \(address) is its own",
                        cure: "restart the router, or look whether the password of the Wi-Fi is right")
                }
                return .ok("the address is \(address)")
            }
            return .warning(
                "there is no network",
                cure: "plug a cable in, or connect to a Wi-Fi in the settings: 'retro-admin wifi list'")
        },
        DoctorCheck("wifi-old-file") { context in
            let folders = [BootPartition.find(context.machine)?.path].compactMap { $0 }
            for folder in folders + ["boot/firmware", "boot"].map({ context.machine.path($0) }) {
                let names = ((try? directoryNames(folder)) ?? []).sorted()
                let old = names.first { name in
                    let lower = name.bytes.map(asciiLowercased)
                    return ["wpa_supplicant.conf", "wpa_supplicant.conf.txt"].contains { lower.elementsEqual($0.utf8) }
                }
                guard let old else { continue }
                return .warning(
                    "\(folder.appending(old)) is there, as old guides have it, and current systems do not read it",
                    cure: "join the Wi-Fi in the settings or by 'sudo retro-admin wifi connect', or write "
                        + "\(SetupFile.name) instead; then delete the file, in which anybody can read the password")
            }
            return .ok("no settings of Wi-Fi lie where nothing reads them")
        },
        DoctorCheck("wifi-managers") { context in
            guard hasWiFi(context) else { return .ok("there is no Wi-Fi") }
            let running = context.running
            let managers: [(name: String, unit: String, program: String)] = [
                ("NetworkManager", "NetworkManager.service", "NetworkManager"), ("dhcpcd", "dhcpcd.service", "dhcpcd"),
                ("iwd", "iwd.service", "iwd"), ("connman", "connman.service", "connmand"),
                ("wicd", "wicd.service", "wicd"),
            ]
            let active = managers.filter { running.contains($0.program) || context.isEnabled($0.unit) }.map(\.name)
            if active.count < 2 { return .ok("one program manages the Wi-Fi") }
            let others = active.filter { $0 != "NetworkManager" }
            return .failed(
                "\(active.joined(separator: " and ")) both manage the network and disturb each other",
                cure: "'sudo systemctl disable --now \(others.joined(separator: " "))', then restart")
        },
        DoctorCheck("wifi-blocked") { context in
            for name in context.names("sys/class/rfkill") {
                let place = "sys/class/rfkill/\(name)"
                guard context.text("\(place)/type") == "wlan" else { continue }
                if context.text("\(place)/hard") == "1" {
                    return .failed(
                        "a switch of the machine turns the Wi-Fi off",
                        cure: "use the switch, or take 'dtoverlay=disable-wifi' out of config.txt")
                }
                guard context.text("\(place)/soft") == "1" else { continue }
                let machine = context.machine
                let fix = StepPlan([
                    Step(
                        "unblock-wifi", "Turn the Wi-Fi on", command: ["rfkill", "unblock", "wifi"],
                        act: { () throws(ApplianceError) in
                            try machine.programs.demand("rfkill", ["unblock", "wifi"], package: "rfkill")
                        },
                        check: { () throws(ApplianceError) in
                            machine.files.text("\(place)/soft") == "1" ? "it is still off" : nil
                        })
                ])
                return .warning(
                    "the Wi-Fi is turned off",
                    cure: "set the country: 'sudo retro-admin wifi country CC' also turns it on",
                    fix: fix)
            }
            return .ok(hasWiFi(context) ? "the Wi-Fi is on" : "there is no Wi-Fi")
        },
        DoctorCheck("wifi-country") { context in
            guard hasWiFi(context) else { return .ok("there is no Wi-Fi") }
            let line = context.text("proc/cmdline") ?? ""
            let fromLine = line.split(separator: " ").compactMap { word -> String? in
                word.hasPrefix("cfg80211.ieee80211_regdom=") ? String(word.split(separator: "=")[1]) : nil
            }.last
            let set = context.text("sys/module/cfg80211/parameters/ieee80211_regdom")
            let country = [set, fromLine].compactMap { $0 }.first { $0.count == 2 && $0 != "00" }
            if let country { return .ok("the Wi-Fi follows the rules of \(shortened(country))") }
            return .warning(
                "no country is set for the Wi-Fi: some channels cannot be used",
                cure: "'sudo retro-admin wifi country CC', with the two letters of the country")
        },
        DoctorCheck("host-name") { context in
            guard let name = context.text("etc/hostname") else {
                return .warning("the machine has no name", cure: "'sudo retro-admin system hostname NAME'")
            }
            let known = context.lines("etc/hosts").contains { line in
                line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().contains { $0 == name }
            }
            if known || !context.exists("etc/hosts") { return .ok("the machine is called \(shortened(name))") }
            return .warning(
                "/etc/hosts does not know the machine's own name, \(shortened(name))",
                cure: "'sudo retro-admin system hostname NAME' writes both")
        },
    ]

    private static func hasWiFi(_ context: DoctorContext) -> Bool {
        context.names("sys/class/net").contains { context.exists("sys/class/net/\($0)/wireless") }
    }
}
