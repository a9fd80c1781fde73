"""A machine of a test's own: an appliance with Samba and systemd's part of it, in namespaces for mounts and the network.

Nothing of this machine is touched: /etc, /srv, /run and what lies below /var are copies or empty, and the network has
nobody else in it.
"""
import contextlib
import ctypes
import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile

import harness
from documents import documented
from harness import PATIENCE, Absent, Failure, check, equal, need

ROOT = "/srv/retro"
ADDRESS = "10.99.0.1"
RETRO, ANNA = 7993, 7001

SYSTEMCTL = """#!/bin/sh
# What systemd does, as far as the share needs it.
verb=$1; shift
[ "$1" = --now ] && shift
wants=/etc/systemd/system/multi-user.target.wants
name=${1%%.service}
pid=$(cat "/run/units/$name" 2>/dev/null)
running() { grep -qs '^State:.[RSDT]' "/proc/$(cat "/run/units/$name" 2>/dev/null)/status"; }
case $verb in
enable) ln -sf "/usr/lib/systemd/system/$1" "$wants/$1"
    running && exit 0
    case $name in
    smbd | nmbd) setsid "$name" -F --no-process-group </dev/null >"/var/log/$name.out" 2>&1 & ;;
    *) setsid sleep 100000 </dev/null >/dev/null 2>&1 & ;;
    esac
    echo $! >"/run/units/$name"
    # Such a unit has started when it says so.
    while [ "$name" = smbd ] && running && ! ss -ltn | grep -q ':445 '; do sleep 0.05; done ;;
reload-or-restart | try-reload-or-restart) [ -n "$pid" ] && kill -HUP "$pid" ;;
try-restart) ;;
disable) rm -f "$wants/$1" "/run/units/$name"; [ -n "$pid" ] && kill "$pid"
    while grep -qs '^State:.[RSDT]' "/proc/$pid/status"; do sleep 0.05; done ;;
is-active) if running; then echo active; else echo inactive; exit 3; fi ;;
is-enabled) if [ -L "$wants/$1" ]; then echo enabled; else echo disabled; exit 1; fi ;;
esac
exit 0
"""


