"""What the end-to-end tests share: a place of their own, a display, the menu, pictures, and waiting for conditions.

A test is a function with `@case("what must be true")`; `run()` runs all of a file and prints `ok`, `not ok` or `skip`
for each. Everything that a test starts carries a mark in its environment, and so does all that descends from it: what
is left at the end is found by that mark and ended, by its number.
"""
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARIES = os.environ.get("RETRO_BIN") or os.environ.get("RETRO_BIN_DIR") or os.path.join(REPO, ".build", "debug")
MENU = os.path.join(BINARIES, "retro-menu")
ADMIN = os.path.join(BINARIES, "retro-admin")
# Where to leave the pictures and traces of every test, for looking at.
KEEP = os.environ.get("RETRO_E2E_KEEP")
# How many times slower than a real one the machine is that the tests run on, where that is known.
SLOWNESS = float(os.environ.get("RETRO_SLOWNESS") or 1)
# An upper bound for anything that must happen; it says nothing about how fast it should be.
PATIENCE = 40.0 * SLOWNESS


class Failure(Exception):
    """Something is not as it must be."""


class Absent(Exception):
    """What a test needs and this machine does not have."""


# Conditions

def check(condition, why):
    if not condition:
        raise Failure(why)


def equal(found, wanted, what):
    if found != wanted:
        raise Failure(f"{what}: expected {wanted!r}, found {found!r}")


def wait_for(condition, what, seconds=PATIENCE):
    """Asks until the answer is true, and gives it."""
    limit = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > limit:
            raise Failure(f"waited {seconds:.0f} s for {what() if callable(what) else what}")
        time.sleep(0.02)


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Absent(f"the program {program}")


# Processes

class Processes:
    """Starts programs with a mark, and finds every one that carries it."""

    def __init__(self):
        self.mark = f"RETRO_END_TO_END={os.getpid()}-{time.monotonic_ns()}"
        self.started = []

    def environment(self, home, **more):
        """A person's environment in which nothing of this machine's settings plays a part."""
        keep = ("PATH", "LANG", "LC_ALL", "TMPDIR", "USER", "LOGNAME", "LD_LIBRARY_PATH")
        result = {name: os.environ[name] for name in keep if name in os.environ}
        result.update(HOME=home, SDL_AUDIODRIVER="dummy", SDL_RENDER_DRIVER="software")
        name, value = self.mark.split("=")
        result[name] = value
        result.update(more)
        return result

    def start(self, arguments, **options):
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, **options)
        self.started.append(process)
        return process

    def marked(self):
        """Numbers of the living processes that carry the mark, without our own."""
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    carries = self.mark.encode() in file.read().split(b"\0")
                if carries and state(int(name)) not in ("Z", "X", None):
                    found.append(int(name))
            except OSError:
                continue
        return found

    def end_all(self):
        for signal_number in (signal.SIGTERM, signal.SIGKILL):
            for _ in range(100):
                for process in self.started:
                    process.poll()
                left = self.marked()
                if not left:
                    break
                for pid in left:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal_number)
                time.sleep(0.05)
        for process in self.started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)


