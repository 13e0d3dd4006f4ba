#!/usr/bin/env python3
"""pdbfw beside what users would pick instead: the same problems, one thread, one judge. Standard library only.

    bench/peers/run.py --data FOLDER [--only PATTERN] [--resume] [--quick] [--limit SECONDS]

Every fit starts from zero in a process that is killed when it takes too long, and bench_judge certifies its point. What
was measured is appended to peers.jsonl at once. A run measures anew what --only matches ("data loss radius R ridge W /
family: variant") and keeps the rest; --resume keeps everything and measures only what is missing.
"""

import argparse
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

import peers
import problems
import report

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
PYTHON = BUILD / "peers-venv" / "bin" / "python"
ONE_THREAD = {name: "1" for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"]}
OUR_LADDER = [10.0**-k for k in range(1, 8)]
REPEATS = 3
COMMAND_GAP = 1e-4
WAIT = 20
ROUNDED = {
    "seconds": 6,
    "cpu_seconds": 6,
    "conversion": 6,
    "cpu_conversion": 6,
    "peak_mb": 1,
    "data_mb": 1,
    "l1_norm": 9,
}
STUCK = 6  # rungs in a row that change nothing
PREPARE_SECONDS = 180  # to read, convert and compile


class TooSlow(Exception):
    pass


def processor_seconds(pid):
    """What a process has used so far, in all its threads."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """A program that answers each line with one line."""

    def __init__(self, command, **options):
        self.command = [str(word) for word in command]
        self.options = {"env": {**os.environ, **ONE_THREAD}, **options}
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **self.options)

    def ask(self, line, seconds):
        if self.process is None:
            self.start()
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.answer(seconds)

    def answer(self, seconds):
        """Waits for so many processor seconds of the program, which do not depend on what else the machine does, and at
        most WAIT times as long. Raises TooSlow, and the process is gone; the next question starts a new one.
        """
        pid, pipe, text = self.process.pid, self.process.stdout.fileno(), b""
        limit, deadline = processor_seconds(pid) + seconds, time.monotonic() + WAIT * seconds
        while not text.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], 0.1)
            if ready:
                part = os.read(pipe, 1 << 16)
                if not part:
                    self.stop()
                    raise RuntimeError("ended without an answer")
                text += part
            elif processor_seconds(pid) > limit or time.monotonic() > deadline:
                self.stop()
                raise TooSlow
        return json.loads(text)

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


class Judge(Server):
    """bench_judge on one problem: certifies the points of all, and solves for pdbfw."""

    def __init__(self, tool, text, problem):
        super().__init__([tool, text, problem.loss, repr(problem.radius), problem.ridge])
        self.start()
        self.shape = self.answer(PREPARE_SECONDS)

    def certify(self, point):
        return self.ask(f"certify {point}", PREPARE_SECONDS)

    def solve(self, tol, limit, point):
        return self.ask(f"solve {tol!r} {limit!r} {point}", limit + PREPARE_SECONDS)


class Records:
    """The file of results, one JSON object a line."""

    def __init__(self, path):
        self.path = path
        self.rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def keep(self, is_kept):
        self.rows = [row for row in self.rows if is_kept(row)]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        part.write_text("".join(json.dumps(row) + "\n" for row in self.rows))
        part.rename(self.path)

    def add(self, **row):
        row = {key: round(value, ROUNDED[key]) if value and key in ROUNDED else value for key, value in row.items()}
        self.rows.append(row)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def find(self, kind, **fields):
        wanted = {"kind": kind, **fields}
        return [row for row in self.rows if all(row.get(key) == value for key, value in wanted.items())]


def subject(row):
    """What --only is compared with."""
    return f"{row.get('problem', '')} / {row.get('method', '')}"


class Run:
    def __init__(self, options, records, folder):
        self.options = options
        self.records = records
        self.point = folder / "point"
        self.workers = {}

    def worker(self, family):
        if family not in self.workers:
            here = pathlib.Path(__file__).resolve().parent
            self.workers[family] = Server([PYTHON, "-B", here / "worker.py"], stderr=subprocess.DEVNULL)
        return self.workers[family]

    def close(self):
        for worker in self.workers.values():
            worker.stop()

    def is_wanted(self, problem, method):
        row = {"problem": problem.name, "method": method}
        is_done = self.records.find("done", **row)
        return not is_done and re.search(self.options.only, subject(row))

    def run_problem(self, problem):
        n, d = self.shape_of(problem)
        ours = "pdbfw: default"
        others = [m for m in peers.METHODS if m.offers(problem, n, d) and self.is_wanted(problem, m.name)]
        if not others and not self.is_wanted(problem, ours):
            return
        judge = Judge(self.options.judge, self.text(problem), problem)
        facts = self.reference(problem, judge)
        if self.is_wanted(problem, ours):
            self.run_ours(problem, judge, ours)
        for method in others:
            self.run_method(problem, method, facts, judge)
        judge.stop()
        if any(method.family == "LIBLINEAR" for method in others):
            self.run_commands(problem, facts)

    def text(self, problem):
        return BUILD / "peers-data" / f"{problem.data}.txt"

    def shape_of(self, problem):
        return self.options.shapes[problem.data]

    def reference(self, problem, judge):
        """The solution to many digits gives the penalty that stands for the radius, and the optimum."""
        found = self.records.find("problem", problem=problem.name)
        if found:
            return found[0]
        solved = judge.solve(1e-13, self.options.reference_limit, self.point)
        judged = judge.certify(self.point)
        self.records.add(
            kind="problem",
            problem=problem.name,
            n=judge.shape["n"],
            d=judge.shape["d"],
            nonzeros=judge.shape["nonzeros"],
            penalty=judged["mean_multiplier"],
            largest_gradient=judged["multiplier"],
            primal=solved["primal"],
            dual=solved["dual"],
            relative_gap=solved["relative_gap"],
            support=judged["nonzeros"],
        )
        return self.records.rows[-1]

    def run_commands(self, problem, facts):
        """LIBLINEAR's tool and ours from plain text to a model, at a gap of 1e-4."""
        solver = {"logistic": 6, "squared_hinge": 5}[problem.loss]
        good = [
            row
            for row in self.records.find("fit", problem=problem.name)
            if row["method"] == f"LIBLINEAR: -s {solver}" and row["relative_gap"] <= COMMAND_GAP
        ]
        if not good or not shutil.which("liblinear-train"):
            return
        eps = min(good, key=lambda row: row["cpu_seconds"])["rung"]
        numbers = {
            5: problems.squared_hinge_words(facts["penalty"], facts["n"]),
            6: problems.logistic_words(facts["penalty"], 0, facts["n"]),
        }[solver]
        text, model = str(self.text(problem)), str(self.point) + ".model"
        theirs = ["liblinear-train", "-s", str(solver), "-c", repr(numbers["C"]), "-e", repr(eps), "-q", text, model]
        ours = [
            str(BUILD / "release" / "pdbfw"),
            "train",
            text,
            model,
            "--loss",
            problem.loss,
            "--radius",
            repr(problem.radius),
            "--ridge",
            problem.ridge,
            "--tol",
            repr(COMMAND_GAP),
            "--quiet",
        ]
        fits = {"LIBLINEAR": f"LIBLINEAR: -s {solver}", "pdbfw": "pdbfw: default"}
        for name, command in [("liblinear-train", theirs), ("pdbfw train", ours)]:
            measured = measure_command(command)
            method = fits["LIBLINEAR" if command is theirs else "pdbfw"]
            reached = [
                row["cpu_seconds"]
                for row in self.records.find("fit", problem=problem.name, method=method)
                if row["relative_gap"] <= COMMAND_GAP
            ]
            self.records.add(
                kind="command",
                problem=problem.name,
                method=method,
                command=name,
                **measured,
                fit_seconds=min(reached, default=None),
            )

    def add_fit(self, problem, method, rung, fit, judged):
        row = {
            "kind": "fit",
            "problem": problem.name,
            "method": method,
            "rung": rung,
            **fit,
            **{key: judged[key] for key in ["relative_gap", "primal", "dual", "l1_norm", "nonzeros"]},
        }
        self.records.add(**row)
        print(f"  {method:45} {rung:<8g} {fit['cpu_seconds']:9.4f} s   gap {judged['relative_gap']:.1e}", flush=True)

    def run_ours(self, problem, judge, method):
        for tol in OUR_LADDER:
            runs = [judge.solve(tol, self.options.limit, self.point)]
            while len(runs) < REPEATS and runs[0]["cpu_seconds"] < 0.5:
                runs.append(judge.solve(tol, self.options.limit, self.point))
            solved = sorted(runs, key=lambda run: run["cpu_seconds"])[len(runs) // 2]
            fit = {
                "seconds": solved["seconds"],
                "cpu_seconds": solved["cpu_seconds"],
                "peak_mb": solved["peak_mb"],
                "data_mb": judge.shape["data_mb"],
                "conversion": judge.shape["seconds"],
                "cpu_conversion": judge.shape["cpu_seconds"],
                "solver": solved["solver"],
            }
            judged = judge.certify(self.point)
            judged["relative_gap"] = solved["relative_gap"]  # with the dual point that pdbfw hands over
            self.add_fit(problem, method, tol, fit, judged)
            if solved["status"] != "converged":
                break
        self.records.add(kind="done", problem=problem.name, method=method, why=solved["status"])

    def run_method(self, problem, method, facts, judge):
        why = self.climb(problem, method, facts, judge)
        self.records.add(kind="done", problem=problem.name, method=method.name, why=why)
        if why != "accurate":
            print(f"  {method.name:45} {why}", flush=True)

    def climb(self, problem, method, facts, judge):
        """Fits rung after rung; says why the last one was the last."""
        worker, gaps = self.worker(method.family), []
        task = {
            "loss": problem.loss,
            "n": facts["n"],
            "d": facts["d"],
            "radius": problem.radius,
            "ridge": problem.ridge_weight(facts["n"]),
            "penalty": facts["penalty"],
        }
        request = {
            "do": "prepare",
            "data": str(self.text(problem).with_suffix(".npz")),
            "task": task,
            "method": peers.METHODS.index(method),
        }
        try:
            converted = worker.ask(json.dumps(request), PREPARE_SECONDS)
            if "error" in converted:
                return converted["error"]
            for rung in method.ladder:
                request = {"do": "fit", "rung": rung, "repeats": REPEATS, "point": str(self.point)}
                fit = worker.ask(json.dumps(request), self.options.limit)
                if "error" in fit:
                    return fit["error"]
                fit.update(conversion=converted["seconds"], cpu_conversion=converted["cpu_seconds"])
                judged = judge.certify(self.point)
                if judged["relative_gap"] is None:  # not a number, or infinite
                    return "diverged"
                self.add_fit(problem, method.name, rung, fit, judged)
                if judged["relative_gap"] <= problems.LEVELS[-1]:
                    return "accurate"
                gaps.append(judged["relative_gap"])
                if len(gaps) >= STUCK and max(gaps[-STUCK:]) < 1.001 * min(gaps[-STUCK:]):
                    return "stuck"
                if fit["cpu_seconds"] > self.options.limit / 3 and method.rung_name != "tol":
                    return f"over {self.options.limit:g} s"
        except TooSlow:
            return f"over {self.options.limit:g} s"
        except RuntimeError as error:
            return str(error)
        return "no finer setting"


def measure_command(command):
    """Processor seconds and peak memory of a program. This process is small, so the peak is the program's own."""
    started = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **ONE_THREAD})
    _, _, usage = os.wait4(child.pid, 0)
    return {
        "seconds": time.monotonic() - started,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / 1024,
    }


