"""A machine that may be changed: a Raspberry Pi made of copies and of small programs, in namespaces of its own.

Each command runs in namespaces for mounts, names, processes, the network and semaphores; what it changes is in folders of
the test and stays for the next command. It may neither set the clock nor restart anything.
"""
import json
import os
import shutil
import struct
import subprocess

from command_fixture import snapshot
from documents import valid
from harness import ADMIN, PATIENCE, Absent, check, need

ROOT = "/srv/retro"
RETRO, ANNA = 7993, 7001
KEY = ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBlzVnVvQ0ZzVnVvQ0ZzVnVvQ0ZzVnVvQ0ZzVnVvQ0Zz me")
HOME_NETWORK = "Zuhause: \\Bär"
# Each change, its words, and whether it is made again when it is asked for again.
CHANGES = (
    ("wifi country", ["DE"], False), ("wifi connect", [HOME_NETWORK, "--stdin"], True), ("wifi off", [], False),
    ("wifi on", [], False), ("wifi forget", [HOME_NETWORK], False),
    ("share on", ["--stdin"], False), ("share guest", ["on"], False), ("share guest", ["off"], False),
    ("share password", ["--generate"], True), ("share password", ["--stdin"], False), ("share repair", [], True),
    ("share off", [], False),
    ("system hostname", ["kitchen"], False), ("system hostname", ["--default"], False),
    ("system password", ["--stdin"], True), ("system ssh add-key", [KEY], False), ("system ssh on", [], False),
    ("system ssh off", [], False), ("system ssh remove-key", ["1"], True),
    ("system locale", ["C.UTF-8"], False), ("system timezone", ["Europe/Berlin"], False),
    ("system keyboard", ["de"], False), ("system clock save", [], True),
    ("system audio follow", [], False), ("system audio output", ["vc4hdmi0"], False),
    ("system audio volume", ["50"], False), ("system audio mute", ["on"], False),
    ("system picture overscan", ["24", "24", "16", "16"], False),
    ("system picture resolution", ["HDMI-A-1", "1280x720"], False), ("system overclock", ["boost"], False),
    ("setup-file", [], False), ("system reboot", ["--yes"], True), ("system poweroff", ["--yes"], True),
)

# What systemd does, as far as a state of each unit goes.
SYSTEMCTL = """#!/bin/sh
verb=$1; shift
[ "$1" = --now ] && shift
wants=/etc/systemd/system/multi-user.target.wants
for unit; do
    # The process that would run then.
    name=${unit%.*}
    case $name in ssh) name=sshd process=2001 ;; smbd) process=2002 ;; nmbd) process=2003 ;; *) process=2004 ;; esac
    case $verb in
    enable) ln -sf "/usr/lib/systemd/system/$unit" "$wants/$unit"; : >"/run/units/$unit"
        mkdir -p "/proc/$process"; echo "$name" >"/proc/$process/comm" ;;
    disable) rm -rf "$wants/$unit" "/run/units/$unit" "/proc/$process" ;;
    is-active) if [ -e "/run/units/$unit" ]; then echo active; else echo inactive; exit 3; fi ;;
    is-enabled) if [ -L "$wants/$unit" ]; then echo enabled; else echo disabled; exit 1; fi ;;
    esac
done
exit 0
"""

