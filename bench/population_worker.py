"""Solves the problems of bench/population.py in a process of its own, which the caller can kill.

One JSON object a line on standard input, one as answer on standard output. Every question has a "case" (the fields of
population.Case, `scale` and `folder`), and

    {"do": "reference", "tol": T, "limit": S}                     what defines the problem, and its optimum, by pdbfw
    {"do": "ours", "facts": {...}, "form": F, "tol": T, "limit": S}   one solve by pdbfw, "penalty" or "radius"
    {"do": "prepare", "facts": {...}, "method": INDEX}            compile what a peer compiles at first use
    {"do": "fit", "facts": {...}, "method": INDEX, "rung": R, "limit": S}     one fit of the penalised problem by a peer

Times are processor seconds of the call, whatever the library converts included: the data come as a dense array by rows
or as CSR.
"""

import json
import os
import pathlib
import signal
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp
from scipy.optimize import brentq

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "peers"))

import peers  # noqa: E402
import population_families  # noqa: E402

QUICK_SECONDS, REPEATS = 0.05, 3  # what takes less is measured three times, and the best time counts
LOOK_SECONDS = 0.25  # between looks whether a fit takes too long

WAIT = 3  # times as long on the clock as a solve may use the processor, on a machine that others use too

# Values and derivatives of the losses at predictions p for targets b.
LOSSES = {
    "squared": (lambda p, b: (p - b) ** 2 / 2, lambda p, b: p - b),
    "logistic": (lambda p, b: np.logaddexp(0, -b * p), lambda p, b: -b * np.exp(-np.logaddexp(0, b * p))),
    "squared_hinge": (lambda p, b: np.maximum(0, 1 - b * p) ** 2 / 2, lambda p, b: -b * np.maximum(0, 1 - b * p)),
}


def best_intercept(loss, p, b):
    """The constant that suits the predictions best: where the mean derivative is zero."""
    derivative = LOSSES[loss][1]
    if loss == "squared":
        return float(np.mean(b - p))
    reach = float(np.max(np.abs(p))) + 50
    return brentq(lambda c: float(np.mean(derivative(p + c, b))), -reach, reach, xtol=1e-13, rtol=1e-13)


def objective(case, X, b, x, ridge, alpha):
    """With the best intercept, if the case has one."""
    p = X @ x
    constant = best_intercept(case["loss"], p, b) if case["intercept"] else 0.0
    value = float(np.mean(LOSSES[case["loss"]][0](p + constant, b)))
    return value + ridge / 2 * float(x @ x) + alpha * float(np.abs(x).sum())


def timed(work, limit):
    """What `work` returns, and its processor seconds; the best of three when it is quick. Raises TimeoutError.

    The timer goes by the clock on the wall, and its handler looks at the processor's: while a timer of processor time
    (ITIMER_PROF) is set, Linux counts that time in ticks of milliseconds, and quick fits seem to take none.
    """
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()

        def stop_if_late(*_, start=start):
            if time.process_time() - start > limit:
                raise TimeoutError

        signal.signal(signal.SIGALRM, stop_if_late)
        signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
        result = work()
        signal.setitimer(signal.ITIMER_REAL, 0)
        best = min(best, time.process_time() - start)
        if best > QUICK_SECONDS:
            break
    return result, best


def converted(X, form):
    """The data as a peer's method reads them; what a library converts itself is left to it."""
    if form == "LIBLINEAR's nodes":
        return peers.liblinear_nodes(sp.csr_matrix(X))
    if form == "dense by columns":
        return np.asfortranarray(X.toarray() if sp.issparse(X) else X)
    if form == "by columns":
        return X.tocsc() if sp.issparse(X) else np.asfortranarray(X)
    return X


def pass_pair(X):
    """Processor seconds of one A x and one A'y with the library's own products; None if the module has them not."""
    from pdbfw._data import as_matrix

    A = as_matrix(X)
    if not hasattr(A, "transposed_times"):
        return None
    x, y = np.ones(X.shape[1]), np.ones(X.shape[0])
    seconds = []
    A.transposed_times(y)  # builds the columns
    while len(seconds) < 5 or (len(seconds) < 30 and sum(seconds) < 0.03):
        start = time.process_time()
        A.times(x)
        A.transposed_times(y)
        seconds.append(time.process_time() - start)
    return float(np.median(seconds))


