"""The problem as researchers state it: data, loss, set, radius, ridge. Estimators are built on these functions."""

from typing import Any, Callable, NamedTuple

import numpy as np

from . import _core
from ._data import as_matrix, as_numbers, as_table, plain, problem_arrays
from ._parameters import like
from ._progress import watched
from ._result import Certificate, LowRankResult, Result, text_of_gap, to_low_rank_result, to_result

TRACE = "trace"
# Their targets are the indices of classes, in one column; all others have one column of targets per output.
CLASS_LOSSES = ("softmax", "multiclass_hinge")

# The number of radii or penalties of a path, where they are found from the data.
POINTS = 20

# The keywords of `solve` that are arrays, and belong to every problem.
ARRAYS = ("sample_weight", "ridge_scale", "penalty_weight", "free_features")

# Sees a dictionary of numbers; False stops the solve.
Callback = Callable[[dict[str, Any]], bool | None]


class PathPoint(NamedTuple):
    """One radius of `solve_path`, and its result."""

    radius: float
    result: Result


class Penalised(NamedTuple):
    """What `solve_penalised` gives back: the ball with the same solution, its result, the proof of the penalised problem."""

    radius: float
    result: Result
    certificate: Certificate


class PenaltyPoint(NamedTuple):
    """One penalty of `solve_penalties`, and what `solve_penalised` gives back for it."""

    alpha: float
    radius: float
    result: Result
    certificate: Certificate


def losses() -> dict[str, list[str]]:
    """The names of the losses.

    Returns
    -------
    dict
        ``"sparse"``: those of vectors of weights, ``"low rank"``: those of matrices (``set="trace"``).

    Examples
    --------
    >>> import pdbfw
    >>> pdbfw.losses()["sparse"]
    ['smooth_hinge', 'squared_hinge', 'logistic', 'squared', 'huber']
    """
    return {"sparse": _core.losses(), "low rank": _core.low_rank_losses()}


def solvers() -> dict[str, list[dict[str, Any]]]:
    """What each solver is, where it comes from and which settings it reads.

    Returns
    -------
    dict
        ``"sparse"`` and ``"low rank"``: lists of dictionaries with name, summary, reference, losses, sets, needs_ridge,
        takes_intercept, takes_free_features and options.

    Examples
    --------
    >>> import pdbfw
    >>> "auto" in [solver["name"] for solver in pdbfw.solvers()["sparse"]]
    True
    """
    return {"sparse": _core.solvers(), "low rank": _core.low_rank_solvers()}


def _outputs(B, loss):
    """The number of columns of the matrix of weights."""
    if loss not in CLASS_LOSSES:
        return B.shape[1]
    if B.shape[1] != 1 or B.size == 0:
        raise _core.InputError(f"b: {B.shape[1]} columns breaks the rule: one, the class of every sample")
    return int(B.max()) + 1


def _told_of_path(results):
    """One line about several solves, for people who watched them."""
    converged = sum(result.status == "converged" for result in results)
    worst = max((result.certificate.relative_gap for result in results), default=float("nan"))
    return f"{converged} of {len(results)} solves converged, largest relative gap {text_of_gap(worst)}"


def as_problem(A, b, keywords):
    """The matrix, the targets, the options and the arrays of a problem as the core takes them."""
    arrays = problem_arrays(**{name: keywords.pop(name, None) for name in ARRAYS})
    return as_matrix(A), as_numbers(b), plain(keywords), arrays


def _refuse(arrays):
    for name in arrays:
        raise _core.InputError(f"{name}: given breaks the rule: not with the set trace")


