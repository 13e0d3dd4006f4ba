"""Sparse linear models whose radius or penalty is found by cross-validation."""

import warnings
from functools import partial
from numbers import Integral

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import check_cv

from . import _core
from ._core import InputError
from ._cross_validation import CrossValidation, is_by_alpha, summarise
from ._data import as_matrix, as_numbers
from ._estimator import depth_to_caller, seed_of, settings_of
from ._parameters import documented, keeps_parameters
from ._progress import watched
from ._scores import OF_CLASSES, OF_NUMBERS, find_score
from ._solve import _told_of_path, largest_alpha, solve_path, solve_penalties
from ._sparse import SMALLEST, SparseClassifier, SparseRegressor

RULES = ("best", "one_standard_error")


class _ChosenByFolds:
    """The choice of the radius or the penalty. It comes before the model in the list of base classes."""

    alpha = most_features = None  # parameters of the model: here one is chosen

    def _choose(self, outputs, groups):
        """The cross-validation, over rows of all outputs at once."""
        if self.rule not in RULES:
            raise InputError(f"rule: {self.rule!r} breaks the rule: {' | '.join(RULES)}")
        name, score, larger_is_better = find_score(self.scoring, OF_CLASSES if is_classifier(self) else OF_NUMBERS,
                                                   self.loss)
        splits = self._splits(outputs, groups)
        matrix = as_matrix(outputs.X)
        by_alpha = is_by_alpha(self.by, self.radii, self.alphas)
        values = self._values(matrix, outputs, by_alpha)
        of_fold, gaps = [], [0.0]
        for k, (train, test) in enumerate(splits, 1):
            paths = self._paths(matrix, outputs, values, by_alpha, train, f"fold {k} of {len(splits)}: ")
            gaps += [proof.relative_gap for path in paths for _, proof in path]
            of_fold.append(_held_out(matrix, outputs, paths, test, score, self.n_threads))
        return summarise(name, larger_is_better, values, by_alpha, np.array(of_fold), max(gaps))

    def _values(self, matrix, outputs, by_alpha):
        """What is compared, the sparsest model first."""
        given = self.alphas if by_alpha else self.radii
        if given is not None:
            return np.sort(as_numbers(given))[:: -1 if by_alpha else 1]
        points = self._points()
        if not by_alpha:
            return self._radii(matrix, outputs, points)
        problem = dict(self._problem(), sample_weight=outputs.weight, **settings_of(self))
        largest = max(largest_alpha(matrix, target, **problem) for target in outputs.targets)
        if largest <= 0:
            raise InputError("alphas: none breaks the rule: data of which some feature explains something")
        return largest * np.geomspace(1.0, SMALLEST, points)

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

    def _paths(self, matrix, outputs, values, by_alpha, train, label):
        """One path of (result, certificate) per output, learnt from these rows; one that comes twice counts twice."""
        weight = np.bincount(train, minlength=outputs.X.shape[0]).astype(np.float64)
        if outputs.weight is not None:
            weight *= outputs.weight
        if is_classifier(self):
            mass = np.bincount(outputs.y, weights=weight, minlength=self.classes_.size)
            if not mass.all():
                raise InputError(f"cv: a fold to learn from without class {self.classes_.tolist()[np.argmin(mass)]!r} "
                                 "breaks the rule: some of every class, with a weight > 0")

        def run(target, between):
            problem = dict(self._problem(), sample_weight=weight, callback=between, **settings_of(self))
            if by_alpha:
                points = solve_penalties(matrix, target, values, stops_early=False, **problem)
                return [(point.result, point.certificate) for point in points]
            return [(point.result, point.result.certificate) for point in solve_path(matrix, target, values, **problem)]

        return [watched(partial(run, target), verbose=self.verbose, tol=self.tol, label=label, solves=len(values),
                        told=lambda points: _told_of_path([result for result, _ in points]))
                for target in outputs.targets]

    @documented
    def fit(self, X, y, sample_weight=None, groups=None):
        """Find the radius or the penalty, and learn the weights.

        Returns
        -------
        self
        """
        outputs = self._read(X, y, sample_weight)
        found = self._choose(outputs, groups)
        self.cross_validation_ = found
        self.radii_, self.alphas_ = found.radii, found.alphas
        by_alpha = found.radii is None
        self.cv_results_ = {"alphas" if by_alpha else "radii": found.values, "mean": found.mean,
                            "standard_error": found.standard_error, "of_fold": found.of_fold}
        chosen = found.values[getattr(found, self.rule)]
        self._learn(outputs, (self._penalised if by_alpha else self._in_ball)(outputs, chosen))
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
            rows.append(("alpha" if found.radii is None else "radius",
                         f"{found.values[place]:.6g}, the {self.rule} of {found.values.size}: {found.score} "
                         f"{found.mean[place]:.4g} +- {found.standard_error[place]:.2g}"))
        return rows


