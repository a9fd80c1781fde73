import Glibc
import SystemKit
import Testing

@testable import Appliance

extension FakeMachine {
    /// This folder as a machine, with programs of its own and, where they cannot do harm, the real ones behind them.
    func machine(real: Bool = false) -> Machine {
        var programs = Programs()
        programs.folders = [root.appending("fake-bin")] + (real ? programs.folders : [])
        let data = root.appending("srv/retro")
        return Machine(
            files: .init(filesystem: root), programs: programs,
            data: DataPlaces(
                root: data, roms: data.appending("roms"), state: root.appending("var/lib/retro"),
                configuration: root.appending("etc/retro")))
    }

    /// A program of this machine: a shell script that first writes down how it was called and with what environment.
    /// `$ROOT` is the machine's root, `$INPUT` what came by standard input.
    func noted(_ name: String, _ script: String) throws {
        try file(
            "fake-bin/\(name)",
            """
            #!/bin/sh
            ROOT='\(root.displayString)'
            echo "\(name) $*" >>"$ROOT/calls"
            env >>"$ROOT/environments"
            cat /proc/$$/cmdline >>"$ROOT/environments"
            INPUT=
            \(script)

            """, permissions: 0o755)
    }

    /// How the programs were called, in order.
    var calls: [String] {
        let text = (try? readFile(root.appending("calls"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Everything that others on the machine could have seen of the programs: words and environments.
    var seen: String {
        calls.joined(separator: "\n")
            + ((try? readFile(root.appending("environments"))).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    func words(_ path: String) -> String {
        (try? readFile(root.appending(path))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// A kernel whose name can be changed.
    func fakeHostName() throws {
        try noted("hostname", #"printf '%s\n' "$1" >"$ROOT/proc/sys/kernel/hostname""#)
        try createDirectories(root.appending("proc/sys/kernel"))
    }

    /// Services whose state is kept in files: `systemctl` as far as it is used.
    func fakeServices(_ units: [String]) throws {
        for unit in units { try file("usr/lib/systemd/system/\(unit)", "[Unit]\n") }
        try noted(
            "systemctl",
            """
            verb=$1; shift
            [ "$1" = --now ] && shift
            wants="$ROOT/etc/systemd/system/multi-user.target.wants"
            proc="$ROOT/proc/7$(printf %s "$1" | cksum | cut -c1-4)"
            name=${1%.service}; [ "$name" = ssh ] && name=sshd
            mkdir -p "$wants"
            [ -e "$ROOT/usr/lib/systemd/system/$1" ] || { echo "Unit $1 could not be found." >&2; exit 5; }
            case $verb in
            enable) ln -sf /x "$wants/$1"; mkdir -p "$proc"; echo "$name" >"$proc/comm" ;;
            disable) rm -rf "$wants/$1" "$proc" ;;
            is-active) [ -e "$proc/comm" ] && echo active || { echo inactive; exit 3; } ;;
            is-enabled) [ -L "$wants/$1" ] && echo enabled || { echo disabled; exit 1; } ;;
            esac
            """)
    }

    /// Accounts of a Raspberry Pi whose owner chose the name anna. The numbers are this process's where it is not
    /// root, so that it can give files to them.
    func accounts(login: String = "anna", home: String = "/data/people/anna", hash: String = "!") throws {
        let (user, group) = getuid() == 0 ? (7993, 7991) : (getuid(), getgid())
        try file(
            "etc/passwd",
            """
            root:x:0:0:root:/root:/bin/bash
            daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
            nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
            retro:x:\(user):\(group)::/var/lib/retro:/usr/sbin/nologin
            \(login):x:1001:\(group):,,,:\(home):/bin/bash

            """)
        try file("etc/group", "root:x:0:\nretro:x:\(group):\nsudo:x:27:\(login)\n")
        try file("etc/shadow", "root:*:19000:0:99999:7:::\nretro:!:19000::::::\n\(login):\(hash):19000:0:99999:7:::\n")
    }
}

/// Runs a change and gives the names of its steps.
@discardableResult
func perform(_ change: MachineChange, on machine: Machine) throws -> [String] {
    let plan = try change.plan(on: machine)
    try plan.apply()
    return plan.steps.map(\.name)
}

/// The error that a change is refused with.
func refusal(_ change: MachineChange, on machine: Machine) -> ApplianceError? {
    do throws(ApplianceError) {
        try change.plan(on: machine).apply()
        return nil
    } catch { return error }
}
