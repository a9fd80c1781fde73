import SystemKit

/// Makes the share appear by itself in the file managers of other computers.
struct ShareAnnouncement {
    let machine: Machine

    private static let text = """
        <?xml version="1.0" standalone='no'?>
        <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
        <!-- Written by 'retro-admin share on'. -->
        <service-group>
          <name replace-wildcards="yes">%h</name>
          <service>
            <type>_smb._tcp</type>
            <port>445</port>
          </service>
          <service>
            <type>_device-info._tcp</type>
            <port>0</port>
            <txt-record>model=Xserve</txt-record>
          </service>
        </service-group>

        """

    private var path: BytePath { machine.path("etc/avahi/services/retro-smb.service") }
    private var isRight: Bool { (try? readFile(path, limit: 1 << 16)) == Array(ShareAnnouncement.text.utf8) }

    /// The services that are the share: Samba, NetBIOS names, and the one that shows it in Windows' network folder.
    static func units(_ services: Services) -> [String] {
        let names = services.has("nmbd.service") ? ["nmbd.service"] : []
        let discovery = ["wsdd-server.service", "wsdd2.service", "wsdd.service"].first(where: services.has)
        return ["smbd.service"] + names + [discovery].compactMap { $0 }
    }

    /// The step that lets avahi tell Macs and Linux machines; `nil` where it does or cannot.
    func onStep() -> Step? {
        guard fileExists(path.parent), !isRight else { return nil }
        let announcement = self
        return Step(
            "announce", "Announce the share to the network",
            act: { () throws(ApplianceError) in
                try system { () throws(SystemError) in
                    try replaceFile(at: announcement.path, with: Array(ShareAnnouncement.text.utf8))
                }
            },
            check: { () throws(ApplianceError) in
                announcement.isRight ? nil : "\(announcement.path.displayString) is not as it was written"
            })
    }

    /// The step that lets it be silent again.
    func offStep() -> Step? {
        guard fileExists(path) else { return nil }
        let path = path
        return Step(
            "silence", "Announce the share no longer",
            act: { () throws(ApplianceError) in try system { () throws(SystemError) in try removeFile(path) } },
            check: { () throws(ApplianceError) in fileExists(path) ? "\(path.displayString) is still there" : nil })
    }

    /// What is not announced because its program is not there.
    func notes() -> [String] {
        var notes: [String] = []
        if !fileExists(path.parent) {
            notes.append("Macs find the share by itself when avahi-daemon is installed.")
        }
        if !ShareAnnouncement.units(Services(machine)).contains(where: { $0.hasPrefix("wsdd") }) {
            notes.append("Windows shows this machine by itself when wsdd is installed.")
        }
        return notes
    }
}
