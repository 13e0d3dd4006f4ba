"""Sparse and low-rank linear models with a proof: every answer has a certified duality gap.

`solve` states a problem as mathematics does; the estimators have scikit-learn's interface.
"""

from ._completion import MatrixCompletion
from ._core import InputError
from ._core import version as __version__
from ._cross_validation import CrossValidation, cross_validate
from ._features import RandomBinning, RandomFourier
from ._low_rank import LowRankClassifier, LowRankRegressor
from ._phase import PhaseRetrieval
from ._result import Certificate, LowRankResult, Result, Work
from ._solve import PathPoint, Penalised, certify, losses, solve, solve_path, solve_penalised, solvers
from ._sparse import SparseClassifier, SparseRegressor

__all__ = [
    "Certificate",
    "CrossValidation",
    "InputError",
    "LowRankClassifier",
    "LowRankRegressor",
    "LowRankResult",
    "MatrixCompletion",
    "PathPoint",
    "Penalised",
    "PhaseRetrieval",
    "RandomBinning",
    "RandomFourier",
    "Result",
    "SparseClassifier",
    "SparseRegressor",
    "Work",
    "__version__",
    "certify",
    "cross_validate",
    "losses",
    "solve",
    "solve_path",
    "solve_penalised",
    "solvers",
]
