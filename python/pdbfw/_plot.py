"""Pictures of how a gap fell, of a path of radii and of a cross-validation. The first one asks for Matplotlib."""

from collections.abc import Mapping

import numpy as np

from ._core import InputError

X_LABELS = {"seconds": "time [s]", "data_passes": "data passes [products with A]", "iteration": "iterations"}
PATH_LABELS = {"coefficients": "weight", "nonzeros": "weights that are not zero", "objective": "objective"}
SCORE_LABELS = {"accuracy": "accuracy{}", "auc": "area under the curve{}", "f1": "F1{}",
                "log_loss": "log-loss{} [nats]", "rmse": "RMSE{} [unit of y]", "r2": "$R^2${}"}
# A gap of 0 is drawn here, at the precision of the numbers: a logarithmic axis has no 0.
NO_GAP = 1e-16
# Curves whose ends are further apart than this are no use on a linear axis.
FAR_APART = 20


def _axes(ax):
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("pdbfw: plots need matplotlib, which is not installed: pip install matplotlib") from error
    # This layout makes room for a legend beside the axes.
    return pyplot.subplots(figsize=(7, 4), layout="constrained")[1]


def _legend_beside(ax, **settings):
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, frameon=False, **settings)


def _choice(name, value, known):
    if value not in known:
        raise InputError(f"{name}: {value!r} breaks the rule: {' | '.join(known)}")


def _traces(what):
    """(label, trace) of everything that has a trace."""
    if isinstance(what, Mapping):
        for name, one in what.items():
            for label, trace in _traces(one):
                yield (f"{name}, {label}" if label else str(name)), trace
        return
    trace = getattr(what, "trace", None) if hasattr(what, "trace") else getattr(what, "history_", None)
    if trace is None:
        raise InputError(f"what: {type(what).__name__} breaks the rule: a result, a fitted estimator, or a dict of "
                         "them")
    if isinstance(trace, tuple):
        yield from ((f"class {name}", one) for name, one in zip(what.classes_, trace))
    else:
        yield "", trace


def plot_convergence(what, *, x="seconds", ax=None):
    """How the relative duality gap fell; a dot is a gap that was recomputed from the data (0 is drawn at 1e-16).

    Parameters
    ----------
    what : result, fitted estimator, or dict of them
        The keys of a dict are the names of the curves.
    x : {"seconds", "data_passes", "iteration"}, default="seconds"
    ax : matplotlib Axes, optional
        Where to draw; None: in a new figure.

    Returns
    -------
    matplotlib Axes
    """
    _choice("x", x, X_LABELS)
    curves = list(_traces(what))
    ax = _axes(ax)
    ends, has_labels = [], False
    for label, trace in curves:
        seen = trace[np.isfinite(trace["relative_gap"])]
        gap = np.maximum(seen["relative_gap"], NO_GAP)
        [line] = ax.plot(seen[x], gap, label=label or None, linewidth=1.5)
        proven = seen["is_certified"]
        ax.plot(seen[x][proven], gap[proven], ".", color=line.get_color(), markersize=5)
        ends.append(max(seen[x], default=0))
        has_labels = has_labels or bool(label)
    tols = {float(one.tol) for one in (what.values() if isinstance(what, Mapping) else [what]) if hasattr(one, "tol")}
    for tol in tols if len(tols) == 1 else ():
        ax.axhline(tol, color="0.5", linestyle="--", linewidth=1, label=f"tol {tol:g}")
        has_labels = True
    ax.set_yscale("log")
    if min(ends) > 0 and max(ends) > FAR_APART * min(ends):
        ax.set_xscale("log")
    ax.set_xlabel(X_LABELS[x])
    ax.set_ylabel("relative duality gap")
    ax.grid(alpha=0.3)
    if has_labels:
        _legend_beside(ax)
    return ax


