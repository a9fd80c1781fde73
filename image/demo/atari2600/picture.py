#!/usr/bin/env python3
"""picture.py VARIANT OUT: the tables for one edition of Moon Mail, OUT/picture.inc, and OUT/screenshot.png.

A table that the program walks downwards with Y is stored bottom row first.
"""
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import pixels  # noqa: E402

# The lines of the picture, from its top. The program needs BETWEEN lines to turn letters into a ship and a parcel.
BETWEEN = 7
SKY_TOP, TITLE, GAP, ZONE, HILLS, GROUND = 12, 14, 5, 92, 32, 15

EDITIONS = {
    # Colours of the console: high half the hue, low half the brightness.
    "night": dict(seed=5, sky=[0x80, 0x80, 0x82, 0x84, 0x74, 0x76, 0x68, 0x6A], hills=[0x00, 0x02, 0x04, 0x06],
                  ground=[0x0A, 0x08, 0x06, 0x04], title=(0x1C, 0x2A), under=(0x0E, 0x9A), ship=0x2C, parcel=0x1E,
                  tune=0, peaks=(19, 30, 11, 24)),
    "dawn": dict(seed=9, sky=[0x60, 0x62, 0x54, 0x46, 0x38, 0x3A, 0x2C, 0x1E], hills=[0x32, 0x34, 0x36, 0x38],
                 ground=[0x24, 0x26, 0x22, 0x20], title=(0x0E, 0x4A), under=(0x1E, 0x3A), ship=0xAC, parcel=0x0E,
                 tune=1, peaks=(28, 12, 22, 31)),
}

SHIP = """
........
##......
.###....
..####..
#######.
####.###
####.###
#######.
..####..
.###....
##......
........
""".split()

PARCEL = """
########
#..##..#
#..##..#
########
########
#..##..#
#..##..#
########
""".split()


def bits(row):
    return sum((cell in ("#", True)) << (7 - x) for x, cell in enumerate(row))


def title(words):
    rows = pixels.twice(pixels.text(words))
    return [[False] + row + [False] * (47 - len(row)) for row in rows]


def gradient(colours, lines):
    """A colour a line; where two meet, a few lines take turns."""
    result = []
    for line in range(lines):
        place = line * len(colours) / lines
        index = int(place)
        if place - index > 0.75 and index + 1 < len(colours) and line % 2:
            index += 1
        result.append(colours[index])
    return result


def hills(peaks):
    """32 rows of 20 cells; the console mirrors them for the right half."""
    heights = []
    for cell in range(20):
        height = 4
        for number, peak in enumerate(peaks):
            height = max(height, peak - abs(cell - (2 + number * 5)) * 5)
        heights.append(height)
    return [[HILLS - row <= height for height in heights] for row in range(HILLS)]


def colour(number):
    """What a television shows: brightness, and a chroma whose phase turns with the hue."""
    hue, brightness = number >> 4, (number & 14) / 14
    y = 0.03 + 0.9 * brightness
    strength, turn = (0.0 if hue == 0 else 0.23), math.radians((hue - 1) * 26)
    u, v = -strength * math.cos(turn), strength * math.sin(turn)
    channels = (y + 1.14 * v, y - 0.395 * u - 0.581 * v, y + 2.03 * u)
    return tuple(max(0, min(255, round(255 * channel))) for channel in channels)


def table(name, values):
    lines = [f"{name}:"]
    for start in range(0, len(values), 16):
        lines.append("    .byte " + ",".join("$%02X" % value for value in values[start:start + 16]))
    return "\n".join(lines) + "\n"


