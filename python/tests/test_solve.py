"""solve, solve_path and certify: answers, proofs, messages."""

import collections
import copy
import itertools
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pdbfw
import pytest


def objective(A, b, x, ridge, intercept=0.0, weight=None):
    """The problem with the squared loss, written out."""
    half_squares = 0.5 * (A @ x + intercept - b) ** 2
    return np.average(half_squares, weights=weight) + 0.5 * ridge * x @ x


def test_certificate_is_a_proof(labelled):
    """No point of the set is better than the dual bound, and the objective is what it says."""
    A, b = labelled
    result = pdbfw.solve(A, b, loss="squared", radius=0.5, ridge=0.1, tol=1e-9)
    assert result.status == "converged"
    assert result.certificate.primal == pytest.approx(objective(A, b, result.x, 0.1), rel=1e-12)
    assert result.certificate.dual <= result.certificate.primal
    assert np.abs(result.x).sum() <= 0.5 * (1 + 1e-12)
    rng = np.random.default_rng(0)
    for _ in range(100):
        x = rng.normal(size=A.shape[1])
        x *= 0.5 * rng.random() / np.abs(x).sum()
        assert objective(A, b, x, 0.1) >= result.certificate.dual


@pytest.mark.parametrize("loss", pdbfw.losses()["sparse"])
@pytest.mark.parametrize("intercept", [False, True])
def test_certify_agrees(labelled, loss, intercept):
    A, b = labelled
    problem = dict(loss=loss, radius=2.0, ridge=0.01, intercept=intercept,
                   sample_weight=np.random.default_rng(0).random(len(b)))
    result = pdbfw.solve(A, b, tol=1e-8, **problem)
    assert result.status == "converged"
    again = pdbfw.certify(A, b, result.x, result.y, **problem)
    assert again.relative_gap == pytest.approx(result.certificate.relative_gap, abs=1e-12)
    assert pdbfw.certify(A, b, result.x, **problem).gap >= 0
    assert (result.intercept != 0) == intercept


def test_weights_are_repetitions(labelled):
    A, b = labelled
    count = np.random.default_rng(1).integers(0, 4, size=len(b))
    problem = dict(loss="squared", radius=0.4, ridge=0.1, intercept=True, tol=1e-10)
    weighted = pdbfw.solve(A, b, sample_weight=count, **problem)
    repeated = pdbfw.solve(A.repeat(count, axis=0), b.repeat(count), **problem)
    assert weighted.certificate.primal == pytest.approx(repeated.certificate.primal, rel=1e-9)
    assert weighted.certificate.primal == pytest.approx(
        objective(A, b, weighted.x, 0.1, weighted.intercept, count), rel=1e-9)


def test_weights_of_classes_and_of_the_ridge(labelled):
    A, b = labelled
    weight = np.where(b > 0, 5.0, 1.0)
    by_class, by_sample = (pdbfw.solve(A, b, radius=5, tol=1e-9, **given)
                           for given in (dict(class_weight="1,5"), dict(sample_weight=weight)))
    assert by_class.certificate.primal == pytest.approx(by_sample.certificate.primal, rel=2e-9)
    heavy = pdbfw.solve(A, b, radius=5, ridge=1, ridge_scale=np.r_[1e6, np.ones(39)], tol=1e-8)
    assert abs(heavy.x[0]) < 1e-3 < abs(heavy.x[1])


@pytest.mark.parametrize("solver", ["auto", "sequential", "working_set", "apg"])
def test_weights_leave_the_dual_point_in_its_domain(labelled, solver):
    """0.7 w / w is above 0.7 for many weights w; Huber's conjugate is infinite there, and nothing would be proven."""
    A, b = labelled
    result = pdbfw.solve(A, b, loss="huber", huber_width=0.7, radius=0.5, sample_weight=np.linspace(1, 2, len(b)),
                         solver=solver)
    assert result.status == "converged"


