"""The law of this library: what is certified is what weights, intercept and predict use.

Random problems with every option, through every door. The objective and the set are computed from what was handed over
alone (judge.py), and compared with the certificate; for some of them Clarabel's optimum must lie between the two bounds.

PDBFW_CERTIFIED_CASES=5000 makes that many problems of each kind, PDBFW_CERTIFIED_SEED=7 others.
"""

import math
import os
from dataclasses import replace

import numpy as np
import pdbfw
import pytest
import scipy.sparse as sp
from judge import CLASS_LOSSES, LABEL_LOSSES, NUMBER_LOSSES, MatrixProblem, VectorProblem

try:
    import conic
except ImportError as error:
    conic, WHY_NOT = None, f"no bounds of another solver: {error}"

SEED = int(os.environ.get("PDBFW_CERTIFIED_SEED", "2019"))
CASES = int(os.environ.get("PDBFW_CERTIFIED_CASES", "100"))
CHUNK = 25

# Sums in another order; as a share of the objective here and at zero.
ROUNDING = 1e-10
# What Clarabel leaves open: a share of the optimum, and a share of what the objective is without a model.
OPEN, OPEN_OF_NOTHING = 1e-6, 1e-8
# No case may go on for ever; every solver is judged where it ends.
LIMITS = dict(max_iterations=300, max_passes=3_000)


def random_data(rng, largest=(40, 12)):
    """Rows and columns of all sorts: of few values, so that much ties; repeated, empty, of unlike scales, sparse."""
    n, d = (int(rng.integers(1, most + 1)) for most in largest)
    kind = rng.choice(["normal", "whole", "scaled", "sparse", "repeated", "moved"])
    A = rng.normal(size=(n, d)) if kind != "whole" else rng.integers(-2, 3, size=(n, d)).astype(float)
    if kind == "scaled":
        A *= 10.0 ** rng.integers(-3, 4, size=d)
    if kind == "sparse":
        A *= rng.random((n, d)) < 0.3
    if kind == "repeated":
        A = A[:, rng.integers(0, d, size=d)][rng.integers(0, n, size=n)]
    if kind == "moved":
        A += rng.normal(scale=10, size=d)
    return A.astype(np.float32).astype(float) if rng.random() < 0.3 else A


def stored(rng, A):
    """The same numbers in any of the ways that data come in."""
    if (A == A.astype(np.float32)).all() and rng.random() < 0.5:
        A = A.astype(np.float32)
    ways = [np.ascontiguousarray, np.asfortranarray, sp.csr_array, sp.csc_array, sp.csr_matrix]
    return ways[rng.integers(len(ways))](A)


def random_radius(rng):
    return float(rng.choice([9, 1, 10.0 ** rng.uniform(-2, 3)]))


def random_ridge(rng):
    return [0.0, 1.0, "1/n", float(10.0 ** rng.uniform(-6, 1))][rng.integers(4)]


def maybe(rng, value, chance=0.3):
    return value() if rng.random() < chance else None


def random_counts(rng, n):
    counts = rng.choice([0.0, 1.0, 2.0, 0.3, 1e-3], size=n)
    return counts if counts.any() else np.ones(n)


def random_labels(rng, A):
    return np.where(A @ rng.normal(size=A.shape[1]) + rng.normal(size=len(A)) > 0, 1.0, -1.0)


def random_numbers(rng, A):
    planted = rng.normal(size=A.shape[1]) * (rng.random(A.shape[1]) < 0.5)
    return rng.choice([1e-2, 1.0, 100.0]) * (A @ planted + rng.normal(scale=0.1, size=len(A)) + rng.normal())