def solve(A, b, *, loss: str | None = None, set: str = "l1", radius: float | None = None,
          ridge: float | str | None = None, intercept: bool = False, sample_weight=None, standardise: bool = False,
          penalty_weight=None, free_features=None, solver: str = "auto", tol: float | None = None,
          callback: Callback | None = None, start: Result | LowRankResult | None = None, ridge_scale=None, atoms=None,
          verbose: int = 0, **settings) -> Result | LowRankResult:
    """Minimise ``(1/n) sum_i f_i(a_i'x) + (ridge/2) |x|^2`` over a set, and prove it.

    Parameters
    ----------
    A : array or sparse matrix of shape (n_samples, n_features)
        Used in place where it can be, see `docs/python.md`.
    b : array of shape (n_samples,) or (n_samples, n_outputs)
        Targets: numbers for squared and huber; -1 and +1 for the hinges, logistic and the multilabel losses; classes
        0 .. K-1 for softmax and multiclass_hinge.
    loss : str, optional
        One of `losses()`; the library's default otherwise: smooth_hinge, or squared for the set trace.
    set : {"l1", "nonnegative", "simplex", "polytope", "trace"}
        Where x must lie. "nonnegative": the half of the l1 ball without negative weights. "trace": x is a matrix whose
        singular values sum to at most the radius.
    radius : float, optional
        The size of the set, 100 by default.
    ridge : float or str, optional
        The weight of half the squared length of x: a number, or a number divided by the samples, "1/n" by default.
    intercept : bool
        Whether every prediction has a free constant, which is neither bounded nor penalised.
    sample_weight : array of shape (n_samples,), optional
        Numbers >= 0: weight 2 is the sample twice, weight 0 is without it; n is then the sum of the weights.
    standardise : bool
        Whether the set and the ridge see every feature divided by its standard deviation. Zeros stay zeros.
    penalty_weight : array of shape (n_features,), optional
        Numbers >= 0: what the weight of a feature counts in the set and in the ridge. 0: the feature is free.
    free_features : sequence of int, optional
        Features, counted from 0, that neither the set nor the ridge restrict.
    solver : str
        One of `solvers()`.
    tol : float, optional
        Stop when the certified relative duality gap is at most this, 1e-4 by default.
    callback : callable, optional
        Called about once per iteration with a dictionary (iteration, seconds, primal, dual, relative_gap, ...). When it
        returns False the solve stops, with the best point so far and its certificate.
    start : Result or LowRankResult, optional
        The result of a similar problem: the solve begins at its weights.
    ridge_scale : array of shape (n_features,), optional
        Factors of the ridge, one per feature.
    atoms : array or sparse matrix, optional
        The vertices of the set polytope, one per row.
    verbose : int
        1 shows a bar in terminals and notebooks (the gap, the smallest certified one, tol, the time left) and one line
        at the end, anywhere; 2 one line per iteration. All on standard error.
    **settings
        class_weight ("balanced", or "1,5" for -1 and +1), smoothing, huber_width, max_iterations, max_seconds,
        max_passes, threads, seed and those of the research solvers: `docs/settings.md` lists them.

    Returns
    -------
    Result or LowRankResult
        The second for the set trace.

    Raises
    ------
    InputError
        For an argument that breaks a rule; nothing is solved then.

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> A = np.random.default_rng(0).normal(size=(200, 50))
    >>> b = np.where(A[:, 0] + A[:, 1] > 0, 1.0, -1.0)
    >>> result = pdbfw.solve(A, b, loss="logistic", radius=3, tol=1e-6)
    >>> result.status
    'converged'
    >>> result.certificate.relative_gap <= 1e-6
    True
    >>> [int(j) for j in np.argsort(-abs(result.x))[:2]]
    [0, 1]
    """
    run = stated(A, b, loss=loss, set=set, radius=radius, ridge=ridge, intercept=intercept, sample_weight=sample_weight,
                 standardise=standardise, penalty_weight=penalty_weight, free_features=free_features, solver=solver,
                 tol=tol, start=start, ridge_scale=ridge_scale, atoms=atoms, **settings)
    return watched(run, verbose=verbose, tol=tol, callback=callback, told=lambda result: result._told())


def stated(A, b, *, loss=None, set="l1", atoms=None, start=None, team=None, outputs=None, **keywords):
    """The problem of `solve` with all its arrays in order: a function of the callback that solves it.

    `team` is an object over which the rows are spread (`pdbfw.mpi`); with it, `outputs` counts the classes of all rows.
    """
    if loss is None and set == TRACE:
        loss = "squared"
    matrix, targets, options, arrays = as_problem(A, b, dict(keywords, loss=loss, set=set))
    if atoms is not None:
        arrays["atoms"] = as_matrix(atoms)
    begin = {}
    if set == TRACE:
        _refuse(arrays)
        B = as_table(b)
        if start is not None:
            begin = {"X": _factors(start), "Y": None if start.y is None else as_table(start.y)}
        columns = _outputs(B, loss) if outputs is None else outputs
        return lambda between: to_low_rank_result(
            _core.solve_low_rank(matrix, B, columns, options, callback=between, team=team, **begin))
    if start is not None:
        begin = {"weights": as_numbers(start.weights), "y": None if start.y is None else as_numbers(start.y),
                 "multiplier": float(start.multiplier)}
    return lambda between: to_result(
        _core.Problem(matrix, targets, options, arrays, team).solve(callback=between, **begin))


