#!/usr/bin/env python3
"""What a path of penalties costs beside one solve, and cross-validation beside that of other libraries.

    bench/paths.py [--data FOLDER] [--only PATTERN] [--limit SECONDS] [--quick] [--python PYTHON] [--out FOLDER]

Data are those of bench/population.py: families generated from seeds, and real sets where --data is given. --quick makes
smaller ones. Standard library only; the fits run in processes of --python, and the module of pdbfw is the one on its
PYTHONPATH. Writes paths.md and paths.jsonl.
"""

import argparse
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(BENCH), str(BENCH / "peers")]

from common import processor, table, write  # noqa: E402
from population import BUILD, FILES, ROOT  # noqa: E402
from run import PREPARE_SECONDS, Server, TooSlow  # noqa: E402

GENERATED = """dense_tall dense_wide correlated_tall correlated_wide one_hot sparse_binary_tall sparse_wide
text_like""".split()
REAL = ["a9a", "colon-cancer", "rcv1_sample.binary"]
LOSSES = ["squared", "logistic"]
TOL = 1e-6
# Of each peer the loosest tolerance that is good enough counts.
PEERS = {
    "squared": {
        "LassoCV": [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        "skglm": [1e-1, 1e-2, 1e-3, 1e-4, 1e-5],
    },
    "logistic": {
        "LogisticRegressionCV, liblinear": [1e-2, 1e-3, 1e-4, 1e-5, 1e-6],
        "LogisticRegressionCV, saga": [1e-3, 1e-4, 1e-5, 1e-6],
        "skglm": [1e-1, 1e-2, 1e-3, 1e-4, 1e-5],
    },
}
PATHS_WANTED = 8  # single solves that a path may cost


class Fits:
    """Processes that answer questions; one that takes too long is ended."""

    def __init__(self, options):
        self.options, self.servers = options, {}

    def ask(self, who, question):
        if who not in self.servers:
            self.servers[who] = Server([self.options.python, "-B", BENCH / "paths_worker.py"])
        try:
            return self.servers[who].ask(json.dumps(question), self.options.limit + PREPARE_SECONDS)
        except TooSlow:
            return {"why": f"over {self.options.limit:g} s"}
        except RuntimeError as error:
            return {"why": str(error)}

    def best_rung(self, who, question, ladder):
        """The first answer that is accurate, from loose to tight; or why there is none."""
        last = {}
        for rung in ladder:
            last = self.ask(who, {**question, "rung": rung})
            if "why" in last or last["gap"] <= TOL:
                return last
        return {"why": f"gap {last['gap']:.0e} at the tightest tolerance"}


def prepared(name, options):
    """The folder with the arrays of a data file, which are made once."""
    out = BUILD / "peers-data" / name
    if not pathlib.Path(f"{out}.npz").exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        command = [options.python, "-B", BENCH / "peers" / "prepare.py", options.data / FILES[name], out]
        subprocess.run(command, check=True)
    return str(out.parent)


def measure(options):
    rows = []
    families = [(name, None) for name in GENERATED] + [(name, prepared(name, options)) for name in REAL if options.data]
    fits = Fits(options)
    for family, folder in families:
        for loss in LOSSES:
            if options.only and not re.search(options.only, f"{family} {loss}"):
                continue
            case = {"family": family, "seed": 1, "scale": 0.3 if options.quick else 1.0, "folder": folder, "loss": loss,
                    "tol": TOL, "limit": options.limit}
            row = {"family": family, "loss": loss, **fits.ask("pdbfw", {"do": "path", **case})}
            row["cv"] = {"pdbfw": fits.ask("pdbfw", {"do": "ours", **case})}
            for peer, ladder in PEERS[loss].items():
                row["cv"][peer] = fits.best_rung(peer, {"do": "peer", "peer": peer, **case}, ladder)
            print(json.dumps(row), flush=True)
            rows.append(row)
    return rows


def seconds_text(answer):
    if answer is None:
        return ""
    return answer["why"] if "why" in answer else f"{answer['seconds']:.3g}"


def best_peer(row):
    """The seconds of the quickest accurate peer; None if there is none."""
    return min((fit["seconds"] for who, fit in row["cv"].items() if who != "pdbfw" and "why" not in fit), default=None)


def page(rows, options):
    done = [row for row in rows if "ratio" in row]
    ratios = [row["ratio"] for row in done]
    paths = table(
        ["data", "rows x features", "loss", "one solve, s", "path of 100, s", "path / solve", "certified", "non-zeros"],
        [[row["family"], f"{row['n']:,} x {row['d']:,}", row["loss"], f"{row['one']:.3g}", f"{row['path']:.3g}", f"{row['ratio']:.1f}",
          f"{row['certified']} of 100", row["support"]] for row in done])
    peers = list(dict.fromkeys(name for row in rows for name in row["cv"]))
    ahead = [row["cv"]["pdbfw"]["seconds"] / best for row in rows if (best := best_peer(row))]
    cv = table(["data", "loss", *peers],
               [[row["family"], row["loss"], *[seconds_text(row["cv"].get(peer)) for peer in peers]] for row in rows])
    within = sum(ratio <= PATHS_WANTED for ratio in ratios)
    return f"""# Paths and cross-validation by penalty

Written by `make bench-paths` on {datetime.date.today().isoformat()} ({processor()}, one thread{", small data" if options.quick else ""}). Times are processor seconds
of one call on a NumPy array by rows or a CSR matrix, everything that a library converts included. Data are those of
[the population](population.md) of an odd seed; all problems have an intercept and no ridge.

## A path beside one solve

A path has 100 penalties, from the smallest one that allows no feature down to a hundredth of it, each certified to
1e-6 by itself; the solve is one of the last penalty alone, from nothing. Of {len(ratios)} paths {within} cost at most
{PATHS_WANTED} such solves; {statistics.median(ratios):.1f} in the median, {max(ratios):.1f} at most.

{paths}

## Cross-validation

Five folds, the same for all, over 50 penalties down to a hundredth of the largest, and the fit with the best one:
`SparseRegressorCV` and `SparseClassifierCV` with `alphas`, scikit-learn's classes, and for skglm its solver's path for
every fold and one more fit. pdbfw runs with `tol=1e-6` and certifies every point. A peer is
accurate when every point of every fold is within 1e-6 (relative) of the dual value that pdbfw certified to 1e-9; of its
tolerances the loosest that is counts. LIBLINEAR penalises the intercept, which `intercept_scaling=1000` makes small and
the judge ignores. A limit of {options.limit:g} processor seconds each. pdbfw is ahead of the best of them in
{sum(ratio < 1 for ratio in ahead)} of {len(ahead)} cases, at {statistics.median(ahead) if ahead else float("nan"):.2f} times its time in the median and {max(ahead, default=float("nan")):.2f} times at worst.

{cv}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, help="folder with real sets (make data)")
    parser.add_argument("--only", help="families and losses that match this pattern")
    parser.add_argument("--limit", type=float)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "results")
    options = parser.parse_args()
    options.limit = options.limit or (5 if options.quick else 30)
    rows = measure(options)
    write(options.out, "paths", page(rows, options), rows)


if __name__ == "__main__":
    main()
