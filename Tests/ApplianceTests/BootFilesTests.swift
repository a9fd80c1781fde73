import SystemKit
import Testing

@testable import Appliance

@Suite("the firmware's files")
struct BootFilesTests {
    static let plain = "# Pi\ndtparam=audio=on\n[pi4]\narm_boost=1\n"

    private func pi(_ configuration: String = plain, _ line: String = "console=tty1 root=PARTUUID=1-02 rootwait\n")
        throws
        -> FakeMachine
    {
        let fake = try FakeMachine()
        try fake.file("boot/firmware/config.txt", configuration)
        try fake.file("boot/firmware/cmdline.txt", line)
        return fake
    }

    // MARK: config.txt

    @Test(
        "config.txt keeps every byte outside the block, and its kind of line ends",
        arguments: [
            plain, plain.replacing("\n", with: "\r\n"), "", "[none]\narm_freq=1\n", "no end", "\u{FEFF}# bom\n",
        ])
    func outside(text: String) {
        let before = Array(text.utf8)
        var configuration = ConfigurationText(before)
        configuration.settings = ["arm_freq=2000"]
        let first = configuration.bytes
        let end = text.contains("\r\n") ? "\r\n" : "\n"
        #expect(first.starts(with: before))
        #expect(
            String(decoding: first, as: UTF8.self).hasSuffix(
                ["# retro-appliance begin", "[all]", "arm_freq=2000", "# retro-appliance end", ""].joined(
                    separator: end)))
        var again = ConfigurationText(first)
        #expect(again.settings == ["arm_freq=2000"])
        #expect(again.bytes == first)
        again.settings = []
        #expect(again.bytes == (text == "no end" ? before + [0x0A] : before))
    }

    @Test("lines that others put behind the block stay behind it, and under the filter that they were read with")
    func behind() {
        let text = "[pi4]\na=1\n# retro-appliance begin\n[all]\narm_freq=1000\n# retro-appliance end\nb=2\n"
        var configuration = ConfigurationText(Array(text.utf8))
        configuration.settings = []
        let without = String(decoding: configuration.bytes, as: UTF8.self)
        #expect(without == text.replacing("arm_freq=1000\n", with: ""))
        #expect(ConfigurationText(Array(without.utf8)).value("b") == "2")
    }

    @Test("a mark without its counterpart is a remark, and of several blocks one is left")
    func marks() {
        let lonely = "x=1\n# retro-appliance begin\ny=2\n"
        #expect(ConfigurationText(Array(lonely.utf8)).settings.isEmpty)
        #expect(ConfigurationText(Array(lonely.utf8)).bytes == Array(lonely.utf8))
        let block = "# retro-appliance begin\n[all]\na=1\n# retro-appliance end\n"
        let two = ConfigurationText(Array((block + "m=1\n" + block).utf8))
        #expect(String(decoding: two.bytes, as: UTF8.self) == "m=1\n" + block)
    }

    @Test("a line that the firmware would cut off is refused")
    func tooLong() {
        var configuration = ConfigurationText([])
        configuration.settings = ["dtparam=" + String(repeating: "x", count: 90)]
        #expect(configuration.bytes.isEmpty == false)
        #expect(configuration.fault == nil)
        configuration.settings = ["dtparam=" + String(repeating: "x", count: 91)]
        #expect(configuration.fault?.contains("too long") == true)
        configuration.settings = ["[pi4]"]
        #expect(configuration.fault != nil)
    }

    // MARK: Damage (B091)

    @Test(
        "B091: what an interrupted writer leaves is seen as damage",
        arguments: [
            (BootFile.configuration, [UInt8](), true), (.configuration, [0, 0, 0, 0], true),
            (.configuration, Array("  \n\n".utf8), true), (.configuration, Array("arm_freq=1".utf8) + [0, 0], true),
            (.configuration, [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1], true),
            (.configuration, Array("lorem ipsum\ndolor sit amet\nx=1\n".utf8), true),
            (.configuration, Array("# only a remark".utf8), false),
            (.configuration, Array("[all]\r\ndtoverlay=vc4-kms-v3d\r\ninclude extra.txt\r\n".utf8), false),
            (.commandLine, Array("root=/dev/mmcblk0p2 rootwait".utf8), false),
            (.commandLine, Array("root=/dev/mmcblk0p2 rootwait\r\n".utf8), false),
            (.commandLine, Array("console=tty1 quiet\n".utf8), true), (.commandLine, Array("root=\n".utf8), true),
            (.commandLine, Array("root=/dev/sda1\nrootwait\n".utf8), true), (.commandLine, [UInt8](), true),
        ] as [(BootFile, [UInt8], Bool)])
    func damage(file: BootFile, bytes: [UInt8], isDamaged: Bool) {
        #expect((file.damage(in: bytes) != nil) == isDamaged)
    }

    @Test("B091: a damaged file is restored from its copy when the machine starts")
    func restored() throws {
        let fake = try pi()
        try fake.file("boot/firmware/config.txt.bak", "good=1\n")
        try fake.file("boot/firmware/config.txt", [UInt8](repeating: 0, count: 512))
        let check = try BootCheck.early(fake.machine)
        #expect(try fake.contents("boot/firmware/config.txt") == "good=1\n")
        #expect(check.notes.first?.contains("Restored config.txt") == true)
        #expect(try BootCheck.early(fake.machine).notes.isEmpty)
    }

    @Test("B091: a cmdline.txt that is lost with its copy is made from what the kernel was told")
    func rebuilt() throws {
        let fake = try pi(BootFilesTests.plain, "")
        try fake.file(
            "proc/cmdline",
            "coherent_pool=1M 8250.nr_uarts=0 snd_bcm2835.enable_hdmi=0 console=tty1 root=PARTUUID=ab-02 "
                + "rootfstype=ext4 fsck.repair=yes rootwait init=/bin/evil\n")
        _ = try BootCheck.early(fake.machine)
        #expect(
            try fake.contents("boot/firmware/cmdline.txt")
                == "console=tty1 root=PARTUUID=ab-02 rootfstype=ext4 fsck.repair=yes rootwait\n")
    }

    @Test("a machine without such files gets none")
    func none() throws {
        let fake = try FakeMachine()
        try fake.file("boot/firmware/config.txt", "a=1\n")
        try fake.file("proc/cmdline", "root=/dev/sda1\n")
        #expect(try BootCheck.early(fake.machine).notes.isEmpty)
        #expect(!fileExists(fake.root.appending("boot/firmware/cmdline.txt")))
    }

    // MARK: Replacing

    @Test("a file is replaced whole, the one before it is kept, and nothing else is left")
    func replaced() throws {
        let fake = try pi()
        try BootFiles(fake.machine).replace(.configuration, with: Array("new=1\n".utf8))
        #expect(try fake.contents("boot/firmware/config.txt") == "new=1\n")
        #expect(try fake.contents("boot/firmware/config.txt.bak") == BootFilesTests.plain)
        #expect(
            try directoryNames(fake.root.appending("boot/firmware")).sorted()
                == ["cmdline.txt", "config.txt", "config.txt.bak"])
    }

    @Test("a good copy is not replaced by a damaged file")
    func keepsGood() throws {
        let fake = try pi()
        try fake.file("boot/firmware/config.txt.bak", "good=1\n")
        try fake.file("boot/firmware/config.txt", [0, 0])
        try BootFiles(fake.machine).replace(.configuration, with: Array("new=1\n".utf8))
        #expect(try fake.contents("boot/firmware/config.txt.bak") == "good=1\n")
    }

    @Test("content that would not start the machine is refused, and nothing is written")
    func refused() throws {
        let fake = try pi()
        #expect(throws: ApplianceError.self) {
            try BootFiles(fake.machine).replace(.commandLine, with: Array("quiet\n".utf8))
        }
        #expect(!fileExists(fake.root.appending("boot/firmware/cmdline.txt.bak")))
    }

    @Test("B091: a read-only partition is writable for one change only, also where that fails")
    func readOnly() throws {
        let fake = try pi()
        try fake.file(
            "proc/self/mountinfo", "40 25 179:1 / /boot/firmware ro,relatime - vfat /dev/mmcblk0p1 ro,fmask=0022\n")
        try fake.program("mount", #"echo "$@" >> "$ROOT/mounts""#)
        try BootFiles(fake.machine).replace(.configuration, with: Array("new=1\n".utf8))
        #expect(try fake.contents("mounts") == "-o remount,rw /boot/firmware\n-o remount,ro /boot/firmware\n")
        // A leftover that cannot be removed: a folder.
        try createDirectories(fake.root.appending("boot/firmware/retro-0.tmp/x"))
        #expect(throws: ApplianceError.self) {
            try BootFiles(fake.machine).replace(.configuration, with: Array("newer=1\n".utf8))
        }
        #expect(try fake.contents("mounts").hasSuffix("-o remount,ro /boot/firmware\n"))
        #expect(try fake.contents("boot/firmware/config.txt") == "new=1\n")
    }

    @Test("what an interrupted change left is removed")
    func leftovers() throws {
        let fake = try pi()
        try fake.file("boot/firmware/retro-3.tmp", "half")
        try fake.file("boot/firmware/retro-x.tmp", "somebody else's")
        _ = try BootCheck.early(fake.machine)
        #expect(!fileExists(fake.root.appending("boot/firmware/retro-3.tmp")))
        #expect(fileExists(fake.root.appending("boot/firmware/retro-x.tmp")))
    }
}
