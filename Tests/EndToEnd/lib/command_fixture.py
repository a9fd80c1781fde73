"""What the test of every command works on: schemas, snapshots, and a data root with a bit of everything."""
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile

from documents import valid
from harness import ADMIN, PATIENCE, check, equal, need

def commands(world):
    """Every command that does something, as its help tells: words to facts."""
    found = {}
    waiting = [[]]
    while waiting:
        words = waiting.pop()
        done = subprocess.run([ADMIN, *words, "--help", "--json"], capture_output=True, timeout=PATIENCE, check=False,
                              env=world.environment())
        equal(done.returncode, 0, f"status of {words} --help")
        facts = json.loads(done.stdout)
        valid(facts, "help", f"{' '.join(words)} --help --json")
        below = [words + [entry["name"]] for entry in facts["subcommands"]]
        waiting += below
        if not below:
            found[" ".join(words)] = facts
    return found


def has_option(facts, name):
    return any(option["name"] == name for option in facts["options"])


def snapshot(*folders):
    """Names, kinds, sizes, times and contents of all that is in folders."""
    found = {}
    for top in folders:
        for folder, names, files in os.walk(top):
            for name in [""] + names + files:
                path = os.path.join(folder, name) if name else folder
                status = os.lstat(path)
                entry = [status.st_mode, status.st_uid, status.st_gid, status.st_mtime_ns]
                if os.path.islink(path):
                    entry.append(os.readlink(path))
                elif path.endswith(".sqlite"):
                    # Reading lets SQLite tidy its log into the file: what it says is what must not change.
                    entry = [status.st_mode, status.st_uid, status.st_gid, database(path)]
                elif os.path.isfile(path):
                    with open(path, "rb") as file:
                        entry += [status.st_size, hashlib.sha256(file.read()).hexdigest()]
                found[path] = entry
    return found


def database(path):
    """A digest of all that a database says."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy")
        for suffix in ("", "-wal"):
            if os.path.exists(path + suffix):
                shutil.copy(path + suffix, copy + suffix)
        digest = hashlib.sha256()
        connection = sqlite3.connect(copy)
        try:
            connection.text_factory = bytes
            # The tables below a virtual one say what is in it.
            tables = [row[0].decode() for row in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")]
            for table in tables:
                digest.update(repr((table, list(connection.execute(f'SELECT * FROM "{table}"')))).encode())
        finally:
            connection.close()
        return digest.hexdigest()


def differences(before, after):
    return [path for path in sorted(set(before) | set(after)) if before.get(path) != after.get(path)]


class Fixture:
    """A data root with a bit of everything, and a machine whose /etc is a copy."""

    def __init__(self, world):
        self.world = world
        os.chmod(world.folder, 0o755)
        root = world.root
        for system, name in (("nes", "Zelda (USA).nes"), ("nes", "Mario.nes"), ("gb", b"T\xff.gb"), ("snes", "Gone.sfc")):
            path = os.path.join(os.fsencode(world.roms(system)), os.fsencode(name))
            with open(path, "wb") as file:
                file.write(os.fsencode(name))
        os.makedirs(os.path.join(root, "saves", "nes"))
        with open(os.path.join(root, "saves", "nes", "Zelda.srm"), "wb") as file:
            file.write(b"saved")
        world.admin("scan")
        # A folder that is gone as a whole may be on a drive: its games are missing, not deleted.
        shutil.rmtree(os.path.join(root, "roms", "snes"))
        world.admin("scan", "--full")
        missing = world.admin("games", "--missing")
        check(missing, "no game is missing in the fixture")
        with open(os.path.join(root, ".retro", "menu.log"), "w", encoding="utf-8") as file:
            file.write("2026-11-30T10:00:00Z 5.000 info: well\n")
        game = world.game("Zelda")["id"]
        world.admin("collections", "create", "List")
        world.admin("collections", "add", "List", str(game))
        extra = world.path("extra")
        os.makedirs(os.path.join(extra, "nes"))
        more = world.path("more")
        os.makedirs(os.path.join(more, "nes"))
        for name in ("Old", "Older"):
            world.admin("collections", "create", name)
        world.admin("collections", "create", "Filter", "--system", "nes")
        dat = self.file("nes.dat", '<?xml version="1.0"?><datafile><header><name>N</name></header><game name="Zelda (USA)">'
                        '<rom name="Zelda (USA).nes" size="16" crc="12345678"/></game></datafile>')
        world.admin("dat", "import", dat, "--system", "nes")
        listed = world.admin("dat", "list")[0]["id"]
        world.admin("library", "add", more)
        source = world.admin("library", "list")["sources"][-1]["id"]
        backups = world.path("backups")
        os.makedirs(backups)
        backup = world.admin("backup", "create", backups)["path"]
        self.names = {
            "game": str(game), "missing": str(missing[0]["id"]), "folder": extra, "source": str(source),
            "absent": world.path("absent"), "new": world.path("new"), "output": world.path("out.xml"),
            "backups": backups, "backup": backup,
            "garbage": self.file("garbage", "neither this nor that\n" * 50),
            "gamelist": self.file("gamelist.xml", "<gameList><game><path>./Mario.nes</path><name>M</name></game></gameList>"),
            "collection": self.file("custom-Mine.cfg", os.path.join(root, "roms/nes/Mario.nes") + "\n"),
            "dat": dat, "list": str(listed), "nocollection": world.path("custom-None.cfg"),
            "padfile": self.file("pads.txt", "030000005e0400008e02000010010000,A pad,a:b0,b:b1,platform:Linux,\n"),
        }
        self.etc = world.path("etc")
        if os.geteuid() == 0:
            subprocess.run(["cp", "-a", "/etc", self.etc], check=True)

    def file(self, name, text):
        path = self.world.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def arguments(self, words):
        return [word.format(**self.names) if word.startswith("{") else word for word in words]

    def apart(self, fakes=None):
        """Words before a command that show it the copy of /etc, and programs of ours before the machine's."""
        if os.geteuid() != 0:
            return []
        need("unshare")
        binds = f"mount --make-rprivate / && mount --bind {self.etc} /etc"
        if fakes:
            binds += f" && mount --bind {fakes} /usr/local/sbin"
        return ["unshare", "-m", "sh", "-c", binds + ' && exec "$@"', "sh"]

    def run(self, command, words, *more, prefix=(), fakes=None, stdin=b"", program=None):
        line = [*self.apart(fakes), *prefix, program or ADMIN, *command.split(), *self.arguments(words), *more,
                "--root", self.world.root]
        return subprocess.run(line, input=stdin, capture_output=True, timeout=PATIENCE * 2, check=False,
                              cwd=self.world.folder, env=self.world.environment())

    def all(self):
        """What no dry run may change."""
        folders = [self.world.root, self.names["backups"], self.names["folder"], "/var/lib/retro-machine", "/boot"]
        return snapshot(*folders, *([self.etc] if os.path.isdir(self.etc) else []))
