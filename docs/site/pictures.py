#!/usr/bin/env python3
"""Draws the pictures of the user guide: python pictures.py FOLDER

Nothing in them depends on the machine: work is counted in data passes, data are made or come with scikit-learn.
"""

import io
import pathlib
import sys

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.preprocessing import StandardScaler

import pdbfw

SITE = pathlib.Path(__file__).resolve().parent


def breast_cancer():
    A, b = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(A), np.where(b == 1, 1.0, -1.0)


def made_text(rows=1000, words=2000, planted=30, seed=0):
    """Rows of length 1 with a few entries each, and labels by the commoner columns, one in twenty wrong."""
    rng = np.random.default_rng(seed)
    share = np.full(words, 0.02)
    share[:planted] = 0.2
    A = np.abs(rng.normal(size=(rows, words))) * (rng.random((rows, words)) < share)
    A /= np.linalg.norm(A, axis=1, keepdims=True)
    score = A[:, :planted] @ rng.choice([-1.0, 1.0], planted)
    return A, np.where(rng.random(rows) < 0.05, -1, 1) * np.where(score > 0, 1.0, -1.0)


def losses():
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    m = np.linspace(-1.5, 2.5, 400)
    left.plot(m, np.select([m >= 1, m <= 0], [0, 0.5 - m], (1 - m) ** 2 / 2), label="smooth_hinge")
    left.plot(m, np.maximum(0, 1 - m) ** 2 / 2, label="squared_hinge")
    left.plot(m, np.log1p(np.exp(-m)), label="logistic")
    left.axvline(0, color="0.8", linewidth=1, zorder=0)
    left.axvline(1, color="0.8", linewidth=1, linestyle="--", zorder=0)
    left.set(xlabel="margin: label times score", ylabel="loss", title="Two classes", ylim=(-0.05, 2.6))
    left.text(-0.05, 2.5, "wrong", ha="right", color="0.4")
    left.text(0.05, 2.5, "right", color="0.4")
    left.text(1.05, 2.5, "with a margin", color="0.4")
    left.legend(loc="center right")
    e = np.linspace(-3, 3, 400)
    right.plot(e, e**2 / 2, label="squared")
    right.plot(e, np.where(abs(e) <= 1, e**2 / 2, abs(e) - 0.5), label="huber, width 1")
    right.plot(e, np.where(abs(e) <= 0.3, e**2 / 2, 0.3 * abs(e) - 0.045), label="huber, width 0.3")
    right.set(xlabel="error: prediction less target", title="Numbers", ylim=(-0.05, 2.6))
    right.legend()
    return figure


def outliers():
    rng = np.random.default_rng(3)
    t = np.sort(rng.uniform(-2, 2, 40))
    b = 1.5 * t + 0.3 * rng.normal(size=t.size)
    b[-5:] -= 6
    figure, axis = plt.subplots(figsize=(10, 3.8), layout="constrained")
    axis.plot(t, b, "o", color="0.5", label="data, five of them wrong")
    for loss in ("squared", "huber"):
        found = pdbfw.solve(t[:, None], b, loss=loss, radius=100, ridge=0, intercept=True)
        axis.plot(t, found.x[0] * t + found.intercept, label=loss)
    axis.plot(t, 1.5 * t, color="black", linewidth=1, linestyle=":", label="the truth")
    axis.set(xlabel="feature", ylabel="target")
    axis.legend()
    return figure


