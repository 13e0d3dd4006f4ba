#!/usr/bin/env python3
"""How time and passes grow with the size of the problem, on generated data: n, d, the radius and 1/ridge, one at a time, each over two
orders of magnitude. Writes scaling.md, scaling.jsonl and scaling.svg.

    bench/scaling.py [--repeats 3] [--out docs/results]
"""
import argparse
import math
import statistics

import common

# Where the four lines cross.
ROWS, FEATURES, RADIUS, RIDGE = 20_000, 20_000, 30, 1
STEPS = [0.1, 0.3, 1, 3, 10]  # times the value at the crossing

# (what grows, its name in a problem below, its values). Rows are unit vectors, so a ridge r/n has the curvature r against 1 of the loss.
LINES = [("samples n", "rows", [round(ROWS * s) for s in STEPS]),
         ("features d", "features", [round(FEATURES * s) for s in STEPS]),
         ("radius", "radius", [RADIUS * s for s in STEPS]),
         ("1 / (ridge n)", "inverse_ridge", [s / RIDGE for s in STEPS])]
MEASURES = {"seconds": "seconds", "pass_pairs": "pass pairs", "passes": "data passes"}


def problem(name, value):
    """The question about one point of a line. The planted model keeps its 50 features, whatever d is."""
    at = {"rows": ROWS, "features": FEATURES, "radius": RADIUS, "inverse_ridge": 1 / RIDGE} | {name: value}
    return {"data": {"rows": at["rows"], "features": at["features"], "row_nonzeros": 60, "support": 50},
            "cases": [{"radius": at["radius"], "ridge": f"{1 / at['inverse_ridge']:.12g}/n"}]}


def measure(options):
    rows = []
    for title, name, values in LINES:
        for value in values:
            run = common.ask(options.program, problem(name, value) | {"repeats": options.repeats, "max_seconds": 60})[0]
            rows.append({"line": title, "value": value, "status": run["status"], "n": run["n"], "d": run["d"], "entries": run["entries"],
                         "nonzeros": run["nonzeros"], "iterations": run["iterations"], "passes": run["passes"],
                         "seconds": statistics.median(run["cpu"]), "pass_pairs": statistics.median(common.pass_pairs(run)), "engines": run["engines"]})
    return rows


def slope(rows, what, against="value"):
    """Of log(what) against log(against), by least squares: the power with which it grows."""
    x = [math.log(row[against]) for row in rows]
    y = [math.log(row[what]) for row in rows]
    return statistics.linear_regression(x, y).slope


def report(rows):
    text = common.heading("How the time grows", "scaling.py")
    text += (f"Text-like generated data, 60 non-zeros a row, a planted model of 50 features; loss smooth_hinge, tol 1e-6, default settings. One quantity "
             f"varies at a time, the others stay at n = {ROWS:,}, d = {FEATURES:,}, radius {RADIUS}, ridge {RIDGE}/n. The slope is the power with which a "
             "measure grows with the quantity: 1 is proportional, 0 is constant.\n\n")
    slopes = []
    for title, name, _ in LINES:
        line = [row for row in rows if row["line"] == title]
        slopes.append([title, f"{line[0]['value']:g} .. {line[-1]['value']:g}", f"{line[0]['nonzeros']} .. {line[-1]['nonzeros']}",
                       *(f"{slope(line, what):.2f}" for what in MEASURES), f"{slope(line, 'seconds', 'nonzeros'):.2f}" if name == "radius" else ""])
    text += common.table(["what grows", "from .. to", "support, from .. to", *(f"slope of {measure}" for measure in MEASURES.values()), "slope of seconds against the support"],
                         slopes)
    text += "\n\n" + common.table(
        ["what grows", "value", "status", "non-zeros of A", "support", "engines", "sweeps or sets", "data passes", "pass pairs", "seconds"],
        [[row["line"], f"{row['value']:g}", row["status"], row["entries"], row["nonzeros"], row["engines"], row["iterations"], f"{row['passes']:.1f}",
          f"{row['pass_pairs']:.1f}", f"{row['seconds']:.3g}"] for row in rows])
    return text + "\n"


def plot(plt, rows, path):
    figure, panels = plt.subplots(1, len(LINES), figsize=(3 * len(LINES), 2.8), sharey=True)
    for (title, _, _), panel in zip(LINES, panels):
        line = [row for row in rows if row["line"] == title]
        for what, name in MEASURES.items():
            panel.loglog([row["value"] for row in line], [row[what] for row in line], "o-", markersize=3, label=f"{name} ({slope(line, what):.2f})")
        panel.set_xlabel(title)
        panel.legend(fontsize=7, title="measure (slope)", title_fontsize=7)
    common.save(figure, path)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    rows = measure(options)
    text = report(rows)
    plt = common.pyplot()
    if plt:
        options.out.mkdir(parents=True, exist_ok=True)
        plot(plt, rows, options.out / "scaling.svg")
        text += "\n![Time and passes against size](scaling.svg)\n"
    common.write(options.out, "scaling", text, rows)
    print(text)


if __name__ == "__main__":
    main()
