"""
A few genes out of thousands
============================

Sixty-two tissues, two thousand genes, two kinds of tissue: which genes tell a tumour from healthy tissue? With more
features than samples a small radius is what makes the answer sparse, and cross-validation says how small.

The data are those of colon-cancer (Alon et al. 1999) as LIBSVM's page hands them out. Where the folder that
``PDBFW_DATA`` names does not have ``colon-cancer.bz2``, data of the same shape are made, with twelve genes planted.
"""

# %%
# The data
# --------

import os
import pathlib

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import StandardScaler

import pdbfw
from pdbfw import SparseClassifier


def made_tissues(rng, samples=62, genes=2000, planted=12):
    """Genes in groups that rise and fall together; one of each of the first groups has a say."""
    groups = rng.normal(size=(samples, genes // 20)).repeat(20, axis=1)
    A = 0.6 * groups + 0.8 * rng.normal(size=(samples, genes))
    score = A[:, : 20 * planted : 20] @ rng.choice([-1.0, 1.0], planted) + rng.normal(size=samples)
    return A, np.where(score > np.quantile(score, 0.35), 1.0, -1.0)


path = pathlib.Path(os.environ.get("PDBFW_DATA", "data")) / "colon-cancer.bz2"
if path.exists():
    A, b = load_svmlight_file(str(path))
    A, source = A.toarray(), "colon-cancer"
else:
    A, b = made_tissues(np.random.default_rng(0))
    source = "made data of the shape of colon-cancer"
A = StandardScaler().fit_transform(A)
print(f"{source}: {A.shape[0]} tissues, {A.shape[1]} genes, classes {np.unique(b, return_counts=True)[1]}")

# %%
# How many genes?
# ---------------
#
# Every fold is a path of radii, and every point of every path is certified. The rule of one standard error takes the
# smallest radius whose score is as good as the best one's, up to chance.

radii = np.geomspace(0.05, 10, 25)
problem = dict(loss="logistic", ridge="1/n", intercept=True)
cv = pdbfw.cross_validate(A, b, radii=radii, score="log_loss", folds=10, **problem)
points = pdbfw.solve_path(A, b, radii, tol=1e-6, **problem)
weights = np.array([point.result.x for point in points])
genes = np.count_nonzero(weights, axis=1)
chosen = cv.one_standard_error
print(f"best radius {cv.radius:.3g} ({genes[cv.best]} genes)")
print(f"within one standard error {cv.radii[chosen]:.3g} ({genes[chosen]} genes)")
print(f"every fold certified to {cv.largest_relative_gap:.0e}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
left.errorbar(cv.radii, cv.mean, cv.standard_error, marker="o", markersize=4, capsize=2)
for place, style, name in [(cv.best, "-", "best"), (chosen, "--", "one standard error")]:
    left.axvline(cv.radii[place], color="0.4", linestyle=style, label=f"{name}: {genes[place]} genes")
left.set(xscale="log", xlabel="radius", ylabel="log-loss on tissues held out", title="Cross-validation")
left.legend()
strong = np.argsort(-abs(weights[-1]))[:15]
right.plot(radii, weights, color="0.85", linewidth=0.8)
right.plot(radii, weights[:, strong], linewidth=1.5)
right.axvline(cv.radii[chosen], color="0.4", linestyle="--")
right.set(xscale="log", xlabel="radius", ylabel="weight", title="Genes enter as the radius grows")

# %%
# The tissues, seen by these genes
# --------------------------------
#
# Tissues are sorted by their score and genes by their weight: the picture changes its colour where the classes meet.

model = SparseClassifier("logistic", radius=cv.radii[cv.best], tol=1e-8).fit(A, b)
print(model.status_, model.certificate_)
weights = model.coef_[0]
selected = np.flatnonzero(weights)
selected = selected[np.argsort(weights[selected])]
order = np.argsort(model.decision_function(A))

figure, (top, bottom) = plt.subplots(2, 1, figsize=(11, 6), height_ratios=[1, 4], sharex=True, layout="constrained")
score = model.decision_function(A)[order]
top.bar(range(len(b)), score, color=np.where(b[order] > 0, "C3", "C0"))
top.axhline(0, color="black", linewidth=0.8)
top.set(ylabel="score", title="Blue and red bars: the two kinds of tissue")
picture = bottom.imshow(A[order][:, selected].T, aspect="auto", cmap="RdBu_r", vmin=-2.5, vmax=2.5)
bottom.set(xlabel="tissues, by score", ylabel="selected genes, by weight", yticks=range(len(selected)))
bottom.set_yticklabels([f"{j + 1}  ({weights[j]:+.2f})" for j in selected], fontsize=7)
figure.colorbar(picture, ax=bottom, label="expression, standardised", shrink=0.8)

# %%
# How sure is the choice?
# -----------------------
#
# Genes that are chosen again and again when the model is learnt from halves of the tissues are a safer bet than those of one
# fit (Meinshausen, Buhlmann 2010).

rng = np.random.default_rng(0)
chosen_again = np.zeros(A.shape[1])
halves = 100
for _ in range(halves):
    classes = [np.flatnonzero(b == label) for label in (-1, 1)]
    half = np.concatenate([rng.choice(rows, rows.size // 2, replace=False) for rows in classes])
    model = SparseClassifier("logistic", radius=cv.radii[cv.best]).fit(A[half], b[half])
    chosen_again += model.coef_[0] != 0
often = np.argsort(-chosen_again)[:20]

figure, axis = plt.subplots(figsize=(11, 3.4), layout="constrained")
axis.bar([str(j + 1) for j in often], chosen_again[often] / halves,
         color=np.where(np.isin(often, selected), "C0", "0.75"))
axis.set(xlabel="gene", ylabel="share of the halves",
         title="How often a gene is chosen; blue: chosen by the model of all tissues")
axis.tick_params(axis="x", rotation=45)

plt.show()
