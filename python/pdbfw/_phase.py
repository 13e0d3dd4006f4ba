"""Phase retrieval: a signal from the intensities of its products with known vectors."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._data import as_numbers, plain
from ._estimator import CertifiedModel, keep, settings_of
from ._parameters import documented, keeps_parameters
from ._progress import watched
from ._result import to_low_rank_result


@documented
class PhaseRetrieval(RegressorMixin, CertifiedModel):
    """A signal x from intensities ``y_i = |a_i* x|^2``, with a proof.

    The positive semidefinite matrix ``x x*`` is found by least squares over those of bounded trace. No intensity tells
    x from x times a number of modulus 1; the one given back has its largest entry real and positive.

    Parameters
    ----------
    signal : {"auto", "real", "complex"}, default="auto"
        What is known about x. "auto": complex if the vectors a_i are.
    radius : float, default=None
        The largest trace, which is ``|x|^2``. None: found from the data.

    Attributes
    ----------
    signal_ : ndarray of shape (n_features,)
        x, real or complex.
    misfit_ : float
        ``|A(X) - y| / |y|``: how far the intensities are from being explained.
    radius_ : float
        In force.
    n_iter_, dual_gap_, certificate_, status_, history_
        As those of `SparseClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from pdbfw import PhaseRetrieval
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=6)
    >>> a = rng.normal(size=(60, 6))
    >>> found = PhaseRetrieval(tol=1e-8).fit(a, (a @ x) ** 2).signal_
    >>> bool(np.allclose(found, x * np.sign(x[np.argmax(abs(x))]), atol=1e-3))
    True
    """

    @keeps_parameters
    def __init__(self, signal="auto", *, radius=None, tol=1e-4, max_iter=1_000_000, max_seconds=float("inf"),
                 solver="auto", random_state=None, n_threads=1, verbose=0):
        pass

    def fit(self, X, y):
        """Find the signal.

        Parameters
        ----------
        X : array of shape (n_measurements, n_features)
            The vectors a_i as rows, real or complex.
        y : array of shape (n_measurements,)
            The intensities.

        Returns
        -------
        self
        """
        if self.signal not in ("auto", "real", "complex"):
            raise _core.InputError(f"signal: {self.signal!r} breaks the rule: auto | real | complex")
        vectors, intensities = _vectors(X), as_numbers(y)
        if vectors.shape[0] != intensities.size:
            raise _core.InputError(f"y: {intensities.size} intensities breaks the rule: one for each of "
                                   f"{vectors.shape[0]} vectors")
        self.n_features_in_ = vectors.shape[1]
        is_complex = np.iscomplexobj(X) if self.signal == "auto" else self.signal == "complex"
        options = plain(settings_of(self))

        def run(between):
            given = _core.retrieve_phase(vectors, intensities, options, radius=self.radius,
                                         is_complex=bool(is_complex), callback=between)
            return given, to_low_rank_result(given)

        given, result = watched(run, verbose=self.verbose, tol=self.tol, told=lambda done: done[1]._told())
        self.signal_ = given["signal"] if is_complex else given["signal"].real.copy()
        self.misfit_, self.radius_ = given["misfit"], given["radius"]
        keep(self, [result])
        return self

    def predict(self, X):
        """The intensities ``|a_i* x|^2``.

        Parameters
        ----------
        X : array of shape (n_measurements, n_features)

        Returns
        -------
        ndarray of shape (n_measurements,)
        """
        check_is_fitted(self)
        vectors = _vectors(X)
        if vectors.shape[1] != self.n_features_in_:
            raise _core.InputError(f"X: {vectors.shape[1]} columns breaks the rule: {self.n_features_in_}, as in fit")
        return np.abs(vectors.conj() @ self.signal_) ** 2


def _vectors(X):
    vectors = np.ascontiguousarray(X, dtype=np.complex128)
    if vectors.ndim != 2:
        raise _core.InputError(f"X: an array of {vectors.ndim} dimensions breaks the rule: two, vectors and features")
    return vectors