def _held_out(matrix, outputs, paths, test, score, threads):
    """The score of every radius or penalty on these rows."""
    weight = outputs.sample_weight
    if weight is not None:
        test = test[weight[test] > 0]
        weight = weight[test]
    if test.size == 0:
        raise InputError("cv: a fold without samples breaks the rule: some with a weight > 0 in each")
    scores = []
    for points in zip(*paths):
        table = np.stack([matrix.times(result.weights, threads=threads)[test] + result.intercept
                          for result, _ in points], axis=1)
        scores.append(score(table, outputs.y[test], weight))
    return scores


@documented
class SparseClassifierCV(_ChosenByFolds, SparseClassifier):
    """A `SparseClassifier` whose radius or penalty is found by cross-validation.

    Every fold is a path of radii, or of penalties, each solved from where the last one ended and certified; the folds share the data in
    memory. The model is then learnt from all samples with the one chosen. Several classes, each against the rest,
    have one in common: the score is that of the predictions which they make together.

    Parameters
    ----------
    loss : {"smooth_hinge", "squared_hinge", "logistic"}, default="smooth_hinge"
        "logistic" gives probabilities.
    scoring : {"auto", "accuracy", "auc", "f1", "log_loss"}, default="auto"
        What is compared, on the samples held out, by their `sample_weight`; "auto" is accuracy. auc and f1 of several
        classes are the means over the classes. log_loss is for the loss logistic.

    Attributes
    ----------
    radius_, alpha_ : float, or ndarray of shape (n_classes,)
        The one that was chosen, and what it is the other way round.
    radii_ : ndarray of shape (n_radii,), or None
        Those that were tried, ascending.
    alphas_ : ndarray of shape (n_alphas,), or None
        Those that were tried, descending.
    cv_results_ : dict
        radii or alphas, mean and standard_error of shape (n_radii,), of_fold of shape (n_folds, n_radii).
    cross_validation_ : CrossValidation
        The same as `cross_validate` gives it, with the largest certified gap of all folds.
    classes_, coef_, intercept_, n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_, \
ridge_
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
    def __init__(self, loss="smooth_hinge", *, by="radius", radii=None, alphas=None, points=20, cv=5, scoring="auto", rule="best", ridge="1/n",
                 standardise=False, positive=False, penalty_weight=None, free_features=None, fit_intercept=True,
                 class_weight=None, smoothing=1.0, tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"),
                 solver="auto", warm_start=False, random_state=None, n_threads=1, verbose=0):
        pass


@documented
class SparseRegressorCV(_ChosenByFolds, SparseRegressor):
    """A `SparseRegressor` whose radius or penalty is found by cross-validation.

    Every fold is a path of radii, or of penalties, each solved from where the last one ended and certified; the folds
    share the data in memory. The model is then learnt from all samples with the one chosen. With ``by="alpha"`` and
    ``ridge=0`` it is scikit-learn's ``LassoCV``.

    Parameters
    ----------
    loss : {"squared", "huber"}, default="squared"
    scoring : {"auto", "rmse", "r2"}, default="auto"
        What is compared, on the samples held out, by their `sample_weight`; "auto" is rmse.

    Attributes
    ----------
    radius_, alpha_, radii_, alphas_, cv_results_, cross_validation_
        As those of `SparseClassifierCV`.
    coef_, intercept_, n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_, ridge_
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
    def __init__(self, loss="squared", *, by="radius", radii=None, alphas=None, points=20, cv=5, scoring="auto", rule="best", ridge="1/n",
                 standardise=False, positive=False, penalty_weight=None, free_features=None, fit_intercept=True,
                 huber_width=1.0, tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"), solver="auto",
                 warm_start=False, random_state=None, n_threads=1, verbose=0):
        pass
