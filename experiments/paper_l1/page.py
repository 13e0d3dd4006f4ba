"""README.md of the results: written from the numbers, sentence by sentence."""

import datetime

import methods
import outcomes
import problems
import records
import sentences
import tables
from machine import machine
from markdown import bullets
from method import STEP_SCALES

MIDDLE = outcomes.TARGETS[1]


def seconds_of(solved, name, left_out=()):
    """To the middle target; by the fastest of the step rules that are not left out."""
    return outcomes.seconds_to([outcome for outcome in solved.methods.get(name, []) if outcome.variant not in left_out], MIDDLE)


def rivals(solved, left_out=()):
    """The paper's baselines that were measured: {name: seconds or None}."""
    return {name: seconds_of(solved, name, left_out) for name in tables.PAPER_BASELINES
            if name in solved.methods and not tables.is_missing(solved.methods[name])}


def speed_up(solved, budget, left_out=()):
    return sentences.speed_up(seconds_of(solved, "pdbfw"), rivals(solved, left_out), budget)


def claims(all_solved, budget):
    """The paper's claims about figure 1, one after the other."""
    main = [solved for solved in all_solved if solved.problem.figure in ("1", "1a")]
    text = ["### \"Around 10 times speedup over all other methods except for the smallest dataset duke\"\n",
            f"Time to (P - P*) / P* = {MIDDLE:g}, the fastest of the paper's baselines ({', '.join(f'`{name}`' for name in tables.PAPER_BASELINES)}), "
            "each with its best step rule, beside `pdbfw`:\n"]
    found = [(solved, speed_up(solved, budget)) for solved in main]
    text.append(bullets(sentences.on_speed_up(solved.problem.title, MIDDLE, ratio, rivals(solved), budget) for solved, ratio in found))
    for steps, left_out in (("the best step rule of each", ()), ("the steps of their own papers, tuned or not", ("adaptive",))):
        ratios = [speed_up(solved, budget, left_out) for solved in main if rivals(solved)]
        text.append(sentences.on_wins([ratio and ratio[0] for ratio in ratios], steps) + "\n")

    text.append("### \"The winning margin is roughly proportional to the solution sparsity ratio\"\n")
    pairs = [(solved.optimum["solution"]["nonzeros"] / solved.optimum["problem"]["d"], ratio[0])
             for solved, ratio in found if ratio and solved.problem.figure == "1" and rivals(solved)]
    text.append(sentences.on_margin(pairs) + "\n")

    text.append("### This project's own solvers beside the paper's algorithm\n")
    text.append(f"Time to {MIDDLE:g}:\n")
    text.append(bullets(sentences.on_auto(solved.problem.title, MIDDLE, seconds_of(solved, "pdbfw"), seconds_of(solved, "auto"))
                        for solved in all_solved))
    return "\n".join(text)


def not_measured(all_solved, absent):
    """Methods and data sets without a result, with the reason."""
    lines = [f"{words}." for words in absent]
    for name in (method.name for method in methods.METHODS):
        reasons = {outcome.record["error"] for solved in all_solved for outcome in solved.methods.get(name, []) if outcome.is_failed}
        lines += [f"`{name}`: {reason}" for reason in sorted(reasons)]
    return lines


def links(name, words):
    return f"![{words}]({name}.svg)\n\n([PNG]({name}.png))\n"


def figure_part(all_solved, figure, heading, words):
    chosen = [solved for solved in all_solved if solved.problem in problems.panels(figure, [s.problem for s in all_solved])]
    if not chosen:
        return ""
    return (f"## {heading}\n\n{words}\n\n" + links(f"figure-{figure}-seconds", f"{heading}: against seconds") + "\n" +
            links(f"figure-{figure}-passes", f"{heading}: against data passes"))


HOW = """All methods run in the same program, on the same data in memory, with the same kernels, on one thread; the clock starts with the solve (data are
loaded before). Every method has {budget:g} s a problem and ends sooner when its certified relative gap is {tol:g}. P* is the certified optimum of `auto`
at a relative gap of {optimum_tol:g}. A curve is the best objective so far, from the solver's running products, which are exact up to rounding; those of
`auto` and `sequential` are certified point by point by runs that stop there. The values of a certificate every 20 passes are part of the time of every method.
A method's line is that of the step rule that reached the most of the targets {targets}, the last of them first; in the tables every target takes
the rule that is there first. `theory` is the rule of the method's own paper; `tuned` multiplies its step by the best of {scales} (and of up to {extensions} more
beyond an end of that grid while it was best), found at a quarter of the budget each, which is not part of its time; `adaptive` is a line search or backtracking.
Times of one run each: differences of some ten per cent mean nothing."""


