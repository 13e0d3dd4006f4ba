"""Which radius? Cross-validation over a path of radii, with one copy of the data for all folds."""

from dataclasses import dataclass

import numpy as np

from . import _core
from ._data import as_matrix, as_numbers, plain


@dataclass(frozen=True)
class CrossValidation:
    """What `cross_validate` found.

    Attributes
    ----------
    score : str
        Which one.
    larger_is_better : bool
    radii : ndarray of shape (n_radii,)
        Ascending.
    of_fold : ndarray of shape (n_folds, n_radii)
        The score on the rows that were held out.
    mean, standard_error : ndarray of shape (n_radii,)
        Over the folds.
    best : int
        The place of the smallest radius with the best mean.
    one_standard_error : int
        The place of the smallest radius whose mean is within one standard error of it.
    largest_relative_gap : float
        Certified, over all folds and radii.
    is_complete : bool
        False: the callback stopped it, and the folds that are there are whole.
    """

    score: str
    larger_is_better: bool
    radii: np.ndarray
    of_fold: np.ndarray
    mean: np.ndarray
    standard_error: np.ndarray
    best: int
    one_standard_error: int
    largest_relative_gap: float
    is_complete: bool

    @property
    def radius(self) -> float:
        """The best one."""
        return float(self.radii[self.best])


def cross_validate(A, b, *, radii=None, score: str = "auto", folds: int = 5, groups=None, sample_weight=None,
                   callback=None, **options) -> CrossValidation:
    """The radius by k-fold cross-validation.

    Every fold is a path of radii, each solved from where the last one ended and certified. The folds share the data in
    memory: a row that is held out has the weight 0.

    Parameters
    ----------
    A, b, sample_weight, callback
        As those of `solve`.
    radii : sequence of float, optional
        None: 20 of them, from the largest that matters down to a thousandth of it.
    score : str, default="auto"
        Of labels: accuracy, auc, f1, or (for the logistic loss) log_loss; of numbers: rmse, r2. "auto": the first.
    folds : int, default=5
        2 .. 1,000; equal shares of every label.
    groups : array of int of shape (n_samples,), optional
        Rows of a group stay together.
    **options
        loss, ridge, intercept and all settings of `solve`; radius is the largest that is tried.

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> rng = np.random.default_rng(0)
    >>> A = rng.normal(size=(200, 50))
    >>> b = A[:, 0] - A[:, 1] + rng.normal(size=200)
    >>> cv = pdbfw.cross_validate(A, b, loss="squared", radii=[0.1, 1, 2, 10])
    >>> cv.score, cv.radius
    ('rmse', 2.0)
    """
    given = {"radii": None if radii is None else as_numbers(radii),
             "groups": None if groups is None else np.ascontiguousarray(groups, dtype=np.int64),
             "sample_weight": None if sample_weight is None else as_numbers(sample_weight)}
    return CrossValidation(**_core.cross_validate(as_matrix(A), as_numbers(b), plain(options), score=score,
                                                  folds=int(folds), callback=callback, **given))
