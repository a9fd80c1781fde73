"""Disks for the tests of expand-fs: images on loop devices, with tables that sfdisk made and real filesystems."""
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

from documents import documented
from harness import ADMIN, BINARIES, Absent, Failure, check, equal, need, wait_for

MIB = 1 << 20
FILLING = b"what a person keeps"


def call(*arguments, status=0, **options):
    done = subprocess.run([str(word) for word in arguments], capture_output=True, timeout=100, check=False,
                          stdin=None if "input" in options else subprocess.DEVNULL, **options)
    if status is not None and done.returncode != status:
        raise Failure(f"{' '.join(map(str, arguments))} ended with {done.returncode}: "
                      f"{done.stderr.decode(errors='replace').strip()[-300:]}")
    return done


def need_loops():
    """Skips where this machine gives no loop devices with partitions: in a container, or without root."""
    need("losetup", "sfdisk", "partx", "mkfs.ext4", "unshare")
    if os.geteuid() != 0:
        raise Absent("root, for loop devices")
    if not os.path.exists("/dev/loop-control"):
        raise Absent("loop devices")


MAKERS = {
    "ext4": ["mkfs.ext4", "-q", "-F"],
    # The boundary case: no room for more group descriptors was kept.
    "ext2": ["mkfs.ext2", "-q", "-F"],
    "btrfs": ["mkfs.btrfs", "-q", "-f"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
    "f2fs": ["mkfs.f2fs", "-q", "-f"],
    "vfat": ["mkfs.vfat"],
    "swap": ["mkswap"],
    "lvm": ["pvcreate", "-q", "-ff", "-y"],
    "luks": ["cryptsetup", "luksFormat", "-q", "--type", "luks2", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"],
}


def make_filesystem(kind, node):
    need(MAKERS[kind][0])
    call(*MAKERS[kind], node, input=b"secret\n" if kind == "luks" else b"")


class Disk:
    """An image file on a loop device."""

    def __init__(self, world, name="disk.img", sector=512):
        need_loops()
        self.world = world
        # In memory: what is flushed after every step would else wait for this machine's own disk.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.mkdtemp(prefix="e2e-disk-", dir=memory)
        self.path = os.path.join(self.folder, name)
        self.sector = sector
        self.loop = None
        self.mounted = []

    def make(self, script, mib, filesystems):
        """A table by sfdisk's script, and filesystems by the partitions' numbers."""
        with open(self.path, "wb") as file:
            file.truncate(mib * MIB)
        try:
            self.attach()
            # The kernel is told by partx below: not every kernel reads tables itself.
            call("sfdisk", "-q", "--no-reread", "--no-tell-kernel", self.loop, input=script.encode())
            self.show()
            for number, kind in filesystems.items():
                make_filesystem(kind, self.node(number))
            self.detach()
        except BaseException:
            self.__exit__()
            raise
        return self

    def attach(self, read_only=False):
        options = ["-r"] if read_only else []
        done = call("losetup", "-b", self.sector, *options, "-f", "--show", self.path)
        self.loop = done.stdout.decode().strip()
        # What was there before may have left partitions behind.
        self.hide()
        return self

    def hide(self):
        """Takes the partitions from the kernel, also those of a table that is gone: udev may have one open just then,
        to see what is on it, and one that stayed would be taken for the next disk's."""
        name = os.path.basename(self.loop)

        def are_gone():
            call("partx", "-d", self.loop, status=None)
            return not [entry for entry in os.listdir(f"/sys/block/{name}") if entry.startswith(f"{name}p")]
        wait_for(are_gone, f"the partitions of {self.loop} to go", 10)

    def show(self):
        """Gives the kernel the partitions of the table."""
        call("partx", "-a", self.loop, status=None)
        for number in self.table()["partitions"]:
            wait_for(lambda node=self.node(number): os.path.exists(node), f"the node of partition {number}", 5)
        return self

    def unmount(self):
        for point in reversed(self.mounted):
            call("umount", point)
        self.mounted = []

    def head(self):
        """The disk's first MiB, which has its table."""
        with open(self.path, "rb") as file:
            return file.read(MIB)

    def detach(self):
        self.unmount()
        if self.loop:
            self.hide()
            loop, self.loop = self.loop, None
            call("losetup", "-d", loop)
            name = os.path.basename(loop)
            wait_for(lambda: read(f"/sys/block/{name}/size") in ("0", ""), f"{loop} to be given back", 10)

    def resize(self, mib=None, size=None):
        os.truncate(self.path, size if size is not None else mib * MIB)

    def node(self, number):
        return f"{self.loop}p{number}"

    def mount(self, number, *options):
        point = self.world.path(f"mount{number}")
        os.makedirs(point, exist_ok=True)
        if call("mount", *options, self.node(number), point, status=None).returncode != 0:
            raise Absent("a kernel that mounts this filesystem")
        self.mounted.append(point)
        return point

    def table(self):
        done = call("sfdisk", "--json", self.loop or self.path)
        table = json.loads(done.stdout)["partitiontable"]
        partitions = {}
        for entry in table.get("partitions", []):
            node = entry.pop("node")
            partitions[int(node.removeprefix(table["device"]).removeprefix("p"))] = entry
        return {"label": table["label"], "id": table["id"], "partitions": partitions}

    def digest(self, number=None):
        """Of the whole image, or of what one partition holds."""
        start, size = 0, None
        if number is not None:
            entry = self.table()["partitions"][number]
            start, size = entry["start"] * self.sector, entry["size"] * self.sector
        if self.loop:
            call("blockdev", "--flushbufs", self.loop, status=None)
        result = hashlib.sha256()
        with open(self.path, "rb") as file:
            os.fsync(file.fileno())
            file.seek(start)
            while size is None or size > 0:
                chunk = file.read(MIB if size is None else min(MIB, size))
                if not chunk:
                    break
                result.update(chunk)
                size = None if size is None else size - len(chunk)
        return result.hexdigest()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Failure):
            for point in reversed(self.mounted):
                call("umount", point, status=None)
            self.mounted = []
            self.detach()
        shutil.rmtree(self.folder, ignore_errors=True)


def read(path):
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


class Machine:
    """retro-admin as root, with folders of its own for what it keeps and for programs that come before the real ones."""

    def __init__(self, world):
        self.world = world
        self.kept = world.path("var-lib")
        self.programs = world.path("programs")
        for folder in (self.kept, self.programs):
            os.makedirs(folder, exist_ok=True)

    def run(self, *arguments, before=()):
        script = 'mount --bind "$1" /var/lib && mount --bind "$2" /usr/local/sbin && shift 2 && exec "$@"'
        return subprocess.run(
            ["unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh", self.kept, self.programs, *before,
             ADMIN, "expand-fs", *map(str, arguments)],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False, env=self.world.environment())

    def run_inside(self, point, *arguments):
        """The same where the filesystem at a point is the root, as on the machine that it is the card of."""
        libraries = {os.path.dirname(word) for word in call("ldd", ADMIN).stdout.decode().split() if word.startswith("/")}
        folders = sorted({"usr", "bin", "sbin", "lib", "lib64", "proc", "sys", "dev", "tmp", BINARIES.strip("/"),
                          *[folder.strip("/") for folder in libraries]})
        folders = [folder for folder in folders if os.path.isdir("/" + folder)
                   and not any(folder.startswith(other + "/") for other in folders)]
        script = ('root=$1 programs=$2; shift 2; while [ "$1" != -- ]; do mkdir -p "$root/$1"; mount --rbind "/$1" "$root/$1"; '
                  'shift; done; shift; mount --bind "$programs" "$root/usr/local/sbin"; exec chroot "$root" "$@"')
        return subprocess.run(
            ["unshare", "-m", "--propagation", "private", "sh", "-ec", script, "sh", point, self.programs, *folders, "--",
             ADMIN, "expand-fs", *map(str, arguments)],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False,
            # The cache of libraries is in /etc, which is the card's own.
            env=self.world.environment(LD_LIBRARY_PATH=":".join(sorted(libraries))))

    def expand_root(self, point, *options, status=0):
        done = self.run_inside(point, "--json", *options)
        if done.returncode != status:
            raise Failure(f"expand-fs ended with {done.returncode} instead of {status}: "
                          f"{done.stderr.decode(errors='replace').strip()[-400:]} {done.stdout.decode()[-300:]}")
        return documented(json.loads(done.stdout), "expand-fs")

    def expand(self, disk, number, *options, status=0):
        """What it says in JSON."""
        done = self.run("--json", "--device", disk.node(number), *options)
        if done.returncode != status:
            raise Failure(f"expand-fs ended with {done.returncode} instead of {status}: "
                          f"{done.stderr.decode(errors='replace').strip()[-400:]} {done.stdout.decode()[-300:]}")
        return documented(json.loads(done.stdout), "expand-fs")

    def pending(self):
        return os.path.exists(os.path.join(self.kept, "retro-machine", "storage", "expand.json"))

    def saved_tables(self):
        folder = os.path.join(self.kept, "retro-machine", "storage", "tables")
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

    def wrap(self, tool, text):
        """Puts a program before the real one, whose path is `$real`."""
        path = os.path.join(self.programs, tool)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nreal={shutil.which(tool)}\n{text}")
        os.chmod(path, 0o755)

    def unwrap(self):
        for name in os.listdir(self.programs):
            os.remove(os.path.join(self.programs, name))


def can_resize_ext4_online():
    """Whether this root may: the kernel wants CAP_SYS_RESOURCE for it, which a container may lack."""
    capabilities = next(line for line in read("/proc/self/status").splitlines() if line.startswith("CapEff:"))
    return int(capabilities.split()[1], 16) >> 24 & 1 == 1


def fill(point):
    with open(os.path.join(point, "kept"), "wb") as file:
        file.write(FILLING)


def check_filled(point):
    with open(os.path.join(point, "kept"), "rb") as file:
        equal(file.read(), FILLING, "the file in the filesystem")


CHECKERS = {
    "ext4": ["e2fsck", "-f", "-n"], "ext2": ["e2fsck", "-f", "-n"], "btrfs": ["btrfs", "check", "--readonly"],
    "xfs": ["xfs_repair", "-n"], "f2fs": ["fsck.f2fs", "--dry-run"],
}


def filesystem_size(kind, node):
    """Bytes, as the filesystem's own tool tells of one that is not mounted."""
    if kind in ("ext4", "ext2"):
        fields = dict(line.split(":", 1) for line in call("dumpe2fs", "-h", node).stdout.decode().splitlines()
                      if ":" in line)
        return int(fields["Block count"]) * int(fields["Block size"])
    if kind == "btrfs":
        text = call("btrfs", "inspect-internal", "dump-super", node).stdout.decode()
        return int(next(line.split()[1] for line in text.splitlines() if line.startswith("dev_item.total_bytes")))
    if kind == "xfs":
        text = call("xfs_db", "-r", "-c", "sb 0", "-c", "p dblocks blocksize", node).stdout.decode()
        fields = dict(line.split(" = ") for line in text.splitlines())
        return int(fields["dblocks"]) * int(fields["blocksize"])
    check(kind == "f2fs", kind)
    text = call("dump.f2fs", node).stdout.decode()
    return next(int(line.split("total FS sectors = ")[1].split()[0]) * 512 for line in text.splitlines()
                if "total FS sectors" in line)
