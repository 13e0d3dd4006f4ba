"""peers.jsonl as a page of tables and as pictures. Standard library only; `report.py FOLDER` writes both anew."""

import json
import math
import pathlib
import sys

import charts
import peers
import problems

OURS = "pdbfw: default"
OVERVIEW = "peers.svg"


def level_text(level):
    return f"1e{math.log10(level):.0f}"


def family(method):
    return method.split(":")[0]


def seconds_text(seconds):
    return f"{seconds:.2g}" if seconds < 10 else f"{seconds:.0f}"


class Results:
    """What was measured of one problem."""

    def __init__(self, rows, name):
        rows = [row for row in rows if row.get("problem") == name]
        self.facts = next((row for row in rows if row["kind"] == "problem"), None)
        self.fits = [row for row in rows if row["kind"] == "fit"]
        self.ends = {row["method"]: row["why"] for row in rows if row["kind"] == "done"}
        self.commands = [row for row in rows if row["kind"] == "command"]
        bounds = [row["dual"] for row in self.fits] + ([self.facts["dual"]] if self.facts else [])
        self.bound = max((bound for bound in bounds if math.isfinite(bound)), default=math.nan)

    def methods(self):
        order = [OURS] + [method.name for method in peers.METHODS]
        return sorted(self.ends, key=lambda method: order.index(method) if method in order else len(order))

    def distance(self, fit):
        """How far the objective is above the best lower bound of all, relative; which is not known while fitting."""
        return (fit["primal"] - self.bound) / fit["primal"]

    def quickest(self, method, level, error="relative_gap"):
        """The quickest fit of a method, or of a family, whose error is within the level; None if there is none."""
        values = {"relative_gap": lambda fit: fit["relative_gap"], "distance": self.distance}[error]
        good = [fit for fit in self.fits if method in (fit["method"], family(fit["method"])) and values(fit) <= level]
        return min(good, key=lambda fit: fit["cpu_seconds"], default=None)

    def best_peer(self, level, error="relative_gap"):
        found = [self.quickest(name, level, error) for name in peers.FAMILIES if name != "pdbfw"]
        return min((fit for fit in found if fit), key=lambda fit: fit["cpu_seconds"], default=None)


def is_ahead(fit, ours):
    return fit is not None and (ours is None or fit["cpu_seconds"] < ours["cpu_seconds"])


def time_cell(fit, ours, is_ours=False):
    """Fit alone, and with conversion; bold where the fit is quicker than ours."""
    if fit is None:
        return "-"
    text = seconds_text(fit["cpu_seconds"])
    with_conversion = seconds_text(fit["cpu_seconds"] + fit["cpu_conversion"])
    if not is_ours and is_ahead(fit, ours):
        text = f"**{text}** (!)"
    return f"{text} / {with_conversion}"


def versus_cell(results, level, error):
    ours, peer = results.quickest(OURS, level, error), results.best_peer(level, error)
    if ours is None and peer is None:
        return "not reached"
    our_text = seconds_text(ours["cpu_seconds"]) if ours else "not reached"
    if peer is None:
        return f"{our_text}, no peer"
    peer_text = f"{seconds_text(peer['cpu_seconds'])} {family(peer['method'])}"
    if ours is None:
        return f"{our_text}, **{peer_text}** (!)"
    ratio = peer["cpu_seconds"] / ours["cpu_seconds"]
    if ratio < 1:
        return f"{our_text}, **{peer_text}**, {1 / ratio:.1f}x behind (!)"
    return f"{our_text}, {peer_text}, {ratio:.1f}x ahead"


def short(problem):
    return f"{problem.data} | {problem.loss} | {problem.radius:g} | {problem.ridge}"


