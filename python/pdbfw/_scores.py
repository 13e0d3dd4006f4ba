"""The library's scores, where rows have weights and there may be several classes."""

import numpy as np
from scipy.special import log_expit, logsumexp
from sklearn.metrics import f1_score, r2_score, roc_auc_score

from ._core import InputError


def _predicted(scores):
    return (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)


def _accuracy(scores, place, weight):
    return np.average(_predicted(scores) == place, weights=weight)


def _auc(scores, place, weight):
    """Of several classes, the mean over each of them against the rest."""
    positives = [1] if scores.shape[1] == 1 else range(scores.shape[1])
    return np.mean([roc_auc_score(place == k, column, sample_weight=weight)
                    for k, column in zip(positives, scores.T)])


def _f1(scores, place, weight):
    """Of the second of two classes; of several, the mean over them."""
    average = "binary" if scores.shape[1] == 1 else "macro"
    return f1_score(place, _predicted(scores), sample_weight=weight, average=average, zero_division=0)


def _log_loss(scores, place, weight):
    if scores.shape[1] == 1:
        chance = log_expit(np.where(place == 1, scores[:, 0], -scores[:, 0]))
    else:
        logarithms = log_expit(scores)
        chance = logarithms[np.arange(place.size), place] - logsumexp(logarithms, axis=1)
    return -np.average(chance, weights=weight)


def _rmse(scores, y, weight):
    return np.sqrt(np.average((scores[:, 0] - y) ** 2, weights=weight))


def _r2(scores, y, weight):
    return r2_score(y, scores[:, 0], sample_weight=weight)


# name: function of (scores, y, weight), whether larger is better
OF_CLASSES = {"accuracy": (_accuracy, True), "auc": (_auc, True), "f1": (_f1, True), "log_loss": (_log_loss, False)}
OF_NUMBERS = {"rmse": (_rmse, False), "r2": (_r2, True)}


def find_score(scoring, known, loss):
    """(name, function, larger_is_better); "auto" is the first that is known."""
    if isinstance(scoring, str) and scoring == "auto":
        scoring = next(iter(known))
    if not (isinstance(scoring, str) and scoring in known):
        raise InputError(f"scoring: {scoring!r} breaks the rule: auto | {' | '.join(known)}")
    if scoring == "log_loss" and loss != "logistic":
        raise InputError(f"scoring: 'log_loss' breaks the rule: for the loss logistic, not for {loss}")
    return scoring, *known[scoring]
