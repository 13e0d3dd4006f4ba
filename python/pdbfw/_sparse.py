"""Sparse linear models: classification and regression over the l1 ball."""

import os
from dataclasses import asdict, dataclass, replace
from functools import partial
from numbers import Integral
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_array, check_consistent_length, compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._core import InputError
from ._data import as_features, as_matrix, as_numbers, plain, problem_arrays
from ._estimator import FLOATS, SPARSE, CertifiedModel, keep, settings_of
from ._joint import fit_jointly
from ._parameters import documented, keeps_parameters
from ._progress import watched
from ._scores import predicted_places
from ._solve import CLASS_LOSSES, PenaltyPoint, _told_of_path, largest_alpha, solve, solve_path, solve_penalised

# The ends of a path: the penalty of the largest radius, as a share of the smallest penalty that leaves no weight, and
# the smallest radius, as a share of the largest. Both are a thousandth, as in scikit-learn's LassoCV and `path_radii`.
SMALLEST = 1e-3
# The number of radii on the path that `most_features` searches: each radius is about a seventh above the last.
FINE_POINTS = 50


def checked_weights(sample_weight, X):
    """One float64 number per sample, or None; a number is the weight of every sample."""
    if sample_weight is None:
        return None
    if np.isscalar(sample_weight):
        sample_weight = np.full(X.shape[0], sample_weight)
    weight = check_array(sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight")
    if weight.ndim != 1:
        raise InputError(f"sample_weight: an array of {weight.ndim} dimensions breaks the rule: one number per sample")
    check_consistent_length(weight, X)
    if not weight.any():
        raise InputError("sample_weight: all zero breaks the rule: some weights > 0")
    return weight


@dataclass(frozen=True)
class Outputs:
    """What is learnt from: one vector of targets per output, all on the same data."""

    X: Any
    y: np.ndarray  # the place of every sample's class, or the targets
    targets: list[np.ndarray]
    weight: np.ndarray | None  # what each sample counts in the objective, class weights included
    sample_weight: np.ndarray | None  # as the caller gave it


class _SparseModel(CertifiedModel):
    """The fit and the scores of a linear model of one or several outputs."""

    def _problem(self):
        """What is minimised, but for the radius, as `solve` takes it."""
        return dict(loss=self.loss, set="nonnegative" if self.positive else "l1", ridge=self.ridge,
                    intercept=bool(self.fit_intercept), standardise=bool(self.standardise),
                    penalty_weight=self.penalty_weight, free_features=self.free_features, **self._loss_settings())

    def _each(self, outputs, run, told, **shown):
        """``run(target, k, callback)`` for every output, while it is shown how far it is."""
        count = len(outputs.targets)
        return [watched(partial(run, target, k), verbose=self.verbose, tol=self.tol, told=told,
                        label="" if count == 1 else f"class {k + 1} of {count}: ", **shown)
                for k, target in enumerate(outputs.targets)]

    def _fit_stated(self, outputs):
        """As large as the parameters say: by a number of features, else by a penalty, else by a radius."""
        if self.most_features is not None:
            return self._with_few_features(outputs)
        if self.alpha is not None:
            return self._penalised(outputs, self.alpha)
        return self._in_ball(outputs, self.radius)

    def _in_ball(self, outputs, radius):
        """Every output in a ball of this radius."""
        matrix = as_matrix(outputs.X)
        starts = self._starts(outputs.X.shape, len(outputs.targets))

        def run(target, k, between):
            return solve(matrix, target, radius=radius, sample_weight=outputs.weight, start=starts[k], callback=between,
                         **self._problem(), **settings_of(self))

        results = self._each(outputs, run, lambda result: result._told())
        return [PenaltyPoint(None, float(radius), result, result.certificate) for result in results]

    def _penalised(self, outputs, alpha):
        """Every output with this penalty."""
        matrix = as_matrix(outputs.X)

        def run(target, _, between):
            return PenaltyPoint(float(alpha), *solve_penalised(
                matrix, target, alpha, sample_weight=outputs.weight, callback=between, **self._problem(),
                **settings_of(self)))

        return self._each(outputs, run, lambda found: found.result._told())

    def _with_few_features(self, outputs):
        """The largest radius of a path at which all outputs together have at most `most_features` features."""
        if not (isinstance(self.most_features, Integral) and self.most_features >= 0):
            raise InputError(f"most_features: {self.most_features!r} breaks the rule: an integer >= 0")
        matrix = as_matrix(outputs.X)
        radii = self._radii(matrix, outputs, FINE_POINTS)

        def run(target, _, between):
            return solve_path(matrix, target, radii, sample_weight=outputs.weight, callback=between, **self._problem(),
                              **settings_of(self))

        paths = self._each(outputs, run, lambda path: _told_of_path([point.result for point in path]),
                           solves=radii.size)
        for points in reversed(list(zip(*paths))):
            count = np.count_nonzero(np.any([point.result.weights for point in points], axis=0))
            if count <= self.most_features:
                return [PenaltyPoint(None, radius, result, result.certificate) for radius, result in points]
        raise InputError(f"most_features: {self.most_features} breaks the rule: at least {count}, the features of the "
                         f"smallest radius, {radii[0]:.3g}")

    def _radii(self, matrix, outputs, points):
        """Each the same factor below the next one, up to where a larger one hardly matters for any output."""
        problem = dict(self._problem(), sample_weight=outputs.weight)
        settings = settings_of(self)
        largest = 0.0
        for target in outputs.targets:
            empty = largest_alpha(matrix, target, **problem, **settings)
            if empty > 0:
                # The range of the radii need not be known as well as the models.
                rough = {**settings, "tol": self.tol ** 0.8}
                found = solve_penalised(matrix, target, SMALLEST * empty, **problem, **rough)
                largest = max(largest, np.abs(found.result.x).sum())
        # The tolerance leaves the norm open; three digits are the same for all that solves the same problem.
        return float(f"{largest or 1.0:.2e}") * np.geomspace(SMALLEST, 1.0, points)

    def _keep_fits(self, outputs, fits):
        """Writes down what the outputs have in common; `fits` has one `PenaltyPoint` per output, of alpha None
        where the radius was given."""
        results = [fit.result for fit in fits]
        single = len(fits) == 1
        alpha = fits[0].alpha
        self.dual_point_ = results[0].y if single else np.stack([result.y for result in results])
        self.multiplier_ = results[0].multiplier if single else np.array([result.multiplier for result in results])
        # One of the two is the same for all outputs, the other follows.
        self.radius_ = np.array([fit.radius for fit in fits]) if alpha is not None and not single else fits[0].radius
        self.alpha_ = self.multiplier_ if alpha is None else alpha
        total = outputs.X.shape[0] if outputs.weight is None else outputs.weight.sum()
        self.ridge_ = _core.ridge_weight(str(self.ridge), total)
        self._is_weighted = outputs.weight is not None
        self._has_penalty_weight = self.penalty_weight is not None
        # What a model file states: a radius, and the proof of that problem.
        self._certificate_of_ball = results[0].certificate
        keep(self, [replace(fit.result, certificate=fit.certificate) for fit in fits])

    def _starts(self, shape, count):
        if not (self.warm_start and hasattr(self, "coef_")):
            return [None] * count
        coef = np.atleast_2d(self.coef_.toarray() if sp.issparse(self.coef_) else self.coef_)
        if coef.shape != (count, shape[1]):
            return [None] * count
        y = np.atleast_2d(self.dual_point_)
        multiplier = np.atleast_1d(self.multiplier_)
        # The dual point has one entry per sample, so that of other data is of no use.
        return [SimpleNamespace(weights=coef[k], y=y[k] if y.shape[1] == shape[0] else None, multiplier=multiplier[k])
                for k in range(count)]

    def _scores(self, X):
        """a_i'x + intercept: one column per output."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse=SPARSE, dtype=FLOATS)
        coef = np.atleast_2d(self.coef_.toarray() if sp.issparse(self.coef_) else self.coef_)
        matrix = as_matrix(X)
        scores = [matrix.times(as_numbers(row), threads=self.n_threads) for row in coef]
        return np.stack(scores, axis=1) + self.intercept_

    def sparsify(self):
        """Make ``coef_`` a sparse matrix, which takes less memory where most weights are zero.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        if not sp.issparse(self.coef_):
            self.coef_ = sp.csr_array(np.atleast_2d(self.coef_))
        return self

    def densify(self):
        """Make ``coef_`` an array again.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        if sp.issparse(self.coef_):
            self.coef_ = self._dense_coef(self.coef_.toarray())
        return self

    def save(self, path):
        """Write a model file, with certificate and proof: `load_model` and ``pdbfw predict`` read it.

        Parameters
        ----------
        path : str or path
            Written under another name first, so a failure leaves an old file as it was. A name that ends in ``.pdbm`` makes
            a mapped model, whose memory all processes share that predict with it.
        """
        check_is_fitted(self, "certificate_")
        coef = np.atleast_2d(self.coef_.toarray() if sp.issparse(self.coef_) else self.coef_)
        if coef.shape[0] != 1:
            raise InputError(f"classes: {coef.shape[0]} breaks the rule: two, a model file has one vector of weights")
        options = plain(dict(self._problem(), radius=self.radius_, ridge=self.ridge_))
        for name in ("penalty_weight", "free_features"):
            del options[name]
        _core.write_model(os.fspath(path), options, weights=as_numbers(coef),
                          intercept=float(np.ravel(self.intercept_)[0]), y=as_numbers(self.dual_point_),
                          labels=self._labels(), status=self.status_, certificate=asdict(self._certificate_of_ball),
                          has_sample_weight=self._is_weighted, has_penalty_weight=self._has_penalty_weight,
                          free_features=self._free_features())

    def _free_features(self):
        """All of them, ascending: those without a penalty too."""
        free = as_features([] if self.free_features is None else self.free_features)
        without = np.flatnonzero([] if self.penalty_weight is None else as_numbers(self.penalty_weight) == 0)
        return np.union1d(free, without).astype(np.int64)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@documented
class SparseClassifier(ClassifierMixin, _SparseModel):
    """A sparse linear classifier with a proof.

    Minimises ``(1/n) sum_i f(y_i (a_i'x + intercept)) + (ridge/2) |x|^2`` over ``|x|_1 <= radius``; several classes are
    told apart one against the rest, on one copy of the data. The losses "softmax" and "multiclass_hinge" learn a row of
    weights for every class jointly, with one certificate.

    Parameters
    ----------
    loss : {"smooth_hinge", "squared_hinge", "logistic", "softmax", "multiclass_hinge"}, default="smooth_hinge"
        "logistic" and "softmax" give probabilities.
    set : {"l1", "l1_per_class"}, default="l1"
        For classes learnt jointly: one ball for all weights, or one ball for the weights of each class.
    probability : bool, default=False
        Whether the hinges "smooth_hinge" and "squared_hinge" get probabilities too: Platt's sigmoid, fitted to the scores
        of samples that were held out, in five folds. "logistic" and "softmax" have theirs without.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The second for several classes, and for two that are learnt jointly.
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : int
        Iterations, of the class with most.
    dual_gap_ : float
        The certified relative duality gap, in the unit of `tol`; the largest, of several classes.
    certificate_ : Certificate, or a tuple with one per class
        A tuple for several classes one against the rest.
    status_ : str
        "converged", or why the fit ended before `tol`.
    history_ : structured ndarray, or a tuple with one per class
        How the gap fell.
    dual_point_ : ndarray of shape (n_samples,) or (n_classes, n_samples)
        The proof: `pdbfw.certify` computes the certificate again from it.
    multiplier_ : float, or ndarray of shape (n_classes,)
        Of the radius: the l1 penalty that has the same solution.
    radius_, alpha_ : float, or ndarray of shape (n_classes,)
        In force, and what it is the other way round: the radius of a penalty, the penalty of a radius.
    ridge_ : float
        In force.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pdbfw import SparseClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), SparseClassifier(radius=5)).fit(X, y)
    >>> model[-1].status_, model[-1].dual_gap_ <= 1e-4
    ('converged', True)
    >>> bool(model.score(X, y) > 0.97)
    True
    """

    @keeps_parameters
    def __init__(self, loss="smooth_hinge", *, set="l1", radius=100.0, alpha=None, most_features=None, ridge="1/n",
                 standardise=False, positive=False, penalty_weight=None, free_features=None, fit_intercept=True,
                 class_weight=None, smoothing=1.0, tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"),
                 probability=False, solver="auto", warm_start=False, random_state=None, n_threads=1, verbose=0):
        pass

    @documented
    def fit(self, X, y, sample_weight=None):
        """Learn the weights.

        Returns
        -------
        self
        """
        outputs = self._read(X, y, sample_weight)
        if self.loss in CLASS_LOSSES:
            return fit_jointly(self, outputs)
        if self.set != "l1":
            raise InputError(f"set: {self.set!r} breaks the rule: l1 for the loss {self.loss}")
        return self._learn(outputs, self._fit_stated(outputs))

    def _read(self, X, y, sample_weight):
        """The caller's data, checked."""
        X, y = validate_data(self, X, y, accept_sparse=SPARSE, dtype=FLOATS)
        check_classification_targets(y)
        self.classes_, place = np.unique(y, return_inverse=True)
        count = self.classes_.size
        if count < 2:
            raise InputError(f"y: {count} class breaks the rule: at least two classes")
        sample_weight = checked_weights(sample_weight, X)
        weight = self._combined_weights(sample_weight, y, place)
        positives = [1] if count == 2 else range(count)
        return Outputs(X, place, [np.where(place == k, 1.0, -1.0) for k in positives], weight, sample_weight)

    def _learn(self, outputs, fits):
        self._keep_fits(outputs, fits)
        self.coef_ = np.stack([fit.result.weights for fit in fits])
        self.intercept_ = np.array([fit.result.intercept for fit in fits])
        if getattr(self, "probability", False) and self.loss != "logistic":
            self.sigmoid_ = np.array(self._sigmoids(outputs, fits))
        return self

    def _sigmoids(self, outputs, fits):
        """Slope and offset that make a probability of the score of every output."""
        matrix = as_matrix(outputs.X)

        def run(target, k, between):
            problem = dict(self._problem(), radius=fits[k].radius, **settings_of(self))
            arrays = problem_arrays(sample_weight=outputs.weight, penalty_weight=problem.pop("penalty_weight"),
                                    free_features=problem.pop("free_features"))
            return _core.fit_sigmoid(matrix, as_numbers(target), plain(problem), arrays, callback=between)

        return self._each(outputs, run, lambda sigmoid: f"probability: slope {sigmoid[0]:.3g}, offset {sigmoid[1]:.3g}")

    def _combined_weights(self, weight, y, place):
        if self.class_weight is not None:
            # "balanced" counts every sample once for its weight.
            if isinstance(self.class_weight, str) and self.class_weight == "balanced":
                mass = np.bincount(place, weights=weight, minlength=self.classes_.size)
                factor = mass.sum() / (self.classes_.size * np.where(mass > 0, mass, 1))
            else:
                factor = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
            weight = factor[place] if weight is None else weight * factor[place]
        if weight is not None:
            mass = np.bincount(place, weights=weight, minlength=self.classes_.size)
            if not mass.all():
                raise InputError(f"sample_weight: all zero for class {self.classes_.tolist()[np.argmin(mass)]!r} breaks "
                                 "the rule: some weight > 0 in every class")
        return weight

    def _loss_settings(self):
        return {"smoothing": self.smoothing}

    def _labels(self):
        if self.classes_.dtype.kind not in "biuf":
            raise InputError(f"classes: {self.classes_[0]!r} and {self.classes_[1]!r} breaks the rule: two numbers, "
                             "which a model file can hold")
        return tuple(map(float, self.classes_))

    @staticmethod
    def _dense_coef(coef):
        return coef

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Weights of one sign cannot tell every pair of classes apart.
        tags.classifier_tags.poor_score = bool(self.positive)
        return tags

    @documented
    def decision_function(self, X):
        """Scores: above 0 for the second class, or one column per class.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._scores(X)
        if self.classes_.size > 2:
            return scores
        return scores[:, 0] if scores.shape[1] == 1 else scores[:, 1] - scores[:, 0]

    @documented
    def predict(self, X):
        """The class with the largest score.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        places = predicted_places(self.decision_function(X))
        return self.classes_[places]

    @available_if(lambda self: self.loss in ("logistic", "softmax") or
                  (getattr(self, "probability", False) and self.loss not in CLASS_LOSSES))
    @documented
    def predict_proba(self, X):
        """Probabilities, of the losses logistic and softmax, and of the hinges with `probability`.

        One against the rest, those of several classes are scaled to sum to 1.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        if self.loss == "softmax":
            return softmax(self._scores(X), axis=1)
        scores = self._scores(X)
        if self.loss != "logistic":
            scores = scores * self.sigmoid_[:, 0] + self.sigmoid_[:, 1]
        chance = expit(scores)
        if chance.shape[1] == 1:
            return np.hstack([1 - chance, chance])
        total = chance.sum(axis=1, keepdims=True)
        return np.where(total > 0, chance / np.where(total > 0, total, 1), 1 / chance.shape[1])


@documented
class SparseRegressor(RegressorMixin, _SparseModel):
    """A sparse linear regression with a proof.

    Minimises ``(1/n) sum_i f(a_i'x + intercept - y_i) + (ridge/2) |x|^2`` over ``|x|_1 <= radius``, where f is half the
    square, or Huber's loss. With ridge 0 it is the Lasso in its constrained form, and ``alpha_`` is the Lasso's alpha.

    Parameters
    ----------
    loss : {"squared", "huber"}, default="squared"

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_, radius_, alpha_, ridge_
        As those of `SparseClassifier` for two classes.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from pdbfw import SparseRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = SparseRegressor(radius=1000, ridge=0, tol=1e-6).fit(X, y)
    >>> model.status_, int((model.coef_ != 0).sum())
    ('converged', 4)
    """

    @keeps_parameters
    def __init__(self, loss="squared", *, radius=100.0, alpha=None, most_features=None, ridge="1/n", standardise=False,
                 positive=False, penalty_weight=None, free_features=None, fit_intercept=True, huber_width=1.0,
                 tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"), solver="auto", warm_start=False,
                 random_state=None, n_threads=1, verbose=0):
        pass

    @documented
    def fit(self, X, y, sample_weight=None):
        """Learn the weights.

        Returns
        -------
        self
        """
        outputs = self._read(X, y, sample_weight)
        return self._learn(outputs, self._fit_stated(outputs))

    def _read(self, X, y, sample_weight):
        """The caller's data, checked."""
        X, y = validate_data(self, X, y, accept_sparse=SPARSE, dtype=FLOATS, y_numeric=True)
        weight = checked_weights(sample_weight, X)
        return Outputs(X, y, [y], weight, weight)

    def _learn(self, outputs, fits):
        self._keep_fits(outputs, fits)
        [fit] = fits
        self.coef_, self.intercept_ = fit.result.weights, fit.result.intercept
        return self

    def _loss_settings(self):
        return {"huber_width": self.huber_width}

    @staticmethod
    def _labels():
        return None

    @staticmethod
    def _dense_coef(coef):
        return coef[0]

    @documented
    def predict(self, X):
        """The predictions.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._scores(X)[:, 0]
