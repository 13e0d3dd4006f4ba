#!/usr/bin/env python3
"""pdbfw on a population of problems that nobody tuned it for, beside scikit-learn, LIBLINEAR, celer, skglm and cyanure.

    bench/population.py [--data FOLDER] [--half tune|report] [--solvers pdbfw,celer,...] [--only PATTERN] [--resume]
                        [--peers-from FILE] [--budget MINUTES] [--limit SECONDS] [--quick] [--python PYTHON]

A case is a data set with a loss, a penalty (a share of the largest one), a ridge and an intercept or none. It makes two
problems: by its penalty, and by the radius with the same solution. Data come from seeds: those of even ones are for
tuning, those of odd ones are only reported. What was measured is appended to population.jsonl at once. Standard library
only; the fits run in processes of --python, and the module of pdbfw is the one on its PYTHONPATH.

--peers-from FILE takes the cases and the times of the peers from an earlier run, and measures pdbfw alone.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "peers")]

import peers  # noqa: E402
import population_report as report  # noqa: E402
from common import processor  # noqa: E402
from run import PREPARE_SECONDS, Records, Server, TooSlow  # noqa: E402

TOL = 1e-6
REFERENCE_TOL, REFERENCE_SECONDS = 1e-9, 20
SHARES = [0.3, 0.03, 0.003]
LOSSES = ["squared", "logistic", "squared_hinge"]
RIDGES = ["0", "0", "1/n", "alpha/9"]  # the last is scikit-learn's l1_ratio of 0.9
FORMS = ["penalty", "radius"]
HALVES = ["tune", "report"]  # of even and of odd seeds
SEEDS = {"generated": 4, "scikit-learn": 2, "real": 2}

GENERATED = """dense_tall dense_square dense_wide correlated_tall correlated_wide factors duplicated_columns
constant_columns one_hot one_hot_and_numbers heavy_tailed badly_scaled raw_counts dense_counts sparse_binary_tall
sparse_square sparse_wide text_like separable noise_only rare_positives tiny""".split()
SKLEARN = """breast_cancer diabetes digits wine make_classification make_regression make_sparse_uncorrelated
make_friedman1 make_low_rank_matrix make_hastie_10_2""".split()
FILES = {
    "a9a": "a9a.xz",
    "cod-rna": "cod-rna.xz",
    "colon-cancer": "colon-cancer.bz2",
    "duke": "duke.bz2",
    "ijcnn1": "ijcnn1.xz",
    "rcv1_sample.binary": "rcv1_sample.binary.xz",
    "news20.binary": "news20.binary.xz",
    "mnist": "mnist/train-images-idx3-ubyte.gz",
}
KINDS = {"generated": GENERATED, "scikit-learn": SKLEARN, "real": list(FILES)}


@dataclasses.dataclass(frozen=True)
class Case:
    family: str
    seed: int
    loss: str
    share: float
    ridge: str
    intercept: bool

    @property
    def name(self):
        constant = "intercept" if self.intercept else "no intercept"
        return f"{self.family} {self.seed} {self.loss} {self.share:g} ridge {self.ridge} {constant}"

    @property
    def half(self):
        return HALVES[self.seed % 2]

    @property
    def has_ridge(self):
        return self.ridge != "0"


def cases():
    """Every data set with every loss; shares, ridges and intercepts are drawn. Seed by seed, so that a run which is
    ended early has seen all families."""
    for seed in range(max(SEEDS.values())):
        for kind, families in KINDS.items():
            for family in families if seed < SEEDS[kind] else []:
                draw = random.Random(f"{family} {seed}")
                for loss, share in zip(LOSSES, draw.sample(SHARES, len(SHARES))):
                    yield Case(family, seed, loss, share, draw.choice(RIDGES), draw.random() < 0.5)


# Methods of bench/peers that are left out: others of the same library do the same, sooner.
LEFT_OUT = {"scikit-learn: coordinate descent, random", "scikit-learn: SGDClassifier"}


def methods_for(case, n, d):
    for method in peers.METHODS:
        # cyanure is there for the one problem that no other library has: the squared hinge with a ridge.
        is_only_choice = case.loss == "squared_hinge" and case.has_ridge and method.variant in ("auto", "fista")
        is_wanted = method.family in ("scikit-learn", "celer", "skglm", "LIBLINEAR") or (
            method.family == "cyanure" and is_only_choice
        )
        suits = method.offers(case, n, d) and (method.takes_intercept or not case.intercept)
        if is_wanted and suits and method.name not in LEFT_OUT:
            yield method


def search(first, count, try_rung):
    """The loosest rung that is good, beginning at `first`, as (rung, answer); (None, the last answer) if none is.

    Rungs go from loose to tight; `try_rung` answers with "good", and with "why" where it did not end. The next one is a
    neighbour, for the first is a good guess; after one that did not end it is half as far, for such tries are dear.
    """
    loose, tight = -1, count  # too loose, and good or too slow
    rung, found = first, (None, {})
    while True:
        answer = try_rung(rung)
        if answer.get("good"):
            tight, found = rung, (rung, answer)
        elif "why" in answer:
            tight = rung
        else:
            loose = rung
        if found[0] is None:
            found = None, answer
        if tight - loose == 1:
            return found
        middle = (loose + tight) // 2
        rung = middle if "why" in answer else rung - 1 if answer.get("good") else rung + 1


class Run:
    def __init__(self, options, records):
        self.options = options
        self.records = records
        self.servers = {}
        self.first_rung = {}

    def ask(self, worker, request, seconds):
        """The answer of the process that fits for a library, or why there is none."""
        if worker not in self.servers:
            self.servers[worker] = Server([self.options.python, "-B", ROOT / "bench" / "population_worker.py"])
        try:
            return self.servers[worker].ask(json.dumps(request), seconds)
        except TooSlow:
            return {"why": f"over {request.get('limit', seconds):g} s"}
        except RuntimeError as error:
            return {"why": str(error)}

    def close(self):
        for server in self.servers.values():
            server.stop()

    def stated(self, case):
        folder = self.options.folder_of(case.family)
        return {**dataclasses.asdict(case), "scale": self.options.scale, "folder": folder and str(folder)}

    def facts(self, case):
        found = self.records.find("case", case=case.name)
        if found:
            return found[0]
        request = {"do": "reference", "case": self.stated(case), "tol": REFERENCE_TOL, "limit": REFERENCE_SECONDS}
        answer = self.ask("pdbfw", request, PREPARE_SECONDS)
        if "why" in answer:
            self.records.add(kind="fit", case=case.name, method="pdbfw", form="penalty", why=answer["why"])
            return None
        self.records.add(kind="case", case=case.name, half=case.half, **dataclasses.asdict(case), **answer)
        return self.records.rows[-1]

    def run_case(self, case):
        facts = self.facts(case)
        if facts is None:
            return
        if "pdbfw" in self.options.solvers:
            for form in FORMS:
                self.run_ours(case, facts, form)
        for method in methods_for(case, facts["n"], facts["d"]):
            if method.family in self.options.solvers and not self.records.find(
                "fit", case=case.name, method=method.name
            ):
                self.run_peer(case, facts, method)

    def run_ours(self, case, facts, form):
        if self.records.find("fit", case=case.name, method="pdbfw", form=form):
            return
        request = {"do": "ours", "case": self.stated(case), "facts": facts, "form": form, "tol": TOL}
        answer = self.ask("pdbfw", {**request, "limit": self.options.limit}, 4 * self.options.limit + PREPARE_SECONDS)
        if "why" not in answer and not (answer["gap"] is not None and answer["gap"] <= TOL):
            answer["why"] = answer["status"]
        elif "why" not in answer and answer["seconds"] > self.options.limit:
            answer["why"] = f"over {self.options.limit:g} s"
        answer.pop("status", None)
        self.note(kind="fit", case=case.name, method="pdbfw", form=form, **answer)

    def run_peer(self, case, facts, method):
        index = peers.METHODS.index(method)
        request = {"case": self.stated(case), "facts": facts, "method": index, "limit": self.options.limit}
        ready = self.ask(method.family, {**request, "do": "prepare"}, PREPARE_SECONDS)
        if "why" in ready:
            self.note(kind="fit", case=case.name, method=method.name, why=ready["why"])
            return

        def try_rung(rung):
            question = {**request, "do": "fit", "rung": method.ladder[rung]}
            answer = self.ask(method.family, question, 1.2 * self.options.limit + 2)
            answer["good"] = answer.get("gap") is not None and answer["gap"] <= TOL
            return answer

        key = method.name, case.loss
        rung, answer = search(self.first_rung.get(key, len(method.ladder) // 2), len(method.ladder), try_rung)
        if rung is not None:
            self.first_rung[key] = rung
            self.note(
                kind="fit",
                case=case.name,
                method=method.name,
                rung=method.ladder[rung],
                seconds=answer["seconds"],
                gap=answer["gap"],
            )
        else:
            why = answer.get("why", f"no closer than {answer.get('gap') or float('nan'):.1e}")
            self.note(kind="fit", case=case.name, method=method.name, why=why)

    def note(self, **row):
        if row.get("gap") is not None:
            row["gap"] = float(f"{row['gap']:.2e}")
        self.records.add(**row)
        told = row.get("why") or f"{row['seconds']:9.5f} s"
        print(f"  {row['method']:40} {row.get('form', ''):8} {told}", flush=True)


class Options:
    def __init__(self, given):
        self.__dict__.update(vars(given))
        self.scale = 0.15 if given.quick else 1.0
        self.solvers = given.solvers.split(",") if given.solvers else ["pdbfw", *peers.FAMILIES]
        if given.quick or given.peers_from:
            self.solvers = ["pdbfw"]

    def folder_of(self, family):
        """Where the worker finds a real set; None for others."""
        if family not in FILES:
            return None
        return self.data / "mnist" if family == "mnist" else BUILD / "peers-data"

    def wants(self, case):
        if self.quick and (case.family in FILES or case.family in SKLEARN or case.seed > 0):
            return False
        if case.family in FILES and not (self.data and (self.data / FILES[case.family]).exists()):
            return False
        return (not self.half or case.half == self.half) and bool(re.search(self.only, case.name))

    def prepare(self, case):
        """Makes arrays of a data file, once."""
        if case.family in FILES and case.family != "mnist":
            out = BUILD / "peers-data" / case.family
            if not pathlib.Path(f"{out}.npz").exists():
                out.parent.mkdir(parents=True, exist_ok=True)
                script = ROOT / "bench" / "peers" / "prepare.py"
                subprocess.run([self.python, "-B", script, self.data / FILES[case.family], out], check=True)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--solvers", help="libraries, separated by commas (default: all)")
    parser.add_argument("--only", default="", help="a pattern over the names of cases")
    parser.add_argument("--resume", action="store_true", help="keep what was measured, and measure what is missing")
    parser.add_argument("--peers-from", type=pathlib.Path, help="an earlier population.jsonl")
    parser.add_argument("--budget", type=float, help="minutes after which no further case is begun")
    parser.add_argument("--limit", type=float, default=10, help="processor seconds that a fit may take (default 10)")
    parser.add_argument("--quick", action="store_true", help="small data, pdbfw alone; fails if one is not certified")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with NumPy, the peers and pdbfw")
    parser.add_argument("--out", type=pathlib.Path, help="a folder (default docs/results, or build/population-quick)")
    given = parser.parse_args()
    given.out = given.out or (BUILD / "population-quick" if given.quick else ROOT / "docs" / "results")
    return Options(given)


def begin(options):
    """The file of results, with what is kept of earlier ones."""
    records = Records(options.out / "population.jsonl")
    if options.peers_from:
        records.rows = [json.loads(line) for line in options.peers_from.read_text().splitlines()]
        records.keep(lambda row: row.get("method") != "pdbfw")
    else:
        chosen = {case.name for case in cases() if options.wants(case)}
        solvers = set(options.solvers)

        def is_kept(row):
            is_anew = row.get("case") in chosen and row.get("method", "pdbfw").split(":")[0] in solvers
            return options.resume or (row["kind"] == "case" and "pdbfw" not in solvers) or not is_anew

        records.keep(lambda row: not options.quick and is_kept(row))
    records.keep(lambda row: row["kind"] != "machine")
    records.add(kind="machine", cpu=processor(), cores=os.cpu_count(), date=time.strftime("%Y-%m-%d", time.gmtime()))
    return records


def main():
    options = parse_options()
    records = begin(options)
    run, started = Run(options, records), time.monotonic()
    chosen = [case for case in cases() if options.wants(case)]
    if options.peers_from:
        known = {row["case"] for row in records.find("case")}
        chosen = [case for case in chosen if case.name in known]
    try:
        for count, case in enumerate(chosen, 1):
            if options.budget and time.monotonic() - started > 60 * options.budget:
                print(f"the budget is spent: {count - 1} of {len(chosen)} cases")
                break
            print(f"{case.name}   ({count} of {len(chosen)}, {time.monotonic() - started:.0f} s)", flush=True)
            options.prepare(case)
            run.run_case(case)
    finally:
        run.close()
    report.write(records.rows, options.out)
    print(report.summary(records.rows))
    print(f"written: {options.out}/population.md")
    names = {case.name for case in chosen}
    failures = [row for row in records.find("fit", method="pdbfw") if "why" in row and row["case"] in names]
    if options.quick:
        for row in failures:
            print(f"not certified: {row['case']}, {row['form']}: {row['why']}")
        sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