def test_path_and_warm_start(labelled):
    A, b = labelled
    path = pdbfw.solve_path(A, b, [1, 4, 2], loss="logistic", tol=1e-7)
    assert [point.radius for point in path] == [1, 4, 2]
    for radius, result in path:
        alone = pdbfw.solve(A, b, loss="logistic", radius=radius, tol=1e-7)
        assert result.certificate.primal == pytest.approx(alone.certificate.primal, rel=3e-7)
    again = pdbfw.solve(A, b, loss="logistic", radius=2, tol=1e-7, start=path[2].result)
    assert again.work.data_passes <= path[2].result.work.data_passes + 4


def test_cross_validation(labelled):
    A, b = labelled
    cv = pdbfw.cross_validate(A, b, loss="logistic", intercept=True, folds=4, score="auc", tol=1e-5)
    assert cv.of_fold.shape == (4, len(cv.radii)) == (4, 20) and cv.is_complete
    assert cv.mean[cv.best] == cv.mean.max() > 0.9 and cv.largest_relative_gap <= 1e-5
    assert cv.radii[cv.one_standard_error] <= cv.radius
    with pytest.raises(pdbfw.InputError, match="accuracy"):
        pdbfw.cross_validate(A, b, score="acuracy")


def test_low_rank(rng):
    A = rng.normal(size=(80, 12))
    B = A @ rng.normal(size=(12, 2)) @ rng.normal(size=(2, 6))
    problem = dict(loss="squared", set="trace", radius=5.0, ridge=0.0)
    result = pdbfw.solve(A, B, tol=1e-7, **problem)
    assert result.status == "converged" and result.x.shape == (12, 6)
    assert np.linalg.svd(result.x, compute_uv=False).sum() <= 5 * (1 + 1e-9)
    assert result.certificate.primal == pytest.approx(0.5 * np.sum((A @ result.x - B) ** 2) / 80, rel=1e-9)
    again = pdbfw.certify(A, B, result, result.y, **problem)
    assert again.relative_gap <= 1.1e-7
    assert pdbfw.certify(A, B, result.x, result.y, **problem).relative_gap <= 1.1e-7


def test_simplex_and_polytope(labelled):
    A, b = labelled
    simplex = pdbfw.solve(A, b, set="simplex", radius=2, tol=1e-6)
    assert simplex.x.min() >= 0 and simplex.x.sum() == pytest.approx(2)
    atoms = np.vstack([np.eye(40), -np.eye(40)])
    hull = pdbfw.solve(A, b, set="polytope", radius=1, atoms=atoms, tol=1e-3, max_iterations=20_000, solver="pdfw")
    again = pdbfw.certify(A, b, hull.x, hull.y, set="polytope", radius=1, atoms=atoms)
    assert again.relative_gap == pytest.approx(hull.certificate.relative_gap)
    ball = pdbfw.solve(A, b, radius=1, tol=1e-8)
    assert hull.certificate.primal == pytest.approx(ball.certificate.primal, rel=2e-3)


def test_same_bits_for_any_number_of_threads(labelled):
    A, b = labelled
    one, three = (pdbfw.solve(A, b, radius=5, tol=1e-8, intercept=True, threads=k) for k in (1, 3))
    assert one.x.tobytes() == three.x.tobytes() and one.y.tobytes() == three.y.tobytes()


def test_result_shows_its_certificate(labelled):
    A, b = labelled
    result = pdbfw.solve(A, b, radius=5)
    for text in (repr(result), result._repr_html_()):
        assert "relative gap" in text and "converged" in text
    assert pickle.loads(pickle.dumps(result)).certificate == result.certificate
    assert copy.copy(result).status == "converged"
    assert result.trace["relative_gap"][-1] == pytest.approx(result.certificate.relative_gap)
    assert result.trace["is_certified"].dtype == bool
    assert result.work.data_passes > 0 and result.seconds > 0


