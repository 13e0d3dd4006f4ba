"""Features for non-linear models: a linear model on them is a kernel model on the data."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._data import as_matrix
from ._estimator import FLOATS, SPARSE, seed_of
from ._parameters import documented, keeps_parameters


class _Features(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    @documented
    def fit(self, X, y=None):
        """Draw what is random (the grids, or the frequencies), and learn from the rows of X what depends on them.

        Parameters
        ----------
        y : ignored

        Returns
        -------
        self
        """
        self.map_ = self._learn(self._checked(X, reset=True))
        self.gamma_ = self.map_.gamma
        return self

    def _checked(self, X, reset):
        return as_matrix(validate_data(self, X, reset=reset, accept_sparse=SPARSE, dtype=FLOATS))

    @property
    def _n_features_out(self):
        return self.map_.features

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@documented
class RandomBinning(_Features):
    """Random binning features (Rahimi, Recht 2008) of the Laplacian kernel.

    A sparse matrix whose rows have inner products near ``exp(-gamma |a - b|_1)``, with one entry per grid.

    Parameters
    ----------
    grids : int, default=100
        More of them come nearer to the kernel, with an error like 1/sqrt(grids).
    gamma : float, default=None
        None: 1 / the median l1 distance of 1,000 pairs of rows.
    features : int, default=None
        In place of gamma, which is then found so that there are about this number of features.

    Attributes
    ----------
    gamma_ : float
        In force.
    map_ : object
        What was learnt.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> from sklearn.pipeline import make_pipeline
    >>> from pdbfw import RandomBinning, SparseClassifier
    >>> X, y = make_circles(500, noise=0.05, factor=0.5, random_state=0)
    >>> bool(make_pipeline(RandomBinning(grids=200), SparseClassifier()).fit(X, y).score(X, y) > 0.99)
    True
    """

    @keeps_parameters
    def __init__(self, grids=100, *, gamma=None, features=None, scale=False, random_state=None, n_threads=1):
        pass

    def _learn(self, A):
        return _core.RandomBinning.learn(A, int(self.grids), self.gamma, self.features, bool(self.scale),
                                         seed_of(self.random_state), self.n_threads)

    @documented
    def transform(self, X):
        """The features of the rows of X; a bin that no row of the training data fell into gives none.

        Returns
        -------
        CSR matrix of shape (n_samples, n_features_out)
        """
        check_is_fitted(self)
        A = self._checked(X, reset=False)
        offsets, indices, values = self.map_.apply(A, threads=self.n_threads)
        return sp.csr_matrix((values, indices, offsets), shape=(A.rows, self.map_.features))


@documented
class RandomFourier(_Features):
    """Random Fourier features (Rahimi, Recht 2007).

    Dense rows of length 1 with inner products near ``exp(-gamma |a - b|_2^2)``, or ``exp(-gamma |a - b|_1)``.

    Parameters
    ----------
    features : int, default=1000
        An even number: one cosine and one sine per frequency. The error falls like 1/sqrt(features).
    kernel : {"gaussian", "laplacian"}, default="gaussian"
    gamma : float, default=None
        None: 1 / the median distance of 1,000 pairs of rows.

    Attributes
    ----------
    gamma_ : float
        In force.
    map_ : object
        What was learnt.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> from sklearn.pipeline import make_pipeline
    >>> from pdbfw import RandomFourier, SparseClassifier
    >>> X, y = make_circles(500, noise=0.05, factor=0.5, random_state=0)
    >>> bool(make_pipeline(RandomFourier(200), SparseClassifier()).fit(X, y).score(X, y) > 0.99)
    True
    """

    @keeps_parameters
    def __init__(self, features=1000, *, kernel="gaussian", gamma=None, scale=False, random_state=None, n_threads=1):
        pass

    def _learn(self, A):
        return _core.RandomFourier.learn(A, self.kernel, int(self.features), self.gamma, bool(self.scale),
                                         seed_of(self.random_state))

    @documented
    def transform(self, X):
        """The features of the rows of X.

        Returns
        -------
        ndarray of shape (n_samples, features)
        """
        check_is_fitted(self)
        return np.asarray(self.map_.apply(self._checked(X, reset=False), threads=self.n_threads))