def random_vector_problem(rng, sets=("l1", "l1", "nonnegative", "simplex"), losses=LABEL_LOSSES + NUMBER_LOSSES):
    A = random_data(rng)
    n, d = A.shape
    loss = str(rng.choice(losses))
    b = random_labels(rng, A) if loss in LABEL_LOSSES else random_numbers(rng, A)
    p = dict(A=A, b=b, loss=loss, set=str(rng.choice(sets)), radius=random_radius(rng), ridge=random_ridge(rng),
             intercept=bool(rng.random() < 0.5), sample_weight=maybe(rng, lambda: random_counts(rng, n)),
             smoothing=float(rng.choice([1.0, 0.3])), huber_width=float(rng.choice([1.0, 0.1])),
             standardise=bool(rng.random() < 0.3), ridge_scale=maybe(rng, lambda: rng.choice([0, 1, 3.0], size=d), 0.2),
             penalty_weight=maybe(rng, lambda: rng.choice([0.5, 1, 1, 2, 10, 0], size=d)),
             free_features=maybe(rng, lambda: rng.permutation(d)[:rng.integers(1, 4)].tolist(), 0.4))
    if loss in LABEL_LOSSES:
        p["class_weight"] = maybe(rng, lambda: str(rng.choice(["balanced", "1,5", "0.2,1"])))
    p = VectorProblem(**p)
    if not p.is_held.any() and (p.set == "simplex" or rng.random() < 0.5):
        p = replace(p, free_features=None, penalty_weight=None)
    lacks_a_class = loss in LABEL_LOSSES and p.intercept and len(set(b[p.counts > 0])) < 2
    return replace(p, intercept=False) if lacks_a_class else p


FIELDS = ("loss", "ridge", "intercept", "sample_weight", "class_weight", "standardise", "penalty_weight",
          "free_features", "ridge_scale", "smoothing", "huber_width")


def asked(p):
    """As the functions of pdbfw take it."""
    return {**{name: getattr(p, name) for name in FIELDS if getattr(p, name) is not None}, "set": p.set}


def random_settings(rng):
    settings = dict(LIMITS, tol=float(10.0 ** -rng.integers(1, 10)), seed=int(rng.integers(1000)))
    if rng.random() < 0.2:
        settings["max_iterations"] = int(rng.integers(1, 6))  # a certificate is one wherever the solve ends
    return settings


def with_any_solver(rng, run):
    """run(solver) with a solver that takes the problem: those that do not say so."""
    names = [solver["name"] for solver in pdbfw.solvers()["sparse"]]
    for name in ["auto"] if rng.random() < 0.5 else [*rng.permutation(names), "auto"]:
        try:
            return run(str(name))
        except pdbfw.InputError as error:
            if name == "auto" or not str(error).startswith(("solver:", "ridge:")):
                raise
    raise AssertionError


class Case:
    """One problem of a seed of its own, so that it can be made again."""

    def __init__(self, kind, number):
        self.kind, self.number, self.count = kind, number, 0
        self.rng = np.random.default_rng([SEED, *kind.encode(), number])

    def tell(self, problem, text):
        return f"{self.kind} {self.number} of seed {SEED}: {text}\n{problem}"

    def judge(self, problem, certificate, weights, intercept, bounds=True):
        """`weights` and `intercept` are all that is known of the solution."""
        c = certificate
        own, nothing = problem.objective(weights, intercept), problem.of_nothing()
        slack = ROUNDING * (abs(own) + nothing + scale_of(problem))
        assert abs(own - c.primal) <= slack, self.tell(problem, f"{own!r} of the weights, {c.primal!r} certified")
        outside = problem.violation(weights)
        allowed = (1e-6 if problem.set == "polytope" else 1e-9) * problem.radius
        assert outside <= allowed, self.tell(problem, f"outside the set by {outside!r}")
        assert c.gap >= 0 and c.dual <= c.primal + slack, self.tell(problem, c)
        self.count += 1
        if conic is None or not bounds or self.number % 2:
            return
        optimum = conic.optimum_of_matrix if isinstance(problem, MatrixProblem) else conic.optimum_of_vector
        found = optimum(problem)
        if found is None:
            return
        high, low = found
        open_ = OPEN * abs(high) + OPEN_OF_NOTHING * max(1, nothing)
        # The weights are in the set and have this objective, whatever another solver says: this only shows, coarsely,
        # that it was asked the same problem.
        assert c.primal >= low - 1e-3 * (abs(high) + nothing) - open_, self.tell(problem, f"{c.primal!r} certified, the optimum is {low!r}")
        if math.isfinite(c.gap):
            assert c.primal - c.gap <= high + open_, self.tell(problem, f"{c.dual!r} is no bound, the optimum is {high!r}")


def scale_of(problem):
    """Of the terms that the objective is the sum of."""
    return np.abs(problem.A).max(initial=0.0) * 1e-3


