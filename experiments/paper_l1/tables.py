"""Tables of the page, and the same numbers as CSV."""

import math

import curves
import methods
import outcomes
import scaling
import sentences
from markdown import csv_text, table

MOST_POINTS = 50  # of a curve in a CSV
PAPER_BASELINES = [method.name for method in methods.BASELINES if method.in_paper]


def seconds_text(seconds):
    return "-" if seconds is None else f"{seconds:.3g}"


def by_gap(point):
    return point.gap


def times_of(solved, value=lambda point: point.objective):
    """{method: [seconds to each target or None]}"""
    return {name: [outcomes.seconds_to(found, target, value) for target in outcomes.TARGETS] for name, found in solved.methods.items()}


def is_missing(found):
    return all(outcome.is_failed for outcome in found)


def how(outcome):
    return outcome.variant + (f", step x {outcome.scale:.2g}" if outcome.scale != 1 else "")


def of_problem(solved, budget):
    """Seconds to the targets and the ratios to `pdbfw` and `auto`, one row per method."""
    times, gaps = times_of(solved), times_of(solved, by_gap)
    nothing = [None] * len(outcomes.TARGETS)
    rows = []
    for name, found in solved.methods.items():
        if is_missing(found):
            rows.append([f"`{name}`", "not measured: " + found[0].record["error"], *[""] * (4 * len(outcomes.TARGETS) + 1)])
            continue
        chosen = outcomes.best(found)
        ratios = [sentences.ratio_text(times[name][k], times.get(ours, nothing)[k], budget)
                  for ours in ("pdbfw", "auto") for k in range(len(outcomes.TARGETS))]
        rows.append([f"`{name}`", how(chosen), *map(seconds_text, times[name]), *ratios, *map(seconds_text, gaps[name]),
                     f"{chosen.points[-1].objective:.1e}"])
    head = ["method", "steps (best)", *[f"s to {target:g}" for target in outcomes.TARGETS],
            *[f"x {ours} {target:g}" for ours in ("pdbfw", "auto") for target in outcomes.TARGETS],
            *[f"s to gap {target:g}" for target in outcomes.TARGETS], "reached"]
    return table(head, rows)


def share(part, whole):
    return f"{part:,} ({100 * part / whole:.2f} %)"


def table_2(all_solved):
    rows = []
    for solved in (solved for solved in all_solved if solved.problem.figure != "3"):
        data, record = solved.problem.data, solved.optimum
        shape, support = record["problem"], record["solution"]["nonzeros"]
        paper = [f"{number:,}" for number in data.paper] if data.paper else ["-"] * 4
        rows.append([data.title, f"{solved.problem.radius:g}, {solved.problem.ridge}", f"{shape['d']:,}", paper[0], f"{shape['n']:,}", paper[1],
                     f"{shape['nonzeros']:,}", paper[2], share(support, shape["d"]), share(data.paper[3], data.paper[0]) if data.paper else "-",
                     f"{record['certificate']['relative_gap']:.1e}"])
    return table(["data", "radius, ridge", "features", "paper", "samples", "paper", "non-zeros", "paper", "in the solution", "paper",
                     "certified gap"], rows)


def exponent_text(value, allowed):
    return "-" if math.isnan(value) else f"{value:.2f} ({sentences.on_exponent(value, *allowed)})"


def table_1(measured):
    rows = []
    for one in measured:
        claim, fitted = one["claim"], scaling.exponents(one)
        cells = []
        for size, expected in zip(("n", "d", "s"), claim.cost_exponents):
            work, seconds = (fitted.get((size, unit), math.nan) for unit in ("multiply_adds", "seconds"))
            cells.append("-" if math.isnan(work) else f"{exponent_text(work, (expected, expected))}; {seconds:.2f}")
        missed = sum(1 for _, iterations in one["kappa"] if iterations is None)
        kappa = exponent_text(fitted["kappa"], claim.kappa_exponent) + (f", {missed} of {len(one['kappa'])} not reached" if missed else "")
        rows.append([f"`{claim.method}`", f"O({claim.cost})", *cells, f"O({claim.iterations})", kappa,
                     exponent_text(fitted["epsilon"], (claim.epsilon_exponent, claim.epsilon_exponent))])
    return table(["method", "paper: cost of an iteration", "exponent of n: work; seconds", "of d", "of s", "paper: iterations",
                     "exponent of kappa", "of 1/eps"], rows)


