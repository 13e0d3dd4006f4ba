"""The estimators: agreement with scikit-learn, warnings, and life in its tools."""

import pickle
import warnings

import numpy as np
import pdbfw
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification, make_multilabel_classification, make_regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNet, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version


def penalised(A, b, coef, intercept, l1, ridge):
    return 0.5 * np.mean((A @ coef + intercept - b) ** 2) + l1 * np.abs(coef).sum() + 0.5 * ridge * coef @ coef


@pytest.mark.parametrize("ridge", [0.0, 0.2])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_multiplier_is_the_penalty_of_the_elastic_net(ridge, fit_intercept):
    A, b = make_regression(120, 30, n_informative=5, bias=3.0, noise=2.0, random_state=0)
    ours = pdbfw.SparseRegressor(radius=100, ridge=ridge, fit_intercept=fit_intercept, tol=1e-9).fit(A, b)
    l1 = ours.multiplier_
    assert l1 > 0
    theirs = ElasticNet(alpha=l1 + ridge, l1_ratio=l1 / (l1 + ridge), fit_intercept=fit_intercept, tol=1e-10,
                        max_iter=100_000).fit(A, b)
    assert penalised(A, b, ours.coef_, ours.intercept_, l1, ridge) == pytest.approx(
        penalised(A, b, theirs.coef_, theirs.intercept_, l1, ridge), rel=1e-6)


def test_multiplier_is_the_penalty_of_logistic_regression(labelled):
    A, b = labelled
    ours = pdbfw.SparseClassifier("logistic", radius=5, ridge=0, fit_intercept=False, tol=1e-9).fit(A, b)
    l1 = {"l1_ratio": 1} if parse_version(sklearn.__version__) >= parse_version("1.8") else {"penalty": "l1"}
    theirs = LogisticRegression(**l1, C=1 / (len(b) * ours.multiplier_), solver="liblinear", fit_intercept=False,
                                tol=1e-10, max_iter=10_000).fit(A, b)

    def value(coef):
        return np.logaddexp(0, -b * (A @ coef)).mean() + ours.multiplier_ * np.abs(coef).sum()

    assert value(ours.coef_[0]) == pytest.approx(value(theirs.coef_[0]), rel=1e-6)


def test_what_a_fit_leaves_behind():
    X, y = make_classification(200, 30, n_informative=5, n_classes=3, random_state=0)
    two = pdbfw.SparseClassifier(radius=3).fit(X, y > 0)
    assert two.coef_.shape == (1, 30) and two.intercept_.shape == (1,) and two.status_ == "converged"
    assert two.dual_gap_ == two.certificate_.relative_gap <= 1e-4
    assert two.history_["relative_gap"][-1] <= 1e-4
    again = pdbfw.certify(X, np.where(y > 0, 1.0, -1.0), two.coef_[0], two.dual_point_, radius=3, intercept=True)
    assert again.relative_gap <= 1.01e-4
    three = pdbfw.SparseClassifier(radius=3).fit(X, np.array(["a", "b", "c"])[y])
    assert three.coef_.shape == (3, 30) and len(three.certificate_) == len(three.history_) == 3
    assert set(three.predict(X)) <= {"a", "b", "c"} and three.score(X, np.array(["a", "b", "c"])[y]) > 0.6
    assert three.dual_gap_ == max(certificate.relative_gap for certificate in three.certificate_)


