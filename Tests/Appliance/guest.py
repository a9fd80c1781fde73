"""What the guest tests share beside the end-to-end tests' harness: the menu on the bare screen, pictures of that screen,
made-up pads, and RetroArch's log.

A test is an executable file of this folder:

    #!/usr/bin/env python3
    # seconds: 90
    from guest import KmsMenu, Pad, XBOX360, case, run

    @case("a pad moves the choice")
    def moves(world):
        world.add_demo()
        menu = KmsMenu(world)
        menu.wait_event("ready")
        with Pad(XBOX360) as pad:
            pad.tap("right")
            menu.wait_command("right")

    run()

`# machine: memory=2048 disk=64M disk=1G` in one of the first lines asks for a guest with more memory and empty disks
(/dev/ubdb or /dev/vdb, and so on); tests that ask for the same share a boot, but no process, and no folder of /tmp.
`# boots: 3` runs the test at each of three boots of a machine of its own, whose disks stay; `BOOT` says which it is.
"""
import contextlib
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "EndToEnd"))
# pylint: disable=wrong-import-position
import harness  # noqa: E402
import screen  # noqa: E402
from harness import (  # noqa: E402,F401
    ADMIN, MENU, SLOWNESS, Absent, Failure, alive, case, check, demo_library, equal, need, note, run, wait_for)
from pads import (  # noqa: E402,F401
    DUALSHOCK4, GENERIC, KINDS, ODD, SNES, SWITCH_PRO, UNKNOWN, XBOX360, Pad, known_kinds, udev_properties)



def boot_number():
    with contextlib.suppress(OSError), open("/host/boot", encoding="ascii") as file:
        return int(file.read())
    return 1


# Which of the machine's boots this is.
BOOT = boot_number()
PICTURES = os.environ.get("RETRO_PICTURES") or os.environ.get("TMPDIR", "/tmp")


class Surroundings(harness.World):
    """A world in which the menu finds screen and sound by itself, as on the appliance."""

    def environment(self, **more):
        result = super().environment(**more)
        for name in ("SDL_AUDIODRIVER", "SDL_RENDER_DRIVER", "DISPLAY"):
            if name not in more:
                result.pop(name, None)
        return result

    def add_demo(self):
        shutil.copytree(demo_library(), self.root, dirs_exist_ok=True)

    def state(self, *parts):
        return os.path.join(self.root, ".retro", *parts)

    def set_retroarch(self, *lines):
        """Settings of the person's own for RetroArch, which win over ours."""
        os.makedirs(self.state(), exist_ok=True)
        with open(self.state("retroarch.cfg"), "w", encoding="utf-8") as file:
            # Without this RetroArch does not even log which profile it took.
            file.write("".join(line + "\n" for line in ('notification_show_autoconfig = "true"', *lines)))

    def close(self):
        super().close()
        # The emulator's own words are what a failure is understood from.
        with contextlib.suppress(OSError):
            os.makedirs(PICTURES, exist_ok=True)
            shutil.copy(self.state("launch", "game.log"), os.path.join(PICTURES, f"{os.path.basename(self.folder)}.log"))


harness.World = Surroundings


def picture(name):
    """What the screen shows, kept for whoever reads the results."""
    shot = wait_for(screen.take, "anything on the screen")
    os.makedirs(PICTURES, exist_ok=True)
    shot.save(os.path.join(PICTURES, name + ".png"))
    return shot


def picture_at_rest(name, seconds=harness.PATIENCE):
    """The same, once the screen has shown the same for a second: with one processor, which others want too, a picture
    may take half of that."""
    last = [None, 0.0]

    def is_still():
        shot = screen.take()
        if shot is None or last[0] is None or shot.data != last[0].data:
            last[:] = [shot, time.monotonic()]
        return time.monotonic() - last[1] > 0.5 + 0.5 * SLOWNESS
    wait_for(is_still, "the screen to stop changing", seconds)
    return picture(name)


def wait_for_change(before, share=0.02):
    """Waits until more than this share of the screen is not what it was."""
    wait_for(lambda: (shot := screen.take()) is not None and before.difference(shot) > share, "the screen to change")