def costs_in_words(measured):
    lines = []
    for one in measured:
        fitted, expected = scaling.exponents(one), dict(zip("nds", one["claim"].cost_exponents))
        work, seconds = ({size: fitted.get((size, unit), math.nan) for size in "nds"} for unit in ("multiply_adds", "seconds"))
        lines.append(sentences.on_cost(one["claim"].method, expected, work, seconds))
    return lines


def table_1_csv(measured):
    rows = []
    for one in measured:
        name = one["claim"].method
        for size, cases in one["costs"].items():
            rows += [[name, size, m, f"{cost[0]:.6g}", f"{cost[1]:.4g}", ""] for m, cost in cases if cost]
        for size in ("kappa", "epsilon"):
            rows += [[name, size if size == "kappa" else "1/epsilon", f"{m:g}", "", "", "" if i is None else i] for m, i in one[size]]
    return csv_text(["method", "varied", "size", "multiply_adds_per_iteration", "seconds_per_iteration", "iterations"], rows)


def tuning(all_solved):
    """The step scale that was chosen and what the choice cost, one row per method, one column a problem."""
    names = [name for name in (method.name for method in methods.METHODS)
             if any(outcome.variant == "tuned" for solved in all_solved for outcome in solved.methods.get(name, []))]
    rows, total = [], 0.0
    for name in names:
        cells = []
        for solved in all_solved:
            tuned = [outcome for outcome in solved.methods.get(name, []) if outcome.variant == "tuned"]
            total += sum(outcome.tuning_seconds for outcome in tuned)
            cells.append("-" if not tuned or tuned[0].is_failed else f"{tuned[0].scale:.2g} ({tuned[0].tuning_seconds:.0f} s)")
        rows.append([f"`{name}`", *cells])
    head = ["method", *[f"{s.problem.data.title}, {s.problem.radius:g}, {s.problem.ridge}" for s in all_solved]]
    return (table(head, rows) if rows else ""), total


def curves_csv(solved):
    rows = []
    for name, found in solved.methods.items():
        for outcome in found:
            for p in curves.thin(outcome.points, MOST_POINTS):
                rows.append([name, outcome.variant, f"{outcome.scale:.3g}", p.iteration, f"{p.seconds:.4g}", f"{p.data_passes:.5g}",
                             f"{p.objective:.4g}", f"{p.gap:.4g}", p.nonzeros])
    return csv_text(["method", "steps", "step_scale", "iteration", "seconds", "data_passes", "relative_objective", "relative_gap", "nonzeros"],
                    rows)


def runs_csv(all_solved):
    rows = []
    for solved in all_solved:
        for name, found in solved.methods.items():
            for outcome in found:
                record = outcome.record
                head = [solved.problem.data.name, f"{solved.problem.radius:g}", solved.problem.ridge, name, outcome.variant, f"{outcome.scale:.3g}"]
                if outcome.is_failed:
                    rows.append([*head, "failed: " + record["error"], *[""] * 13])
                    continue
                own = record["certificate"]
                reached = [outcomes.seconds_to([outcome], target, value)
                           for value in (lambda point: point.objective, by_gap) for target in outcomes.TARGETS]
                rows.append([*head, record["status"], repr(own["primal"]), f"{own['relative_gap'] or 0:.3g}", record["solution"]["nonzeros"],
                             record["work"]["iterations"], f"{record['work']['data_passes']:.5g}", f"{record['seconds']['solve']:.4g}",
                             f"{outcome.tuning_seconds:.4g}", *["" if s is None else f"{s:.4g}" for s in reached]])
    return csv_text(["data", "radius", "ridge", "method", "steps", "step_scale", "status", "primal", "relative_gap", "nonzeros", "iterations",
                     "data_passes", "seconds", "tuning_seconds", *[f"seconds_to_objective_{t:g}" for t in outcomes.TARGETS],
                     *[f"seconds_to_gap_{t:g}" for t in outcomes.TARGETS]], rows)
