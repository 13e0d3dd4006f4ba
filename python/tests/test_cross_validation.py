"""The estimators that choose their radius: the same choice as the library's, by weights, groups and classes."""

import pickle
import re
import warnings

import numpy as np
import pdbfw
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris, make_regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LassoCV
from sklearn.model_selection import GroupKFold, PredefinedSplit, ShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

RADII = [0.1, 0.5, 1.0, 3.0, 10.0]


@pytest.fixture(scope="module")
def numbers():
    return make_regression(120, 15, n_informative=4, noise=20.0, bias=5.0, random_state=0)


@pytest.mark.parametrize("scoring", ["auto", "accuracy", "auc", "f1", "log_loss"])
def test_two_classes_are_the_cross_validation_of_the_library(labelled, scoring):
    A, b = labelled
    groups = np.arange(len(b)) // 4
    weight = np.random.default_rng(0).random(len(b))
    for given in ({}, {"groups": groups}, {"sample_weight": weight}):
        model = pdbfw.SparseClassifierCV("logistic", radii=RADII, scoring=scoring, cv=4, tol=1e-7, random_state=3)
        model.fit(A, b, **given)
        wanted = pdbfw.cross_validate(A, b, loss="logistic", intercept=True, radii=RADII, score=scoring, folds=4,
                                      tol=1e-7, seed=3, **given)
        found = model.cross_validation_
        assert found.score == wanted.score and found.larger_is_better == wanted.larger_is_better
        np.testing.assert_allclose(found.of_fold, wanted.of_fold, rtol=1e-9)
        np.testing.assert_allclose(found.mean, wanted.mean, rtol=1e-9)
        np.testing.assert_allclose(found.standard_error, wanted.standard_error, rtol=1e-6, atol=1e-12)
        assert (found.best, found.one_standard_error) == (wanted.best, wanted.one_standard_error)
        assert model.radius_ == wanted.radius


@pytest.mark.parametrize("scoring", ["rmse", "r2"])
def test_numbers_are_the_cross_validation_of_the_library(numbers, scoring):
    A, b = numbers
    radii = [10.0, 100.0, 200.0, 400.0]
    model = pdbfw.SparseRegressorCV(radii=radii[::-1], scoring=scoring, rule="one_standard_error", tol=1e-8).fit(A, b)
    wanted = pdbfw.cross_validate(A, b, loss="squared", intercept=True, radii=radii, score=scoring, tol=1e-8)
    np.testing.assert_allclose(model.cv_results_["of_fold"], wanted.of_fold, rtol=1e-6)
    assert model.radius_ == wanted.radii[wanted.one_standard_error]
    np.testing.assert_array_equal(model.radii_, radii)


@pytest.mark.parametrize("given", [{"by": "alpha", "points": 6}, {"alphas": [0.3, 3.0, 30.0]}])
def test_penalties_are_the_cross_validation_of_the_library_and_of_scikit_learn(numbers, given):
    A, b = numbers
    model = pdbfw.SparseRegressorCV(ridge=0, tol=1e-10, **given).fit(A, b)
    wanted = pdbfw.cross_validate(A, b, loss="squared", intercept=True, ridge=0, alphas=model.alphas_, tol=1e-10)
    np.testing.assert_array_equal(model.alphas_, np.sort(model.alphas_)[::-1])
    np.testing.assert_allclose(model.cv_results_["of_fold"], wanted.of_fold, rtol=1e-6)
    assert model.radii_ is None and wanted.radii is None and wanted.radius is None
    assert model.alpha_ == wanted.alpha == model.alphas_[wanted.best]
    plain = pdbfw.SparseRegressor(alpha=model.alpha_, ridge=0, tol=1e-10).fit(A, b)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    assert model.radius_ == plain.radius_
    fold = pdbfw.make_folds(b, 5)
    peer = LassoCV(alphas=model.alphas_, cv=PredefinedSplit(fold), tol=1e-10, max_iter=100_000).fit(A, b)
    np.testing.assert_allclose(wanted.of_fold.T**2, peer.mse_path_, rtol=1e-4)


def test_penalties_of_several_classes_are_one_for_all():
    A, b = load_iris(return_X_y=True)
    model = pdbfw.SparseClassifierCV("logistic", by="alpha", ridge=0, points=7, rule="one_standard_error").fit(A, b)
    assert model.alpha_ in model.alphas_ and model.alphas_.size == 7
    assert model.radius_.shape == (3,) and model.status_ == "converged"
    largest = [pdbfw.largest_alpha(A, np.where(b == k, 1.0, -1.0), loss="logistic", intercept=True) for k in range(3)]
    assert model.alphas_[0] == pytest.approx(max(largest)) and "alpha" in str(model)


def test_the_model_is_that_of_the_chosen_radius(labelled):
    A, b = labelled
    chosen = pdbfw.SparseClassifierCV("logistic", tol=1e-8, rule="one_standard_error").fit(A, b)
    plain = pdbfw.SparseClassifier("logistic", radius=chosen.radius_, tol=1e-8).fit(A, b)
    np.testing.assert_array_equal(chosen.coef_, plain.coef_)
    assert chosen.certificate_ == plain.certificate_ and chosen.n_iter_ == plain.n_iter_
    assert chosen.radii_.shape == (20,) and chosen.radius_ in chosen.radii_
    assert chosen.radius_ <= chosen.cross_validation_.radius
    assert chosen.cross_validation_.largest_relative_gap <= 1e-8


