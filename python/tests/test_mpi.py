"""Rows that are spread over a team: of threads always, of processes under mpirun where there are mpi4py and MPI."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
import scipy.sparse as sp

import pdbfw
import pdbfw.mpi

# Uneven shares of 200 rows.
BOUNDS = [0, 120, 121, 200]

# After which a member that waits for one that has gone gives up.
SECONDS = 600


class Meeting:
    def __init__(self, size):
        self.size = size
        self.barrier = threading.Barrier(size)
        self.left = [None] * size


class Member:
    """One of a team of threads. `calls`: how often it may be asked before it is lost."""

    def __init__(self, meeting, rank, calls=None):
        self.meeting, self.rank, self.size, self.calls = meeting, rank, meeting.size, calls

    def _exchange(self, own):
        if self.calls is not None:
            self.calls -= 1
            if self.calls < 0:
                raise ConnectionError("nobody answers")
        self.meeting.left[self.rank] = own
        self.meeting.barrier.wait(timeout=SECONDS)
        everyone = list(self.meeting.left)
        self.meeting.barrier.wait(timeout=SECONDS)
        return everyone

    def sum(self, array):
        everyone = self._exchange(array.copy())
        array[...] = 0
        for part in everyone:
            array += part

    def gather(self, own):
        return self._exchange(own)


def over_threads(work, size=3, calls=None):
    """``work(member)`` at every member, by rank; exceptions are given back like results."""
    meeting = Meeting(size)
    results = [None] * size

    def run(rank):
        try:
            results[rank] = work(Member(meeting, rank, calls))
        except BaseException as error:
            results[rank] = error

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def rows(member):
    return slice(BOUNDS[member.rank], BOUNDS[member.rank + 1])


def fitted(A, b, **options):
    def work(member):
        return pdbfw.mpi.fit(A[rows(member)], b[rows(member)], member, **options)

    results = over_threads(work)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


@pytest.fixture
def tasks(labelled, rng):
    """Four targets that share two directions."""
    A, _ = labelled
    return A, A @ rng.normal(size=(40, 2)) @ rng.normal(size=(2, 4)) + 0.1 * rng.normal(size=(200, 4))


def expect_same_everywhere(results):
    for other in results[1:]:
        assert other.status == results[0].status
        assert other.certificate == results[0].certificate
        np.testing.assert_array_equal(other.x, results[0].x)


@pytest.mark.parametrize("solver", ["auto", "apg", "factored", "pdbfw"])
def test_low_rank_is_that_of_all_rows(tasks, solver):
    A, B = tasks
    problem = dict(set="trace", radius=5, ridge="10/n")
    results = fitted(A, B, tol=1e-6, solver=solver, **problem)
    assert results[0].status == "converged"
    expect_same_everywhere(results)
    y = np.vstack([result.y for result in results])
    judged = pdbfw.certify(A, B, results[0], y, **problem)
    assert judged.relative_gap <= 1.01e-6
    assert judged.primal == pytest.approx(results[0].certificate.primal, rel=1e-10)


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_sparse_is_that_of_all_rows(labelled, loss):
    A, b = labelled
    problem = dict(loss=loss, radius=3, ridge="10/n")
    results = fitted(sp.csr_matrix(A), b, tol=1e-6, **problem)
    assert results[0].status == "converged"
    expect_same_everywhere(results)
    y = np.concatenate([result.y for result in results])
    judged = pdbfw.certify(A, b, results[0].x, y, **problem)
    assert judged.relative_gap <= 1.01e-6
    assert judged.primal == pytest.approx(results[0].certificate.primal, rel=1e-10)


def test_classes_are_those_of_all_rows(labelled):
    A, _ = labelled
    # The second and the third member never see the last classes, the second sees one sample.
    place = np.r_[np.arange(121) % 5, np.arange(79) % 2].astype(float)
    problem = dict(loss="softmax", set="trace", radius=10)
    results = fitted(A, place, **problem)
    expect_same_everywhere(results)
    assert results[0].V.shape[0] == 5
    y = np.vstack([result.y for result in results])
    assert pdbfw.certify(A, place, results[0], y, **problem).relative_gap <= 1.01e-4


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, np.asarray])
def test_features_that_a_member_has_not_met_are_zeros(tasks, form):
    A, B = tasks
    A = A.copy()
    A[121:, 30:] = 0
    kept = A.copy()

    def work(member):
        own = A[rows(member)]
        return pdbfw.mpi.fit(form(own[:, :30] if member.rank == 2 else own), B[rows(member)], member, set="trace",
                             radius=5)

    results = over_threads(work)
    expect_same_everywhere(results)
    alone = pdbfw.solve(A, B, set="trace", radius=5)
    assert results[0].certificate.primal == pytest.approx(alone.certificate.primal, rel=2e-4)
    np.testing.assert_array_equal(A, kept)

    wide = over_threads(lambda member: pdbfw.mpi.fit(form(A[rows(member)]), B[rows(member)], member, n_features=50,
                                                     set="trace", radius=5))
    assert wide[0].U.shape[0] == 50


def test_a_sparse_matrix_is_left_as_it_was(tasks):
    A, B = tasks
    own = sp.csr_matrix(A)
    pdbfw.mpi.fit(own, B, Member(Meeting(1), 0), n_features=60, set="trace", radius=5)
    assert own.shape == (200, 40)


def test_an_error_at_one_is_an_error_at_all(tasks):
    A, B = tasks

    def messages(work):
        results = over_threads(work)
        assert all(isinstance(result, pdbfw.InputError) for result in results), results
        return [str(result) for result in results]

    def fit(member, **options):
        return pdbfw.mpi.fit(A[rows(member)], B[rows(member)], member, **{"set": "trace", **options})

    rule = "A: an array of 1 dimensions breaks the rule: two, samples and features"
    assert messages(lambda m: pdbfw.mpi.fit(A[0] if m.rank == 1 else A, B, m)) == [
        f"process 1: {rule}", rule, f"process 1: {rule}"]
    rule = "A_local: no rows breaks the rule: at least one at every process"
    assert messages(lambda m: pdbfw.mpi.fit(A[:m.rank], B[:m.rank], m)) == [rule] + 2 * [f"process 0: {rule}"]
    same = "breaks the rule: as everywhere; process 0 has"
    assert messages(lambda m: fit(m, radius=5 + (m.rank == 2))) == [f"radius: 6 at process 2 {same} 5"] * 3
    assert messages(lambda m: fit(m, tol=1e-3 if m.rank == 1 else None)) == [
        f"tol: 0.001 at process 1 {same} None"] * 3
    assert "penalty_weight: checksum" in messages(lambda m: fit(m, penalty_weight=np.ones(40) + m.rank))[0]
    assert messages(lambda m: fit(m, n_features=3)) == [
        "n_features: 3 breaks the rule: at least the 40 columns of A_local"] * 3
    assert messages(lambda m: fit(m, sample_weight=np.ones(3)))[0] == (
        "sample_weight: given breaks the rule: not with the set trace")
    assert messages(lambda m: fit(m, loss="sqared"))[0].startswith("loss: 'sqared' breaks the rule")
    assert messages(lambda m: fit(m, solver="svrg"))[1].startswith("process 0: solver: svrg breaks the rule: one for several processes")
    bad = messages(lambda m: pdbfw.mpi.fit(A[rows(m)], np.where(m.rank == 2, np.nan, B[rows(m)]), m, set="trace"))
    assert bad[0] == "process 2: B[0, 0]: nan breaks the rule: a finite number for the loss squared"


def test_one_that_says_stop_stops_all(tasks):
    A, B = tasks

    def work(member):
        def stop(now):
            return not (member.rank == 1 and now["iteration"] >= 2)

        return pdbfw.mpi.fit(A[rows(member)], B[rows(member)], member, set="trace", radius=5, tol=1e-13, solver="apg",
                             callback=stop)

    results = over_threads(work)
    assert [result.status for result in results] == ["interrupted"] * 3
    expect_same_everywhere(results)


def test_a_lost_team_is_a_status(tasks):
    A, B = tasks
    for calls in (25, 50):
        results = over_threads(lambda member: pdbfw.mpi.fit(A[rows(member)], B[rows(member)], member, set="trace",
                                                            radius=5, tol=1e-13, solver="apg"), calls=calls)
        assert [result.status for result in results] == ["team_lost"] * 3, results
        assert results[0].message.startswith("nobody answers")
        expect_same_everywhere(results)


def test_what_is_no_exception_is_raised_again(tasks):
    A, B = tasks

    class Tired(Member):
        def sum(self, array):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pdbfw.mpi.fit(A, B, Tired(Meeting(1), 0), set="trace")


def test_only_the_first_shows_how_far_it_is(tasks, capfd):
    A, B = tasks
    fitted(A, B, set="trace", radius=5, verbose=1)
    assert capfd.readouterr().err.count("converged") == 1


def test_without_mpi4py_it_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(ImportError, match="pip install mpi4py"):
        pdbfw.mpi.fit(np.eye(2), [1, -1])


@pytest.mark.skipif(importlib.util.find_spec("mpi4py") is None or shutil.which("mpirun") is None,
                    reason="needs mpi4py and mpirun")
def test_processes_of_mpi(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(textwrap.dedent("""
        import pathlib, sys
        import numpy as np
        from mpi4py import MPI
        import pdbfw, pdbfw.mpi
        rng = np.random.default_rng(0)
        A = rng.normal(size=(90, 12))
        B = A @ rng.normal(size=(12, 2)) @ rng.normal(size=(2, 5)) + 0.1 * rng.normal(size=(90, 5))
        b = np.where(A[:, 0] + A[:, 1] > 0, 1.0, -1.0)
        rank = MPI.COMM_WORLD.rank
        own = slice([0, 50, 53][rank], [50, 53, 90][rank])
        matrix = pdbfw.mpi.fit(A[own], B[own], set="trace", radius=4, tol=1e-6)
        vector = pdbfw.mpi.fit(A[own], b[own], loss="logistic", radius=3, tol=1e-6)
        np.savez(pathlib.Path(sys.argv[1]) / f"{rank}.npz", A=A, B=B, b=b, x=matrix.x, Y=matrix.y, w=vector.x, y=vector.y)
    """))
    sessions = tmp_path / "mpi"  # Open MPI's own place is shared by all jobs of a user, who disturb each other
    sessions.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMPI_MCA_orte_tmpdir_base": str(sessions)}
    # The first two flags are Open MPI's own, which else refuses root and more processes than cores.
    told = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    flags = ["--allow-run-as-root", "--oversubscribe"] if "Open MPI" in told else []
    done = subprocess.run(["mpirun", *flags, "-n", "3", sys.executable, "-m", "mpi4py", str(script), str(tmp_path)],
                          env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    found = [np.load(pathlib.Path(tmp_path) / f"{rank}.npz") for rank in range(3)]
    for other in found[1:]:
        np.testing.assert_array_equal(other["x"], found[0]["x"])
        np.testing.assert_array_equal(other["w"], found[0]["w"])
    whole = found[0]
    Y, y = (np.concatenate([part[name] for part in found]) for name in ("Y", "y"))
    assert pdbfw.certify(whole["A"], whole["B"], whole["x"], Y, set="trace", radius=4).relative_gap <= 1.01e-6
    assert pdbfw.certify(whole["A"], whole["b"], whole["w"], y, loss="logistic", radius=3).relative_gap <= 1.01e-6
