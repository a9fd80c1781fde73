import SystemKit

@testable import Appliance

private func samba(_ fake: FakeMachine, guest: String, running: Bool = true) throws {
    try fake.file("usr/sbin/smbd", "", permissions: 0o755)
    let roms = fake.root.appending("srv/retro/roms")
    try createDirectories(roms)
    try fake.file(
        "etc/samba/smb.conf", "[global]\nworkgroup = X\n[roms]\npath = \(roms)\nread only = no\nguest ok = \(guest)\n")
    if running { try fake.file("proc/77/comm", "smbd\n") }
}

private func wifi(_ fake: FakeMachine) throws {
    try createDirectories(fake.root.appending("sys/class/net/wlan0/wireless"))
}

extension DoctorCase {
    static let network: [DoctorCase] = [
        .init("share", .ok, "not installed"),
        .init("share", .ok, "\\\\PI\\roms") { fake, _ in try samba(fake, guest: "no") },
        .init("share", .failed, "does not run") { fake, _ in try samba(fake, guest: "no", running: false) },
        .init("share-guests", .ok, "there is no share"),
        .init("share-guests", .ok) { fake, _ in try samba(fake, guest: "no") },
        .init("share-guests", .warning, "roms") { fake, _ in try samba(fake, guest: "yes") },
        .init("network", .ok, "192.0.2.7"),
        .init("network", .warning, "no network") { $1.network = NetworkFacts(hostName: "pi", addresses: []) },
        .init("wifi-old-file", .ok, "no settings of Wi-Fi"),
        .init("wifi-old-file", .ok) { fake, _ in try fake.file("boot/firmware/config.txt", "a=1\n") },
        .init("wifi-old-file", .warning, "boot/firmware/WPA_Supplicant.conf.txt is there") { fake, _ in
            try fake.file("boot/firmware/config.txt", "a=1\n")
            try fake.file("boot/firmware/WPA_Supplicant.conf.txt", "network={\n")
        },
        .init("wifi-managers", .ok, "no Wi-Fi"),
        .init("wifi-managers", .ok, "one program") { fake, _ in
            try wifi(fake)
            try fake.file("proc/5/comm", "NetworkManager\n")
            try fake.file("proc/6/comm", "wpa_supplicant\n")
        },
        .init("wifi-managers", .failed, "NetworkManager and dhcpcd") { fake, _ in
            try wifi(fake)
            try fake.file("proc/5/comm", "NetworkManager\n")
            try fake.file("etc/systemd/system/multi-user.target.wants/dhcpcd.service", "")
        },
        .init("wifi-blocked", .ok, "is on") { fake, _ in
            try wifi(fake)
            try fake.file("sys/class/rfkill/rfkill0/type", "bluetooth\n")
            try fake.file("sys/class/rfkill/rfkill0/soft", "1\n")
        },
        .init("wifi-blocked", .warning) { fake, _ in
            try fake.file("sys/class/rfkill/rfkill1/type", "wlan\n")
            try fake.file("sys/class/rfkill/rfkill1/soft", "1\n")
            try fake.file("sys/class/rfkill/rfkill1/hard", "0\n")
        },
        .init("wifi-blocked", .failed, "a switch") { fake, _ in
            try fake.file("sys/class/rfkill/rfkill1/type", "wlan\n")
            try fake.file("sys/class/rfkill/rfkill1/hard", "1\n")
        },
        .init("wifi-country", .ok, "DE") { fake, _ in
            try wifi(fake)
            try fake.file("proc/cmdline", "console=tty1 cfg80211.ieee80211_regdom=DE\n")
        },
        .init("wifi-country", .warning) { fake, _ in
            try wifi(fake)
            try fake.file("sys/module/cfg80211/parameters/ieee80211_regdom", "00\n")
        },
        .init("host-name", .ok, "pi") { fake, _ in try fake.file("etc/hosts", "127.0.0.1 localhost\n127.0.1.1\tpi\n") },
        .init("host-name", .warning) { fake, _ in try fake.file("etc/hosts", "127.0.0.1 localhost\n") },
    ]

