"""Sparse linear models whose radius is found by cross-validation."""

import warnings
from functools import partial
from numbers import Integral

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import check_cv

from . import _core
from ._core import InputError
from ._cross_validation import CrossValidation, summarise
from ._data import as_matrix, as_numbers
from ._estimator import depth_to_caller, seed_of, settings_of
from ._parameters import documented, keeps_parameters
from ._progress import watched
from ._scores import OF_CLASSES, OF_NUMBERS, find_score
from ._solve import _told_of_path, solve_path
from ._sparse import SparseClassifier, SparseRegressor

RULES = ("best", "one_standard_error")


class _ChosenRadius:
    """The choice of the radius. It comes before the model in the list of base classes."""

    alpha = most_features = None  # parameters of the model: here a radius is chosen

    def _choose(self, outputs, groups):
        """The cross-validation, over rows of all outputs at once."""
        if self.rule not in RULES:
            raise InputError(f"rule: {self.rule!r} breaks the rule: {' | '.join(RULES)}")
        name, score, larger_is_better = find_score(self.scoring, OF_CLASSES if is_classifier(self) else OF_NUMBERS,
                                                   self.loss)
        splits = self._splits(outputs, groups)
        matrix = as_matrix(outputs.X)
        radii = self._radii(matrix, outputs, self._points()) if self.radii is None else np.sort(as_numbers(self.radii))
        of_fold, gaps = [], [0.0]
        for k, (train, test) in enumerate(splits, 1):
            paths = self._paths(matrix, outputs, radii, train, f"fold {k} of {len(splits)}: ")
            gaps += [point.result.certificate.relative_gap for path in paths for point in path]
            of_fold.append(_held_out(matrix, outputs, paths, test, score, self.n_threads))
        return summarise(name, larger_is_better, radii, np.array(of_fold), max(gaps))

    def _splits(self, outputs, groups):
        """Pairs of rows to learn from and rows to score."""
        rows = outputs.X.shape[0]
        if groups is not None and np.shape(groups) != (rows,):
            raise InputError(f"groups: an array of shape {np.shape(groups)} breaks the rule: one for each of {rows} "
                             "samples")
        if not isinstance(self.cv, Integral):
            return list(check_cv(self.cv, outputs.y, classifier=is_classifier(self)).split(outputs.X, outputs.y,
                                                                                           groups))
        if self.cv > rows:
            raise InputError(f"cv: {self.cv} folds breaks the rule: at most one per sample, and n_samples={rows}")
        places = None if groups is None else np.unique(groups, return_inverse=True)[1].astype(np.int64)
        fold = _core.make_folds(as_numbers(outputs.y), int(self.cv), seed_of(self.random_state), places)
        return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(self.cv)]

    def _points(self):
        if not (isinstance(self.points, Integral) and 1 <= self.points <= 100_000):
            raise InputError(f"points: {self.points!r} breaks the rule: an integer, 1 .. 100,000")
        return int(self.points)

    def _paths(self, matrix, outputs, radii, train, label):
        """One path per output, learnt from these rows; a row that comes twice counts twice."""
        weight = np.bincount(train, minlength=outputs.X.shape[0]).astype(np.float64)
        if outputs.weight is not None:
            weight *= outputs.weight
        if is_classifier(self):
            mass = np.bincount(outputs.y, weights=weight, minlength=self.classes_.size)
            if not mass.all():
                raise InputError(f"cv: a fold to learn from without class {self.classes_.tolist()[np.argmin(mass)]!r} "
                                 "breaks the rule: some of every class, with a weight > 0")

        def run(target, between):
            return solve_path(matrix, target, radii, sample_weight=weight, callback=between, **self._problem(),
                              **settings_of(self))

        return [watched(partial(run, target), verbose=self.verbose, tol=self.tol, label=label, solves=len(radii),
                        told=lambda points: _told_of_path([point.result for point in points]))
                for target in outputs.targets]

    @documented
    def fit(self, X, y, sample_weight=None, groups=None):
        """Find the radius, and learn the weights.

        Returns
        -------
        self
        """
        outputs = self._read(X, y, sample_weight)
        found = self._choose(outputs, groups)
        self.cross_validation_ = found
        self.radii_ = found.radii
        self.cv_results_ = {"radii": found.radii, "mean": found.mean, "standard_error": found.standard_error,
                            "of_fold": found.of_fold}
        self._learn(outputs, self._in_ball(outputs, found.radii[getattr(found, self.rule)]))
        if found.largest_relative_gap > float(self.tol):
            warnings.warn(
                f"{type(self).__name__}: a fold stopped before the tolerance: relative duality gap "
                f"{found.largest_relative_gap:.3g} > tol {float(self.tol):.3g}. Raise max_iter or max_seconds, scale "
                "the features, or ask for a larger tol.", ConvergenceWarning, stacklevel=depth_to_caller())
        return self

    def _summary(self):
        rows = super()._summary()
        if rows:
            found = self.cross_validation_
            place = getattr(found, self.rule)
            rows.append(("radius", f"{self.radius_:.6g}, the {self.rule} of {found.radii.size}: {found.score} "
                                   f"{found.mean[place]:.4g} +- {found.standard_error[place]:.2g}"))
        return rows