def judge_result(case, p, result):
    case.judge(p, result.certificate, result.weights, result.intercept)
    np.testing.assert_array_equal(result.free_weights, result.weights[~p.is_held])
    np.testing.assert_allclose(result.x, p.units * result.weights[p.is_held], rtol=1e-13)
    if result.status == "converged":
        assert result.certificate.relative_gap <= 1


def check_solve(case):
    p = random_vector_problem(case.rng)
    data, settings = stored(case.rng, p.A), random_settings(case.rng)
    result = with_any_solver(case.rng, lambda solver: pdbfw.solve(
        data, p.b, radius=p.radius, solver=solver, **asked(p), **settings))
    judge_result(case, p, result)
    again = pdbfw.certify(data, p.b, weights=result.weights, y=result.y, radius=p.radius, **asked(p))
    assert again.primal == pytest.approx(result.certificate.primal, rel=1e-9, abs=1e-12)


def check_start(case):
    """From where another problem of the same data ended: another set, radius, ridge, other free features."""
    rng = case.rng
    p = random_vector_problem(rng)
    other = replace(p, set="l1", radius=random_radius(rng), ridge=random_ridge(rng), standardise=not p.standardise,
                    free_features=maybe(rng, lambda: [0]))
    data = stored(rng, p.A)
    start = pdbfw.solve(data, p.b, radius=other.radius, **asked(other), **random_settings(rng))
    judge_result(case, other, start)
    settings = random_settings(rng)
    result = with_any_solver(rng, lambda solver: pdbfw.solve(
        data, p.b, radius=p.radius, solver=solver, start=start, **asked(p), **settings))
    judge_result(case, p, result)


def check_path(case):
    p = random_vector_problem(case.rng)
    radii = [random_radius(case.rng) for _ in range(3)]
    data, settings = stored(case.rng, p.A), random_settings(case.rng)
    path = with_any_solver(case.rng, lambda solver: pdbfw.solve_path(
        data, p.b, radii, solver=solver, **asked(p), **settings))
    for radius, result in path:
        judge_result(case, p.in_ball(radius), result)


def penalty(p, alpha):
    return replace(p, alpha=float(alpha))


def check_penalty(case):
    rng = case.rng
    p = random_vector_problem(rng, sets=("l1", "nonnegative"))
    data, settings = stored(rng, p.A), random_settings(rng)
    empty = pdbfw.largest_alpha(data, p.b, **asked(p))
    alphas = np.array([2.0, 0.5, 0.1, 0.01][: rng.integers(1, 5)]) * (empty if empty > 0 else 1.0)
    if len(alphas) == 1:
        found = pdbfw.solve_penalised(data, p.b, alphas[0], **asked(p), **settings)
        points = [(alphas[0], *found)]
    else:
        points = pdbfw.solve_penalties(data, p.b, alphas, **asked(p), **settings)
    for alpha, radius, result, certificate in points:
        judge_result(case, p.in_ball(radius), result)
        case.judge(penalty(p, alpha), certificate, result.weights, result.intercept)


def check_polytope(case):
    rng = case.rng
    p = random_vector_problem(rng)
    atoms = rng.normal(size=(rng.integers(1, 8), p.A.shape[1]))
    p = replace(p, set="polytope", atoms=atoms, intercept=False, standardise=False, penalty_weight=None,
                free_features=None)
    data, settings = stored(rng, p.A), random_settings(rng)
    result = with_any_solver(rng, lambda solver: pdbfw.solve(
        data, p.b, radius=p.radius, atoms=atoms, solver=solver, **asked(p), **settings))
    judge_result(case, p, result)


def as_parameters(p):
    return dict(loss=p.loss, ridge=p.ridge, standardise=p.standardise, positive=p.set == "nonnegative",
                penalty_weight=p.penalty_weight, free_features=p.free_features, fit_intercept=p.intercept)


def how_large(rng):
    """A radius, a penalty or a number of features, as parameters of an estimator."""
    return [dict(radius=random_radius(rng)), dict(alpha=float(10.0 ** rng.uniform(-3, 0))), dict(most_features=30)][
        rng.choice(3, p=[0.5, 0.35, 0.15])]