def prepare_data(options):
    """Text and arrays of every data set that is there, and their shapes."""
    (BUILD / "peers-data").mkdir(parents=True, exist_ok=True)
    for data, file in problems.FILES.items():
        source, out = options.data / file, BUILD / "peers-data" / data
        if source.exists():
            if not all(pathlib.Path(f"{out}{suffix}").exists() for suffix in (".txt", ".npz")):
                subprocess.run([PYTHON, "-B", pathlib.Path(__file__).parent / "prepare.py", source, out], check=True)
            tool = BUILD / "release" / "pdbfw"
            info = subprocess.run([tool, "info", f"{out}.txt", "--json"], capture_output=True, text=True, check=True)
            facts = json.loads(info.stdout)
            options.shapes[data] = (facts["rows"], facts["features"])


def machine(worker):
    cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    debian = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "liblinear4"], capture_output=True, text=True, check=False
    ).stdout
    versions = {**worker.ask(json.dumps({"do": "versions"}), PREPARE_SECONDS), "LIBLINEAR": debian or None}
    return {
        "cpu": cpu.group(1) if cpu else "unknown",
        "cores": os.cpu_count(),
        "versions": versions,
        "python": ".".join(map(str, sys.version_info[:3])),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--judge", type=pathlib.Path, default=BUILD / "bench" / "bench_judge")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "results")
    parser.add_argument("--only", default="", help="a pattern: measure only what it matches")
    parser.add_argument("--resume", action="store_true", help="keep all that was measured")
    parser.add_argument(
        "--quick", action="store_true", help="two small problems, 2 s a fit; results go to build/peers-quick"
    )
    parser.add_argument("--limit", type=float, default=10, help="seconds that a fit may take (default 10)")
    options = parser.parse_args()
    options.reference_limit = 60
    options.shapes = {}
    if options.quick:
        options.limit, options.out = min(options.limit, 2), BUILD / "peers-quick"
    return options


def chosen_problems(options):
    for problem in problems.problems():
        is_quick = problem.data == "colon-cancer" and problem.loss == "logistic"
        if problem.data in options.shapes and (is_quick or not options.quick):
            yield problem


def main():
    options = parse_options()
    prepare_data(options)
    if not options.shapes:
        sys.exit(f"{options.data} holds none of {', '.join(problems.FILES.values())}")
    records = Records(options.out / "peers.jsonl")
    is_whole = not options.only and not options.resume
    records.keep(
        lambda row: not is_whole
        and (options.resume or row["kind"] in ("problem", "machine") or not re.search(options.only, subject(row)))
    )
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options, records, pathlib.Path(folder))
        try:
            records.add(kind="machine", limit=options.limit, **machine(run.worker("scikit-learn")))
            for problem in chosen_problems(options):
                print(problem.name, flush=True)
                run.run_problem(problem)
        finally:
            run.close()
    report.write(records.rows, options.out)
    print(f"written: {options.out}/peers.md")


if __name__ == "__main__":
    main()