# NetworkManager with two networks, one with a name that terse output has to escape; it joins whatever it is told to.
NMCLI = r"""#!/bin/sh
cd /run/network || exit 1
case "$*" in
*"connection.autoconnect connection show uuid"*) echo connection.autoconnect:yes ;;
*"connection show"*)
    for file in profiles/*; do
        [ -e "$file" ] || continue
        case "$*" in
        *"-f UUID connection"*) echo "${file#profiles/}" ;;
        *) echo "${file#profiles/}:802-11-wireless:/profile/${file#profiles/}" ;;
        esac
    done ;;
*"wifi list"*) cat networks ;;
*"-f DEVICE"*) cat device ;;
*"-f WIFI radio"*) cat radio ;;
"radio wifi on") echo enabled >radio ;;
"radio wifi off") echo disabled >radio ;;
"connection load"*)
    uuid=$(sed -n s/^uuid=//p "$3")
    bytes=$(sed -n s/^ssid=//p "$3" | tr ';' ',' | sed 's/,$//')
    echo '{"data":[{"802-11-wireless":{"ssid":{"data":['"$bytes"']}}}]}' >"profiles/$uuid" ;;
"connection delete"*) rm -f "profiles/$4" /etc/NetworkManager/system-connections/*"$4"* ;;
*"connection up"*) echo "wlan0:wifi:connected:$6" >device ;;
*) exit 2 ;;
esac
"""
BUSCTL = """#!/bin/sh
cat "/run/network/profiles/${4#/profile/}"
"""
IW = """#!/bin/sh
case "$*" in
"reg get") printf 'global\\ncountry %s: DFS-ETSI\\n' "$(cat /run/network/country 2>/dev/null || echo 00)" ;;
"reg set"*) printf %s "$3" >/run/network/country ;;
esac
"""
# A card with one control.
AMIXER = """#!/bin/sh
percent=$(cat /run/volume 2>/dev/null || echo 70) switch=$(cat /run/switch 2>/dev/null || echo on)
for last; do :; done
case "$*" in
*sset*%*) for word; do case $word in *%) echo "${word%?}" >/run/volume; percent=${word%?} ;; esac; done ;;
esac
case "$*" in *" mute"*) echo off >/run/switch; switch=off ;; *" unmute"*) echo on >/run/switch; switch=on ;; esac
case "$*" in
*sset*) ;;
*)  echo "Simple mixer control 'PCM',0"
    echo "  Capabilities: pvolume pswitch"
    echo "  Playback channels: Mono"
    echo "  Limits: Playback 0 - 100"
    echo "  Mono: Playback $percent [$percent%] [0.00dB] [$switch]" ;;
esac
"""


