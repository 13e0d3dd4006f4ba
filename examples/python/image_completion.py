"""
A picture with half of its pixels missing
=========================================

A photograph is nearly a matrix of low rank, and a matrix of low rank can be told from some of its entries. Here half
of the pixels are lost; `MatrixCompletion` finds the matrix of bounded trace norm that fits the others best, and the
radius by itself, from a tenth of the known pixels that the first fits do not see.
"""

# %%
# Lose the pixels
# ---------------

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_sample_image

from pdbfw import MatrixCompletion

picture = load_sample_image("china.jpg")[:420:3, :620:3].mean(axis=2) / 255
rng = np.random.default_rng(0)
known = rng.random(picture.shape) < 0.5
print(f"{picture.shape[0]} x {picture.shape[1]} pixels, {known.sum()} known ({known.mean():.0%})")

# %%
# Find them again
# ---------------
#
# A sample is an entry: its row and its column. There is no rank to choose and no step size.

model = MatrixCompletion(tol=1e-3).fit(np.argwhere(known), picture[known])
found = model.complete().clip(0, 1)
print(f"status {model.status_}: {model.certificate_}")
print(f"radius {model.radius_:.3g}, rank {model.rank_}, "
      f"error on pixels that the first fits did not see {model.held_out_['rmse']:.3f}")


def rmse(guess):
    return np.sqrt(np.mean((guess - picture)[~known] ** 2))


means = model.mean_ + model.row_means_[:, None] + model.column_means_
print(f"error on all lost pixels {rmse(found):.3f}; of the means alone {rmse(means):.3f}")

figure, axes = plt.subplots(2, 2, figsize=(11, 7.8), layout="constrained")
shown = np.ma.masked_array(picture, ~known)
colours = plt.get_cmap("gray").with_extremes(bad="#b5651d")
for axis, image, title in [
    (axes[0, 0], picture, "The picture"),
    (axes[0, 1], shown, f"What is known: {known.mean():.0%} of the pixels"),
    (axes[1, 0], means, f"Means of rows and columns, error {rmse(means):.3f}"),
    (axes[1, 1], found, f"Completed, rank {model.rank_}, error {rmse(found):.3f}"),
]:
    axis.imshow(image, cmap=colours, vmin=0, vmax=1, interpolation="nearest")
    axis.set_title(title)
    axis.axis("off")

# %%
# Why it works
# ------------
#
# The singular values of the photograph fall fast. The completed matrix keeps the first ones, each made a little
# smaller, and none of the tail, which is where noise lives.

residual = picture - means
figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
values = np.linalg.svd(residual, compute_uv=False)
axis.semilogy(1 + np.arange(values.size), values, label="the picture less its means")
axis.semilogy(1 + np.arange(model.rank_), model.s_, "o", markersize=3, label="found from the known pixels")
axis.set(xlabel="number", ylabel="singular value")
axis.legend()

plt.show()
