"""Sparse linear models: classification and regression over the l1 ball."""

from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_array, check_consistent_length, compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._core import InputError
from ._data import as_matrix, as_numbers
from ._estimator import FLOATS, SPARSE, keep, progress_printer, settings_of
from ._solve import solve


def checked_weights(sample_weight, X):
    """One float64 number a sample, or None; a number is the weight of every sample."""
    if sample_weight is None:
        return None
    if np.isscalar(sample_weight):
        sample_weight = np.full(X.shape[0], sample_weight)
    weight = check_array(sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight")
    if weight.ndim != 1:
        raise InputError(f"sample_weight: an array of {weight.ndim} dimensions breaks the rule: one number a sample")
    check_consistent_length(weight, X)
    if not weight.any():
        raise InputError("sample_weight: all zero breaks the rule: some weights > 0")
    return weight


class _SparseModel(BaseEstimator):
    """The fit and the scores of a linear model of one or several outputs."""

    def _fit_outputs(self, X, targets, sample_weight):
        """One result for each row of `targets`, all on the same data."""
        matrix = as_matrix(X)
        starts = self._starts(X.shape, len(targets))
        return [
            solve(matrix, target, loss=self.loss, set="l1", radius=self.radius, ridge=self.ridge,
                  intercept=bool(self.fit_intercept), sample_weight=sample_weight, start=start,
                  callback=progress_printer(self.verbose), **self._loss_settings(), **settings_of(self))
            for target, start in zip(targets, starts)
        ]

    def _starts(self, shape, count):
        if not (self.warm_start and hasattr(self, "coef_")):
            return [None] * count
        coef = np.atleast_2d(self.coef_.toarray() if sp.issparse(self.coef_) else self.coef_)
        if coef.shape != (count, shape[1]):
            return [None] * count
        y = np.atleast_2d(self.dual_point_)
        multiplier = np.atleast_1d(self.multiplier_)
        # The dual point has an entry a sample: of other data it is no use.
        return [SimpleNamespace(x=coef[k], y=y[k] if y.shape[1] == shape[0] else None, multiplier=multiplier[k])
                for k in range(count)]

    def _scores(self, X):
        """a_i'x + intercept: one column an output."""
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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class SparseClassifier(ClassifierMixin, _SparseModel):
    """A sparse linear classifier with a proof.

    Minimises ``(1/n) sum_i f(y_i (a_i'x + intercept)) + (ridge/2) |x|^2`` over ``|x|_1 <= radius``; several classes are
    told apart one against the rest, on one copy of the data.

    Parameters
    ----------
    loss : {"smooth_hinge", "squared_hinge", "logistic"}, default="smooth_hinge"
        "logistic" gives probabilities.
    radius : float, default=100.0
        Of the l1 ball: a smaller one gives fewer weights.
    ridge : float or str, default="1/n"
        A number, or a number divided by the samples (by the sum of the sample weights, where there are some).
    fit_intercept : bool, default=True
        The intercept is neither bounded nor penalised.
    class_weight : dict, "balanced" or None, default=None
        Factors of the sample weights.
    smoothing : float, default=1.0
        Of the smooth hinge: the width of its curved piece, in (0, 1].
    tol : float, default=1e-4
        The certified relative duality gap to reach.
    max_iter : int, default=1000000
        Most iterations of a solve.
    max_seconds : float, default=inf
        Most seconds of a solve.
    solver : str, default="auto"
        One of ``pdbfw.solvers()["sparse"]``.
    warm_start : bool, default=False
        Whether a fit begins where the last one ended.
    random_state : int, RandomState instance or None, default=None
        Of the solver's random choices; None is 0.
    n_threads : int, default=1
        How many threads may work; the result is the same for any number.
    verbose : int, default=0
        1 tells the gap about once a second, 2 once an iteration, on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : int
        Iterations, of the class with most.
    dual_gap_ : float
        The certified relative duality gap, in the unit of `tol`; the largest, of several classes.
    certificate_ : Certificate, or a tuple with one a class
    status_ : str
        "converged", or why the fit ended before `tol`.
    history_ : structured ndarray, or a tuple with one a class
        How the gap fell.
    dual_point_ : ndarray of shape (n_samples,) or (n_classes, n_samples)
        The proof: `pdbfw.certify` computes the certificate again from it.
    multiplier_ : float, or ndarray of shape (n_classes,)
        Of the radius: the l1 penalty that has the same solution.

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

    def __init__(self, loss="smooth_hinge", *, radius=100.0, ridge="1/n", fit_intercept=True, class_weight=None,
                 smoothing=1.0, tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"), solver="auto",
                 warm_start=False, random_state=None, n_threads=1, verbose=0):
        self.loss = loss
        self.radius = radius
        self.ridge = ridge
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.smoothing = smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.solver = solver
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Learn the weights.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Used in place: CSR or CSC, or dense in C or Fortran order; float32 or float64.
        y : array of shape (n_samples,)
            Classes, of any type.
        sample_weight : array of shape (n_samples,), optional
            Weight 2 is the sample twice, weight 0 is without it.

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, accept_sparse=SPARSE, dtype=FLOATS)
        check_classification_targets(y)
        self.classes_, place = np.unique(y, return_inverse=True)
        count = self.classes_.size
        if count < 2:
            raise InputError(f"y: {count} class breaks the rule: at least two classes")
        weight = self._combined_weights(sample_weight, X, y, place)
        positives = [1] if count == 2 else range(count)
        targets = [np.where(place == k, 1.0, -1.0) for k in positives]
        results = self._fit_outputs(X, targets, weight)
        self.coef_ = np.stack([result.x for result in results])
        self.intercept_ = np.array([result.intercept for result in results])
        single = count == 2
        self.dual_point_ = results[0].y if single else np.stack([result.y for result in results])
        self.multiplier_ = results[0].multiplier if single else np.array([result.multiplier for result in results])
        keep(self, results)
        return self

    def _combined_weights(self, sample_weight, X, y, place):
        weight = checked_weights(sample_weight, X)
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
                raise InputError(f"sample_weight: all zero for class {self.classes_[np.argmin(mass)]!r} breaks the "
                                 "rule: some weight > 0 in every class")
        return weight

    def _loss_settings(self):
        return {"smoothing": self.smoothing}

    @staticmethod
    def _dense_coef(coef):
        return coef

    def decision_function(self, X):
        """Scores: above 0 for the second class, or one column a class.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        """The class with the largest score.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    @available_if(lambda self: self.loss == "logistic")
    def predict_proba(self, X):
        """Probabilities, of the logistic loss only; those of several classes are scaled to sum to 1.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        chance = expit(self._scores(X))
        if chance.shape[1] == 1:
            return np.hstack([1 - chance, chance])
        total = chance.sum(axis=1, keepdims=True)
        return np.where(total > 0, chance / np.where(total > 0, total, 1), 1 / chance.shape[1])


class SparseRegressor(RegressorMixin, _SparseModel):
    """A sparse linear regression with a proof.

    Minimises ``(1/n) sum_i f(a_i'x + intercept - y_i) + (ridge/2) |x|^2`` over ``|x|_1 <= radius``, where f is half the
    square, or Huber's loss. With ridge 0 it is the Lasso in its constrained form, and ``multiplier_`` is the Lasso's
    alpha.

    Parameters
    ----------
    loss : {"squared", "huber"}, default="squared"
    radius : float, default=100.0
        Of the l1 ball: a smaller one gives fewer weights.
    ridge : float or str, default="1/n"
        A number, or a number divided by the samples (by the sum of the sample weights, where there are some).
    fit_intercept : bool, default=True
        The intercept is neither bounded nor penalised.
    huber_width : float, default=1.0
        The error at which Huber's loss turns linear.
    tol, max_iter, max_seconds, solver, warm_start, random_state, n_threads, verbose
        As those of `SparseClassifier`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_
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

    def __init__(self, loss="squared", *, radius=100.0, ridge="1/n", fit_intercept=True, huber_width=1.0, tol=1e-4,
                 max_iter=1_000_000, max_seconds=float("inf"), solver="auto", warm_start=False, random_state=None,
                 n_threads=1, verbose=0):
        self.loss = loss
        self.radius = radius
        self.ridge = ridge
        self.fit_intercept = fit_intercept
        self.huber_width = huber_width
        self.tol = tol
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.solver = solver
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_threads = n_threads
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Learn the weights.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Used in place: CSR or CSC, or dense in C or Fortran order; float32 or float64.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            Weight 2 is the sample twice, weight 0 is without it.

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, accept_sparse=SPARSE, dtype=FLOATS, y_numeric=True)
        [result] = self._fit_outputs(X, [y], checked_weights(sample_weight, X))
        self.coef_, self.intercept_ = result.x, result.intercept
        self.dual_point_, self.multiplier_ = result.y, result.multiplier
        keep(self, [result])
        return self

    def _loss_settings(self):
        return {"huber_width": self.huber_width}

    @staticmethod
    def _dense_coef(coef):
        return coef[0]

    def predict(self, X):
        """The predictions.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._scores(X)[:, 0]
