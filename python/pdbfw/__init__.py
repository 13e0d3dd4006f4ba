"""Sparse and low-rank linear models with a proof: every answer has a certified duality gap.

`solve` states a problem as mathematics does; the estimators have scikit-learn's interface.
"""

from ._completion import MatrixCompletion
from ._core import InputError
from ._core import version as __version__
from ._cross_validation import CrossValidation, cross_validate, make_folds, path_radii, scores
from ._features import RandomBinning, RandomFourier
from ._low_rank import LowRankClassifier, LowRankRegressor
from ._model_file import load_model
from ._phase import PhaseRetrieval
from ._plot import plot_convergence, plot_cv, plot_path
from ._result import Certificate, LowRankResult, Result, Work
from ._solve import (
    PathPoint,
    Penalised,
    PenaltyPoint,
    certify,
    largest_alpha,
    losses,
    path_alphas,
    solve,
    solve_path,
    solve_penalised,
    solve_penalties,
    solvers,
)
from ._sparse import SparseClassifier, SparseRegressor
from ._sparse_cv import SparseClassifierCV, SparseRegressorCV

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
    "PenaltyPoint",
    "PhaseRetrieval",
    "RandomBinning",
    "RandomFourier",
    "Result",
    "SparseClassifier",
    "SparseClassifierCV",
    "SparseRegressor",
    "SparseRegressorCV",
    "Work",
    "__version__",
    "certify",
    "cross_validate",
    "largest_alpha",
    "load_model",
    "losses",
    "make_folds",
    "path_alphas",
    "path_radii",
    "plot_convergence",
    "plot_cv",
    "plot_path",
    "scores",
    "solve",
    "solve_path",
    "solve_penalised",
    "solve_penalties",
    "solvers",
]
