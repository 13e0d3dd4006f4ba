"""bench/peers without any peer: the formulas that map our problem to theirs, and the page made of results."""

import json
import math
import pathlib
import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "peers"))

import peers  # noqa: E402
import problems  # noqa: E402
import report  # noqa: E402

ROWS, FEATURES = 14, 5


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def l1(x):
    return sum(map(abs, x))


# Value and derivative of our losses at the prediction p for the target b.
LOSSES = {
    "squared": (lambda p, b: (p - b) ** 2 / 2, lambda p, b: p - b),
    "logistic": (lambda p, b: math.log1p(math.exp(-b * p)), lambda p, b: -b / (1 + math.exp(b * p))),
    "squared_hinge": (lambda p, b: max(0, 1 - b * p) ** 2 / 2, lambda p, b: -b * max(0, 1 - b * p)),
}


class Tiny:
    """A problem small enough for the plainest methods."""

    def __init__(self, loss, ridge, seed=1):
        draw = random.Random(seed)
        self.A = [[draw.gauss(0, 1) for _ in range(FEATURES)] for _ in range(ROWS)]
        self.b = [draw.choice([-1, 1]) for _ in range(ROWS)]
        self.value, self.derivative = LOSSES[loss]
        self.ridge = ridge
        self.step = 1 / (sum(dot(row, row) for row in self.A) / ROWS + ridge)

    def objective(self, x, penalty=0):
        mean = sum(self.value(dot(row, x), b) for row, b in zip(self.A, self.b)) / ROWS
        return mean + self.ridge / 2 * dot(x, x) + penalty * l1(x)

    def gradient(self, x):
        y = [self.derivative(dot(row, x), b) / ROWS for row, b in zip(self.A, self.b)]
        return [dot(y, column) + self.ridge * x_j for column, x_j in zip(zip(*self.A), x)]

    def solve(self, nearest):
        """Proximal gradient steps from zero; `nearest` maps (v, step) to the next point."""
        x = [0.0] * FEATURES
        for _ in range(1_500):
            x = nearest([x_j - self.step * g for x_j, g in zip(x, self.gradient(x))], self.step)
        return x


def threshold(v, width):
    return [math.copysign(max(0, abs(v_j) - width), v_j) for v_j in v]


def project(v, radius):
    if l1(v) <= radius:
        return v
    low, high = 0.0, max(map(abs, v))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if l1(threshold(v, middle)) > radius else (low, middle)
    return threshold(v, high)


class Mapping(unittest.TestCase):
    def assert_same_up_to(self, factor, theirs, loss, ridge, penalty):
        """Their objective is ours times a factor, at any point: so both have the same solution."""
        tiny, draw = Tiny(loss, ridge), random.Random(2)
        for _ in range(20):
            x = [draw.gauss(0, 1) for _ in range(FEATURES)]
            self.assertAlmostEqual(theirs(tiny, x), factor * tiny.objective(x, penalty), delta=1e-12 * factor)

    def test_elastic_net(self):
        words = problems.elastic_net_words(0.3, 0.2)

        def theirs(tiny, x):
            residuals = [dot(row, x) - b for row, b in zip(tiny.A, tiny.b)]
            ridge = words["alpha"] * (1 - words["l1_ratio"])
            return (
                dot(residuals, residuals) / (2 * ROWS)
                + words["alpha"] * words["l1_ratio"] * l1(x)
                + ridge / 2 * dot(x, x)
            )

        self.assert_same_up_to(1, theirs, "squared", 0.2, 0.3)
        self.assertEqual(problems.elastic_net_words(0.3, 0), {"alpha": 0.3, "l1_ratio": 1})

    def test_logistic(self):
        for ridge in [0.2, 0]:
            words = problems.logistic_words(0.3, ridge, ROWS)

            def theirs(tiny, x, words=words):
                total = sum(math.log1p(math.exp(-b * dot(row, x))) for row, b in zip(tiny.A, tiny.b))
                return words["C"] * total + words["l1_ratio"] * l1(x) + (1 - words["l1_ratio"]) / 2 * dot(x, x)

            self.assert_same_up_to(words["C"] * ROWS, theirs, "logistic", ridge, 0.3)

    def test_squared_hinge(self):
        C = problems.squared_hinge_words(0.3, ROWS)["C"]

        def theirs(tiny, x):
            return C * sum(max(0, 1 - b * dot(row, x)) ** 2 for row, b in zip(tiny.A, tiny.b)) + l1(x)

        self.assert_same_up_to(1 / 0.3, theirs, "squared_hinge", 0, 0.3)

    def test_squared_hinge_of_sgd(self):
        words = problems.sgd_squared_hinge_words(0.3, 0.2)

        def theirs(tiny, x):
            mean = sum(max(0, 1 - b * dot(row, x)) ** 2 for row, b in zip(tiny.A, tiny.b)) / ROWS
            return mean + words["alpha"] * (words["l1_ratio"] * l1(x) + (1 - words["l1_ratio"]) / 2 * dot(x, x))

        self.assert_same_up_to(2, theirs, "squared_hinge", 0.2, 0.3)

    def test_cyanure(self):
        words = problems.cyanure_words(0.3, 0.2)

        def theirs(tiny, x):
            mean = sum(tiny.value(dot(row, x), b) for row, b in zip(tiny.A, tiny.b)) / ROWS
            return mean + words["lambda_1"] * l1(x) + words["lambda_2"] / 2 * dot(x, x)

        self.assert_same_up_to(1, theirs, "logistic", 0.2, 0.3)

    def test_the_multiplier_is_the_penalty(self):
        """The penalty max_j |grad_j| at the constrained solution has the same solution, on the sphere."""
        radius = 0.3
        for loss in LOSSES:
            for ridge in [0.1, 0]:
                tiny = Tiny(loss, ridge)
                constrained = tiny.solve(lambda v, _: project(v, radius))
                penalty = max(map(abs, tiny.gradient(constrained)))
                penalised = tiny.solve(lambda v, step, width=penalty: threshold(v, step * width))
                self.assertAlmostEqual(l1(constrained), radius, 9, "the constraint is active")
                for a, b in zip(constrained, penalised):
                    self.assertAlmostEqual(a, b, 7)


