#!/usr/bin/env python3
"""The l1 experiments of the paper: figures 1 and 3, tables 1 and 2.

    experiments/paper_l1/run.py [--data FOLDER] [--budget 15] [--quick] [--only PATTERN]

Every run is kept as a JSON record in the cache folder; after an interruption the same command goes on where it was.
"""
import collections
import pathlib
import re
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))

import drawing
import figures
import methods
import outcomes
import page
import problems
import records
import scaling
import tables
from arguments import parser_of
from method import planned_runs, suited
from progress import Progress
from solvers import solvers_there


def chosen_methods(tool):
    """The methods, each with the variants that its solver can run; and those that this build of the tool does not have."""
    there = solvers_there(tool, "sparse")
    known = [suited(method, there[method.solver]) for method in methods.METHODS if method.solver in there]
    return known, [f"`{method.name}`: the tool has no solver of that name" for method in methods.METHODS if method.solver not in there]


def data_folder(options):
    """Where the real data are, or None for generated data; and how the page calls it."""
    if options.quick:
        return None, "generated (quick run)"
    folder = options.data or pathlib.Path("../shared/data")
    if folder.is_dir():
        return folder, "the data folder's files, see below"
    if options.data:
        sys.exit(f"{options.data}: no such folder")
    return None, "generated, as no data folder is at hand"


def measure(store, options, folder, wanted, chosen, progress):
    """The solved problems, and what could not be prepared."""
    runner = outcomes.Runner(store, options.budget, progress.tell, progress.told)
    solved, absent, ready = [], [], {}
    for problem in wanted:
        if problem.data.name not in ready:
            try:
                ready[problem.data.name] = problems.prepare(store.tool.path, problem.data, folder, options.cache)
            except (RuntimeError, OSError) as why:
                ready[problem.data.name] = None
                absent.append(f"{problem.data.title}: {problem.data.file} could not be prepared ({type(why).__name__})")
                print(f"{problem.data.title}: {why}", file=sys.stderr)
        if ready[problem.data.name]:
            one = runner.solve(problem, ready[problem.data.name], chosen)
            solved.append(one)
            if "error" in one.optimum:
                absent.append(f"{problem.title}: no optimum, {one.optimum['error']}")
                solved.pop()
    return solved, absent


def write_results(options, solved, measured, absent, about):
    """Into a new folder that then takes the place of the old one."""
    out = options.out
    fresh = out.with_name(out.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    plt = drawing.pyplot()
    if plt:
        for figure, (title, _) in about["figures"].items():
            wanted = problems.panels(figure, [one.problem for one in solved])
            shown = [one for problem in wanted for one in solved if one.problem == problem or one.problem.key == problem.key]
            for axis, name in (("seconds", "seconds"), ("data_passes", "passes")) if shown else ():
                drawing.courses(plt, title, shown, axis, fresh / f"figure-{figure}-{name}", figures.LOOK)
        if measured:
            figures.scaling(plt, measured, fresh / "table-1")
    else:
        print("no figures: matplotlib is missing (bench/requirements.txt)", file=sys.stderr)
    for one in solved:
        (fresh / f"curves-{one.problem.key}.csv").write_text(tables.curves_csv(one), encoding="utf-8")
    (fresh / "runs.csv").write_text(tables.runs_csv(solved), encoding="utf-8")
    if measured:
        (fresh / "table-1.csv").write_text(tables.table_1_csv(measured), encoding="utf-8")
    (fresh / "README.md").write_text(page.write(solved, measured, absent, about, plt is not None), encoding="utf-8")
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)


def parse():
    parser, completed = parser_of(__doc__, "paper-l1", 15.0, 0.3)
    parser.add_argument("--data", type=pathlib.Path, help="folder of the real data (default ../shared/data, else generated data)")
    return completed(parser.parse_args())


def main():
    options = parse()
    folder, source = data_folder(options)
    print(f"data: {source}; {options.budget:g} s per method and problem; records in {options.cache}", file=sys.stderr)
    store = records.Store(options.cache / "records", records.Tool(options.tool))
    chosen, missing = chosen_methods(options.tool)
    solvers = {method.solver for method in chosen}
    wanted = [problem for problem in (problems.real_problems() if folder else problems.generated_problems())
              if re.search(options.only, problem.title)]
    progress = Progress(store, len(wanted) * (1 + sum(map(planned_runs, chosen))))
    table = scaling.Scaling(store, options.cache, scaling.QUICK if options.quick else scaling.FULL, progress.tell, progress.told)
    progress.runs += table.planned(solvers)
    try:
        solved, absent = measure(store, options, folder, wanted, chosen, progress)
        measured = table.measure(solvers)
        absent = missing + absent
    except KeyboardInterrupt:
        print(f"interrupted; {store.measured} runs were measured and are kept: the same command goes on from here", file=sys.stderr)
        return 130
    if not solved:
        sys.exit("no problem was solved")
    remarks = []
    if store.crowded:
        remarks.append(f"In {store.crowded} of the runs the tool had less than {100 * records.OWN_CORE:.0f} % of a core: other programs ran "
                       "beside it, and their times are too long.")
    if store.other_builds:
        remarks.append(f"{len(store.other_builds)} of the runs were made by an earlier build of the tool.")
    titles = problems.REAL_FIGURES if folder else problems.GENERATED_FIGURES
    about = {"figures": titles, "command": "make paper-l1" + (" QUICK=1" if options.quick else f" BUDGET={options.budget:g}"), "budget": options.budget,
             "source": source, "runs": progress.done, "remarks": remarks}
    write_results(options, solved, measured, absent, about)
    wrong = [fault for one in solved for fault in outcomes.faults(one)] + absent
    for reason, count in collections.Counter(wrong).items():
        print(f"wrong: {reason}" + (f" ({count} times)" if count > 1 else ""), file=sys.stderr)
    print(f"{options.out / 'README.md'}: {len(solved)} problems, {progress.done} runs, {store.measured} of them measured now, "
          f"{time.monotonic() - progress.start:.0f} s, {len(wrong)} faults")
    return 1 if wrong and options.quick else 0


if __name__ == "__main__":
    sys.exit(main())
