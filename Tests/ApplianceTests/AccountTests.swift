import Glibc
import SystemKit
import Testing

@testable import Appliance

/// `raspberry`, hashed by SHA-512.
private let publishedHash =
    "$6$abcdefgh$4o4.L3tiGL1RD7BsjaaWYcCVs87zOlvZK7S6SXQETuFMA2ELLDwmf3YDHidZ3I4E/fXmmOOWhAJHUSMf.eA6c1"

@Suite("Accounts and access")
struct AccountTests {
    private let fake: FakeMachine
    private var machine: Machine { fake.machine() }

    init() throws {
        fake = try FakeMachine()
        try fake.accounts()
        try fake.file("etc/hostname", "old-name\n")
        // Replaces the account's field as the real one does, hashing with a program of Debian's base system.
        try fake.noted(
            "chpasswd",
            """
            IFS=: read -r user secret
            if [ "$1" = -e ]; then hash=$secret
            else hash=$(printf %s "$secret" | perl -e 'local $/; print crypt(<STDIN>, "\\$6\\$saltsalt\\$")'); fi
            awk -F: -v OFS=: -v u="$user" -v h="$hash" '$1 == u { $2 = h } { print }' "$ROOT/etc/shadow" >"$ROOT/shadow.new"
            mv "$ROOT/shadow.new" "$ROOT/etc/shadow"
            """)
    }

    @Test("B088: the login account is found by what it is, whatever its name and number are and wherever its home is")
    func login() throws {
        #expect(Accounts.read(machine).login?.name == "anna")
        try fake.file(
            "etc/passwd",
            """
            pi:x:1000:1000::/home/pi:/usr/sbin/nologin
            retro:x:1001:1001::/srv/retro:/bin/bash
            guest:x:1002:1002::/home/guest:/bin/bash
            zoe:x:1050:1050::/mnt/zoe:/usr/bin/zsh
            snap:x:64000:64000::/:/bin/sh
            broken:line
            """)
        try fake.file("etc/group", "sudo:x:27:pi,zoe\n")
        #expect(Accounts.read(machine).login?.name == "zoe")
        try fake.file("etc/group", "\n")
        #expect(Accounts.read(machine).login?.name == "guest")
        try fake.file("etc/passwd", "root:x:0:0::/root:/bin/sh\n")
        #expect(refusal(.account(.password("a good one 1")), on: machine)?.status == .notFound)
    }

    @Test("a password is changed, goes to chpasswd by standard input, and is nowhere to be seen")
    func password() throws {
        try fake.accounts(hash: publishedHash)
        #expect(AccountFacts.read(machine).password == .published)
        let secret = "päss:wörd $(id) 'x'"
        #expect(try perform(.account(.password(secret)), on: machine) == ["set-password"])
        #expect(AccountFacts.read(machine).password == .set)
        #expect(passwordMatches(secret, hash: AccountFacts.hash(of: "anna", machine) ?? ""))
        #expect(fake.calls == ["chpasswd "])
        #expect(!fake.seen.contains("wörd"))
        let plan = try MachineChange.account(.password(secret)).plan(on: machine)
        #expect(!"\(plan)".contains("xyzzy") && plan.steps[0].command == ["chpasswd"])
        #expect(!plan.steps[0].summary.contains("wörd"))
    }

    @Test(
        "B097: a password that images come with, a short one or one that is no line is refused, and nothing is changed",
        arguments: [
            "raspberry", "Raspberry", "retropie", "retro", "recalboxroot", "password", "12345678", "aaaaaaaaaa",
            "short",
            "", "anna", "old-name", "with\nnewline123", "with\u{0}zero1234", " leading blank", "trailing blank ",
            String(repeating: "ä1", count: 64),
        ])
    func badPassword(password: String) throws {
        let before = fake.words("etc/shadow")
        #expect(refusal(.account(.password(password)), on: machine)?.status == .badData)
        #expect(fake.words("etc/shadow") == before)
        #expect(fake.calls.isEmpty)
    }

