"""The estimators keep scikit-learn's contract."""

import pdbfw
from sklearn.utils.estimator_checks import parametrize_with_checks

# Weighted and repeated samples are the same problem, which scikit-learn checks to 1e-7: the solves must be as exact,
# and the optimum as well defined (a gap of 1e-14 says nothing about the eighth digit of x where the ridge is small).
ESTIMATORS = [
    pdbfw.SparseClassifier(tol=1e-12),
    pdbfw.SparseClassifier("logistic", radius=10.0, ridge=1.0, tol=1e-14),
    pdbfw.SparseRegressor(tol=1e-12),
    pdbfw.SparseRegressor("huber", fit_intercept=False, tol=1e-12),
    pdbfw.LowRankClassifier(tol=1e-8),
    pdbfw.LowRankClassifier("multiclass_hinge", radius=10.0),
    pdbfw.LowRankRegressor(tol=1e-8),
    pdbfw.RandomBinning(10),
    pdbfw.RandomFourier(20),
]


@parametrize_with_checks(ESTIMATORS)
def test_check_estimator(estimator, check):
    check(estimator)
