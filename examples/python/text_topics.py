"""
Which words tell topics apart?
==============================

A classifier for text whose few non-zero weights are words, so that the model can be read. The corpus is on every
machine that has SciPy: the paragraphs of its documentation. The question is which part of SciPy a paragraph was written for.
"""

# %%
# The corpus
# ----------
#
# A paragraph is a text, the subpackage it comes from its class. All paragraphs of one function stay on the same side of
# the split, so that the test asks about functions that the model has never seen.

import importlib
import inspect
import re

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GroupShuffleSplit

from pdbfw import SparseClassifier

SUBPACKAGES = ["cluster.hierarchy", "fft", "integrate", "interpolate", "linalg", "ndimage",
               "optimize", "signal", "sparse", "spatial", "special", "stats"]

texts, topics, functions = [], [], []
for topic in SUBPACKAGES:
    module = importlib.import_module(f"scipy.{topic}")
    for name in sorted(module.__all__):
        documentation = inspect.getdoc(getattr(module, name)) or ""
        # Code and markup are not prose; the names of the subpackages would give the answer away.
        documentation = re.sub(r"(?m)^(>>>|\.\.\.|\.\. ).*$", "", documentation)
        documentation = re.sub(r"scipy[\w.]*", "", documentation)
        for paragraph in documentation.split("\n\n"):
            if len(re.findall(r"[a-z]{3,}", paragraph)) >= 12:
                texts.append(paragraph)
                topics.append(topic)
                functions.append(f"{topic}.{name}")

vectorizer = TfidfVectorizer(token_pattern=r"[a-z]{3,}", stop_words="english", sublinear_tf=True, min_df=3)
A = vectorizer.fit_transform(texts)
topics = np.array(topics)
train, test = next(GroupShuffleSplit(test_size=0.25, random_state=0).split(A, topics, functions))
print(f"{A.shape[0]} paragraphs of {len(set(functions))} functions, {A.shape[1]} words")

# %%
# The model
# ---------
#
# Rows of length 1, as text has them, need weights of order 1 to 10 on tens of words. One radius for all classes, one
# proof for each of them.

model = SparseClassifier("logistic", radius=120, class_weight="balanced")
model.fit(A[train], topics[train])
print(f"status {model.status_}, largest relative gap {model.dual_gap_:.1e}")
print(f"accuracy on functions never seen {model.score(A[test], topics[test]):.1%}")
print(f"by always saying stats, the commonest, {np.mean(topics[test] == 'stats'):.1%}")
print(f"words with a weight, a topic: {np.count_nonzero(model.coef_, axis=1).mean():.0f} of {A.shape[1]}")

# %%
# The strongest words
# -------------------
#
# Every bar is a weight of the model, nothing was filtered by hand.

words = vectorizer.get_feature_names_out()
figure, axes = plt.subplots(3, 4, figsize=(11, 8), layout="constrained")
for axis, topic, weights in zip(axes.flat, model.classes_, model.coef_):
    strongest = np.argsort(-weights)[:8][::-1]
    axis.barh(words[strongest], weights[strongest], color="C0")
    axis.set_title(topic)
    axis.tick_params(axis="y", length=0)
    axis.spines[["top", "right"]].set_visible(False)
figure.supxlabel("weight")

# %%
# Where it errs
# -------------
#
# A row of the table is a topic, and what stands off the diagonal shows which topics share their words.

guess = model.predict(A[test])
table = np.zeros((model.classes_.size, model.classes_.size))
np.add.at(table, (np.searchsorted(model.classes_, topics[test]), np.searchsorted(model.classes_, guess)), 1)
table /= table.sum(axis=1, keepdims=True)

figure, axis = plt.subplots(figsize=(7, 6), layout="constrained")
picture = axis.imshow(table, cmap="Blues", vmin=0, vmax=1)
for row, column in np.argwhere(table >= 0.05):
    colour = "white" if table[row, column] > 0.5 else "black"
    axis.text(column, row, f"{100 * table[row, column]:.0f}", ha="center", va="center", fontsize=8, color=colour)
axis.set(xticks=range(len(table)), yticks=range(len(table)), xlabel="the model says", ylabel="the truth",
         title="Share of the test paragraphs, in percent")
axis.set_xticklabels(model.classes_, rotation=45, ha="right")
axis.set_yticklabels(model.classes_)
figure.colorbar(picture, shrink=0.8)

plt.show()