    static let boot: [DoctorCase] = [
        .init("boot-files", .ok, "does not start"),
        .init("boot-files", .ok, "make sense") { fake, _ in
            try fake.file("boot/firmware/config.txt", "dtparam=audio=on\r\n")
            try fake.file("boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1-2 rootwait\n")
        },
        .init("boot-files", .failed, "lines") { fake, _ in
            try fake.file("boot/firmware/cmdline.txt", "console=tty1\nroot=PARTUUID=1-2\n")
        },
        .init("boot-files", .failed, "empty") { fake, _ in
            try fake.file("boot/config.txt", "")
            try fake.file("boot/cmdline.txt", "root=x\n")
        },
        .init("boot-files", .failed, "not there") { fake, _ in try fake.file("boot/config.txt", "a=b\n") },
        .init("boot-files", .failed, "root=") { fake, _ in try fake.file("boot/cmdline.txt", "console=tty1\n") },
        .init("boot-root", .ok) { fake, _ in
            try fake.file("boot/cmdline.txt", "root=PARTUUID=5e3da3da-02\n")
            try fake.file("dev/disk/by-partuuid/5e3da3da-02", "")
        },
        .init("boot-root", .failed, "5e3da3da-02") { fake, _ in
            try fake.file("boot/cmdline.txt", "root=PARTUUID=5e3da3da-02\n")
            try fake.file("dev/disk/by-partuuid/ffffffff-02", "")
        },
        .init("mount-table", .ok) { fake, _ in
            try fake.file("dev/disk/by-uuid/AB-CD", "")
            try fake.file(
                "etc/fstab",
                "# UUID=1 / ext4\nproc /proc proc defaults 0 0\nUUID=ab-cd / ext4 defaults 0 1\n"
                    + "UUID=9 /mnt ext4 nofail 0 0\n")
        },
        .init("mount-table", .failed, "/home") { fake, _ in
            try fake.file("dev/disk/by-uuid/AB-CD", "")
            try fake.file("etc/fstab", "UUID=1234 /home ext4 defaults 0 1\n")
        },
        .init("kernel-modules", .ok) { fake, _ in
            try fake.file("proc/sys/kernel/osrelease", "6.12.1+rpt\n")
            try createDirectories(fake.root.appending("lib/modules/6.12.1+rpt"))
        },
        .init("kernel-modules", .failed) { fake, _ in
            try fake.file("proc/sys/kernel/osrelease", "6.12.1+rpt\n")
            try createDirectories(fake.root.appending("lib/modules/6.12.9+rpt"))
        },
        .init("failed-units", .ok, "all services") { fake, _ in
            try createDirectories(fake.root.appending("run/systemd/system"))
            try fakeProgram(fake, "systemctl", "exit 0")
        },
        .init("failed-units", .warning, "smbd.service") { fake, _ in
            try createDirectories(fake.root.appending("run/systemd/system"))
            try fakeProgram(fake, "systemctl", "echo 'smbd.service loaded failed failed Samba SMB Daemon'")
        },
        .init("locale", .ok, "no language"),
        .init("locale", .ok, "de_DE") { fake, _ in
            try fake.file("etc/default/locale", "LANG=\"de_DE.UTF-8\"\n")
            try createDirectories(fake.root.appending("usr/lib/locale/de_DE.utf8"))
        },
        .init("locale", .warning, "de_DE") { fake, _ in try fake.file("etc/locale.conf", "LANG=de_DE.UTF-8\n") },
        .init("door", .ok),
        .init("door", .warning) { fake, _ in
            try createDirectories(fake.root.appending("etc/retro"))
            try createDirectories(fake.root.appending("run/systemd/system"))
        },
    ]
}
