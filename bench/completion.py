#!/usr/bin/env python3
"""Matrix completion side by side: `pdbfw complete`, soft-impute and ALS on the same entries.

    bench/completion.py --data FOLDER [--tool build/release/pdbfw] [--out docs/results] [--threads 1] [--only PATTERN]

FOLDER holds mnist/train-images-idx3-ubyte.gz. Writes completion.md and completion.jsonl. The peers are those of
bench/completion_requirements.txt; one that is missing, or cannot take a problem, is a row that says why. Every method is
asked at a few settings (ours finds its radius itself); the one with the smallest error on a tenth of the known entries
is fitted once more on all of them, and the error on the hidden entries is told. Seconds are processor time.
"""
import argparse
import gzip
import importlib.metadata
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

import common

SEED = 1


class Entries:
    """Some entries of a matrix."""

    def __init__(self, shape, row, column, value):
        self.shape, self.row, self.column, self.value = shape, row, column, value

    def part(self, is_in):
        return Entries(self.shape, self.row[is_in], self.column[is_in], self.value[is_in])

    def rmse(self, guesses):
        return float(np.sqrt(np.mean((guesses - self.value) ** 2)))


class Problem:
    def __init__(self, name, known, hidden):
        self.name, self.known, self.hidden = name, known, hidden
        is_held_out = np.random.default_rng(SEED).random(len(known.value)) < 0.1
        self.seen, self.held_out = known.part(~is_held_out), known.part(is_held_out)