def test_classes_learnt_jointly():
    X, y = make_classification(300, 30, n_informative=6, n_classes=3, random_state=0)
    names = np.array(["a", "b", "c"])[y]
    for loss, per_class in (("softmax", "l1"), ("softmax", "l1_per_class"), ("multiclass_hinge", "l1")):
        model = pdbfw.SparseClassifier(loss, set=per_class, radius=5, tol=1e-6).fit(X, names)
        assert model.status_ == "converged" and model.certificate_.relative_gap == model.dual_gap_ <= 1e-6
        assert model.coef_.shape == (3, 30) and model.dual_point_.shape == (3, 300) and model.score(X, names) > 0.6
        norms = np.abs(model.coef_).sum(axis=1)
        assert (norms.max() if per_class == "l1_per_class" else norms.sum()) <= 5 * (1 + 1e-9)
        assert np.abs(model.dual_point_.sum(axis=1)).max() < 1e-8  # the intercepts are the best ones
        again = model.set_params(warm_start=True).fit(X, names)
        assert again.n_iter_ == 0
    chance = pdbfw.SparseClassifier("softmax", radius=5).fit(X, names).predict_proba(X)
    assert chance.shape == (300, 3) and np.allclose(chance.sum(axis=1), 1)
    weight = np.where(y == 0, 2.0, 1.0)
    weighted = pdbfw.SparseClassifier("softmax", radius=5, tol=1e-8).fit(X, names, sample_weight=weight)
    twice = np.concatenate([np.arange(300), np.flatnonzero(y == 0)])
    repeated = pdbfw.SparseClassifier("softmax", radius=5, tol=1e-8).fit(X[twice], names[twice])
    assert weighted.certificate_.primal == pytest.approx(repeated.certificate_.primal, rel=1e-7)


def test_two_classes_learnt_jointly_are_the_logistic_model():
    X, y = make_classification(200, 20, random_state=1)
    both = pdbfw.SparseClassifier("softmax", radius=3, ridge=0.02, tol=1e-9).fit(X, y)
    single = pdbfw.SparseClassifier("logistic", radius=3, ridge=0.01, tol=1e-9).fit(X, y)
    assert both.coef_.shape == (2, 20) and both.decision_function(X).shape == (200,)
    assert both.certificate_.primal == pytest.approx(single.certificate_.primal, rel=1e-7)
    assert np.allclose(both.predict_proba(X), single.predict_proba(X), atol=1e-3)


def test_a_ball_for_each_class_is_for_classes_learnt_jointly():
    X, y = make_classification(50, 20, random_state=1)
    with pytest.raises(pdbfw.InputError, match="l1 for the loss logistic"):
        pdbfw.SparseClassifier("logistic", set="l1_per_class").fit(X, y)
    with pytest.raises(pdbfw.InputError, match="one of l1, l1_per_class"):
        pdbfw.SparseClassifier("softmax", set="simplex").fit(X, y)


def test_missing_the_tolerance_warns(labelled):
    A, b = labelled
    with pytest.warns(ConvergenceWarning, match=r"relative duality gap .* > tol 1e-14"):
        model = pdbfw.SparseClassifier(tol=1e-14, max_iter=1).fit(A, b)
    assert model.status_ == "iteration_limit" and model.dual_gap_ > 1e-14
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdbfw.SparseClassifier().fit(A, b)


ENTRIES = np.argwhere(np.ones((12, 9), dtype=bool))
VALUES = np.sin(np.outer(np.arange(12.0), np.arange(9.0)))[ENTRIES[:, 0], ENTRIES[:, 1]]
# What each estimator is fitted to here, from `labelled`.
DATA = {
    pdbfw.SparseClassifier: lambda A, b: (A, b),
    pdbfw.SparseRegressor: lambda A, b: (A, A[:, 0] + b),
    pdbfw.SparseClassifierCV: lambda A, b: (A, b),
    pdbfw.SparseRegressorCV: lambda A, b: (A, A[:, 0] + b),
    pdbfw.LowRankClassifier: lambda A, b: (A, b),
    pdbfw.LowRankRegressor: lambda A, b: (A, np.c_[b, A[:, 0]]),
    pdbfw.MatrixCompletion: lambda A, b: (ENTRIES, VALUES),
    pdbfw.PhaseRetrieval: lambda A, b: (A[:, :8], (A[:, :8] @ np.arange(1, 9)) ** 2 + A[:, 9] ** 2),
}


