"""Which radius, or which penalty? Cross-validation over a path of them, with one copy of the data for all folds."""

from dataclasses import dataclass

import numpy as np

from . import _core
from ._data import as_numbers
from ._parameters import like
from ._progress import watched
from ._result import text_of_gap
from ._solve import POINTS, Callback, as_problem, solve


@dataclass(frozen=True)
class CrossValidation:
    """What `cross_validate` found.

    Attributes
    ----------
    score : str
        Which one.
    larger_is_better : bool
    radii : ndarray of shape (n_radii,), or None
        Ascending; None where penalties were compared.
    alphas : ndarray of shape (n_alphas,), or None
        Descending, so that the sparsest model is the first one here, too; None where radii were compared.
    of_fold : ndarray of shape (n_folds, n_radii)
        The score on the rows that were held out.
    mean, standard_error : ndarray of shape (n_radii,)
        Over the folds.
    best : int
        The place of the smallest radius, or the largest penalty, with the best mean.
    one_standard_error : int
        The place of the smallest radius, or the largest penalty, whose mean is within one standard error of it.
    largest_relative_gap : float
        Certified, over all folds and radii or penalties.
    is_complete : bool
        False: the callback stopped it, and the folds that are there are whole.
    """

    score: str
    larger_is_better: bool
    radii: np.ndarray | None
    alphas: np.ndarray | None
    of_fold: np.ndarray
    mean: np.ndarray
    standard_error: np.ndarray
    best: int
    one_standard_error: int
    largest_relative_gap: float
    is_complete: bool

    @property
    def radius(self) -> float | None:
        """The best one."""
        return None if self.radii is None else float(self.radii[self.best])

    @property
    def alpha(self) -> float | None:
        """The best one."""
        return None if self.alphas is None else float(self.alphas[self.best])

    @property
    def values(self) -> np.ndarray:
        """The radii or the penalties, whichever were compared."""
        return self.alphas if self.radii is None else self.radii


def is_by_alpha(by, radii, alphas):
    """Whether penalties are compared."""
    if by not in ("radius", "alpha"):
        raise _core.InputError(f"by: {by!r} breaks the rule: radius | alpha")
    if radii is not None and (by == "alpha" or alphas is not None):
        raise _core.InputError("radii: given breaks the rule: none where penalties are compared")
    return by == "alpha" or alphas is not None


def summarise(score, larger_is_better, values, is_by_alpha, of_fold, largest_relative_gap):
    """Mean, standard error of the mean, and the two choices, as the library makes them."""
    folds = of_fold.shape[0]
    mean = of_fold.mean(axis=0)
    error = of_fold.std(axis=0, ddof=1) / np.sqrt(folds) if folds > 1 else np.zeros_like(mean)
    worth = mean if larger_is_better else -mean
    best = int(np.argmax(worth))
    enough = int(np.argmax(worth >= worth[best] - error[best]))
    radii, alphas = (None, values) if is_by_alpha else (values, None)
    return CrossValidation(score, larger_is_better, radii, alphas, of_fold, mean, error, best, enough,
                           largest_relative_gap, is_complete=True)


def scores() -> list[str]:
    """The names of the scores of `cross_validate`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> import pdbfw
    >>> pdbfw.scores()
    ['accuracy', 'auc', 'f1', 'log_loss', 'rmse', 'r2']
    """
    return _core.scores()


@like(solve, without=("start", "atoms", "verbose"))
def path_radii(A, b, *, points: int = POINTS, smallest: float = 1e-3, callback: Callback | None = None,
               **problem) -> np.ndarray:
    """Radii for `solve_path`, from the largest that matters down, each the same factor below the last.

    What matters is found by one solve: the radius given (100 by default) or, where that does not bind, the norm of the
    solution.

    Parameters
    ----------
    points : int, default=20
        The number of radii.
    smallest : float, default=0.001
        The smallest as a share of the largest.

    Returns
    -------
    ndarray of shape (points,)
        Ascending.

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> pdbfw.path_radii(np.eye(3), [3, 2, 1], loss="squared", ridge=0, radius=1, points=4).round(3).tolist()
    [0.001, 0.01, 0.1, 1.0]
    """
    stated = _core.Problem(*as_problem(A, b, problem))
    return stated.path_radii(points=int(points), smallest=float(smallest), callback=callback)


