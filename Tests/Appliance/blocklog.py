"""A disk that remembers what was written to it, in which order, and when it was told to keep it: a file on a FUSE
filesystem of its own, for a loop device to lie on. What a power cut leaves can be made from it: everything up to a
flush is there, and of what came after it any part may be.

The kernel's protocol is spoken directly (linux/fuse.h), since nothing of the guest's brings a library for it."""
import ctypes
import errno
import os
import stat
import struct
import subprocess
import threading

LOOKUP, FORGET, GETATTR, SETATTR, OPEN, READ, WRITE, STATFS = 1, 2, 3, 4, 14, 15, 16, 17
RELEASE, FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, DESTROY, BATCH_FORGET = (
    18, 20, 25, 26, 27, 28, 29, 36, 38, 42)
SILENT = (FORGET, INTERRUPT, BATCH_FORGET)
HEADER = struct.Struct("<IIQQIIII")
ROOT, DISK = 1, 2
SECTOR = 512


class BlockLog:
    """A disk with a first content. `events` are `(offset, bytes)` for what was written and `None` for a flush."""

    def __init__(self, folder, content):
        self.start = bytes(content)
        self.data = bytearray(content)
        self.events = []
        self.point = os.path.join(folder, "log")
        os.makedirs(self.point, exist_ok=True)
        self.fuse = os.open("/dev/fuse", os.O_RDWR)
        libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={self.fuse},rootmode=40000,user_id=0,group_id=0".encode()
        if libc.mount(b"blocklog", self.point.encode(), b"fuse", 0, options):
            raise OSError(ctypes.get_errno(), "mount of FUSE")
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        self.device = subprocess.run(
            ["losetup", "--find", "--show", os.path.join(self.point, "disk")], check=True, capture_output=True,
            text=True).stdout.strip()

    def close(self):
        subprocess.run(["losetup", "--detach", self.device], check=False)
        subprocess.run(["umount", "-l", self.point], check=False)

    def _serve(self):
        while True:
            try:
                request = os.read(self.fuse, 1 << 20)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT, errno.EAGAIN):
                    continue
                return
            _, opcode, unique, node, *_ = HEADER.unpack_from(request)
            if opcode in SILENT:
                continue
            answer = self._answer(opcode, node, request[HEADER.size:])
            code, body = (-answer, b"") if isinstance(answer, int) else (0, answer)
            os.write(self.fuse, struct.pack("<IiQ", 16 + len(body), code, unique) + body)
            if opcode == DESTROY:
                return

    def _attributes(self, node):
        mode, size = (stat.S_IFDIR | 0o755, 0) if node == ROOT else (stat.S_IFREG | 0o644, len(self.data))
        return struct.pack("<QQQQQQIIIIIIIIII", node, size, size // SECTOR, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

    def _answer(self, opcode, node, body):
        if opcode == INIT:
            major, _, ahead, _ = struct.unpack_from("<IIII", body)
            # No flags: every write of the loop device comes here at once, as it is.
            return struct.pack("<IIIIHHIIHHI7I", major, 31, ahead, 0, 12, 10, 1 << 17, 1, 0, 0, 0, *[0] * 7)
        if opcode == LOOKUP:
            if body.rstrip(b"\0") != b"disk":
                return errno.ENOENT
            return struct.pack("<QQQQII", DISK, 0, 3600, 3600, 0, 0) + self._attributes(DISK)
        if opcode in (GETATTR, SETATTR):
            return struct.pack("<QII", 3600, 0, 0) + self._attributes(node)
        if opcode in (OPEN, OPENDIR):
            # The page cache of FUSE must not hold anything back (FOPEN_DIRECT_IO).
            return struct.pack("<QII", 1, 1 if opcode == OPEN else 0, 0)
        if opcode == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            return bytes(self.data[offset:offset + size])
        if opcode == WRITE:
            _, offset, size = struct.unpack_from("<QQI", body)
            self._write(offset, body[40:40 + size])
            return struct.pack("<II", size, 0)
        if opcode in (FSYNC, FLUSH):
            if opcode == FSYNC:
                self.events.append(None)
            return b""
        if opcode == STATFS:
            return struct.pack("<QQQQQIIII24x", 0, 0, 0, 0, 0, 4096, 255, 4096, 0)
        if opcode in (READDIR, RELEASE, RELEASEDIR, DESTROY):
            return b""
        return errno.ENOSYS

    def _write(self, offset, data):
        self.data[offset:offset + len(data)] = data
        # A card writes sectors whole; several of one request may be torn apart.
        for start in range(0, len(data), SECTOR):
            self.events.append((offset + start, data[start:start + SECTOR]))

    def epochs(self):
        """What was written between flushes: lists of writes."""
        result = [[]]
        for event in self.events:
            if event is None:
                result.append([])
            else:
                result[-1].append(event)
        return result


def cuts(start, epochs, choose):
    """All contents that a power cut may leave: what was flushed, and of the next epoch each part that `choose` gives
    (tuples of indices for a number of writes). The content is one and the same array, changed from one to the next."""
    image = bytearray(start)
    for number, writes in enumerate(epochs):
        for part in choose(len(writes)):
            before = [(offset, bytes(image[offset:offset + len(data)])) for offset, data in (writes[i] for i in part)]
            for offset, data in (writes[index] for index in part):
                image[offset:offset + len(data)] = data
            yield f"after flush {number} of {len(epochs) - 1}, writes {part} of {len(writes)}", image
            for offset, data in reversed(before):
                image[offset:offset + len(data)] = data
        for offset, data in writes:
            image[offset:offset + len(data)] = data
    yield "the end", image


class FATReader:
    """Reads files of a FAT filesystem as the firmware does: the entry's first cluster, then the chain."""

    def __init__(self, image):
        self.image = image
        sector, cluster, reserved, fats, roots, small = struct.unpack_from("<HBHBHH", image, 11)
        per_fat, = struct.unpack_from("<H", image, 22)
        large, per_fat_32 = struct.unpack_from("<II", image, 32)
        self.is_32 = per_fat == 0
        per_fat = per_fat or per_fat_32
        self.fat = reserved * sector
        self.root_start = (reserved + fats * per_fat) * sector
        self.root_size = roots * 32
        self.data = self.root_start + self.root_size
        self.cluster = cluster * sector
        count = ((small or large) * sector - self.data) // self.cluster
        self.is_12 = count < 4085
        self.root_cluster, = struct.unpack_from("<I", image, 44)

    def _next(self, cluster):
        if self.is_32:
            return struct.unpack_from("<I", self.image, self.fat + 4 * cluster)[0] & 0x0FFFFFFF
        if self.is_12:
            value, = struct.unpack_from("<H", self.image, self.fat + cluster * 3 // 2)
            return value >> 4 if cluster & 1 else value & 0xFFF
        return struct.unpack_from("<H", self.image, self.fat + 2 * cluster)[0]

    def _chain(self, cluster, size=None):
        end = 0x0FFFFFF8 if self.is_32 else 0xFF8 if self.is_12 else 0xFFF8
        data = b""
        seen = set()
        while cluster >= 2 and cluster < end and cluster not in seen:
            seen.add(cluster)
            offset = self.data + (cluster - 2) * self.cluster
            data += self.image[offset:offset + self.cluster]
            if size is not None and len(data) >= size:
                # The chain must end here too, else a stricter reader would call it broken.
                return data[:size] if self._next(cluster) >= end else None
            cluster = self._next(cluster)
        return data if size is None else (b"" if size == 0 else None)

    def entries(self):
        """{name in lower case: (first cluster, size)} of the root folder, by long names."""
        if self.is_32:
            folder = self._chain(self.root_cluster)
        else:
            folder = self.image[self.root_start:self.root_start + self.root_size]
        found = {}
        long = ""
        for offset in range(0, len(folder), 32):
            entry = folder[offset:offset + 32]
            if entry[0] == 0:
                break
            if entry[0] == 0xE5:
                long = ""
            elif entry[11] == 0x0F:
                part = (entry[1:11] + entry[14:26] + entry[28:32]).decode("utf-16-le", "replace").split("\0")[0]
                long = part.replace("\uffff", "") + ("" if entry[0] & 0x40 else long)
            else:
                short = entry[0:8].decode("latin1").rstrip() + (
                    "." + entry[8:11].decode("latin1").rstrip() if entry[8:11].strip() else "")
                high, low, size = struct.unpack("<20xH4xHI", entry)
                if not entry[11] & 0x18:
                    found[(long or short).lower()] = (high << 16 | low, size)
                long = ""
        return found

    def read(self, name):
        """A file's content; None where it is not there or cannot be read to its end."""
        place = self.entries().get(name)
        return None if place is None else self._chain(*place)
