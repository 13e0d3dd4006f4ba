"""Table 1 of the paper, measured on dense generated data: what an iteration costs as n, d, s grow; iterations as kappa and 1/epsilon grow."""

import math
from typing import NamedTuple

import curves
import problems

RADIUS_SLACK = 1e6  # the ball does not bind: a block of Algorithm 1 has s features
EPSILONS = (1e-2, 1e-3, 1e-4, 1e-5)
KAPPA_TARGET = 1e-4


class Claim(NamedTuple):
    method: str
    solver: str
    options: tuple
    cost: str  # the paper's O() of an iteration, and its exponents of n, d, s on dense data
    cost_exponents: tuple
    iterations: str
    kappa_exponent: tuple  # (least, largest) that the paper's O() allows as kappa grows
    epsilon_exponent: float  # of iterations ~ (1/epsilon)^p; 0 for a logarithm


THEORY = ("--steps", "theory")
ADAPTIVE = ("--steps", "adaptive")
CLAIMS = [
    Claim("fw", "fw", THEORY, "nd", (1, 1, 0), "1/eps", (0, 0), 1),
    Claim("apg", "apg", THEORY, "nd", (1, 1, 0), "sqrt(kappa) log(1/eps)", (0.5, 0.5), 0),
    Claim("svrg", "svrg", THEORY, "nd", (1, 1, 0), "(1 + kappa/n) log(1/eps)", (0, 1), 0),
    Claim("scgs", "scgs", THEORY, "kappa^2 iter^3/eps^2 d", (0, 1, 0), "1/eps", (0, 0), 1),
    Claim("storc", "storc", THEORY, "kappa^2 d + nd", (1, 1, 0), "log(1/eps)", (0, 0), 0),
    Claim("pdbfw theory", "pdbfw", THEORY, "ns", (1, 0, 1), "(1 + kappa/n) log(1/eps)", (0, 1), 0),
    Claim("pdbfw", "pdbfw", ADAPTIVE, "ns", (1, 0, 1), "(1 + kappa/n) log(1/eps)", (0, 1), 0),
]


