"""The methods of figure 2 and a few stronger ones."""

from drawing import DASHED, DOTTED, MIXED, SOLID
from method import ADAPTIVE, PLAIN, THEORY, TUNED, Method

METHODS = [
    Method("auto", "auto", "ours", False, PLAIN),
    Method("pdbfw", "pdbfw", "Algorithm 2", False, (ADAPTIVE,)),
    Method("pdbfw theory", "pdbfw", "Algorithm 2", False, (THEORY,)),
    Method("fw", "fw", "Frank-Wolfe", False, (THEORY, ADAPTIVE)),
    Method("sfw", "sfw", "Frank-Wolfe", True, (THEORY, TUNED, ADAPTIVE)),
    Method("block_fw", "block_fw", "Frank-Wolfe", True, (THEORY, ADAPTIVE)),
    Method("scgs", "scgs", "stochastic", True, (THEORY, TUNED, ADAPTIVE)),
    Method("storc", "storc", "stochastic", True, (THEORY, TUNED, ADAPTIVE)),
    Method("svrf", "svrf", "stochastic", False, (THEORY, TUNED, ADAPTIVE)),
    Method("svrg", "svrg", "stochastic", True, (THEORY, TUNED, ADAPTIVE)),
    Method("pg", "pg", "gradient", False, (THEORY, ADAPTIVE)),
    Method("apg", "apg", "gradient", False, (THEORY, ADAPTIVE)),
]

STYLES = {
    "auto": ("#000000", SOLID, 2.4),
    "pdbfw": ("#d62728", SOLID, 2.4),
    "pdbfw theory": ("#f08080", DASHED, 1.8),
    "fw": ("#08519c", SOLID, 1.3),
    "sfw": ("#56b4e9", MIXED, 1.3),
    "block_fw": ("#17becf", DOTTED, 1.8),
    "scgs": ("#7b3fa0", SOLID, 1.3),
    "storc": ("#c77cd6", DASHED, 1.3),
    "svrf": ("#8c564b", MIXED, 1.3),
    "svrg": ("#ff7f0e", SOLID, 1.3),
    "pg": ("#74c476", DASHED, 1.3),
    "apg": ("#006d2c", SOLID, 1.3),
}
