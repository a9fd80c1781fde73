"""One entry for each command of retro-admin: how it is called in the fixture, and what must come of that.

A command of the program that has no entry here fails the test.
"""
from dataclasses import dataclass, field

ABSENT = (65, 66, 69)


@dataclass
class Case:
    """How one command is tried."""
    # Its arguments; names in braces stand for things of the fixture.
    args: list = field(default_factory=list)
    # The exit statuses that may come of it; the JSON of 0 is held against the schema.
    status: tuple = (0,)
    # Whether it is run at all without --dry-run: what lasts, or would change the machine that tests run on, is not.
    runs: bool = True
    # Arguments that cannot be meant, and the exit statuses for them.
    bad: list = field(default_factory=list)
    # The exit statuses of --dry-run.
    dry: tuple = (0,)
    # Whether it changes the machine, and so needs root.
    root: bool = False
    # The exit statuses without root.
    unprivileged: tuple = (77,)
    # Arguments with which it reads a secret from standard input.
    secret: list = None
    # Whether a test of its own sees it change a machine: it needs a disk, a drive or a clock.
    apart: bool = False
    # Whether a document is also printed where the status is not 0.
    document: tuple = (0,)


def machine(*args, secret=None, bad=(), dry=(0,) + ABSENT, root=True, apart=False):
    """A command that would change the machine: only planned here."""
    return Case(list(args), runs=False, dry=dry, root=root, bad=list(bad), secret=secret, apart=apart)


def reading(*args, bad=(), status=(0,) + ABSENT):
    """A command that looks at a machine which may have nothing of the kind."""
    return Case(list(args), status=status, bad=list(bad))


GAME = ["{game}"]
NO_GAME = (["999999"], (66,))