def one_radius(kind):
    return dict(radii=[1.0], cv=2) if "radii" in kind().get_params() else dict(radius=1.0)


@pytest.mark.parametrize("kind", DATA)
def test_every_estimator_warns_with_gap_and_tolerance(labelled, kind):
    with pytest.warns(ConvergenceWarning, match=r"relative duality gap \S+ > tol 1e-15") as warned:
        model = kind(tol=1e-15, max_iter=1, solver="pg", **one_radius(kind)).fit(*DATA[kind](*labelled))
    assert model.status_ != "converged" and model.dual_gap_ > model.tol
    assert f"gap {model.dual_gap_:.3g} > tol" in str(warned[0].message) and warned[0].filename == __file__


@pytest.mark.parametrize("kind", [kind for kind in DATA if "warm_start" in kind().get_params()])
def test_every_warm_start_begins_at_the_last_fit(labelled, kind):
    data = DATA[kind](*labelled)
    warm, cold = (kind(tol=1e-9, solver="apg", warm_start=begins, **one_radius(kind)).fit(*data)
                  for begins in (True, False))
    assert warm.fit(*data).n_iter_ < cold.fit(*data).n_iter_
    assert warm.certificate_.primal == pytest.approx(cold.certificate_.primal, rel=1e-8)


@pytest.mark.parametrize("kind, given", [
    (pdbfw.SparseClassifier, dict(radius=1.0, solver="svrg", max_iter=3, fit_intercept=False)),
    (pdbfw.SparseRegressor, dict(radius=1.0, solver="svrg", max_iter=3, fit_intercept=False)),
    (pdbfw.SparseClassifierCV, dict(cv=2)),
    (pdbfw.SparseRegressorCV, dict(cv=2)),
    (pdbfw.LowRankClassifier, dict(radius=1.0, solver="svrg", max_iter=3)),
    (pdbfw.LowRankRegressor, dict(radius=1.0, solver="svrg", max_iter=3)),
    (pdbfw.MatrixCompletion, {}),
])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_random_state_decides(labelled, kind, given):
    """The same one, the same fit; another one, another."""
    data = DATA[kind](*labelled)

    def seen(random_state):
        model = kind(random_state=random_state, **given).fit(*data)
        numbers = getattr(model, "held_out_", None) or getattr(model, "cv_results_", None)
        return repr(numbers) if numbers else model.history_["relative_gap"].tobytes()

    assert seen(None) == seen(0) == seen(0) != seen(1)
    assert seen(np.random.RandomState(5)) == seen(np.random.RandomState(5))


def test_weights_of_classes(labelled):
    A, b = labelled
    y = (b > 0) & (np.arange(len(b)) % 4 == 0)
    balanced = pdbfw.SparseClassifier(radius=5, class_weight="balanced", tol=1e-8).fit(A, y)
    factor = len(y) / (2 * np.bincount(y))
    by_hand = pdbfw.SparseClassifier(radius=5, tol=1e-8).fit(A, y, sample_weight=factor[y.astype(int)])
    np.testing.assert_allclose(balanced.coef_, by_hand.coef_)
    with pytest.raises(ValueError, match="in every class"):
        pdbfw.SparseClassifier().fit(A, y, sample_weight=y.astype(float))


def test_warm_start(labelled):
    A, b = labelled
    model = pdbfw.SparseClassifier("logistic", radius=5, tol=1e-8, warm_start=True).fit(A, b)
    first = model.history_["data_passes"][-1]
    model.set_params(radius=4.9).fit(A, b)
    cold = clone(model).set_params(warm_start=False).fit(A, b)
    assert model.certificate_.primal == pytest.approx(cold.certificate_.primal, rel=3e-8)
    model.fit(A, b)
    assert model.history_["data_passes"][-1] <= first
    model.fit(A[:100], b[:100])
    assert model.status_ == "converged"


