"""Features that are scaled, weighed, free or of one sign: what x and weights are, and laws that tie them together."""

import numpy as np
import pdbfw
import pytest
import scipy.sparse as sp
from sklearn.linear_model import Lasso


@pytest.fixture
def numbers(rng):
    """Features of unlike scales, and targets with an intercept."""
    A = (rng.normal(size=(150, 12)) + 0.5) * np.geomspace(0.1, 10, 12)
    b = 3 * A[:, 0] + A[:, 5] - 0.2 * A[:, 11] + 0.3 * rng.normal(size=150) + 2
    return A, b


PROBLEM = dict(loss="squared", ridge=0.05, intercept=True)


def test_x_is_the_weights_where_nothing_is_scaled(numbers):
    result = pdbfw.solve(*numbers, radius=1, **PROBLEM)
    assert result.weights is result.x and result.free_weights.size == 0


@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_standardising_is_dividing_by_deviations(numbers, as_data):
    A, b = numbers
    deviation = A.std(axis=0)
    ours = pdbfw.solve(as_data(A), b, radius=1.5, standardise=True, tol=1e-11, **PROBLEM)
    by_hand = pdbfw.solve(A / deviation, b, radius=1.5, tol=1e-11, **PROBLEM)
    assert ours.certificate.primal == pytest.approx(by_hand.certificate.primal, rel=1e-10)
    np.testing.assert_allclose(ours.weights, by_hand.x / deviation, atol=1e-5)
    np.testing.assert_allclose(ours.weights * deviation, ours.x, rtol=1e-12)
    assert ours.intercept == pytest.approx(by_hand.intercept, abs=1e-4)


def test_penalty_weights_are_divided_features(numbers):
    A, b = numbers
    weight = np.linspace(0.5, 3, 12)
    ours = pdbfw.solve(A, b, radius=2, penalty_weight=weight, tol=1e-11, **PROBLEM)
    by_hand = pdbfw.solve(A / weight, b, radius=2, tol=1e-11, **PROBLEM)
    np.testing.assert_allclose(ours.weights, by_hand.x / weight, atol=1e-5)
    assert weight @ np.abs(ours.weights) <= 2 * (1 + 1e-9)


def test_free_features_are_held_back_by_nothing(numbers):
    """In a ball of almost no size what is left is least squares on the free features."""
    A, b = numbers
    free = [11, 0]
    result = pdbfw.solve(A, b, radius=1e-9, free_features=free, tol=1e-12, **PROBLEM)
    wanted = np.linalg.lstsq(np.c_[A[:, sorted(free)], np.ones(len(b))], b, rcond=None)[0]
    np.testing.assert_allclose(np.r_[result.free_weights, result.intercept], wanted, rtol=1e-5)
    np.testing.assert_array_equal(result.weights[sorted(free)], result.free_weights)
    assert result.x.shape == (10,)
    np.testing.assert_array_equal(np.delete(result.weights, free), result.x)
    by_weight = pdbfw.solve(A, b, radius=1e-9, penalty_weight=np.isin(np.arange(12), free, invert=True), tol=1e-12,
                            **PROBLEM)
    np.testing.assert_allclose(by_weight.weights, result.weights, rtol=1e-9)


RULES = dict(standardise=True, penalty_weight=np.linspace(0.5, 2, 12), free_features=[3])


def test_certify_takes_the_point_or_the_weights(numbers):
    A, b = numbers
    problem = dict(PROBLEM, radius=1.5, **RULES)
    result = pdbfw.solve(A, b, tol=1e-9, **problem)
    by_point = pdbfw.certify(A, b, result.x, result.y, **problem)
    by_weights = pdbfw.certify(A, b, weights=result.weights, y=result.y, **problem)
    assert by_point.relative_gap <= 1.01e-9 and by_weights.relative_gap <= 1.01e-9
    with pytest.raises(pdbfw.InputError, match="x: 12 numbers"):
        pdbfw.certify(A, b, result.weights, result.y, **problem)
    for given, message in (({}, "x: none"), (dict(x=result.x, weights=result.x), "x: beside weights")):
        with pytest.raises(pdbfw.InputError, match=f"{message} breaks the rule: one of x and weights"):
            pdbfw.certify(A, b, **given, **problem)
    with pytest.raises(pdbfw.InputError, match="weights"):
        pdbfw.certify(A, b, weights=result.weights[:5], **problem)