@like(solve, without=("radius", "start", "atoms"))
def solve_path(A, b, radii, *, callback: Callback | None = None, verbose: int = 0, **problem) -> list[PathPoint]:
    """The same problem for several radii, each with its own proof.

    They are solved from the largest radius down, each from where the last one ended, which costs less than one by one.

    Parameters
    ----------
    radii : sequence of float
        In any order.

    Returns
    -------
    list of PathPoint
        (radius, result), in the order of `radii`.

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> A = np.random.default_rng(0).normal(size=(100, 20))
    >>> b = A[:, 0] - A[:, 1]
    >>> [(point.radius, point.result.status) for point in pdbfw.solve_path(A, b, [2, 1], loss="squared")]
    [(2.0, 'converged'), (1.0, 'converged')]
    """
    if "radius" in problem:
        raise _core.InputError("radius: given breaks the rule: not beside radii")
    radii, tol = as_numbers(radii), problem.get("tol")
    stated = _core.Problem(*as_problem(A, b, problem))

    def run(between):
        points = stated.solve_path(radii, callback=between)
        return [PathPoint(radius, to_result(given)) for radius, given in points]

    return watched(run, verbose=verbose, tol=tol, callback=callback, solves=radii.size,
                   told=lambda points: _told_of_path([point.result for point in points]))


@like(solve, without=("radius", "start", "atoms"))
def solve_penalised(A, b, alpha: float, *, callback: Callback | None = None, verbose: int = 0, **problem) -> Penalised:
    """A penalty on the l1 norm instead of a radius, with a proof of its own.

    Minimises ``(1/n) sum_i f_i(a_i'x) + (ridge/2) |x|^2 + alpha |x|_1``. Scikit-learn's ``ElasticNet`` is the loss
    squared with ``alpha`` and ``ridge`` its ``alpha * l1_ratio`` and ``alpha * (1 - l1_ratio)``; its l1-penalised
    ``LogisticRegression`` the loss logistic with ``alpha = 1 / (C n)`` and ``ridge=0``.

    Parameters
    ----------
    alpha : float
        The weight of the sum of the absolute weights, > 0.
    set : {"l1", "nonnegative"}
        "nonnegative": no weight is below 0.

    Returns
    -------
    Penalised
        (radius, result, certificate): of the ball with the same solution, and the certificate of the penalised problem.

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> A = np.random.default_rng(0).normal(size=(100, 20))
    >>> lasso = pdbfw.solve_penalised(A, A[:, 0] - A[:, 1], 0.1, loss="squared", ridge=0)
    >>> lasso.result.status, bool(lasso.certificate.relative_gap <= 1e-4)
    ('converged', True)
    """
    tol = problem.get("tol")
    stated = _core.Problem(*as_problem(A, b, problem))

    def run(between):
        return Penalised(*_penalised(stated.solve_penalised(float(alpha), callback=between)))

    return watched(run, verbose=verbose, tol=tol, callback=callback,
                   told=lambda penalised: penalised.result._told())


def _penalised(given):
    radius, result, certificate = given
    return radius, to_result(result), Certificate(**certificate)