CASES = {
    "status": Case(), "scan": Case(bad=[(["nosuchsystem"], (64,))]),
    "library list": Case(), "library add": Case(["{folder}"], bad=[(["/proc"], (65,)), ([], (64,))]),
    "library remove": Case(["{source}"], bad=[(["999"], (64, 66))]),
    "library move": Case(["{source}", "1"], bad=[(["{source}", "much"], (64,))]),
    "systems": Case(), "games": Case(bad=[(["--limit", "many"], (64,)), (["--system", "nosuch"], (64,))]),
    "game show": Case(GAME, bad=[NO_GAME, (["/etc/passwd"], (66,))]),
    "game set": Case(GAME + ["title=Another"], bad=[(["{game}", "colour=red"], (64, 65)), (["999999", "title=x"], (66,))]),
    "game hide": Case(GAME, bad=[NO_GAME]), "game favourite": Case(GAME, bad=[NO_GAME]),
    "game forget": Case(["{missing}", "--yes"], bad=[(["{game}", "--yes"], (65,)), (["{missing}"], (64,))]),
    "collections list": Case(), "collections create": Case(["Another"], bad=[(["List"], (64, 65))]),
    "collections filter": Case(["Filter", "--system", "gb"], bad=[(["Filter", "--year", "x"], (64, 65)), (["Nothing"], (64, 66))]),
    "collections show": Case(["List"], bad=[(["Nothing"], (64, 66))]),
    "collections rename": Case(["Older", "Renamed"], bad=[(["Nothing", "x"], (64, 66))]),
    "collections add": Case(["List", "{game}"], bad=[(["Nothing", "{game}"], (64, 66))]),
    "collections remove": Case(["List", "{game}"], bad=[(["Nothing", "{game}"], (64, 66))]),
    "collections delete": Case(["Old", "--yes"], bad=[(["Nothing", "--yes"], (64, 66))]),
    "collections import": Case(["{collection}"], bad=[(["{absent}"], (64, 66)), (["{nocollection}"], (66,))]),
    "gamelist import": Case(["nes", "--file", "{gamelist}"], bad=[(["nes", "--file", "{absent}"], (66,))]),
    "gamelist export": Case(["nes", "--file", "{output}"], bad=[(["nosuch"], (64,))]),
    "dat import": Case(["{dat}", "--system", "nes"], bad=[(["{absent}", "--system", "nes"], (66,)), (["{garbage}"], (64, 65))]),
    "dat list": Case(), "dat remove": Case(["{list}"], bad=[(["999"], (64, 66))]),
    "identify": Case(bad=[(["nosuch"], (64,))]),
    "launch": Case(GAME + ["--plan"], status=(0, 69), bad=[NO_GAME]),
    "controllers list": Case(), "controllers show": Case(["1"], status=(0, 66), bad=[(["999"], (66,)), (["one"], (64,))]),
    "controllers map": Case(["999"], status=(66, 75), dry=(66,), bad=[(["999"], (66,))]),
    "controllers forget": Case(["999"], status=(66,), dry=(66,), bad=[(["x"], (64,))]),
    "controllers test": Case(["999"], status=(66, 75), bad=[(["999"], (66,))]),
    "controllers export": Case(["retroarch", "--to", "{new}"], bad=[(["nosuch", "--to", "{new}"], (64,))]),
    "controllers import": Case(["{padfile}"], bad=[(["{absent}"], (66,))]),
    "config get": Case(["menu.clock"], bad=[(["menu.nothing"], (64,))]),
    "config set": Case(["menu.clock", "12"], bad=[(["menu.clock", "13"], (65,))]), "config list": Case(),
    "config reset": Case(["menu.clock"], bad=[(["menu.nothing"], (64,))]),
    "logs": Case(bad=[(["--limit", "x"], (64,))]),
    "backup create": Case(["{backups}"], bad=[(["/nowhere/at/all/x"], (66, 73)), (["--keep", "0"], (64,))]),
    "backup list": Case(["{backups}"], bad=[(["{absent}"], (66,))]),
    "backup verify": Case(["{backup}"], bad=[(["{garbage}"], (65,)), (["{absent}"], (66,))]),
    "backup restore": Case(["{backup}", "--yes"], bad=[(["{garbage}", "--yes"], (65,)), (["{backup}"], (64,))]),
    "sticks list": Case(), "sticks status": Case(),
    "sticks copy": Case(["nowhere"], status=(0, 66), dry=(0, 66), bad=[(["a", "b"], (64,))]),
    "sticks forget": Case(bad=[(["a", "b"], (64,))]),
    "sticks mount": machine("sda1", bad=[([], (64,)), (["/dev/null"], (65, 66))], apart=True),
    "sticks unmount": machine("sda1", bad=[([], (64,))], apart=True),
    "doctor": Case(),
    "completions": Case(["bash"], bad=[(["tcsh"], (64,))]), "man": Case(), "help": Case(["scan"], bad=[(["nosuch"], (64,))]),

    "wifi list": reading(), "wifi status": reading(),
    "wifi connect": machine("A network", "--stdin", secret=["A network", "--stdin"], bad=[([], (64,)), (["x" * 33, "--stdin"], (64, 65, 69))]),
    "wifi forget": machine("A network", bad=[([], (64,))]), "wifi country": machine("DE", bad=[(["Germany"], (64, 65))]),
    "wifi on": machine(), "wifi off": machine(),
    "setup-file": machine(),
    "expand-fs": Case(runs=False, apart=True, dry=(0,) + ABSENT, root=True, bad=[(["--device", "/dev/nosuch"], (64, 65, 66))], document=(0, 65)),
    "share status": reading(), "share on": machine(secret=["--stdin"]), "share off": machine(),
    "share password": machine("--generate", secret=["--stdin"]), "share guest": machine("off", bad=[(["maybe"], (64, 65))]),
    "share repair": machine(),
    "system hostname": machine("retro-test", bad=[(["-bad-"], (64, 65)), (["a" * 70], (64, 65))]),
    "system password": machine("--stdin", secret=["--stdin"]),
    "system ssh status": reading(), "system ssh on": machine(), "system ssh off": machine(), "system ssh keys": reading(),
    "system ssh add-key": machine(
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBlzVnVvQ0ZzVnVvQ0ZzVnVvQ0ZzVnVvQ0ZzVnVvQ0Zz me", bad=[(["no key"], (64, 65))]),
    # Which keys there are everybody may read: that there is none of this number is told first.
    "system ssh remove-key": Case(["1"], runs=False, dry=(0, 66), root=True, unprivileged=(66, 77)),
    "system locale": machine("C.UTF-8", bad=[(["../x"], (64, 65, 66))]),
    "system timezone": machine("Europe/Berlin", bad=[(["../../etc/passwd"], (64, 65, 66))]),
    "system keyboard": machine("de", bad=[(["$(x)"], (64, 65, 66))]),
    "system clock show": reading(), "system clock set": machine("2026-11-30T20:15:00Z", bad=[(["tomorrow"], (64, 65))], apart=True),
    "system clock save": machine(), "system clock restore": machine(apart=True),
    "system audio status": reading(), "system audio output": machine("auto"), "system audio volume": machine("50", bad=[(["loud"], (64, 65))]),
    "system audio mute": machine("on", bad=[(["maybe"], (64, 65, 69))]), "system audio test": machine(root=False), "system audio follow": machine(),
    "system picture status": reading(), "system picture resolution": machine("HDMI-A-1", "auto"),
    "system picture overscan": machine("24", "24", "16", "16", bad=[(["a", "b", "c", "d"], (64, 65))]),
    "system overclock": machine("none", bad=[(["ludicrous"], (64, 65, 66, 69))]), "system boot-check": machine("--reached", apart=True),
    "system reboot": machine("--yes"), "system poweroff": machine("--yes"),
    # Speaks with the menu over a socket that it is given.
    "door": Case(runs=False),
}
