"""Every peer with its best options for our problems. A library is imported only by the methods that use it.

A method fits from zero for one rung of its ladder: a tolerance, or a number of iterations where the tolerance does not
control the accuracy well. All get their data converted beforehand (timed apart). An intercept is fitted where the task
asks for one (bench/population.py does, bench/peers does not); the weights alone are given back.
"""

import dataclasses
import typing

import problems as words

FAMILIES = ["pdbfw", "scikit-learn", "celer", "skglm", "cyanure", "copt", "LIBLINEAR"]


@dataclasses.dataclass(frozen=True)
class Task:
    """One problem with its numbers, as a method sees it."""

    loss: str
    n: int
    d: int
    radius: float
    ridge: float
    penalty: float
    intercept: bool = False


@dataclasses.dataclass(frozen=True)
class Method:
    family: str
    variant: str
    losses: tuple
    ridge: str  # "any", "zero" or "positive"
    form: str  # what the data is converted to: a key of FORMS
    ladder: list
    fit: typing.Callable  # (X, y, task, rung) -> x
    rung_name: str = "tol"
    fits_shape: typing.Callable = lambda n, d: True
    takes_intercept: bool = False

    @property
    def name(self):
        return f"{self.family}: {self.variant}"

    def offers(self, problem, n, d):
        has_right_ridge = self.ridge == "any" or (self.ridge == "positive") == problem.has_ridge
        return problem.loss in self.losses and has_right_ridge and self.fits_shape(n, d)


def is_tall(n, d):
    """Few enough features, and fewer than rows: the Gram matrix is small and worth its price."""
    return d < min(n, 2000)


def decades(first, last):
    return [float(f"1e{e}") for e in range(first, last - 1, -1)]


# Forms of the data. Where a matrix has hardly any zeros the dense array is the natural one for every library.


def is_dense(X):
    return X.nnz > 0.5 * X.shape[0] * X.shape[1]


def by_columns(X):
    import numpy

    return numpy.asfortranarray(X.toarray()) if is_dense(X) else X.tocsc()


def by_rows(X):
    return X.toarray() if is_dense(X) else X


def dense_by_columns(X):
    import numpy

    return numpy.asfortranarray(X.toarray())


def liblinear_nodes(X):
    """LIBLINEAR's rows: nodes of (1-based index, value), closed by an index of -1."""
    import numpy

    n = X.shape[0]
    nodes = numpy.empty(X.nnz + n, dtype=numpy.dtype([("index", "<i4"), ("value", "<f8")], align=True))
    ends = X.indptr[1:] + numpy.arange(n)
    is_entry = numpy.ones(nodes.size, dtype=bool)
    is_entry[ends] = False
    nodes["index"][is_entry] = X.indices + 1
    nodes["value"][is_entry] = X.data
    nodes["index"][ends] = -1
    starts = (X.indptr[:-1] + numpy.arange(n)) * nodes.itemsize + nodes.ctypes.data
    return nodes, starts.astype(numpy.uintp), X.shape


FORMS = {
    "by columns": by_columns,
    "by rows": by_rows,
    "dense by columns": dense_by_columns,
    "LIBLINEAR's nodes": liblinear_nodes,
}

# scikit-learn


def sklearn_squared(X, y, task, tol, **options):
    from sklearn.linear_model import ElasticNet, Lasso

    options = {"tol": tol, "max_iter": 10**6, "fit_intercept": task.intercept, "copy_X": False, **options}
    if task.ridge == 0:
        model = Lasso(alpha=task.penalty, **options)
    else:
        model = ElasticNet(**words.elastic_net_words(task.penalty, task.ridge), **options)
    return model.fit(X, y).coef_


def sklearn_squared_random(X, y, task, tol):
    return sklearn_squared(X, y, task, tol, selection="random", random_state=0)


def sklearn_squared_gram(X, y, task, tol):
    return sklearn_squared(X, y, task, tol, precompute=True)


# LIBLINEAR penalises the intercept as the weight of a column of this number: with a large one, hardly.
INTERCEPT_SCALING = 1000.0


def sklearn_liblinear_logistic(X, y, task, tol):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        **words.logistic_words(task.penalty, 0, task.n),
        solver="liblinear",
        intercept_scaling=INTERCEPT_SCALING,
        tol=tol,
        max_iter=10**6,
        fit_intercept=task.intercept,
        random_state=0,
    )
    return model.fit(X, y).coef_


