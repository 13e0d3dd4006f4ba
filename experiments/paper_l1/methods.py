"""The methods that are compared: ours, the paper's baselines and a few stronger ones, each with the step rules it is given."""

from method import ADAPTIVE, PLAIN, THEORY, TUNED, Method

OURS = [
    Method("auto", "auto", "ours", False, PLAIN, True),
    Method("sequential", "sequential", "ours", False, PLAIN, True),
    Method("working_set", "working_set", "ours", False, PLAIN),
    Method("pdbfw", "pdbfw", "Algorithm 1", False, (ADAPTIVE,)),
    Method("pdbfw theory", "pdbfw", "Algorithm 1", False, (THEORY,)),
]
BASELINES = [
    Method("fw", "fw", "Frank-Wolfe", True, (THEORY, ADAPTIVE)),
    Method("fw_away", "fw_away", "Frank-Wolfe", False, (ADAPTIVE,)),
    Method("fw_pairwise", "fw_pairwise", "Frank-Wolfe", False, (ADAPTIVE,)),
    Method("block_fw", "block_fw", "Frank-Wolfe", False, (THEORY, ADAPTIVE)),
    Method("pg", "pg", "gradient", False, (THEORY, ADAPTIVE)),
    Method("apg", "apg", "gradient", True, (THEORY, ADAPTIVE)),
    Method("svrg", "svrg", "stochastic", True, (THEORY, TUNED, ADAPTIVE)),
    Method("scgs", "scgs", "stochastic", True, (THEORY, TUNED, ADAPTIVE)),
    Method("storc", "storc", "stochastic", True, (THEORY, TUNED, ADAPTIVE)),
    Method("svrf", "svrf", "stochastic", False, (THEORY, TUNED, ADAPTIVE)),
]
METHODS = OURS + BASELINES