@like(solve_penalised)
def solve_penalties(A, b, alphas, *, stops_early: bool = True, callback: Callback | None = None, verbose: int = 0,
                    **problem) -> list[PenaltyPoint]:
    """The same for several penalties, each from where the last one ended and with its own proof.

    Parameters
    ----------
    alphas : sequence of float
        In any order; `path_alphas` finds some from the data.
    stops_early : bool, default=True
        Whether the list ends where smaller penalties no longer lower the loss.

    Returns
    -------
    list of PenaltyPoint
        (alpha, radius, result, certificate), from the largest penalty down.

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> A = np.random.default_rng(0).normal(size=(100, 20))
    >>> b = A[:, 0] - A[:, 1]
    >>> path = pdbfw.solve_penalties(A, b, pdbfw.path_alphas(A, b, loss="squared"), loss="squared", ridge=0)
    >>> bool(path[0].radius < path[-1].radius), path[-1].result.status
    (True, 'converged')
    """
    alphas, tol = as_numbers(alphas), problem.get("tol")
    stated = _core.Problem(*as_problem(A, b, problem))

    def run(between):
        points = stated.solve_penalties(alphas, stops_early=bool(stops_early), callback=between)
        return [PenaltyPoint(alpha, *_penalised(given)) for alpha, given in points]

    return watched(run, verbose=verbose, tol=tol, callback=callback,
                   told=lambda points: _told_of_path([point.result for point in points]))


@like(solve_penalised, without=("callback", "verbose"))
def largest_alpha(A, b, **problem) -> float:
    """The smallest penalty at which x = 0 is the solution.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> pdbfw.largest_alpha(np.eye(2), [3, -8], loss="squared")
    4.0
    """
    return _core.Problem(*as_problem(A, b, problem)).largest_alpha()


@like(solve_penalised, without=("callback", "verbose"))
def path_alphas(A, b, *, points: int = POINTS, smallest: float = 1e-3, **problem) -> np.ndarray:
    """Penalties for `solve_penalties`: from `largest_alpha` down, each the same factor below the last.

    Parameters
    ----------
    points : int, default=20
        The number of penalties.
    smallest : float, default=0.001
        The smallest as a share of the largest.

    Returns
    -------
    ndarray of shape (points,)
        Descending.

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> pdbfw.path_alphas(np.eye(2), [3, -8], loss="squared", points=3, smallest=0.01).round(3).tolist()
    [4.0, 0.4, 0.04]
    """
    return _core.Problem(*as_problem(A, b, problem)).path_alphas(points=int(points), smallest=float(smallest))


@like(solve, without=("solver", "tol", "callback", "start", "verbose"))
def certify(A, b, x=None, y=None, *, weights=None, loss: str | None = None, set: str = "l1", atoms=None,
            threads: int | None = None, **problem) -> Certificate:
    """The certificate of any point, recomputed from the data.

    The intercept and the weights of free features are the best ones for the point.

    Parameters
    ----------
    x : array of shape (n_features,), less the free ones, or LowRankResult
        The point. For the set trace an array of shape (n_features, n_outputs) will do as well.
    weights : array of shape (n_features,)
        In place of x: those of the features as they are, ``weights`` of a result or ``coef_`` of an estimator. They
        differ from x where features are scaled or free.
    y : array, optional
        The dual point, as results have it. None: the gradients of the losses at x, which prove an optimal x.
    threads : int, optional
        The number of threads.

    Returns
    -------
    Certificate

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> A = np.random.default_rng(0).normal(size=(100, 20))
    >>> problem = dict(loss="squared", radius=1.0, ridge=0.1)
    >>> result = pdbfw.solve(A, A[:, 0], tol=1e-8, **problem)
    >>> pdbfw.certify(A, A[:, 0], result.x, result.y, **problem).relative_gap <= 1e-8
    True
    """
    if loss is None and set == TRACE:
        loss = "squared"
    matrix, targets, options, arrays = as_problem(A, b, dict(problem, loss=loss, set=set, threads=threads))
    if atoms is not None:
        arrays["atoms"] = as_matrix(atoms)
    if set == TRACE:
        _refuse(arrays if weights is None else {"weights": weights, **arrays})
        B = as_table(b)
        if x is None:
            raise _core.InputError("x: none breaks the rule: the point")
        proof = None if y is None else as_table(y)
        return Certificate(**_core.certify_low_rank(matrix, B, _outputs(B, loss), _factors(x), proof, options))
    x, weights, y = (None if given is None else as_numbers(given) for given in (x, weights, y))
    return Certificate(**_core.Problem(matrix, targets, options, arrays).certify(x, weights, y))


def _factors(x):
    """(U, s, V) of whatever has them, or of a matrix."""
    if hasattr(x, "U"):
        return as_table(x.U), as_numbers(x.s), as_table(x.V)
    U, s, Vt = np.linalg.svd(as_table(x), full_matrices=False)
    return as_table(U), s, as_table(Vt.T)