class Bench:
    def __init__(self):
        self.key = None
        self.warm = set()
        self.pairs = {}

    def load(self, case):
        key = case["family"], case["seed"], case["scale"]
        if key != self.key:
            self.key = None  # frees the last data first
            folder = pathlib.Path(case["folder"]) if case["folder"] else None
            self.X, self.numbers, self.labels = population_families.make_data(*key, folder)
            self.key = key
        return self.X, self.numbers if case["loss"] == "squared" else self.labels

    def reference(self, request):
        import pdbfw

        case = request["case"]
        X, b = self.load(case)
        n, d = X.shape
        problem = {"loss": case["loss"], "intercept": case["intercept"]}
        alpha = case["share"] * pdbfw.largest_alpha(X, b, **problem)
        ridge = {"0": 0.0, "1/n": 1 / n, "alpha/9": alpha / 9}[case["ridge"]]
        found = pdbfw.solve_penalised(
            X, b, alpha, ridge=ridge, tol=request["tol"], max_seconds=request["limit"], threads=1, **problem
        )
        if self.key not in self.pairs:
            self.pairs = {self.key: pass_pair(X)}
        return {
            "n": n,
            "d": d,
            "nonzeros": int(X.nnz if sp.issparse(X) else X.size),
            "sparse": bool(sp.issparse(X)),
            "alpha": alpha,
            "ridge_weight": ridge,
            "radius": float(np.abs(found.result.weights).sum()),
            "primal": found.certificate.primal,
            "dual": found.certificate.dual,
            "support": int(np.count_nonzero(found.result.weights)),
            "pass_pair": self.pairs[self.key],
        }

    def ours(self, request):
        import pdbfw

        case, facts, form = request["case"], request["facts"], request["form"]
        X, b = self.load(case)
        problem = {
            "loss": case["loss"],
            "intercept": case["intercept"],
            "ridge": facts["ridge_weight"],
            "tol": request["tol"],
            "max_seconds": WAIT * request["limit"],  # by the clock; the caller compares processor seconds
            "threads": 1,
        }
        if form == "penalty":
            (_, result, proof), seconds = timed(lambda: pdbfw.solve_penalised(X, b, facts["alpha"], **problem), 1e6)
        else:
            result, seconds = timed(lambda: pdbfw.solve(X, b, radius=facts["radius"], **problem), 1e6)
            proof = result.certificate
        alpha = facts["alpha"] if form == "penalty" else 0.0
        primal = objective(case, X, b, result.weights, facts["ridge_weight"], alpha)
        is_true = primal <= proof.primal + 1e-9 * abs(proof.primal) and result_is_inside(result, form, facts)
        return {
            "seconds": seconds,
            "gap": proof.relative_gap if is_true else None,
            "status": result.status if is_true else "the certificate is not that of the weights",
            "solver": result.solver,
            "iterations": int(result.work.iterations),
            "passes": float(result.work.data_passes),
        }

    def prepare(self, request):
        """A fit of the first rows of the data, or of few numbers, compiles and imports what the method needs."""
        method, task, case = self.method(request)
        X, _ = self.load(case)
        key = method.name, case["loss"], case["intercept"], task.ridge > 0, sp.issparse(X)
        if key not in self.warm:
            rng = np.random.default_rng(0)
            small = rng.normal(size=(40, 6))
            target = np.where(small[:, 0] + rng.normal(size=40) > 0, 1.0, -1.0)
            data = converted(sp.csr_matrix(small) if sp.issparse(X) else small, method.form)
            tiny = peers.Task(case["loss"], 40, 6, 1.0, 0.01 * (task.ridge > 0), 0.02, case["intercept"])
            method.fit(data, target, tiny, method.ladder[len(method.ladder) // 2])
            self.warm.add(key)
        return {}

    def method(self, request):
        case, facts = request["case"], request["facts"]
        numbers = [facts[name] for name in ["n", "d", "radius", "ridge_weight", "alpha"]]
        return peers.METHODS[request["method"]], peers.Task(case["loss"], *numbers, case["intercept"]), case

    def fit(self, request):
        method, task, case = self.method(request)
        X, b = self.load(case)
        x, seconds = timed(lambda: method.fit(converted(X, method.form), b, task, request["rung"]), request["limit"])
        x = np.asarray(x.toarray() if sp.issparse(x) else x, dtype=np.float64).ravel()
        primal = objective(case, X, b, x, task.ridge, task.penalty) if np.all(np.isfinite(x)) else float("inf")
        gap = (primal - request["facts"]["dual"]) / primal
        return {"seconds": seconds, "gap": gap if np.isfinite(gap) else None}


def result_is_inside(result, form, facts):
    return form == "penalty" or np.abs(result.weights).sum() <= facts["radius"] * (1 + 1e-9)


def main():
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")  # whatever a library prints must not be taken for an answer
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    bench = Bench()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(bench, request["do"])(request)
        except TimeoutError:
            answer = {"why": f"over {request['limit']:g} s"}
        except Exception as error:  # pylint: disable=broad-except
            answer = {"why": f"{type(error).__name__}: {(str(error) + chr(10)).splitlines()[0][:80]}"}
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
