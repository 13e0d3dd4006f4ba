"""population.jsonl as a page of tables and a performance profile. Standard library only; `population_report.py FOLDER`
writes both anew."""

import json
import math
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "peers"))

import charts  # noqa: E402
from common import table  # noqa: E402

OURS = "pdbfw"
HALVES = {"tune": "The half for tuning (even seeds)", "report": "The half that is only reported (odd seeds)"}
TOL_TEXT = "1e-6"
LARGEST_RATIO = 100  # where the profile ends


def family(method):
    return method.split(":")[0]


class Problem:
    """One case in one form: the seconds of every library that certified it."""

    def __init__(self, facts, form, fits):
        self.facts, self.form = facts, form
        fits = [fit for fit in fits if fit.get("form", form) == form]
        self.fits = fits
        self.offered = {family(fit["method"]) for fit in fits}
        self.seconds = {}
        for fit in fits:
            if "why" not in fit:
                name = family(fit["method"])
                self.seconds[name] = min(fit["seconds"], self.seconds.get(name, math.inf))
        self.best = min(self.seconds.values(), default=math.inf)
        self.ours = self.seconds.get(OURS, math.inf)
        self.best_peer = min((s for name, s in self.seconds.items() if name != OURS), default=math.inf)

    @property
    def name(self):
        return f"{self.facts['case']}, by {self.form}"

    @property
    def ratio(self):
        """Our time over that of the best peer; None where no peer certified."""
        return self.ours / self.best_peer if self.best_peer < math.inf else None

    @property
    def pass_pairs(self):
        pair = self.facts.get("pass_pair")
        return self.ours / pair if pair and self.ours < math.inf else None

    def quickest_peer(self):
        good = [fit for fit in self.fits if "why" not in fit and family(fit["method"]) != OURS]
        return min(good, key=lambda fit: fit["seconds"])["method"] if good else None

    def why(self):
        return next((fit["why"] for fit in self.fits if fit["method"] == OURS and "why" in fit), None)


def problems(rows):
    """Those that pdbfw was asked to solve."""
    facts = {row["case"]: row for row in rows if row["kind"] == "case"}
    fits = {}
    for row in rows:
        if row["kind"] == "fit":
            fits.setdefault(row["case"], []).append(row)
    for name, case in facts.items():
        forms = [fit["form"] for fit in fits.get(name, []) if fit["method"] == OURS]
        for form in forms:
            yield Problem(case, form, fits[name])


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))] if values else math.nan


def number(value):
    return "-" if value is None or math.isnan(value) else "not certified" if math.isinf(value) else f"{value:.3g}"


HEAD = [
    "problems of",
    "number",
    f"certified to {TOL_TEXT}",
    "also by a peer",
    "of these quickest of all",
    "within twice the best",
    "mean ratio to the best peer",
    "worst ratio",
    "pass pairs, median",
    "90th percentile",
]


def line(title, group):
    """Of pdbfw. Where no peer certifies there is nobody to be quicker than: such problems count in the first share only.
    The mean is geometric."""
    contested = [p for p in group if p.ratio is not None]
    certified = [p for p in group if p.ours < math.inf]
    ratios = [p.ratio for p in group if p.ratio is not None]
    finite = [ratio for ratio in ratios if ratio < math.inf]
    pairs = [p.pass_pairs for p in group if p.pass_pairs]
    mean = math.exp(statistics.fmean(map(math.log, finite))) if finite else math.nan
    return [
        title,
        len(group),
        share(len(certified), len(group)),
        len(contested),
        share(sum(p.ratio <= 1 for p in contested), len(contested)),
        share(sum(p.ratio <= 2 for p in contested), len(contested)),
        number(mean),
        number(max(ratios, default=math.nan)),
        number(quantile(pairs, 0.5)),
        number(quantile(pairs, 0.9)),
    ]


SPLITS = [
    ("all", lambda p: True),
    ("by penalty", lambda p: p.form == "penalty"),
    ("by radius", lambda p: p.form == "radius"),
    ("with intercept", lambda p: p.facts["intercept"]),
    ("without", lambda p: not p.facts["intercept"]),
    ("ridge 0", lambda p: p.facts["ridge"] == "0"),
    ("ridge > 0", lambda p: p.facts["ridge"] != "0"),
]


