#!/usr/bin/env python3
"""Where the time of one solve goes: split.md and split.jsonl.

    bench/split.py [--data FOLDER] [--out docs/results]

Loading and transposing are timed by the program itself. The parts of the solve come from `perf record` where perf is there; else only the
certificates are told from the rest, by their number and the time of one.
"""
import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

import common

GENERATED = {"rows": 50_000, "features": 50_000}
PROBLEMS = [("generated, 50,000 x 50,000", GENERATED, 30, "10/n"), ("rcv1_sample.binary", "rcv1_sample.binary.xz", 300, "10/n"),
            ("rcv1_sample.binary", "rcv1_sample.binary.xz", 300, "0.01/n"), ("news20.binary", "news20.binary.xz", 300, "10/n"),
            ("colon-cancer", "colon-cancer.bz2", 5, "1/n")]

# A sample belongs to the first part that one of the functions on its stack matches.
PARTS = [("certificates", r"::certify\b"), ("packing", r"[Pp]ack"), ("thresholds", r"dead_zone|threshold|meet_radius"),
         ("Newton", r"[Nn]ewton|[Hh]essian|QuadraticModel|Eigen::"), ("sweeps", r"sweep|for_rows|visit"), ("products", r"multiply|dots|add_lines|squared_norms")]


def function_name(symbol):
    """Without template arguments and parameters, whose types would match too."""
    symbol = symbol.replace("(anonymous namespace)::", "")
    for brackets in [r"<[^<>]*>", r"\([^()]*\)"]:
        before = None
        while before != symbol:
            before, symbol = symbol, re.sub(brackets, "", symbol)
    return symbol


def part_of(stack):
    for part, pattern in PARTS:
        if any(re.search(pattern, name) for name in stack):
            return part
    return "other"


def sampled_parts(program, question):
    """Share of each part among the samples inside solve(); none without perf."""
    if not shutil.which("perf"):
        return {}
    with tempfile.TemporaryDirectory() as folder:
        samples = str(pathlib.Path(folder) / "perf.data")
        recorded = subprocess.run(["perf", "record", "-q", "-F", "2000", "--call-graph", "fp", "-o", samples, program, json.dumps(question)],
                                  capture_output=True, check=False)
        if recorded.returncode != 0:
            return {}
        script = subprocess.run(["perf", "script", "-i", samples, "-F", "ip,sym"], capture_output=True, text=True, check=True).stdout
    shares = dict.fromkeys([part for part, _ in PARTS] + ["other"], 0)
    names = {}  # the same few symbols come again and again
    for sample in re.split(r"\n\s*\n", script):
        symbols = [line.split(None, 1)[1] for line in sample.splitlines() if len(line.split(None, 1)) == 2]
        stack = [names.setdefault(symbol, function_name(symbol)) for symbol in symbols]
        if "pdbfw::solve" in stack:
            shares[part_of(stack[:stack.index("pdbfw::solve")])] += 1
    total = sum(shares.values())
    return {part: count / total for part, count in shares.items()} if total else {}


def counted_parts(run):
    certificates = sum(point[2] for point in run["trace"]) * run["certificate_seconds"] / statistics.median(run["cpu"])
    return {"certificates": certificates, "other": 1 - certificates}


def measure(options):
    rows = []
    for name, data, radius, ridge in PROBLEMS:
        if isinstance(data, str):
            if not options.data or not (options.data / data).exists():
                continue
            data = str(options.data / data)
        question = {"data": data, "cases": [{"radius": radius, "ridge": ridge}], "repeats": 5}
        run = common.ask(options.program, question)[0]
        rows.append({"data": name, "radius": radius, "ridge": ridge, "load": run["load_seconds"], "transpose": run["transpose_seconds"],
                     "solve": statistics.median(run["cpu"]), "pass_pair": statistics.median(run["cpu_pair"]),
                     "parts": sampled_parts(options.program, question) or counted_parts(run)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser)
    parser.add_argument("--data", type=pathlib.Path)
    options = parser.parse_args()
    rows = measure(options)
    parts = [part for part, _ in PARTS] + ["other"]
    cells = common.table(
        ["data, radius, ridge", "load, ms", "transpose, ms", "solve, ms", "pass pair, ms", *parts],
        [[f"{row['data']}, {row['radius']}, {row['ridge']}", *(f"{1000 * row[key]:.3g}" for key in ["load", "transpose", "solve", "pass_pair"]),
          *(f"{100 * row['parts'][part]:.0f} %" if part in row["parts"] else "" for part in parts)] for row in rows])
    text = common.heading("Where the time of a solve goes", "split.py")
    text += ("Default settings, tol 1e-6, one thread. Loading is reading and decompressing the file (or making the data), transposing is building the columns "
             "beside the rows, once a matrix. The parts of the solve are shares of samples taken by `perf`; certificates include their products.\n\n")
    common.write(options.out, "split", text + cells + "\n", rows)
    print(cells)


if __name__ == "__main__":
    main()
