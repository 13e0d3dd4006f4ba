#!/usr/bin/env python3
"""Runs the tool with default settings on real data and writes what came out, as a table and as JSON lines.

    bench/cases.py --data FOLDER [--tool build/release/pdbfw] [--out docs/results] [--only PATTERN]

Every row is one `pdbfw train ... --json` followed by one `pdbfw certify`, which recomputes the certificate from the file.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOL = 1e-6
LABEL_LOSSES = ["smooth_hinge", "squared_hinge", "logistic"]
LOSSES = LABEL_LOSSES + ["squared", "huber"]  # labels of -1 and +1 are numbers too


def cases():
    """(file, loss, radius, ridge) of every run."""
    for name in ["rcv1_sample.binary.xz", "news20.binary.xz"]:
        for loss in LOSSES:
            for ridge in ["1/n", "10/n", "100/n"]:
                yield name, loss, 300, ridge
    for loss in LOSSES:
        for radius in [0.5, 5]:
            yield "duke.bz2", loss, radius, "1/n"
        yield "a9a.xz", loss, 10, "1/n"
    for loss in LOSSES:
        for ridge in ["0.001/n", "0.01/n", "0.1/n", "1/n", "10/n", "100/n", "1000/n"]:
            yield "colon-cancer.bz2", loss, 5, ridge
    for name, radius in [("rcv1_sample.binary.xz", 300), ("duke.bz2", 0.5), ("a9a.xz", 10), ("colon-cancer.bz2", 5)]:
        for loss in LOSSES:
            yield name, loss, radius, "0"


def run_json(command):
    """The one JSON object a command prints, whatever its exit code says about convergence."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def run_case(tool, data, case, folder):
    name, loss, radius, ridge = case
    model = str(pathlib.Path(folder) / "model")
    trained = run_json([tool, "train", str(data / name), model, "--loss", loss, "--radius", str(radius), "--ridge", ridge,
                        "--tol", str(TOL), "--max-seconds", "300", "--json"])
    judged = run_json([tool, "certify", str(data / name), model, "--json"])
    certificate = judged["certificate"]
    return {"data": name, "loss": loss, "radius": radius, "ridge": ridge, "status": trained["status"],
            "relative_gap": trained["certificate"]["relative_gap"], "certified": certificate["relative_gap"],
            "violation": certificate["violation"] / radius, "nonzeros": trained["solution"]["nonzeros"],
            "iterations": trained["work"]["iterations"], "passes": trained["work"]["data_passes"],
            "solve": trained["seconds"]["solve"], "pass_pairs": trained["seconds"]["solve"] / trained["seconds"]["pass_pair"]}


def failures(row):
    """What a row breaks of what is promised; empty if nothing."""
    broken = []
    if row["status"] != "converged":
        broken.append(row["status"])
    if row["certified"] > TOL:
        broken.append("certify disagrees")
    if row["violation"] > 1e-9:
        broken.append("violation")
    if row["passes"] > 2000:
        broken.append("over 2,000 passes")
    return ", ".join(broken)


def table(rows):
    head = "| data | loss | radius | ridge | status | certified gap | violation / radius | non-zeros | data passes | pass pairs | |"
    lines = [head, "|" + "---|" * 11]
    for r in rows:
        lines.append(f"| {r['data']} | {r['loss']} | {r['radius']} | {r['ridge']} | {r['status']} | {r['certified']:.1e} | "
                     f"{r['violation']:.0e} | {r['nonzeros']} | {r['passes']:.0f} | {r['pass_pairs']:.0f} | {failures(r)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--tool", default="build/release/pdbfw")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/results"))
    parser.add_argument("--only", default="", help="a pattern that 'file loss radius ridge' must match")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases():
            if not (options.data / case[0]).exists() or not re.search(options.only, " ".join(map(str, case))):
                continue
            rows.append(run_case(options.tool, options.data, case, folder))
            print(table(rows[-1:]).splitlines()[-1], flush=True)
    if not rows:
        sys.exit(f"no case to run: {options.data} holds none of the files, or --only matches none")
    broken = sum(1 for row in rows if failures(row))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (options.out / "cases.md").write_text(
        f"# Default settings, tol {TOL:g}, one thread\n\nWritten by `bench/cases.py`. {len(rows)} cases, {broken} of them "
        f"with a remark in the last column.\n\n{table(rows)}\n")
    print(f"{len(rows) - broken} as promised, {broken} not")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