def sklearn_saga(X, y, task, passes):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        **words.logistic_words(task.penalty, task.ridge, task.n),
        solver="saga",
        tol=0,
        max_iter=passes,
        fit_intercept=task.intercept,
        random_state=0,
    )
    return model.fit(X, y).coef_


def sklearn_newton_cd(X, y, task, tol):
    from sklearn.linear_model import LogisticRegression

    if not any("newton-cd" in str(rule) for rule in LogisticRegression._parameter_constraints["solver"]):
        raise NotImplementedError("not in this version")
    model = LogisticRegression(
        **words.logistic_words(task.penalty, task.ridge, task.n),
        solver="newton-cd",
        tol=tol,
        max_iter=10**4,
        fit_intercept=task.intercept,
    )
    return model.fit(X, y).coef_


def sklearn_linear_svc(X, y, task, tol):
    from sklearn.svm import LinearSVC

    model = LinearSVC(
        **words.squared_hinge_words(task.penalty, task.n),
        penalty="l1",
        loss="squared_hinge",
        dual=False,
        intercept_scaling=INTERCEPT_SCALING,
        tol=tol,
        max_iter=10**6,
        fit_intercept=task.intercept,
        random_state=0,
    )
    return model.fit(X, y).coef_


def sklearn_sgd(X, y, task, passes):
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(
        loss="squared_hinge",
        penalty="elasticnet",
        fit_intercept=False,
        tol=None,
        max_iter=passes,
        random_state=0,
        **words.sgd_squared_hinge_words(task.penalty, task.ridge),
    )
    return model.fit(X, y).coef_


# celer


def celer_squared(X, y, task, tol):
    from celer import ElasticNet, Lasso

    options = {"tol": tol, "max_iter": 1000, "fit_intercept": task.intercept}
    if task.ridge == 0:
        return Lasso(alpha=task.penalty, **options).fit(X, y).coef_
    return ElasticNet(**words.elastic_net_words(task.penalty, task.ridge), **options).fit(X, y).coef_


def celer_logistic(X, y, task, tol):
    from celer import LogisticRegression

    C = words.logistic_words(task.penalty, 0, task.n)["C"]
    return LogisticRegression(C=C, tol=tol, max_iter=1000, fit_intercept=False).fit(X, y).coef_


# skglm: its tolerance is for the violation of the optimality conditions, which the penalty scales.


def skglm_squared(X, y, task, tol):
    from skglm import ElasticNet, Lasso

    options = {"tol": tol * task.penalty, "max_iter": 1000, "fit_intercept": task.intercept}
    if task.ridge == 0:
        return Lasso(alpha=task.penalty, **options).fit(X, y).coef_
    return ElasticNet(**words.elastic_net_words(task.penalty, task.ridge), **options).fit(X, y).coef_


def skglm_gram(X, y, task, tol):
    from skglm.penalties import L1_plus_L2
    from skglm.solvers import GramCD

    penalty = L1_plus_L2(**words.elastic_net_words(task.penalty, task.ridge))
    return GramCD(tol=tol * task.penalty, max_iter=10**6, fit_intercept=False).solve(X, y, None, penalty)[0]


def skglm_logistic(X, y, task, tol):
    from skglm import SparseLogisticRegression

    model = SparseLogisticRegression(
        **words.elastic_net_words(task.penalty, task.ridge),
        tol=tol * task.penalty,
        max_iter=1000,
        fit_intercept=task.intercept,
    )
    return model.fit(X, y).coef_


def skglm_logistic_cd(X, y, task, tol):
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Logistic
    from skglm.penalties import L1_plus_L2
    from skglm.solvers import AndersonCD

    penalty = L1_plus_L2(**words.elastic_net_words(task.penalty, task.ridge))
    solver = AndersonCD(tol=tol * task.penalty, max_iter=1000, fit_intercept=task.intercept)
    return GeneralizedLinearEstimator(Logistic(), penalty, solver).fit(X, y).coef_


# cyanure: its tolerance is a relative duality gap, of the penalised form. `auto` chooses among its MISO solvers, which
# stop at a wrong point when there is a ridge, so others are tried too.

CYANURE_LOSSES = {"logistic": "logistic", "squared_hinge": "sqhinge"}


