"""Runs of the tool, each kept as one JSON record, so that an interrupted experiment goes on where it was."""

import hashlib
import json
import math
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

import curves

TOL = 1e-9  # of every measured run: what curves end at
OPTIMUM_TOL = 1e-12
MOST_ROWS = 600  # kept of a trace
MOST_CHECKS = 16  # runs that certify the course of a solver
CHECK_SECONDS = 60  # of one of them
SHORTEST_JUDGED = 0.3  # seconds; starting the program is too large a part of shorter ones
OWN_CORE = 0.9  # processor time over time on the clock, of a run that nothing disturbed
TRACED = ("seconds", "solution", "certificate", "work", "settings", "status", "message", "solver", "problem")


def fingerprint(tool):
    return hashlib.sha256(pathlib.Path(tool).read_bytes()).hexdigest()[:12]


def processor_seconds():
    """Of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_atomically(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + f".{os.getpid()}.tmp")
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, path)


class Failure(Exception):
    """A run that gave no result; the text is the tool's own."""


class Tool:
    """Runs `pdbfw train` in a session of its own: Ctrl-C stops the experiment, not the solver half-way."""

    def __init__(self, path):
        self.path = str(path)
        self.fingerprint = fingerprint(path)

    def train(self, data, options, max_seconds):
        """The JSON of a run and its trace."""
        with tempfile.TemporaryDirectory(prefix="pdbfw-paper-") as folder:
            trace = pathlib.Path(folder) / "trace.csv"
            command = [self.path, "train", str(data), str(pathlib.Path(folder) / "model"), "--json", "--no-proof", "--threads", "1",
                       "--trace", str(trace), "--max-seconds", f"{max_seconds:g}", *map(str, options)]
            start, processor = time.monotonic(), processor_seconds()
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
            try:
                out, error = child.communicate(timeout=4 * max_seconds + 60)
            except subprocess.TimeoutExpired:
                raise Failure(f"did not stop {3 * max_seconds + 60:g} s after its time limit of {max_seconds:g} s") from None
            finally:
                if child.poll() is None:
                    child.kill()
                    child.wait()
            if child.returncode not in (0, 2):
                raise Failure(error.strip().removeprefix("pdbfw: error: ") or f"exit code {child.returncode}")
            wall = time.monotonic() - start
            share = (processor_seconds() - processor) / wall if wall > SHORTEST_JUDGED else 1.0
            answer = json.loads(out)
            if answer["status"] == "interrupted":
                raise KeyboardInterrupt
            return {name: answer[name] for name in TRACED} | {"share_of_core": share}, curves.read_trace(trace)


class Store:
    """The records of one experiment. A failure is kept too, but tried again by the next run."""

    def __init__(self, folder, tool):
        self.folder, self.tool = folder, tool
        self.measured = 0  # runs that were not there already
        self.other_builds = set()
        self.crowded = 0  # runs that did not have a core to themselves

    def path(self, key):
        return self.folder / (re.sub(r"[^A-Za-z0-9_.+-]+", "_", key) + ".json")

    def find(self, key):
        try:
            record = json.loads(self.path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if "error" in record:
            return None
        if record["tool"] != self.tool.fingerprint:
            self.other_builds.add(key)
        self.crowded += record["share_of_core"] < OWN_CORE
        record["rows"] = [curves.Row(*row) for row in record["rows"]]
        return record

    def run(self, key, data, options, max_seconds, check=False):
        """The record of that name; measured if it is not there. Its rows are certified if `check`."""
        record = self.find(key)
        if record:
            return record
        record = {"key": key, "options": list(map(str, options)), "max_seconds": max_seconds, "tool": self.tool.fingerprint}
        try:
            answer, rows = self.tool.train(data, options, max_seconds)
            rows = curves.thin(rows, MOST_ROWS)
            record |= answer | {"rows": self.certified(data, options, rows) if check else rows}
            self.crowded += record["share_of_core"] < OWN_CORE
        except Failure as failure:
            record["error"] = str(failure)
        write_atomically(self.path(key), json.dumps(record))
        self.measured += 1
        return record

    def certified(self, data, options, rows):
        """Some of the rows, with the values of the points that they belong to: of runs that end there."""
        step = max(1, -(-len(rows) // MOST_CHECKS))
        chosen = sorted({*range(0, len(rows), step), len(rows) - 1})
        out = []
        for row in (rows[k] for k in chosen):
            answer, _ = self.tool.train(data, [*options, "--max-iterations", int(row.iteration)], CHECK_SECONDS)
            proven = {name: math.inf if value is None else value for name, value in answer["certificate"].items()}
            out.append(row._replace(primal=proven["primal"], relative_gap=proven["relative_gap"],
                                    nonzeros=answer["solution"]["nonzeros"], is_certified=1))
        return out
