"""How large an estimator's model may be: a radius, a penalty or a number of features; and rules for its features."""

import numpy as np
import pdbfw
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris, make_regression
from sklearn.linear_model import Lasso
from sklearn.preprocessing import StandardScaler


@pytest.fixture(scope="module")
def numbers():
    return make_regression(120, 15, n_informative=6, noise=10.0, bias=5.0, random_state=0)


def test_a_penalty_is_the_lasso_of_scikit_learn(numbers):
    A, b = numbers
    ours = pdbfw.SparseRegressor(alpha=3.0, ridge=0, tol=1e-10).fit(A, b)
    theirs = Lasso(alpha=3.0, tol=1e-12, max_iter=100_000).fit(A, b)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)
    assert ours.radius_ == pytest.approx(np.abs(ours.coef_).sum(), rel=1e-6)
    assert ours.alpha_ == 3.0 and ours.multiplier_ == pytest.approx(3.0, rel=1e-4)
    # The proof is that of the penalised problem.
    residual = b - A @ ours.coef_ - ours.intercept_
    assert ours.certificate_.primal == pytest.approx(0.5 * (residual ** 2).mean() + 3 * np.abs(ours.coef_).sum())
    assert ours.dual_gap_ <= 1e-10 and ours.status_ == "converged"


def test_radius_and_penalty_are_each_other(numbers):
    A, b = numbers
    ball = pdbfw.SparseRegressor(radius=100.0, tol=1e-9).fit(A, b)
    assert ball.radius_ == 100.0 and ball.alpha_ == ball.multiplier_ > 0
    penalty = pdbfw.SparseRegressor(alpha=ball.alpha_, tol=1e-9).fit(A, b)
    assert penalty.radius_ == pytest.approx(100.0, rel=1e-3)
    np.testing.assert_allclose(penalty.coef_, ball.coef_, atol=1e-2)
    assert pdbfw.SparseRegressor().fit(A, b).radius_ == 100.0


def test_a_penalty_of_several_classes_has_a_radius_each():
    X, y = load_iris(return_X_y=True)
    model = pdbfw.SparseClassifier("logistic", alpha=0.05).fit(X, y)
    assert model.alpha_ == 0.05 and model.radius_.shape == model.multiplier_.shape == (3,)
    np.testing.assert_allclose(np.abs(model.coef_).sum(axis=1), model.radius_, rtol=1e-2)
    ball = pdbfw.SparseClassifier("logistic", radius=2).fit(X, y)
    assert ball.radius_ == 2.0 and ball.alpha_.shape == (3,)


@pytest.mark.parametrize("most", [0, 1, 3, 6])
def test_at_most_so_many_features(numbers, most):
    A, b = numbers
    if most == 0:
        with pytest.raises(pdbfw.InputError, match="most_features: 0 breaks the rule: at least 1"):
            pdbfw.SparseRegressor(most_features=0).fit(A, b)
        return
    model = pdbfw.SparseRegressor(most_features=most, tol=1e-8).fit(A, b)
    assert 0 < np.count_nonzero(model.coef_) <= most and model.status_ == "converged"
    larger = pdbfw.SparseRegressor(radius=1.2 * model.radius_, tol=1e-8).fit(A, b)
    assert np.count_nonzero(larger.coef_) > most
    again = pdbfw.SparseRegressor(radius=model.radius_, tol=1e-8).fit(A, b)
    assert model.certificate_.primal == pytest.approx(again.certificate_.primal, rel=3e-8)


def test_features_of_several_classes_are_counted_together():
    X, y = load_iris(return_X_y=True)
    model = pdbfw.SparseClassifier(most_features=3, standardise=True).fit(X, y)
    assert 0 < np.count_nonzero(model.coef_.any(axis=0)) <= 3 and np.isscalar(model.radius_)


@pytest.mark.parametrize("kind", [pdbfw.SparseClassifier, pdbfw.SparseRegressor])
def test_one_of_the_sizes_decides(labelled, kind):
    A, b = labelled
    by_penalty, by_count = kind(radius=-1, alpha=0.05).fit(A, b), kind(radius=-1, alpha=-1, most_features=4).fit(A, b)
    assert by_penalty.alpha_ == 0.05 and by_count.alpha_ == by_count.multiplier_ > 0
    for given, message in [
        (dict(alpha=0.0), "alpha: 0 breaks the rule: a finite number > 0"),
        (dict(most_features=-1), "most_features: -1 breaks the rule: an integer >= 0"),
        (dict(most_features=2.5), "most_features: 2.5 breaks the rule: an integer >= 0"),
    ]:
        with pytest.raises(pdbfw.InputError, match=message):
            kind(**given).fit(A, b)


@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_standardising_is_a_scaler_with_weights_of_the_data(numbers, as_data):
    A, b = numbers
    A = A * np.geomspace(0.1, 10, 15) + 1
    ours = pdbfw.SparseRegressor(radius=80, standardise=True, tol=1e-10).fit(as_data(A), b)
    scaler = StandardScaler().fit(A)
    by_hand = pdbfw.SparseRegressor(radius=80, tol=1e-10).fit(scaler.transform(A), b)
    np.testing.assert_allclose(ours.coef_ * scaler.scale_, by_hand.coef_, atol=1e-3)
    np.testing.assert_allclose(ours.predict(as_data(A)), by_hand.predict(scaler.transform(A)), atol=1e-2)
    proof = pdbfw.certify(A, b, weights=ours.coef_, y=ours.dual_point_, loss="squared", radius=80, intercept=True,
                          standardise=True)
    assert proof.relative_gap <= 1.01e-10


@pytest.mark.parametrize("kind, given", [
    (pdbfw.SparseClassifier, dict(radius=2.0)), (pdbfw.SparseClassifier, dict(alpha=0.01)),
    (pdbfw.SparseClassifierCV, dict(points=3, cv=2)), (pdbfw.SparseRegressor, dict(most_features=5)),
    (pdbfw.SparseRegressorCV, dict(points=3, cv=2)),
])
def test_rules_for_features(labelled, kind, given):
    A, b = labelled
    A = A[:, :10]
    positive = kind(positive=True, **given).fit(A, b)
    assert positive.coef_.min() >= 0 and positive.coef_.any()
    free = kind(free_features=[9], penalty_weight=np.r_[0.0, np.ones(9)], **given).fit(A, b)
    coef = np.ravel(free.coef_)
    assert coef[0] != 0 and coef[9] != 0 and free.status_ == "converged"
    assert clone(free).free_features == [9]
    with pytest.raises(pdbfw.InputError, match="penalty_weight: 1 of them"):
        kind(penalty_weight=[1.0], **given).fit(A, b)


def test_warm_starts_know_the_scale(labelled):
    A, b = labelled
    A = A * np.geomspace(0.01, 100, 40)
    rules = dict(radius=2.0, standardise=True, free_features=[1], solver="apg", tol=1e-9)
    cold = pdbfw.SparseClassifier("logistic", **rules).fit(A, b)
    warm = pdbfw.SparseClassifier("logistic", warm_start=True, **rules).fit(A, b).fit(A, b)
    assert warm.n_iter_ < cold.n_iter_ / 2