def cyanure_fit(X, y, task, tol, solver, **options):
    from cyanure.estimators import Classifier, Regression

    if not options:
        numbers = words.cyanure_words(task.penalty, task.ridge)
        options = {"penalty": "elasticnet" if task.ridge else "l1", **numbers}
    options.update(solver=solver, tol=tol, max_iter=10**5, fit_intercept=False, verbose=False, n_threads=1)
    model = Regression(**options) if task.loss == "squared" else Classifier(CYANURE_LOSSES[task.loss], **options)
    return model.fit(X, y).coef_


def cyanure_penalised(solver):
    return lambda X, y, task, tol: cyanure_fit(X, y, task, tol, solver)


def cyanure_ball(X, y, task, tol):
    return cyanure_fit(X, y, task, tol, "auto", penalty="l1-ball", lambda_1=task.radius)


# copt: optimisers for any function; the squared hinge is not among its losses and is ours.


class SquaredHinge:
    """In the manner of copt.loss."""

    def __init__(self, A, b, alpha=0.0):
        self.A, self.b, self.alpha = A, b, alpha

    def f_grad(self, x):
        import numpy

        slack = numpy.maximum(0, 1 - self.b * self.A.dot(x))
        value = 0.5 * (slack @ slack) / self.b.size + 0.5 * self.alpha * (x @ x)
        return value, self.A.T.dot(-self.b * slack) / self.b.size + self.alpha * x

    @property
    def lipschitz(self):
        from copt.loss import SquareLoss

        return SquareLoss(self.A, self.b, self.alpha).lipschitz


def copt_loss(X, y, task):
    from copt.loss import LogLoss, SquareLoss

    if task.loss == "logistic":
        return LogLoss(X, (y + 1) / 2, task.ridge)
    return {"squared": SquareLoss, "squared_hinge": SquaredHinge}[task.loss](X, y, task.ridge)


def copt_frank_wolfe(X, y, task, iterations):
    import copt
    import numpy

    loss, ball = copt_loss(X, y, task), copt.constraint.L1Ball(task.radius)

    def pairwise(direction, x, vertices):
        # copt puts a vertex that it drops back with weight 0, and then chooses it for ever.
        for vertex in [v for v, weight in vertices.items() if weight == 0]:
            del vertices[vertex]
        return ball.lmo_pairwise(direction, x, vertices)

    start = numpy.zeros(task.d)
    gradient = loss.f_grad(start)[1]
    j = int(numpy.argmax(numpy.abs(gradient)))
    sign = -numpy.sign(gradient[j])
    start[j] = sign * task.radius  # the pairwise method starts from a vertex
    return copt.minimize_frank_wolfe(
        loss.f_grad,
        start,
        pairwise,
        x0_rep=(sign, j),
        variant="pairwise",
        jac=True,
        step="backtracking",
        max_iter=iterations,
        tol=0,
    ).x


def copt_accelerated(X, y, task, iterations):
    import copt
    import numpy

    loss, ball = copt_loss(X, y, task), copt.constraint.L1Ball(task.radius)
    step = 1 / loss.lipschitz
    return copt.minimize_proximal_gradient(
        loss.f_grad,
        numpy.zeros(task.d),
        ball.prox,
        jac=True,
        tol=0,
        max_iter=iterations,
        step=lambda _: step,
        accelerated=True,
    ).x


# LIBLINEAR: Debian's library itself, called as its tool does.


def liblinear_fit(rows, y, task, tol):
    import liblinear

    if task.loss == "logistic":
        return liblinear.train(rows, y, liblinear.L1R_LR, words.logistic_words(task.penalty, 0, task.n)["C"], tol)
    return liblinear.train(rows, y, liblinear.L1R_L2LOSS_SVC, words.squared_hinge_words(task.penalty, task.n)["C"], tol)


PASSES = [3, 10, 30, 100, 300, 1000, 3000, 10000]
ALL = ("squared", "logistic", "squared_hinge")