class Site:
    """A machine of our own: an appliance with Samba, an account that plays, and a person who logs in."""

    def __init__(self):
        if os.geteuid() != 0:
            raise Absent("root")
        need("smbd", "smbclient", "testparm", "pdbedit", "setpriv", "mount", "ip")
        self.folder = tempfile.mkdtemp(prefix="e2e-share-", dir="/tmp")
        os.chmod(self.folder, 0o755)
        for name in ("bin", "sbin", "etc", "srv", "run", "lib", "log", "cache"):
            os.makedirs(os.path.join(self.folder, name))
        for program in (harness.ADMIN, harness.MENU):
            check(os.access(program, os.X_OK), f"{program} is not built")
            shutil.copy(program, os.path.join(self.folder, "bin"))
        self.admin_program = os.path.join(self.folder, "bin", "retro-admin")
        self.enter()
        self.fill()
        # The menu runs as the account that plays, as it does on the appliance.
        harness.ADMIN = self.admin_program
        harness.MENU = self.write(os.path.join(self.folder, "bin", "menu"), f"""#!/bin/sh
            exec setpriv --reuid={RETRO} --regid={RETRO} --clear-groups {self.folder}/bin/retro-menu "$@"
            """, 0o755)

    def enter(self):
        if ctypes.CDLL(None, use_errno=True).unshare(0x00020000 | 0x40000000) != 0:
            raise Absent("namespaces for mounts and the network")
        self.run("mount", "--make-rprivate", "/")
        shutil.copytree("/etc", os.path.join(self.folder, "etc"), symlinks=True, dirs_exist_ok=True)
        for name, place in (("etc", "/etc"), ("srv", "/srv"), ("run", "/run"), ("lib", "/var/lib"), ("log", "/var/log"),
                            ("cache", "/var/cache"), ("sbin", "/usr/local/sbin")):
            self.run("mount", "--bind", os.path.join(self.folder, name), place)
        self.run("ip", "link", "set", "lo", "up")
        # Not every kernel has a network that leads nowhere.
        self.has_network = subprocess.run(["ip", "link", "add", "net0", "type", "dummy"], capture_output=True,
                                          check=False).returncode == 0
        device = "net0" if self.has_network else "lo"
        self.run("ip", "address", "add", ADDRESS + "/24", "broadcast", "10.99.0.255", "dev", device)
        self.run("ip", "link", "set", device, "up")
        for folder in ("/var/lib/samba/private", "/var/cache/samba", "/run/samba", "/var/log/samba", "/run/units",
                       "/etc/avahi/services", "/etc/systemd/system/multi-user.target.wants", "/etc/retro"):
            os.makedirs(folder, exist_ok=True)

    def fill(self):
        with open("/etc/passwd", encoding="utf-8") as file:
            others = [line for line in file if not line.startswith(("retro:", "anna:"))]
        self.write("/etc/passwd", "".join(others)
                   + f"retro:x:{RETRO}:{RETRO}::/var/lib/retro:/usr/sbin/nologin\n"
                   + f"anna:x:{ANNA}:{ANNA}::/srv/people/anna:/bin/bash\n")
        self.write("/etc/group", f"root:x:0:\nnogroup:x:65534:\nretro:x:{RETRO}:\nanna:x:{ANNA}:\nsudo:x:27:anna\n")
        with open("/etc/shadow", "a", encoding="utf-8") as file:
            file.write("retro:!:19000::::::\nanna:!:19000:0:99999:7:::\n")
        self.write("/etc/nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files\n")
        self.write("/usr/local/sbin/systemctl", SYSTEMCTL, 0o755)
        self.conf = open("/usr/share/samba/smb.conf", encoding="utf-8").read()
        self.write("/etc/samba/smb.conf", self.conf)
        self.write("/srv/people/anna/.ssh/authorized_keys", "secret key\n")
        self.write("/var/lib/retro/secret", "state\n")
        self.write("/etc/retro/secret", "configuration\n")
        for name in ("roms/nes", "states"):
            os.makedirs(os.path.join(ROOT, name), exist_ok=True)
        for folder in ("/var/lib/retro", "/srv/retro"):
            for place, _, names in os.walk(folder):
                for name in [place] + [os.path.join(place, name) for name in names]:
                    os.chown(name, RETRO, RETRO)
        os.chmod(os.path.join(self.folder, "etc"), 0o755)

    def write(self, path, text, mode=0o644):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def run(self, *words, **options):
        done = subprocess.run(words, capture_output=True, check=False, timeout=PATIENCE, **options)
        check(done.returncode == 0, f"{' '.join(words)}: {done.stderr.decode(errors='replace')[-300:]}")
        return done.stdout.decode(errors="replace")

    def admin(self, *words, status=0, text=None, root=ROOT):
        """What retro-admin says; `text` is its standard input."""
        done = subprocess.run([self.admin_program, *words, "--root", root], capture_output=True, timeout=PATIENCE,
                              input=(text or "").encode(), check=False)
        said = done.stdout.decode() + done.stderr.decode()
        equal(done.returncode, status, f"retro-admin {' '.join(words)}: {said[-500:]}: exit status")
        if "--json" not in words or status != 0:
            return said
        return documented(json.loads(done.stdout), " ".join(word for word in words[:2] if not word.startswith("-")))

    def password(self):
        with open("/var/lib/retro-machine/share-password", encoding="utf-8") as file:
            return file.read().strip()

    def on(self):
        """The share as it is when it is on, whatever a test before did."""
        self.admin("share", "guest", "off")
        self.admin("share", "on")

    def smb(self, commands, share="roms", user="retro", password=None, options=(), protocol="SMB3_11", signing="required"):
        """What smbclient says, and whether it went well."""
        words = ["smbclient", f"//127.0.0.1/{share}", "--option=client signing=" + signing,
                 "--option=client min protocol=" + ("NT1" if protocol == "NT1" else "SMB2_02"), "-m", protocol, *options]
        if user is None:
            words += ["-N"]
        else:
            login = self.write(os.path.join(self.folder, "login"), f"username={user}\npassword={password or self.password()}\n")
            words += ["-A", login]
        if isinstance(commands, str):
            commands = [commands]
        done = subprocess.run([*words, "-c", "; ".join(commands)], capture_output=True, timeout=PATIENCE, check=False,
                              cwd=self.folder, env={**os.environ, "LC_ALL": "C.UTF-8"})
        said = (done.stdout + done.stderr).decode(errors="replace")
        return done.returncode == 0 and "NT_STATUS" not in said, said

    def good(self, commands, **options):
        went_well, said = self.smb(commands, **options)
        check(went_well, f"{commands}: {said[-300:]}")
        return said

    def refused(self, commands, why, **options):
        went_well, said = self.smb(commands, **options)
        check(not went_well, f"{commands} went well: {said[-300:]}")
        check(any(word in said for word in why.split("|")), f"{commands} was refused otherwise than by {why}: {said[-300:]}")
        return said

    def as_user(self, number, *words, groups=None, **options):
        groups = ["--groups=" + ",".join(map(str, groups))] if groups else ["--clear-groups"]
        return subprocess.run(["setpriv", f"--reuid={number}", f"--regid={number}", *groups, *words],
                              capture_output=True, check=False, timeout=PATIENCE, **options)

    def close(self):
        for path in glob.glob("/run/units/*"):
            with contextlib.suppress(OSError, ValueError), open(path, encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGTERM)
        if os.environ.get("RETRO_E2E_KEEP"):
            shutil.copytree("/var/log", os.path.join(os.environ["RETRO_E2E_KEEP"], "log"), dirs_exist_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)


SITE = []


def site():
    if not SITE:
        try:
            SITE.append(Site())
        except (Absent, Failure) as error:
            SITE.append(error)
    if not isinstance(SITE[0], Site):
        raise SITE[0]
    return SITE[0]


def mode(path):
    return oct(os.lstat(path).st_mode & 0o7777)


def snapshot(*folders):
    """Names, modes, owners and contents of all that is there."""
    found = {}
    for folder in folders:
        for place, names, files in os.walk(folder):
            for name in names + files:
                path = os.path.join(place, name)
                status = os.lstat(path)
                data = open(path, "rb").read() if name in files and os.path.isfile(path) else None
                found[path] = (status.st_mode, status.st_uid, status.st_gid, data)
    return found


def close_site():
    for place in SITE:
        if isinstance(place, Site):
            place.close()
