#!/usr/bin/env python3
"""Which rows a dual step of `--solver pdbfw` should take: the rules of --block-rule beside each other, and how many rows an exact search for
large inner products would have to look at. Writes selection_rules.md and selection_rules.jsonl.

    bench/selection_rules.py [--data FOLDER] [--program build/bench/bench_selection_rules] [--out docs/results]
"""
import argparse
import pathlib
import statistics

import common

QUESTION = {"tols": [1e-2, 1e-4], "shares": [0.02, 0.1, 0.25], "repeats": 3}
CASES = {"generated, 3,000 x 10,000, radius 100, 10/n": (None, {"radius": 100, "ridge": "10/n"}),
         "rcv1_sample.binary, radius 300, 10/n": ("rcv1_sample.binary.xz", {"radius": 300, "ridge": "10/n"})}
HEAD = ["data", "k", "rule", *(f"{what} to {tol:.0e}" for tol in QUESTION["tols"] for what in ["iterations", "passes", "multiply-adds", "seconds"])]
SEARCH_HEAD = ["data", "k", "iterations", "gap reached", "rows looked at, by norms", "by norms and drift"]


def measure(options):
    for name, (data, problem) in CASES.items():
        if data and not (options.data and (options.data / data).exists()):
            continue
        question = QUESTION | problem | {"data": str(options.data / data) if data else None}
        yield from ({"data": name} | answer for answer in common.ask(options.program, question))


def work(met):
    if not met:
        return ["not met", "", "", ""]
    return [met["iterations"], f"{met['passes']:.0f}", f"{met['multiply_adds']:.2g}", f"{statistics.median(met['seconds']):.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser, program="build/bench/bench_selection_rules")
    parser.add_argument("--data", type=pathlib.Path)
    options = parser.parse_args()
    answers = list(measure(options))
    rules = [[a["data"], "n" if a["k"] == a["n"] else f"{a['k'] / a['n']:.0%} of n", a["rule"], *(cell for met in a["met"] for cell in work(met))]
             for a in answers if "rule" in a]
    searches = [[a["data"], f"{a['share']:.0%} of n", a["iterations"], f"{a['relative_gap']:.0e}", f"{a['by_norms']:.0%}", f"{a['by_drift']:.0%}"]
                for a in answers if "share" in a]
    text = ("# Which rows a dual step takes\n\nWritten by `bench/selection_rules.py`. Solver `pdbfw`, loss smooth_hinge, adaptive steps, block size `k` "
            "fixed, at most 2,000 iterations or 60 seconds; seconds are medians of three runs, with the certificates, on the clock of a machine that "
            "may have had other work. `gs_r` is the rule of Algorithm 1.\n\n" + common.table(HEAD, rules) +
            "\n\n## Searching instead of keeping `w`\n\nThe share of all rows whose inner product with `x` an exact search for the block of `gs_r` must compute, "
            "on average over the iterations, with the steps fixed at what the adaptive rule arrived at (`bench/selection_rules.cpp` has the bounds).\n\n" +
            common.table(SEARCH_HEAD, searches) + "\n")
    common.write(options.out, "selection_rules", text, answers)
    print(text)


if __name__ == "__main__":
    main()
