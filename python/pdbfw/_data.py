"""Arrays as the library wants them, without a copy wherever it can read what is there."""

import numpy as np
import scipy.sparse as sp

from . import _core

VALUES = (np.dtype(np.float64), np.dtype(np.float32))
INDICES = (np.dtype(np.int32), np.dtype(np.int64))


def as_matrix(A):
    """A ``_core.Matrix`` over the memory of `A`.

    CSR and CSC matrices and arrays, dense arrays in C and in Fortran order, float32 and float64, indices of 32 and of
    64 bits, writable or not, are used in place. Everything else is converted first: other sparse formats to CSR, other
    numbers to float64, arrays with gaps between their numbers to C order, and sparse lines whose indices are unsorted
    or repeated to sorted ones in a copy.
    """
    if isinstance(A, _core.Matrix):
        return A
    if not sp.issparse(A):
        A = np.asarray(A)
    if A.dtype.kind == "c":
        raise _core.InputError("A: complex numbers breaks the rule: real ones")
    if sp.issparse(A):
        return _sparse_matrix(A)
    if A.ndim != 2:
        raise _core.InputError(f"A: an array of {A.ndim} dimensions breaks the rule: two, samples and features")
    if A.dtype not in VALUES:
        A = A.astype(np.float64)
    if A.flags.c_contiguous:
        return _core.Matrix.dense_rows(A)
    if A.flags.f_contiguous:
        return _core.Matrix.dense_columns(A)
    return _core.Matrix.dense_rows(np.ascontiguousarray(A))


def _sparse_matrix(A):
    if A.format not in ("csr", "csc"):
        A = A.tocsr()
    if A.dtype not in VALUES:
        A = A.astype(np.float64)
    if not A.has_canonical_format:
        A = A.copy()
        A.sum_duplicates()
    offsets, indices = (part if part.dtype in INDICES else part.astype(np.int64) for part in (A.indptr, A.indices))
    make = _core.Matrix.csr if A.format == "csr" else _core.Matrix.csc
    rows, columns = A.shape
    # SciPy lets the arrays be longer than the last offset says.
    entries = int(offsets[-1])
    return make(rows, columns, offsets, indices[:entries], A.data[:entries])


def as_numbers(values):
    """A contiguous float64 vector, `values` itself where it is one."""
    return np.ascontiguousarray(values, dtype=np.float64).reshape(-1)


def as_table(values):
    """A contiguous float64 matrix; a vector becomes one column."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    return values.reshape(-1, 1) if values.ndim == 1 else values


def as_features(values):
    """A contiguous vector of 64-bit integers: features, counted from 0."""
    values = np.asarray(values)
    if values.size and values.dtype.kind not in "iu":
        raise _core.InputError(f"free_features: {values.reshape(-1).tolist()[0]!r} breaks the rule: integers, features "
                               "counted from 0")
    return np.ascontiguousarray(values, dtype=np.int64).reshape(-1)


def problem_arrays(*, free_features=None, atoms=None, **numbers):
    """What defines a problem besides options, as the core takes it; without those that are not given."""
    arrays = {name: as_numbers(values) for name, values in numbers.items() if values is not None}
    if free_features is not None:
        arrays["free_features"] = as_features(free_features)
    if atoms is not None:
        arrays["atoms"] = as_matrix(atoms)
    return arrays


def plain(options):
    """Options as the library reads them: NumPy's scalars as Python's, truth as yes and no."""
    return {name: _plain(value) for name, value in options.items()}


def _plain(value):
    if isinstance(value, np.generic):
        value = value.item()
    return ("no", "yes")[value] if isinstance(value, bool) else value