def state(pid):
    """The letter of a process's state; `None` where there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return None


def alive(pid):
    return state(pid) not in ("Z", "X", None)


# A test's surroundings

class World:
    """A data root, a home folder and everything that is started for one test."""

    def __init__(self, folder):
        self.folder = folder
        self.root = os.path.join(folder, "root")
        self.home = os.path.join(folder, "home")
        self.processes = Processes()
        self.display = None
        os.makedirs(self.root)
        os.makedirs(self.home)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def roms(self, system):
        folder = os.path.join(self.root, "roms", system)
        os.makedirs(folder, exist_ok=True)
        return folder

    def environment(self, **more):
        if self.display:
            more.setdefault("DISPLAY", self.display.name)
        return self.processes.environment(self.home, **more)

    def define(self, name, **document):
        """Adds a file to `systems.d`, as a person does."""
        folder = os.path.join(self.root, ".retro", "systems.d")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(document, file)

    def program(self, name, text):
        """Writes a program of the test's own."""
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def admin_run(self, *arguments, seconds=PATIENCE, root=None):
        """Runs retro-admin to its end: the finished process with bytes of its output."""
        return subprocess.run(
            [ADMIN, *arguments, "--root", root or self.root], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=seconds, env=self.environment(), check=False)

    def admin(self, *arguments, seconds=PATIENCE):
        """What retro-admin says in JSON; a failure of the command is one of the test."""
        done = self.admin_run(*arguments, "--json", seconds=seconds)
        if done.returncode != 0:
            raise Failure(f"retro-admin {' '.join(map(str, arguments))} ended with status {done.returncode}: "
                          f"{done.stderr.decode(errors='replace').strip()[-300:]}")
        try:
            return json.loads(done.stdout)
        except ValueError as error:
            raise Failure(f"retro-admin {arguments[0]} --json printed {done.stdout[:120]!r}") from error

    def games(self):
        return self.admin("games")

    def game(self, title):
        found = [game for game in self.games() if game["title"] == title]
        check(len(found) == 1, f"there are {len(found)} games called {title!r}")
        return found[0]

    def check_databases(self):
        """Both databases pass SQLite's own complete check."""
        for name in ("user.sqlite", "catalog.sqlite"):
            path = os.path.join(self.root, ".retro", name)
            check(os.path.exists(path), f"there is no {name}")
            connection = sqlite3.connect(path, timeout=20)
            try:
                rows = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            except sqlite3.Error as error:
                raise Failure(f"{name} cannot be checked: {error}") from error
            finally:
                connection.close()
            check(rows == ["ok"], f"{name} is damaged: {rows[:3]}")

    def close(self):
        self.processes.end_all()


class Display:
    """An X server without a screen; it picks its own number."""

    def __init__(self, world, width=1280, height=720):
        need("Xvfb", "xdotool", "import")
        self.world = world
        reading, writing = os.pipe()
        self.process = world.processes.start(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(writing,), env=world.environment())
        os.close(writing)
        with os.fdopen(reading, encoding="ascii") as answer:
            number = answer.readline().strip()
        check(number.isdigit(), "the virtual display did not start")
        self.name = ":" + number
        world.display = self

    def keys(self, *arguments):
        subprocess.run(["xdotool", *arguments], env=self.world.environment(), check=True, timeout=20,
                       stdout=subprocess.DEVNULL)

    def press(self, *keys):
        self.keys("key", "--delay", "40", *keys)

    @contextlib.contextmanager
    def holding(self, *keys):
        self.keys(*[word for key in keys for word in ("keydown", key)])
        try:
            yield
        finally:
            self.keys(*[word for key in reversed(keys) for word in ("keyup", key)])

    def leave_game(self, has_ended, what, seconds=PATIENCE):
        """Right Shift and Return, held until the game is gone."""
        with self.holding("Shift_R", "Return"):
            wait_for(has_ended, what, seconds)

    def picture(self, name=None):
        shot = subprocess.run(["import", "-display", self.name, "-window", "root", "-depth", "8", "ppm:-"], capture_output=True,
                              env=self.world.environment(), timeout=20, check=False)
        check(shot.returncode == 0, f"no picture of the display: {shot.stderr.decode(errors='replace')[-200:]}")
        picture = Picture.parse(shot.stdout)
        if name and KEEP:
            picture.save(self.world.path(name + ".png"))
        return picture

    def windows(self):
        """Names of the windows that are mapped on it."""
        done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", ""], capture_output=True, timeout=20,
                              env=self.world.environment(), check=False)
        names = []
        for window in done.stdout.decode().split():
            name = subprocess.run(["xdotool", "getwindowname", window], capture_output=True, timeout=20,
                                  env=self.world.environment(), check=False)
            names.append(name.stdout.decode(errors="replace").strip())
        return [name for name in names if name]


