"""What came out: the runs of every method on every problem, the tuning of step sizes, the best of a method's variants."""

from typing import NamedTuple

import curves
import records
from method import STEP_SCALES

TARGETS = (1e-2, 1e-4, 1e-6)
GRID_RATIO = 3  # of neighbours where the grid of step scales grows
MOST_EXTENSIONS = 2  # of the grid of step scales, where its end was best


class Outcome(NamedTuple):
    variant: str
    scale: float  # of the step; 1: as the theory has it
    record: dict
    points: list
    tuning_seconds: float = 0.0

    @property
    def is_failed(self):
        return "error" in self.record


class Solved(NamedTuple):
    """One problem with its optimum and, by method, the outcomes of its variants."""

    problem: object
    optimum: dict
    methods: dict

    @property
    def value(self):
        return self.optimum["certificate"]["primal"]


def best(outcomes, limit=float("inf")):
    """The variant that met the most targets, the last of them soonest; None if all failed."""
    done = [outcome for outcome in outcomes if not outcome.is_failed]
    return max(done, key=lambda outcome: curves.depth(outcome.points, TARGETS, limit), default=None)


def seconds_to(outcomes, target, value=lambda point: point.objective):
    """Of the variant that is there first, or None."""
    found = [curves.first_at(outcome.points, target, value) for outcome in outcomes if not outcome.is_failed]
    return min((point.seconds for point in found if point), default=None)


class Runner:
    """Makes the runs of one problem. `tell(words)` is called before each, `told(record)` after it."""

    def __init__(self, store, budget, tell, told):
        self.store, self.budget, self.tell, self.told = store, budget, tell, told

    def run(self, problem, name, data, options, seconds, check=False):
        key = f"{problem.key}+{name}+{seconds:g}s"
        self.tell(f"{problem.title}: {name}")
        record = self.store.run(key, data, [*problem.options, *options], seconds, check)
        self.told(record)
        return record

    def optimum(self, problem, data):
        return self.run(problem, "optimum", data, ["--tol", records.OPTIMUM_TOL], max(60.0, 3 * self.budget))

    def variant(self, problem, data, method, variant, scale=1.0, seconds=None):
        options = ["--tol", records.TOL, "--solver", method.solver, *variant.options]
        name = method.name if method.name.endswith(variant.name) else f"{method.name} {variant.name}"
        if scale != 1.0:
            options += ["--step-scale", f"{scale:g}"]
            name += f" x{scale:g}"
        return self.run(problem, name, data, options, seconds or self.budget, method.is_checked)

    def tuned(self, problem, data, method, variant, theory, value):
        """The best step scale at a quarter of the budget each, then a whole run with it. The grid grows where its end is best."""
        quarter = self.budget / 4
        tried = {1.0: theory}
        seconds = 0.0
        wanted = list(STEP_SCALES)
        for _ in range(1 + MOST_EXTENSIONS):
            for scale in wanted:
                record = self.variant(problem, data, method, variant, scale, quarter)
                tried[scale] = as_outcome(variant.name, scale, record, value)
                seconds += record.get("seconds", {}).get("solve", 0.0)
            chosen = best(tried.values(), quarter)
            if chosen is None:
                return theory._replace(variant=variant.name)
            ends = {min(tried): min(tried) / GRID_RATIO, max(tried): max(tried) * GRID_RATIO}
            wanted = [ends[chosen.scale]] if chosen.scale in ends else []
        if chosen.scale == 1.0:
            return theory._replace(variant=variant.name, tuning_seconds=seconds)
        record = self.variant(problem, data, method, variant, chosen.scale)
        return as_outcome(variant.name, chosen.scale, record, value, seconds)

    def solve(self, problem, data, chosen):
        optimum = self.optimum(problem, data)
        if "error" in optimum:
            return Solved(problem, optimum, {})
        value = optimum["certificate"]["primal"]
        out = {}
        for method in chosen:
            outcomes = []
            for variant in method.variants:
                if variant.is_tuned:
                    outcomes.append(self.tuned(problem, data, method, variant, outcomes[0], value))
                else:
                    record = self.variant(problem, data, method, variant)
                    outcomes.append(as_outcome(variant.name, 1.0, record, value))
            out[method.name] = outcomes
        return Solved(problem, optimum, out)


def as_outcome(variant, scale, record, value, tuning_seconds=0.0):
    points = [] if "error" in record else curves.best_so_far(record["rows"], value)
    return Outcome(variant, scale, record, points, tuning_seconds)


def faults(solved):
    """What must not happen: a run without a result, a certificate that contradicts the optimum, a false promise."""
    out = []
    if "error" in solved.optimum:
        return [f"{solved.problem.title}: no optimum: {solved.optimum['error']}"]
    proven = solved.optimum["certificate"]
    slack = 1e-9 * abs(proven["primal"])
    for name, outcomes in solved.methods.items():
        for outcome in outcomes:
            where = f"{solved.problem.title}: {name} {outcome.variant}"
            if outcome.is_failed:
                out.append(f"{where}: {outcome.record['error']}")
                continue
            lowest = min(row.primal for row in outcome.record["rows"])
            if lowest < proven["dual"] - slack:
                out.append(f"{where}: a running value of {lowest} is below the optimum {proven['dual']}")
            own = outcome.record["certificate"]
            if own["primal"] is None or own["dual"] is None:
                out.append(f"{where}: no certificate")
            elif own["primal"] < proven["dual"] - slack or own["dual"] > proven["primal"] + slack:
                out.append(f"{where}: primal {own['primal']}, dual {own['dual']} contradict the optimum "
                           f"{proven['dual']} .. {proven['primal']}")
            elif own["violation"] > 1e-8 * solved.problem.radius:
                out.append(f"{where}: leaves the set by {own['violation']}")
            elif outcome.record["status"] == "converged" and own["relative_gap"] > records.TOL:
                out.append(f"{where}: converged with gap {own['relative_gap']}")
            elif outcome.record["status"] == "diverged":
                out.append(f"{where}: diverged")
    return out
