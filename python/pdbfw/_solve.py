"""The problem as researchers state it: data, loss, set, radius, ridge. Estimators are built on these functions."""

from typing import Any, Callable, NamedTuple

import numpy as np

from . import _core
from ._data import as_matrix, as_numbers, as_table, plain
from ._result import Certificate, LowRankResult, Result, to_low_rank_result, to_result

TRACE = "trace"
# Their targets are the indices of classes, in one column; all others have one column of targets an output.
CLASS_LOSSES = ("softmax", "multiclass_hinge")

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
        takes_intercept and options.

    Examples
    --------
    >>> import pdbfw
    >>> "auto" in [solver["name"] for solver in pdbfw.solvers()["sparse"]]
    True
    """
    return {"sparse": _core.solvers(), "low rank": _core.low_rank_solvers()}


def _outputs(B, loss):
    """How many columns the matrix of weights has."""
    if loss not in CLASS_LOSSES:
        return B.shape[1]
    if B.shape[1] != 1 or B.size == 0:
        raise _core.InputError(f"b: {B.shape[1]} columns breaks the rule: one, the class of every sample")
    return int(B.max()) + 1


def _extras(sample_weight, ridge_scale, atoms=None):
    """What defines a problem besides options, as the core takes it; without those that are not given."""
    given = {"sample_weight": sample_weight, "ridge_scale": ridge_scale}
    extras = {name: as_numbers(value) for name, value in given.items() if value is not None}
    return extras if atoms is None else {**extras, "atoms": as_matrix(atoms)}


def _refuse(extras):
    for name in extras:
        raise _core.InputError(f"{name}: given breaks the rule: not with the set trace")


def solve(A, b, *, loss: str | None = None, set: str = "l1", radius: float | None = None,
          ridge: float | str | None = None, intercept: bool = False, sample_weight=None, solver: str = "auto",
          tol: float | None = None, callback: Callback | None = None, start: Result | LowRankResult | None = None,
          ridge_scale=None, atoms=None, **settings) -> Result | LowRankResult:
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
    set : {"l1", "simplex", "polytope", "trace"}
        Where x must lie. "trace": x is a matrix whose singular values sum to at most the radius.
    radius : float, optional
        The size of the set, 100 by default.
    ridge : float or str, optional
        The weight of half the squared length of x: a number, or a number divided by the samples, "1/n" by default.
    intercept : bool
        Whether every prediction has a free constant, which is neither bounded nor penalised.
    sample_weight : array of shape (n_samples,), optional
        Numbers >= 0: weight 2 is the sample twice, weight 0 is without it; n is then the sum of the weights.
    solver : str
        One of `solvers()`.
    tol : float, optional
        Stop when the certified relative duality gap is at most this, 1e-4 by default.
    callback : callable, optional
        Called about once an iteration with a dictionary (iteration, seconds, primal, dual, relative_gap, ...). When it
        returns False the solve stops, with the best point so far and its certificate.
    start : Result or LowRankResult, optional
        Of a similar problem: where to begin.
    ridge_scale : array of shape (n_features,), optional
        Factors of the ridge, one a feature.
    atoms : array or sparse matrix, optional
        Of the set polytope: one a row.
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
    matrix = as_matrix(A)
    if loss is None and set == TRACE:
        loss = "squared"
    options = plain(dict(loss=loss, set=set, radius=radius, ridge=ridge, intercept=intercept, solver=solver, tol=tol,
                         **settings))
    extras = _extras(sample_weight, ridge_scale, atoms)
    begin = {}
    if set == TRACE:
        _refuse(extras)
        B = as_table(b)
        if start is not None:
            begin = {"X": _factors(start), "Y": None if start.y is None else as_table(start.y)}
        return to_low_rank_result(
            _core.solve_low_rank(matrix, B, _outputs(B, loss), options, callback=callback, **begin))
    if start is not None:
        begin = {"x": as_numbers(start.x), "y": None if start.y is None else as_numbers(start.y),
                 "multiplier": float(start.multiplier)}
    return to_result(_core.solve(matrix, as_numbers(b), options, callback=callback, **extras, **begin))


def solve_path(A, b, radii, *, loss: str | None = None, set: str = "l1", ridge: float | str | None = None,
               intercept: bool = False, sample_weight=None, solver: str = "auto", tol: float | None = None,
               callback: Callback | None = None, ridge_scale=None, **settings) -> list[PathPoint]:
    """The same problem for several radii, each with its own proof.

    They are solved from the largest radius down, each from where the last one ended, which costs less than one by one.

    Parameters
    ----------
    A, b, loss, set, ridge, intercept, sample_weight, solver, tol, callback, ridge_scale, **settings
        As those of `solve`.
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
    if "radius" in settings:
        raise _core.InputError("radius: given breaks the rule: not beside radii")
    options = plain(dict(loss=loss, set=set, ridge=ridge, intercept=intercept, solver=solver, tol=tol, **settings))
    points = _core.solve_path(as_matrix(A), as_numbers(b), as_numbers(radii), options, callback=callback,
                              **_extras(sample_weight, ridge_scale))
    return [PathPoint(radius, to_result(given)) for radius, given in points]