def test_sparse_is_dense(labelled):
    A, b = labelled
    for model in (pdbfw.SparseClassifier(radius=5, tol=1e-9), pdbfw.LowRankClassifier(radius=5, tol=1e-9),
                  pdbfw.RandomBinning(20), pdbfw.RandomFourier(20)):
        dense, sparse = clone(model).fit(A, b), clone(model).fit(sp.csc_array(A), b)
        name = "decision_function" if hasattr(model, "predict") else "transform"
        ours, theirs = (getattr(fitted, name)(sp.csr_matrix(A)) for fitted in (dense, sparse))
        difference = abs(ours - theirs)
        assert difference.max() < 1e-3, model


def test_searches_pipelines_and_pickles(labelled):
    A, b = labelled
    steps = make_pipeline(StandardScaler(), pdbfw.SparseClassifier("logistic"))
    search = GridSearchCV(steps, {"sparseclassifier__radius": [0.1, 1.0, 10.0]}, cv=3, scoring="roc_auc").fit(A, b)
    assert search.best_score_ > 0.9
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict_proba(A), search.predict_proba(A))
    features = make_pipeline(pdbfw.RandomBinning(50), pdbfw.SparseClassifier(radius=10))
    assert cross_val_score(features, A, b, cv=3).mean() > 0.6
    for transform in (pdbfw.RandomBinning(10).fit(A), pdbfw.RandomFourier(10).fit(A)):
        restored = pickle.loads(pickle.dumps(transform))
        assert abs(restored.transform(A) - transform.transform(A)).max() == 0
        assert len(transform.get_feature_names_out()) == transform.transform(A).shape[1]


def test_features_may_be_written_to(labelled):
    A, _ = labelled
    bins, waves = pdbfw.RandomBinning(5).fit_transform(A), pdbfw.RandomFourier(4).fit_transform(A)
    bins.data *= 2
    waves *= 2
    assert bins.data.min() > 0 and np.linalg.norm(waves[0]) == pytest.approx(2)


def test_verbose_tells_the_gap(labelled, capfd):
    pdbfw.SparseClassifier(verbose=2).fit(*labelled)
    told = capfd.readouterr()
    assert "relative gap" in told.err and told.out == ""


def test_set_output(labelled):
    pandas = pytest.importorskip("pandas")
    A, _ = labelled
    frame = pdbfw.RandomFourier(6).set_output(transform="pandas").fit_transform(A)
    assert isinstance(frame, pandas.DataFrame) and frame.shape == (200, 6)


