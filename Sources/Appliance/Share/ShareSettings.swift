import SystemKit

/// What our part of Samba's configuration says: `/etc/samba/retro.conf`, which `smb.conf` includes.
struct ShareSettings: Sendable, Equatable {
    /// A folder that other computers see.
    struct Folder: Sendable, Equatable {
        let name: String
        let path: BytePath
        let comment: String
    }

    let folders: [Folder]
    /// The account that is let in, and that everything belongs to.
    let user: String
    let group: String
    let isGuestAllowed: Bool
    /// Whether the person's own file shares home folders.
    let hidesHomes: Bool
    /// Whether Samba has the modules for names and metadata of macOS and Windows: with one that is missing a share
    /// cannot be opened at all.
    let hasModules: Bool
    /// A name under which Windows finds this machine beside its own.
    let alias: String?

    /// The folders of a machine that are shared: no configuration, nothing that this product runs.
    static func folders(of data: DataPlaces) -> [Folder] {
        [
            Folder(name: "roms", path: data.roms, comment: "Games, one folder a system"),
            Folder(name: "bios", path: data.root.appending("bios"), comment: "Firmware that emulators need"),
            Folder(name: "saves", path: data.root.appending("saves"), comment: "Saved games"),
            Folder(
                name: "screenshots", path: data.root.appending("screenshots"),
                comment: "Pictures taken while playing"),
            Folder(
                name: "media", path: data.root.appending("media"), comment: "Covers and other pictures of the games"),
        ]
    }

    /// The whole text.
    ///
    /// - Throws: `ApplianceError.refused` for a path that Samba would read as something else.
    func text() throws(ApplianceError) -> String {
        var text = """
            # Written by 'retro-admin share'; what is changed here is lost. smb.conf includes it.

            [global]
                server string = Retro Appliance
                disable netbios = no
            \(alias.map { "    netbios aliases = \($0)\n" } ?? "")\
                server min protocol = SMB2_02
            # Windows 11 demands signing and gets it; who does not ask for it is not slowed down by it.
                server signing = auto
            # A wrong password is told as such: nobody becomes a guest by a slip of the finger.
                map to guest = \(isGuestAllowed ? "bad user" : "never")
                unix password sync = no
            # The account that plays has no login, which PAM would mind.
                obey pam restrictions = no
                pam password change = no
                allow insecure wide links = no
            # /etc/avahi/services/retro-smb.service announces it, also where avahi starts later.
                multicast dns register = no
                load printers = no
                disable spoolss = yes
                printcap name = /dev/null

            """
        if hidesHomes {
            text += """

                # smb.conf shares home folders; the share's user has no business there.
                [homes]
                    invalid users = \(user)

                """
        }
        for folder in folders { text += "\n" + (try section(folder)) }
        return text
    }

    private func section(_ folder: Folder) throws(ApplianceError) -> String {
        guard let path = folder.path.validUTF8, path.hasPrefix("/"),
            !path.unicodeScalars.contains(where: { $0.value < 0x20 || "%\"\\;#".unicodeScalars.contains($0) }),
            path == trimmingSpaces(path)
        else {
            throw .refused("\(folder.path.displayString) cannot be shared: Samba would read this name as another one")
        }
        return """
            [\(folder.name)]
                comment = \(folder.comment)
                path = \(path)
                browseable = yes
                available = yes
                read only = no
                guest ok = \(isGuestAllowed ? "yes" : "no")
                guest only = no
            \(isGuestAllowed ? "    valid users =" : "    valid users = \(user)")
                invalid users = root
            # Whoever writes, the player's account can read, rename and delete it.
                force user = \(user)
                force group = \(group)
                create mask = 0664
                force create mode = 0664
                directory mask = 2775
                force directory mode = 2775
                nt acl support = no
                map archive = no
                map readonly = no
                delete readonly = yes
            # A link may lead to another place of the same folder, never out of it.
                follow symlinks = yes
                wide links = no
            \(hasModules ? ShareSettings.modules : "")
            """
    }

    /// Samba's modules that `modules` names are there: a package of its own in Debian 12.
    static func hasModules(_ files: MachineFacts.Sources) -> Bool {
        let folders = ((try? directoryNames(files.path("usr/lib"))) ?? []).map { files.path("usr/lib").appending($0) }
        return (folders + [files.path("usr/lib")]).contains { folder in
            ["catia", "fruit", "streams_xattr"].allSatisfy { fileExists(folder.appending("samba/vfs/\($0).so")) }
        }
    }

    private static let modules = """
        # Names that Windows and macOS do not allow come out as they went in, in the private letters that Macs use.
            vfs objects = catia fruit streams_xattr
            fruit:encoding = native
            fruit:metadata = stream
            fruit:resource = file
            fruit:veto_appledouble = no
            fruit:delete_empty_adfiles = yes
            fruit:wipe_intentionally_left_blank_rfork = yes
            fruit:posix_rename = yes
            fruit:nfs_aces = no

        """
}
