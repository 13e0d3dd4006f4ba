"""The estimators keep scikit-learn's contract."""

import pdbfw
from sklearn.utils.estimator_checks import parametrize_with_checks

# Weighted and repeated samples are the same problem, which scikit-learn checks to 1e-7: the solves must be as exact.
ESTIMATORS = [
    pdbfw.SparseClassifier(tol=1e-12),
    pdbfw.SparseClassifier("logistic", radius=10.0, tol=1e-12),
    pdbfw.SparseRegressor(tol=1e-12),
    pdbfw.SparseRegressor("huber", fit_intercept=False, tol=1e-12),
    pdbfw.RandomBinning(10),
    pdbfw.RandomFourier(20),
]


@parametrize_with_checks(ESTIMATORS)
def test_check_estimator(estimator, check):
    check(estimator)