class Menu:
    """A running retro-menu."""

    def __init__(self, world, *options, script=None, name="menu", **environment):
        self.world = world
        self.trace_path = world.path(name + ".trace")
        arguments = [MENU, "--root", world.root, "--trace", self.trace_path, *options]
        if script is not None:
            script_path = world.path(name + ".script")
            with open(script_path, "w", encoding="utf-8") as file:
                file.write(script)
            arguments += ["--script", script_path]
        if os.path.exists(self.trace_path):
            os.remove(self.trace_path)
        self.log_path = world.path(name + ".log")
        self.began = time.monotonic_ns()
        with open(self.log_path, "wb") as log:
            self.process = world.processes.start(
                arguments, stdout=log, stderr=log, env=world.environment(**environment), cwd=world.folder)

    @classmethod
    def windowed(cls, world, size="1280x720", **more):
        return cls(world, "--windowed", size, **more)

    @classmethod
    def headless(cls, world, size="640x360", **more):
        return cls(world, "--headless", size, **more)

    @property
    def pid(self):
        return self.process.pid

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def events(self, name=None):
        events = []
        with contextlib.suppress(OSError), open(self.trace_path, encoding="utf-8", errors="replace") as file:
            for line in file:
                # The last line of a menu that was killed may be half a line.
                with contextlib.suppress(ValueError):
                    event = json.loads(line)
                    if name is None or event["event"] == name:
                        events.append(event)
        return events

    def wait_event(self, name, count=1, seconds=PATIENCE, matching=lambda event: True):
        def found():
            events = [event for event in self.events(name) if matching(event)]
            if len(events) >= count:
                return events[count - 1]
            check(self.process.poll() is None,
                  f"the menu ended with status {self.process.poll()} before “{name}”: {self.log().strip()[-400:]}")
            return None
        return wait_for(found, lambda: f"“{name}” number {count} in the trace: {self.log().strip()[-300:]}", seconds)

    def wait_end(self, seconds=PATIENCE):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            raise Failure(f"the menu did not end within {seconds:.0f} s") from error

    def settle(self, seconds=PATIENCE):
        """Waits until it paints nothing more: what was asked for is on the screen."""
        def is_quiet():
            check(self.process.poll() is None, f"the menu ended: {self.log().strip()[-400:]}")
            events = self.events()
            return events and time.monotonic_ns() - events[-1]["ns"] > 600_000_000
        wait_for(is_quiet, "the menu to come to rest", seconds)

    def finish(self, seconds=PATIENCE):
        """Waits for a script's end; a step that failed fails the test."""
        status = self.wait_end(seconds)
        check(status == 0, f"the menu ended with status {status}: {self.log().strip()[-600:]}")

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
        self.finish()

    def kill(self):
        self.process.kill()
        self.process.wait()


# Pictures

