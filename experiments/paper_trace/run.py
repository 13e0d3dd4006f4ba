#!/usr/bin/env python3
"""The trace-norm experiment of the paper: figure 2, for ranks 10, 20 and 100 and two ways of drawing A.

    experiments/paper_trace/run.py [--budget 20] [--quick] [--only PATTERN]

Every run is kept as a JSON record in the cache folder; after an interruption the same command goes on where it was.
"""
import os
import pathlib
import re
import shutil
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the product pair is that of one thread
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))

import numpy

import curves
import drawing
import markdown
import methods
import outcomes
import page
import problems
import records
from arguments import parser_of
from method import planned_runs, suited
from progress import Progress
from solvers import solvers_there

MOST_POINTS = 50  # of a curve in a CSV


def pair_seconds(sizes, repeats=9):
    """The median time of A X and A'Y for dense X and Y of full size."""
    random = numpy.random.default_rng(0)
    A, X, Y = (random.standard_normal(shape) for shape in ((sizes.n, sizes.d), (sizes.d, sizes.c), (sizes.n, sizes.c)))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        A @ X
        A.T @ Y
        times.append(time.perf_counter() - start)
    return sorted(times)[repeats // 2]


def in_pairs(solved, pair):
    """The same courses with the seconds in product pairs."""
    scaled = {name: [outcome._replace(points=[point._replace(data_passes=point.seconds / pair) for point in outcome.points])
                     for outcome in found] for name, found in solved.methods.items()}
    return solved._replace(methods=scaled)


def curves_csv(solved):
    rows = [[name, outcome.variant, f"{outcome.scale:.3g}", p.iteration, f"{p.seconds:.4g}", f"{p.data_passes:.5g}", f"{p.objective:.4g}", f"{p.gap:.4g}", p.nonzeros]
            for name, found in solved.methods.items() for outcome in found for p in curves.thin(outcome.points, MOST_POINTS)]
    return markdown.csv_text(["method", "steps", "step_scale", "iteration", "seconds", "product_pairs", "relative_objective", "relative_gap", "rank"], rows)


def write_results(options, solved, absent, about):
    """Into a new folder that then takes the place of the old one."""
    fresh = options.out.with_name(options.out.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    plt = drawing.pyplot()
    look = drawing.Look(methods.STYLES, {"seconds": "seconds", "data_passes": "product pairs"}, lambda problem: problem.title)
    if plt:
        for axis, name in (("seconds", "seconds"), ("data_passes", "pairs")):
            drawing.courses(plt, "Figure 2", solved, axis, fresh / f"figure-2-{name}", look)
    else:
        print("no figures: matplotlib is missing (bench/requirements.txt)", file=sys.stderr)
    for one in solved:
        (fresh / f"curves-{one.problem.key}.csv").write_text(curves_csv(one), encoding="utf-8")
    (fresh / "README.md").write_text(page.write(solved, absent, about | {"figures_there": plt is not None}), encoding="utf-8")
    shutil.rmtree(options.out, ignore_errors=True)
    fresh.rename(options.out)


def parse():
    parser, completed = parser_of(__doc__, "paper-trace", 20.0, 0.5)
    return completed(parser.parse_args())


def main():
    options = parse()
    store = records.Store(options.cache / "records", records.Tool(options.tool))
    there = solvers_there(options.tool, "low rank")
    chosen = [suited(method, there[method.solver]) for method in methods.METHODS if method.solver in there]
    absent = [f"`{method.name}`: the tool has no solver of that name." for method in methods.METHODS if method.solver not in there]
    wanted = [problem for problem in problems.all_problems(options.quick, options.cache) if re.search(options.only, problem.title)]
    progress = Progress(store, len(wanted) * (1 + sum(map(planned_runs, chosen))))
    runner = outcomes.Runner(store, options.budget, progress.tell, progress.told)
    solved = []
    try:
        for problem in map(problems.prepared, wanted):
            solved.append(runner.solve(problem, problem.data, chosen))
    except KeyboardInterrupt:
        print(f"interrupted; {store.measured} runs were measured and are kept: the same command goes on from here", file=sys.stderr)
        return 130
    wrong = [fault for one in solved for fault in outcomes.faults(one)]
    solved = [one for one in solved if "error" not in one.optimum]
    if not solved:
        sys.exit("no problem was solved: " + "; ".join(wrong))
    remarks = []
    if store.crowded:
        remarks.append(f"In {store.crowded} of the runs the tool had less than {100 * records.OWN_CORE:.0f} % of a core: other programs ran beside it, and their times are too long.")
    if store.other_builds:
        remarks.append(f"{len(store.other_builds)} of the runs were made by an earlier build of the tool.")
    pair = pair_seconds(solved[0].problem.sizes)
    about = {"command": "make paper-trace" + (" QUICK=1" if options.quick else f" BUDGET={options.budget:g}")
             + (f" ONLY='{options.only}'" if options.only else ""), "budget": options.budget, "runs": progress.done,
             "remarks": remarks, "pair": pair}
    write_results(options, [in_pairs(one, pair) for one in solved], absent, about)
    for reason in wrong + absent:
        print(f"wrong: {reason}", file=sys.stderr)
    print(f"{options.out / 'README.md'}: {len(solved)} problems, {progress.done} runs, {store.measured} of them measured now, "
          f"{time.monotonic() - progress.start:.0f} s, {len(wrong)} faults")
    return 1 if (wrong or absent) and options.quick else 0


if __name__ == "__main__":
    sys.exit(main())
