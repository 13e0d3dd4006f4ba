"""What people see: progress, certificates in text and in HTML, plots."""

import io
import pty
import os
import subprocess
import sys
import types

import numpy as np
import pdbfw
import pytest
import sklearn
from pdbfw import _progress
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def small_fits(A, b):
    """Every estimator with a certificate, fitted."""
    pairs = np.argwhere(np.ones((8, 6), dtype=bool))
    values = np.outer(np.arange(8.0), np.arange(6.0))[pairs[:, 0], pairs[:, 1]]
    return {
        "two classes": pdbfw.SparseClassifier(radius=5).fit(A, b),
        "three classes": pdbfw.SparseClassifier(radius=5).fit(A, np.arange(len(b)) % 3),
        "numbers": pdbfw.SparseRegressor(radius=5).fit(A, b),
        "chosen": pdbfw.SparseClassifierCV(radii=[1, 5], cv=2).fit(A, b),
        "chosen of numbers": pdbfw.SparseRegressorCV(radii=[0.1, 0.5], cv=2).fit(A, b),
        "classes of low rank": pdbfw.LowRankClassifier(radius=5).fit(A, b),
        "numbers of low rank": pdbfw.LowRankRegressor(radius=1).fit(A, np.c_[b, -b]),
        "completion": pdbfw.MatrixCompletion(radius=100, holdout=0).fit(pairs, values),
        "phase": pdbfw.PhaseRetrieval().fit(A[:, :4], (A[:, :4] @ [1, 2, 3, 4]) ** 2),
    }


def test_every_fit_leaves_the_same_behind(labelled):
    for name, model in small_fits(*labelled).items():
        assert model.n_iter_ >= 0 and model.status_ == "converged", name
        assert 0 <= model.dual_gap_ <= model.tol, name
        certificates = model.certificate_ if isinstance(model.certificate_, tuple) else (model.certificate_,)
        assert max(certificate.relative_gap for certificate in certificates) == model.dual_gap_, name
        histories = model.history_ if isinstance(model.history_, tuple) else (model.history_,)
        assert all(history["relative_gap"][-1] <= model.tol for history in histories), name
        if not isinstance(model, (pdbfw.MatrixCompletion, pdbfw.PhaseRetrieval)):
            assert np.shape(model.coef_)[-1] == 40 and np.all(np.isfinite(model.intercept_)), name


def test_html_has_the_certificate_beside_the_diagram(labelled):
    for name, model in small_fits(*labelled).items():
        before = type(model)()._repr_html_()
        assert "sk-container" in before and "certificate" not in before and "dual" not in repr(type(model)()), name
        certificate = (max(model.certificate_, key=lambda one: one.relative_gap)
                       if isinstance(model.certificate_, tuple) else model.certificate_)
        for text in (model._repr_html_(), model._repr_mimebundle_()["text/html"], repr(model)):
            for number in (f"primal {certificate.primal:.10g}", f"dual {certificate.dual:.10g}",
                           f"relative gap {certificate.relative_gap:.3g}", model.status_):
                assert number in text, (name, number)
        assert "sk-container" in model._repr_html_() and repr(model).startswith(type(model).__name__)
    html = pdbfw.Certificate(1.5, 1.25, 0.25, 0.125, 0.0)._repr_html_()
    assert "1.5" in html and "relative_gap" in html


def test_a_gap_within_rounding_is_told_as_such():
    assert "relative gap 0, within rounding" in str(pdbfw.Certificate(1.5, 1.5, 0.0, 0.0, 0.0))
    assert "rounding" not in str(pdbfw.Certificate(1.5, 1.25, 0.25, 0.125, 0.0))


def test_pipelines_show_as_ever(labelled):
    A, b = labelled
    steps = make_pipeline(StandardScaler(), pdbfw.SparseClassifierCV(radii=[1, 5], cv=2)).fit(A, b)
    assert "sk-container" in steps._repr_html_() and "SparseClassifierCV" in repr(steps)
    with sklearn.config_context(display="text"):
        assert not hasattr(steps[-1], "_repr_html_") and set(steps[-1]._repr_mimebundle_()) == {"text/plain"}
    assert "radius" in repr(steps[-1]).splitlines()[-1] and "accuracy" in repr(steps[-1])


def test_verbose_says_one_line_into_a_file(labelled, capfd):
    A, b = labelled
    for verbose in (0, 1):
        pdbfw.solve(A, b, radius=5, verbose=verbose)
        told = capfd.readouterr()
        assert told.out == "" and told.err.count("\n") == verbose
    assert "converged" in told.err and "relative gap" in told.err and "\r" not in told.err


