"""Fits peers' methods in a process of its own, which the caller can kill. Runs in the virtual environment.

One JSON object a line on standard input, one as answer on standard output:

    {"do": "versions"}
    {"do": "prepare", "data": FILE.npz, "method": INDEX, "task": {...}}   fit once to warm up, convert the data
    {"do": "fit", "rung": R, "repeats": K, "point": FILE}                 the median of up to K fits; x goes to FILE
"""

import ctypes
import gc
import importlib.metadata
import json
import os
import statistics
import sys
import time
import warnings

import numpy
import scipy.sparse

import peers

QUICK_SECONDS = 0.5  # a fit that takes longer is not repeated


def memory_mb(name):
    with open("/proc/self/status", encoding="ascii") as status:
        return next(float(line.split()[1]) / 1024 for line in status if line.startswith(name + ":"))


def reset_peak():
    with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
        peak.write("5")


def give_back_memory():
    """What earlier work has freed goes back to the system, so that it does not hide what later work takes."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)


def timed(work):
    """What `work` returns, seconds on the clock, processor seconds."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - clock, time.process_time() - processor


class Bench:
    def __init__(self):
        self.path = None

    def load(self, path):
        if path == self.path:
            return
        stored = numpy.load(path)
        self.X = scipy.sparse.csr_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=stored["shape"])
        self.y = stored["y"]
        self.path = path

    def prepare(self, request):
        self.method, self.task = peers.METHODS[request["method"]], peers.Task(**request["task"])
        self.converted = None
        self.load(request["data"])
        is_label = self.task.loss != "squared"
        self.target = numpy.where(self.y == self.y.max(), 1.0, -1.0) if is_label else self.y
        self.converted = peers.FORMS[self.method.form](self.X)
        self.fit_once(self.method.ladder[0])  # imports the library and compiles what it compiles at first use
        self.converted = None
        give_back_memory()
        self.data_mb = memory_mb("VmRSS")
        reset_peak()
        self.converted, seconds, cpu_seconds = timed(lambda: peers.FORMS[self.method.form](self.X))
        self.conversion_peak_mb = memory_mb("VmHWM")
        return {"seconds": seconds, "cpu_seconds": cpu_seconds}

    def fit_once(self, rung):
        return timed(lambda: self.method.fit(self.converted, self.target, self.task, rung))

    def fit(self, request):
        give_back_memory()
        reset_peak()
        runs = [self.fit_once(request["rung"])]
        peak = max(memory_mb("VmHWM"), self.conversion_peak_mb)
        while len(runs) < request["repeats"] and runs[0][2] < QUICK_SECONDS:
            runs.append(self.fit_once(request["rung"]))
        x = numpy.asarray(runs[-1][0].toarray() if scipy.sparse.issparse(runs[-1][0]) else runs[-1][0])
        numpy.ascontiguousarray(x.ravel(), dtype=numpy.float64).tofile(request["point"])
        return {
            "seconds": statistics.median(run[1] for run in runs),
            "peak_mb": peak,
            "data_mb": self.data_mb,
            "cpu_seconds": statistics.median(run[2] for run in runs),
        }


def versions():
    found = {}
    for name in ["scikit-learn", "celer", "skglm", "cyanure", "copt", "numpy", "scipy", "numba"]:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def main():
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")  # whatever a library prints must not be taken for an answer
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    bench = Bench()
    actions = {"versions": lambda _: versions(), "prepare": bench.prepare, "fit": bench.fit}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = actions[request["do"]](request)
        except Exception as error:  # pylint: disable=broad-except
            answer = {"error": f"{type(error).__name__}: {(str(error) + chr(10)).splitlines()[0][:100]}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
