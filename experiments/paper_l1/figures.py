"""The figures, as SVG and PNG. One colour and line style a method in every figure; a legend beside the panels."""

import io
import math
import re

import curves
import outcomes

MOST_POINTS = 50  # of a line
LOWEST = 1e-9  # of the vertical axis
FEW_POINTS = 20  # a line of fewer gets dots and steps: between them nothing was seen

# Ours grey to black, Algorithm 1 red; one hue a family, told apart by line style.
SOLID, DASHED, DOTTED, MIXED = "-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (6, 1.4, 1.2, 1.4))
STYLES = {
    "auto": ("#000000", SOLID, 2.4),
    "sequential": ("#4d4d4d", DASHED, 1.5),
    "working_set": ("#8c8c8c", MIXED, 1.5),
    "pdbfw": ("#d62728", SOLID, 2.4),
    "pdbfw theory": ("#f08080", DASHED, 1.8),
    "fw": ("#08519c", SOLID, 1.3),
    "fw_away": ("#3182bd", DASHED, 1.3),
    "fw_pairwise": ("#56b4e9", MIXED, 1.3),
    "block_fw": ("#17becf", DOTTED, 1.8),
    "pg": ("#74c476", DASHED, 1.3),
    "apg": ("#006d2c", SOLID, 1.3),
    "svrg": ("#ff7f0e", SOLID, 1.3),
    "scgs": ("#7b3fa0", SOLID, 1.3),
    "storc": ("#c77cd6", DASHED, 1.3),
    "svrf": ("#8c564b", MIXED, 1.3),
}
AXES = {"seconds": "seconds", "data_passes": "data passes"}


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


def draw_panel(panel, solved, axis):
    names, begins = [], []
    for name, outcomes_of in reversed(solved.methods.items()):  # ours are drawn last, on top
        chosen = outcomes.best(outcomes_of)
        drawn = line(chosen.points, axis) if chosen else []
        if not drawn:
            continue
        colour, style, width = STYLES[name]
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
    panel.set_xlabel(AXES[axis])
    panel.set_title(f"{solved.problem.data.title}\nradius {solved.problem.radius:g}, ridge {solved.problem.ridge}")
    return names


def courses(plt, title, all_solved, axis, path):
    columns = min(3, len(all_solved))
    lines = -(-len(all_solved) // columns)
    figure, grid = plt.subplots(lines, columns, figsize=(3.7 * columns + 1.5, 3.4 * lines + 0.3), squeeze=False,
                                layout="constrained")
    for empty in grid.flat[len(all_solved):]:
        empty.set_visible(False)
    names = set()
    for panel, solved in zip(grid.flat, all_solved):
        names.update(draw_panel(panel, solved, axis))
    for row in grid:
        row[0].set_ylabel("(P - P*) / P*, best so far")
    shown = [name for name in STYLES if name in names]
    handles = [plt.Line2D([], [], color=STYLES[n][0], linestyle=STYLES[n][1], linewidth=STYLES[n][2]) for n in shown]
    figure.legend(handles, shown, loc="outside right center", frameon=False, handlelength=3.2)
    figure.suptitle(title, fontsize=11)
    save(plt, figure, path)


def scaling(plt, measured, path):
    """Seconds of an iteration against n, d, s; iterations against kappa."""
    figure, panels = plt.subplots(1, 4, figsize=(13, 3.2), layout="constrained")
    names = []
    for one in measured:
        name = one["claim"].method
        colour, style, width = STYLES[name]
        names.append(name)
        look = {"color": colour, "linestyle": style, "linewidth": width, "marker": "o", "markersize": 3}
        for panel, size in zip(panels, ("n", "d", "s")):
            known = [(m, cost[1]) for m, cost in one["costs"].get(size, []) if cost and cost[1] > 0]
            if known:
                panel.plot(*zip(*known), **look)
        known = [(kappa, iterations) for kappa, iterations in one["kappa"] if iterations]
        if known:
            panels[3].plot(*zip(*known), **look)
    for panel, words in zip(panels, ("n (rows)", "d (features)", "s (block of Algorithm 1)", "condition number kappa")):
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel(words)
        sizes = sorted({size for drawn in panel.lines for size in drawn.get_xdata()})
        panel.set_xticks(sizes, [f"{size:g}" for size in sizes])
        panel.xaxis.set_minor_formatter("")
    for panel in panels[1:3]:
        panel.sharey(panels[0])
    panels[0].set_ylabel("seconds of an iteration, median")
    panels[3].set_ylabel("iterations to (P - P*) / P* = 1e-4")
    handles = [plt.Line2D([], [], color=STYLES[n][0], linestyle=STYLES[n][1], linewidth=STYLES[n][2]) for n in names]
    figure.legend(handles, names, loc="outside right center", frameon=False, handlelength=3.2)
    figure.suptitle("Table 1 measured, on dense generated data", fontsize=11)
    save(plt, figure, path)