def mnist(folder):
    with gzip.open(folder / "mnist" / "train-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)[:10_000] / 255
    row, column = (place.ravel() for place in np.indices(pixels.shape))
    everything = Entries(pixels.shape, row, column, pixels.ravel())
    is_known = np.random.default_rng(SEED).random(pixels.size) < 0.5
    return Problem("MNIST pixels, 10,000 x 784, half of them known", everything.part(is_known), everything.part(~is_known))


def generated(rows=20_000, columns=10_000, entries=5_000_000, rank=20, noise=0.1):
    rng = np.random.default_rng(SEED)
    U, V = rng.standard_normal((rows, rank)) / rank ** 0.25, rng.standard_normal((columns, rank)) / rank ** 0.25
    place = np.unique(rng.integers(0, rows * columns, int(1.12 * entries)))
    rng.shuffle(place)
    row, column = np.divmod(place[:int(1.1 * entries)], columns)
    value = np.concatenate([np.einsum("ij,ij->i", U[row[k:k + 500_000]], V[column[k:k + 500_000]])
                            for k in range(0, len(row), 500_000)])
    everything = Entries((rows, columns), row, column, value + noise * rng.standard_normal(len(value)))
    is_known = np.arange(len(row)) < entries
    return Problem(f"generated, {rows:,} x {columns:,}, {entries / 1e6:g} million entries, rank {rank}, noise {noise}",
                   everything.part(is_known), everything.part(~is_known))


def write_matrix_market(path, entries):
    with open(path, "w") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{entries.shape[0]} {entries.shape[1]} {len(entries.value)}\n")
        np.savetxt(file, np.column_stack([entries.row + 1, entries.column + 1, entries.value]), fmt="%d %d %.17g")


def pdbfw(problem, given):
    with tempfile.TemporaryDirectory() as folder:
        known, hidden = pathlib.Path(folder) / "known.mtx", pathlib.Path(folder) / "hidden.mtx"
        write_matrix_market(known, problem.known)
        write_matrix_market(hidden, problem.hidden)
        command = [given.tool, "complete", known, "--test", hidden, "--json", "--threads", given.threads, "--tol", given.tol,
                   "--max-seconds", given.max_seconds]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    report = json.loads(done.stdout)
    seconds = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return {"rmse": report["test"]["rmse"], "seconds": seconds, "last": report["seconds"]["solve"],
            "setting": f"radius {report['problem']['radius']:.4g}, of {len(report['trials'])}; rank {report['solution']['rank']}, relative gap {report['certificate']['relative_gap']:.0e}", "rank": report["solution"]["rank"],
            "report": {key: report[key] for key in ("status", "message", "certificate", "trials", "seconds", "test")}}


def chosen(problem, settings, fit):
    """The best of the settings on the entries held out, fitted again on all known ones."""
    begin = time.process_time()
    errors = {str(setting): (problem.held_out.rmse(fit(problem.seen, setting)(problem.held_out)), setting) for setting in settings}
    _, best = min(errors.values(), key=lambda pair: pair[0])
    last = time.process_time()
    guesses = fit(problem.known, best)(problem.hidden)
    end = time.process_time()
    return {"rmse": problem.hidden.rmse(guesses), "seconds": end - begin, "last": end - last,
            "setting": f"{best}, of {len(settings)}", "trials": {name: error for name, (error, _) in errors.items()}}


def als(problem, given):
    import cmfrec
    from scipy.sparse import coo_array

    def fit(entries, setting):
        k, weight = setting
        model = cmfrec.CMF(k=k, lambda_=weight, method="als", niter=15, nthreads=given.threads, verbose=False, random_state=SEED)
        model.fit(coo_array((entries.value, (entries.row, entries.column)), shape=entries.shape))
        return lambda asked: model.predict(asked.row, asked.column)

    return chosen(problem, [(k, weight) for k in (20, 40) for weight in (0.1, 1, 10)], fit)


def soft_impute(problem, given):
    from fancyimpute import SoftImpute
    rows, columns = problem.known.shape
    if rows * columns > 20_000_000:
        raise RuntimeError(f"keeps all {rows * columns:,} entries and decomposes them whole in every iteration")

    def fit(entries, shrinkage):
        holes = np.full(entries.shape, np.nan)
        holes[entries.row, entries.column] = entries.value
        filled = SoftImpute(shrinkage_value=shrinkage, max_iters=30, verbose=False).fit_transform(holes)
        return lambda asked: filled[asked.row, asked.column]

    return chosen(problem, [5, 20], fit)


METHODS = [("pdbfw complete", None, pdbfw), ("ALS", "cmfrec", als), ("soft-impute", "fancyimpute", soft_impute)]


def named(method, package):
    if package is None:
        return method
    try:
        return f"{method} ({package} {importlib.metadata.version(package)})"
    except importlib.metadata.PackageNotFoundError:
        return f"{method} ({package})"


def measured(run, problem, given):
    try:
        return run(problem, given)
    except Exception as error:  # whatever a peer does, the others are to be measured
        return {"failed": " ".join(f"{type(error).__name__}: {error}".split())[:160]}


def line(row):
    if "failed" in row:
        return [row["method"], "-", "-", "-", f"did not run: {row['failed']}"]
    return [row["method"], f"{row['rmse']:.5f}", f"{row['seconds']:.3g}", f"{row['last']:.3g}", row["setting"]]


def rows_before(folder):
    """Of the run before this one, for the methods that are not asked now."""
    path = folder / "completion.jsonl"
    return [json.loads(text) for text in path.read_text().splitlines()] if path.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--tool", type=pathlib.Path, default=pathlib.Path("build/release/pdbfw"))
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tol", default="1e-4")
    parser.add_argument("--max-seconds", type=float, default=300, help="for ours, search and all")
    parser.add_argument("--only", default="", help="of 'problem: method'; what was measured of the others before stays")
    given = parser.parse_args()
    before = rows_before(given.out)
    rows, text = [], ""
    for make in (lambda: mnist(given.data), generated):
        problem = make()
        own = []
        for method, package, run in METHODS:
            name = named(method, package)
            if re.search(given.only, f"{problem.name}: {method}"):
                own.append({"problem": problem.name, "method": name, **measured(run, problem, given)})
                print(problem.name, "|", " | ".join(line(own[-1])), file=sys.stderr, flush=True)
            else:
                own += [row for row in before if row["problem"] == problem.name and row["method"].split(" (")[0] == method]
        rows += own
        head = ["method", "RMSE, hidden entries", "seconds, search and all", "seconds, last fit", "setting"]
        text += f"## {problem.name}\n\n" + common.table(head, map(line, own)) + "\n\n"
    intro = (f"# Matrix completion beside soft-impute and ALS\n\nWritten by `bench/completion.py` ({common.processor()}, {given.threads} "
             "thread(s)). Every method chooses its setting by the error on a tenth of the known entries and is then fitted on all "
             "of them; the error is on entries that no method saw. Seconds are processor time; ours include reading the entries from "
             f"text, and end with a certified relative gap of {given.tol} or after {given.max_seconds:g} s.\n\n")
    common.write(given.out, "completion", intro + text, rows)


if __name__ == "__main__":
    main()
