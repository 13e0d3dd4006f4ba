"""Features for non-linear models: a linear model on them is a kernel model on the data."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._data import as_matrix
from ._estimator import FLOATS, SPARSE, seed_of


class _Features(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    def _checked(self, X, reset):
        return as_matrix(validate_data(self, X, reset=reset, accept_sparse=SPARSE, dtype=FLOATS))

    @property
    def _n_features_out(self):
        return self.map_.features

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class RandomBinning(_Features):
    """Random binning features (Rahimi, Recht 2008) of the Laplacian kernel.

    A sparse matrix whose rows have inner products near ``exp(-gamma |a - b|_1)``, with one entry a grid.

    Parameters
    ----------
    grids : int, default=100
        More of them come nearer to the kernel, with an error like 1/sqrt(grids).
    gamma : float, default=None
        None: 1 / the median l1 distance of 1,000 pairs of rows.
    features : int, default=None
        In place of gamma, which is then found so that there are about so many features.
    scale : bool, default=False
        As if every column had been divided by its standard deviation.
    random_state : int, RandomState instance or None, default=None
        Of the grids; None is 0.
    n_threads : int, default=1
        How many threads may work; the result is the same for any number.

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

    def __init__(self, grids=100, *, gamma=None, features=None, scale=False, random_state=None, n_threads=1):
        self.grids = grids
        self.gamma = gamma
        self.features = features
        self.scale = scale
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X, y=None):
        """Draw the grids, and number the bins that the rows of X fall into.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        self
        """
        A = self._checked(X, reset=True)
        self.map_ = _core.RandomBinning.learn(A, int(self.grids), self.gamma, self.features, bool(self.scale),
                                              seed_of(self.random_state), self.n_threads)
        self.gamma_ = self.map_.gamma
        return self

    def transform(self, X):
        """The features of the rows of X; a bin that no row of the training data fell into gives none.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        CSR matrix of shape (n_samples, n_features_out)
        """
        check_is_fitted(self)
        A = self._checked(X, reset=False)
        offsets, indices, values = self.map_.apply(A, threads=self.n_threads)
        return sp.csr_matrix((values, indices, offsets), shape=(A.rows, self.map_.features))


class RandomFourier(_Features):
    """Random Fourier features (Rahimi, Recht 2007).

    Dense rows of length 1 with inner products near ``exp(-gamma |a - b|_2^2)``, or ``exp(-gamma |a - b|_1)``.

    Parameters
    ----------
    features : int, default=1000
        Even: a cosine and a sine a frequency. The error falls like 1/sqrt(features).
    kernel : {"gaussian", "laplacian"}, default="gaussian"
    gamma : float, default=None
        None: 1 / the median distance of 1,000 pairs of rows.
    scale : bool, default=False
        As if every column had been divided by its standard deviation.
    random_state : int, RandomState instance or None, default=None
        Of the frequencies; None is 0.
    n_threads : int, default=1
        How many threads may work; the result is the same for any number.

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

    def __init__(self, features=1000, *, kernel="gaussian", gamma=None, scale=False, random_state=None, n_threads=1):
        self.features = features
        self.kernel = kernel
        self.gamma = gamma
        self.scale = scale
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X, y=None):
        """Draw the frequencies.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        self
        """
        A = self._checked(X, reset=True)
        self.map_ = _core.RandomFourier.learn(A, self.kernel, int(self.features), self.gamma, bool(self.scale),
                                              seed_of(self.random_state))
        self.gamma_ = self.map_.gamma
        return self

    def transform(self, X):
        """The features of the rows of X.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, features)
        """
        check_is_fitted(self)
        return np.asarray(self.map_.apply(self._checked(X, reset=False), threads=self.n_threads))
