"""What the tests of a whole machine share (`# init: systemd`): its units, its journal, the door as the menu uses it, and
another computer in its network."""
import json
import os
import subprocess
import sys

from guest import check, equal, wait_for

DOOR = "/run/retro/door"
STATE = "/var/lib/retro-machine"
# A client without any of our code: sends standard input, says what comes back.
CLIENT = """
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(120)
s.connect(sys.argv[1])
s.sendall(sys.stdin.buffer.read())
while (data := s.recv(65536)): sys.stdout.buffer.write(data)
"""


def call(*command, status=0, seconds=100, **options):
    """What a program prints; its exit status must be this one, or any where it is `None`."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds, **options)
    if status is not None:
        check(done.returncode == status,
              f"{' '.join(command)} ended with {done.returncode}: {(done.stdout + done.stderr).strip()[-500:]}")
    return done.stdout


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def as_user(user, *command, groups=None, **options):
    primary = call("id", "-gn", user).strip()
    words = ["setpriv", "--reuid", user, "--regid", primary, *(["--groups", groups] if groups else ["--init-groups"]), "--"]
    return subprocess.run([*words, *command], capture_output=True, check=False, timeout=150, cwd="/", **options)


# systemd

def is_active(unit):
    return call("systemctl", "is-active", unit, status=None).strip() == "active"


def is_enabled(unit):
    return call("systemctl", "is-enabled", unit, status=None).strip() == "enabled"


def prop(unit, name):
    return call("systemctl", "show", "--value", "-p", name, unit).strip()


def journal(*options):
    return call("journalctl", "--no-pager", "-o", "cat", *options, status=None)


# The door

def ask(wish, user="retro", groups=None):
    """The door's answers to a user: a list, or the text of what went wrong."""
    line = wish if isinstance(wish, bytes) else json.dumps(wish).encode() + b"\n"
    done = as_user(user, sys.executable, "-c", CLIENT, DOOR, groups=groups, input=line)
    if done.returncode != 0 and not done.stdout:
        return done.stderr.decode().strip().splitlines()[-1]
    return [json.loads(answer) for answer in done.stdout.splitlines()]


# The changes that were asked for, as docs/privileges.md names them.
ASKED = set()


def change(kind, name, *value, **values):
    """Has a change made as the menu has it made; gives what a person is told then."""
    if value:
        values["_0"] = value[0]
    ASKED.add(f"{kind}.{name}")
    answers = ask({"change": {kind: {"_0": {name: values}}}})
    check(isinstance(answers, list) and answers and "done" in answers[-1], f"{kind}.{name}: the door said {answers}")
    return answers[-1]["done"]["_0"]


def refused(kind, name, *value, **values):
    if value:
        values["_0"] = value[0]
    answers = ask({"change": {kind: {"_0": {name: values}}}})
    check(isinstance(answers, list) and answers and "failed" in answers[-1], f"{kind}.{name}: the door said {answers}")
    return answers[-1]["failed"]["_0"]


# Another computer

OTHER, HERE, THERE = "other", "192.0.2.1", "192.0.2.2"


def plug_network():
    """A cable to another computer, which is a network namespace of this one."""
    if os.path.exists(f"/run/netns/{OTHER}"):
        return
    for command in (f"ip netns add {OTHER}", f"ip link add lan0 type veth peer name eth0 netns {OTHER}",
                    f"ip addr add {HERE}/24 brd + dev lan0", "ip link set lan0 up"):
        call(*command.split())
    for command in ("ip link set lo up", f"ip addr add {THERE}/24 brd + dev eth0", "ip link set eth0 up",
                    "ip route add default via " + HERE):
        there(*command.split())


def there(*command, **options):
    return call("ip", "netns", "exec", OTHER, *command, **options)


DATAGRAM = """
import socket, struct, sys, time
address, port, data, wanted, own = sys.argv[1], int(sys.argv[2]), bytes.fromhex(sys.argv[3]), sys.argv[4].encode(), sys.argv[5]
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind((own, 0))
s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
s.settimeout(1)
limit = time.monotonic() + 20
while time.monotonic() < limit:
    s.sendto(data, (address, port))
    try:
        while True:
            answer, sender = s.recvfrom(65536)
            if wanted in answer:
                print(sender[0], answer)
                sys.exit(0)
    except socket.timeout:
        pass
sys.exit(1)
"""


def asked_there(address, port, question, wanted):
    """The answer to a datagram of the other computer in which these letters are."""
    return there(sys.executable, "-c", DATAGRAM, address, str(port), question.hex(), wanted, THERE)


def names_of_service(kind):
    """The question for all services of a kind, as DNS over multicast asks it."""
    name = b"".join(bytes([len(label)]) + label.encode() for label in kind.split(".") + ["local"]) + b"\0"
    return b"\0\1\0\0\0\1\0\0\0\0\0\0" + name + b"\0\x0c\0\1"


PROBE = """<?xml version="1.0" encoding="utf-8"?>
<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing"
 xmlns:wsd="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:wsdp="http://schemas.xmlsoap.org/ws/2006/02/devprof">
<soap:Header><wsa:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</wsa:To>
<wsa:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</wsa:Action>
<wsa:MessageID>urn:uuid:5b0f8d3e-3a55-4a4e-9d5b-0d2c0f6e7a11</wsa:MessageID></soap:Header>
<soap:Body><wsd:Probe><wsd:Types>wsdp:Device</wsd:Types></wsd:Probe></soap:Body></soap:Envelope>""".encode()


class Idlers:
    """Connections of the player's that say nothing."""

    def __init__(self, count):
        self.process = subprocess.Popen(
            ["setpriv", "--reuid", "retro", "--regid", "retro", "--init-groups", "--", sys.executable, "-c",
             "import socket, sys\n"
             "held = []\n"
             f"for _ in range({count}):\n"
             "    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); held.append(s)\n"
             "print('held', flush=True); sys.stdin.read()\n", DOOR],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        equal(self.process.stdout.readline(), b"held\n", "the idle connections")

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def helpers():
    """How many of the door's processes there are."""
    listed = call("systemctl", "list-units", "--no-legend", "--plain", "--state=active,activating", "retro-door@*")
    return len(listed.splitlines())