def _held_out(matrix, outputs, paths, test, score, threads):
    """The score of every radius on these rows."""
    weight = outputs.sample_weight
    if weight is not None:
        test = test[weight[test] > 0]
        weight = weight[test]
    if test.size == 0:
        raise InputError("cv: a fold without samples breaks the rule: some with a weight > 0 in each")
    scores = []
    for points in zip(*paths):
        table = np.stack([matrix.times(point.result.weights, threads=threads)[test] + point.result.intercept
                          for point in points], axis=1)
        scores.append(score(table, outputs.y[test], weight))
    return scores


@documented
class SparseClassifierCV(_ChosenRadius, SparseClassifier):
    """A `SparseClassifier` whose radius is found by cross-validation.

    Every fold is a path of radii, each solved from where the last one ended and certified; the folds share the data in
    memory. The model is then learnt from all samples with the radius chosen. Several classes, each against the rest,
    have one radius in common: the score is that of the predictions which they make together.

    Parameters
    ----------
    loss : {"smooth_hinge", "squared_hinge", "logistic"}, default="smooth_hinge"
        "logistic" gives probabilities.
    scoring : {"auto", "accuracy", "auc", "f1", "log_loss"}, default="auto"
        What is compared, on the samples held out, by their `sample_weight`; "auto" is accuracy. auc and f1 of several
        classes are the means over the classes. log_loss is for the loss logistic.

    Attributes
    ----------
    radius_ : float
        The one that was chosen.
    radii_ : ndarray of shape (n_radii,)
        Those that were tried, ascending.
    cv_results_ : dict
        radii, mean and standard_error of shape (n_radii,), of_fold of shape (n_folds, n_radii).
    cross_validation_ : CrossValidation
        The same as `cross_validate` gives it, with the largest certified gap of all folds.
    classes_, coef_, intercept_, n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_, \
alpha_, ridge_
        Of the fit on all samples, as those of `SparseClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pdbfw import SparseClassifierCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), SparseClassifierCV("logistic", scoring="auc")).fit(X, y)
    >>> model[-1].status_, bool(model[-1].cv_results_["mean"].max() > 0.99)
    ('converged', True)
    """

    @keeps_parameters
    def __init__(self, loss="smooth_hinge", *, radii=None, points=20, cv=5, scoring="auto", rule="best", ridge="1/n",
                 standardise=False, positive=False, penalty_weight=None, free_features=None, fit_intercept=True,
                 class_weight=None, smoothing=1.0, tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"),
                 solver="auto", warm_start=False, random_state=None, n_threads=1, verbose=0):
        pass


@documented
class SparseRegressorCV(_ChosenRadius, SparseRegressor):
    """A `SparseRegressor` whose radius is found by cross-validation.

    Every fold is a path of radii, each solved from where the last one ended and certified; the folds share the data in
    memory. The model is then learnt from all samples with the radius chosen.

    Parameters
    ----------
    loss : {"squared", "huber"}, default="squared"
    scoring : {"auto", "rmse", "r2"}, default="auto"
        What is compared, on the samples held out, by their `sample_weight`; "auto" is rmse.

    Attributes
    ----------
    radius_, radii_, cv_results_, cross_validation_
        As those of `SparseClassifierCV`.
    coef_, intercept_, n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_, alpha_, ridge_
        Of the fit on all samples, as those of `SparseRegressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from pdbfw import SparseRegressorCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = SparseRegressorCV(ridge=0, rule="one_standard_error").fit(X, y)
    >>> model.status_, bool(model.score(X, y) > 0.4), bool(500 < model.radius_ < 2000)
    ('converged', True, True)
    """

    @keeps_parameters
    def __init__(self, loss="squared", *, radii=None, points=20, cv=5, scoring="auto", rule="best", ridge="1/n",
                 standardise=False, positive=False, penalty_weight=None, free_features=None, fit_intercept=True,
                 huber_width=1.0, tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"), solver="auto",
                 warm_start=False, random_state=None, n_threads=1, verbose=0):
        pass
