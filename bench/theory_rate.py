#!/usr/bin/env python3
"""How fast the gap of `--solver pdbfw` falls: the theorem's steps on a small problem, beside the theorem's own bound, and
the adaptive steps beside the theorem's on a larger one.

    bench/theory_rate.py [--tool build/release/pdbfw] [--data FILE --radius 300 --ridge 10/n] [--out docs/results]
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile


def train(tool, data, folder, *options):
    """The JSON of one run and the rows of its trace."""
    trace = pathlib.Path(folder) / "trace.csv"
    done = subprocess.run([tool, "train", str(data), str(pathlib.Path(folder) / "model"), "--solver", "pdbfw", "--json",
                           "--trace", str(trace), *options], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        sys.exit(done.stderr)
    with trace.open(newline="") as lines:
        return json.loads(done.stdout), list(csv.DictReader(lines))


def contraction(rows):
    """Factor of the gap per iteration, over the second half of the run on the logarithmic scale."""
    points = [(int(row["iteration"]), math.log(float(row["gap"]))) for row in rows if float(row["gap"]) > 0]
    middle = (points[0][1] + points[-1][1]) / 2
    tail = [point for point in points if point[1] <= middle]
    return math.exp((tail[-1][1] - tail[0][1]) / (tail[-1][0] - tail[0][0]))


def theorem(run, power, beta=1.0):
    """(1 + k delta / (8 n^power beta))^-1, docs/math.md [M12]: power 1 as printed, 2 as it must be."""
    settings = run["settings"]
    return 1 / (1 + settings["block_dual"] * settings["delta"] / (8 * run["problem"]["n"] ** power * beta))


def small_problem(tool, folder):
    lines = ["| ridge | iterations to 1e-8 | gap's factor per iteration, measured | the theorem's bound | as printed |",
             "|---|---|---|---|---|"]
    data = pathlib.Path(folder) / "small.txt"
    subprocess.run([tool, "generate", str(data), "--rows", "300", "--features", "100", "--row-nonzeros", "15", "--support", "8",
                    "--seed", "1"], check=True)
    for ridge in ["0.003", "0.01", "0.1", "1"]:
        run, rows = train(tool, data, folder, "--steps", "theory", "--radius", "20", "--ridge", ridge, "--tol", "1e-8",
                          "--max-iterations", "200000")
        lines.append(f"| {ridge} | {run['work']['iterations']} ({run['status']}) | {contraction(rows):.6f} | {theorem(run, 2):.6f} | {theorem(run, 1):.6f} |")
    return "\n".join(lines)


def large_problem(tool, folder, data, radius, ridge):
    lines = ["| steps | status | iterations | data passes | seconds | relative gap |", "|---|---|---|---|---|---|"]
    for steps, limit in [("adaptive", "5000"), ("theory", "5000")]:
        run, _ = train(tool, data, folder, "--steps", steps, "--radius", str(radius), "--ridge", ridge, "--tol", "1e-6",
                       "--max-iterations", limit, "--max-seconds", "120")
        lines.append(f"| {steps} | {run['status']} | {run['work']['iterations']} | {run['work']['data_passes']:.0f} | "
                     f"{run['seconds']['solve']:.2f} | {run['certificate']['relative_gap']:.1e} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default="build/release/pdbfw")
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--radius", type=float, default=300)
    parser.add_argument("--ridge", default="10/n")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/results"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = ("# Algorithm 1: the theorem's steps and the adaptive ones\n\nWritten by `bench/theory_rate.py`.\n\n"
                "## Small problem (300 x 100, smooth hinge, radius 20), `--steps theory`\n\n" + small_problem(options.tool, folder))
        if options.data:
            text += (f"\n\n## {options.data.name}, radius {options.radius:g}, ridge {options.ridge}, at most 5,000 iterations or "
                     f"120 seconds\n\n{large_problem(options.tool, folder, options.data, options.radius, options.ridge)}")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "theory_rate.md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
