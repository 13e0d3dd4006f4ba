#!/usr/bin/env python3
"""RCV1 topics: one low-rank model for all labels beside one l1 model a label, on held-out rows.

    bench/topics.py --data FOLDER [--tool build/release/pdbfw] [--out docs/results]

Every fifth row is held out. The low-rank models are trained to a certified relative gap of 1e-3, and once more with no more time than all
the l1 models of the best radius took together. Writes topics.md.
"""
import argparse
import json
import lzma
import pathlib
import resource
import subprocess
import tempfile

import numpy

from common import processor, table

RADII = (300, 1000)  # of the trace norm; from 1400 on it does not bind
L1_RADII = (30, 100, 300)  # of every label's model
TOL = "1e-3"
FEATURES = 47_236


def call(tool, *arguments):
    """The JSON answer of one run of the tool."""
    done = subprocess.run([tool, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        raise SystemExit(f"pdbfw {arguments[0]}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def split(source, folder):
    """Text files of both parts, and the label lists of their rows."""
    labels = {"train": [], "test": []}
    with lzma.open(source, "rt") as lines, open(folder / "train.txt", "w") as train, open(folder / "test.txt", "w") as test:
        for i, line in enumerate(lines):
            part, out = ("test", test) if i % 5 == 4 else ("train", train)
            head = line.split(" ", 1)[0]
            labels[part].append(set() if ":" in head else {int(label) for label in head.split(",")})
            out.write(line)
    return labels


def write_features(source, target):
    """The features of a text file as SciPy keeps a CSR matrix: the labels come from a file of their own."""
    indices, values, starts = [], [], [0]
    for line in source.read_text().splitlines():
        pairs = [pair.split(":") for pair in line.split() if ":" in pair]
        indices += [int(index) - 1 for index, _ in pairs]
        values += [float(value) for _, value in pairs]
        starts.append(len(indices))
    numpy.savez(target, format=numpy.array(b"csr"), shape=numpy.array([len(starts) - 1, FEATURES]), data=numpy.array(values),
                indices=numpy.array(indices, numpy.int32), indptr=numpy.array(starts, numpy.int32))


def f1(predicted, truth, labels):
    """Micro and macro F1; a label that is neither there nor predicted counts 0."""
    hits, made, there = ({label: 0 for label in labels} for _ in range(3))
    for p, t in zip(predicted, truth):
        for label in p:
            made[label] += 1
        for label in t:
            there[label] += 1
        for label in p & t:
            hits[label] += 1
    total = sum(made.values()) + sum(there.values())
    macro = sum(2 * hits[k] / (made[k] + there[k]) if made[k] + there[k] else 0.0 for k in labels) / len(labels)
    return 2 * sum(hits.values()) / total, macro


def low_rank(tool, folder, radius, *options):
    report = call(tool, "train", folder / "train.txt", folder / "model", "--set", "trace", "--loss", "multilabel_smooth_hinge", "--radius", radius,
                  "--tol", TOL, "--no-proof", *options)
    fit = call(tool, "predict", folder / "test.txt", folder / "model", folder / "out.txt")
    return {"radius": radius, "seconds": report["seconds"]["solve"], "gap": report["certificate"]["relative_gap"], "rank": report["solution"]["rank"],
            "micro": fit["micro_f1"], "macro": fit["macro_f1"], "solver": report["solver"]}


def one_against_rest(tool, folder, labels, names, radius):
    predicted = [set() for _ in labels["test"]]
    seconds, worst = 0.0, 0.0
    for name in names:
        if not any(name in row for row in labels["train"]):
            continue  # nothing to learn it from
        for part in ("train", "test"):
            (folder / f"{part}.labels").write_text("".join("1\n" if name in row else "-1\n" for row in labels[part]))
        report = call(tool, "train", folder / "train.npz", folder / "model", "--labels", folder / "train.labels", "--radius", radius, "--tol", TOL, "--no-proof")
        seconds += report["seconds"]["solve"]
        worst = max(worst, report["certificate"]["relative_gap"])
        call(tool, "predict", folder / "test.npz", folder / "model", folder / "out.txt", "--labels", folder / "test.labels")
        for row, line in zip(predicted, (folder / "out.txt").read_text().splitlines()):
            if float(line.split()[0]) > 0:
                row.add(name)
    micro, macro = f1(predicted, labels["test"], names)
    return {"radius": radius, "seconds": seconds, "gap": worst, "rank": None, "micro": micro, "macro": macro, "solver": "sparse auto"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--tool", default="build/release/pdbfw")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/results"))
    options = parser.parse_args()
    rows = []

    def add(what, row):
        rows.append((what, row))
        print(what, row, flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        labels = split(options.data / "rcv1_topics.multilabel.xz", folder)
        names = sorted({label for part in labels.values() for row in part for label in row})
        for radius in RADII:
            add("low rank", low_rank(options.tool, folder, radius))
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        for part in ("train", "test"):
            write_features(folder / f"{part}.txt", folder / f"{part}.npz")
        for radius in L1_RADII:
            add("one against rest, l1", one_against_rest(options.tool, folder, labels, names, radius))
        best_l1 = max((row for what, row in rows if what != "low rank"), key=lambda row: row["macro"])
        best = max((row for what, row in rows if what == "low rank"), key=lambda row: row["macro"])
        add("low rank, in the time of the best l1", low_rank(options.tool, folder, best["radius"], "--max-seconds", f"{best_l1['seconds']:.3f}"))
    lines = [[what, row["radius"], f"{row['seconds']:.1f}", f"{row['gap']:.1e}", row["rank"] or "-", f"{row['micro']:.4f}", f"{row['macro']:.4f}", row["solver"]]
             for what, row in rows]
    equal = rows[-1][1]
    verdict = (f"At equal time the low-rank model's macro F1 is {equal['macro']:.4f}, that of one l1 model a label {best_l1['macro']:.4f}: the "
               f"{'low-rank model' if equal['macro'] > best_l1['macro'] else 'l1 models'} do better.")
    text = (f"# RCV1 topics\n\nWritten by `bench/topics.py`. RCV1 topics, {len(labels['train'])} rows to learn from and {len(labels['test'])} held out, {len(names)} labels; smooth hinge, ridge 1/n, one thread "
            f"({processor()}). The gap of one against rest is the largest of the {len(names)}. Peak memory of the low-rank runs: {memory:.0f} MB. {verdict}\n\n")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "topics.md").write_text(text + table(["model", "radius", "seconds", "relative gap", "rank", "micro F1", "macro F1", "engines"], lines) + "\n", encoding="utf-8")
    print(verdict)


if __name__ == "__main__":
    main()