def test_verbose_is_heard_by_all(labelled, capfd):
    A, b = labelled
    pairs = np.argwhere(np.ones((8, 6), dtype=bool))
    calls = [
        (1, lambda: pdbfw.SparseRegressor(radius=1, verbose=1).fit(A, b)),
        (3, lambda: pdbfw.SparseClassifier(verbose=1).fit(A, np.arange(len(b)) % 3)),
        (1, lambda: pdbfw.LowRankClassifier(verbose=1).fit(A, b)),
        (1, lambda: pdbfw.MatrixCompletion(verbose=1).fit(pairs, pairs[:, 0] * pairs[:, 1])),
        (1, lambda: pdbfw.PhaseRetrieval(verbose=1).fit(A[:, :4], (A[:, :4] @ [1, 2, 3, 4]) ** 2)),
        (3, lambda: pdbfw.SparseClassifierCV(radii=[1, 5], cv=2, verbose=1).fit(A, b)),
        (1, lambda: pdbfw.solve_path(A, b, [1, 5], verbose=1)),
        (1, lambda: pdbfw.solve_penalised(A, b, 0.01, verbose=1)),
        (1, lambda: pdbfw.cross_validate(A, b, radii=[1, 5], folds=2, verbose=1)),
    ]
    for lines, call in calls:
        call()
        told = capfd.readouterr().err
        assert told.count("\n") == lines and "relative gap" in told, told
    pdbfw.solve(A, b, radius=5, verbose=2)
    told = capfd.readouterr().err.splitlines()
    assert len(told) >= 2 and told[0].startswith("iteration 0") and "(estimated)" in told[0]


def test_verbose_and_a_callback_are_both_served(labelled, capfd):
    seen = []
    result = pdbfw.solve(*labelled, radius=5, tol=1e-12, verbose=1, callback=lambda now: bool(seen.append(now)))
    assert len(seen) == 1 and result.status == "interrupted"
    assert capfd.readouterr().err.startswith("interrupted")
    with pytest.raises(pdbfw.InputError, match="tol"):
        pdbfw.solve(*labelled, tol="small", verbose=1)


def now(iteration, seconds, gap, certified=True):
    return dict(iteration=iteration, seconds=seconds, relative_gap=gap, is_certified=certified, nonzeros=3,
                seconds_left=65.0)


class Shown:
    def __init__(self):
        self.lines, self.last = [], "?"

    def show(self, text):
        self.lines.append(text)

    def close(self, text):
        self.last = text


@pytest.fixture
def every_call_is_shown(monkeypatch):
    monkeypatch.setattr(_progress, "SECONDS_BETWEEN", 0.0)


def test_the_bar_is_the_way_to_the_tolerance(every_call_is_shown):
    """From 1 to 1e-4 on a logarithmic scale: 1e-2 is half of it."""
    place = Shown()
    progress = _progress.Progress(1e-4, place=place, label="fit: ")
    for k, (gap, certified) in enumerate([(1.0, True), (1e-2, False), (1e-4, True)]):
        progress(now(k, float(k), gap, certified))
    assert [line.count("#") for line in place.lines] == [0, 10, 20]
    assert "gap 1.0e-02  certified 1.0e+00  tol 1.0e-04  iteration 1  left 1:05" in place.lines[1]
    assert "certified 1.0e-04" in place.lines[2] and place.lines[0].startswith("fit: [")
    progress.close("converged")
    assert place.last == "fit: converged"


def test_the_bar_of_several_solves(every_call_is_shown):
    place = Shown()
    progress = _progress.Progress(1e-2, place=place, solves=4)
    for seconds, gap in [(0.0, 1.0), (1.0, 1e-2), (0.0, 1.0), (1.0, 1e-1)]:
        progress(now(1, seconds, gap))
    assert "solve 2 of 4" in place.lines[-1] and [line.count("#") for line in place.lines] == [0, 5, 5, 8]


def test_clocks():
    wanted = {0: "0:00", 6.2: "0:07", 720: "12:00", 10_800: "3:00:00", float("nan"): "?", float("inf"): "?", -1: "?"}
    assert {seconds: _progress.clock_text(seconds) for seconds in wanted} == wanted


def test_notebooks_have_one_display(monkeypatch, labelled, every_call_is_shown):
    shown = []

    class Handle:
        def update(self, bundle, raw):
            shown.append(("update", bundle["text/plain"]))

    def display(bundle, raw, display_id):
        shown.append(("display", bundle["text/plain"]))
        return Handle()

    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=display))
    pdbfw.SparseClassifier(radius=5, tol=1e-8, verbose=1).fit(*labelled)
    assert [kind for kind, _ in shown] == ["display"] + ["update"] * (len(shown) - 1)
    assert "tol 1.0e-08" in shown[0][1] and shown[-1][1].startswith("converged")


IN_A_TERMINAL = """
import numpy as np, pdbfw
A = np.random.default_rng(0).normal(size=(200, 40))
pdbfw.solve(A, np.sign(A[:, 0]), radius=5, tol=1e-8, verbose=1)
"""


def test_terminals_have_one_line():
    try:
        ours, theirs = pty.openpty()
    except OSError as error:  # /dev/pts is not mounted in every container
        pytest.skip(f"no terminal can be had: {error}")
    with os.fdopen(theirs, "wb") as end:
        subprocess.run([sys.executable, "-c", IN_A_TERMINAL], stderr=end, check=True)
    told = os.read(ours, 100_000).decode()
    os.close(ours)
    assert told.count("\n") == 1 and told.startswith("\r[") and told.count("\r") >= 3
    assert "certified" in told and "tol 1.0e-08" in told and "converged" in told.split("\r")[-2]


