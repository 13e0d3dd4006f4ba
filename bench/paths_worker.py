"""Answers the questions of bench/paths.py, one JSON object a line, in a process that the caller can end.

Every question has the fields of a data set (`family`, `seed`, `scale`, `folder`), a loss, `tol` and `limit`, and

    {"do": "path"}                              the cost of a path, and of one solve at its smallest penalty
    {"do": "ours"}                              cross-validation by pdbfw
    {"do": "peer", "peer": NAME, "rung": TOL}   by another library, and the largest gap of all its points
"""

import json
import os
import pathlib
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp

import population_families
from population_worker import objective

POINTS, SMALLEST = 100, 0.01
FOLDS, CV_POINTS = 5, 50
REFERENCE_TOL = 1e-9
QUICK_SECONDS, REPEATS = 0.5, 3  # what takes less is measured again, and the best time counts


def timed(work):
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
        if best > QUICK_SECONDS:
            break
    return found, best


def skglm_solver(loss, tol):
    from skglm.datafits import Logistic, Quadratic
    from skglm.solvers import AndersonCD, ProxNewton
    from skglm.utils.jit_compilation import compiled_clone

    if loss == "squared":
        return AndersonCD(tol=tol, max_iter=1000, warm_start=True), compiled_clone(Quadratic())
    return ProxNewton(tol=tol, max_iter=1000, warm_start=True), compiled_clone(Logistic())


def skglm_path(X, y, alphas, loss, tol):
    """Weights of every penalty, each from where the last one ended; the last column of the result is the intercept."""
    from skglm.penalties import L1
    from skglm.utils.jit_compilation import compiled_clone

    X = X.tocsc() if sp.issparse(X) else np.asfortranarray(X)
    solver, datafit = skglm_solver(loss, tol)
    penalty = compiled_clone(L1(float(alphas[0])))
    w, Xw, path = np.zeros(X.shape[1] + 1), np.zeros(X.shape[0]), []
    for alpha in alphas:
        penalty.alpha = float(alpha)
        solver.tol = tol * alpha  # its tolerance is for the violation of the optimality conditions
        w = solver.solve(X, y, datafit, penalty, w, Xw)[0]
        Xw = X @ w[:-1] + w[-1]
        path.append(w.copy())
    return np.array(path)


def score(loss, p, b):
    return np.mean((p - b) ** 2) if loss == "squared" else -np.mean((p > 0) == (b > 0))


def skglm_cv(X, y, alphas, splits, loss, tol):
    mean, paths = np.zeros(len(alphas)), []
    for train, test in splits:
        path = skglm_path(X[train], y[train], alphas, loss, tol)
        mean += [score(loss, X[test] @ w[:-1] + w[-1], y[test]) for w in path]
        paths.append(path)
    best = int(np.argmin(mean))
    return skglm_path(X, y, alphas[best:best + 1], loss, tol), paths