    @Test("a program that says that all went well is not believed")
    func unverified() throws {
        try fake.noted("chpasswd", "cat >/dev/null")
        #expect(
            refusal(.account(.password("a good one 1")), on: machine)
                == .unverified("the password of anna is not the new one"))
        try fake.noted("chpasswd", "read -r line; echo \"bad line: $line\" >&2; exit 1")
        let error = refusal(.account(.password("a good one 1")), on: machine)
        #expect(error?.status == .inputOutput)
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("a good one") == false)
    }

    @Test("a hash is taken as it is, and what is none, is locked or is that of a published password is refused")
    func hash() throws {
        let hash = "$6$saltsalt$" + String(repeating: "a", count: 86)
        #expect(try perform(.account(.passwordHash(hash)), on: machine) == ["set-password"])
        #expect(AccountFacts.hash(of: "anna", machine) == hash)
        #expect(!fake.seen.contains("saltsalt"))
        #expect(try perform(.account(.passwordHash(hash)), on: machine) == [])
        for bad in [
            "", "!", "*", "x", "raspberry", "$1$aaaaaaaa$" + String(repeating: "a", count: 22), hash + ":0",
            hash + "\nx",
            "!" + hash, "$6$", publishedHash,
        ] {
            #expect(refusal(.account(.passwordHash(bad)), on: machine)?.status == .badData)
        }
    }

    // SSH

    private func sshServer() throws {
        try fake.file("usr/sbin/sshd", "#!/bin/sh\n", permissions: 0o755)
        try fake.fakeServices(["ssh.service", "ssh.socket"])
        try fake.noted(
            "ssh-keygen",
            """
            case $1 in
            -A) for kind in rsa ecdsa ed25519; do f="$ROOT/etc/ssh/ssh_host_${kind}_key"
                [ -e "$f" ] || { echo "good new $kind" >"$f"; chmod 600 "$f"; }; done ;;
            -y) grep -q ^good "$5" ;;
            esac
            """)
        try createDirectories(fake.root.appending("etc/ssh"))
    }

    @Test("B097: nobody logs in over the network before there is a password of their own or a key")
    func sshNeedsSecret() throws {
        try sshServer()
        for hash in ["!", "*", "!*", publishedHash, ""] {
            try fake.accounts(hash: hash)
            guard case .refused? = refusal(.account(.ssh(isOn: true)), on: machine) else {
                Issue.record("SSH was turned on with \(hash)")
                continue
            }
        }
        #expect(fake.calls.isEmpty)
        try fake.accounts(hash: "$6$saltsalt$" + String(repeating: "a", count: 86))
        #expect(
            try perform(.account(.ssh(isOn: true)), on: machine) == ["ssh-settings", "host-keys", "start-ssh"])
        let facts = AccountFacts.read(machine)
        #expect(facts.isSSHRunning && facts.isSSHEnabled)
        #expect(fake.words("etc/ssh/sshd_config.d/10-retro.conf").contains("PermitEmptyPasswords no"))
        #expect(try perform(.account(.ssh(isOn: true)), on: machine) == [])
        #expect(try perform(.account(.ssh(isOn: false)), on: machine) == ["stop-ssh"])
        #expect(!AccountFacts.read(machine).isSSHRunning && !AccountFacts.read(machine).isSSHEnabled)
        #expect(try perform(.account(.ssh(isOn: false)), on: machine) == [])
    }

    @Test("a key alone is enough, but not beside a password that everybody knows")
    func sshWithKey() throws {
        try sshServer()
        try createDirectories(fake.root.appending("data/people/anna"))
        if getuid() == 0 {
            try perform(.account(.addKey(ed25519)), on: machine)
        } else {
            try fake.file("data/people/anna/.ssh/authorized_keys", ed25519 + "\n")
        }
        try fake.accounts(hash: "!")
        #expect(try perform(.account(.ssh(isOn: true)), on: machine).last == "start-ssh")
        try fake.accounts(hash: publishedHash)
        #expect(refusal(.account(.ssh(isOn: true)), on: machine)?.status == .badData)
    }

    @Test("B083: host keys that are empty or do not parse are made anew, good ones are kept")
    func hostKeys() throws {
        try sshServer()
        try fake.accounts(hash: "$6$saltsalt$" + String(repeating: "a", count: 86))
        try fake.file("etc/ssh/ssh_host_ed25519_key", "", permissions: 0o600)
        try fake.file("etc/ssh/ssh_host_rsa_key", "nonsense\n", permissions: 0o600)
        try fake.file("etc/ssh/ssh_host_ecdsa_key", "good old\n", permissions: 0o600)
        #expect(try perform(.account(.ssh(isOn: true)), on: machine).contains("host-keys"))
        #expect(fake.words("etc/ssh/ssh_host_ed25519_key") == "good new ed25519\n")
        #expect(fake.words("etc/ssh/ssh_host_rsa_key") == "good new rsa\n")
        #expect(fake.words("etc/ssh/ssh_host_ecdsa_key") == "good old\n")
    }

    @Test(
        "B083: the real ssh-keygen mends an empty key too",
        .enabled(if: isExecutable("/usr/bin/ssh-keygen"), "needs ssh-keygen"))
    func realHostKeys() throws {
        try sshServer()
        let machine = fake.machine(real: true)
        try removeFile(fake.root.appending("fake-bin/ssh-keygen"))
        try fake.accounts(hash: "$6$saltsalt$" + String(repeating: "a", count: 86))
        try fake.file("etc/ssh/ssh_host_ed25519_key", "", permissions: 0o600)
        try fake.file("etc/ssh/ssh_host_ecdsa_key", [UInt8](repeating: 0, count: 400), permissions: 0o600)
        #expect(try perform(.account(.ssh(isOn: true)), on: machine).contains("host-keys"))
        for kind in ["ed25519", "ecdsa", "rsa"] {
            #expect(fake.words("etc/ssh/ssh_host_\(kind)_key").hasPrefix("-----BEGIN OPENSSH PRIVATE KEY-----"))
        }
        try removeFile(fake.root.appending("calls"))
    }

    @Test("without an SSH server the package is told")
    func noServer() {
        #expect(
            refusal(.account(.ssh(isOn: true)), on: machine)
                == .missingProgram("sshd", package: "openssh-server"))
    }

    // Keys

    @Test(
        "keys are added once, listed, removed, and what else the file holds stays",
        .enabled(if: getuid() == 0, "needs root"))
    func keys() throws {
        try createDirectories(fake.root.appending("data/people/anna"))
        #expect(try perform(.account(.addKey(ed25519 + "\r\n")), on: machine) == ["add-key"])
        #expect(try perform(.account(.addKey(ed25519)), on: machine) == [])
        let path = fake.root.appending("data/people/anna/.ssh/authorized_keys")
        let status = try fileStatus(path)
        #expect(status.permissions == 0o600 && status.owner == 1001)
        #expect(try fileStatus(path.parent).permissions == 0o700)
        // A person's own line with options, a comment, and no line end.
        let own = "# mine\nfrom=\"10.0.0.1\" \(other)"
        try replaceFile(at: path, with: Array((fake.words("data/people/anna/.ssh/authorized_keys") + own).utf8))
        #expect(try perform(.account(.addKey(other)), on: machine) == ["add-key"])
        #expect(AccountFacts.read(machine).keys?.map(\.comment) == ["anna@laptop", "tablet"])
        let blob = try #require(AccountFacts.read(machine).keys?.first?.blob)
        #expect(try perform(.account(.removeKey(blob)), on: machine) == ["remove-key"])
        #expect(fake.words("data/people/anna/.ssh/authorized_keys") == own + "\n" + other + "\n")
        #expect(refusal(.account(.removeKey(blob)), on: machine)?.status == .notFound)
    }

    @Test("root follows no link of somebody else's to where it writes keys", .enabled(if: getuid() == 0, "needs root"))
    func keyLinks() throws {
        let home = fake.root.appending("data/people/anna")
        let elsewhere = fake.root.appending("root/.ssh")
        try createDirectories(home)
        try createDirectories(elsewhere)
        try makeLink(to: elsewhere, at: home.appending(".ssh"))
        #expect(refusal(.account(.addKey(ed25519)), on: machine) != nil)
        #expect(try directoryNames(elsewhere).isEmpty)
        try removeFile(home.appending(".ssh"))
        try createDirectories(home.appending(".ssh"))
        let target = try fake.file("root/secret", "keep\n")
        try makeLink(to: target, at: home.appending(".ssh/authorized_keys"))
        try perform(.account(.addKey(ed25519)), on: machine)
        #expect(fake.words("root/secret") == "keep\n")
        #expect(try fileStatus(home.appending(".ssh/authorized_keys"), followLinks: false).kind == .regular)
    }

    @Test(
        "what is no public key is refused",
        arguments: [
            "", "ssh-ed25519", "ssh-ed25519 AAAA", "no key at all", "command=\"/bin/sh\" " + ed25519,
            "from=\"*\",pty " + ed25519, "-----BEGIN OPENSSH PRIVATE KEY-----",
            ed25519.replacing("ssh-ed25519 ", "ssh-rsa "),
            ed25519 + "\n" + other, "ssh-dss " + blob("ssh-dss", 400), "ssh-rsa " + blob("ssh-rsa", 100),
            ed25519.replacing("anna", "a\u{7}nna"), "ssh-ed25519 " + String(ed25519.dropFirst(12).prefix(40)),
        ])
    func badKeys(text: String) throws {
        try createDirectories(fake.root.appending("data/people/anna"))
        #expect(refusal(.account(.addKey(text)), on: machine)?.status == .badData)
        #expect(try directoryNames(fake.root.appending("data/people/anna")).isEmpty)
    }

    // The name

    @Test("a name is written, used at once and known to the machine itself; other lines of hosts stay")
    func hostName() throws {
        try fake.fakeHostName()
        try fake.fakeServices(["avahi-daemon.service", "nmbd.service"])
        try fake.file("proc/sys/kernel/hostname", "old-name\n")
        try fake.file(
            "etc/hosts", "127.0.0.1\tlocalhost\n# mine\n127.0.1.1 old-name old-name.home  nas # x\n10.0.0.9 nas\n")
        #expect(
            try perform(.account(.hostName("Kitchen-2")), on: machine)
                == ["write-name", "write-hosts", "set-name", "announce"])
        #expect(fake.words("etc/hostname") == "kitchen-2\n")
        #expect(fake.words("etc/hosts") == "127.0.0.1\tlocalhost\n# mine\n127.0.1.1\tkitchen-2 nas\n10.0.0.9 nas\n")
        #expect(fake.words("proc/sys/kernel/hostname") == "kitchen-2\n")
        #expect(fake.calls.contains("systemctl try-restart avahi-daemon.service"))
        #expect(try perform(.account(.hostName("kitchen-2")), on: machine) == [])
    }

    @Test(
        "a hosts file is changed no more than it must be",
        arguments: [
            ("", "127.0.1.1\tnew\n"), ("127.0.1.1\told\n", "127.0.1.1\tnew\n"),
            ("127.0.0.1 localhost", "127.0.0.1 localhost\n127.0.1.1\tnew\n"),
            ("127.0.1.1\told\n127.0.1.1 old\n", "127.0.1.1\tnew\n\n"), ("127.0.1.1 new\n", nil),
            ("127.0.1.1 nas\r\n", "127.0.1.1\tnew nas\n"),
        ] as [(String, String?)])
    func hosts(before: String, after: String?) {
        let result = HostName.hosts(Array(before.utf8), old: "old", new: "new")
        #expect(result.map { String(decoding: $0, as: UTF8.self) } == after)
    }

    @Test("a machine that nobody named is told from others by its serial number")
    func defaultName() throws {
        #expect(DefaultHostName.read(machine) == "retro")
        try fake.file("etc/machine-id", "0123456789abcdef0123456789abcdef\n")
        let byNumber = DefaultHostName.read(machine)
        #expect(HostName.isValid(byNumber) && byNumber.count == 10)
        try fake.file("proc/cpuinfo", "processor : 0\nSerial\t\t: 10000000a1b2c3d4\nModel : Pi\n")
        #expect(DefaultHostName.read(machine) == "retro-c3d4")
        try fake.file("proc/device-tree/serial-number", "10000000DEADBEEF\u{0}")
        #expect(DefaultHostName.read(machine) == "retro-beef")
        try fake.file("proc/device-tree/serial-number", "0000000000000000\u{0}")
        #expect(DefaultHostName.read(machine) == byNumber)
    }
}

private let ed25519 = "ssh-ed25519 \(blob("ssh-ed25519", 32)) anna@laptop"
private let other = "ecdsa-sha2-nistp256 \(blob("ecdsa-sha2-nistp256", 65)) tablet"

/// The base64 of a key's parts: its kind, and bytes.
private func blob(_ type: String, _ count: Int) -> String {
    func part(_ bytes: [UInt8]) -> [UInt8] { [0, 0, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
    let bytes = part(Array(type.utf8)) + part((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let three = bytes[start..<min(start + 3, bytes.count)]
        let number = (0..<3).reduce(0) { $0 << 8 | (start + $1 < bytes.count ? Int(bytes[start + $1]) : 0) }
        for index in 0..<4 { text.append(index <= three.count ? letters[number >> (18 - 6 * index) & 63] : "=") }
    }
    return text
}

extension String {
    fileprivate func replacing(_ text: String, _ other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