class Plan(unittest.TestCase):
    def test_names_of_problems_differ(self):
        names = [problem.name for problem in problems.problems()]
        self.assertEqual(len(names), len(set(names)))

    def test_ridge(self):
        self.assertEqual(problems.Problem("a9a", "squared", 1, "1/n").ridge_weight(4), 0.25)
        self.assertEqual(problems.Problem("a9a", "squared", 1, "0").ridge_weight(4), 0)

    def test_each_library_solves_each_problem_or_says_why_not(self):
        for problem in problems.problems():
            for family in peers.FAMILIES[1:]:
                offers = any(m.family == family and m.offers(problem, 100, 50) for m in peers.METHODS)
                reason = peers.NOT_OFFERED.get((family, problem.loss, problem.has_ridge))
                self.assertNotEqual(offers, reason is not None, f"{family}, {problem.name}")

    def test_methods_of_a_problem_have_different_names(self):
        for problem in problems.problems():
            names = [method.name for method in peers.METHODS if method.offers(problem, 100, 50)]
            self.assertEqual(len(names), len(set(names)))


def fit(problem, method, seconds, gap):
    return {
        "kind": "fit",
        "problem": problem,
        "method": method,
        "rung": gap,
        "seconds": seconds,
        "cpu_seconds": seconds,
        "conversion": 0.5,
        "cpu_conversion": 0.5,
        "peak_mb": 30,
        "data_mb": 10,
        "relative_gap": gap,
        "primal": 1 + gap,
        "dual": 1.0,
        "l1_norm": 1,
        "nonzeros": 1,
    }


class Page(unittest.TestCase):
    def setUp(self):
        self.problem = next(problems.problems())
        name, peer = self.problem.name, "celer: working sets"
        self.rows = [
            {
                "kind": "machine",
                "cpu": "a processor",
                "cores": 2,
                "versions": {"celer": "1.0", "copt": None},
                "python": "3.11",
                "date": "2026-01-01",
                "limit": 10,
            },
            {
                "kind": "problem",
                "problem": name,
                "n": 4,
                "d": 3,
                "nonzeros": 6,
                "penalty": 0.1,
                "largest_gradient": 0.1,
                "primal": 1.0,
                "dual": 1.0,
                "relative_gap": 0,
                "support": 2,
            },
            fit(name, report.OURS, 1, 1e-2),
            fit(name, report.OURS, 2, 1e-4),
            fit(name, report.OURS, 4, 1e-6),
            fit(name, peer, 0.25, 1e-2),
            fit(name, peer, 8, 1e-5),
            {"kind": "done", "problem": name, "method": report.OURS, "why": "converged"},
            {"kind": "done", "problem": name, "method": peer, "why": "over 10 s"},
            {
                "kind": "done",
                "problem": name,
                "method": "copt: pairwise Frank-Wolfe",
                "why": "ModuleNotFoundError: copt",
            },
        ]

    def write(self):
        with tempfile.TemporaryDirectory() as folder:
            report.write(self.rows, pathlib.Path(folder))
            pictures = {path.name: path.read_text() for path in pathlib.Path(folder).glob("*.svg")}
            return (pathlib.Path(folder) / "peers.md").read_text(), pictures

    def test_says_who_is_ahead(self):
        page, _ = self.write()
        self.assertIn("| 1, **0.25 celer**, 4.0x behind (!) | 2, 8 celer, 4.0x ahead | 4, no peer |", page)
        self.assertIn("(!) marks where a peer is ahead: 1 of 3 cells.", page)
        self.assertIn("| celer: working sets | **0.25** (!) / 0.75 | 8 / 8.5 | - |", page)

    def test_says_why_a_cell_is_empty(self):
        page, _ = self.write()
        self.assertIn("not installed", page)
        self.assertIn("the next one takes over 10 s", page)
        self.assertIn("no l1-regularised regression", page)

    def test_draws_every_method_that_was_measured(self):
        _, pictures = self.write()
        self.assertEqual(len(pictures), 2)
        for name, picture in pictures.items():
            root = xml.etree.ElementTree.fromstring(picture)
            words = [element.text for element in root.iter() if element.tag.endswith("text")]
            self.assertIn("celer", words, name)

    def test_results_that_are_kept_make_the_page_that_is_kept(self):
        """A change of the report or of the results needs the page and the pictures written anew."""
        folder = ROOT / "docs" / "results"
        self.rows = [json.loads(line) for line in (folder / "peers.jsonl").read_text().splitlines()]
        page, pictures = self.write()
        self.assertEqual(page, (folder / "peers.md").read_text(), "run bench/peers/report.py docs/results")
        for name, picture in pictures.items():
            self.assertEqual(picture, (folder / name).read_text(), "run bench/peers/report.py docs/results")


if __name__ == "__main__":
    unittest.main()
