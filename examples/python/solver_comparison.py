"""
Solvers, compared by one judge
==============================

Every solver of pdbfw answers to the same certificate, recomputed from the data. So they can be compared by how far the
proven gap has come after a number of passes over the data, which does not depend on the machine or on the programming language.

The data are text: RCV1 where the folder that ``PDBFW_DATA`` names has ``rcv1_sample.binary.xz``, else made in the image of
text, with a planted model.
"""

# %%
# The data
# --------

import io
import lzma
import os
import pathlib

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

import pdbfw


def made_text(rng, texts=3000, words=20000, length=60):
    """Words as common as a power law says, rows of length 1, labels by fifty of the commoner words."""
    share = 1 / np.arange(1, words + 1) ** 0.8
    column = rng.choice(words, size=(texts, length), p=share / share.sum())
    row = np.arange(texts).repeat(length)
    A = sp.csr_array((np.ones(row.size), (row, column.ravel())), shape=(texts, words))
    A.data = np.log1p(A.data)
    A = sp.csr_array(A.multiply(1 / np.sqrt(A.multiply(A).sum(axis=1))[:, None]))
    planted = np.zeros(words)
    planted[rng.choice(1000, 50, replace=False)] = rng.normal(size=50)
    score = A @ planted
    return A, np.where(score + 0.3 * score.std() * rng.normal(size=texts) > np.median(score), 1.0, -1.0)


path = pathlib.Path(os.environ.get("PDBFW_DATA", "data")) / "rcv1_sample.binary.xz"
if path.exists():
    with lzma.open(path, "rt") as lines:
        head = "".join(line for _, line in zip(range(4000), lines))
    A, b = load_svmlight_file(io.BytesIO(head.encode()))
    source = "the first 4,000 texts of rcv1_sample"
else:
    A, b = made_text(np.random.default_rng(0))
    source = "made text"
A.indices, A.indptr = A.indices.astype(np.int32), A.indptr.astype(np.int32)  # as scikit-learn wants them
print(f"{source}: {A.shape[0]} rows, {A.shape[1]} features, {A.nnz} non-zeros")

# %%
# The race
# --------
#
# The same problem for all, the same limit of data passes. ``auto`` is what you get when you choose nothing. ``pdbfw`` is the
# algorithm of the paper, ``fw`` the plain Frank-Wolfe method; the others are those that it was compared with.

problem = dict(loss="smooth_hinge", radius=30, ridge="10/n")
names = ["auto", "working_set", "pdbfw", "fw_pairwise", "fw", "apg", "svrg"]
limits = dict(tol=1e-8, max_passes=300)
results = {name: pdbfw.solve(A, b, solver=name, **limits, **problem) for name in names}

print(f"{'solver':<12} {'relative gap':>12} {'passes':>8} {'non-zeros':>10}   status")
for name, result in results.items():
    print(f"{name:<12} {result.certificate.relative_gap:>12.1e} {result.work.data_passes:>8.1f} "
          f"{np.count_nonzero(result.x):>10}   {result.status}")

figure, axis = plt.subplots(figsize=(9, 5), layout="constrained")
for name, result in results.items():
    # The best gap so far, as a solver keeps its best points.
    gap = np.minimum.accumulate(np.maximum(result.trace["relative_gap"], 1e-10))
    passes = np.maximum(result.trace["data_passes"], 1)
    axis.loglog(passes, gap, linewidth=3 if name == "auto" else 1.5, label=name)
axis.set(xlabel="data passes", ylabel="certified relative gap", xlim=(1, 400), ylim=(1e-9, 3))
axis.grid(alpha=0.3)
axis.legend(ncols=2)

# %%
# The judge takes any answer
# --------------------------
#
# ``certify`` computes a gap for any point from any source. Scikit-learn has the l1-penalised logistic regression; with
# ``alpha = 1 / (C n)``, here for its default ``C = 1``, it is the same problem as that of ``solve_penalised``, which finds
# the ball with the same solution. In that ball both answers are judged. A gap is a bound: liblinear's objective may be
# right to more digits than can be proven from its weights alone, and without a proof that would not be known.

alpha = 1 / b.size
ours = pdbfw.solve_penalised(A, b, alpha, loss="logistic", ridge=0, tol=1e-6)
ball = dict(loss="logistic", radius=ours.radius, ridge=0)
theirs = {}
for tol in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5):
    # From scikit-learn 1.8 on; before, penalty="l1" in place of l1_ratio.
    model = LogisticRegression(l1_ratio=1, solver="liblinear", fit_intercept=False, tol=tol, random_state=0)
    theirs[tol] = model.fit(A, b).coef_[0]

print(f"ball of radius {ours.radius:.4g} for alpha {alpha:.4g}")
for tol, x in theirs.items():
    x = x * min(1, ours.radius / abs(x).sum())
    print(f"liblinear, tol {tol:.0e}: {pdbfw.certify(A, b, x, **ball)}")
print(f"pdbfw, tol 1e-06:     {pdbfw.certify(A, b, ours.result.x, ours.result.y, **ball)}")

figure, axis = plt.subplots(figsize=(6, 6), layout="constrained")
best = theirs[1e-5]
limit = 1.05 * abs(best).max()
axis.plot([-limit, limit], [-limit, limit], color="0.8", zorder=0)
axis.plot(best, ours.result.x, "o", markersize=4, alpha=0.6)
axis.set(xlabel="weights by liblinear, tol 1e-5", ylabel="weights by pdbfw", aspect="equal",
         title=f"{np.count_nonzero(best)} and {np.count_nonzero(ours.result.x)} of {best.size} weights")

plt.show()