def corners():
    """Why a ball with corners gives zeros."""
    figure, axes = plt.subplots(1, 2, figsize=(8.5, 4.2), layout="constrained")
    best = np.array([1.6, 0.3])
    H = np.array([[1.0, 0.35], [0.35, 0.8]])
    grid = np.linspace(-1.6, 2.6, 300)
    X, Y = np.meshgrid(grid, grid)
    D = np.stack([X - best[0], Y - best[1]], axis=-1)
    P = np.einsum("...i,ij,...j->...", D, H, D)
    angle = np.linspace(0, 2 * np.pi, 721)
    for axis, power, name in [(axes[0], 1, r"$|x|_1 \leq 1$: a corner, one weight is zero"), (axes[1], 2, r"$|x|_2 \leq 1$: no corner, no zero")]:
        c, s = np.cos(angle), np.sin(angle)
        size = (abs(c) ** power + abs(s) ** power) ** (1 / power)
        ball = np.stack([c / size, s / size], axis=1)
        values = np.einsum("ij,jk,ik->i", ball - best, H, ball - best)
        winner = ball[values.argmin()]
        axis.contour(X, Y, P, levels=np.sort(np.unique([*np.geomspace(0.03, 6, 8), values.min()])), colors="0.75", linewidths=1)
        axis.fill(ball[:, 0], ball[:, 1], color="C0", alpha=0.2)
        axis.plot(ball[:, 0], ball[:, 1], color="C0")
        axis.plot(*best, "x", color="0.3", markersize=8, markeredgewidth=2)
        axis.plot(*winner, "o", color="C1", markersize=9)
        axis.annotate(f"({winner[0]:.2f}, {winner[1]:.2f})", winner, (8, -16), textcoords="offset points", color="C1", weight="bold")
        axis.axhline(0, color="0.8", linewidth=0.8, zorder=0)
        axis.axvline(0, color="0.8", linewidth=0.8, zorder=0)
        axis.set(aspect="equal", title=name, xlim=(-1.4, 2.4), ylim=(-1.4, 1.6), xlabel="first weight", ylabel="second weight")
    return figure


def path():
    A, b = breast_cancer()
    radii = np.geomspace(0.05, 60, 40)
    points = pdbfw.solve_path(A, b, radii, loss="logistic", intercept=True, tol=1e-6)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    pdbfw.plot_path(points, names=load_breast_cancer().feature_names, top=5, ax=left)
    left.set_title("Weights, one line per feature")
    pdbfw.plot_path(points, y="nonzeros", ax=right)
    right.set_title("How many there are")
    norms = np.array([abs(point.result.x).sum() for point in points])
    free = radii[np.argmax(norms < 0.999 * radii)]
    for axis in (left, right):
        axis.axvspan(free, radii[-1], color="0.93", zorder=0)
    right.text(0.92 * free, 1, "the radius no\nlonger binds", color="0.4", ha="right")
    return figure


def cross_validation():
    A, b = made_text()
    cv = pdbfw.cross_validate(A, b, loss="smooth_hinge", ridge="1/n", radii=np.geomspace(3, 300, 20))
    figure, axis = plt.subplots(figsize=(10, 4), layout="constrained")
    pdbfw.plot_cv(cv, ax=axis)
    axis.set_title("Five folds: their mean and its standard error")
    return figure


def certificate():
    A, b = made_text()
    problem = dict(loss="smooth_hinge", radius=40, ridge="1/n", tol=1e-7)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    trace = pdbfw.solve(A, b, solver="pdbfw", **problem).trace
    passes = trace["data_passes"]
    upper = np.minimum.accumulate(trace["primal"])
    lower = np.maximum.accumulate(trace["dual"])
    left.plot(passes, upper, label="primal: what this model costs")
    left.plot(passes, lower, label="dual: no model can cost less")
    left.fill_between(passes, lower, upper, color="0.92")
    middle = np.argmax(lower > 0.4 * upper)
    left.text(passes[middle], 0.72 * upper[middle], "the gap", color="0.35", ha="center")
    left.set(xlabel="data passes", ylabel="objective", title="Two bounds close in", xlim=(0, 50), ylim=(0, 1.1 * upper.max()))
    left.legend(loc="lower right")
    for name in ("pdbfw", "auto"):
        trace = pdbfw.solve(A, b, solver=name, **problem).trace
        gap = np.minimum.accumulate(trace["relative_gap"])
        right.semilogy(trace["data_passes"], np.maximum(gap, 1e-9), marker="o", markersize=3, label=f"solver {name}")
    right.axhline(1e-4, color="0.5", linestyle="--", linewidth=1, zorder=0)
    right.text(passes[-1], 1.5e-4, "tol 1e-4, the default", color="0.4", ha="right")
    right.set(xlabel="data passes", ylabel="relative gap", title="The gap falls to the tolerance", ylim=(1e-8, 3))
    right.legend()
    return figure


