import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(2019)


@pytest.fixture
def labelled(rng):
    """200 samples of 40 features, a third of the entries not zero, and the sign of a sparse model."""
    A = rng.normal(size=(200, 40)) * (rng.random((200, 40)) < 0.33)
    b = np.where(A[:, :3].sum(axis=1) + 0.3 * rng.normal(size=200) > 0, 1.0, -1.0)
    return A, b
