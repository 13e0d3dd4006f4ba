"""The paper's synthetic problems for the trace norm: B = A X0 with X0 of low rank, and two ways of drawing A.

The paper minimises |AX - B|_F^2 / n + (mu/2)|X|_F^2 with mu = 10/n: twice the squared loss, so in our scaling (everything halved) the
ridge is 5/n. It does not say how A was drawn; the condition number, and with it everything else, depends on that."""

import os
from typing import NamedTuple

import numpy


class Sizes(NamedTuple):
    n: int  # samples
    d: int  # features
    c: int  # outputs


PAPER = Sizes(1000, 800, 600)
SMALL = Sizes(120, 80, 60)

DESIGNS = {
    "gaussian": "Gaussian",
    "uniform": "uniform on [0, 1] with a column of ones",
}


class Problem(NamedTuple):
    design: str
    rank: int
    sizes: Sizes
    folder: object  # where the data are
    radius: float = 0.0  # the trace norm of X0; known once the data are made

    @property
    def key(self):
        return f"{self.design}-{self.rank}-{self.sizes.n}x{self.sizes.d}x{self.sizes.c}"

    @property
    def title(self):
        return f"{DESIGNS[self.design]}, rank {self.rank}"

    @property
    def ridge(self):
        return "5/n"

    @property
    def data(self):
        return self.folder / f"{self.key}.A.npy"

    @property
    def targets(self):
        return self.folder / f"{self.key}.B.npy"

    @property
    def options(self):
        """Of the tool."""
        return ["--labels", self.targets, "--targets", "numbers", "--set", "trace", "--loss", "squared", "--radius", f"{self.radius:.17g}", "--ridge", self.ridge]


def draw(problem, seed=1):
    """A, B, |X0|_*. Gaussian designs have columns of length one on average, so that A'A is near the unit matrix."""
    n, d, c = problem.sizes
    random = numpy.random.default_rng(seed + problem.rank)
    if problem.design == "gaussian":
        A = random.standard_normal((n, d)) / numpy.sqrt(n)
    else:
        A = random.random((n, d))
        A[:, -1] = 1.0
    left, right = random.standard_normal((d, problem.rank)), random.standard_normal((c, problem.rank))
    X0 = left @ right.T / numpy.sqrt(problem.rank)
    return A, A @ X0, numpy.linalg.svd(X0, compute_uv=False).sum()


def prepared(problem):
    """The problem with its data on disk and its radius; drawn once."""
    radius_file = problem.folder / f"{problem.key}.radius"
    if not radius_file.exists():
        problem.folder.mkdir(parents=True, exist_ok=True)
        A, B, radius = draw(problem)
        numpy.save(problem.data, A)
        numpy.save(problem.targets, B)
        unfinished = radius_file.with_suffix(".unfinished")
        unfinished.write_text(f"{radius:.17g}", encoding="ascii")
        os.replace(unfinished, radius_file)
    return problem._replace(radius=float(radius_file.read_text(encoding="ascii")))


def all_problems(quick, folder):
    sizes, ranks = (SMALL, (3, 5)) if quick else (PAPER, (10, 20, 100))
    return [Problem(design, rank, sizes, folder) for design in DESIGNS for rank in ranks]