def sparse_or_low_rank():
    digits = load_digits()
    A = digits.data / 16 - (digits.data / 16).mean(axis=0)
    sparse = pdbfw.SparseClassifier("logistic", radius=12).fit(A, digits.target)
    low = pdbfw.LowRankClassifier(radius=5).fit(A, digits.target)
    figure = plt.figure(figsize=(10, 4.6), layout="constrained")
    rows = figure.subfigures(3, 1)
    for part, weights, title in [
        (rows[0], sparse.coef_, f"Sparse: a few pixels for each digit ({np.count_nonzero(sparse.coef_)} weights of {sparse.coef_.size})"),
        (rows[1], low.coef_, f"Low rank: each digit a mixture of {low.rank_} pictures"),
        (rows[2], low.U_[:, : low.rank_].T, f"... these {low.rank_}, which all digits share"),
    ]:
        part.suptitle(title, weight="bold", size="medium", x=0.01, ha="left")
        axes = part.subplots(1, 10)
        for k, axis in enumerate(axes):
            axis.axis("off")
            if k < len(weights):
                size = abs(weights[k]).max()
                axis.imshow(weights[k].reshape(8, 8), cmap="RdBu_r", vmin=-size, vmax=size)
    return figure


def class_weights():
    rng = np.random.default_rng(2)
    A = np.vstack([rng.normal([2, 2.5], 0.9, size=(300, 2)), rng.normal([4.2, 4.2], 0.9, size=(25, 2))])
    b = np.repeat([-1.0, 1.0], [300, 25])
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), sharex=True, sharey=True, layout="constrained")
    cases = [("no intercept", dict(fit_intercept=False)), ("with an intercept", {}), ("and class_weight balanced", dict(class_weight="balanced"))]
    t = np.array([-1.0, 7.0])
    for axis, (name, options) in zip(axes, cases):
        model = pdbfw.SparseClassifier("logistic", radius=100, **options).fit(A, b)
        (u, v), c = model.coef_[0], np.ravel(model.intercept_)[0]
        axis.fill_between(t, -(u * t + c) / v, 12 * np.sign(v), color="C1", alpha=0.12)
        axis.plot(t, -(u * t + c) / v, color="black")
        for label, colour in [(-1, "C0"), (1, "C1")]:
            axis.plot(*A[b == label].T, "o", markersize=3.5, color=colour, alpha=0.7)
        found = np.mean(model.predict(A)[b == 1] == 1)
        axis.set(title=f"{name}\nfinds {found:.0%} of the few", xlim=(-1, 7), ylim=(-1, 7))
        axis.plot(0, 0, "+", color="0.3")
        axis.title.set_fontsize(10)
    return figure


def how_sparse():
    A, b = breast_cancer()
    radii = np.geomspace(0.05, 40, 40)
    points = [point.result for point in pdbfw.solve_path(A, b, radii, loss="logistic", ridge=0, intercept=True, tol=1e-7)]
    alpha = np.array([point.multiplier for point in points])
    count = np.array([np.count_nonzero(point.x) for point in points])
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
    axes[0].plot(radii, count, "o-", markersize=3)
    axes[0].set(xscale="log", xlabel="radius", ylabel="features with a weight", title="By the radius ...", ylim=(0, 31))
    axes[1].plot(alpha, count, "o-", markersize=3, color="C1")
    axes[1].set(xscale="log", xlabel="alpha", title="... by the penalty ...", ylim=(0, 31))
    axes[1].invert_xaxis()
    axes[2].plot(radii, alpha, "o-", markersize=3, color="C2")
    axes[2].set(xscale="log", yscale="log", xlabel="radius", ylabel="alpha", title="... which say the same")
    for axis in axes[:2]:
        axis.axhline(10, color="0.6", linestyle="--", linewidth=1)
    axes[0].text(0.05, 10.5, "at most 10", color="0.4")
    return figure


PICTURES = [losses, outliers, corners, path, cross_validation, certificate, sparse_or_low_rank, class_weights, how_sparse]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    plt.style.use(SITE / "pictures.mplstyle")
    for picture in PICTURES:
        drawn = io.BytesIO()
        picture().savefig(drawn, dpi=140)
        plt.close("all")
        # 128 colours are enough for a drawing, and a third of the size.
        Image.open(drawn).convert("RGB").quantize(128).save(folder / f"{picture.__name__}.png", optimize=True)


if __name__ == "__main__":
    main()
