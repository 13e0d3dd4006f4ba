#!/usr/bin/env python3
"""What safe screening would remove beside what the working set leaves out anyway: screening.md and screening.jsonl.

    bench/screening.py --data FOLDER [--out docs/results]
"""
import argparse
import itertools
import pathlib

import common

TOLS = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
CASES = {"rcv1_sample.binary.xz": [(300, "1/n"), (300, "10/n")], "news20.binary.xz": [(300, "1/n"), (300, "10/n")], "a9a.xz": [(10, "1/n")]}

HEAD = ["data, radius, ridge", "tol", "certified gap", "passes", "support of the solution", "working set", "safe rule keeps", "safe rule fixes samples",
        "working set and safe features", "and free samples", "passes spared by features", "by both"]


def measure(options):
    """One list of answers a case, from the largest tolerance to the smallest."""
    answers = []
    for name, cases in CASES.items():
        if (options.data / name).exists():
            answers += [answer | {"data": name.removesuffix(".xz")} for answer in common.ask(options.program, {
                "data": str(options.data / name), "cases": [{"radius": radius, "ridge": ridge} for radius, ridge in cases], "tols": TOLS})]
    return [list(case) for _, case in itertools.groupby(answers, lambda answer: (answer["data"], answer["radius"], answer["ridge"]))]


def spared(answers, left):
    """Passes up to each answer that sweeps over what is left of the working set would not have needed, seen generously: what is known at the end of
    a stretch is taken for known all along it, and neither looking nor packing costs anything."""
    if any(answer["engines"] != "sequential" for answer in answers):
        return [None] * len(answers)  # other engines do not sweep this working set
    stretches = [now["passes"] - before for now, before in zip(answers, [0] + [answer["passes"] for answer in answers])]
    return list(itertools.accumulate(stretch * (1 - answer[left]["entries"] / answer["working_set"]["entries"])
                                     for stretch, answer in zip(stretches, answers)))


def percent(share):
    return f"{100 * share:.1f} %"


def with_entries(group):
    return f"{group['features']:,} ({percent(group['entries'])})"


def rows(answers):
    """A solve that overshot, and so met the next tolerance too, is shown once."""
    by_features, by_both = (spared(answers, left) for left in ["working_set_and_safe_features", "working_set_and_safe_both"])
    solves = itertools.groupby(zip(answers, by_features, by_both), lambda line: line[0]["relative_gap"])
    for _, same in solves:
        lines = list(same)
        answer, features, both = lines[-1]
        tols = " to ".join(f"{tol:.0e}" for tol in dict.fromkeys([lines[0][0]["tol"], answer["tol"]]))
        yield [f"{answer['data']}, {answer['radius']}, {answer['ridge']}", tols, f"{answer['relative_gap']:.0e}", f"{answer['passes']:.1f}",
               with_entries(answer["solution"]), with_entries(answer["working_set"]), with_entries(answer["safe"]),
               percent(answer["samples_fixed"] / answer["n"]), percent(answer["working_set_and_safe_features"]["entries"]),
               percent(answer["working_set_and_safe_both"]["entries"]), *("" if passes is None else f"{passes:.1f}" for passes in [features, both])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser, program="build/bench/bench_screening")
    parser.add_argument("--data", type=pathlib.Path, required=True)
    options = parser.parse_args()
    cases = measure(options)
    cells = common.table(HEAD, [row for case in cases for row in rows(case)])
    reach = [answer["dual_distance_of_bound"] for case in cases for answer in case if answer["engines"] == "sequential"]
    text = (
        "# What safe screening would save\n\nWritten by `bench/screening.py`; `bench/screening.cpp` derives the rules. Default settings, loss smooth_hinge. At "
        "the certified pair of every solve: how many features, and in brackets the share of all entries that lie in them. The working set is the features "
        "with `|u_j| > lambda/2`, which is what `sequential` sweeps once its dual has settled. The safe rule keeps a feature unless the gap proves that its "
        "weight is 0 at the solution, and fixes a sample if the gap proves on which linear piece of the loss it lies. Then the share of all entries that lie "
        "in features of the working set that the rule keeps, and of these the part in samples that it does not fix. The last columns estimate the passes up "
        "to there that sweeps over these entries alone would have spared, generously: what is known at the end of a stretch from one row to the next is "
        "taken for known all along it, and looking and packing anew for free. Only where `sequential` ran alone. Features without any entry are always "
        "excluded.\n\n" + cells + "\n")
    if reach:
        text += (f"\nThe constant is not to blame: where `sequential` ran, the dual point was {min(reach):.2f} to {max(reach):.2f} times as far from the solution "
                 "as the bound `sqrt(2 n beta gap)` allows. The program ends with an error if a feature of the solution at a gap of 1e-9 is ever excluded, a "
                 "sample fixed at a wrong slope, or a bound on a distance exceeded.\n")
    common.write(options.out, "screening", text, [answer for case in cases for answer in case])
    print(cells)


if __name__ == "__main__":
    main()
