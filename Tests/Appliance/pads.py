"""Pads of the real world as made-up devices of the kernel (uinput): what they say about themselves, and where a
person finds which control on them."""
import os
import time

from evdev import AbsInfo, InputDevice, UInput, ecodes as e

from harness import Failure, wait_for

USB, BLUETOOTH = 3, 5
FULL = (-32768, 32767)
BYTE = (0, 255)
PROPERTY_POINTER, PROPERTY_ACCELEROMETER = 0, 6


# A control is an event as (type, code, value when pressed, value at rest), or a list of events that come together.
def key(code):
    return (e.EV_KEY, code, 1, 0)


def axis(code, value, rest=0):
    return (e.EV_ABS, code, value, rest)


def axes(table):
    """The descriptions of axes from {code: (minimum, maximum, value)}, which may go on with fuzz and flat."""
    result = []
    for code, entry in table.items():
        minimum, maximum, value, fuzz, flat = (*entry, 0, 0)[:5]
        result.append((code, AbsInfo(value, minimum, maximum, fuzz, flat, 0)))
    return result


def hat(x=e.ABS_HAT0X, y=e.ABS_HAT0Y):
    return {"up": axis(y, -1), "down": axis(y, 1), "left": axis(x, -1), "right": axis(x, 1)}


def stick(side, x, y, minimum, maximum, rest):
    return {f"{side}Left": axis(x, minimum, rest), f"{side}Right": axis(x, maximum, rest),
            f"{side}Up": axis(y, minimum, rest), f"{side}Down": axis(y, maximum, rest)}


class Kind:
    """A model: identity, capabilities, and its controls under the names that this project gives functions."""

    def __init__(self, name, vendor, product, version, bus, keys, absolute, controls, siblings=()):
        self.name, self.vendor, self.product, self.version, self.bus = name, vendor, product, version, bus
        self.keys, self.absolute, self.controls, self.siblings = keys, absolute, controls, siblings

    def events(self, name):
        control = self.controls[name]
        return control if isinstance(control, list) else [control]

    def capabilities(self):
        result = {}
        if self.keys:
            result[e.EV_KEY] = self.keys
        if self.absolute:
            result[e.EV_ABS] = axes(self.absolute)
        return result


XBOX360 = Kind(
    "Microsoft X-Box 360 pad", 0x045E, 0x028E, 0x0110, USB,
    [e.BTN_A, e.BTN_B, e.BTN_X, e.BTN_Y, e.BTN_TL, e.BTN_TR, e.BTN_SELECT, e.BTN_START, e.BTN_MODE, e.BTN_THUMBL,
     e.BTN_THUMBR],
    {e.ABS_X: (*FULL, 0, 16, 128), e.ABS_Y: (*FULL, 0, 16, 128), e.ABS_Z: (*BYTE, 0),
     e.ABS_RX: (*FULL, 0, 16, 128), e.ABS_RY: (*FULL, 0, 16, 128), e.ABS_RZ: (*BYTE, 0),
     e.ABS_HAT0X: (-1, 1, 0), e.ABS_HAT0Y: (-1, 1, 0)},
    {"south": key(e.BTN_A), "east": key(e.BTN_B), "west": key(e.BTN_X), "north": key(e.BTN_Y), "l": key(e.BTN_TL),
     "r": key(e.BTN_TR), "l2": axis(e.ABS_Z, 255), "r2": axis(e.ABS_RZ, 255), "select": key(e.BTN_SELECT),
     "start": key(e.BTN_START), "guide": key(e.BTN_MODE), "l3": key(e.BTN_THUMBL), "r3": key(e.BTN_THUMBR),
     **hat(), **stick("leftStick", e.ABS_X, e.ABS_Y, *FULL, 0), **stick("rightStick", e.ABS_RX, e.ABS_RY, *FULL, 0)})

