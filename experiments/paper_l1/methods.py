"""The methods that are compared: ours, the paper's baselines and a few stronger ones, each with the step rules it is given."""

from typing import NamedTuple

# Multiples of the theorem's step that a tuned variant begins with, beside 1, the untuned run itself; where an end is best, the grid grows.
STEP_SCALES = (3.0, 10.0)


class Variant(NamedTuple):
    name: str
    options: tuple = ()
    is_tuned: bool = False  # over STEP_SCALES


class Method(NamedTuple):
    name: str  # in tables, figures and files
    solver: str
    family: str
    in_paper: bool  # one of the paper's five baselines
    variants: tuple
    # Its running primal value is of a mixture of points; the course is certified by runs that stop early.
    is_checked: bool = False


THEORY = Variant("theory", ("--steps", "theory"))
ADAPTIVE = Variant("adaptive", ("--steps", "adaptive"))
TUNED = Variant("tuned", ("--steps", "theory"), True)
PLAIN = (Variant("default"),)

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


def suited(method, options_read):
    """The method with the variants that its solver can run: without `steps` there is one rule, without `step_scale` no tuning."""
    if "steps" not in options_read:
        return method._replace(variants=PLAIN)
    return method._replace(variants=tuple(v for v in method.variants if not v.is_tuned or "step_scale" in options_read))
