"""A thousand models in one process: what they took is given back."""

import gc
import pathlib
import resource
import tracemalloc

import numpy as np
import pdbfw
import pytest

STATM = pathlib.Path("/proc/self/statm")
CASES = [("smooth_hinge", "l1"), ("logistic", "l1"), ("squared", "simplex"), ("huber", "nonnegative")]


def train(A, b, number):
    loss, kind = CASES[number % len(CASES)]
    result = pdbfw.solve(A, b, loss=loss, set=kind, radius=1 + number % 5, tol=1e-2)
    assert result.certificate.gap >= -1e-12
    with pytest.raises(ValueError):
        pdbfw.solve(A, b, loss=loss, set=kind, radius=-1)


def resident_bytes():
    return int(STATM.read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not STATM.exists(), reason="memory is asked of Linux")
def test_models_leave_nothing_behind():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((12, 5))
    b = np.where(A[:, 0] > 0, 1.0, -1.0)
    tracemalloc.start()
    try:
        for number in range(1_000):
            train(A, b, number)
            if number == 200:
                gc.collect()
                python, resident = tracemalloc.get_traced_memory()[0], resident_bytes()
        gc.collect()
        # Less than a hundred bytes a model: the interpreter's own caches move by a little.
        assert tracemalloc.get_traced_memory()[0] <= python + 50_000
        assert resident_bytes() <= resident + (2 << 20)
    finally:
        tracemalloc.stop()