METHODS = [
    Method(
        "scikit-learn",
        "coordinate descent, cyclic",
        ("squared",),
        "any",
        "by columns",
        decades(-1, -9),
        sklearn_squared,
        takes_intercept=True,
    ),
    Method(
        "scikit-learn",
        "coordinate descent, random",
        ("squared",),
        "any",
        "by columns",
        decades(-1, -9),
        sklearn_squared_random,
        takes_intercept=True,
    ),
    Method(
        "scikit-learn",
        "coordinate descent, Gram",
        ("squared",),
        "any",
        "dense by columns",
        decades(-1, -9),
        sklearn_squared_gram,
        fits_shape=is_tall,
        takes_intercept=True,
    ),
    Method(
        "scikit-learn",
        "liblinear",
        ("logistic",),
        "zero",
        "by rows",
        decades(0, -10),
        sklearn_liblinear_logistic,
        takes_intercept=True,
    ),
    Method(
        "scikit-learn",
        "saga",
        ("logistic",),
        "any",
        "by rows",
        PASSES,
        sklearn_saga,
        "passes",
        takes_intercept=True,
    ),
    Method(
        "scikit-learn",
        "newton-cd",
        ("logistic",),
        "any",
        "by columns",
        decades(-1, -9),
        sklearn_newton_cd,
        takes_intercept=True,
    ),
    Method(
        "scikit-learn",
        "LinearSVC",
        ("squared_hinge",),
        "zero",
        "by rows",
        decades(0, -10),
        sklearn_linear_svc,
        takes_intercept=True,
    ),
    Method("scikit-learn", "SGDClassifier", ("squared_hinge",), "any", "by rows", PASSES, sklearn_sgd, "passes"),
    Method(
        "celer",
        "working sets",
        ("squared",),
        "any",
        "by columns",
        decades(-1, -13),
        celer_squared,
        takes_intercept=True,
    ),
    Method("celer", "working sets", ("logistic",), "zero", "by columns", decades(-1, -13), celer_logistic),
    Method(
        "skglm",
        "Anderson CD",
        ("squared",),
        "any",
        "by columns",
        decades(0, -9),
        skglm_squared,
        takes_intercept=True,
    ),
    Method("skglm", "Gram CD", ("squared",), "any", "by columns", decades(0, -9), skglm_gram, fits_shape=is_tall),
    Method(
        "skglm",
        "prox-Newton",
        ("logistic",),
        "any",
        "by columns",
        decades(0, -9),
        skglm_logistic,
        takes_intercept=True,
    ),
    Method(
        "skglm",
        "Anderson CD",
        ("logistic",),
        "any",
        "by columns",
        decades(0, -9),
        skglm_logistic_cd,
        takes_intercept=True,
    ),
    Method("cyanure", "auto", ALL, "any", "by rows", decades(-1, -8), cyanure_penalised("auto")),
    Method("cyanure", "fista", ALL, "any", "by rows", decades(-1, -8), cyanure_penalised("fista")),
    Method("cyanure", "acc-svrg", ALL, "any", "by rows", decades(-1, -8), cyanure_penalised("acc-svrg")),
    Method("cyanure", "l1 ball", ALL, "zero", "by rows", decades(-1, -8), cyanure_ball),
    Method(
        "copt",
        "pairwise Frank-Wolfe",
        ALL,
        "any",
        "by rows",
        [100, 300, 1000, 3000, 10000],
        copt_frank_wolfe,
        "iterations",
    ),
    Method(
        "copt",
        "accelerated projected gradient",
        ALL,
        "any",
        "by rows",
        [30, 100, 300, 1000, 3000, 10000],
        copt_accelerated,
        "iterations",
    ),
    Method("LIBLINEAR", "-s 6", ("logistic",), "zero", "LIBLINEAR's nodes", decades(0, -10), liblinear_fit),
    Method("LIBLINEAR", "-s 5", ("squared_hinge",), "zero", "LIBLINEAR's nodes", decades(0, -10), liblinear_fit),
]

# Why a library has no line for a problem, by (family, loss, has_ridge).
NOT_OFFERED = {
    ("celer", "logistic", True): "no ridge with the logistic loss",
    ("celer", "squared_hinge", True): "no squared hinge",
    ("celer", "squared_hinge", False): "no squared hinge",
    ("skglm", "squared_hinge", True): "no primal squared hinge",
    ("skglm", "squared_hinge", False): "no primal squared hinge",
    ("LIBLINEAR", "squared", True): "no l1-regularised regression",
    ("LIBLINEAR", "squared", False): "no l1-regularised regression",
    ("LIBLINEAR", "logistic", True): "l1 or l2, not both",
    ("LIBLINEAR", "squared_hinge", True): "l1 or l2, not both",
}