def test_a_terminal_that_is_left_gets_its_line_back():
    out = io.StringIO()
    place = _progress._Terminal(out)
    place.show("x" * 1000)
    assert len(out.getvalue()) < 1000
    place.close(None)
    assert out.getvalue().endswith("\n")


@pytest.fixture
def pyplot():
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_plot_of_convergence(pyplot, labelled):
    A, b = labelled
    fits = {name: pdbfw.solve(A, b, radius=5, solver=name, tol=1e-6, max_iterations=300)
            for name in ("auto", "pg", "fw")}
    for x, unit in (("seconds", "[s]"), ("data_passes", "products with A"), ("iteration", "iterations")):
        ax = pdbfw.plot_convergence(fits, x=x)
        assert ax.get_yscale() == "log" and unit in ax.get_xlabel() and ax.get_ylabel() == "relative duality gap"
        assert [text.get_text() for text in ax.get_legend().get_texts()] == list(fits)
        np.testing.assert_array_equal(ax.lines[0].get_xdata(), fits["auto"].trace[x])
        assert min(ax.lines[0].get_ydata()) > 0
    one = pdbfw.plot_convergence(fits["fw"])
    assert one.get_legend() is None
    fig, mine = pyplot.subplots()
    model = pdbfw.SparseClassifier(radius=5).fit(A, np.array(["a", "b", "c"])[np.arange(len(b)) % 3])
    assert pdbfw.plot_convergence(model, ax=mine) is mine
    labels = [text.get_text() for text in mine.get_legend().get_texts()]
    assert labels == ["class a", "class b", "class c", "tol 0.0001"]
    for wrong, message in ((dict(what=fits, x="hours"), "x: 'hours'"), (dict(what=3), "what: int"),
                           (dict(what=pdbfw.SparseClassifier()), "a fitted estimator")):
        with pytest.raises(pdbfw.InputError, match=message):
            pdbfw.plot_convergence(**wrong)


def test_plot_of_a_path(pyplot, labelled):
    A, b = labelled
    path = pdbfw.solve_path(A, b, [4, 1, 2, 0.5])
    ax = pdbfw.plot_path(path, top=2, names=[f"word {j}" for j in range(40)])
    assert ax.get_xscale() == "log" and "radius" in ax.get_xlabel()
    strongest = max(range(40), key=lambda j: max(abs(point.result.x[j]) for point in path))
    assert [text.get_text() for text in ax.get_legend().get_texts()][0] == f"word {strongest}"
    assert len(ax.get_legend().get_texts()) == 3 and "others" in ax.get_legend().get_texts()[2].get_text()
    count = pdbfw.plot_path(path, y="nonzeros").lines[0]
    np.testing.assert_array_equal(count.get_xdata(), [0.5, 1, 2, 4])
    assert count.get_ydata()[-1] == np.count_nonzero(path[0].result.x)
    objective = pdbfw.plot_path(path, y="objective").lines[0]
    assert objective.get_ydata()[-1] == path[0].result.certificate.primal
    with pytest.raises(pdbfw.InputError, match="y: 'norm'"):
        pdbfw.plot_path(path, y="norm")
    with pytest.raises(pdbfw.InputError, match="path: 0 points"):
        pdbfw.plot_path([])


def test_plot_of_a_path_of_penalties(pyplot, labelled):
    A, b = labelled
    path = pdbfw.solve_penalties(A, b, pdbfw.path_alphas(A, b, points=4, smallest=0.1))
    ax = pdbfw.plot_path(path)
    assert "penalty" in ax.get_xlabel() and ax.xaxis_inverted()
    objective = pdbfw.plot_path(path, y="objective").lines[0]
    np.testing.assert_array_equal(objective.get_xdata(), sorted(point.alpha for point in path))
    assert objective.get_ydata()[-1] == path[0].certificate.primal


def test_plot_of_a_cross_validation(pyplot, labelled):
    A, b = labelled
    cv = pdbfw.cross_validate(A, b, radii=[0.5, 1, 2, 4], folds=3)
    ax = pdbfw.plot_cv(cv)
    labels = " ".join(text.get_text() for text in ax.get_legend().get_texts())
    assert ax.get_xscale() == "log" and "accuracy" in ax.get_ylabel()
    assert f"best: {cv.radius:.4g}" in labels and f"{cv.radii[cv.one_standard_error]:.4g}" in labels
    model = pdbfw.SparseRegressorCV(radii=[0.1, 0.2], cv=2).fit(A, b)
    assert "unit of y" in pdbfw.plot_cv(model).get_ylabel()
    with pytest.raises(pdbfw.InputError, match="cv: SparseClassifier breaks the rule"):
        pdbfw.plot_cv(pdbfw.SparseClassifier().fit(A, b))


def test_plots_say_what_they_miss(monkeypatch, labelled):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = pdbfw.solve(*labelled, radius=5)
    with pytest.raises(ImportError, match="plots need matplotlib, which is not installed: pip install matplotlib"):
        pdbfw.plot_convergence(result)