class Bench:
    def __init__(self):
        self.key, self.proven = None, {}

    def load(self, question):
        key = question["family"], question["seed"], question["scale"], question["loss"]
        if key != self.key:
            folder = pathlib.Path(question["folder"]) if question["folder"] else None
            X, numbers, labels = population_families.make_data(*key[:3], folder)
            rows = np.random.default_rng(0).permutation(X.shape[0])[: X.shape[0] // FOLDS * FOLDS]  # in equal folds
            self.X, self.y = X[rows], (numbers if key[3] == "squared" else labels)[rows]
            fold = np.arange(rows.size) % FOLDS
            self.splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(FOLDS)]
            self.key, self.proven = key, None
        return self.X, self.y, question["loss"]

    @staticmethod
    def problem(question, tol=None):
        return {"loss": question["loss"], "intercept": True, "ridge": 0, "threads": 1, "tol": tol or question["tol"]}

    def alphas(self, X, y, loss, points):
        import pdbfw

        return pdbfw.path_alphas(X, y, loss=loss, intercept=True, ridge=0, points=points, smallest=SMALLEST)

    def path(self, question):
        import pdbfw

        X, y, loss = self.load(question)
        alphas, problem = self.alphas(X, y, loss, POINTS), self.problem(question)
        _, one = timed(lambda: pdbfw.solve_penalised(X, y, alphas[-1], **problem))
        points, path = timed(lambda: pdbfw.solve_penalties(X, y, alphas, stops_early=False, **problem))
        return {
            "n": X.shape[0],
            "d": X.shape[1],
            "one": one,
            "path": path,
            "ratio": path / one,
            "certified": sum(point.certificate.relative_gap <= question["tol"] for point in points),
            "support": int(np.count_nonzero(points[-1].result.weights)),
        }

    def ours(self, question):
        import pdbfw

        X, y, loss = self.load(question)
        given = {"alphas": self.alphas(X, y, loss, CV_POINTS), "cv": self.splits, "ridge": 0, "tol": question["tol"]}
        model = (pdbfw.SparseRegressorCV(**given) if loss == "squared"
                 else pdbfw.SparseClassifierCV("logistic", **given))
        found, seconds = timed(lambda: model.fit(X, y))
        gap = found.cross_validation_.largest_relative_gap
        return {"seconds": seconds, "gap": gap, "alpha": found.alpha_}

    def dual_values(self, question, alphas):
        import pdbfw

        if self.proven is None:
            X, y, _ = self.load(question)
            problem = self.problem(question, REFERENCE_TOL)
            self.proven = [[point.certificate.dual for point in pdbfw.solve_penalties(
                X[train], y[train], alphas, stops_early=False, **problem)] for train, _ in self.splits]
        return self.proven

    def peer(self, question):
        X, y, loss = self.load(question)
        alphas, tol = self.alphas(X, y, loss, CV_POINTS), question["rung"]
        fit = {"LassoCV": self.lasso_cv, "skglm": self.skglm}.get(question["peer"], self.logistic_cv)
        prepare = slice(None, 60)  # what is compiled at first use
        if loss == "squared" or np.unique(y[prepare]).size == 2:
            parts = [(np.arange(0, 40), np.arange(40, 60)), (np.arange(20, 60), np.arange(20))]
            try:
                fit(X[prepare], y[prepare], alphas[:2], parts, question, 0.1)
            except ValueError:
                pass  # too few of a class in so few rows
        paths, seconds = timed(lambda: fit(X, y, alphas, self.splits, question, tol))
        paths = paths()
        case, worst = {"loss": loss, "intercept": True}, 0.0
        for (train, _), path, duals in zip(self.splits, paths, self.dual_values(question, alphas)):
            for alpha, weights, dual in zip(alphas, path, duals):
                primal = objective(case, X[train], y[train], weights, 0.0, alpha)
                worst = max(worst, (primal - dual) / primal)
        return {"seconds": seconds, "gap": worst, "rung": tol}

    # Each is timed, and gives back how to find the weights of its folds.

    def lasso_cv(self, X, y, alphas, splits, _, tol):
        from sklearn.linear_model import LassoCV, lasso_path

        LassoCV(alphas=alphas, cv=splits, tol=tol, max_iter=100_000).fit(X, y)

        def paths():  # LassoCV keeps the scores alone; it finds them by this function
            for train, _ in splits:
                part = X[train]
                mean = np.asarray(part.mean(axis=0)).ravel()
                if sp.issparse(part):
                    options = {"X_offset": mean, "X_scale": np.ones(part.shape[1])}
                    part = part.tocsc()
                else:
                    options, part = {}, np.asfortranarray(part - mean)
                yield lasso_path(part, y[train] - y[train].mean(), alphas=alphas, tol=tol, max_iter=100_000,
                                 **options)[1].T

        return paths

    def logistic_cv(self, X, y, alphas, splits, question, tol):
        from sklearn.linear_model import LogisticRegressionCV

        solver = question["peer"].split(", ")[1]
        penalty = {"l1_ratios": [1.0]} if "penalty" not in LogisticRegressionCV().get_params() else {"penalty": "l1"}
        Cs = 1 / (alphas * len(splits[0][0]))
        model = LogisticRegressionCV(Cs=Cs, cv=splits, solver=solver, tol=tol, max_iter=10_000, random_state=0,
                                     intercept_scaling=1000 if solver == "liblinear" else 1, **penalty)
        model.fit(X, y)
        coefs = np.asarray(next(iter(model.coefs_paths_.values()))) if isinstance(model.coefs_paths_, dict) \
            else np.asarray(model.coefs_paths_)
        order = np.argsort(np.argsort(Cs))
        return lambda: [path[order][:, :X.shape[1]] for path in coefs.reshape(len(splits), len(Cs), -1)]

    def skglm(self, X, y, alphas, splits, question, tol):
        _, paths = skglm_cv(X, y, alphas, splits, question["loss"], tol)
        return lambda: [path[:, :-1] for path in paths]


def main():
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")  # whatever a library prints must not be taken for an answer
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    bench = Bench()
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = getattr(bench, question["do"])(question)
        except Exception as error:  # pylint: disable=broad-except
            answer = {"why": f"{type(error).__name__}: {(str(error) + chr(10)).splitlines()[0][:80]}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
