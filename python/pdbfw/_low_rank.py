"""Linear models with a matrix of weights of low rank: many labels, many classes, many targets."""

from types import SimpleNamespace

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from ._core import InputError
from ._data import as_matrix, as_numbers
from ._estimator import FLOATS, SPARSE, CertifiedModel, keep, settings_of
from ._parameters import documented, keeps_parameters
from ._scores import predicted_places
from ._solve import CLASS_LOSSES, TRACE, solve

MULTILABEL = "multilabel-indicator"


class _LowRankModel(CertifiedModel):
    """The fit and the scores of X = U diag(s) V'."""

    def _fit_factors(self, X, targets, loss):
        result = solve(as_matrix(X), targets, loss=loss, set=TRACE, radius=self.radius, ridge=self.ridge,
                       start=self._start(X.shape, targets), verbose=self.verbose,
                       **self._loss_settings(), **settings_of(self))
        self.U_, self.s_, self.V_ = result.U, result.s, result.V
        self.dual_point_, self.multiplier_ = result.y, result.multiplier
        keep(self, [result])

    def _start(self, shape, targets):
        if not (self.warm_start and hasattr(self, "U_")):
            return None
        outputs = int(targets.max()) + 1 if targets.ndim == 1 else targets.shape[1]
        if (self.U_.shape[0], self.V_.shape[0]) != (shape[1], outputs):
            return None
        # The dual point has one row per sample, so that of other data is of no use.
        y = self.dual_point_ if self.dual_point_.shape[0] == shape[0] else None
        return SimpleNamespace(U=self.U_, s=self.s_, V=self.V_, y=y)

    @property
    def rank_(self):
        """The rank of the matrix of weights."""
        return self.s_.size

    @property
    def coef_(self):
        """The weights multiplied out, one row per output."""
        return (self.V_ * self.s_) @ self.U_.T

    def _scores(self, X):
        """A X through the factors: one column per output."""
        check_is_fitted(self)
        A = as_matrix(validate_data(self, X, reset=False, accept_sparse=SPARSE, dtype=FLOATS))
        middle = np.zeros((A.rows, self.s_.size))
        for k, value in enumerate(self.s_):
            middle[:, k] = value * A.times(as_numbers(self.U_[:, k]), threads=self.n_threads)
        return middle @ self.V_.T

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@documented
class LowRankClassifier(ClassifierMixin, _LowRankModel):
    """Many classes or many labels by one matrix of weights of low rank, with a proof.

    Minimises ``(1/n) sum_i f_i(X'a_i) + (ridge/2) |X|_F^2`` over the matrices X whose singular values sum to at most
    the radius. Labels that go together share what they have in common. There is no intercept: add a column of ones if
    there is to be one, which is then regularised like the others.

    Parameters
    ----------
    loss : str, default="auto"
        "softmax" or "multiclass_hinge" for classes, "multilabel_smooth_hinge" or "multilabel_logistic" for labels,
        "squared" and "huber" (of -1 and +1) for both. "auto": softmax for classes, multilabel_smooth_hinge for labels.
    radius : float, default=100.0
        The largest trace norm: a smaller one gives a lower rank.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        For labels, the numbers of the columns of y.
    U_, s_, V_ : ndarray
        The weights: ``X = U diag(s) V'``, orthonormal, largest singular value first.
    rank_ : int
    coef_ : ndarray of shape (n_classes, n_features), or (1, n_features) for two classes
        Multiplied out each time it is asked for.
    intercept_ : ndarray of zeros
    loss_ : str
        In force.
    n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_
        As those of `SparseClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from pdbfw import LowRankClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = LowRankClassifier(radius=50).fit(X / 16, y)
    >>> model.status_, model.rank_ <= 9, bool(model.score(X / 16, y) > 0.95)
    ('converged', True, True)
    """

    @keeps_parameters
    def __init__(self, loss="auto", *, radius=100.0, ridge="1/n", smoothing=1.0, tol=1e-4, max_iter=1_000_000,
                 max_seconds=float("inf"), solver="auto", warm_start=False, random_state=None, n_threads=1, verbose=0):
        pass

    @documented
    def fit(self, X, y):
        """Learn the weights.

        Parameters
        ----------
        y : array of shape (n_samples,), or (n_samples, n_labels) of 0 and 1
            Classes of any type, or which labels a sample has.

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, accept_sparse=SPARSE, dtype=FLOATS, multi_output=True)
        self._is_multilabel = type_of_target(y, input_name="y") == MULTILABEL
        if self._is_multilabel:
            y = y.toarray() if hasattr(y, "toarray") else y
            self.classes_ = np.arange(y.shape[1])
            targets = np.where(y > 0, 1.0, -1.0)
        else:
            y = self._one_column(y)
            check_classification_targets(y)
            self.classes_, place = np.unique(y, return_inverse=True)
            if self.classes_.size < 2:
                raise InputError(f"y: {self.classes_.size} class breaks the rule: at least two classes")
        default = "multilabel_smooth_hinge" if self._is_multilabel else "softmax"
        self.loss_ = default if self.loss == "auto" else self.loss
        if self._is_multilabel and self.loss_ in CLASS_LOSSES:
            raise InputError(f"loss: {self.loss_} breaks the rule: one for labels, where a sample may have several")
        if not self._is_multilabel:
            indicator = np.where(place[:, None] == np.arange(self.classes_.size), 1.0, -1.0)
            targets = place.astype(np.float64) if self.loss_ in CLASS_LOSSES else indicator
        self._fit_factors(X, targets, self.loss_)
        self.intercept_ = np.zeros(self.coef_.shape[0])
        return self

    @staticmethod
    def _one_column(y):
        if y.ndim == 2 and y.shape[1] > 1:
            raise InputError(f"y: {y.shape[1]} columns of classes breaks the rule: one, or columns of 0 and 1")
        return column_or_1d(y, warn=True)

    def _loss_settings(self):
        return {"smoothing": self.smoothing}

    @property
    def coef_(self):
        """The weights multiplied out; of two classes, those of the second less those of the first."""
        coef = super().coef_
        return coef[1:] - coef[:1] if self._is_binary() else coef

    def _is_binary(self):
        return not self._is_multilabel and self.classes_.size == 2

    @documented
    def decision_function(self, X):
        """Scores: one column per class or label; of two classes, above 0 for the second.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if self._is_binary() else scores

    @documented
    def predict(self, X):
        """The class with the largest score, or 1 for the labels with a score above 0.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
        """
        scores = self._scores(X)
        if self._is_multilabel:  # every label is a decision of its own
            return predicted_places(scores.reshape(-1)).reshape(scores.shape)
        return self.classes_[predicted_places(scores)]

    def _has_probabilities(self):
        return getattr(self, "loss_", self.loss) in ("auto", "softmax", "multilabel_logistic")

    @available_if(_has_probabilities)
    @documented
    def predict_proba(self, X):
        """Probabilities, of the losses softmax and multilabel_logistic.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        scores = self._scores(X)
        return expit(scores) if self._is_multilabel else softmax(scores, axis=1)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = tags.target_tags.multi_output = self.loss not in CLASS_LOSSES
        return tags


@documented
class LowRankRegressor(RegressorMixin, _LowRankModel):
    """Many targets by one matrix of weights of low rank, with a proof.

    Minimises ``(1/n) sum_i f(X'a_i - y_i) + (ridge/2) |X|_F^2`` over the matrices X whose singular values sum to at
    most the radius; f is half the squared length, or Huber's loss of every entry. There is no intercept: centre the
    data, or add a column of ones.

    Parameters
    ----------
    loss : {"squared", "huber"}, default="squared"
    radius : float, default=100.0
        The largest trace norm: a smaller one gives a lower rank.

    Attributes
    ----------
    U_, s_, V_ : ndarray
        The weights: ``X = U diag(s) V'``, orthonormal, largest singular value first.
    rank_ : int
    coef_ : ndarray of shape (n_targets, n_features), or (n_features,) where y is a vector
        Multiplied out each time it is asked for.
    intercept_ : 0, or zeros
    n_iter_, dual_gap_, certificate_, status_, history_, dual_point_, multiplier_
        As those of `SparseClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from pdbfw import LowRankRegressor
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 30))
    >>> Y = X @ rng.normal(size=(30, 2)) @ rng.normal(size=(2, 10)) + 0.1 * rng.normal(size=(200, 10))
    >>> model = LowRankRegressor(radius=25).fit(X, Y)
    >>> model.status_, model.rank_
    ('converged', 2)
    """

    @keeps_parameters
    def __init__(self, loss="squared", *, radius=100.0, ridge="1/n", huber_width=1.0, tol=1e-4, max_iter=1_000_000,
                 max_seconds=float("inf"), solver="auto", warm_start=False, random_state=None, n_threads=1, verbose=0):
        pass

    @documented
    def fit(self, X, y):
        """Learn the weights.

        Parameters
        ----------
        y : array of shape (n_samples,) or (n_samples, n_targets)

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, accept_sparse=SPARSE, dtype=FLOATS, multi_output=True, y_numeric=True)
        self._is_vector = y.ndim == 1
        self._fit_factors(X, y.reshape(y.shape[0], -1), self.loss)
        self.intercept_ = 0.0 if self._is_vector else np.zeros(y.shape[1])
        return self

    def _loss_settings(self):
        return {"huber_width": self.huber_width}

    @property
    def coef_(self):
        """The weights multiplied out."""
        coef = super().coef_
        return coef[0] if self._is_vector else coef

    @documented
    def predict(self, X):
        """The predictions.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        scores = self._scores(X)
        return scores[:, 0] if self._is_vector else scores

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
