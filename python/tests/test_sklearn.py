"""The estimators keep scikit-learn's contract."""

import pdbfw
from sklearn.utils.estimator_checks import parametrize_with_checks

# Weighted and repeated samples are the same problem, which scikit-learn checks to 1e-7: the solves must be as exact,
# and the optimum as well defined (a gap of 1e-14 says nothing about the eighth digit of x where the ridge is small).
ESTIMATORS = [
    pdbfw.SparseClassifier(tol=1e-16),
    pdbfw.SparseClassifier("logistic", radius=10.0, ridge=1.0, tol=1e-16),
    pdbfw.SparseClassifier("softmax", radius=10.0, ridge=1.0, tol=1e-10),
    pdbfw.SparseRegressor(tol=1e-16),
    pdbfw.SparseRegressor("huber", fit_intercept=False, tol=1e-16),
    pdbfw.SparseClassifierCV(radii=[0.5, 5.0], cv=3, ridge=1.0, tol=1e-16),
    pdbfw.SparseClassifierCV("logistic", points=3, cv=2, ridge=1.0, scoring="log_loss", tol=1e-16),
    pdbfw.SparseRegressorCV(points=4, cv=3, ridge=1.0, tol=1e-16),
    # With rules for features; `penalty_weight` has the width of the data, which differs between the checks.
    pdbfw.SparseClassifier(standardise=True, ridge=1.0, tol=1e-16),
    pdbfw.SparseClassifier(most_features=4, ridge=1.0, tol=1e-16),
    pdbfw.SparseClassifier(positive=True, ridge=1.0, tol=1e-16),
    pdbfw.SparseClassifier(free_features=[0], ridge=1.0, tol=1e-16),
    pdbfw.SparseRegressor(alpha=0.01, positive=True, ridge=1.0, tol=1e-16),
    pdbfw.SparseRegressor(most_features=3, standardise=True, ridge=1.0, tol=1e-16),
    pdbfw.SparseRegressor(free_features=[0], ridge=1.0, tol=1e-16),
    pdbfw.SparseClassifierCV(radii=[0.5, 5.0], cv=3, standardise=True, ridge=1.0, tol=1e-16),
    pdbfw.SparseRegressorCV(points=4, cv=3, positive=True, standardise=True, ridge=1.0, tol=1e-16),
    pdbfw.LowRankClassifier(tol=1e-8),
    pdbfw.LowRankClassifier("multiclass_hinge", radius=10.0),
    pdbfw.LowRankRegressor(tol=1e-8),
    pdbfw.RandomBinning(10),
    pdbfw.RandomFourier(20),
]


def not_so_exact(estimator):
    """Seven digits of the scores ask for a gap below the rounding of its two values, which is where these losses end.

    test_classes_learnt_jointly has the same law for the objective, and so have the tests of weights of the library.
    """
    if estimator.get_params().get("loss") not in ("softmax", "logistic"):
        return {}
    if not isinstance(estimator, (pdbfw.SparseClassifier, pdbfw.SparseClassifierCV)):
        return {}
    return {f"check_sample_weight_equivalence_on_{kind}_data": "scores to 1e-7" for kind in ("dense", "sparse")}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=not_so_exact)
def test_check_estimator(estimator, check):
    check(estimator)