def summary(measured, error):
    lines = [
        "| data | loss | radius | ridge | " + " | ".join(f"to {level_text(level)}" for level in problems.LEVELS) + " |",
        "|" + "---|" * (4 + len(problems.LEVELS)),
    ]
    for problem, results in measured:
        cells = [versus_cell(results, level, error) for level in problems.LEVELS]
        lines.append(f"| {short(problem)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def count_ahead(measured, error):
    """How many cells of the summary a peer wins, and how many there are."""
    cells = [versus_cell(results, level, error) for _, results in measured for level in problems.LEVELS]
    return sum("(!)" in cell for cell in cells), len(cells)


REMARKS = {
    "accurate": "",
    "converged": "",
    "stuck": "no finer tolerance changes the result",
    "no finer setting": "the finest setting tried",
}


def remark(why):
    if why.startswith("NotImplementedError"):
        return why.partition(": ")[2]
    if why.startswith(("ModuleNotFoundError", "ImportError", "OSError")):
        return "not installed"
    return REMARKS.get(why, why.replace("over", "the next one takes over"))


def problem_table(problem, results):
    lines = [
        "| method | "
        + " | ".join(f"to {level_text(level)}" for level in problems.LEVELS)
        + " | best gap | objective above the best bound | memory, MB | |",
        "|" + "---|" * (len(problems.LEVELS) + 5),
    ]
    ours = {level: results.quickest(OURS, level) for level in problems.LEVELS}
    for method in results.methods():
        cells = [time_cell(results.quickest(method, level), ours[level], method == OURS) for level in problems.LEVELS]
        fits = [fit for fit in results.fits if fit["method"] == method]
        best = min(fits, key=lambda fit: fit["relative_gap"], default=None)
        accuracy = f"{best['relative_gap']:.0e} | {max(0, results.distance(best)):.0e}" if best else "- | -"
        memory = f"{max(fit['peak_mb'] - fit['data_mb'] for fit in fits):.0f}" if fits else "-"
        lines.append(
            f"| {method} | " + " | ".join(cells) + f" | {accuracy} | {memory} | {remark(results.ends[method])} |"
        )
    present = {family(method) for method in results.methods()}
    for name in peers.FAMILIES:
        if name not in present:
            reason = peers.NOT_OFFERED.get((name, problem.loss, problem.has_ridge), "not measured")
            lines.append(f"| {name} | " + "| " * (len(problems.LEVELS) + 3) + f"| {reason} |")
    return "\n".join(lines)


def command_table(measured):
    lines = ["| data | loss | radius | command | seconds | of which fit | peak MB |", "|" + "---|" * 7]
    for problem, results in measured:
        for row in results.commands:
            lines.append(
                f"| {problem.data} | {problem.loss} | {problem.radius:g} | `{row['command']}` | "
                f"{seconds_text(row['cpu_seconds'])} | {seconds_text(row['fit_seconds'])} | {row['peak_mb']:.0f} |"
            )
    return "\n".join(lines) if len(lines) > 2 else "Not measured."


def agreement(results):
    """How far apart the objectives of the methods that reach the last level lie, relative."""
    best = [results.quickest(method, problems.LEVELS[-1]) for method in results.methods()]
    primals = [fit["primal"] for fit in best if fit]
    if len(primals) < 2:
        return ""
    spread = (max(primals) - min(primals)) / min(primals)
    return f"; the objectives of the {len(primals)} methods that reach 1e-6 agree to {spread:.0e}"


def facts_line(results):
    f = results.facts
    return (
        f"n {f['n']}, d {f['d']}, {f['nonzeros']} non-zeros; penalty {f['penalty']:.6g}; optimum {f['primal']:.8g} "
        f"(gap {max(0, f['relative_gap']):.0e}) with {f['support']} non-zeros{agreement(results)}"
    )


HOW = """\
Written by `make bench-peers DATA=folder`; [bench/peers](../../bench/peers/README.md) says how to repeat a part of it.

**The same problem for all.** Ours is constrained, most of theirs is penalised. The radius is mapped to the penalty that
has the same solution, the multiplier at our solution to many digits. No intercept, no standardising, labels -1 and +1
(as numbers for the squared loss), one thread.

**The same judge for all.** Every method runs over a ladder of its own tolerances or iteration counts, each fit from
zero. Its point is scaled to the radius and certified by our `certify` with the dual point that follows from it (pdbfw
hands over its own). A cell is the quickest fit of the ladder whose certified relative gap is within the level.
Libraries that do not aim at such a certificate may be closer to the optimum than it shows: the second table counts the
true distance instead, (P(x) - P*) / P(x), known only because the problem was solved to many digits before.

**Times** are processor seconds: fit alone / with conversion from CSR of doubles in memory (for pdbfw: building the
columns). Quick fits are medians of three; imports and just-in-time compilation are done before and not counted. "-":
not reached, in {limit} s a fit at most. **Memory** is what conversion and fit add to a process that holds the data.
`make bench-peers` measures all in one run; with `ONLY` methods can be measured again one by one, and are then younger than the
others.
"""

CHOICES = """\
**Choice of problems.** Text: 300 is the paper's radius. Of 100, 300, 1000 and 3000, 1000 predicts held-out RCV1
documents best for the squared and the squared hinge loss without ridge. a9a: 10 keeps 20 to 100 of the 123 features.
colon-cancer: the squared and the squared hinge loss reach their unconstrained minimum before radius 5, so these take 2.
Ridge 1/n is LIBLINEAR's C = 1 (logistic loss); ridge 0 is where most peers are at home. rcv1_sample.binary is a sample
of RCV1-v2 of the size and kind of rcv1_train.binary, not the same documents; news20.binary was rebuilt from articles.
"""


def machine_text(machine):
    versions = ", ".join(f"{name} {version or 'not installed'}" for name, version in machine["versions"].items())
    return f"{machine['cpu']}, {machine['cores']} cores; Python {machine['python']}; {versions}. {machine['date']}."


def page(measured, figures, machine, limit):
    ahead, cells = count_ahead(measured, "relative_gap")
    ahead_true, _ = count_ahead(measured, "distance")
    parts = [
        "# pdbfw beside other libraries",
        HOW.replace("{limit}", f"{limit:g}"),
        CHOICES,
        "**Machine and versions.** " + machine_text(machine),
        "## Seconds to a certified gap: pdbfw, and the best peer",
        f"![seconds to a certified gap, by library]({OVERVIEW})",
        f"(!) marks where a peer is ahead: {ahead} of {cells} cells.",
        summary(measured, "relative_gap"),
        "## Seconds to a true distance from the optimum",
        f"(!) marks where a peer is ahead: {ahead_true} of {cells} "
        "cells. No program can stop by this measure; it shows what a lucky choice of tolerance would give.",
        summary(measured, "distance"),
        "## From file to model",
        "Whole commands on plain text, reading included, with tolerances that reach a gap of 1e-4. "
        "A peak below 20 MB cannot be told from one of 20.",
        command_table(measured),
    ]
    for name, group in figures:
        parts += [
            f"## {group[0][0].data}" + (f", radius {group[0][0].radius:g}" if "rcv1" in name else ""),
            f"![seconds against certified gap]({name})",
        ]
        for problem, results in group:
            parts += [f"### {problem.name}", facts_line(results), problem_table(problem, results)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def grouped(measured):
    """A picture for each data set and choice of radius."""
    groups = {}
    for problem, results in measured:
        index = problems.RADII[problem.data][problem.loss].index(problem.radius)
        radius = f"-{problem.radius:g}" if len(problems.RADII[problem.data][problem.loss]) > 1 else ""
        groups.setdefault((problem.data, index), (f"peers-{problem.data}{radius}.svg", []))[1].append(
            (problem, results)
        )
    return list(groups.values())


def front(results, name):
    """The fits of a family that no other of its fits beats in both time and gap, in order of time."""
    points = []
    for fit in sorted((f for f in results.fits if family(f["method"]) == name), key=lambda f: f["cpu_seconds"]):
        gap = max(fit["relative_gap"], charts.SMALLEST_GAP)
        if not points or gap < points[-1][1]:
            points.append((fit["cpu_seconds"], gap))
    return points


def panel(problem, results):
    return {
        "title": f"{problem.loss}, radius {problem.radius:g}, ridge {problem.ridge}",
        "lines": {name: front(results, name) for name in peers.FAMILIES},
    }


def overview_row(problem, results):
    """The name of a problem, and the quickest fit of every library to the smallest gap of the tables."""
    found = {name: results.quickest(OURS if name == "pdbfw" else name, min(problems.LEVELS)) for name in peers.FAMILIES}
    label = f"{problem.data}, {problem.loss}, radius {problem.radius:g}, ridge {problem.ridge}"
    return label, {name: fit["cpu_seconds"] for name, fit in found.items() if fit}


def write(rows, out):
    measured = [(problem, Results(rows, problem.name)) for problem in problems.problems()]
    measured = [(problem, results) for problem, results in measured if results.facts and results.fits]
    machines = [row for row in rows if row["kind"] == "machine"]
    if not measured or not machines:
        return
    figures = grouped(measured)
    for name, group in figures:
        (out / name).write_text(charts.figure(group[0][0].data, [panel(*each) for each in group], peers.FAMILIES))
    level = level_text(min(problems.LEVELS))
    title = f"Seconds to a certified relative gap of {level}, one thread; left is better, no mark: not reached"
    rows_of_overview = [overview_row(*each) for each in measured]
    (out / OVERVIEW).write_text(charts.overview(title, rows_of_overview, peers.FAMILIES))
    (out / "peers.md").write_text(page(measured, figures, machines[-1], machines[-1]["limit"]))


def main():
    out = pathlib.Path(sys.argv[1])
    write([json.loads(line) for line in (out / "peers.jsonl").read_text().splitlines()], out)


if __name__ == "__main__":
    main()
