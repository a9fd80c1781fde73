#!/usr/bin/env python3
"""cover.py NAME: the cover of one game as SVG, on stdout; a poster of 600 by 800. `cover.py --list` names them."""
import math
import random
import sys

WIDTH, HEIGHT = 600, 800

COVERS = {
    "star-courier-dusk": dict(
        title=("STAR", "COURIER"), subtitle="SUNSET ROUTE", seed=4, land="hills",
        sky=("#141a5e", "#5b2a9d", "#d2499f", "#ffb27a"), moon=("#fff3d6", "#ffb38a"), moon_at=(410, 430, 122),
        layers=("#9a3d96", "#6b2a86", "#431d6b", "#1d1147"), letters=("#fff6d8", "#ffb52e"), ship="#e8483f", accent="#ffd36b"),
    "star-courier-night": dict(
        title=("STAR", "COURIER"), subtitle="NIGHT DELIVERY", seed=8, land="city",
        sky=("#03040f", "#081436", "#12336e", "#2f6fb0"), moon=("#ffffff", "#b9c7dd"), moon_at=(418, 412, 100),
        layers=("#1a4679", "#11315c", "#0a1d3d", "#050d1f"), letters=("#ffffff", "#5fb4ff"), ship="#3fbf6a", accent="#ffe27a"),
    "star-courier-desert": dict(
        title=("STAR", "COURIER"), subtitle="RED PLANET", seed=15, land="mesas",
        sky=("#2a0620", "#6d1230", "#c8402f", "#ffa45c"), moon=("#ffe0a8", "#d1763c"), moon_at=(420, 420, 104),
        layers=("#b5482e", "#8a2f23", "#5d1c1a", "#331010"), letters=("#fff4dd", "#ffa63d"), ship="#3f74e8", accent="#ffe0a8"),
    "star-courier-snow": dict(
        title=("STAR", "COURIER"), subtitle="SNOW EXPRESS", seed=23, land="peaks",
        sky=("#061a4a", "#0b4a7a", "#2298a6", "#c9f3ea"), moon=("#ffffff", "#cfe6ff"), moon_at=(415, 400, 92),
        layers=("#9fd0e6", "#5b9bc9", "#e9f6ff", "#123a63"), letters=("#ffffff", "#8fd2ff"), ship="#d6407f", accent="#d8fff2"),
    "moon-mail-night": dict(
        title=("MOON", "MAIL"), subtitle="", seed=42, land="craters",
        sky=("#05052b", "#1b1470", "#5936b8", "#c47bea"), moon=("#8fd0ff", "#2f6fd0"), moon_at=(420, 400, 100),
        layers=("#8b8ba0", "#6a6a80", "#47475a", "#2a2a38"), letters=("#fff3a0", "#e0a030"), ship="#f0a840", accent="#fff6b0"),
    "moon-mail-dawn": dict(
        title=("MOON", "MAIL"), subtitle="DAWN CROSSING", seed=51, land="craters",
        sky=("#2a0a5c", "#8a1d6e", "#ec5b3c", "#ffe06a"), moon=("#fff7c9", "#ffc23d"), moon_at=(400, 440, 124),
        layers=("#c9662e", "#9a4422", "#6b2a18", "#3a150d"), letters=("#ffffff", "#ffb08a"), ship="#5cc4f0", accent="#fff1b8"),
}


def polygon(points, fill, extra=""):
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{text}" fill="{fill}" {extra}/>'


def ridge(chance, level, roughness, fill):
    """A rolling outline: three waves of chance length and phase."""
    waves = [(roughness / (n + 1), chance.uniform(1.2, 2.2) * (n + 1), chance.uniform(0, math.tau)) for n in range(3)]
    points = [(x, level + sum(a * math.sin(x / WIDTH * math.tau / 2 * f + p) for a, f, p in waves))
              for x in range(0, WIDTH + 1, 6)]
    return polygon([(0, HEIGHT)] + points + [(WIDTH, HEIGHT)], fill)


def jagged(chance, level, height, fill, cap=None):
    shapes, x = [], -80.0
    while x < WIDTH + 80:
        half, peak = chance.uniform(90, 150), chance.uniform(0.6, 1) * height
        top = (x + half, level - peak)
        shapes.append(polygon([(x - 20, HEIGHT), (x - 20, level + 20), top, (x + 2 * half + 20, level + 20),
                               (x + 2 * half + 20, HEIGHT)], fill))
        if cap:
            def along(share, side):
                edge = (x - 20 if side < 0 else x + 2 * half + 20, level + 20)
                return (top[0] + (edge[0] - top[0]) * share, top[1] + (edge[1] - top[1]) * share)
            left, right = along(0.4, -1), along(0.4, 1)
            middle = [(left[0] + (right[0] - left[0]) * n / 6, left[1] + (16 if n % 2 else -10)) for n in range(1, 6)]
            shapes.append(polygon([top, left] + middle + [right], cap))
        x += half * chance.uniform(0.9, 1.3)
    return "".join(shapes)


