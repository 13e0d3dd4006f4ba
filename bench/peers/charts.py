"""Pictures of seconds and gaps, both logarithmic, as SVG: one per data set, and one of all. Standard library only."""

import html
import math

# One colour per library in every picture; distinguishable with any colour vision.
COLOURS = {
    "pdbfw": "#000000",
    "scikit-learn": "#e69f00",
    "celer": "#56b4e9",
    "skglm": "#009e73",
    "cyanure": "#cc79a7",
    "copt": "#999999",
    "LIBLINEAR": "#0072b2",
}
MARKS = {
    "pdbfw": "circle",
    "scikit-learn": "square",
    "celer": "diamond",
    "skglm": "up",
    "cyanure": "down",
    "copt": "cross",
    "LIBLINEAR": "ring",
}
WIDTH, HEIGHT = 330, 260  # of a panel
LEFT, TOP, RIGHT, BOTTOM = 52, 34, 14, 40  # of a panel's frame
COLUMNS = 3
HEAD = 58  # title and legend
GAP_TOP, GAP_BOTTOM = 1, -7  # decades of the gap that are shown
SMALLEST_GAP = 10.0**GAP_BOTTOM


def text(x, y, words, size=12, anchor="start", extra=""):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" {extra}>{html.escape(words)}</text>'
    )


def mark(shape, x, y, colour):
    r = 3.2
    if shape in ("circle", "ring"):
        fill = colour if shape == "circle" else "#ffffff"
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
    if shape == "cross":
        return (
            f'<path d="M{x - r:.1f} {y - r:.1f} L{x + r:.1f} {y + r:.1f} M{x - r:.1f} {y + r:.1f} L{x + r:.1f} '
            f'{y - r:.1f}" stroke="{colour}" stroke-width="1.8" fill="none"/>'
        )
    corners = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)],
        "up": [(0, -1.3), (1.2, 1), (-1.2, 1)],
        "down": [(0, 1.3), (1.2, -1), (-1.2, -1)],
    }[shape]
    points = " ".join(f"{x + r * a:.1f},{y + r * b:.1f}" for a, b in corners)
    return f'<polygon points="{points}" fill="{colour}"/>'


def decade(exponent):
    return f"{10.0 ** exponent:g}" if -4 < exponent < 4 else f"1e{exponent}"


class Frame:
    """Maps (seconds, gap) to a panel at (x, y)."""

    def __init__(self, x, y, seconds):
        self.left, self.top = x + LEFT, y + TOP
        self.right, self.bottom = x + WIDTH - RIGHT, y + HEIGHT - BOTTOM
        self.first = math.floor(math.log10(min(seconds, default=0.01)))
        self.last = max(math.ceil(math.log10(max(seconds, default=1))), self.first + 1)

    def across(self, seconds):
        return self.left + (self.right - self.left) * (math.log10(seconds) - self.first) / (self.last - self.first)

    def down(self, gap):
        exponent = min(max(math.log10(gap), GAP_BOTTOM), GAP_TOP)
        return self.top + (self.bottom - self.top) * (GAP_TOP - exponent) / (GAP_TOP - GAP_BOTTOM)

    def decades(self):
        """The axis of the seconds."""
        parts = []
        for exponent in range(self.first, self.last + 1):
            x = self.across(10.0**exponent)
            parts.append(f'<path d="M{x:.1f} {self.top} V{self.bottom}" stroke="#dddddd"/>')
            parts.append(text(x, self.bottom + 16, decade(exponent), 11, "middle"))
        return parts

    def grid(self):
        parts = self.decades()
        for exponent in range(GAP_BOTTOM, GAP_TOP + 1):
            y = self.down(10.0**exponent)
            parts.append(f'<path d="M{self.left} {y:.1f} H{self.right}" stroke="#dddddd"/>')
            if exponent % 2 == 0:
                parts.append(text(self.left - 6, y + 4, decade(exponent), 11, "end"))
        return parts


def draw_panel(panel, x, y):
    seconds = [point[0] for points in panel["lines"].values() for point in points]
    frame = Frame(x, y, seconds)
    parts = [text(frame.left, y + 22, panel["title"], 12.5, extra='font-weight="bold"'), *frame.grid()]
    # Ours last, on top of the others.
    for name, points in sorted(panel["lines"].items(), key=lambda item: item[0] == "pdbfw"):
        places = [(frame.across(s), frame.down(gap)) for s, gap in points]
        if len(places) > 1:
            path = " L".join(f"{a:.1f} {b:.1f}" for a, b in places)
            thickness = 2.4 if name == "pdbfw" else 1.5
            parts.append(f'<path d="M{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="{thickness}"/>')
        parts += [mark(MARKS[name], a, b, COLOURS[name]) for a, b in places]
    parts.append(text((frame.left + frame.right) / 2, frame.bottom + 32, "seconds", 11, "middle"))
    return parts


def legend(names, x, y):
    parts = []
    for name in names:
        parts.append(f'<path d="M{x} {y} h22" stroke="{COLOURS[name]}" stroke-width="2"/>')
        parts += [mark(MARKS[name], x + 11, y, COLOURS[name]), text(x + 28, y + 4, name)]
        x += 50 + 6.3 * len(name)
    return parts


def drawing(width, height, parts):
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


LABEL, LINE = 370, 17  # of the overview: the width of a row's name, and the height of a row


def overview(title, rows, names):
    """One row per problem, with the seconds of every library on one axis; `rows`: (label, {name: seconds})."""
    width, top = 3 * WIDTH, HEAD + 10
    height = top + LINE * len(rows) + BOTTOM
    seconds = [value for _, times in rows for value in times.values()]
    frame = Frame(LABEL - LEFT, top - TOP, seconds)
    frame.right, frame.bottom = width - RIGHT, top + LINE * len(rows)
    parts = [text(12, 22, title, 15, extra='font-weight="bold"'), *legend(names, 14, 44), *frame.decades()]
    for k, (label, times) in enumerate(rows):
        y = top + LINE * (k + 0.5)
        parts.append(text(LABEL - 10, y + 4, label, 11.5, "end"))
        parts.append(f'<path d="M{frame.left} {y:.1f} H{frame.right}" stroke="#eeeeee"/>')
        # Ours last, on top of the others.
        for name in sorted(times, key=lambda name: name == "pdbfw"):
            parts.append(mark(MARKS[name], frame.across(times[name]), y, COLOURS[name]))
    parts.append(text((frame.left + frame.right) / 2, frame.bottom + 32, "processor seconds of the fit", 11, "middle"))
    return drawing(width, height, parts)


def figure(title, panels, names):
    """`panels`: title and {name: [(seconds, gap), ...]} of each."""
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = WIDTH * min(COLUMNS, max(len(panels), 2)), HEAD + HEIGHT * rows
    parts = [
        text(
            12,
            22,
            f"{title}: certified relative gap against processor seconds of the fit; left and down is better",
            15,
            extra='font-weight="bold"',
        ),
        *legend(names, 14, 44),
    ]
    for k, panel in enumerate(panels):
        parts += draw_panel(panel, WIDTH * (k % COLUMNS), HEAD + HEIGHT * (k // COLUMNS))
    return drawing(width, height, parts)