def make_folds(b, folds: int = 5, *, seed: int = 0, groups=None) -> np.ndarray:
    """Which fold every sample is in, as `cross_validate` deals them out.

    Parameters
    ----------
    b : array of shape (n_samples,)
        Targets; each fold has an equal share of every label, where there are at most 20 of them.
    folds : int, default=5
    seed : int, default=0
    groups : array of int of shape (n_samples,), optional
        Rows of a group stay together.

    Returns
    -------
    ndarray of shape (n_samples,)
        0 .. folds - 1.

    Examples
    --------
    >>> import pdbfw
    >>> sorted(pdbfw.make_folds([-1, 1, -1, 1], 2).tolist())
    [0, 0, 1, 1]
    """
    groups = None if groups is None else np.ascontiguousarray(groups, dtype=np.int64)
    return _core.make_folds(as_numbers(b), int(folds), int(seed), groups)


@like(solve, without=("start", "atoms"))
def cross_validate(A, b, *, by: str = "radius", radii=None, alphas=None, score: str = "auto", folds: int = 5,
                   groups=None, callback: Callback | None = None, verbose: int = 0, **problem) -> CrossValidation:
    """The radius or the penalty by k-fold cross-validation.

    Every fold is a path of radii, or of penalties (`solve_penalties`), each solved from where the last one ended and
    certified. The folds share the data in memory: a row that is held out has the weight 0. Sample weights count in the scores too, and `radius` is the largest
    one that is tried.

    Parameters
    ----------
    by : {"radius", "alpha"}
        What is compared; ``alphas`` imply the second.
    radii : sequence of float, optional
        None: 20 of them, from the largest that matters down to a thousandth of it.
    alphas : sequence of float, optional
        None, with ``by="alpha"``: 20 of them, as `path_alphas` finds them.
    score : str, default="auto"
        Of labels: accuracy, auc, f1, or (for the logistic loss) log_loss; of numbers: rmse, r2. "auto": the first.
    folds : int, default=5
        2 .. 1,000; equal shares of every label.
    groups : array of int of shape (n_samples,), optional
        Rows of a group stay together.

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
    >>> pdbfw.cross_validate(A, b, loss="squared", ridge=0, alphas=[1, 0.1, 0.01]).alpha
    0.1
    """
    by_alpha = is_by_alpha(by, radii, alphas)
    given = {"is_by_penalty": by_alpha, "radii": None if radii is None else as_numbers(radii),
             "alphas": None if alphas is None else as_numbers(alphas),
             "groups": None if groups is None else np.ascontiguousarray(groups, dtype=np.int64)}
    tol = problem.get("tol")
    matrix, targets, options, arrays = as_problem(A, b, problem)

    def run(between):
        return CrossValidation(**_core.cross_validate(matrix, targets, options, arrays, score=score, folds=int(folds),
                                                      callback=between, **given))

    values = given["alphas"] if by_alpha else given["radii"]
    # Where no radii are given, the first solve finds them.
    solves = int(folds) * (POINTS if values is None else len(values)) + (values is None and not by_alpha)
    return watched(run, verbose=verbose, tol=tol, callback=callback, solves=solves, told=_told)


def _told(cv):
    if not cv.is_complete:
        return f"stopped after {len(cv.of_fold)} folds"
    best = f"alpha {cv.alpha:.6g}" if cv.radii is None else f"radius {cv.radius:.6g}"
    return (f"best {best} ({cv.score} {cv.mean[cv.best]:.4g} +- {cv.standard_error[cv.best]:.2g}), "
            f"largest relative gap {text_of_gap(cv.largest_relative_gap)}")