class Sizes(NamedTuple):
    n: tuple
    d: tuple
    s: tuple
    solved: tuple  # (n, d) of the data on which iterations are counted: small, as the theorem's steps take very many
    ridges: tuple  # times 1/n
    iterations: int
    seconds: float

    @property
    def base(self):
        return self.n[len(self.n) // 2], self.d[len(self.d) // 2], self.s[len(self.s) // 2]


FULL = Sizes((500, 1000, 2000, 4000), (500, 1000, 2000, 4000), (10, 20, 40, 80, 160, 320), (200, 100),
             (100, 10, 1, 0.1, 0.01), 60, 5.0)
QUICK = Sizes((100, 200, 400), (100, 200, 400), (5, 10, 20), (50, 25), (10, 1), 20, 0.5)


def blocks(claim, n, d, s):
    """Algorithm 1 is given the block sizes that its cost is stated for: s and k = n s / d."""
    if claim.solver != "pdbfw":
        return ()
    return ("--block-primal", str(s), "--block-dual", str(max(1, round(n * s / d))))


class Scaling:
    """Measures through the store; `tell` and `told` as in outcomes.Runner."""

    def __init__(self, store, cache, sizes, tell, told):
        self.store, self.cache, self.sizes, self.tell, self.told = store, cache, sizes, tell, told

    def run(self, words, key, n, d, options, seconds):
        data = problems.prepare_dense(self.store.tool.path, self.cache, n, d)
        self.tell(f"table 1: {words}")
        record = self.store.run(f"table1+{key}+{n}x{d}", data, options, seconds)
        self.told(record)
        return record

    def cost(self, claim, n, d, s):
        """(multiply-adds, seconds) of an iteration, or None."""
        options = ["--radius", RADIUS_SLACK, "--ridge", "10/n", "--tol", 1e-15, "--solver", claim.solver, *claim.options,
                   *blocks(claim, n, d, s), "--max-iterations", self.sizes.iterations]
        record = self.run(f"{claim.method}, n {n}, d {d}, s {s}", f"cost+{claim.method}+s{s}+i{self.sizes.iterations}", n, d, options,
                          self.sizes.seconds)
        return None if "error" in record else curves.per_iteration(record["rows"])

    def costs(self, claim):
        """{"n": [(n, cost), ...], "d": ..., "s": ...}, the other two at the middle of their range."""
        n, d, s = self.sizes.base
        where = {"n": [(m, m, d, s) for m in self.sizes.n], "d": [(m, n, m, s) for m in self.sizes.d]}
        if claim.solver == "pdbfw":
            where["s"] = [(m, n, d, m) for m in self.sizes.s if m <= d]
        return {name: [(case[0], self.cost(claim, *case[1:])) for case in cases] for name, cases in where.items()}

    def courses(self, claim):
        """{ridge: points} of whole solves."""
        n, d = self.sizes.solved
        out = {}
        for ridge in self.sizes.ridges:
            model = ["--radius", 10, "--ridge", f"{ridge:g}/n"]
            optimum = self.run(f"optimum, ridge {ridge:g}/n", f"optimum+{ridge:g}", n, d, [*model, "--tol", 1e-12], 60)
            record = self.run(f"{claim.method}, ridge {ridge:g}/n", f"kappa+{claim.method}+{ridge:g}+{self.sizes.seconds:g}s", n, d,
                              [*model, "--tol", 1e-7, "--solver", claim.solver, *claim.options], self.sizes.seconds)
            out[ridge] = [] if "error" in record or "error" in optimum else curves.best_so_far(
                record["rows"], optimum["certificate"]["primal"])
        return out

    def measure(self, solvers):
        """For every claim about a solver that is there."""
        out = []
        for claim in (claim for claim in CLAIMS if claim.solver in solvers):
            costs = self.costs(claim)
            courses = self.courses(claim)
            out.append({"claim": claim, "costs": costs, "kappa": self.iterations_by_kappa(courses),
                        "epsilon": self.iterations_by_epsilon(courses)})
        return out

    def iterations_by_kappa(self, courses):
        """[(kappa, iterations to KAPPA_TARGET or None)]: kappa = beta R / mu with beta = R = 1 (unit rows)."""
        n = self.sizes.solved[0]
        found = {ridge: curves.first_at(points, KAPPA_TARGET) for ridge, points in courses.items()}
        return [(n / ridge, point.iteration if point else None) for ridge, point in found.items()]

    def iterations_by_epsilon(self, courses):
        """[(1/epsilon, iterations or None)] in the middle of the range of ridges."""
        points = courses[self.sizes.ridges[len(self.sizes.ridges) // 2]]
        found = [(epsilon, curves.first_at(points, epsilon)) for epsilon in EPSILONS]
        return [(1 / epsilon, point.iteration if point else None) for epsilon, point in found]

    def planned(self, solvers):
        """How many runs it will take."""
        of_all, of_ours = len(self.sizes.n) + len(self.sizes.d) + 2 * len(self.sizes.ridges), len(self.sizes.s)
        return sum(of_all + (of_ours if claim.solver == "pdbfw" else 0) for claim in CLAIMS if claim.solver in solvers)


def exponents(measured):
    """The fitted exponents: cost by multiply-adds and by seconds for n, d, s; iterations in kappa and 1/epsilon."""
    out = {}
    for name, cases in measured["costs"].items():
        for k, unit in enumerate(("multiply_adds", "seconds")):
            known = [(m, cost[k]) for m, cost in cases if cost and not math.isnan(cost[k])]
            out[name, unit] = curves.slope(*zip(*known)) if known else math.nan
    for name in ("kappa", "epsilon"):
        known = [(m, iterations) for m, iterations in measured[name] if iterations]
        out[name] = curves.slope(*zip(*known)) if known else math.nan
    return out