DUALSHOCK4 = Kind(
    "Sony Interactive Entertainment Wireless Controller", 0x054C, 0x09CC, 0x8111, USB,
    [e.BTN_SOUTH, e.BTN_EAST, e.BTN_NORTH, e.BTN_WEST, e.BTN_TL, e.BTN_TR, e.BTN_TL2, e.BTN_TR2, e.BTN_SELECT,
     e.BTN_START, e.BTN_MODE, e.BTN_THUMBL, e.BTN_THUMBR],
    {e.ABS_X: (*BYTE, 128), e.ABS_Y: (*BYTE, 128), e.ABS_Z: (*BYTE, 0), e.ABS_RX: (*BYTE, 128),
     e.ABS_RY: (*BYTE, 128), e.ABS_RZ: (*BYTE, 0), e.ABS_HAT0X: (-1, 1, 0), e.ABS_HAT0Y: (-1, 1, 0)},
    {"south": key(e.BTN_SOUTH), "east": key(e.BTN_EAST), "north": key(e.BTN_NORTH), "west": key(e.BTN_WEST),
     "l": key(e.BTN_TL), "r": key(e.BTN_TR), "l2": axis(e.ABS_Z, 255), "r2": axis(e.ABS_RZ, 255),
     "select": key(e.BTN_SELECT), "start": key(e.BTN_START), "guide": key(e.BTN_MODE), "l3": key(e.BTN_THUMBL),
     "r3": key(e.BTN_THUMBR), **hat(), **stick("leftStick", e.ABS_X, e.ABS_Y, *BYTE, 128),
     **stick("rightStick", e.ABS_RX, e.ABS_RY, *BYTE, 128)},
    # The same device has two nodes that are nobody's pad.
    siblings=[
        ("Sony Interactive Entertainment Wireless Controller Motion Sensors",
         {e.EV_ABS: axes({code: (-32768, 32767, 0) for code in
                          (e.ABS_X, e.ABS_Y, e.ABS_Z, e.ABS_RX, e.ABS_RY, e.ABS_RZ)})}, [PROPERTY_ACCELEROMETER]),
        ("Sony Interactive Entertainment Wireless Controller Touchpad",
         {e.EV_KEY: [e.BTN_LEFT, e.BTN_TOUCH, e.BTN_TOOL_FINGER],
          e.EV_ABS: axes({e.ABS_X: (0, 1919, 0), e.ABS_Y: (0, 941, 0), e.ABS_MT_SLOT: (0, 1, 0),
                          e.ABS_MT_TRACKING_ID: (0, 65535, 0), e.ABS_MT_POSITION_X: (0, 1919, 0),
                          e.ABS_MT_POSITION_Y: (0, 941, 0)})}, [PROPERTY_POINTER])])

SWITCH_PRO = Kind(
    "Nintendo Switch Pro Controller", 0x057E, 0x2009, 0x8111, USB,
    [e.BTN_SOUTH, e.BTN_EAST, e.BTN_NORTH, e.BTN_WEST, e.BTN_Z, e.BTN_TL, e.BTN_TR, e.BTN_TL2, e.BTN_TR2,
     e.BTN_SELECT, e.BTN_START, e.BTN_MODE, e.BTN_THUMBL, e.BTN_THUMBR],
    {**{code: (-32767, 32767, 0, 250, 500) for code in (e.ABS_X, e.ABS_Y, e.ABS_RX, e.ABS_RY)},
     e.ABS_HAT0X: (-1, 1, 0), e.ABS_HAT0Y: (-1, 1, 0)},
    {"south": key(e.BTN_SOUTH), "east": key(e.BTN_EAST), "north": key(e.BTN_NORTH), "west": key(e.BTN_WEST),
     "l": key(e.BTN_TL), "r": key(e.BTN_TR), "l2": key(e.BTN_TL2), "r2": key(e.BTN_TR2),
     "select": key(e.BTN_SELECT), "start": key(e.BTN_START), "guide": key(e.BTN_MODE), "l3": key(e.BTN_THUMBL),
     "r3": key(e.BTN_THUMBR), **hat(), **stick("leftStick", e.ABS_X, e.ABS_Y, -32767, 32767, 0),
     **stick("rightStick", e.ABS_RX, e.ABS_RY, -32767, 32767, 0)})

