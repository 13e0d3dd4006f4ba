"""Model files: what an estimator writes the library reads, and the other way round."""

import pathlib
import shutil
import subprocess

import numpy as np
import pdbfw
import pytest
from sklearn.exceptions import NotFittedError


def test_a_classifier_comes_back(labelled, tmp_path):
    A, b = labelled
    y = np.where(b > 0, 7, 3)
    model = pdbfw.SparseClassifier("logistic", radius=5, smoothing=0.5, tol=1e-7).fit(A, y)
    model.save(tmp_path / "a.model")
    again = pdbfw.load_model(tmp_path / "a.model")
    assert isinstance(again, pdbfw.SparseClassifier) and again.classes_.tolist() == [3, 7]
    np.testing.assert_array_equal(again.coef_, model.coef_)
    np.testing.assert_array_equal(again.predict_proba(A), model.predict_proba(A))
    assert (again.certificate_, again.status_, again.dual_gap_) == (model.certificate_, "converged", model.dual_gap_)
    assert (again.loss, again.radius, again.fit_intercept) == ("logistic", 5.0, True)
    assert again.ridge == model.ridge_ == pytest.approx(1 / 200)
    proof = pdbfw.certify(A, b, again.coef_[0], again.dual_point_, loss="logistic", radius=5, intercept=True)
    assert proof.relative_gap <= 1.01e-7
    again.save(tmp_path / "b.model")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    assert again.set_params(warm_start=True, tol=1e-7).fit(A, y).status_ == "converged"


def test_a_mapped_model_is_the_same_model(labelled, tmp_path):
    A, b = labelled
    model = pdbfw.SparseClassifier("logistic", radius=5, free_features=[3]).fit(A, b)
    model.save(tmp_path / "a.model")
    model.save(tmp_path / "a.pdbm")
    assert (tmp_path / "a.pdbm").read_bytes().startswith(b"\x89PDM\r\n\x1a\n")
    again = pdbfw.load_model(tmp_path / "a.pdbm")
    np.testing.assert_array_equal(again.predict_proba(A), model.predict_proba(A))
    again.save(tmp_path / "b.model")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    (tmp_path / "cut").write_bytes((tmp_path / "a.pdbm").read_bytes()[:-1])
    with pytest.raises(pdbfw.InputError, match="cut: .* by its header"):
        pdbfw.load_model(tmp_path / "cut")


def test_a_regressor_with_weights_comes_back(labelled, tmp_path):
    A, b = labelled
    weight = np.linspace(1, 2, len(b))
    model = pdbfw.SparseRegressorCV("huber", radii=[0.1, 0.5], cv=2, huber_width=0.7, fit_intercept=False).fit(
        A, b, sample_weight=weight)
    model.sparsify().save(tmp_path / "a.model")
    assert "sample_weight 1" in (tmp_path / "a.model").read_text().splitlines()
    again = pdbfw.load_model(str(tmp_path / "a.model"))
    assert (again.huber_width, again.radius, again.fit_intercept) == (0.7, model.radius_, False)
    assert again.ridge == pytest.approx(1 / weight.sum())
    np.testing.assert_array_equal(again.predict(A), model.predict(A))


def test_rules_for_features_come_back(labelled, tmp_path):
    A, b = labelled
    model = pdbfw.SparseClassifier(alpha=0.05, standardise=True, positive=True, free_features=[7, 3],
                                   penalty_weight=np.r_[0.0, np.ones(39)], tol=1e-8).fit(A, b)
    model.save(tmp_path / "a.model")
    lines = (tmp_path / "a.model").read_text().splitlines()
    assert {"set nonnegative", "standardise 1", "penalty_weight 1", "free_features 3"} <= set(lines)
    again = pdbfw.load_model(tmp_path / "a.model")
    assert (again.standardise, again.positive, again.free_features) == (True, True, [0, 3, 7])
    assert again.radius == model.radius_
    np.testing.assert_array_equal(again.coef_, model.coef_)
    again.save(tmp_path / "b.model")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    # The file states a ball, and its proof.
    proof = pdbfw.certify(A, b, weights=again.coef_[0], y=again.dual_point_, set="nonnegative", radius=again.radius,
                          ridge=again.ridge, intercept=True, standardise=True, free_features=again.free_features)
    assert proof.relative_gap == pytest.approx(again.certificate_.relative_gap, abs=1e-10)


TOOL = shutil.which("pdbfw", path=str(pathlib.Path(__file__).resolve().parents[2] / "build" / "dev"))


@pytest.mark.skipif(TOOL is None, reason="the tool is not built")
def test_the_tool_reads_what_was_saved(labelled, tmp_path):
    A, b = labelled
    model = pdbfw.SparseClassifier(radius=5, standardise=True, free_features=[2], tol=1e-6).fit(A, b)
    model.save(tmp_path / "a.model")
    rows = (f"{b[i]:g} " + " ".join(f"{j + 1}:{float(A[i, j])!r}" for j in np.flatnonzero(A[i])) for i in range(len(b)))
    (tmp_path / "data.txt").write_text("\n".join(rows) + "\n")
    told = subprocess.run([TOOL, "predict", "data.txt", "a.model"], cwd=tmp_path, capture_output=True, text=True,
                          check=True).stdout
    np.testing.assert_array_equal(np.array(told.split(), dtype=float), model.predict(A))
    subprocess.run([TOOL, "certify", "data.txt", "a.model", "--tol", "1.1e-6"], cwd=tmp_path, check=True,
                   stdout=subprocess.DEVNULL)


def test_models_of_liblinear_are_read(tmp_path):
    file = tmp_path / "a.model"
    file.write_text("solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n0.5\n-2\n")
    model = pdbfw.load_model(file)
    assert model.loss == "logistic" and model.predict([[1, 0], [0, 1]]).tolist() == [1, -1]
    assert "certificate" not in repr(model)
    with pytest.raises(NotFittedError):
        model.save(file)


def test_mistakes_are_named(labelled, tmp_path):
    A, b = labelled
    file = tmp_path / "a.model"
    with pytest.raises(NotFittedError):
        pdbfw.SparseClassifier().save(file)
    with pytest.raises(pdbfw.InputError, match="classes: 3 breaks the rule: two"):
        pdbfw.SparseClassifier().fit(A, np.arange(len(b)) % 3).save(file)
    with pytest.raises(pdbfw.InputError, match="two numbers, which a model file can hold"):
        pdbfw.SparseClassifier().fit(A, np.where(b > 0, "yes", "no")).save(file)
    assert not file.exists()
    with pytest.raises(pdbfw.InputError, match="a.model"):
        pdbfw.load_model(file)
    model = pdbfw.SparseClassifier().fit(A, b)
    model.save(file)
    for before, after, message in (("set l1", "set simplex", "set: 'simplex'"),
                                   ("loss smooth_hinge", "loss hinge", "loss: 'hinge'")):
        other = tmp_path / "b.model"
        other.write_text(file.read_text().replace(before, after))
        with pytest.raises(pdbfw.InputError, match=message):
            pdbfw.load_model(other)