def test_radii_are_found_in_the_unit_of_the_targets(numbers):
    """A thousand times the targets is a thousand times the radii, and the same model."""
    A, b = numbers
    one, thousand = (pdbfw.SparseRegressorCV(ridge=0, tol=1e-6).fit(A, c * b) for c in (1.0, 1000.0))
    np.testing.assert_allclose(thousand.radii_, 1000 * one.radii_, rtol=0.05)
    assert one.radii_[0] < one.radius_ < one.radii_[-1] * 1.01
    assert one.score(A, b) == pytest.approx(thousand.score(A, 1000 * b), abs=0.01)


def test_radii_of_separable_classes_without_a_ridge(rng):
    A = rng.normal(size=(60, 10))
    model = pdbfw.SparseClassifierCV("logistic", ridge=0, points=5, cv=3).fit(A, A[:, 0] > 0)
    assert np.isfinite(model.radii_).all() and model.status_ == "converged"


def test_radii_where_nothing_can_be_learnt(rng):
    model = pdbfw.SparseRegressorCV(points=3, cv=2).fit(np.zeros((10, 4)), rng.normal(size=10))
    assert model.radii_[-1] == 1.0 and not model.coef_.any()


def test_several_classes_have_one_radius():
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = pdbfw.SparseClassifierCV("logistic", radii=RADII, scoring="accuracy", cv=3).fit(X, names)
    assert model.coef_.shape == (3, 4) and isinstance(model.radius_, float) and len(model.certificate_) == 3
    fold = pdbfw.make_folds(y, 3)
    for k in range(3):
        by_hand = pdbfw.SparseClassifier("logistic", radius=model.radius_).fit(X[fold != k], names[fold != k])
        score = by_hand.score(X[fold == k], names[fold == k])
        assert model.cv_results_["of_fold"][k, RADII.index(model.radius_)] == pytest.approx(score, abs=0.021)
    for scoring in ("auc", "f1", "log_loss"):
        other = clone(model).set_params(scoring=scoring).fit(X, names)
        better = 1 if other.cross_validation_.larger_is_better else -1
        assert (better * other.cv_results_["mean"]).max() == better * other.cv_results_["mean"][
            RADII.index(other.radius_)]


def test_log_loss_of_several_classes_is_that_of_the_probabilities():
    X, y = load_iris(return_X_y=True)
    train, test = next(ShuffleSplit(1, test_size=0.3, random_state=0).split(X))
    model = pdbfw.SparseClassifierCV("logistic", radii=[2.0], scoring="log_loss", cv=[(train, test)], tol=1e-8)
    model.fit(X, y)
    plain = pdbfw.SparseClassifier("logistic", radius=2.0, tol=1e-8).fit(X[train], y[train])
    wanted = -np.log(plain.predict_proba(X[test])[np.arange(test.size), y[test]]).mean()
    assert model.cv_results_["mean"][0] == pytest.approx(wanted, rel=1e-4)
    assert model.cv_results_["standard_error"][0] == 0


def test_weights_count_in_the_scores(labelled):
    """A sample of weight 3 is the sample three times, in the folds that are learnt from and in those held out."""
    A, b = labelled
    count = np.random.default_rng(0).integers(0, 4, size=len(b))
    groups = np.arange(len(b)) % 4
    model = pdbfw.SparseClassifierCV(radii=RADII, scoring="auc", cv=GroupKFold(4), tol=1e-9)
    weighted = clone(model).fit(A, b, sample_weight=count, groups=groups)
    repeated = clone(model).fit(A.repeat(count, axis=0), b.repeat(count), groups=groups.repeat(count))
    order = np.argsort(weighted.cv_results_["of_fold"][:, -1]), np.argsort(repeated.cv_results_["of_fold"][:, -1])
    np.testing.assert_allclose(weighted.cv_results_["of_fold"][order[0]], repeated.cv_results_["of_fold"][order[1]],
                               atol=1e-3)
    assert weighted.radius_ == repeated.radius_
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-3)


def test_class_weights_are_those_of_the_plain_estimator(labelled):
    A, b = labelled
    chosen = pdbfw.SparseClassifierCV(radii=[1.0, 4.0], class_weight="balanced", cv=3).fit(A, b > 0.5)
    plain = pdbfw.SparseClassifier(radius=chosen.radius_, class_weight="balanced").fit(A, b > 0.5)
    np.testing.assert_array_equal(chosen.coef_, plain.coef_)


