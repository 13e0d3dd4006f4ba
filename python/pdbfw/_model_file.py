"""Model files of the tool, as estimators."""

import os

import numpy as np

from . import _core
from ._result import Certificate
from ._sparse import SparseClassifier, SparseRegressor


def load_model(path):
    """A fitted estimator from a model file of pdbfw, or of LIBLINEAR.

    Parameters
    ----------
    path : str or path
        Written by ``save`` of an estimator, by ``pdbfw train`` or by LIBLINEAR.

    Returns
    -------
    SparseClassifier or SparseRegressor
        With what the file has: weights and classes, and certificate, status and proof where it is pdbfw's own. Sample
        weights and `penalty_weight` are not in it: a new fit needs them again.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np, pdbfw
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> model = pdbfw.SparseClassifier(radius=3).fit(X, X[:, 0] > 0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(os.path.join(folder, "sign.model"))
    ...     again = pdbfw.load_model(os.path.join(folder, "sign.model"))
    >>> bool((again.predict(X) == model.predict(X)).all()), again.certificate_ == model.certificate_
    (True, True)
    """
    path = os.fspath(path)
    given = _core.read_model(path)
    problem = given["options"]
    for name, value, known in (("loss", problem["loss"], _core.losses()),
                               ("set", problem["set"], ["l1", "nonnegative"])):
        if value not in known:
            raise _core.InputError(f"{path}: {name}: '{value}' breaks the rule: {' | '.join(known)}")
    shared = dict(radius=problem["radius"], ridge=problem["ridge"], fit_intercept=problem["intercept"],
                  standardise=problem["standardise"], positive=problem["set"] == "nonnegative",
                  free_features=given["free_features"].tolist() or None)
    if given["labels"] is None:
        model = SparseRegressor(problem["loss"], huber_width=problem["huber_width"], **shared)
        model.coef_, model.intercept_ = given["weights"], given["intercept"]
    else:
        model = SparseClassifier(problem["loss"], smoothing=problem["smoothing"], **shared)
        model.coef_, model.intercept_ = given["weights"].reshape(1, -1), np.array([given["intercept"]])
        classes = np.array(given["labels"])
        model.classes_ = classes.astype(int) if (classes == classes.round()).all() else classes
    model.n_features_in_ = given["weights"].size
    model.radius_, model.ridge_ = problem["radius"], problem["ridge"]
    model._is_weighted, model._has_penalty_weight = given["has_sample_weight"], given["has_penalty_weight"]
    if given["certificate"] is not None:
        model.certificate_ = model._certificate_of_ball = Certificate(**given["certificate"])
        model.dual_gap_ = model.certificate_.relative_gap
    # Of a file without them nothing is known: a fit that begins here begins at the weights alone.
    model.status_ = given["status"]
    model.dual_point_ = np.empty(0) if given["y"] is None else given["y"]
    model.multiplier_ = 0.0
    return model
