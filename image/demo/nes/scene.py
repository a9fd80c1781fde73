#!/usr/bin/env python3
"""scene.py VARIANT OUT: draws one edition of Star Courier.

Writes OUT/scene.chr (the tiles), OUT/scene.nam (where they stand), OUT/scene.inc (palettes and numbers for the
program) and OUT/screenshot.png (the same picture in colour, with the ship and a parcel on it).
"""
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import pixels  # noqa: E402

WIDTH, HEIGHT = 256, 240
SKY, LOGO, LAND, MOON = range(4)
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-!."

# Colours are the console's own numbers. Each palette starts with the one background colour that all share.
EDITIONS = {
    "dusk": dict(
        subtitle="SUNSET ROUTE", seed=3, land="hills", moons=[(206, 52, 25)],
        sky=[0x02, 0x14, 0x22, 0x30], logo=[0x02, 0x0F, 0x27, 0x38], ground=[0x02, 0x14, 0x04, 0x25],
        moon=[0x02, 0x16, 0x26, 0x37], ship=[0x0F, 0x16, 0x30], song=0),
    "night": dict(
        subtitle="NIGHT DELIVERY", seed=11, land="city", moons=[(212, 44, 20)],
        sky=[0x0F, 0x01, 0x11, 0x30], logo=[0x0F, 0x01, 0x21, 0x30], ground=[0x0F, 0x01, 0x0C, 0x28],
        moon=[0x0F, 0x10, 0x3D, 0x30], ship=[0x01, 0x2A, 0x30], song=1),
    "desert": dict(
        subtitle="RED PLANET", seed=23, land="mesas", moons=[(200, 58, 22), (236, 28, 10)],
        sky=[0x05, 0x16, 0x26, 0x37], logo=[0x05, 0x0F, 0x27, 0x30], ground=[0x05, 0x16, 0x07, 0x27],
        moon=[0x05, 0x07, 0x17, 0x27], ship=[0x0F, 0x12, 0x30], song=2),
    "snow": dict(
        subtitle="SNOW EXPRESS", seed=31, land="mountains", moons=[(208, 48, 18)],
        sky=[0x01, 0x1C, 0x2C, 0x30], logo=[0x01, 0x0F, 0x21, 0x30], ground=[0x01, 0x1C, 0x11, 0x30],
        moon=[0x01, 0x10, 0x31, 0x30], ship=[0x0F, 0x15, 0x30], song=3),
}

BAYER = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]


