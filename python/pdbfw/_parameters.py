"""What several estimators and functions share: the texts about their parameters, and an `__init__` that keeps them."""

import functools
import inspect
import re
import textwrap

# name -> (type, text). What a class or function says about a parameter itself goes before what stands here.
SHARED = {
    # the data
    "X": ("array or sparse matrix of shape (n_samples, n_features)",
          "Used in place: CSR or CSC, or dense in C or Fortran order; float32 or float64."),
    "y": ("array of shape (n_samples,)", "Classes of any type, or the numbers to predict."),
    "sample_weight": ("array of shape (n_samples,), optional",
                      "Weight 2 is the sample twice, weight 0 is without it; in the scores of a cross-validation too."),
    "groups": ("array of shape (n_samples,), optional", "Samples of a group stay in one fold."),
    # the problem
    "radius": ("float", "The size of the l1 ball: a smaller one gives fewer weights."),
    "alpha": ("float", "Replaces the radius, which is ignored then: adds ``alpha |x|_1`` to what is minimised."),
    "most_features": ("int", "Replaces both: the largest radius on a path from the data whose model has at most this "
                             "number of features."),
    "ridge": ("float or str", "A number, or a number divided by the number of samples (by the sum of the sample "
                              "weights, where there are some)."),
    "standardise": ("bool", "Whether the ball and the ridge see every feature divided by its standard deviation; "
                            "``coef_`` is that of the features as they are. Sparse data stay sparse."),
    "positive": ("bool", "Whether no weight may be below 0, but for those of free features."),
    "penalty_weight": ("array of shape (n_features,)", "Numbers >= 0: what the weight of a feature counts in the ball "
                                                       "and in the ridge. 0: the feature is free."),
    "free_features": ("sequence of int", "Features, counted from 0, that neither the ball nor the ridge restrict."),
    "fit_intercept": ("bool", "The intercept is neither bounded nor penalised."),
    "class_weight": ('dict, "balanced" or None', "Factors of the sample weights."),
    "smoothing": ("float", "The width of the curved piece of the smooth hinges, in (0, 1]."),
    "huber_width": ("float", "The error at which Huber's loss turns linear."),
    # the choice of a radius or a penalty
    "by": ('{"radius", "alpha"}', "What is compared: radii, or penalties, which add ``alpha |x|_1`` to what is "
                                  "minimised and have no radius."),
    "alphas": ("sequence of float", "The penalties to choose from; where they are given, penalties are compared. None: "
                                    "found from the data, from the smallest one that leaves no weight down to a "
                                    "thousandth of it."),
    "radii": ("sequence of float", "The radii to choose from. None: found from the data, up to the radius that has the "
                                   "solution of a penalty of a thousandth of the smallest one that leaves no weight."),
    "points": ("int", "The number of radii or penalties, where they are found from the data."),
    "cv": ("int, splitter or iterable", "A number of folds, with equal shares of every class; or any that scikit-learn "
                                        "takes."),
    "rule": ('{"best", "one_standard_error"}', "The smallest radius (or largest penalty) with the best mean, or the "
                                               "smallest (largest) whose mean is within one standard error of it."),
    # the solve
    "tol": ("float", "The certified relative duality gap to reach."),
    "max_iter": ("int", "The largest number of iterations of one solve."),
    "max_seconds": ("float", "The longest time of one solve, which then ends with the best point so far."),
    "solver": ("str", 'One of ``pdbfw.solvers()["sparse"]``, or ``["low rank"]`` for matrices of low rank.'),
    "warm_start": ("bool", "Whether a fit in a ball of a given radius begins where the last fit ended."),
    "random_state": ("int, RandomState instance or None", "The seed of all random choices (those of the solver, the "
                                                          "folds, the features); None is 0."),
    "n_threads": ("int", "The number of threads; the result is the same for any number."),
    "verbose": ("int", "1 shows a bar in terminals and notebooks, and one line at the end; 2 one line per iteration. "
                       "On standard error."),
    # random features
    "scale": ("bool", "Whether features are made as if every column had been divided by its standard deviation."),
}

SECTION = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
WIDTH = 112


def keeps_parameters(init):
    """Makes an `__init__` without a body keep every parameter under its own name; scikit-learn allows no more."""
    signature = inspect.signature(init)

    @functools.wraps(init)
    def keep(self, *args, **kwargs):
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        vars(self).update(list(given.arguments.items())[1:])

    return keep


def documented(thing, like=None):
    """Adds to the docstring of a class or a function the parameters that it takes and does not describe itself.

    Their texts are those of `SHARED`, or one line that refers to the function `like`.
    """
    if not thing.__doc__:  # python -OO
        return thing
    taken = dict(inspect.signature(thing.__init__ if inspect.isclass(thing) else thing).parameters)
    taken.pop("self", None)
    parts = SECTION.split(inspect.cleandoc(thing.__doc__))  # the text above, then name, body, name, body ...
    sections = dict(zip(parts[1::2], parts[2::2]))
    own = _entries(sections.pop("Parameters", ""))
    if like:
        names = ", ".join(str(p).split(":")[0].split("=")[0] for name, p in taken.items() if name not in own)
        entries = [f"{names}\n    As those of `{like.__name__}`.", *own.values()]
    else:
        entries = [own.get(name) or _shared(parameter) for name, parameter in taken.items()]
    if entries:
        sections = {"Parameters": "\n".join(dict.fromkeys(entries)) + "\n\n", **sections}
    thing.__doc__ = parts[0] + "".join(f"{name}\n{'-' * len(name)}\n{body}" for name, body in sections.items())
    return thing


def like(other, *, without=()):
    """Makes a function of ``**problem`` show the keywords of another one, to `help` and to completion."""

    def decorate(function):
        own = inspect.signature(function)
        shown = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        shown += [p for name, p in inspect.signature(other).parameters.items()
                  if p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD) and name not in (*own.parameters, *without)]
        function.__signature__ = own.replace(parameters=shown)
        return documented(function, other)

    return decorate


def _entries(section):
    """name -> the entry that describes it, perhaps together with others."""
    entries = {}
    if not section:
        return entries
    for entry in re.split(r"\n(?=\S)", section.rstrip()):
        names = entry.replace("\\\n", "").split("\n")[0].split(" : ")[0]
        entries |= {name.strip("* "): entry for name in names.split(",")}
    return entries


def _shared(parameter):
    kind, text = SHARED[parameter.name]
    if parameter.default is not parameter.empty and "optional" not in kind:
        value = parameter.default
        kind += f', default="{value}"' if isinstance(value, str) else f", default={value}"
    indent = "    "
    body = textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)
    return f"{parameter.name} : {kind}\n{body}"
