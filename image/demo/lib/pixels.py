"""Pixels for the demo games: a font drawn by hand, enlarging it without jags, and writing a PNG."""
import os
import struct
import zlib


def font():
    """Letter -> 7 rows of 5 booleans, from font.txt beside this file."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "font.txt"), encoding="ascii") as file:
        lines = file.read().splitlines()
    glyphs = {" ": [[False] * 5 for _ in range(7)]}
    for top in range(0, len(lines), 8):
        rows = [line.split() for line in lines[top + 1:top + 8]]
        for column, letter in enumerate(lines[top]):
            glyphs[letter] = [[cell == "#" for cell in row[column]] for row in rows]
    return glyphs


def text(words, spacing=1):
    """Rows of booleans for a line of text, `spacing` empty columns between letters."""
    glyphs = font()
    rows = [[] for _ in range(7)]
    for index, letter in enumerate(words):
        for y in range(7):
            rows[y] += ([False] * spacing if index else []) + glyphs[letter][y]
    return rows


def twice(rows):
    """Twice the size; a corner between two set neighbours is filled or cut, so that diagonals stay smooth."""
    height, width = len(rows), len(rows[0])

    def at(x, y):
        return rows[y][x] if 0 <= x < width and 0 <= y < height else False

    result = [[False] * (2 * width) for _ in range(2 * height)]
    for y in range(height):
        for x in range(width):
            here, up, down, left, right = at(x, y), at(x, y - 1), at(x, y + 1), at(x - 1, y), at(x + 1, y)
            corners = (
                up if left == up and up != right and left != down else here,
                up if up == right and up != left and right != down else here,
                left if left == down and left != up and down != right else here,
                down if down == right and left != down and up != right else here,
            )
            for corner, value in enumerate(corners):
                result[2 * y + corner // 2][2 * x + corner % 2] = value
    return result


def thrice(rows):
    """Three times the size, smooth in the same way."""
    height, width = len(rows), len(rows[0])

    def at(x, y):
        return rows[y][x] if 0 <= x < width and 0 <= y < height else False

    result = [[False] * (3 * width) for _ in range(3 * height)]
    for y in range(height):
        for x in range(width):
            here = at(x, y)
            up, down, left, right = at(x, y - 1), at(x, y + 1), at(x - 1, y), at(x + 1, y)
            up_left, up_right = at(x - 1, y - 1), at(x + 1, y - 1)
            down_left, down_right = at(x - 1, y + 1), at(x + 1, y + 1)
            north_west = left == up and left != down and up != right
            north_east = up == right and up != left and right != down
            south_west = left == down and left != up and down != right
            south_east = down == right and down != left and right != up
            block = (
                left if north_west else here,
                up if (north_west and here != up_right) or (north_east and here != up_left) else here,
                right if north_east else here,
                left if (north_west and here != down_left) or (south_west and here != up_left) else here,
                here,
                right if (north_east and here != down_right) or (south_east and here != up_right) else here,
                left if south_west else here,
                down if (south_west and here != down_right) or (south_east and here != down_left) else here,
                right if south_east else here,
            )
            for index, value in enumerate(block):
                result[3 * y + index // 3][3 * x + index % 3] = value
    return result


def write_png(path, rows):
    """Writes rows of (red, green, blue)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) +
                   chunk(b"IEND", b""))