class KmsMenu(harness.Menu):
    """retro-menu on the bare screen.

    `texts` are waited for on the screen, one after another: `seen(TEXT)` waits until it was there. The menu gives each
    20 seconds from the one before.
    """

    def __init__(self, world, *options, texts=(), **environment):
        self.marks = {}
        script = None
        if texts:
            lines = []
            for number, text in enumerate(texts):
                mark = world.path(f"seen-{number}.png")
                self.marks.setdefault(text, []).append(mark)
                lines += [f"wait {text}", f"screenshot {mark}"]
            script = "\n".join(lines) + "\n"
        super().__init__(world, "--fullscreen", *options, script=script, **environment)

    def seen(self, text, times=1):
        """Waits until the text was on the screen, and keeps the picture that the menu itself took then."""
        mark = self.marks[text][times - 1]

        def is_there():
            check(self.process.poll() is None, f"the menu ended: {self.log().strip()[-400:]}")
            return os.path.exists(mark)
        wait_for(is_there, f"“{text}” on the screen")
        os.makedirs(PICTURES, exist_ok=True)
        name = "".join(c if c.isalnum() else "-" for c in text)
        shutil.copy(mark, os.path.join(PICTURES, f"{name}-{times}.png"))

    def settle(self, seconds=harness.PATIENCE):
        """Waits until it paints nothing more; a single picture may take long here."""
        def is_quiet():
            check(self.process.poll() is None, f"the menu ended: {self.log().strip()[-400:]}")
            events = self.events()
            return events and time.monotonic_ns() - events[-1]["ns"] > 800_000_000 * SLOWNESS
        wait_for(is_quiet, "the menu to come to rest", seconds)

    def commands(self):
        """The commands that the menu took in, without repetitions by holding."""
        return [event["command"] for event in self.events("input") if "command" in event and not event["repeat"]]

    def wait_command(self, command, times=1):
        wait_for(lambda: self.commands().count(command) >= times,
                 lambda: f"the command {command} number {times}; there were {self.commands()}")

    def screen_name(self):
        frames = [event for event in self.events() if event["event"] in ("frame", "firstFrame")]
        return frames[-1]["screen"] if frames else None

    def wait_screen(self, name):
        def is_there():
            check(self.process.poll() is None, f"the menu ended: {self.log().strip()[-400:]}")
            return self.screen_name() == name
        wait_for(is_there, lambda: f"the screen {name}; it is {self.screen_name()}")

    def launches(self):
        return self.events("launch")

    def wait_launch(self, number=1):
        """The process number of the game that was started."""
        return int(self.wait_event("launch", number)["process"])

    def wait_return(self, number=1):
        """How the game ended, once the menu is back on the screen."""
        event = self.wait_event("return", number)
        self.wait_event("frame", matching=lambda frame: frame["ns"] > event["ns"])
        return event["outcome"]


class RetroArchLog:
    """What RetroArch said in the game that runs, or ran last."""

    def __init__(self, world):
        self.path = world.state("launch", "game.log")

    def text(self):
        with contextlib.suppress(OSError), open(self.path, encoding="utf-8", errors="replace") as file:
            return file.read()
        return ""

    def wait(self, pattern, times=1):
        """Waits until the expression is in it that often; gives the last match."""
        def found():
            matches = list(re.finditer(pattern, self.text()))
            return matches[times - 1] if len(matches) >= times else None
        return wait_for(found, lambda: f"“{pattern}” in RetroArch's log: {self.text()[-600:]}")

    def wait_configured(self, name):
        """Waits until RetroArch says that it has a profile for the pad of that name, and not its own guess. It does so
        reliably only where nothing else keeps it busy: in a game that is painted the line is missing now and then."""
        self.wait(rf"\[Autoconf\]: {re.escape(name)}.*configured in port")

    def wait_pad(self, times=1):
        """Waits until RetroArch has opened a pad, for so many times."""
        self.wait(r"\[udev\]: Pad #\d+ ", times)


