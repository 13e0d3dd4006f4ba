"""What all estimators share: settings by scikit-learn's names, and what a fit leaves behind."""

import sys
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from ._result import html_table

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


class CertifiedModel(BaseEstimator):
    """An estimator that shows its certificate after fit, below what scikit-learn shows."""

    def _summary(self):
        """(name, text) of what a fit found; nothing before."""
        if not hasattr(self, "certificate_"):
            return []
        certificates = self.certificate_ if isinstance(self.certificate_, tuple) else (self.certificate_,)
        worst = max(certificates, key=lambda certificate: certificate.relative_gap)
        which = "" if len(certificates) == 1 else f" (the worst of {len(certificates)} classes)"
        return [("status", self.status_), ("certificate", f"{worst}{which}")]

    def __repr__(self, N_CHAR_MAX=700):
        lines = [f"  {name:<12} {text}" for name, text in self._summary()]
        return "\n".join([super().__repr__(N_CHAR_MAX), *lines])

    def _certificate_html(self):
        summary = self._summary()
        return html_table(summary) if summary else ""

    # Notebooks call one of these two, in every version of scikit-learn since 1.6.
    def _repr_html_inner(self):
        return super()._repr_html_inner() + self._certificate_html()

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += self._certificate_html()
        return bundle


def depth_to_caller():
    """The `stacklevel` of a warning that shall point at the caller's own line."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("pdbfw."):
        frame, depth = frame.f_back, depth + 1
    return depth


def keep(estimator, results):
    """Writes down what the solves of a fit gave: one result, or one per class."""
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
            ConvergenceWarning, stacklevel=depth_to_caller())
