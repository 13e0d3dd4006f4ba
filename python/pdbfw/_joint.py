"""Several classes learnt jointly, with sparse weights: what SparseClassifier does for the losses of classes."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from . import _core
from ._data import as_matrix, as_numbers, as_table, plain
from ._estimator import keep, settings_of
from ._progress import watched
from ._result import Outcome, _common


@dataclass(frozen=True, repr=False)
class JointResult(Outcome):
    """`coef` has one row per class; `y` is the dual point, one column per class."""

    coef: np.ndarray
    intercepts: np.ndarray
    y: np.ndarray

    def _shape(self):
        return f"{np.count_nonzero(self.coef)} of {self.coef.size} weights not zero"


# What is said of one vector of weights, and has no meaning yet for one per class.
_REFUSED = {"alpha": None, "most_features": None, "standardise": False, "positive": False, "penalty_weight": None,
            "free_features": None}


def fit_jointly(estimator, outputs):
    """Fits a SparseClassifier on classes 0 .. K-1; leaves behind what a fit leaves behind."""
    for name, default in _REFUSED.items():
        if getattr(estimator, name) is not default:
            raise _core.InputError(f"{name}: {getattr(estimator, name)!r} breaks the rule: {default} for the loss "
                                   f"{estimator.loss}, which learns all classes jointly")
    X, weight = outputs.X, outputs.weight
    options = plain(dict(loss=estimator.loss, set=estimator.set, radius=estimator.radius, ridge=estimator.ridge,
                         intercept=bool(estimator.fit_intercept), smoothing=estimator.smoothing, **settings_of(estimator)))
    classes = estimator.classes_.size
    matrix, place = as_matrix(X), np.ascontiguousarray(outputs.y, dtype=np.int64)
    begin = _start(estimator, X.shape, classes)

    def run(between):
        given = _core.solve_joint(matrix, place, classes, options, callback=between,
                                  sample_weight=None if weight is None else as_numbers(weight), **begin)
        return JointResult(**_common(given), coef=given["coef"], intercepts=given["intercepts"], y=given["y"])

    result = watched(run, verbose=estimator.verbose, tol=estimator.tol, told=lambda found: found._told())
    estimator.coef_, estimator.intercept_ = result.coef, result.intercepts
    estimator.dual_point_ = np.ascontiguousarray(result.y.T)
    estimator.multiplier_ = estimator.alpha_ = result.multiplier
    estimator.radius_ = float(estimator.radius)
    estimator.ridge_ = _core.ridge_weight(str(estimator.ridge), X.shape[0] if weight is None else weight.sum())
    keep(estimator, [result])
    return estimator


def _start(estimator, shape, classes):
    """Where the last fit ended, if it was one of the same shape."""
    if not (estimator.warm_start and hasattr(estimator, "coef_")):
        return {}
    coef = estimator.coef_.toarray() if sp.issparse(estimator.coef_) else estimator.coef_
    if coef.shape != (classes, shape[1]):
        return {}
    y = estimator.dual_point_
    return {"coef": as_table(coef), "Y": as_table(y.T) if y.shape == (classes, shape[0]) else None}
