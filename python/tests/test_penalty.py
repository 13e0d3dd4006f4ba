"""solve_penalised beside scikit-learn's penalised models."""

import numpy as np
import pdbfw
import pytest
import sklearn
from sklearn.linear_model import ElasticNet, LogisticRegression
from sklearn.utils.fixes import parse_version

L1 = {"l1_ratio": 1} if parse_version(sklearn.__version__) >= parse_version("1.8") else {"penalty": "l1"}


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("l1, ridge", [(0.1, 0.0), (0.05, 0.2)])
def test_a_penalty_is_the_elastic_net_of_scikit_learn(intercept, l1, ridge):
    rng = np.random.default_rng(1)
    A = rng.normal(size=(120, 30)) + 1
    b = A[:, 0] - 2 * A[:, 1] + 0.3 * rng.normal(size=120) + 5
    theirs = ElasticNet(alpha=l1 + ridge, l1_ratio=l1 / (l1 + ridge), fit_intercept=intercept, tol=1e-12, max_iter=100_000).fit(A, b)
    ours = pdbfw.solve_penalised(A, b, l1, loss="squared", ridge=ridge, intercept=intercept, tol=1e-10)
    assert ours.certificate.relative_gap <= 1e-8
    residual = b - A @ theirs.coef_ - theirs.intercept_
    value = 0.5 * (residual ** 2).mean() + l1 * np.abs(theirs.coef_).sum() + 0.5 * ridge * (theirs.coef_ ** 2).sum()
    assert ours.certificate.primal == pytest.approx(value, rel=1e-6)
    assert ours.result.x == pytest.approx(theirs.coef_, abs=1e-4)
    assert ours.result.intercept == pytest.approx(theirs.intercept_, abs=1e-3)


def test_a_penalty_is_the_logistic_regression_of_scikit_learn():
    rng = np.random.default_rng(2)
    A = rng.normal(size=(200, 20))
    b = np.where(A[:, 0] - A[:, 1] + 0.5 * rng.normal(size=200) > 0, 1.0, -1.0)
    alpha = 0.02
    ours = pdbfw.solve_penalised(A, b, alpha, loss="logistic", ridge=0, tol=1e-11)
    coef, C = ours.result.x, 1 / (alpha * len(b))

    def objective(x):
        return np.logaddexp(0, -b * (A @ x)).mean() + alpha * np.abs(x).sum()

    theirs = LogisticRegression(**L1, C=C, solver="liblinear", fit_intercept=False, tol=1e-10, max_iter=100_000).fit(A, b)
    assert objective(coef) <= objective(theirs.coef_[0]) + 1e-9
    assert coef == pytest.approx(theirs.coef_[0], abs=1e-4)


def test_a_penalty_is_judged():
    with pytest.raises(pdbfw.InputError, match="alpha"):
        pdbfw.solve_penalised(np.eye(2), [1.0, 2.0], 0, loss="squared")


def test_penalties_from_the_data():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(100, 20))
    b = A[:, 0] - 2 * A[:, 1] + 0.5 * rng.normal(size=100)
    problem = dict(loss="squared", ridge=0)
    largest = pdbfw.largest_alpha(A, b, **problem)
    assert largest == pytest.approx(np.abs(A.T @ b).max() / 100)
    alphas = pdbfw.path_alphas(A, b, points=5, smallest=0.01, **problem)
    np.testing.assert_allclose(alphas, largest * np.geomspace(1, 0.01, 5))
    path = pdbfw.solve_penalties(A, b, alphas[::-1], stops_early=False, tol=1e-8, **problem)
    np.testing.assert_array_equal([point.alpha for point in path], alphas)
    assert not path[0].result.x.any()
    for alpha, radius, result, certificate in path:
        alone = pdbfw.solve_penalised(A, b, alpha, tol=1e-8, **problem)
        assert certificate.relative_gap <= 1e-8 and result.status == "converged"
        assert certificate.primal == pytest.approx(alone.certificate.primal, rel=3e-8)
        assert np.abs(result.x).sum() <= radius * (1 + 1e-9)
    assert len(pdbfw.solve_penalties(A, A[:, 0], np.geomspace(1, 1e-6, 20), **problem)) < 20
    with pytest.raises(pdbfw.InputError, match="alphas: none breaks the rule: at least one"):
        pdbfw.solve_penalties(A, b, [], **problem)
    with pytest.raises(pdbfw.InputError, match="alphas: none breaks the rule: data of which some feature"):
        pdbfw.path_alphas(A, 0 * b, **problem)