# One of the cheapest and commonest: twelve numbered buttons, a hat, and a second stick on RX and RZ.
GENERIC = Kind(
    "DragonRise Inc.   Generic   USB  Joystick  ", 0x0079, 0x0006, 0x0110, USB, list(range(0x120, 0x12C)),
    {**{code: (*BYTE, 127) for code in (e.ABS_X, e.ABS_Y, e.ABS_Z, e.ABS_RX, e.ABS_RZ)},
     e.ABS_HAT0X: (-1, 1, 0), e.ABS_HAT0Y: (-1, 1, 0)},
    {**{name: key(0x120 + number) for number, name in enumerate(
        ["north", "east", "south", "west", "l", "r", "l2", "r2", "select", "start", "l3", "r3"])},
     **hat(), **stick("leftStick", e.ABS_X, e.ABS_Y, *BYTE, 127),
     **stick("rightStick", e.ABS_RX, e.ABS_RZ, *BYTE, 127)})

# An adapter, or a copy, of a Super Nintendo's pad: no hat, the D-pad is two axes.
SNES = Kind(
    "USB gamepad           ", 0x0810, 0xE501, 0x0110, USB, list(range(0x120, 0x12A)),
    {e.ABS_X: (*BYTE, 127), e.ABS_Y: (*BYTE, 127)},
    {"north": key(0x120), "east": key(0x121), "south": key(0x122), "west": key(0x123), "l": key(0x124),
     "r": key(0x126), "select": key(0x128), "start": key(0x129),
     "up": axis(e.ABS_Y, 0, 127), "down": axis(e.ABS_Y, 255, 127), "left": axis(e.ABS_X, 0, 127),
     "right": axis(e.ABS_X, 255, 127)})

# Everything that counts apart in somebody's numbering: keyboard keys, media keys, D-pad buttons, a second hat, an axis
# without a range, and triggers on axes that lie before and after it.
ODD = Kind(
    "Odd pad  ", 0x20D6, 0x0077, 0x0110, USB,
    [e.KEY_ENTER, e.KEY_UP, e.KEY_BACK, e.KEY_HOMEPAGE, e.BTN_2, e.BTN_SOUTH, e.BTN_EAST, e.BTN_NORTH, e.BTN_WEST,
     e.BTN_TL, e.BTN_TR, e.BTN_SELECT, e.BTN_START, e.BTN_DPAD_UP, e.BTN_DPAD_DOWN, e.BTN_DPAD_LEFT,
     e.BTN_DPAD_RIGHT],
    {e.ABS_X: (*BYTE, 127), e.ABS_Y: (*BYTE, 127), e.ABS_THROTTLE: (0, 0, 0), e.ABS_GAS: (*BYTE, 0),
     e.ABS_BRAKE: (*BYTE, 0), e.ABS_HAT1X: (-1, 1, 0), e.ABS_HAT1Y: (-1, 1, 0)},
    {"south": key(e.BTN_SOUTH), "east": key(e.BTN_EAST), "west": key(e.BTN_NORTH), "north": key(e.BTN_WEST),
     "l": key(e.BTN_TL), "r": key(e.BTN_TR), "l2": axis(e.ABS_BRAKE, 255), "r2": axis(e.ABS_GAS, 255),
     "select": key(e.BTN_SELECT), "start": key(e.BTN_START), "up": key(e.BTN_DPAD_UP),
     "down": key(e.BTN_DPAD_DOWN), "left": key(e.BTN_DPAD_LEFT), "right": key(e.BTN_DPAD_RIGHT),
     **stick("leftStick", e.ABS_X, e.ABS_Y, *BYTE, 127)})

# Known to nobody: numbered buttons in an order that no other pad has, two of them nowhere to be found on the case.
UNKNOWN = Kind(
    "Unheard-of Pad", 0xF00D, 0x0001, 0x0100, USB, list(range(0x120, 0x12A)),
    {e.ABS_X: (*BYTE, 128), e.ABS_Y: (*BYTE, 128), e.ABS_HAT0X: (-1, 1, 0), e.ABS_HAT0Y: (-1, 1, 0)},
    {"south": key(0x127), "east": key(0x121), "west": key(0x125), "north": key(0x123), "start": key(0x120),
     "select": key(0x126), "l": key(0x129), "r": key(0x122), **hat(),
     **stick("leftStick", e.ABS_X, e.ABS_Y, *BYTE, 128)})

KINDS = [XBOX360, DUALSHOCK4, SWITCH_PRO, GENERIC, SNES, ODD, UNKNOWN]


# What the tables of the unit tests call the buttons whose letters depend on the maker.
FACES = {"a": "south", "b": "east", "x": "west", "y": "north"}
DIRECTIONS = {side + way: f"{side}Stick{way}" for side in ("left", "right") for way in ("Up", "Down", "Left", "Right")}