def plot_path(path, *, y="coefficients", names=None, top=10, ax=None):
    """What `solve_path` or `solve_penalties` found, against the radius or the penalty.

    Parameters
    ----------
    path : list of PathPoint or of PenaltyPoint
        Penalties fall from left to right: the models grow, as they do with the radius.
    y : {"coefficients", "nonzeros", "objective"}, default="coefficients"
    names : sequence of str, optional
        Of the features; None: their numbers, from 0.
    top : int, default=10
        So many of the coefficients, the largest, have a colour and a name; the others are grey.
    ax : matplotlib Axes, optional
        Where to draw; None: in a new figure.

    Returns
    -------
    matplotlib Axes
    """
    _choice("y", y, PATH_LABELS)
    path = list(path)
    if not path:
        raise InputError("path: 0 points breaks the rule: at least one")
    by_penalty = hasattr(path[0], "alpha")
    path.sort(key=lambda point: point[0])
    places = [point[0] for point in path]
    ax = _axes(ax)
    if y == "coefficients":
        _draw_coefficients(ax, places, np.array([point.result.weights for point in path]), names, top)
    elif y == "nonzeros":
        ax.plot(places, [np.count_nonzero(point.result.weights) for point in path], ".-")
        ax.set_ylim(bottom=0)
    else:
        ax.plot(places, [(point if by_penalty else point.result).certificate.primal for point in path], ".-")
    ax.set_xscale("log")
    if by_penalty:
        ax.invert_xaxis()
    ax.set_xlabel("penalty on the l1 norm" if by_penalty else "radius of the l1 ball")
    ax.set_ylabel(PATH_LABELS[y])
    ax.grid(alpha=0.3)
    return ax


def _draw_coefficients(ax, places, weights, names, top):
    largest = np.abs(weights).max(axis=0)
    order = [j for j in np.argsort(-largest, kind="stable") if largest[j] > 0]
    for j in order[:top]:
        ax.plot(places, weights[:, j], linewidth=1.5, label=f"feature {j}" if names is None else str(names[j]))
    for k, j in enumerate(order[top:]):
        ax.plot(places, weights[:, j], color="0.75", linewidth=0.8, zorder=1,
                label=None if k else f"{len(order) - top} others")
    ax.axhline(0, color="0.3", linewidth=0.8)
    if order[:top]:
        _legend_beside(ax, fontsize="small")


def plot_cv(cv, *, ax=None):
    """The score against the radius, or the penalty: its mean over the folds with the standard error, and both choices.

    Parameters
    ----------
    cv : CrossValidation, or a fitted SparseClassifierCV or SparseRegressorCV
    ax : matplotlib Axes, optional
        Where to draw; None: in a new figure.

    Returns
    -------
    matplotlib Axes
    """
    cv = getattr(cv, "cross_validation_", cv)
    if not hasattr(cv, "one_standard_error"):
        raise InputError(f"cv: {type(cv).__name__} breaks the rule: what cross_validate gives, or a fitted estimator "
                         "that chose its radius or penalty")
    ax = _axes(ax)
    fold = ax.plot(cv.values, cv.of_fold.T, color="0.85", linewidth=0.8, zorder=1, label="one fold")[0]
    mean = ax.errorbar(cv.values, cv.mean, cv.standard_error, fmt=".-", capsize=2.5, elinewidth=1,
                       label="mean over the folds,\nits standard error")
    best, sparser = cv.values[cv.best], cv.values[cv.one_standard_error]
    choices = [ax.axvline(best, color="C2", linewidth=1, label=f"best: {best:.4g}"),
               ax.axvline(sparser, color="C1", linestyle="--", linewidth=1,
                          label=f"within one\nstandard error: {sparser:.4g}")]
    ax.set_xscale("log")
    ax.set_xlabel("alpha, the l1 penalty" if cv.radii is None else "radius of the l1 ball")
    if cv.radii is None:
        ax.invert_xaxis()  # the sparsest model is on the left, as with radii
    ax.set_ylabel(SCORE_LABELS[cv.score].format(" of samples held out"))
    ax.grid(alpha=0.3)
    _legend_beside(ax, handles=[mean, fold, *choices])
    return ax