@pytest.mark.parametrize("change, message", [
    (dict(loss="hinge"), "loss.*smooth_hinge"),
    (dict(radius=-1), "radius: '-1' breaks the rule: a finite number > 0"),
    (dict(radius="big"), "radius: 'big'"),
    (dict(ridge="1/m"), "ridge"),
    (dict(tol=float("nan")), "tol"),
    (dict(threads=0), "threads"),
    (dict(solver="sequentiel"), "sequential"),
    (dict(max_pases=3), "max_passes"),
    (dict(sample_weight=[1.0]), "sample_weight: 1 of them"),
    (dict(sample_weight=-np.ones(200)), "sample_weight: -1"),
    (dict(set="trace", intercept=True), "intercept: yes"),
    (dict(set="trace", class_weight="balanced"), "class_weight: balanced"),
    (dict(set="trace", sample_weight=np.ones(200)), "sample_weight: given"),
    (dict(intercept="maybe"), "intercept"),
])
def test_mistakes_are_named(labelled, change, message):
    A, b = labelled
    with pytest.raises(pdbfw.InputError, match=message):
        pdbfw.solve(A, b, **change)


def test_bad_arrays_are_named(labelled):
    A, b = labelled
    assert issubclass(pdbfw.InputError, ValueError)
    with pytest.raises(pdbfw.InputError, match="199"):
        pdbfw.solve(A, b[:-1])
    with pytest.raises(pdbfw.InputError, match="two, samples and features"):
        pdbfw.solve(A[:, 0], b)
    with pytest.raises(pdbfw.InputError, match="target|label"):
        pdbfw.solve(A, b * 3, loss="logistic")
    with pytest.raises(pdbfw.InputError, match="complex"):
        pdbfw.solve(A.astype(complex), b)
    with pytest.raises(pdbfw.InputError, match="not beside radii"):
        pdbfw.solve_path(A, b, [1, 2], radius=3)
    A = A.copy()
    A[3, 4] = np.nan
    with pytest.raises(pdbfw.InputError, match="finite"):
        pdbfw.solve(A, b)


def endless_problem():
    """Its optimum lies inside a face of the ball: there the gap of Frank-Wolfe with exact steps falls about as 1/t (Wolfe
    1970), so that a solve neither comes to this tolerance nor stalls. It has to be stopped."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(60, 30))
    return dict(A=A, b=A[:, :8].sum(axis=1), loss="squared", solver="fw", tol=1e-300, radius=4, max_iterations=10**18)


def run_alone(script):
    """In a process of its own: what should end and does not becomes a failure."""
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    done = subprocess.run([sys.executable, "-c", "from test_solve import *\n" + textwrap.dedent(script)],
                          capture_output=True, text=True, timeout=600, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr


def test_interrupt_stops_a_solve():
    """Nothing else does. The callback only tells that the solve has begun: it has no Python code that a signal could stop."""
    run_alone("""
        seen = collections.deque(maxlen=1)

        def press_ctrl_c():
            while not seen:
                time.sleep(0.001)
            os.kill(os.getpid(), signal.SIGINT)

        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        threading.Thread(target=press_ctrl_c).start()
        with pytest.raises(KeyboardInterrupt):
            pdbfw.solve(**endless_problem(), callback=seen.append)
    """)


def test_other_threads_run_meanwhile():
    """A solve does not hold the interpreter's lock: it ends as soon as another thread has run between two callbacks. The
    interpreter itself never makes threads take turns here."""
    run_alone("""
        turns = itertools.count()
        last = [None, None]

        def take_turns():
            while True:
                last[0] = next(turns)
                time.sleep(0.001)

        def go_on(now):
            has_run, last[1] = last[0] != last[1], last[0]
            return now["iteration"] == 0 or not has_run

        sys.setswitchinterval(1e6)
        threading.Thread(target=take_turns, daemon=True).start()
        assert pdbfw.solve(**endless_problem(), callback=go_on).status == "interrupted"
    """)


def test_callback_watches_stops_and_raises():
    problem = endless_problem()
    seen = []
    stopped = pdbfw.solve(**problem, callback=lambda now: seen.append(now) or now["iteration"] < 3)
    assert stopped.status == "interrupted" and stopped.certificate.gap > 0
    assert {"iteration", "relative_gap", "seconds_left"} <= set(seen[0])

    def fail(now):
        raise ZeroDivisionError("from the callback")

    with pytest.raises(ZeroDivisionError, match="from the callback"):
        pdbfw.solve(**problem, callback=fail)