def known_kinds():
    """The pads of the unit tests, with the controls that our knowledge found: a line `NAME|GUID|SOURCE|FAMILY` for each,
    then `= keys CODES`, `= axis CODE VALUE MINIMUM MAXIMUM FUZZ FLAT RESOLUTION`, and `FUNCTION: CONTROL, CONTROL`."""
    here = os.path.dirname(os.path.abspath(__file__))
    kinds = []
    with open(os.path.join(os.path.dirname(here), "ControllersTests", "Golden", "knowledge.txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if not line.startswith("  "):
                name, guid = line.split("|")[:2]
                bus, vendor, product, version = (
                    int.from_bytes(bytes.fromhex(guid[at:at + 4]), "little") for at in (0, 8, 16, 24))
                kinds.append(Kind(name, vendor, product, version, bus, [], {}, {}))
            elif line.startswith("  = keys"):
                kinds[-1].keys = [int(code) for code in line.split()[2:]]
            elif line.startswith("  = axis"):
                code, value, minimum, maximum, fuzz, flat, _ = (int(word) for word in line.split()[2:])
                kinds[-1].absolute[code] = (minimum, maximum, value, fuzz, flat)
            else:
                function, _, controls = line.strip().partition(": ")
                function = FACES.get(function) or DIRECTIONS.get(function) or function
                kinds[-1].controls[function] = [_control(kinds[-1], control) for control in controls.split(", ")]
    return kinds


def _control(kind, text):
    """An event of `button 304` or `axis 17 -`."""
    words = text.split()
    if words[0] == "button":
        return key(int(words[1]))
    minimum, maximum, value = kind.absolute[int(words[1])][:3]
    return axis(int(words[1]), minimum if words[2] == "-" else maximum, value)


class Pad:
    """A pad that is plugged in from the moment it is made. Controls have the names of its kind."""

    def __init__(self, kind, port="usb-test-1/input0"):
        self.kind, self.port = kind, port
        self.nodes = []
        self.plug()

    def plug(self):
        kind = self.kind
        identity = {"vendor": kind.vendor, "product": kind.product, "version": kind.version, "bustype": kind.bus}
        self.nodes = [UInput(kind.capabilities(), name=kind.name, phys=self.port, **identity)]
        for name, capabilities, properties in kind.siblings:
            self.nodes.append(UInput(capabilities, name=name, phys=self.port, input_props=properties, **identity))
        for node in self.nodes:
            _wait_for_udev(node)

    def unplug(self):
        for node in self.nodes:
            node.close()
        self.nodes = []

    def send(self, *events):
        """Events as (type, code, value), and that they belong together."""
        for event in events:
            self.nodes[0].write(*event)
        self.nodes[0].syn()

    def press(self, *names):
        for name in names:
            self.send(*[(kind, code, value) for kind, code, value, _ in self.kind.events(name)])

    def release(self, *names):
        for name in names:
            self.send(*[(kind, code, rest) for kind, code, _, rest in self.kind.events(name)])

    def hold(self, seconds, *names):
        """Presses all, waits, and lets go: the time is what the test is about."""
        self.press(*names)
        time.sleep(seconds)
        self.release(*reversed(names))

    def tap(self, *names, seconds=0.08):
        for name in names:
            self.hold(seconds, name)
            # A person's thumb leaves a gap, too.
            time.sleep(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unplug()


def _wait_for_udev(node):
    """A node is there before udev has set its rights and said what it is."""
    def path():
        return node.device.path if node.device is not None else None
    if path() is None:
        raise Failure("the kernel made no event node for a new device")
    number = os.stat(path()).st_rdev
    entry = f"/run/udev/data/c{os.major(number)}:{os.minor(number)}"
    wait_for(lambda: os.path.exists(entry), f"udev to have seen {path()}")


def udev_properties(device):
    """What udev says about an event node, as a dictionary."""
    number = os.stat(device.path if isinstance(device, InputDevice) else device).st_rdev
    found = {}
    with open(f"/run/udev/data/c{os.major(number)}:{os.minor(number)}", encoding="utf-8") as file:
        for line in file:
            if line.startswith("E:"):
                name, _, value = line[2:].strip().partition("=")
                found[name] = value
    return found