class Scene:
    def __init__(self, edition):
        self.edition = edition
        self.random = random.Random(edition["seed"])
        self.index = [[0] * WIDTH for _ in range(HEIGHT)]
        self.palette = [[SKY] * 16 for _ in range(15)]
        for row in range(9, 15):
            self.palette[row] = [LAND] * 16
        for row in range(1, 6):
            self.palette[row][1:10] = [LOGO] * 9

    def put(self, x, y, value):
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            self.index[y][x] = value

    def draw(self):
        self.sky()
        self.stars()
        for moon in self.edition["moons"]:
            self.moon(*moon)
        getattr(self, self.edition["land"])()
        self.logo("STAR", 24, 24)
        self.logo("COURIER", 24, 56)
        self.words(self.edition["subtitle"], 3, 11, 3)
        self.words("PARCELS 00", 3, 27, 3)

    def sky(self):
        for y in range(96, HEIGHT):
            amount = min(16, (y - 96) * 16 // 56)
            for x in range(WIDTH):
                if BAYER[y % 4][x % 4] < amount:
                    self.index[y][x] = 1

    def stars(self):
        # The shapes stand at fixed places inside a tile, so that two stars share one.
        shapes = [[(3, 3, 3)], [(5, 2, 2)], [(2, 5, 2)], [(3, 3, 3), (2, 3, 2), (4, 3, 2), (3, 2, 2), (3, 4, 2)]]
        for _ in range(64):
            tile_x, tile_y = self.random.randrange(32), self.random.randrange(1, 13)
            shape = self.random.choice(shapes[:3] if self.random.random() < 0.85 else shapes)
            for x, y, value in shape:
                self.put(tile_x * 8 + x, tile_y * 8 + y, value)

    def moon(self, centre_x, centre_y, radius):
        for y in range(centre_y - radius, centre_y + radius + 1):
            for x in range(centre_x - radius, centre_x + radius + 1):
                if math.hypot(x - centre_x, y - centre_y) > radius:
                    continue
                if self.inside(x, y):
                    self.palette[y // 16][x // 16] = MOON
                    lit = math.hypot(x - centre_x + radius * 0.45, y - centre_y + radius * 0.4) / radius
                    amount = (lit - 0.55) * 14
                    shade = 3 if amount < BAYER[y % 4][x % 4] / 2 else 2
                    if (lit - 1.05) * 26 > BAYER[y % 4][x % 4]:
                        shade = 1
                    self.index[y][x] = shade
        for dx, dy, size in ((-0.3, -0.2, 0.2), (0.2, 0.3, 0.16), (0.3, -0.35, 0.12), (-0.25, 0.45, 0.1)):
            for y in range(HEIGHT // 2):
                for x in range(centre_x - radius, centre_x + radius + 1):
                    if self.inside(x, y) and math.hypot(
                            x - centre_x - dx * radius, y - centre_y - dy * radius) < size * radius:
                        self.index[y][x] = max(1, self.index[y][x] - 1)

    def inside(self, x, y):
        return 0 <= x < WIDTH and 0 <= y < HEIGHT

    def ridge(self, heights, value, light=None, depth=2):
        """Fills below a periodic outline; the first rows under it may be lighter."""
        for x in range(WIDTH):
            top = heights(x)
            for y in range(top, HEIGHT):
                self.index[y][x] = light if light is not None and y < top + depth else value

    def ground(self):
        self.ridge(lambda x: int(198 + 3 * math.sin(x * math.tau / 64)), 0, light=3, depth=1)

    def hills(self):
        self.ridge(lambda x: int(166 + 9 * math.sin(x * math.tau / 128) + 4 * math.sin(x * math.tau / 64 + 1)), 2,
                   light=3, depth=2)
        self.ridge(lambda x: int(185 + 5 * math.sin(x * math.tau / 128 + 2.2)), 2, light=3, depth=1)
        self.ground()
        for x, y in ((12, 199), (44, 197), (76, 199), (140, 199), (172, 197), (204, 199)):
            self.tree(x, y)

    def tree(self, centre, foot):
        for row in range(22):
            for x in range(-(row % 8) // 2 - row // 7, (row % 8) // 2 + row // 7 + 1):
                self.put(centre + x, foot - 22 + row, 0)

    def city(self):
        self.ridge(lambda x: int(160 + 5 * math.sin(x * math.tau / 128)), 2)
        left = 0
        roofs = [176, 164, 184, 152, 170, 188, 160, 180]
        widths = [16, 16, 8, 24, 16, 8, 16, 24]
        for turn in range(2):
            for roof, width in zip(roofs, widths):
                for x in range(left, min(left + width - 1, WIDTH)):
                    for y in range(roof, HEIGHT):
                        self.index[y][x] = 0
                for y in range((roof // 8 + 1) * 8, 206, 8):
                    for x in range(left, left + width - 7, 8):
                        if (x // 8 * 5 + y // 8 * 3 + turn) % 4 != 0:
                            for cell_y in range(2, 5):
                                self.put(x + 2, y + cell_y, 3)
                                self.put(x + 3, y + cell_y, 3)
                                self.put(x + 5, y + cell_y, 3 if (x // 8 + y // 8) % 3 else 2)
                                self.put(x + 6, y + cell_y, 3 if (x // 8 + y // 8) % 3 else 2)
                left += width
        for y in range(208, HEIGHT):
            for x in range(WIDTH):
                self.index[y][x] = 3 if y == 208 else 0

    def mesas(self):
        def flat(x):
            wave = math.sin(x * math.tau / 128) + 0.5 * math.sin(x * math.tau / 64 + 0.7)
            return int(176 - 22 * max(0.0, min(1.0, (wave - 0.1) * 3)))
        self.ridge(flat, 2, light=3, depth=2)
        for y in (164, 170):
            for x in range(WIDTH):
                if flat(x) < y - 2 and (x // 4) % 4:
                    self.index[y][x] = 3
        self.ridge(lambda x: int(190 + 6 * math.sin(x * math.tau / 128 + 1)), 3)
        self.ridge(lambda x: int(194 + 5 * math.sin(x * math.tau / 128 + 1.3)), 2)
        self.ground()

    def mountains(self):
        def peak(x):
            return 150 + abs((x + 20) % 64 - 32) + (abs((x + 5) % 16 - 8) // 2)
        for x in range(WIDTH):
            top = peak(x)
            for y in range(top, HEIGHT):
                cap = y < top + 14 - (abs((x * 3) % 16 - 8)) and y < 178
                self.index[y][x] = 3 if cap else 2
        self.ridge(lambda x: int(188 + 6 * math.sin(x * math.tau / 128)), 3)
        self.ground()
        for x, y in ((20, 198), (36, 200), (84, 200), (148, 198), (164, 200), (212, 200)):
            self.tree(x, y)

    def logo(self, words, left, top):
        rows = pixels.thrice(pixels.text(words))
        filled = [(left + x, top + y, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell]
        for x, y, _ in filled:
            for step in (1, 2):
                self.put(x + step, y + step, 1)
        for x, y, row in filled:
            self.put(x, y, 3 if row < 8 or (row < 11 and (x + y) % 2) else 2)

    def words(self, words, column, row, value):
        for at, letter in enumerate(words):
            tile = glyph(letter, value)
            for y in range(8):
                for x in range(8):
                    self.put((column + at) * 8 + x, row * 8 + y, tile[y][x])


def glyph(letter, value):
    rows = pixels.font()[letter]
    return [[value if y < 7 and x < 5 and rows[y][x] else 0 for x in range(8)] for y in range(8)]


def planes(tile):
    """A tile as the console stores it: eight bytes of low bits, eight of high bits."""
    return b"".join(bytes(sum(((row[x] >> bit) & 1) << (7 - x) for x in range(8)) for row in tile) for bit in (0, 1))


def sprites():
    drawings, name = {}, None
    with open(os.path.join(HERE, "sprites.txt"), encoding="ascii") as file:
        for line in file.read().splitlines():
            if line.startswith(";"):
                continue
            if line[0] in ".123":
                drawings[name].append([0 if cell == "." else int(cell) for cell in line])
            else:
                name = line
                drawings[name] = []
    return drawings


def colour(number):
    """What a television makes of the console's colour: its square wave, taken apart into luma and two chroma parts."""
    hue, level = number & 15, number >> 4
    if hue > 13:
        return (0, 0, 0)
    low, high = [0.350, 0.518, 0.962, 1.550][level], [1.094, 1.506, 1.962, 1.962][level]
    if hue == 0:
        low = high
    if hue == 13:
        high = low
    y = i = q = 0.0
    for phase in range(12):
        signal = high if (hue + phase + 8) % 12 < 6 else low
        value = (signal - 0.518) / (1.962 - 0.518) / 12
        y += value
        i += value * math.cos(math.pi * phase / 6) * 1.5
        q += value * math.sin(math.pi * phase / 6) * 1.5
    channels = (y + 0.947 * i + 0.624 * q, y - 0.275 * i - 0.636 * q, y - 1.109 * i + 1.709 * q)
    return tuple(max(0, min(255, round(255 * max(0.0, channel) ** 0.95))) for channel in channels)


def main():
    variant, out = sys.argv[1], sys.argv[2]
    edition = EDITIONS[variant]
    scene = Scene(edition)
    scene.draw()
    os.makedirs(out, exist_ok=True)

    tiles = {planes([[0] * 8 for _ in range(8)]): 0}
    digits = [tiles.setdefault(planes(glyph(digit, 3)), len(tiles)) for digit in "0123456789"]
    names = []
    for row in range(30):
        for column in range(32):
            tile = [scene.index[row * 8 + y][column * 8:column * 8 + 8] for y in range(8)]
            names.append(tiles.setdefault(planes(tile), len(tiles)))
    if len(tiles) > 256:
        sys.exit(f"scene.py: {variant} needs {len(tiles)} tiles, and the console has room for 256")
    attributes = []
    for row in range(8):
        for column in range(8):
            value = 0
            for quarter in range(4):
                y, x = row * 2 + quarter // 2, column * 2 + quarter % 2
                value |= (scene.palette[y][x] if y < 15 else LAND) << (2 * quarter)
            attributes.append(value)

    drawings = sprites()
    objects = []
    ship = drawings["ship"]
    for top, left in ((0, 0), (0, 8), (8, 0), (8, 8)):
        objects.append(planes([row[left:left + 8] for row in ship[top:top + 8]]))
    objects += [planes(drawings[name]) for name in ("flameA", "flameB", "parcel")]

    with open(os.path.join(out, "scene.chr"), "wb") as file:
        file.write(b"".join(tiles).ljust(4096, b"\0") + b"".join(objects).ljust(4096, b"\0"))
    with open(os.path.join(out, "scene.nam"), "wb") as file:
        file.write(bytes(names) + bytes(attributes))

    background = edition["sky"][0]
    palettes = [edition["sky"], edition["logo"], edition["ground"], edition["moon"],
                [background] + edition["ship"], [background, 0x16, 0x27, 0x38],
                [background, 0x07, 0x17, 0x30], [background, 0x0F, 0x10, 0x30]]
    with open(os.path.join(out, "scene.inc"), "w", encoding="ascii") as file:
        file.write(f"DIGITS = {digits[0]}\nSONG = {edition['song']}\n")
        file.write("TWINKLE_A = $%02X\nTWINKLE_B = $%02X\n" % (edition["sky"][3], edition["sky"][2]))
        file.write(".define PALETTES " + ", ".join("$%02X" % value for row in palettes for value in row) + "\n")

    picture = [[colour(palettes[scene.palette[y // 16][x // 16]][scene.index[y][x]] if scene.index[y][x]
                       else background) for x in range(WIDTH)] for y in range(HEIGHT)]
    for name, left, top, palette in (("ship", 112, 120, 4), ("flameA", 104, 124, 5), ("parcel", 184, 132, 6)):
        for y, row in enumerate(drawings[name]):
            for x, cell in enumerate(row):
                if cell:
                    picture[top + y][left + x] = colour(palettes[palette][cell])
    pixels.write_png(os.path.join(out, "screenshot.png"), [row for row in picture[8:232]])
    print(f"{variant}: {len(tiles)} tiles")


main()