class Picture:
    """Pixels in rows, three bytes each."""

    def __init__(self, width, height, data):
        self.width, self.height, self.data = width, height, data

    @classmethod
    def parse(cls, ppm):
        fields, position = [], 0
        while len(fields) < 4:
            end = position
            while ppm[end:end + 1] not in (b" ", b"\n"):
                end += 1
            fields.append(ppm[position:end])
            position = end + 1
        check(fields[0] == b"P6" and fields[3] == b"255", "that is no picture")
        return cls(int(fields[1]), int(fields[2]), ppm[position:])

    @classmethod
    def read(cls, path, size=None):
        resize = ["-filter", "box", "-resize", f"{size[0]}x{size[1]}!"] if size else []
        done = subprocess.run(["convert", path, "-alpha", "off", *resize, "-depth", "8", "ppm:-"],
                              capture_output=True, timeout=30, check=False)
        check(done.returncode == 0, f"{path} cannot be read: {done.stderr.decode(errors='replace')[-200:]}")
        return cls.parse(done.stdout)

    def save(self, path):
        header = f"P6\n{self.width} {self.height}\n255\n".encode()
        subprocess.run(["convert", "ppm:-", path], input=header + self.data, check=True, timeout=30)

    def crop(self, x, y, width, height):
        row = self.width * 3
        data = b"".join(self.data[line * row + x * 3:line * row + (x + width) * 3] for line in range(y, y + height))
        return Picture(width, height, data)

    def lit(self):
        """The part within the black borders: x, y, width, height."""
        row = self.width * 3
        rows = [y for y in range(self.height) if max(self.data[y * row:(y + 1) * row]) > 24]
        columns = [x for x in range(self.width) if any(max(self.data[x * 3 + part::row]) > 24 for part in range(3))]
        if not rows or not columns:
            return 0, 0, self.width, self.height
        return columns[0], rows[0], columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1

    def small(self, width, height):
        """Smaller, each pixel the mean of those it stands for: what is seen from afar."""
        done = subprocess.run(
            ["convert", "ppm:-", "-filter", "box", "-resize", f"{width}x{height}!", "-depth", "8", "ppm:-"],
            input=f"P6\n{self.width} {self.height}\n255\n".encode() + self.data, capture_output=True, check=True,
            timeout=30)
        return Picture.parse(done.stdout)

    def difference(self, other):
        """The mean difference of all values, from 0 (the same) to 1."""
        equal((self.width, self.height), (other.width, other.height), "size of the pictures")
        if self.data == other.data:
            return 0.0
        total = sum(abs(a - b) for a, b in zip(self.data, other.data))
        return total / (255 * len(self.data))

    def colours(self):
        return len(set(zip(self.data[0::3], self.data[1::3], self.data[2::3])))

    def places(self, wanted):
        """The pixels whose colour `wanted` accepts, as a set of (x, y)."""
        accepted = {}
        result = set()
        for index, colour in enumerate(zip(self.data[0::3], self.data[1::3], self.data[2::3])):
            if colour not in accepted:
                accepted[colour] = wanted(*colour)
            if accepted[colour]:
                result.add((index % self.width, index // self.width))
        return result


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


# Running

CASES = []
PRINTING = threading.Lock()


def case(name, apart=False, beside=False):
    """A test; what the function returns is a figure for its line.

    `apart` says that it sleeps more than it works, so that several such may run at the same time, and `beside` that it
    may also run while the others do: a menu of one test ends games that a killed menu of another one left behind.
    """
    def register(function):
        CASES.append((name, function, apart, beside))
        return function
    return register


def one_line(text):
    return " ".join(str(text).split())


def say(text, file=None):
    with PRINTING:
        print(text, file=file or sys.stdout, flush=True)


def note(text):
    """A figure worth reading; it is no result."""
    say(f"# {one_line(text)}")


def demo_library():
    """The demo games' folder, made when it is not there."""
    folder = os.environ.get("RETRO_DEMO") or os.path.join(REPO, ".build", "demo-library")
    if not os.path.isdir(os.path.join(folder, "roms")):
        done = subprocess.run([os.path.join(REPO, "image", "demo", "build"), folder], capture_output=True, check=False)
        if done.returncode != 0:
            raise Absent("the demo games: " + done.stderr.decode(errors="replace").strip()[-200:])
    return folder


def tell_left(world):
    """What a failed test leaves for whoever looks into it."""
    for name in sorted(os.listdir(world.folder)):
        if name.endswith((".log", ".trace")):
            with open(world.path(name), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()[-12:]
            for line in lines:
                say(f"{name}: {line[:300]}", sys.stderr)


def keep(world, name):
    folder = os.path.join(KEEP, "".join(c if c.isalnum() else "-" for c in name)[:60])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for entry in os.listdir(world.folder):
        if os.path.isfile(world.path(entry)):
            shutil.copy(world.path(entry), folder)


def run_case(name, function, worlds):
    """Whether it went well."""
    world = World(tempfile.mkdtemp(prefix="e2e-"))
    worlds.append(world)
    began = time.monotonic()
    went_well = True
    try:
        for program in (MENU, ADMIN):
            check(os.access(program, os.X_OK), f"{program} is not built")
        figure = function(world)
        say(f"ok {name}" + (f" ({one_line(figure)})" if figure else ""))
    except Absent as absence:
        say(f"skip {name}: needs {one_line(absence)}")
    except Exception as error:  # a broken test must not hide the others
        went_well = False
        if not isinstance(error, Failure):
            say(traceback.format_exc(), sys.stderr)
        say(f"not ok {name}: {one_line(error) or type(error).__name__}")
        tell_left(world)
    finally:
        world.close()
        if KEEP:
            keep(world, name)
        shutil.rmtree(world.folder, ignore_errors=True)
        note(f"{time.monotonic() - began:.1f} s: {name}")
    return went_well


def run():
    """Runs the cases of a file; arguments are words, one of which a name must contain."""
    words = sys.argv[1:]
    worlds = []

    def end(*_):
        for world in worlds:
            world.close()
            shutil.rmtree(world.folder, ignore_errors=True)
        os._exit(143)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    chosen = [entry for entry in CASES if not words or any(word in entry[0] for word in words)]
    with ThreadPoolExecutor(max_workers=3) as workers:
        def begin(wanted):
            return [workers.submit(run_case, name, function, worlds) for name, function, *kind in chosen if kind == wanted]

        jobs = begin([False, True])
        results = [run_case(name, function, worlds) for name, function, *kind in chosen if not any(kind)]
        jobs += begin([True, False])
        results += [job.result() for job in jobs]
    sys.exit(0 if all(results) else 1)