class MachineToChange:
    """A Raspberry Pi 4 with Samba, SSH, NetworkManager and one sound card, as far as files and programs say so."""

    def __init__(self, world):
        if os.geteuid() != 0:
            raise Absent("root, for namespaces")
        need("unshare", "mount", "ip", "setpriv", "smbpasswd", "testparm", "pdbedit", "ssh-keygen")
        self.world = world
        os.chmod(world.folder, 0o755)
        self.folder = world.path("machine")
        for name in ("etc", "lib", "run", "srv/retro/roms/nes", "boot/firmware", "proc", "run/proc", "class/net/wlan0/phy80211", "class/drm",
                     "run/network/profiles", "run/units", "run/mount",
                     "sbin", "log", "cache/samba"):
            os.makedirs(os.path.join(self.folder, name))
        shutil.copytree("/etc", os.path.join(self.folder, "etc"), symlinks=True, dirs_exist_ok=True)
        shutil.copy(ADMIN, self.path("sbin", "retro-admin"))
        # The kernel's own view of this process, beside what a Raspberry Pi has there.
        for name in ["self", "sys", *map(str, range(1, 500))]:
            os.symlink("/run/proc/" + name, self.path("proc", name))
        self.accounts()
        self.hardware()
        for name, text in (("systemctl", SYSTEMCTL), ("nmcli", NMCLI), ("busctl", BUSCTL), ("iw", IW), ("amixer", AMIXER),
                           ("rfkill", "#!/bin/sh\nexit 0\n")):
            self.write("sbin/" + name, text, 0o755)
        # Names of the machine are this test's: what would ask a service for them is not there.
        for name in ("hostnamectl", "timedatectl", "localectl"):
            self.write("sbin/" + name, "#!/bin/sh\nexit 1\n", 0o755)
        done = self.run("man", [])
        if not done.stdout:
            raise Absent("namespaces of its own: " + done.stderr.decode(errors="replace").strip()[-200:])

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(path, mode)

    def accounts(self):
        os.chmod(self.path("etc"), 0o755)
        self.write("etc/passwd", "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/usr/sbin/nologin\n"
                   f"retro:x:{RETRO}:{RETRO}::/var/lib/retro:/usr/sbin/nologin\nanna:x:{ANNA}:{ANNA}::/srv/anna:/bin/sh\n")
        self.write("etc/group", f"root:x:0:\nnogroup:x:65534:\nretro:x:{RETRO}:\nanna:x:{ANNA}:\nsudo:x:27:anna\n")
        self.write("etc/shadow", "root:*:19000::::::\nretro:!:19000::::::\nanna:!:19000:0:99999:7:::\n", 0o640)
        self.write("etc/nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files\n")
        self.write("etc/hostname", "raspberrypi\n")
        self.write("etc/hosts", "127.0.0.1 localhost\n127.0.1.1 raspberrypi\n")
        self.write("etc/retro/marker", "")
        os.makedirs(self.path("srv/anna"))
        os.chown(self.path("srv/anna"), ANNA, ANNA)
        for name in ("lib/samba/private", "lib/retro", "run/samba", "log/samba", "etc/systemd/system/multi-user.target.wants"):
            os.makedirs(self.path(name), exist_ok=True)
        with open("/usr/share/samba/smb.conf", encoding="utf-8") as file:
            self.write("etc/samba/smb.conf", file.read())
        for place in (self.path("srv/retro"), self.path("lib/retro")):
            for folder, _, names in os.walk(place):
                for path in [folder] + [os.path.join(folder, name) for name in names]:
                    os.chown(path, RETRO, RETRO)

    def hardware(self):
        self.write("boot/firmware/config.txt", "# For more options see the documentation\ndtparam=audio=on\ndtoverlay=vc4-kms-v3d\n")
        self.write("boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=3c2bcb52-02 rootfstype=ext4 rootwait\n")
        self.write("boot/firmware/retro-setup.txt", "\ufeff# From a card reader\r\ntimezone=Europe/Paris\r\n")
        self.write("proc/device-tree/model", b"Raspberry Pi 4 Model B Rev 1.5\0")
        self.write("proc/device-tree/serial-number", b"10000000a1b2c3d4\0")
        self.write("proc/device-tree/system/linux,revision", struct.pack(">I", 0xc03115))
        self.write("proc/asound/cards", " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n                      vc4-hdmi-0\n")
        self.write("proc/asound/card0/id", "vc4hdmi0\n")
        self.write("proc/asound/card0/pcm0p/info", "card: 0\ndevice: 0\n")
        self.write("proc/1000/comm", "NetworkManager\n")
        for name, text in (("status", "connected\n"), ("modes", "1920x1080\n1280x720\n"), ("enabled", "enabled\n")):
            self.write("class/drm/card0-HDMI-A-1/" + name, text)
        self.write("class/net/wlan0/phy80211/name", "phy0\n")
        self.write("run/network/device", "wlan0:wifi:disconnected:\n")
        self.write("run/network/radio", "enabled\n")
        # As nmcli lists them: whether it is active, the name's bytes, signal, security, and its flags.
        self.write("run/network/networks", f" :{HOME_NETWORK.encode().hex().upper()}:70:WPA2:pair_ccmp group_ccmp psk\n"
                   " :4F70656E:60::(none)\n")

    def binds(self):
        for name, place in (("etc", "/etc"), ("lib", "/var/lib"), ("run", "/run"), ("srv", "/srv"), ("boot", "/boot"),
                            ("log", "/var/log"), ("cache", "/var/cache"), ("sbin", "/usr/local/sbin"),
                            ("class", "/sys/class"), ("proc", "/proc")):
            yield f'mount --bind "{self.path(name)}" {place}'

    def run(self, command, arguments, *more, stdin=b""):
        """How a command ends that changes this machine."""
        steps = ["mount --make-rprivate /", "mount -t sysfs none /sys", *self.binds(), "mount -t proc none /run/proc", "ip link set lo up",
                 "cat /etc/hostname >/proc/sys/kernel/hostname"]
        script = "\n".join([*steps, 'exec "$@"'])
        # Neither the clock nor the machine itself can be reached.
        words = ["unshare", "-muipn", "--fork", "sh", "-ec", script, "sh", "setpriv",
                 "--bounding-set", "-sys_time,-sys_boot,-sys_module", "/usr/local/sbin/retro-admin", *command.split(),
                 *arguments, *more, "--root", ROOT]
        return subprocess.run(words, input=stdin, capture_output=True, timeout=PATIENCE * 2, check=False, cwd="/",
                              env={"PATH": "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"})


    def document(self, command, words, *more, stdin=""):
        """What a command prints that must go well, held against its schema."""
        done = self.run(command, words, *more, "--json", stdin=stdin.encode() + b"\n")
        what = " ".join([command, *words, *more])[:60]
        said = done.stderr.decode(errors="replace")
        check(done.returncode == 0, f"{what} ends with {done.returncode}: {said[-300:]}")
        check(stdin.encode() not in done.stdout + done.stderr or not stdin, f"{what} shows the secret")
        document = json.loads(done.stdout)
        valid(document, command, what)
        return document

    def all(self):
        """All that a plan must leave alone."""
        found = snapshot(*(self.path(name) for name in ("etc", "lib", "run", "srv", "boot", "log", "cache")))
        # Samba's own programs keep it, also while they only look.
        return {path: entry for path, entry in found.items() if "gencache" not in path and path != self.path("run/samba")}
