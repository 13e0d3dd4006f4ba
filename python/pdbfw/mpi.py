"""One problem whose rows are spread over the processes of an MPI job.

::

    mpirun -n 4 python -m mpi4py train.py

    # train.py: every process reads its own share of the rows
    import pdbfw.mpi
    result = pdbfw.mpi.fit(A_local, b_local, loss="logistic", radius=10)

mpi4py is asked for when `fit` is called, and not before.
"""

import json
import zlib

import numpy as np
import scipy.sparse as sp

from . import _core
from ._data import as_numbers, as_table
from ._progress import watched
from ._result import LowRankResult, Result
from ._solve import CLASS_LOSSES, TRACE, Callback, stated

__all__ = ["fit"]

# Arrays with an entry per feature, of which every process has all.
OF_FEATURES = ("penalty_weight", "ridge_scale", "free_features")
# They belong to the rows of a process, or change nothing that others see.
OWN = ("sample_weight", "start", "atoms", "threads")


class _MpiTeam:
    """What the core asks of a team, by a communicator of mpi4py."""

    def __init__(self, comm):
        self._comm = comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()

    def sum(self, array):
        # All must get the same bits, which MPI promises of a broadcast but not of Allreduce.
        total = np.empty_like(array) if self.rank == 0 else None
        self._comm.Reduce(array, total, root=0)
        if self.rank == 0:
            array[...] = total
        self._comm.Bcast(array, root=0)

    def gather(self, own):
        return self._comm.allgather(own)


def _team_of(comm):
    if comm is None:
        try:
            from mpi4py import MPI
        except ImportError as error:
            raise ImportError("pdbfw.mpi.fit needs mpi4py (pip install mpi4py), or a team of your own for comm") from error
        comm = MPI.COMM_WORLD
    return _MpiTeam(comm) if hasattr(comm, "Allreduce") else comm


def _at_all(team, work):
    """What ``work()`` gives back at every process, by rank. An error at one is an error at all: none waits for ever."""
    given, error = None, None
    try:
        given = work()
    except Exception as raised:
        error = raised
    everyone = [json.loads(text) for text in team.gather(json.dumps([error and str(error), given]).encode())]
    if error is not None:
        raise error
    for rank, (message, _) in enumerate(everyone):
        if message is not None:
            raise _core.InputError(f"process {rank}: {message}")
    return [value for _, value in everyone]


def _require_same(everyone):
    first = everyone[0]
    for rank, other in enumerate(everyone):
        for name in sorted(first.keys() | other.keys()):
            if first.get(name) != other.get(name):
                raise _core.InputError(f"{name}: {other.get(name)} at process {rank} breaks the rule: as everywhere; "
                                       f"process 0 has {first.get(name)}")


def _common(options):
    """What must be the same at all processes, as text."""
    texts = {name: str(value) for name, value in options.items() if name not in OF_FEATURES + OWN}
    for name in OF_FEATURES:
        if options.get(name) is not None:
            texts[name] = f"checksum {zlib.crc32(as_numbers(options[name]).tobytes()):08x}"
    return texts


def _widened(A, columns):
    """A with columns of zeros at its end: a process may not have met the last features."""
    if A.ndim != 2 or A.shape[1] == columns:
        return A
    if A.shape[1] > columns:
        raise _core.InputError(f"n_features: {columns} breaks the rule: at least the {A.shape[1]} columns of A_local")
    if not sp.issparse(A):
        return np.hstack([A, np.zeros((A.shape[0], columns - A.shape[1]), dtype=A.dtype)])
    A = A.copy() if A.format in ("csr", "csc") else A.tocsr()
    A.resize(A.shape[0], columns)
    return A


def fit(A_local, b_local, comm=None, *, n_features: int | None = None, loss: str | None = None, set: str = "l1",
        tol: float | None = None, callback: Callback | None = None, verbose: int = 0,
        **options) -> Result | LowRankResult:
    """`pdbfw.solve` of all the rows that the processes of an MPI job have, each some of them.

    Every process calls it, with its own rows and the same options, and gets the same weights and the same certificate,
    which is that of all rows together.

    Parameters
    ----------
    A_local : array or sparse matrix of shape (n_local, n_features)
        The rows of this process, at least one. Where columns are missing at the end, they are zeros.
    b_local : array of shape (n_local,) or (n_local, n_outputs)
        Their targets, as `pdbfw.solve` takes them.
    comm : mpi4py.MPI.Comm, optional
        The processes; all of the job by default. Or any object with ``rank``, ``size``, ``sum(array)``, which replaces a
        vector of float64 by its sum over all members with the same bits at each, and ``gather(bytes)``, which gives
        back the list of all members' bytes.
    n_features : int, optional
        The largest number of columns at any process by default.
    loss, set, tol, callback, **options
        As those of `pdbfw.solve`. ``sample_weight`` and the ``y`` of a ``start`` are those of the rows here. A callback
        that returns False at one process stops all. ``max_seconds`` is looked at between iterations.
    verbose : int
        As that of `pdbfw.solve`; only rank 0 shows anything.

    Returns
    -------
    Result or LowRankResult
        ``y`` has the rows of this process; everything else is the same at all. The status ``team_lost`` says that
        a process could not be heard any more: the result is the best point that had been certified before.

    Raises
    ------
    InputError
        At all processes, where an argument of one breaks a rule.
    ImportError
        Where mpi4py is needed and cannot be imported.

    Examples
    --------
    >>> import numpy as np, pdbfw, pdbfw.mpi
    >>> class Alone:
    ...     rank, size = 0, 1
    ...     def sum(self, array): pass
    ...     def gather(self, own): return [own]
    >>> A = np.random.default_rng(0).normal(size=(100, 20))
    >>> pdbfw.mpi.fit(A, A[:, :2], Alone(), set="trace", radius=1).status
    'converged'
    """
    team = _team_of(comm)
    is_class = set == TRACE and loss in CLASS_LOSSES

    def look():
        A = A_local if sp.issparse(A_local) else np.asarray(A_local)
        if A.ndim == 2 and A.shape[0] == 0:
            raise _core.InputError("A_local: no rows breaks the rule: at least one at every process")
        width = A.shape[1] if A.ndim == 2 else 0  # what is wrong with others will be said
        classes = int(as_table(b_local).max(initial=-1)) + 1 if is_class else None
        return width, classes, _common(dict(options, loss=loss, set=set, tol=tol, n_features=n_features))

    seen = _at_all(team, look)
    _require_same([texts for _, _, texts in seen])
    columns = max(width for width, _, _ in seen) if n_features is None else n_features
    outputs = max(classes for _, classes, _ in seen) if is_class else None
    run = None

    def state():
        nonlocal run
        A = A_local if sp.issparse(A_local) else np.asarray(A_local)
        run = stated(_widened(A, columns), b_local, loss=loss, set=set, tol=tol, team=team, outputs=outputs, **options)

    _at_all(team, state)
    return watched(run, verbose=verbose if team.rank == 0 else 0, tol=tol, callback=callback,
                   told=lambda result: result._told())
