"""Matrix completion: all entries of a matrix from some of them."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._data import as_numbers, plain
from ._estimator import CertifiedModel, keep, settings_of
from ._parameters import documented, keeps_parameters
from ._progress import watched
from ._result import to_low_rank_result


@documented
class MatrixCompletion(RegressorMixin, CertifiedModel):
    """All entries of a matrix from some of them, with a proof.

    What rows and columns explain by themselves is removed; the rest is a matrix whose singular values sum to at most
    the radius. A sample is an entry: X has two columns, the row and the column of the entry, as any numbers; y has the
    values. So scores, cross-validation and searches work as for other regressors.

    Parameters
    ----------
    loss : {"squared", "huber"}, default="squared"
    radius : float, default=None
        The largest trace norm. None: the one with the smallest error on a share of the entries that is held out.
    ridge : float or str, default=0.0
        A number, or a number divided by the entries.
    means : {"both", "rows", "columns", "none"}, default="both"
        What is removed first.
    holdout : float, default=0.1
        The share of the entries that a first fit does not see; 0 asks for no such fit, and needs a radius.

    Attributes
    ----------
    row_ids_, column_ids_ : ndarray
        The numbers in the first and in the second column of X, ascending.
    mean_, row_means_, column_means_ : float, ndarray, ndarray
        What was removed.
    U_, s_, V_ : ndarray
        The rest: ``U diag(s) V'``, orthonormal, largest singular value first.
    rank_ : int
    radius_ : float
        In force.
    held_out_ : dict or None
        entries, rmse and mae of the entries that the first fit did not see.
    n_iter_, dual_gap_, certificate_, status_, history_
        Of the fit on all entries, as those of `SparseClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from pdbfw import MatrixCompletion
    >>> rng = np.random.default_rng(0)
    >>> M = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 30))
    >>> known = rng.random(M.shape) < 0.5
    >>> model = MatrixCompletion().fit(np.argwhere(known), M[known])
    >>> bool(model.score(np.argwhere(~known), M[~known]) > 0.95)
    True
    """

    @keeps_parameters
    def __init__(self, loss="squared", *, radius=None, ridge=0.0, means="both", holdout=0.1, huber_width=1.0, tol=1e-4,
                 max_iter=1_000_000, max_seconds=float("inf"), solver="auto", random_state=None, n_threads=1,
                 verbose=0):
        pass

    def fit(self, X, y):
        """Learn the matrix.

        Parameters
        ----------
        X : array of shape (n_entries, 2)
            The row and the column of every entry that is known.
        y : array of shape (n_entries,)
            The values.

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, y_numeric=True)
        if X.shape[1] != 2:
            raise _core.InputError(f"X: {X.shape[1]} columns breaks the rule: two, the row and the column of an entry")
        self.row_ids_, row = np.unique(X[:, 0], return_inverse=True)
        self.column_ids_, column = np.unique(X[:, 1], return_inverse=True)
        options = plain(dict(loss=self.loss, ridge=self.ridge, huber_width=self.huber_width, **settings_of(self)))
        entries = row.astype(np.int64), column.astype(np.int64), as_numbers(y)

        def run(between):
            given = _core.complete(self.row_ids_.size, self.column_ids_.size, *entries, options, radius=self.radius,
                                   means=self.means, holdout=float(self.holdout), callback=between)
            return given, to_low_rank_result(given)

        given, result = watched(run, verbose=self.verbose, tol=self.tol, told=lambda done: done[1]._told())
        self.U_, self.s_, self.V_ = result.U, result.s, result.V
        self.mean_, self.row_means_, self.column_means_ = given["mean"], given["row_means"], given["column_means"]
        self.radius_, self.held_out_ = given["radius"], given["held_out"]
        keep(self, [result])
        return self

    @property
    def rank_(self):
        """The rank of the matrix that the means leave."""
        return self.s_.size

    def predict(self, X):
        """The entries that are asked for; a row or a column that fit has not seen adds nothing to the mean.

        Parameters
        ----------
        X : array of shape (n_entries, 2)
            The row and the column of every entry.

        Returns
        -------
        ndarray of shape (n_entries,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        row, knows_row = _places(self.row_ids_, X[:, 0])
        column, knows_column = _places(self.column_ids_, X[:, 1])
        rest = np.einsum("ik,k,ik->i", self.U_[row], self.s_, self.V_[column])
        return (self.mean_ + np.where(knows_row, self.row_means_[row], 0)
                + np.where(knows_column, self.column_means_[column], 0) + np.where(knows_row & knows_column, rest, 0))

    def complete(self):
        """The whole matrix, one row for each of ``row_ids_``, one column for each of ``column_ids_``.

        Returns
        -------
        ndarray of shape (n_rows, n_columns)
        """
        check_is_fitted(self)
        means = self.mean_ + self.row_means_[:, None] + self.column_means_[None, :]
        return means + (self.U_ * self.s_) @ self.V_.T


def _places(ids, asked):
    place = np.minimum(np.searchsorted(ids, asked), ids.size - 1)
    return place, ids[place] == asked