def land(cover, chance):
    far, middle, near, front = cover["layers"]
    kind = cover["land"]
    shapes = []
    if kind == "hills":
        for level, rough, fill in ((560, 34, far), (610, 30, middle), (665, 26, near), (725, 16, front)):
            shapes.append(ridge(chance, level, rough, fill))
        for _ in range(15):
            x, foot, tall = chance.uniform(0, WIDTH), chance.uniform(715, 745), chance.uniform(50, 105)
            for step in range(4):
                top = foot - tall + step * tall * 0.19
                spread = tall * (0.11 + 0.055 * step)
                shapes.append(polygon([(x, top), (x - spread, top + tall * 0.36), (x + spread, top + tall * 0.36)], front))
    elif kind == "peaks":
        shapes.append(jagged(chance, 620, 150, middle, "#f4fbff"))
        shapes.append(jagged(chance, 680, 110, far, "#ffffff"))
        shapes.append(ridge(chance, 690, 22, near))
        shapes.append(ridge(chance, 745, 14, front))
        for _ in range(12):
            x, foot, tall = chance.uniform(0, WIDTH), chance.uniform(735, 760), chance.uniform(50, 95)
            for step in range(4):
                top = foot - tall + step * tall * 0.19
                spread = tall * (0.11 + 0.055 * step)
                shapes.append(polygon([(x, top), (x - spread, top + tall * 0.36), (x + spread, top + tall * 0.36)], front))
    elif kind == "city":
        shapes.append(ridge(chance, 590, 24, far))
        for level, fill, lit in ((560, middle, 0.25), (620, near, 0.35), (690, front, 0.45)):
            x = -10.0
            while x < WIDTH:
                wide, top = chance.choice((36, 48, 60, 72)), level + chance.uniform(-60, 50)
                shapes.append(f'<rect x="{x:.1f}" y="{top:.1f}" width="{wide}" height="{HEIGHT}" fill="{fill}"/>')
                for row in range(int((HEIGHT - top) // 18)):
                    for column in range((wide - 8) // 12):
                        if chance.random() < lit:
                            shapes.append(f'<rect x="{x + 7 + column * 12:.1f}" y="{top + 10 + row * 18:.1f}" width="6" '
                                          f'height="9" fill="{cover["accent"]}" opacity="{chance.uniform(0.35, 0.95):.2f}"/>')
                x += wide + chance.choice((0, 3, 8))
    elif kind == "mesas":
        shapes.append(ridge(chance, 600, 14, far))
        for level, fill, count in ((610, middle, 3), (670, near, 3)):
            for number in range(count):
                x = chance.uniform(-60, WIDTH - 60)
                wide, tall = chance.uniform(110, 220), chance.uniform(70, 150)
                shapes.append(polygon([(x - 30, HEIGHT), (x + 8, level - tall + 16), (x + 14, level - tall),
                                       (x + wide - 14, level - tall), (x + wide - 8, level - tall + 16),
                                       (x + wide + 30, HEIGHT)], fill))
            shapes.append(ridge(chance, level + 30, 12, fill))
        shapes.append(ridge(chance, 735, 14, front))
    else:
        shapes.append(jagged(chance, 610, 90, far))
        shapes.append(ridge(chance, 620, 18, middle))
        shapes.append(ridge(chance, 670, 14, near))
        for _ in range(14):
            x, y, wide = chance.uniform(0, WIDTH), chance.uniform(690, 790), chance.uniform(20, 62)
            shapes.append(f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{wide:.1f}" ry="{wide * 0.24:.1f}" fill="{front}"/>'
                          f'<ellipse cx="{x:.1f}" cy="{y + wide * 0.07:.1f}" rx="{wide * 0.9:.1f}" ry="{wide * 0.17:.1f}" '
                          f'fill="{middle}" opacity="0.5"/>')
    return "".join(shapes)


def ship(cover):
    """A stout rocket, nose up and to the right, with a parcel's ribbon round its hull."""
    return f'''<path d="M -40 560 C 120 560 200 520 292 452" stroke="url(#trail)" stroke-width="26" fill="none"
 stroke-linecap="round"/>
<g transform="translate(345 412) rotate(-32) scale(1.15)">
 <path d="M -62 0 C -96 -13 -112 -4 -132 0 C -112 4 -96 13 -62 0 Z" fill="#fff2b0"/>
 <path d="M -60 -17 C -86 -10 -92 -4 -110 0 C -92 4 -86 10 -60 17 Z" fill="#ff9a3c" opacity="0.85"/>
 <path d="M -50 -20 L -78 -50 L -26 -26 Z M -50 20 L -78 50 L -26 26 Z" fill="{cover["ship"]}" stroke="#15102e" stroke-width="5"
  stroke-linejoin="round"/>
 <path d="M -62 -20 C -20 -36 44 -30 84 0 C 44 30 -20 36 -62 20 Z" fill="#fbfaf4" stroke="#15102e" stroke-width="5"
  stroke-linejoin="round"/>
 <path d="M 46 -20 C 62 -14 74 -8 84 0 C 74 8 62 14 46 20 Z" fill="{cover["ship"]}"/>
 <path d="M -62 5 C -20 20 44 20 80 3 C 44 30 -20 36 -62 20 Z" fill="#15102e" opacity="0.16"/>
 <rect x="-34" y="-29" width="13" height="58" fill="{cover["ship"]}"/>
 <circle cx="18" cy="-4" r="14" fill="#1c3a6e" stroke="#15102e" stroke-width="5"/>
 <path d="M 9 -8 A 11 11 0 0 1 19 -15" stroke="#bfe6ff" stroke-width="4" fill="none" stroke-linecap="round"/>
</g>'''


def main():
    if sys.argv[1] == "--list":
        print("\n".join(COVERS))
        return
    cover = COVERS[sys.argv[1]]
    chance = random.Random(cover["seed"])
    x, y, radius = cover["moon_at"]
    stars = []
    for _ in range(130):
        star_y = chance.uniform(0, 520) * chance.uniform(0.3, 1)
        size = chance.choice((0.9, 0.9, 1.2, 1.7, 2.3))
        stars.append(f'<circle cx="{chance.uniform(0, WIDTH):.1f}" cy="{star_y:.1f}" r="{size}" fill="#fff" '
                     f'opacity="{chance.uniform(0.3, 1) * (1 - star_y / 620):.2f}"/>')
    craters = "".join(
        f'<circle cx="{x + dx * radius:.1f}" cy="{y + dy * radius:.1f}" r="{size * radius:.1f}" fill="{cover["moon"][1]}" '
        'opacity="0.55"/>' for dx, dy, size in ((-0.35, -0.25, 0.19), (0.2, 0.35, 0.15), (0.42, -0.3, 0.1), (-0.2, 0.5, 0.09)))
    stops = "".join(f'<stop offset="{share}" stop-color="{colour}"/>' for share, colour in
                    zip((0, 0.34, 0.62, 0.84), cover["sky"]))
    first, second = cover["title"]
    size = {4: 150, 7: 118}
    font = 'font-family="Inter, DejaVu Sans" font-weight="900"'

    def heading(words, baseline):
        scale = size[len(words)]
        place = f'x="38" y="{baseline}" {font} font-size="{scale}" textLength="{min(524, int(scale * len(words) * 0.68))}"' \
            ' lengthAdjust="spacingAndGlyphs"'
        return (f'<text {place} fill="#120a2c" opacity="0.55" transform="translate(5 7)">{words}</text>'
                f'<text {place} fill="url(#letters)">{words}</text>')

    subtitle = ""
    if cover["subtitle"]:
        subtitle = (f'<text x="300" y="772" {font} font-size="27" letter-spacing="9" text-anchor="middle" '
                    f'fill="{cover["accent"]}">{cover["subtitle"]}</text>')
    print(f'''<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">
<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">{stops}</linearGradient>
<linearGradient id="letters" gradientUnits="userSpaceOnUse" x1="0" y1="50" x2="0" y2="290">
<stop offset="0" stop-color="{cover["letters"][0]}"/><stop offset="0.45" stop-color="{cover["letters"][0]}"/>
<stop offset="1" stop-color="{cover["letters"][1]}"/></linearGradient>
<linearGradient id="trail" gradientUnits="userSpaceOnUse" x1="0" y1="560" x2="292" y2="452">
<stop offset="0" stop-color="{cover["accent"]}" stop-opacity="0"/><stop offset="1" stop-color="{cover["accent"]}" stop-opacity="0.9"/>
</linearGradient>
<radialGradient id="moon" cx="0.38" cy="0.34" r="0.75"><stop offset="0.35" stop-color="{cover["moon"][0]}"/>
<stop offset="1" stop-color="{cover["moon"][1]}"/></radialGradient>
<radialGradient id="glow"><stop offset="0.4" stop-color="{cover["moon"][0]}" stop-opacity="0.5"/>
<stop offset="1" stop-color="{cover["moon"][0]}" stop-opacity="0"/></radialGradient>
<radialGradient id="edge" cx="0.5" cy="0.45" r="0.75"><stop offset="0.7" stop-color="#000" stop-opacity="0"/>
<stop offset="1" stop-color="#000" stop-opacity="0.45"/></radialGradient>
<linearGradient id="foot" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity="0"/>
<stop offset="0.7" stop-color="#000" stop-opacity="0.6"/></linearGradient>
</defs>
<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#sky)"/>
{"".join(stars)}
<circle cx="{x}" cy="{y}" r="{radius * 2}" fill="url(#glow)"/>
<circle cx="{x}" cy="{y}" r="{radius}" fill="url(#moon)"/>{craters}
{land(cover, chance)}
{ship(cover)}
{heading(first, 164)}{heading(second, 276 if len(second) > 4 else 292)}
<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#edge)"/>
<rect y="680" width="{WIDTH}" height="120" fill="url(#foot)"/>
{subtitle}
</svg>''')


main()
