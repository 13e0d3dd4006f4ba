"""A method of a comparison: a solver and the step rules it is given."""

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


def suited(method, options_read):
    """The method with the variants that its solver can run: without `steps` there is one rule, without `step_scale` no tuning."""
    if "steps" not in options_read:
        return method._replace(variants=PLAIN)
    return method._replace(variants=tuple(v for v in method.variants if not v.is_tuned or "step_scale" in options_read))


def planned_runs(method):
    return sum(1 + len(STEP_SCALES) if variant.is_tuned else 1 for variant in method.variants)