def split_table(group, splits):
    rows = [line(title, [p for p in group if belongs(p)]) for title, belongs in splits]
    return table(HEAD, [row for row in rows if row[1]])


def by_value(group, key):
    values = sorted({p.facts[key] for p in group})
    return [(str(value), lambda p, value=value: p.facts[key] == value) for value in values]


def libraries_table(group):
    """Every library over the problems that it offers."""
    names = [name for name in charts.COLOURS if any(name in p.offered for p in group)]
    rows = []
    for name in names:
        own = [p for p in group if name in p.offered]
        good = [p for p in own if name in p.seconds]
        rows.append(
            [
                name,
                len(own),
                share(len(good), len(own)),
                share(sum(p.seconds[name] <= p.best for p in good), len(own)),
                share(sum(p.seconds[name] <= 2 * p.best for p in good), len(own)),
                share(sum(p.seconds[name] <= 10 * p.best for p in good), len(own)),
            ]
        )
    head = ["library", "problems it offers", "certified", "quickest of all", "within twice the best", "ten times"]
    return table(head, rows)


def worst_table(group, count=10):
    ranked = sorted((p for p in group if p.ratio is not None), key=lambda p: -p.ratio)[:count]
    rows = [
        [p.name, number(p.ratio), seconds(p.ours), seconds(p.best_peer), p.quickest_peer(), number(p.pass_pairs)]
        for p in ranked
    ]
    return table(["problem", "ratio", "pdbfw, s", "best peer, s", "which", "pass pairs"], rows)


def seconds(value):
    return "-" if math.isinf(value) else f"{value:.2g}"


def profile(group, name):
    """Dolan and More: for every ratio the share of the problems that a library solves within it times the best time."""
    own = [p for p in group if name in p.offered]
    ratios = sorted(p.seconds[name] / p.best for p in own if name in p.seconds)
    return [(ratio, (k + 1) / len(own)) for k, ratio in enumerate(ratios)]


def draw_profile(panels, names):
    """One panel per (title, problems): across the ratio to the best time, logarithmic; up the share."""
    width, height, left, top, bottom = 470, 330, 52, 92, 44
    parts = [
        charts.text(
            12,
            22,
            f"Share of the problems certified to {TOL_TEXT} within so many times the best time; up and left is better",
            14,
            extra='font-weight="bold"',
        ),
        *charts.legend(names, 14, 46),
    ]
    for k, (title, group) in enumerate(panels):
        x0, x1, y0, y1 = k * width + left, (k + 1) * width - 18, top, top + height
        across = lambda ratio, x0=x0, x1=x1: x0 + (x1 - x0) * math.log(ratio) / math.log(LARGEST_RATIO)
        up = lambda part, y0=y0, y1=y1: y1 - (y1 - y0) * part
        parts.append(charts.text(x0, y0 - 10, f"{title}: {len(group)} problems", 12.5, extra='font-weight="bold"'))
        for ratio in [1, 2, 5, 10, 20, 50, 100]:
            parts.append(f'<path d="M{across(ratio):.1f} {y0} V{y1}" stroke="#dddddd"/>')
            parts.append(charts.text(across(ratio), y1 + 16, str(ratio), 11, "middle"))
        for percent in range(0, 101, 20):
            parts.append(f'<path d="M{x0} {up(percent / 100):.1f} H{x1}" stroke="#dddddd"/>')
            parts.append(charts.text(x0 - 6, up(percent / 100) + 4, f"{percent} %", 11, "end"))
        for name in sorted(names, key=lambda name: name == OURS):
            steps = [(ratio, part) for ratio, part in profile(group, name) if ratio <= LARGEST_RATIO]
            if not steps:
                continue
            path = f"M{across(1):.1f} {up(0):.1f}"
            for ratio, part in steps:
                path += f" H{across(ratio):.1f} V{up(part):.1f}"
            thickness = 2.6 if name == OURS else 1.6
            colour = charts.COLOURS[name]
            parts.append(f'<path d="{path} H{x1}" fill="none" stroke="{colour}" stroke-width="{thickness}"/>')
        parts.append(charts.text((x0 + x1) / 2, y1 + 34, "times the best time", 11, "middle"))
    return charts.drawing(width * len(panels), top + height + bottom, parts)