def test_groups_stay_together(labelled):
    """With one group a fold, the folds are the groups."""
    A, b = labelled
    groups = np.array(["a", "b", "c"])[np.arange(len(b)) % 3]
    by_group = pdbfw.SparseClassifierCV(radii=RADII, cv=3).fit(A, b, groups=groups).cv_results_["of_fold"]
    splits = [(np.flatnonzero(groups != name), np.flatnonzero(groups == name)) for name in "abc"]
    by_hand = pdbfw.SparseClassifierCV(radii=RADII, cv=splits).fit(A, b).cv_results_["of_fold"]
    np.testing.assert_allclose(np.sort(by_group, axis=0), np.sort(by_hand, axis=0))


def test_life_in_scikit_learn(labelled):
    A, b = labelled
    steps = make_pipeline(StandardScaler(with_mean=False), pdbfw.SparseClassifierCV(radii=RADII, cv=3))
    assert cross_val_score(steps, sp.csr_array(A), b, cv=3).mean() > 0.7
    fitted = steps.fit(sp.csr_array(A), b)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(sp.csr_array(A)), fitted.predict(sp.csr_array(A)))
    assert again[-1].cross_validation_.radius == fitted[-1].cross_validation_.radius
    warm = pdbfw.SparseClassifierCV(radii=RADII, cv=3, warm_start=True, tol=1e-8).fit(A, b)
    first, n_iter = warm.certificate_.primal, warm.n_iter_
    assert warm.fit(A, b).certificate_.primal == pytest.approx(first, rel=2e-8) and warm.n_iter_ <= n_iter


@pytest.mark.parametrize("change, message", [
    (dict(rule="worst"), r"rule: 'worst' breaks the rule: best \| one_standard_error"),
    (dict(scoring="rmse"), r"scoring: 'rmse' breaks the rule: auto \| accuracy"),
    (dict(scoring="log_loss"), "for the loss logistic, not for smooth_hinge"),
    (dict(points=0), r"points: 0 breaks the rule: an integer, 1 \.\. 100,000"),
    (dict(radii=[1.0, -1.0]), "radii: -1 breaks the rule"),
    (dict(cv=1), "folds"),
    (dict(tol=-1), "tol: '-1'"),
    (dict(cv=201), "n_samples=200"),
    (dict(by="alfa"), "by: 'alfa'"),
    (dict(by="alpha", radii=[1.0]), "radii: given"),
    (dict(alphas=[1.0, 0.0]), "alpha: 0"),
])
def test_mistakes_are_named(labelled, change, message):
    with pytest.raises(pdbfw.InputError, match=message):
        pdbfw.SparseClassifierCV(**change).fit(*labelled)


def test_bad_folds_and_groups_are_named(labelled):
    A, b = labelled
    weight = np.r_[np.zeros(100), np.ones(100)]
    halves = [(np.arange(100, 200), np.arange(100))]
    with pytest.raises(pdbfw.InputError, match="cv: a fold without samples"):
        pdbfw.SparseClassifierCV(radii=[1.0], cv=halves).fit(A, b, sample_weight=weight)
    with pytest.raises(pdbfw.InputError, match="cv: a fold to learn from without class 1"):
        pdbfw.SparseClassifierCV(radii=[1.0], cv=3).fit(A, (np.arange(200) == 7).astype(int))
    with pytest.raises(pdbfw.InputError, match="groups: an array of shape"):
        pdbfw.SparseClassifierCV(radii=[1.0]).fit(A, b, groups=[1, 2])
    with pytest.raises(pdbfw.InputError, match="scoring: 'auc'"):
        pdbfw.SparseRegressorCV(scoring="auc").fit(A, b)


def test_folds_that_miss_the_tolerance_warn(labelled):
    A, b = labelled
    with pytest.warns(ConvergenceWarning) as warned:
        pdbfw.SparseClassifierCV(radii=[5.0], cv=2, tol=1e-14, max_iter=1).fit(A, b)
    for one, place in zip(warned, ("CV stopped", "a fold stopped"), strict=True):
        assert re.search(rf"{place} .* relative duality gap \S+ > tol 1e-14", str(one.message))
        assert one.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdbfw.SparseClassifierCV(radii=[5.0], cv=2).fit(A, b)


def test_path_radii_and_folds(labelled):
    A, b = labelled
    radii = pdbfw.path_radii(A, b, loss="logistic", radius=8, points=7, smallest=0.01)
    assert radii.shape == (7,) and radii[-1] == pytest.approx(8) and radii[0] == pytest.approx(0.08)
    np.testing.assert_allclose(np.diff(np.log(radii)), np.log(100) / 6)
    with pytest.raises(pdbfw.InputError, match="points"):
        pdbfw.path_radii(A, b, points=0)
    fold = pdbfw.make_folds(b, 4, seed=1)
    for label in (-1, 1):
        share = np.bincount(fold[b == label])
        assert share.size == 4 and share.max() - share.min() <= 1
    assert (pdbfw.make_folds(b, 4, seed=1) == fold).all() and (pdbfw.make_folds(b, 4, seed=2) != fold).any()
    groups = np.arange(len(b)) // 10
    fold = pdbfw.make_folds(b, 4, groups=groups)
    assert all(len(set(fold[groups == k])) == 1 for k in range(20))
    with pytest.raises(pdbfw.InputError, match="folds"):
        pdbfw.make_folds(b, 1)