def main():
    variant, out = sys.argv[1], sys.argv[2]
    edition = EDITIONS[variant]
    os.makedirs(out, exist_ok=True)
    chance = random.Random(edition["seed"])

    above = SKY_TOP + TITLE + GAP + TITLE + BETWEEN
    sky = gradient(edition["sky"], ZONE + HILLS)
    stars = [2 if line > 2 and line < ZONE - 20 and chance.random() < 0.3 - line / 400 else 0 for line in range(ZONE)]
    words = [title("MOON"), title("MAIL")]
    shades = [[edition[name][0]] * 6 + [edition[name][1]] * 8 for name in ("title", "under")]
    land = hills(edition["peaks"])

    text = ["; Made by picture.py; do not edit."]
    for name, value in (("SKY_TOP", SKY_TOP), ("TITLE", TITLE), ("GAP", GAP), ("ZONE", ZONE), ("HILLS", HILLS),
                        ("GROUND", GROUND), ("SHIP_HEIGHT", len(SHIP)), ("PARCEL_HEIGHT", len(PARCEL)),
                        ("SKY_COLOUR", edition["sky"][0]), ("SHIP_COLOUR", edition["ship"]),
                        ("PARCEL_COLOUR", edition["parcel"]), ("TUNE", edition["tune"])):
        text.append(f"{name} = {value}")
    text.append("    MAC TABLES")
    text.append("    align 256")
    for number, rows in enumerate(words):
        for column in range(6):
            text.append(table(f"word{number}_{column}", [bits(row[column * 8:column * 8 + 8]) for row in rows[::-1]]))
    text.append("    align 256")
    for number, rows in enumerate(shades):
        # The colour at Y is that of the next row, set while the beam is past this one.
        text.append(table(f"shade{number}", [rows[-1]] + rows[::-1]))
    text.append(table("ship", [bits(row) for row in SHIP[::-1]]))
    text.append(table("parcel", [bits(row) for row in PARCEL[::-1]]))
    text.append(table("ground_colours", [edition["ground"][min(3, line * 4 // GROUND)] for line in range(GROUND)][::-1]))
    text.append("    align 256")
    # The zone counts from ZONE down to 1, so its tables have one entry that is never read.
    text.append(table("sky", [0] + sky[:ZONE][::-1]))
    text.append(table("stars", [0] + stars[::-1]))
    text.append("    align 256")
    text.append(table("low_sky", sky[ZONE:][::-1]))
    text.append(table("hill_colours", [edition["hills"][min(3, line * 4 // HILLS)] for line in range(HILLS)]))
    text.append(table("hills0", [sum(row[cell] << (4 + cell) for cell in range(4)) for row in land[::-1]]))
    text.append(table("hills1", [sum(row[4 + cell] << (7 - cell) for cell in range(8)) for row in land[::-1]]))
    text.append(table("hills2", [sum(row[12 + cell] << cell for cell in range(8)) for row in land[::-1]]))
    text.append("    ENDM")
    with open(os.path.join(out, "picture.inc"), "w", encoding="ascii") as file:
        file.write("\n".join(text) + "\n")

    picture = []
    def line(number, cells=()):
        row = [colour(number)] * 160
        for x, value in cells:
            row[x] = colour(value)
        picture.append(row)
    for _ in range(SKY_TOP):
        line(edition["sky"][0])
    for number, rows in enumerate(words):
        for row, shade in zip(rows, shades[number]):
            line(edition["sky"][0], [(56 + x, shade) for x, cell in enumerate(row) if cell])
        for _ in range(GAP if number == 0 else BETWEEN):
            line(edition["sky"][0])
    for y in range(ZONE):
        cells = [((20 - 7 * y) % 160, 0x0E)] if stars[y] else []
        for shape, left, top, value in ((SHIP, 76, 40, edition["ship"]), (PARCEL, 120, 56, edition["parcel"])):
            if 0 <= y - top < len(shape):
                cells += [(left + x, value) for x, cell in enumerate(shape[y - top]) if cell == "#"]
        line(sky[y], cells)
    line(sky[ZONE - 1])  # the line that the program loses after the zone
    for y in range(HILLS):
        cells = [cell for cell in land[y] for _ in range(4)]
        line(sky[ZONE + y], [(x, edition["hills"][min(3, (HILLS - 1 - y) * 4 // HILLS)])
                             for x, cell in enumerate(cells + cells[::-1]) if cell])
    for y in range(GROUND):
        line(edition["ground"][min(3, y * 4 // GROUND)])
    pixels.write_png(os.path.join(out, "screenshot.png"), [[cell for cell in row for _ in range(2)] for row in picture])
    assert len(picture) == above + ZONE + 1 + HILLS + GROUND == 192, len(picture)


main()
