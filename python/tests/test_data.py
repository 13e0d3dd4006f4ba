"""Arrays are used where they are, whatever their layout, and all layouts are the same data."""

import subprocess
import sys

import numpy as np
import pdbfw
import pytest
import scipy.sparse as sp
from pdbfw._data import as_matrix

FLOATS = [np.float64, np.float32]
SPARSE = [sp.csr_matrix, sp.csc_matrix, sp.csr_array, sp.csc_array]


def with_indices(A, kind):
    A.indptr, A.indices = A.indptr.astype(kind), A.indices.astype(kind)
    return A


def layouts(A):
    for dtype in FLOATS:
        yield f"C {dtype.__name__}", np.ascontiguousarray(A, dtype=dtype)
        yield f"Fortran {dtype.__name__}", np.asfortranarray(A, dtype=dtype)
        for make in SPARSE:
            for kind in (np.int32, np.int64):
                yield f"{make.__name__} {dtype.__name__} {kind.__name__}", with_indices(make(A.astype(dtype)), kind)


@pytest.mark.parametrize("place", range(20))
def test_nothing_is_copied(place, rng):
    """A change of the caller's array is a change of the matrix (as long as the other orientation is not built)."""
    A = rng.integers(1, 5, size=(5, 4)).astype(float)
    name, held = list(layouts(A.copy()))[place]
    matrix = as_matrix(held)
    values = held.data if sp.issparse(held) else held.reshape(-1, order="A")
    values[0] += 10
    np.testing.assert_array_equal(matrix.times(np.eye(4)[0]), A[:, 0] + 10 * np.eye(5)[0], err_msg=name)


def test_layouts_are_one_problem(labelled):
    A, b = labelled
    A = A.astype(np.float32).astype(np.float64)  # the same numbers in both types
    wanted = pdbfw.solve(A, b, radius=5, tol=1e-10)
    for name, held in layouts(A):
        found = pdbfw.solve(held, b, radius=5, tol=1e-10)
        assert found.status == "converged", name
        np.testing.assert_allclose(found.x, wanted.x, atol=1e-5, err_msg=name)
        assert found.certificate.primal == pytest.approx(wanted.certificate.primal, rel=2e-10), name


def test_float32_is_near_float64(labelled):
    A, b = labelled
    single = pdbfw.solve(A.astype(np.float32), b, radius=5, tol=1e-8)
    double = pdbfw.solve(A, b, radius=5, tol=1e-8)
    assert single.certificate.primal == pytest.approx(double.certificate.primal, rel=1e-5)


def test_read_only_memory_maps(tmp_path, labelled):
    A, b = labelled
    np.save(tmp_path / "A.npy", A)
    mapped = np.load(tmp_path / "A.npy", mmap_mode="r")
    held = sp.csr_matrix(A)
    for part in (held.data, held.indices, held.indptr):
        part.flags.writeable = False
    wanted = pdbfw.solve(A, b, radius=5).x
    np.testing.assert_array_equal(pdbfw.solve(mapped, b, radius=5).x, wanted)
    np.testing.assert_allclose(pdbfw.solve(held, b, radius=5, tol=1e-9).x, pdbfw.solve(A, b, radius=5, tol=1e-9).x,
                               atol=1e-4)


def test_converted_layouts(rng):
    """What cannot be read in place is converted, and the caller's object stays as it was."""
    A = rng.integers(-3, 4, size=(6, 5))
    x = rng.normal(size=5)
    wanted = A @ x
    unsorted = sp.csr_matrix((np.array([1.0, 2.0, 3.0]), np.array([2, 0, 0]), np.array([0, 3])), shape=(1, 3))
    for held in (A, A[:, ::-1][:, ::-1].astype(float), np.repeat(A, 2, axis=0)[::2].astype(float), sp.coo_matrix(A)):
        np.testing.assert_allclose(as_matrix(held).times(x), wanted)
    np.testing.assert_allclose(as_matrix(unsorted).times(np.array([1.0, 10.0, 100.0])), [105.0])
    assert unsorted.indices.tolist() == [2, 0, 0]


def test_zero_rows_and_columns(labelled):
    A, b = labelled
    A = A.copy()
    A[:20] = 0
    A[:, 30:] = 0
    dense, sparse = pdbfw.solve(A, b, radius=5, tol=1e-8), pdbfw.solve(sp.csr_matrix(A), b, radius=5, tol=1e-8)
    assert dense.status == sparse.status == "converged"
    assert not dense.x[30:].any() and not sparse.x[30:].any()
    with pytest.raises(pdbfw.InputError, match="no rows"):
        pdbfw.solve(np.zeros((0, 3)), np.zeros(0))


PEAK = """
import resource, sys
import numpy as np, scipy.sparse as sp
import pdbfw
rng = np.random.default_rng(0)
A = rng.normal(size=(2_000, 5_000)).astype(np.float32)
b = np.where(A[:, 0] > 0, 1.0, -1.0)
pdbfw.solve(A[:20, :20].copy(), b[:20])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = peak()
matrix = pdbfw._data.as_matrix(A)
matrix.times(np.ones(5_000))
held = peak() - before
pdbfw.SparseClassifier(radius=1, tol=1e-2, max_iter=5).fit(A, b)
print(held, peak() - before, A.nbytes / 2**20)
"""


def test_peak_memory():
    """A product needs no copy; a fit at most one more, the other orientation of the data."""
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", PEAK], capture_output=True, text=True, check=True)
    held, fitted, size = map(float, run.stdout.split())
    assert held < 0.25 * size, run.stdout
    assert fitted < 1.5 * size, run.stdout