def test_kernels_are_approximated(rng):
    X = rng.normal(size=(40, 3))
    laplacian = np.exp(-0.3 * np.abs(X[:, None] - X[None]).sum(axis=2))
    gaussian = np.exp(-0.3 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    bins = pdbfw.RandomBinning(5_000, gamma=0.3).fit_transform(X)
    waves = pdbfw.RandomFourier(10_000, gamma=0.3).fit_transform(X)
    assert np.abs((bins @ bins.T).toarray() - laplacian).max() < 0.05
    assert np.abs(waves @ waves.T - gaussian).max() < 0.06


def test_labels_and_targets_of_low_rank(rng):
    X, Y = make_multilabel_classification(150, 20, n_classes=6, random_state=0)
    X = X / X.max()
    for loss in ("auto", "multilabel_logistic", "squared"):
        model = pdbfw.LowRankClassifier(loss).fit(X, Y)
        assert model.predict(X).shape == Y.shape and (model.predict(X) == Y).mean() > 0.75
        assert model.coef_.shape == (6, 20) and model.rank_ == len(model.s_)
        np.testing.assert_allclose(model.decision_function(X), X @ model.coef_.T, atol=1e-9)
    assert pdbfw.LowRankClassifier("multilabel_logistic").fit(X, Y).predict_proba(X).max() <= 1
    assert not hasattr(pdbfw.LowRankClassifier().fit(X, Y), "predict_proba")
    with pytest.raises(pdbfw.InputError, match="one for labels"):
        pdbfw.LowRankClassifier("softmax").fit(X, Y)
    warm = pdbfw.LowRankRegressor(radius=3, warm_start=True).fit(X, Y)
    assert warm.fit(X, Y).status_ == "converged" and warm.coef_.shape == (6, 20)


def test_matrix_completion(rng):
    M = 2 + rng.normal(size=(30, 1)) + rng.normal(size=(30, 2)) @ rng.normal(size=(2, 25))
    known = rng.random(M.shape) < 0.6
    pairs, values = np.argwhere(known), M[known]
    model = pdbfw.MatrixCompletion().fit(pairs * 10, values)  # ids are any numbers
    assert model.status_ == "converged" and model.held_out_["entries"] > 0 and model.radius_ > 0
    assert model.score(np.argwhere(~known) * 10, M[~known]) > 0.9
    np.testing.assert_allclose(model.complete()[known], model.predict(pairs * 10))
    assert model.predict([[-1, -1]]) == pytest.approx(model.mean_)
    again = pickle.loads(pickle.dumps(clone(model).set_params(radius=model.radius_, holdout=0).fit(pairs, values)))
    assert again.held_out_ is None and again.certificate_.relative_gap <= 1e-4
    search = GridSearchCV(pdbfw.MatrixCompletion(holdout=0), {"radius": [1.0, 100.0]}, cv=3).fit(pairs, values)
    assert search.best_params_ == {"radius": 100.0}
    with pytest.raises(pdbfw.InputError, match="two, the row and the column"):
        pdbfw.MatrixCompletion().fit(M, M[:, 0])
    with pytest.raises(pdbfw.InputError, match="means"):
        pdbfw.MatrixCompletion(means="some").fit(pairs, values)


@pytest.mark.parametrize("is_complex", [False, True])
def test_phase_retrieval(rng, is_complex):
    def draw(*shape):
        return rng.normal(size=shape) + (1j * rng.normal(size=shape) if is_complex else 0)

    x, a = draw(6), draw(70, 6)
    b = np.abs(a.conj() @ x) ** 2
    model = pdbfw.PhaseRetrieval(tol=1e-8).fit(a, b)
    assert model.signal_.dtype == (complex if is_complex else float)
    phase = np.vdot(model.signal_, x)
    np.testing.assert_allclose(model.signal_ * phase / abs(phase), x, atol=1e-3)
    assert model.misfit_ < 1e-3 and model.status_ == "converged"
    np.testing.assert_allclose(pickle.loads(pickle.dumps(clone(model).fit(a, b))).predict(a), b, rtol=0.02, atol=0.02)
    with pytest.raises(pdbfw.InputError, match="one for each"):
        pdbfw.PhaseRetrieval().fit(a, b[:-1])


@pytest.mark.parametrize("loss", ["smooth_hinge", "squared_hinge"])
def test_hinges_have_calibrated_probabilities(loss):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(3000, 6))
    chance = 1 / (1 + np.exp(-1.5 * X[:, 0] + X[:, 1]))
    y = rng.random(3000) < chance
    model = pdbfw.SparseClassifier(loss, radius=5, probability=True).fit(X[:2000], y[:2000])
    found = model.predict_proba(X[2000:])
    assert model.sigmoid_.shape == (1, 2)
    assert np.allclose(found.sum(axis=1), 1)
    assert np.abs(found[:, 1] - chance[2000:]).mean() < 0.04
    assert (np.argsort(found[:, 1]) == np.argsort(model.decision_function(X[2000:]))).all()
    assert not hasattr(pdbfw.SparseClassifier(loss), "predict_proba")
    several = pdbfw.SparseClassifier(loss, radius=5, probability=True).fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    assert several.sigmoid_.shape == (3, 2)
    assert (several.predict_proba(X).argmax(axis=1) == several.predict(X)).mean() > 0.9