def write(all_solved, measured, absent, about, figures_there):
    """The page; `about`: figures, command, budget, source of the data, number of runs, remarks."""
    budget = about["budget"]
    text = [f"# The paper's l1 experiments, reproduced\n\nWritten by `{about['command']}` on {datetime.date.today().isoformat()} "
            f"({machine()}; {about['runs']} runs, {budget:g} s a method and problem; data: {about['source']}). The paper is Lei, Zhuo, Caramanis, "
            "Dhillon, Dimakis, *Primal-Dual Block Frank-Wolfe* (2019): its figures 1 and 3, tables 1 and 2. Loss: smooth hinge.\n"]
    text += [f"{remark}\n" for remark in about["remarks"]]
    missing = not_measured(all_solved, absent)
    if missing:
        text.append("**Not measured:**\n\n" + bullets(missing))
    weak = [sentences.on_optimum(solved.problem.title, solved.optimum["certificate"]["relative_gap"], records.OPTIMUM_TOL) for solved in all_solved]
    text.append("## What holds and what does not\n\n" + claims(all_solved, budget))
    if any(weak):
        text.append("### Optima that are less certain\n\n" + bullets(weak))
    text.append("## How it was measured\n\n" + HOW.format(
        budget=budget, tol=records.TOL, optimum_tol=records.OPTIMUM_TOL, targets=", ".join(f"{t:g}" for t in outcomes.TARGETS),
        scales=", ".join(f"{s:g}" for s in sorted((1.0, *STEP_SCALES))), extensions=outcomes.MOST_EXTENSIONS) + "\n")
    remarks = {solved.problem.data.title: solved.problem.data.remark for solved in all_solved}
    text.append("The data and how they differ from the paper's:\n\n" + bullets(f"{title}: {remark}" for title, remark in remarks.items()))
    if figures_there:
        text += [figure_part(all_solved, figure, *words) for figure, words in about["figures"].items()]
    text.append("## Table 2\n\nThe data and the support of the certified solution, beside the paper's numbers.\n\n" + tables.table_2(all_solved) + "\n")
    if measured:
        text.append("## Table 1, measured\n\nFitted exponents on generated dense data (log-log least squares; numbers: [table-1.csv](table-1.csv)): work is "
                    "multiply-adds with entries of A in an iteration, medians; `pdbfw` has blocks of s features and n s / d rows. Iterations are those to "
                    "(P - P*) / P* = 1e-4 as the ridge falls, and as the target falls from 1e-2 to 1e-5. \"agrees\": within "
                    f"{sentences.NEAR:g} of what the O() allows; the O() bounds from above, so \"below\" does not contradict it.\n\n"
                    + tables.table_1(measured) + "\n\n" + bullets(tables.costs_in_words(measured)))
        if figures_there:
            text.append(links("table-1", "Table 1 measured"))
    text.append("## Every problem\n\nSeconds to (P - P*) / P*, the time over that of `pdbfw` and of `auto` at the same target (above 1: slower than ours; "
                f"> r: not there after {budget:g} s; \"only it\": ours was not there), seconds to the relative duality gap as the solver knows it, and the lowest (P - P*) / P*. "
                "All runs: [runs.csv](runs.csv); the curves: `curves-*.csv`.\n")
    for solved in all_solved:
        text.append(f"### {solved.problem.title}\n\nP* = {solved.value:.12g}, {solved.optimum['solution']['nonzeros']:,} features in the solution"
                    + ("" if solved.optimum["solution"]["multiplier"] > 0 else "; the radius does not bind") + ".\n\n"
                    + tables.of_problem(solved, budget) + "\n")
    table, total = tables.tuning(all_solved)
    if table:
        text.append(f"## Tuning\n\nThe step scale that was chosen and the seconds that the choice cost; {total:.0f} s in all.\n\n{table}\n")
    return "\n".join(part for part in text if part)
