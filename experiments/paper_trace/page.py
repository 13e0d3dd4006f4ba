"""README.md of the results: written from the numbers, sentence by sentence."""

import datetime

import outcomes
import records
from machine import machine
from markdown import bullets, table
from method import STEP_SCALES
from methods import METHODS

MIDDLE = 1e-4
PAPER_BASELINES = [method.name for method in METHODS if method.in_paper]

HOW = """All methods run in the same program, with the same kernels, on one thread; the clock starts with the solve. Every method has
{budget:g} s a problem and ends sooner when its certified relative gap is {tol:g}. P* is the certified optimum of `auto` at a relative gap of
{optimum_tol:g} or as near as it came. A curve is the best objective so far. A method's line is that of the step rule that reached the most of the targets
{targets}, the last of them first; in the tables every target takes the rule that is there first. `theory` is the rule of the method's own
paper; `tuned` multiplies its step by the best of {scales} (and of up to {extensions} more beyond an end of that grid while it was best), found at a
quarter of the budget each, which is not part of its time; `adaptive` is a line search or backtracking. One product pair is the time of A X and A'Y for dense X and Y of full
size, measured in the same run on one thread by NumPy: {pair:.1f} ms. Times of one run each: differences of some ten per cent mean nothing."""


def seconds_of(solved, name, target, value=lambda point: point.objective):
    return outcomes.seconds_to(solved.methods.get(name, []), target, value)


def cell(seconds, pair):
    return "-" if seconds is None else f"{seconds:.3g} ({seconds / pair:.0f})"


def of_problem(solved, pair):
    """Seconds and product pairs to the targets, in the objective and in the certified gap, one row per method."""
    rows = []
    for name, found in solved.methods.items():
        done = [outcome for outcome in found if not outcome.is_failed]
        lowest = min((point.objective for outcome in done for point in outcome.points), default=None)
        best = outcomes.best(found)
        rows.append([f"`{name}`", best.variant + (f", step x {best.scale:.2g}" if best.scale != 1 else "") if best else "failed",
                     *[cell(seconds_of(solved, name, target), pair) for target in outcomes.TARGETS],
                     cell(seconds_of(solved, name, MIDDLE, lambda point: point.gap), pair), "-" if lowest is None else f"{lowest:.1e}"])
    head = ["method", "steps", *[f"to {target:g}" for target in outcomes.TARGETS], f"to gap {MIDDLE:g}", "lowest"]
    return table(head, rows)


def claim(solved, ours, budget):
    """'PDBFW consistently outperforms the baseline algorithms', for one problem."""
    title, mine = solved.problem.title, seconds_of(solved, ours, MIDDLE)
    rivals = {name: seconds_of(solved, name, MIDDLE) for name in PAPER_BASELINES if name in solved.methods}
    there = {name: seconds for name, seconds in rivals.items() if seconds is not None}
    if mine is None and not there:
        return f"{title}: neither `{ours}` nor a baseline of the paper reached {MIDDLE:g} in {budget:g} s."
    if mine is None:
        return f"{title}: does not hold: `{ours}` did not reach {MIDDLE:g} in {budget:g} s; " + ", ".join(
            f"`{name}` did in {seconds:.2g} s" for name, seconds in sorted(there.items(), key=lambda pair: pair[1])) + "."
    if not there:
        return f"{title}: holds: no baseline of the paper reached {MIDDLE:g} in {budget:g} s, {budget / mine:.2g} times what `{ours}` took."
    name = min(there, key=there.get)
    ratio = there[name] / mine
    return f"{title}: {'holds' if ratio > 1 else 'does not hold'}: the next, `{name}`, takes {ratio:.2g} times the time of `{ours}`."


def ahead_of_all(solved, budget):
    """How far `auto` is ahead of every other method."""
    mine = seconds_of(solved, "auto", MIDDLE, lambda point: point.gap)
    others = {name: seconds_of(solved, name, MIDDLE) for name in solved.methods if name != "auto"}
    there = {name: seconds for name, seconds in others.items() if seconds is not None}
    if mine is None:
        return f"{solved.problem.title}: `auto` did not certify {MIDDLE:g} in {budget:g} s."
    if not there:
        return f"{solved.problem.title}: {mine:.2g} s; no other method reached {MIDDLE:g} in {budget:g} s, {budget / mine:.2g} times as long."
    name = min(there, key=there.get)
    return f"{solved.problem.title}: {mine:.2g} s to a certified gap; the next, `{name}`, takes {there[name] / mine:.2g} times as long to the objective alone."


def links(name, words):
    return f"![{words}]({name}.svg)\n\n([PNG]({name}.png))\n"


def write(all_solved, absent, about):
    budget, pair = about["budget"], about["pair"]
    sizes = all_solved[0].problem.sizes
    text = [f"# The paper's trace-norm experiment, reproduced\n\nWritten by `{about['command']}` on {datetime.date.today().isoformat()} ({machine()}; "
            f"{about['runs']} runs, {budget:g} s a method and problem). The paper is Lei, Zhuo, Caramanis, Dhillon, Dimakis, *Primal-Dual Block "
            f"Frank-Wolfe* (2019): its figure 2. Squared loss, {sizes.n} x {sizes.d} design, {sizes.c} outputs, ridge 5/n in our scaling (10/n in the paper's), radius = trace "
            "norm of the truth.\n"]
    text += [f"{remark}\n" for remark in about["remarks"]]
    if absent:
        text.append("**Not measured:**\n\n" + bullets(absent))
    text.append("## What holds and what does not\n\n### \"PDBFW consistently outperforms the baseline algorithms\"\n\n"
                f"Time to (P - P*) / P* = {MIDDLE:g} of Algorithm 2 beside the fastest of the paper's baselines "
                f"({', '.join(f'`{name}`' for name in PAPER_BASELINES)}), each with its best step rule:\n\n"
                + bullets(claim(solved, "pdbfw", budget) for solved in all_solved))
    text.append("### This project's default beside all of them\n\n" + bullets(ahead_of_all(solved, budget) for solved in all_solved))
    text.append("The paper does not say how A was drawn. Both designs are shown because everything depends on it: a Gaussian A is well "
                "conditioned and any method will do; uniform entries with a column of ones have one huge singular value, and methods that see A through "
                "gradients crawl.\n")
    text.append("## How it was measured\n\n" + HOW.format(
        budget=budget, tol=records.TOL, optimum_tol=records.OPTIMUM_TOL, targets=", ".join(f"{t:g}" for t in outcomes.TARGETS),
        scales=", ".join(f"{s:g}" for s in sorted((1.0, *STEP_SCALES))), extensions=outcomes.MOST_EXTENSIONS, pair=1000 * pair) + "\n")
    if about["figures_there"]:
        text.append("## Figure 2\n\n" + links("figure-2-seconds", "Figure 2: against seconds") + "\n"
                    + links("figure-2-pairs", "Figure 2: against product pairs"))
    text.append("## Every problem\n\nSeconds (product pairs) to (P - P*) / P*, to the relative duality gap as the solver knows it, and the lowest (P - P*) / P*. "
                "The curves: `curves-*.csv`.\n")
    for solved in all_solved:
        own = solved.optimum
        text.append(f"### {solved.problem.title}\n\nP* = {solved.value:.12g} (certified relative gap {own['certificate']['relative_gap']:.1e}), rank "
                    f"{own['solution']['rank']}, radius {solved.problem.radius:.6g}.\n\n" + of_problem(solved, pair) + "\n")
    return "\n".join(text)
