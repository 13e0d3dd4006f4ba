"""Figures of courses, as SVG and PNG. One colour and line style a method in every figure; a legend beside the panels."""

import io
import math
import re
from typing import Callable, NamedTuple

import curves
import outcomes

MOST_POINTS = 50  # of a line
LOWEST = 1e-9  # of the vertical axis
FEW_POINTS = 20  # a line of fewer gets dots and steps: between them nothing was seen

SOLID, DASHED, DOTTED, MIXED = "-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (6, 1.4, 1.2, 1.4))


class Look(NamedTuple):
    styles: dict  # {method: (colour, line style, width)}; the last ones are drawn first
    axes: dict  # {clock: words}
    title: Callable  # of a problem


def pyplot():
    """matplotlib.pyplot, or None: the tables and the page do without."""
    try:
        import matplotlib
    except ImportError:
        return None
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "pdbfw", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.25,
                                "axes.titlesize": 9.5, "path.simplify": True})
    from matplotlib import pyplot as plt
    return plt


def save(plt, figure, path):
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    # A hundredth of a point is fine enough and makes the file half as large.
    path.with_suffix(".svg").write_text(re.sub(r"(\d+\.\d\d)\d+", r"\1", text.getvalue()), encoding="utf-8")
    pixels = io.BytesIO()
    figure.savefig(pixels, format="png", dpi=90, metadata={"Software": None})
    from PIL import Image  # comes with matplotlib
    Image.open(pixels).convert("RGB").quantize(192).save(path.with_suffix(".png"), optimize=True)
    plt.close(figure)


def line(points, axis):
    """What is drawn of a curve, down to the lower edge."""
    kept = []
    for where, value in ((getattr(p, axis), p.objective) for p in points):
        if where > 0 and math.isfinite(value):
            kept.append((where, max(value, LOWEST)))
        if value <= LOWEST:
            break
    return curves.thin(kept, MOST_POINTS, lambda pair: pair[0])


def first_step(drawn):
    """Where a line first falls; its end if it never does."""
    return next((where for where, value in drawn if value < drawn[0][1]), drawn[-1][0])


def draw_panel(panel, solved, axis, look):
    names, begins = [], []
    for name, outcomes_of in reversed(solved.methods.items()):  # ours are drawn last, on top
        chosen = outcomes.best(outcomes_of)
        drawn = line(chosen.points, axis) if chosen else []
        if not drawn:
            continue
        colour, style, width = look.styles[name]
        names.append(name)
        begins.append(first_step(drawn))
        few = {"marker": "o", "markersize": 2.6, "drawstyle": "steps-post"} if len(drawn) < FEW_POINTS else {}
        panel.plot(*zip(*drawn), color=colour, linestyle=style, linewidth=width, **few)
    panel.axhline(1e-6, color="#000000", linewidth=0.4)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_ylim(LOWEST / 1.5, 20)
    panel.set_xlim(left=min(begins, default=1.0) / 1.6)
    panel.xaxis.set_minor_formatter("")
    panel.set_xlabel(look.axes[axis])
    panel.set_title(look.title(solved.problem))
    return names


def courses(plt, title, all_solved, axis, path, look):
    """One panel a problem, one line per method, against the clock that `axis` names."""
    columns = min(3, len(all_solved))
    lines = -(-len(all_solved) // columns)
    figure, grid = plt.subplots(lines, columns, figsize=(3.7 * columns + 1.5, 3.4 * lines + 0.3), squeeze=False,
                                layout="constrained")
    for empty in grid.flat[len(all_solved):]:
        empty.set_visible(False)
    names = set()
    for panel, solved in zip(grid.flat, all_solved):
        names.update(draw_panel(panel, solved, axis, look))
    for row in grid:
        row[0].set_ylabel("(P - P*) / P*, best so far")
    shown = [name for name in look.styles if name in names]
    handles = [plt.Line2D([], [], color=look.styles[n][0], linestyle=look.styles[n][1], linewidth=look.styles[n][2]) for n in shown]
    figure.legend(handles, shown, loc="outside right center", frameon=False, handlelength=3.2)
    figure.suptitle(title, fontsize=11)
    save(plt, figure, path)