class Probe:
    """A game that only notes what its players press (probe_libretro.c), run by RetroArch as the menu would run any other: what a
    test reads here went through the profile that we wrote and through RetroArch's own numbering."""

    CORE = "probe_libretro.so"

    def __init__(self, world, **environment):
        need("retroarch")
        self.world = world
        self.path = world.path("probe.txt")
        world.set_retroarch('video_driver = "null"', 'audio_driver = "null"')
        emulator = {"name": "probe", "title": "Probe", "core": self.CORE}
        world.define("probe", systems=[
            {"name": "probe", "fullName": "Probe", "extensions": ["probe"], "emulators": [emulator]}])
        with open(os.path.join(world.roms("probe"), "Probe.probe"), "wb") as file:
            file.write(b"probe")
        world.admin("scan")
        self.log = RetroArchLog(world)
        self.process = world.processes.start(
            [ADMIN, "launch", str(world.game("Probe")["id"]), "--root", world.root],
            env=world.environment(RETRO_CORES="/opt/retro/lib", RETRO_PROBE=self.path, **environment),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self._is_ready, lambda: "the probe to run: " + self.log.text()[-400:])

    def _is_ready(self):
        check(self.process.poll() is None, "RetroArch ended: " + self.log.text()[-400:])
        return "ready" in self._text()

    def _text(self):
        with contextlib.suppress(OSError), open(self.path, encoding="ascii") as file:
            return file.read()
        return ""

    def state(self):
        """What is away from its rest: {control: value}, of all players; `players` tells whose."""
        return {name: value for (_, name), value in self._states().items()}

    def players(self):
        """Who presses something."""
        return {player for player, _ in self._states()}

    def _states(self):
        result = {}
        for line in self._text().splitlines():
            fields = line.split()
            if len(fields) == 3:
                result[int(fields[0]), fields[1]] = int(fields[2])
        # Where a stick has no middle, its rest is half a step away from it.
        return {place: value for place, value in result.items() if abs(value) > (600 if place[1] in STICKS else 0)}

    def wait_for_state(self, condition, seconds=3 * SLOWNESS):
        """Whether it came about; a person would call it broken after that time."""
        with contextlib.suppress(Failure):
            wait_for(lambda: condition(self.state()), "the state", seconds)
            return True
        return False

    def end(self):
        self.process.terminate()
        self.process.wait(harness.PATIENCE)


# What RetroArch calls the functions that a pad's controls are named after, and which way.
STICKS = ("lx", "ly", "rx", "ry")
RETROPAD = {"south": "b", "east": "a", "west": "y", "north": "x", **{
    name: name for name in ("up", "down", "left", "right", "l", "r", "l2", "r2", "l3", "r3", "select", "start")}}
RETROPAD_STICKS = {f"{side}Stick{way}": (f"{side[0]}{along}", sign) for side in ("left", "right")
                   for way, along, sign in (("Left", "x", -1), ("Right", "x", 1), ("Up", "y", -1), ("Down", "y", 1))}


def in_game(name):
    """What a game must see while that control of a pad is pressed: a condition on the probe's state; `None` for controls
    that no game gets."""
    if name in RETROPAD:
        return lambda state: set(state) == {RETROPAD[name]}
    if name in RETROPAD_STICKS:
        stick, sign = RETROPAD_STICKS[name]
        return lambda state: set(state) == {stick} and state[stick] * sign > 30000
    return None


def wrong_controls(probe, pad, left_out=()):
    """Presses every control of a plugged-in pad once, in a game; gives what was something else there, as sentences."""
    wrong = []
    players = set()
    for name in pad.kind.controls:
        condition = in_game(name)
        if condition is None or name in left_out:
            continue
        pad.press(name)
        if not probe.wait_for_state(condition):
            wrong.append(f"{name} is {probe.state() or 'nothing'}")
        players |= probe.players()
        pad.release(name)
        if not probe.wait_for_state(lambda state: not state):
            return wrong + [f"{name} stays pressed: {probe.state()}"]
    return wrong + ([f"it was the players {players}"] if len(players) > 1 else [])


def check_controls(world, pads, left_out=()):
    """Presses every control of some pads in one game."""
    probe = Probe(world)
    # Of several that are configured at the same moment RetroArch does not name all.
    if len(pads) == 1:
        probe.log.wait_configured(pads[0].kind.name)
    wrong = [f"{pad.kind.name.strip()}: {'; '.join(sentences)}" for pad in pads
             if (sentences := wrong_controls(probe, pad, left_out))]
    probe.end()
    check(not wrong, ". ".join(wrong))
