"""What a solve gives back."""

from dataclasses import dataclass, field
from html import escape

import numpy as np


def html_table(rows):
    """Names and texts, side by side."""
    lines = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(text)}"
                    "</td></tr>" for name, text in rows)
    return f"<table>{lines}</table>"


def text_of_gap(relative_gap):
    """A relative gap in words."""
    return "0, within rounding" if relative_gap == 0 else f"{relative_gap:.3g}"


@dataclass(frozen=True)
class Certificate:
    """The proof of an answer, recomputed from the data.

    Attributes
    ----------
    primal : float
        The objective at x.
    dual : float
        A lower bound on the objective of every point of the set, from the dual point y.
    gap : float
        ``primal - dual``: the objective at x is at most so much above the best possible. No less than what rounding
        may hide; 0 where the two agree to 13 digits.
    relative_gap : float
        The gap divided by the objective; what ``tol`` is compared with.
    violation : float
        0 when x lies in the set, else how far the defining inequality is missed.
    """

    primal: float
    dual: float
    gap: float
    relative_gap: float
    violation: float

    def __str__(self):
        return (f"primal {self.primal:.10g}, dual {self.dual:.10g}, relative gap {text_of_gap(self.relative_gap)}, "
                f"violation {self.violation:.3g}")

    def _repr_html_(self):
        return html_table((name, f"{value:.10g}") for name, value in vars(self).items())


@dataclass(frozen=True)
class Work:
    """Work that does not depend on the machine.

    Attributes
    ----------
    iterations : int
        As the solver counts them.
    oracle_calls : int
        Projections, thresholds and linear oracles of the set.
    multiply_adds : float
        With entries of A, certificates included.
    data_passes : float
        The same in units of one product with A.
    """

    iterations: int
    oracle_calls: int
    multiply_adds: float
    data_passes: float


def trace_array(columns):
    """The trace as a structured array, one row for each time the gap was looked at."""
    size = len(columns["iteration"])
    types = [(name, bool if name == "is_certified" else column.dtype) for name, column in columns.items()]
    trace = np.empty(size, dtype=types)
    for name, column in columns.items():
        trace[name] = column
    return trace


@dataclass(frozen=True, repr=False)
class Outcome:
    """What results of every kind have. `status` is "converged" or says which limit ended the solve."""

    status: str
    message: str
    solver: str
    certificate: Certificate
    work: Work
    seconds: float
    multiplier: float
    trace: np.ndarray

    def _shape(self):
        raise NotImplementedError

    def _rows(self):
        return [
            ("status", f"{self.status}: {self.message}"),
            ("certificate", str(self.certificate)),
            ("x", self._shape()),
            ("work", f"{self.work.iterations} iterations, {self.work.data_passes:.4g} data passes, "
                     f"{self.seconds:.3g} s (solver {self.solver})"),
        ]

    def _told(self):
        """One line for people who watched."""
        return f"{self.status}: {self.message}, {self.seconds:.3g} s"

    def __repr__(self):
        lines = [f"  {name:<12} {text}" for name, text in self._rows()]
        return "\n".join([f"{type(self).__name__}", *lines])

    def _repr_html_(self):
        return html_table(self._rows())


@dataclass(frozen=True, repr=False)
class Result(Outcome):
    """The answer of `pdbfw.solve` for a vector of weights.

    Attributes
    ----------
    x : ndarray of shape (n_features,), less the free ones
        The best primal point found: the point of the set, which `pdbfw.certify` takes. Free features are not in it.
    weights : ndarray of shape (n_features,)
        Those of the features as they are: x, unless features are scaled or weighed (``standardise``,
        ``penalty_weight``) or free.
    free_weights : ndarray
        One for each of the free features, in ascending order.
    y : ndarray of shape (n_samples,)
        The best dual point: with it `pdbfw.certify` computes the same certificate again.
    intercept : float
        The free constant of every prediction; 0 when none was asked for.
    status, message : str
        Why the solve ended, as a word and as a sentence with the two numbers compared.
    solver : str
        The engines that ran.
    certificate : Certificate
        The proof.
    multiplier : float
        Of the radius: the penalty on the norm of x that has the same solution.
    work : Work
        Counts that do not depend on the machine.
    seconds : float
        Time of the solve.
    trace : ndarray
        A structured array: iteration, seconds, data_passes, primal, dual, relative_gap, nonzeros, ...
    """

    x: np.ndarray = field(default=None)
    y: np.ndarray = field(default=None)
    intercept: float = 0.0
    weights: np.ndarray = field(default=None)
    free_weights: np.ndarray = field(default=None)

    def _shape(self):
        return f"{np.count_nonzero(self.weights)} of {self.weights.size} weights not zero, l1 norm {np.abs(self.x).sum():.6g}"


@dataclass(frozen=True, repr=False)
class LowRankResult(Outcome):
    """The answer of `pdbfw.solve` for a matrix of weights, ``X = U diag(s) V'``.

    Attributes
    ----------
    U : ndarray of shape (n_features, rank)
    s : ndarray of shape (rank,)
        The singular values, largest first.
    V : ndarray of shape (n_outputs, rank)
    y : ndarray of shape (n_samples, n_outputs)
        The best dual point.
    x : ndarray of shape (n_features, n_outputs)
        X multiplied out, when it is asked for.

    The others are those of `Result`.
    """

    U: np.ndarray = field(default=None)
    s: np.ndarray = field(default=None)
    V: np.ndarray = field(default=None)
    y: np.ndarray = field(default=None)

    @property
    def x(self):
        return (self.U * self.s) @ self.V.T

    @property
    def rank(self):
        return self.s.size

    def _shape(self):
        return f"{self.U.shape[0]} x {self.V.shape[0]}, rank {self.rank}, trace norm {self.s.sum():.6g}"


def _common(given):
    return {
        **{name: given[name] for name in ("status", "message", "solver", "seconds", "multiplier")},
        "certificate": Certificate(**given["certificate"]),
        "work": Work(**given["work"]),
        "trace": trace_array(given["trace"]),
    }


def to_result(given):
    """A Result from what the core gives back."""
    return Result(**_common(given), x=given["x"], y=given["y"], intercept=given["intercept"],
                  weights=given["weights"], free_weights=given["free_weights"])


def to_low_rank_result(given):
    """A LowRankResult from what the core gives back."""
    U, s, V = given["factors"]
    return LowRankResult(**_common(given), U=U, s=s, V=V, y=given["y"])
