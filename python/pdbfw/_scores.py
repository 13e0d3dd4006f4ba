"""The library's scores, where rows have weights and there may be several classes."""

import numpy as np
from scipy.special import log_expit, logsumexp
from sklearn.metrics import f1_score, roc_auc_score

from . import _core
from ._core import InputError
from ._data import as_numbers, as_table


def predicted_places(scores):
    """The place of the class of every row: of one column, 1 where the score is above 0; else of the largest score."""
    return _core.predicted_places(as_table(scores))


def _accuracy(scores, place, weight):
    return _core.accuracy(as_table(scores), np.asarray(place, dtype=np.int64), _weight(weight))


def _auc(scores, place, weight):
    """Of several classes, the mean over each of them against the rest."""
    positives = [1] if scores.shape[1] == 1 else range(scores.shape[1])
    return np.mean([roc_auc_score(place == k, column, sample_weight=weight)
                    for k, column in zip(positives, scores.T)])


def _f1(scores, place, weight):
    """Of the second of two classes; of several, the mean over them."""
    average = "binary" if scores.shape[1] == 1 else "macro"
    return f1_score(place, predicted_places(scores), sample_weight=weight, average=average, zero_division=0)


def _log_loss(scores, place, weight):
    if scores.shape[1] == 1:
        chance = log_expit(np.where(place == 1, scores[:, 0], -scores[:, 0]))
    else:
        logarithms = log_expit(scores)
        chance = logarithms[np.arange(place.size), place] - logsumexp(logarithms, axis=1)
    return -np.average(chance, weights=weight)


def _rmse(scores, y, weight):
    return _core.root_mean_squared_error(as_numbers(scores), as_numbers(y), _weight(weight))


def _r2(scores, y, weight):
    return _core.r_squared(as_numbers(scores), as_numbers(y), _weight(weight))


def _weight(weight):
    return None if weight is None else as_numbers(weight)


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
