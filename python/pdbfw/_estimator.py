"""What all estimators share: settings by scikit-learn's names, and what a fit leaves behind."""

import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

# The types that the core reads in place.
FLOATS = [np.float64, np.float32]
SPARSE = ("csr", "csc")


def seed_of(random_state):
    """None is seed 0: the same data give the same bits, as everywhere in pdbfw."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def settings_of(estimator):
    """The settings of `solve` from an estimator's parameters."""
    return dict(tol=estimator.tol, solver=estimator.solver, max_iterations=estimator.max_iter,
                max_seconds=estimator.max_seconds, threads=estimator.n_threads, seed=seed_of(estimator.random_state))


def progress_printer(verbose):
    """A callback that says how far a fit is, or None; `verbose` = 2 prints every call, 1 about one a second."""
    if not verbose:
        return None
    last = -1.0

    def show(now):
        nonlocal last
        if verbose > 1 or now["seconds"] - last >= 1 or now["iteration"] == 0:
            last = now["seconds"]
            print(f"iteration {now['iteration']}, {now['seconds']:.2f} s, relative gap {now['relative_gap']:.3g}, "
                  f"non-zeros {now['nonzeros']}", file=sys.stderr)

    return show


def keep(estimator, results):
    """Writes down what the solves of a fit gave: one result, or one a class."""
    worst = max(results, key=lambda result: result.certificate.relative_gap)
    single = len(results) == 1
    missed = [result for result in results if result.status != "converged"]
    estimator.n_iter_ = max(result.work.iterations for result in results)
    estimator.dual_gap_ = worst.certificate.relative_gap
    estimator.certificate_ = worst.certificate if single else tuple(result.certificate for result in results)
    estimator.history_ = worst.trace if single else tuple(result.trace for result in results)
    estimator.status_ = worst.status
    if missed:
        which = "" if single else f" for {len(missed)} of {len(results)} classes"
        warnings.warn(
            f"{type(estimator).__name__} stopped before the tolerance{which}: relative duality gap "
            f"{worst.certificate.relative_gap:.3g} > tol {float(estimator.tol):.3g} ({worst.status}). Raise "
            "max_iter or max_seconds, scale the features, or ask for a larger tol.",
            ConvergenceWarning, stacklevel=3)