def judge_estimator(case, model, problems):
    """One problem an output; coef_ and intercept_ are what predictions are made of."""
    certificates = model.certificate_ if isinstance(model.certificate_, tuple) else (model.certificate_,)
    coef, intercept = np.atleast_2d(model.coef_), np.ravel(model.intercept_)
    for k, (p, certificate) in enumerate(zip(problems, certificates, strict=True)):
        radius = float(np.ravel(model.radius_)[k if np.size(model.radius_) > 1 else 0])
        by_penalty = model.alpha is not None and model.most_features is None
        case.judge(penalty(p, model.alpha) if by_penalty else p.in_ball(radius), certificate, coef[k], intercept[k])
    scores = problems[0].A @ coef.T + intercept
    own = model.predict(problems[0].A) if not hasattr(model, "classes_") else model.decision_function(problems[0].A)
    np.testing.assert_allclose(np.reshape(own, scores.shape), scores, rtol=1e-9, atol=1e-9 * np.abs(scores).max())


def fitted(case, model, X, y, **weights):
    """Once, or again with another radius and from there."""
    model = model.set_params(max_iter=LIMITS["max_iterations"], tol=float(10.0 ** -case.rng.integers(2, 8)))
    if model.alpha is None and case.rng.random() < 0.3:
        radius = model.radius
        model.set_params(warm_start=True, radius=random_radius(case.rng)).fit(X, y, **weights)
        model.set_params(radius=radius)
    return model.fit(X, y, **weights)


def check_regressor(case):
    p = random_vector_problem(case.rng, sets=("l1", "nonnegative"), losses=NUMBER_LOSSES)
    p = replace(p, ridge_scale=None)
    model = pdbfw.SparseRegressor(huber_width=p.huber_width, **as_parameters(p), **how_large(case.rng))
    judge_estimator(case, fitted(case, model, stored(case.rng, p.A), p.b, sample_weight=p.sample_weight), [p])


def check_classifier(case):
    """Two classes, or several one against the rest."""
    rng = case.rng
    p = random_vector_problem(rng, sets=("l1", "nonnegative"), losses=LABEL_LOSSES)
    classes = int(rng.integers(2, 5))
    while len(p.A) < 2 * classes:
        p = random_vector_problem(rng, sets=("l1", "nonnegative"), losses=LABEL_LOSSES)
    y = np.r_[np.arange(classes), rng.integers(0, classes, size=len(p.A) - classes)]
    counts = maybe(rng, lambda: rng.choice([0.3, 1.0, 2.0], size=len(y)))
    class_weight = maybe(rng, lambda: ["balanced", {k: 1.0 + k for k in range(classes)}][rng.integers(2)])
    model = pdbfw.SparseClassifier(smoothing=p.smoothing, class_weight=class_weight, **as_parameters(p), **how_large(rng))
    model = fitted(case, model, stored(rng, p.A), y, sample_weight=counts)
    problems = [replace(p, b=np.where(y == k, 1.0, -1.0), class_weight=None, ridge_scale=None,
                        sample_weight=by_class(y, counts, class_weight))
                for k in ([1] if classes == 2 else range(classes))]
    judge_estimator(case, model, problems)


def by_class(y, counts, class_weight):
    """The weights of samples with those of their classes, or None."""
    if class_weight is None:
        return counts
    counts = np.ones(len(y)) if counts is None else counts
    if class_weight == "balanced":
        mass = np.bincount(y, weights=counts)
        return counts * (mass.sum() / (len(mass) * mass))[y]
    return counts * np.array([class_weight[k] for k in y])


def check_joint(case):
    """Several classes in one problem."""
    rng = case.rng
    A = random_data(rng, (30, 8))
    classes = int(rng.integers(2, 5))
    y = rng.integers(0, classes, size=max(len(A), classes))
    y[:classes] = np.arange(classes)
    A = A[np.arange(len(y)) % len(A)]
    counts = maybe(rng, lambda: rng.choice([0.3, 1.0, 2.0], size=len(y)))
    class_weight = maybe(rng, lambda: "balanced")
    problem = dict(loss=str(rng.choice(CLASS_LOSSES)), set=str(rng.choice(["l1", "l1_per_class"])),
                   radius=random_radius(rng), ridge=random_ridge(rng), smoothing=float(rng.choice([1.0, 0.3])))
    intercept = bool(rng.random() < 0.5)
    model = pdbfw.SparseClassifier(fit_intercept=intercept, class_weight=class_weight, **problem)
    model = fitted(case, model, stored(rng, A), y, sample_weight=counts)
    p = MatrixProblem(A=A, B=y, outputs=classes, intercept=intercept, counts=by_class(y, counts, class_weight), **problem)
    case.judge(p, model.certificate_, model.coef_.T, model.intercept_)
    scores, own = A @ model.coef_.T + model.intercept_, model.decision_function(A)
    wanted = scores if classes > 2 else scores[:, 1] - scores[:, 0]
    np.testing.assert_allclose(own, wanted, rtol=1e-9, atol=1e-9 * np.abs(scores).max())


