"""Problems judged by their definition: from weights and intercepts alone, with code of its own, NumPy and SciPy."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.optimize import nnls
from scipy.special import logsumexp

LABEL_LOSSES = ("smooth_hinge", "squared_hinge", "logistic")
NUMBER_LOSSES = ("squared", "huber")
CLASS_LOSSES = ("softmax", "multiclass_hinge")


def scalar_losses(loss, b, w, smoothing=1.0, huber_width=1.0):
    """f(w) of every sample, the table of docs/math.md [M5]."""
    if loss == "squared":
        return 0.5 * (w - b) ** 2
    if loss == "huber":
        off = np.abs(w - b)
        return np.where(off <= huber_width, 0.5 * off**2, huber_width * off - 0.5 * huber_width**2)
    missing = 1 - b * w
    if loss == "squared_hinge":
        return 0.5 * np.maximum(0, missing) ** 2
    if loss == "smooth_hinge":
        curved = np.maximum(0, missing) ** 2 / (2 * smoothing)
        return np.where(missing <= smoothing, curved, missing - smoothing / 2)
    assert loss == "logistic"
    return np.logaddexp(0, -b * w)


def nearest_of_simplex(v):
    """By sorting, row by row."""
    descending = -np.sort(-v, axis=1)
    shares = (np.cumsum(descending, axis=1) - 1) / np.arange(1, v.shape[1] + 1)
    count = np.count_nonzero(descending > shares, axis=1)
    return np.maximum(0, v - shares[np.arange(len(v)), count - 1][:, None])


def row_losses(loss, B, W, smoothing=1.0, huber_width=1.0):
    """f(W_i) of every sample [M22]; B has classes 0 .. K-1 for the losses of classes, else a column an output."""
    if loss not in CLASS_LOSSES:
        return scalar_losses(loss.removeprefix("multilabel_"), B, W, smoothing, huber_width).sum(axis=1)
    true = np.eye(W.shape[1])[B]
    of_true = (W * true).sum(axis=1)
    if loss == "softmax":
        return logsumexp(W, axis=1) - of_true
    g = W + 1 - true
    y = nearest_of_simplex(true + g / smoothing) - true
    return (g * y).sum(axis=1) - 0.5 * smoothing * (y**2).sum(axis=1)


def deviations(A, counts):
    """The standard deviation of every column where row i counts so often; 1 where that is 0."""
    mean = counts @ A / counts.sum()
    found = np.sqrt(counts @ (A - mean) ** 2 / counts.sum())
    return np.where(found > 1e-14 * np.abs(A[counts > 0]).max(axis=0), found, 1)


@dataclass(frozen=True)
class VectorProblem:
    """What `pdbfw.solve` is asked for, with dense data. `alpha` beside a radius: a penalty in its place."""

    A: np.ndarray
    b: np.ndarray
    loss: str
    set: str = "l1"
    radius: float = 1.0
    alpha: float = 0.0
    ridge: float | str = 0.0
    intercept: bool = False
    sample_weight: np.ndarray | None = None
    class_weight: str | None = None
    standardise: bool = False
    penalty_weight: np.ndarray | None = None
    free_features: list[int] | None = None
    ridge_scale: np.ndarray | None = None
    atoms: np.ndarray | None = None
    smoothing: float = 1.0
    huber_width: float = 1.0

    @cached_property
    def counts(self):
        """How often a sample counts."""
        counts = np.ones(len(self.b)) if self.sample_weight is None else np.array(self.sample_weight, dtype=float)
        if self.class_weight == "balanced":
            sizes = {sign: counts[self.b == sign].sum() for sign in (-1, 1)}
            factor = {sign: sum(sizes.values()) / 2 / size if size else 1 for sign, size in sizes.items()}
        else:
            factor = dict(zip((-1, 1), map(float, (self.class_weight or "1,1").split(","))))
        return counts * np.where(self.b < 0, factor[-1], factor[1])

    @cached_property
    def ridge_weight(self):
        if isinstance(self.ridge, str):
            return float(self.ridge.removesuffix("/n")) / self.counts.sum()
        return float(self.ridge)

    @cached_property
    def is_held(self):
        """Which features are not free."""
        held = np.ones(self.A.shape[1], dtype=bool)
        held[self.free_features or []] = False
        return held if self.penalty_weight is None else held & (np.asarray(self.penalty_weight) > 0)

    @cached_property
    def units(self):
        """What a weight is multiplied by where the set and the ridge see it; of the features that are not free."""
        units = np.ones(self.A.shape[1])
        if self.standardise:
            units = units * deviations(self.A, self.counts)
        if self.penalty_weight is not None:
            units = units * self.penalty_weight
        return units[self.is_held]

    @cached_property
    def curvatures(self):
        scale = np.ones(self.A.shape[1]) if self.ridge_scale is None else np.asarray(self.ridge_scale)
        return self.ridge_weight * scale[self.is_held]

    def in_ball(self, radius):
        """The same without a penalty."""
        return replace(self, radius=radius, alpha=0.0)

    def objective(self, weights, intercept):
        of_samples = scalar_losses(self.loss, self.b, self.A @ weights + intercept, self.smoothing, self.huber_width)
        x = self.units * weights[self.is_held]
        return (self.counts @ of_samples / self.counts.sum() + 0.5 * (self.curvatures * x**2).sum() +
                self.alpha * np.abs(x).sum())

    def of_nothing(self):
        return self.objective(np.zeros(self.A.shape[1]), 0.0)

    def violation(self, weights):
        """How far outside the set; of a penalty only signs matter."""
        x = self.units * weights[self.is_held]
        negative = max(0.0, -x.min(initial=0.0))
        if self.set == "polytope":
            hull = np.vstack([self.radius * self.atoms.T, np.ones(len(self.atoms))])
            return nnls(hull, np.append(x, 1.0))[1]
        if self.set == "simplex":
            return max(negative, abs(x.sum() - self.radius))
        outside = 0.0 if self.alpha else max(0.0, np.abs(x).sum() - self.radius)
        return max(outside, negative if self.set == "nonnegative" else 0.0)


@dataclass(frozen=True)
class MatrixProblem:
    """Weights of several outputs in one problem, one column an output: of classes jointly, or of low rank."""

    A: np.ndarray
    B: np.ndarray
    outputs: int
    loss: str
    set: str  # l1, l1_per_class or trace
    radius: float
    ridge: float | str
    intercept: bool = False
    counts: np.ndarray | None = None
    smoothing: float = 1.0
    huber_width: float = 1.0

    @cached_property
    def share(self):
        counts = np.ones(len(self.A)) if self.counts is None else self.counts
        return counts / counts.sum()

    @cached_property
    def ridge_weight(self):
        if isinstance(self.ridge, str):
            total = len(self.A) if self.counts is None else self.counts.sum()
            return float(self.ridge.removesuffix("/n")) / total
        return float(self.ridge)

    def objective(self, X, intercepts):
        of_samples = row_losses(self.loss, self.B, self.A @ X + intercepts, self.smoothing, self.huber_width)
        return self.share @ of_samples + 0.5 * self.ridge_weight * (X**2).sum()

    def of_nothing(self):
        return self.objective(np.zeros((self.A.shape[1], self.outputs)), 0.0)

    def violation(self, X):
        if self.set == "trace":
            norm = np.linalg.svd(X, compute_uv=False).sum()
        else:
            norm = np.abs(X).sum() if self.set == "l1" else np.abs(X).sum(axis=0).max()
        return max(0.0, norm - self.radius)