def solve_penalised(A, b, alpha: float, *, loss: str | None = None, ridge: float | str | None = None, intercept: bool = False,
                    sample_weight=None, solver: str = "auto", tol: float | None = None, callback: Callback | None = None,
                    ridge_scale=None, **settings) -> Penalised:
    """A penalty on the l1 norm instead of a radius, with a proof of its own.

    Minimises ``(1/n) sum_i f_i(a_i'x) + (ridge/2) |x|^2 + alpha |x|_1``. Scikit-learn's ``ElasticNet`` is the loss
    squared with ``alpha`` and ``ridge`` its ``alpha * l1_ratio`` and ``alpha * (1 - l1_ratio)``; its l1-penalised
    ``LogisticRegression`` the loss logistic with ``alpha = 1 / (C n)`` and ``ridge=0``.

    Parameters
    ----------
    A, b, loss, ridge, intercept, sample_weight, solver, tol, callback, ridge_scale, **settings
        As those of `solve`.
    alpha : float
        The weight of the sum of the absolute weights, > 0.

    Returns
    -------
    Penalised
        (radius, result, certificate): of the l1 ball with the same solution, and the certificate of the penalised problem.

    Examples
    --------
    >>> import numpy as np, pdbfw
    >>> A = np.random.default_rng(0).normal(size=(100, 20))
    >>> lasso = pdbfw.solve_penalised(A, A[:, 0] - A[:, 1], 0.1, loss="squared", ridge=0)
    >>> lasso.result.status, bool(lasso.certificate.relative_gap <= 1e-4)
    ('converged', True)
    """
    options = plain(dict(loss=loss, ridge=ridge, intercept=intercept, solver=solver, tol=tol, **settings))
    radius, result, certificate = _core.solve_penalised(as_matrix(A), as_numbers(b), float(alpha), options, callback=callback,
                                                        **_extras(sample_weight, ridge_scale))
    return Penalised(radius, to_result(result), Certificate(**certificate))


def certify(A, b, x, y=None, *, loss: str | None = None, set: str = "l1", radius: float | None = None,
            ridge: float | str | None = None, intercept: bool = False, sample_weight=None, ridge_scale=None,
            atoms=None, threads: int | None = None, **settings) -> Certificate:
    """The certificate of any point x, recomputed from the data.

    Parameters
    ----------
    A, b, loss, set, radius, ridge, intercept, sample_weight, ridge_scale, atoms, **settings
        The problem, as in `solve`. The intercept is the best one for x.
    x : array of shape (n_features,), or LowRankResult
        The point. For the set trace an array of shape (n_features, n_outputs) will do as well.
    y : array, optional
        The dual point, as results have it. None: the gradients of the losses at x, which prove an optimal x.
    threads : int, optional
        How many may work.

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
    matrix = as_matrix(A)
    if loss is None and set == TRACE:
        loss = "squared"
    options = plain(dict(loss=loss, set=set, radius=radius, ridge=ridge, intercept=intercept, threads=threads,
                         **settings))
    extras = _extras(sample_weight, ridge_scale, atoms)
    if set == TRACE:
        _refuse(extras)
        B = as_table(b)
        proof = None if y is None else as_table(y)
        return Certificate(**_core.certify_low_rank(matrix, B, _outputs(B, loss), _factors(x), proof, options))
    proof = None if y is None else as_numbers(y)
    return Certificate(**_core.certify(matrix, as_numbers(b), as_numbers(x), proof, options, **extras))


def _factors(x):
    """(U, s, V) of whatever has them, or of a matrix."""
    if hasattr(x, "U"):
        return as_table(x.U), as_numbers(x.s), as_table(x.V)
    U, s, Vt = np.linalg.svd(as_table(x), full_matrices=False)
    return as_table(U), s, as_table(Vt.T)