def check_low_rank(case):
    rng = case.rng
    A = random_data(rng, (25, 7))
    n, outputs = len(A), int(rng.integers(2, 5))
    loss = str(rng.choice([*CLASS_LOSSES, *NUMBER_LOSSES, "multilabel_smooth_hinge", "multilabel_logistic"]))
    if loss in CLASS_LOSSES:
        B = targets = rng.integers(0, outputs, size=n)
        outputs = int(B.max()) + 1
    elif loss in NUMBER_LOSSES:
        B = targets = np.column_stack([random_numbers(rng, A) for _ in range(outputs)])
    else:
        B = targets = np.column_stack([random_labels(rng, A) for _ in range(outputs)])
    problem = dict(loss=loss, radius=random_radius(rng), ridge=random_ridge(rng), smoothing=float(rng.choice([1.0, 0.3])),
                   huber_width=float(rng.choice([1.0, 0.1])))
    p = MatrixProblem(A=A, B=B, outputs=outputs, set="trace", **problem)
    settings = dict(random_settings(rng), max_iterations=int(rng.choice([1, 5, 500])))
    names = [solver["name"] for solver in pdbfw.solvers()["low rank"]]
    data = stored(rng, A)
    start = maybe(rng, lambda: pdbfw.solve(data, targets, **{**problem, "radius": random_radius(rng)}, set="trace",
                                           **settings))
    for name in [*rng.permutation(names), "auto"]:
        try:
            result = pdbfw.solve(data, targets, set="trace", solver=str(name), start=start, **problem, **settings)
            break
        except pdbfw.InputError as error:
            assert str(error).startswith(("solver:", "ridge:", "steps:")), error
    case.judge(p, result.certificate, result.x, 0.0)


def check_low_rank_estimator(case):
    rng = case.rng
    A = random_data(rng, (25, 7))
    A = A[np.arange(max(len(A), 4)) % len(A)]
    size = dict(radius=random_radius(rng), ridge=random_ridge(rng), max_iter=300)
    if rng.random() < 0.5:
        y = np.column_stack([random_numbers(rng, A) for _ in range(3)])
        model = pdbfw.LowRankRegressor(str(rng.choice(NUMBER_LOSSES)), **size).fit(stored(rng, A), y)
        p = MatrixProblem(A=A, B=y, outputs=3, loss=model.loss, set="trace", radius=model.radius, ridge=model.ridge)
        own = model.predict(A)
    else:
        y = np.r_[0, 1, 2, rng.integers(0, 3, size=len(A) - 3)]
        model = pdbfw.LowRankClassifier(str(rng.choice([*CLASS_LOSSES, *NUMBER_LOSSES])), **size).fit(stored(rng, A), y)
        B = y if model.loss in CLASS_LOSSES else np.where(y[:, None] == np.arange(3), 1.0, -1.0)
        p = MatrixProblem(A=A, B=B, outputs=3, loss=model.loss, set="trace", radius=model.radius, ridge=model.ridge)
        own = model.decision_function(A)
    case.judge(p, model.certificate_, model.coef_.T, 0.0)
    np.testing.assert_allclose(own, A @ model.coef_.T, rtol=1e-9, atol=1e-9 * np.abs(own).max())


KINDS = {check.__name__.removeprefix("check_"): check for check in (
    check_solve, check_start, check_path, check_penalty, check_polytope, check_regressor, check_classifier, check_joint,
    check_low_rank, check_low_rank_estimator)}


@pytest.mark.parametrize("kind, first", [(kind, first) for kind in KINDS for first in range(0, CASES, CHUNK)])
def test_what_is_certified_is_what_is_handed_over(kind, first):
    for number in range(first, min(CASES, first + CHUNK)):
        KINDS[kind](Case(kind, number))
