"""One door against another: the estimators, the tool and the functions of the library tell the same of the same data."""

import json
import pathlib
import shutil
import subprocess

import numpy as np
import pdbfw
import pytest
import scipy.sparse as sp
from pdbfw import _core
from sklearn.datasets import dump_svmlight_file
from sklearn.metrics import accuracy_score, r2_score

TOOL = shutil.which("pdbfw", path=str(pathlib.Path(__file__).resolve().parents[2] / "build" / "dev"))


@pytest.fixture
def rare_words(rng):
    """Rows of which few have one of the words that a small radius chooses: most scores are exactly 0."""
    y = np.where(rng.random(150) < 0.7, 7.0, 3.0)
    telling = (rng.random((150, 2)) < 0.3) * np.stack([y == 7, y == 3], axis=1)
    return sp.csr_array(np.hstack([telling, rng.random((150, 300)) < 0.01]).astype(float)), y


def told_by_tool(folder, *arguments):
    run = subprocess.run([TOOL, *map(str, arguments), "--json"], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.skipif(TOOL is None, reason="the tool is not built")
def test_score_is_what_the_tool_tells(rare_words, tmp_path):
    X, y = rare_words
    dump_svmlight_file(X, y, str(tmp_path / "data.txt"), zero_based=False)
    model = pdbfw.SparseClassifier(radius=0.1, fit_intercept=False, tol=1e-9).fit(X, y)
    assert (model.decision_function(X) == 0).mean() > 0.5
    options = ["--radius", 0.1, "--tol", 1e-9]
    assert model.score(X, y) == told_by_tool(tmp_path, "train", "data.txt", "m", *options)["fit"]["accuracy"]
    assert model.score(X, y) == told_by_tool(tmp_path, "predict", "data.txt", "m")["accuracy"]
    model.save(tmp_path / "python.model")
    assert model.score(X, y) == told_by_tool(tmp_path, "predict", "data.txt", "python.model")["accuracy"]


@pytest.mark.skipif(TOOL is None, reason="the tool is not built")
@pytest.mark.parametrize("score", ["accuracy", "f1"])
def test_cross_validation_is_that_of_the_tool(rare_words, tmp_path, score):
    X, y = rare_words
    dump_svmlight_file(X, y, str(tmp_path / "data.txt"), zero_based=False)
    radii = [0.05, 0.5, 5.0]
    tool = told_by_tool(tmp_path, "cv", "data.txt", "--radii", ",".join(map(str, radii)), "--folds", 3, "--score", score,
                        "--ridge", 0.01, "--tol", 1e-9, "--seed", 4)
    chosen = pdbfw.SparseClassifierCV(radii=radii, cv=3, scoring=score, ridge=0.01, fit_intercept=False, tol=1e-9,
                                      random_state=4).fit(X, y)
    np.testing.assert_allclose(chosen.cv_results_["of_fold"], tool["of_fold"], atol=1e-12)
    plain = pdbfw.cross_validate(X, np.where(y == 7, 1.0, -1.0), radii=radii, folds=3, score=score, ridge=0.01, tol=1e-9, seed=4)
    np.testing.assert_allclose(plain.of_fold, tool["of_fold"], atol=1e-12)
    assert chosen.radius_ == tool["best"]


def test_predictions_are_the_sign_of_the_decision(rare_words):
    X, y = rare_words
    for model in (pdbfw.SparseClassifier(radius=0.1, fit_intercept=False), pdbfw.LowRankClassifier(radius=0.1)):
        model.fit(X, y)
        scores = model.decision_function(X)
        assert (scores == 0).any()
        np.testing.assert_array_equal(model.predict(X), np.where(scores > 0, 7, 3))


def test_labels_are_those_with_scores_above_zero(rare_words):
    X, y = rare_words
    model = pdbfw.LowRankClassifier(radius=0.1).fit(X, np.stack([y == 7, y == 3], axis=1).astype(int))
    np.testing.assert_array_equal(model.predict(X), (model.decision_function(X) > 0).astype(int))


def test_of_equal_scores_the_first_class_counts():
    places = _core.predicted_places(np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 2.0], [0.0, 0.0, 0.0]]))
    assert places.tolist() == [0, 1, 0]
    assert _core.predicted_places(np.array([[0.0], [-0.0], [5e-324]])).tolist() == [0, 0, 1]


@pytest.mark.parametrize("weighted", [False, True])
def test_the_library_counts_as_scikit_learn_does(rng, weighted):
    weight = rng.random(30) if weighted else None
    scores, place = rng.normal(size=(30, 3)), rng.integers(3, size=30)
    assert _core.accuracy(scores, place, weight) == pytest.approx(accuracy_score(place, scores.argmax(axis=1), sample_weight=weight))
    for actual in (rng.normal(size=30), np.full(30, 2.0)):
        for predicted in (rng.normal(size=30), actual.copy()):
            assert _core.r_squared(predicted, actual, weight) == pytest.approx(r2_score(actual, predicted, sample_weight=weight))


def test_every_status_is_kept_in_a_model_file(labelled, tmp_path):
    A, b = labelled
    model = pdbfw.SparseClassifier(radius=5).fit(A, b)
    assert {"converged", "interrupted", "team_lost"} <= set(_core.statuses())
    for status in _core.statuses():
        model.status_ = status
        model.save(tmp_path / "a.model")
        assert pdbfw.load_model(tmp_path / "a.model").status_ == status
    model.status_ = "unknown"
    with pytest.raises(pdbfw.InputError, match="status: 'unknown' breaks the rule"):
        model.save(tmp_path / "a.model")
