"""A solve as a curve, and what is read off curves: the best value so far, the time to a target, slopes. Nothing but arithmetic."""

import csv
import math
from typing import NamedTuple

FLOOR = 1e-14  # relative values below are rounding


class Row(NamedTuple):
    """One line of `pdbfw train --trace`. Values that are not certified are the solver's running ones."""

    iteration: int
    seconds: float
    data_passes: float
    multiply_adds: float
    primal: float
    relative_gap: float
    nonzeros: int
    is_certified: int


class Point(NamedTuple):
    """One point of a figure: the best so far."""

    iteration: int
    seconds: float
    data_passes: float
    objective: float  # (P - P*) / P*
    gap: float  # relative duality gap
    nonzeros: int


def read_trace(path):
    with open(path, newline="", encoding="ascii") as lines:
        return [Row(*(float(line[name]) for name in Row._fields)) for line in csv.DictReader(lines)]


def thin(rows, most, clock=lambda row: row.seconds):
    """At most `most` of the rows, spread evenly over the logarithm of the clock; the first and the last stay."""
    if len(rows) <= most:
        return list(rows)
    begin = next((clock(row) for row in rows if clock(row) > 0), 1.0)
    place = [math.log(max(clock(row), begin)) for row in rows]
    width = (place[-1] - place[0]) / (most - 1) or 1.0
    cells = {}
    for k, where in enumerate(place[:-1]):
        cells.setdefault(int((where - place[0]) / width), k)
    return [rows[k] for k in sorted(set([0, *list(cells.values())[: most - 1], len(rows) - 1]))[-most:]]


def best_so_far(rows, optimum):
    """The rows as points; no point is worse than the one before. Values that are not numbers count as no progress."""
    points, objective, gap = [], math.inf, math.inf
    for row in rows:
        value = (row.primal - optimum) / optimum
        objective = min(objective, max(value, FLOOR)) if math.isfinite(value) else objective
        gap = min(gap, max(row.relative_gap, FLOOR)) if math.isfinite(row.relative_gap) else gap
        points.append(Point(int(row.iteration), row.seconds, row.data_passes, objective, gap, int(row.nonzeros)))
    return points


def first_at(points, target, value=lambda point: point.objective):
    """The first point whose value is at most the target, or None."""
    return next((point for point in points if value(point) <= target), None)


def depth(points, targets, limit=math.inf):
    """For comparing runs, larger is better: how many targets were met, how soon the last of them, how low it went."""
    points = [point for point in points if point.seconds <= limit] or points[:1]
    times = [found.seconds for found in (first_at(points, target) for target in targets) if found]
    return len(times), -max(times, default=0.0), -min((point.objective for point in points), default=math.inf)


def slope(xs, ys):
    """Of the least-squares line through (log x, log y): the exponent p of y ~ x^p. NaN with fewer than two points."""
    pairs = [(math.log(x), math.log(y)) for x, y in zip(xs, ys) if x > 0 and y and y > 0]
    if len({x for x, _ in pairs}) < 2:
        return math.nan
    middle_x = sum(x for x, _ in pairs) / len(pairs)
    middle_y = sum(y for _, y in pairs) / len(pairs)
    return sum((x - middle_x) * (y - middle_y) for x, y in pairs) / sum((x - middle_x) ** 2 for x, _ in pairs)


def rank_correlation(xs, ys):
    """Spearman's: 1 when ys rises with xs throughout, -1 when it falls. NaN with fewer than three points."""

    def ranks(values):
        order = sorted(values)
        return [order.index(v) + (order.count(v) - 1) / 2 for v in values]

    if len(xs) < 3:
        return math.nan
    a, b = ranks(xs), ranks(ys)
    middle = (len(a) - 1) / 2
    above = sum((p - middle) * (q - middle) for p, q in zip(a, b))
    below = math.sqrt(sum((p - middle) ** 2 for p in a) * sum((q - middle) ** 2 for q in b))
    return above / below if below else math.nan


def per_iteration(rows):
    """The usual cost of one iteration, medians: (multiply-adds with entries of A, seconds). Certificates fall out."""
    steps = [(b.iteration - a.iteration, b.multiply_adds - a.multiply_adds, b.seconds - a.seconds) for a, b in zip(rows[1:], rows[2:])]
    steps = [(adds / count, seconds / count) for count, adds, seconds in steps if count > 0]
    if not steps:
        return math.nan, math.nan
    return tuple(sorted(step[k] for step in steps)[len(steps) // 2] for k in (0, 1))