METHOD = """Written by `make bench-population` ({date}, {cpu}, one thread). A case is a data set with a loss, a penalty (0.3,
0.03 or 0.003 of the largest one), a ridge (0, 1/n or a ninth of the penalty) and an intercept or none; which data set gets
which is drawn. A case makes two problems: by its penalty, and by the radius that has the same solution. Data are made
from seeds ([the families](../../bench/population_families.py)); the real ones are drawn two sets of problems for.
**Solvers may be tuned on the problems of even seeds; those of odd seeds are only reported.**

- Time is processor seconds of one call on a NumPy array by rows or a CSR matrix, everything that a library converts
  included; the best of three when it is below 50 ms. What is compiled at first use is compiled before.
- pdbfw runs with default settings and `tol=1e-6` and must certify that itself; the objective of its weights is computed
  again by NumPy.
- A peer counts as certified when its objective, with the best intercept for its weights, is within 1e-6 (relative) of
  the dual value that pdbfw certified: it needs no dual point of its own. Of each of its methods the loosest tolerance
  that does this counts, of each library the quickest method.
- Peers solve a problem by radius as the penalty with the same solution, which they are given, and are judged by that.
- LIBLINEAR, also inside scikit-learn, penalises the intercept; `intercept_scaling=1000` makes that small, and the judge
  ignores its intercept. celer has
  no intercept with the logistic loss; LIBLINEAR's own library is asked only for problems without.
- A fit may take {limit:g} processor seconds.
- A pass pair is the time of one `A x` and one `A'y` with the library's own products on the same data.
"""


def machine(rows):
    found = [row for row in rows if row["kind"] == "machine"]
    return {"date": "?", "cpu": "?", "limit": 10, **(found[-1] if found else {})}


def page(rows):
    group = list(problems(rows))
    parts = ["# A population of problems\n", METHOD.format(**machine(rows))]
    if "note" in machine(rows):
        parts.append(f"**{machine(rows)['note']}**\n")
    parts.append("![Performance profile](population.svg)\n\nEvery line is over the problems that its library offers, those that no other certifies included; so are the tables of\nall libraries.\n")
    for half, title in HALVES.items():
        own = [p for p in group if p.facts["half"] == half]
        if not own:
            continue
        parts.append(f"## {title}\n\npdbfw:\n\n{split_table(own, SPLITS)}\n")
        parts.append(f"All libraries:\n\n{libraries_table(own)}\n")
        by_kind = by_value(own, "loss") + by_value(own, "share")
        parts.append(f"By loss and by share of the largest penalty:\n\n{split_table(own, by_kind)}\n")
        parts.append(f"By family of data:\n\n{split_table(own, by_value(own, 'family'))}\n")
        parts.append(f"The worst ratios to the best peer:\n\n{worst_table(own)}\n")
        failures = [f"- {p.name}: {p.why()}" for p in own if p.why()]
        parts.append("Not certified by pdbfw:\n\n" + ("\n".join(failures) if failures else "None.") + "\n")
    return "\n".join(parts)


def summary(rows):
    """For the terminal."""
    group = list(problems(rows))
    return "\n\n".join(
        f"{half}\n{split_table(own, SPLITS)}\n{worst_table(own)}"
        for half in HALVES
        if (own := [p for p in group if p.facts["half"] == half])
    )


def write(rows, folder):
    group = list(problems(rows))
    names = [name for name in charts.COLOURS if any(name in p.offered for p in group)]
    (folder / "population.md").write_text(page(rows))
    halves = [(title, [p for p in group if p.facts["half"] == half]) for half, title in HALVES.items()]
    (folder / "population.svg").write_text(draw_profile([panel for panel in halves if panel[1]], names))


def main():
    folder = pathlib.Path(sys.argv[1])
    write([json.loads(text) for text in (folder / "population.jsonl").read_text().splitlines()], folder)


if __name__ == "__main__":
    main()