def test_a_warm_start_begins_at_the_weights(numbers):
    A, b = numbers
    settings = dict(PROBLEM, radius=1.5, solver="apg", tol=1e-9)
    plain = pdbfw.solve(A, b, **settings)
    cold = pdbfw.solve(A, b, **RULES, **settings)
    warm = pdbfw.solve(A, b, **RULES, start=cold, **settings)
    assert warm.work.iterations < cold.work.iterations
    assert pdbfw.solve(A, b, **RULES, start=plain, **settings).status == "converged"


def test_nonnegative_weights(numbers):
    A, b = numbers
    result = pdbfw.solve(A, b, set="nonnegative", radius=2, tol=1e-8, **PROBLEM)
    assert result.weights.min() >= 0 and result.status == "converged"
    lasso = Lasso(alpha=0.1, positive=True, tol=1e-12, max_iter=100_000).fit(A, b)
    ours = pdbfw.solve_penalised(A, b, 0.1, set="nonnegative", loss="squared", ridge=0, intercept=True, tol=1e-10)
    np.testing.assert_allclose(ours.result.weights, lasso.coef_, atol=1e-4)


def test_every_function_takes_them(numbers):
    A, b = numbers
    problem = dict(PROBLEM, **RULES)
    alone = pdbfw.solve(A, b, radius=1.5, tol=1e-9, **problem)
    [[_, path]] = pdbfw.solve_path(A, b, [1.5], tol=1e-9, **problem)
    np.testing.assert_allclose(path.weights, alone.weights, atol=1e-4)
    penalised = pdbfw.solve_penalised(A, b, alone.multiplier, tol=1e-9, **problem)
    assert penalised.radius == pytest.approx(1.5, rel=1e-3)
    [point] = pdbfw.solve_penalties(A, b, [alone.multiplier], tol=1e-9, **problem)
    assert point.radius == pytest.approx(1.5, rel=1e-3)
    radii = pdbfw.path_radii(A, b, points=4, **problem)
    assert radii[-1] == pytest.approx(np.abs(pdbfw.solve(A, b, **problem).x).sum(), rel=0.01)
    cv = pdbfw.cross_validate(A, b, radii=radii, folds=3, tol=1e-8, seed=1, **problem)
    fold = pdbfw.make_folds(b, 3, seed=1)
    [[_, out]] = pdbfw.solve_path(A, b, [radii[-1]], sample_weight=fold != 0, tol=1e-8, **problem)
    error = (A @ out.weights + out.intercept - b)[fold == 0]
    assert cv.of_fold[0, -1] == pytest.approx(np.sqrt(np.mean(error ** 2)), rel=1e-3)


def test_mistakes_are_named(numbers):
    A, b = numbers
    for given, message in [
        (dict(penalty_weight=[1.0]), "penalty_weight: 1 of them breaks the rule: one for each of 12 features"),
        (dict(penalty_weight=-np.ones(12)), "penalty_weight: -1 for feature 1"),
        (dict(free_features=[12]), "free_features: 12 breaks the rule: features from 0 to 11"),
        (dict(free_features=[0.5]), "free_features: 0.5 breaks the rule: integers, features counted from 0"),
        (dict(standardise="perhaps"), "standardise"),
        (dict(set="trace", standardise=True), "standardise: yes breaks the rule: no for the set trace"),
        (dict(set="trace", free_features=[0]), "free_features: given breaks the rule: not with the set trace"),
    ]:
        with pytest.raises(pdbfw.InputError, match=message):
            pdbfw.solve(A, b, loss="squared", **given)
    with pytest.raises(pdbfw.InputError, match="weights: given breaks the rule: not with the set trace"):
        pdbfw.certify(A, b, weights=np.ones(12), set="trace")
    with pytest.raises(pdbfw.InputError, match="x: none breaks the rule: the point"):
        pdbfw.certify(A, b, set="trace")
