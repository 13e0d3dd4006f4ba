"""Features that are scaled, weighed, free or of one sign, from the command line and through model files; LIBLINEAR's
own options."""

import math
import random
import unittest

from tool import ToolTest


def uneven(rows=150, seed=2):
    """Three features of very different size, not centred; labels by all of them."""
    rng = random.Random(seed)
    lines = []
    for _ in range(rows):
        a, b, c = 100 + 30 * rng.gauss(0, 1), rng.gauss(0, 1), 0.01 * rng.gauss(0, 1)
        label = 1 if (a - 100) / 30 + b + 100 * c + rng.gauss(0, 1) > 0 else -1
        lines.append(f"{label} 1:{a:.8f} 2:{b:.8f} 3:{c:.8f}")
    return "\n".join(lines) + "\n"


def table(text):
    rows = [line.split() for line in text.splitlines()]
    return [int(row[0]) for row in rows], [[float(entry.split(":")[1]) for entry in row[1:]] for row in rows]


class FeatureRules(ToolTest):
    def setUp(self):
        super().setUp()
        self.text = uneven()
        self.write("data.txt", self.text)

    def weights_of(self, model):
        out = self.run_tool("weights", model)
        self.assertEqual(out.returncode, 0, out.stderr)
        return {int(line.split()[0]): float(line.split()[1]) for line in out.stdout.decode().splitlines()}

    def test_standardised_weights_are_those_of_the_features_as_they_are(self):
        options = ["--loss", "logistic", "--radius", "2", "--intercept", "yes", "--tol", "1e-9"]
        report = self.expect_json(0, "train", "data.txt", "m", "--standardise", "yes", *options)
        self.assertEqual(report["settings"]["standardise"], "yes")
        labels, rows = table(self.text)
        columns = list(zip(*rows))
        deviation = [math.sqrt(sum((v - sum(c) / len(c)) ** 2 for v in c) / len(c)) for c in columns]
        self.write("scaled.txt", "".join(
            f"{label} " + " ".join(f"{j + 1}:{value / deviation[j]!r}" for j, value in enumerate(row)) + "\n"
            for label, row in zip(labels, rows)))
        by_hand = self.expect_json(0, "train", "scaled.txt", "n", *options)
        self.assertAlmostEqual(report["certificate"]["primal"], by_hand["certificate"]["primal"], places=8)
        own, scaled = self.weights_of("m"), self.weights_of("n")
        for j, value in scaled.items():
            self.assertAlmostEqual(own[j] * deviation[j - 1], value, places=3)
        again = self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-9")
        self.assertTrue(again["agrees"])
        self.assertIn("standardise 1", self.read("m"))
        self.assertEqual(self.run_tool("predict", "data.txt", "m", "p").stdout,
                         self.run_tool("predict", "scaled.txt", "n", "q").stdout)
        started = self.expect_json(0, "train", "data.txt", "o", "--standardise", "yes", "--start", "m", *options)
        self.assertLessEqual(started["work"]["iterations"], report["work"]["iterations"])

    def test_free_features_are_held_back_by_nothing(self):
        options = ["--loss", "logistic", "--radius", "0.001", "--tol", "1e-7"]
        report = self.expect_json(0, "train", "data.txt", "m", "--free-features", "2", *options)
        self.assertEqual(report["solution"]["free_features"], 1)
        self.assertGreater(self.weights_of("m")[2], 0.1)
        without = self.expect_json(0, "train", "data.txt", "n", *options)
        self.assertLess(report["certificate"]["primal"], without["certificate"]["primal"])
        self.assertIn("free_features 1\n2\n", self.read("m"))
        self.assertTrue(self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-7")["agrees"])
        self.assertIn("besides 1 free feature",
                      self.run_tool("train", "data.txt", "o", "--free-features", "2", *options).stdout.decode())

    def test_penalty_weights_are_asked_for_again(self):
        self.write("weights", "30\n1\n0\n")
        options = ["--loss", "logistic", "--radius", "0.5", "--tol", "1e-8", "--intercept", "yes"]
        report = self.expect_json(0, "train", "data.txt", "m", "--penalty-weight", "weights", *options)
        self.assertEqual(report["solution"]["free_features"], 1)
        self.expect_error("certify", "data.txt", "m", says="the file of weights")
        again = self.expect_json(0, "certify", "data.txt", "m", "--penalty-weight", "weights", "--tol", "1e-8")
        self.assertTrue(again["agrees"])
        self.write("short", "1\n2\n")
        self.expect_error("train", "data.txt", "x", "--penalty-weight", "short", says="one for each of 3 features")
        self.assertNotIn("x", self.files())

    def test_nonnegative_weights(self):
        report = self.expect_json(0, "train", "data.txt", "m", "--set", "nonnegative", "--radius", "3", "--tol", "1e-6")
        self.assertEqual(report["problem"]["set"], "nonnegative")
        self.assertTrue(all(value > 0 for value in self.weights_of("m").values()))
        self.assertTrue(self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-6")["agrees"])
        self.expect_json(0, "train", "data.txt", "n", "--set", "nonnegative", "--alpha", "0.01", "--tol", "1e-5")

    def test_what_breaks_the_rules_is_said(self):
        run = ["train", "data.txt", "x"]
        self.expect_error(*run, "--standardise", "maybe", says="yes")
        self.expect_error(*run, "--free-features", "0", says="from 1 up")
        self.expect_error(*run, "--free-features", "1,", says="from 1 up")
        self.expect_error(*run, "--free-features", "4", says="feature number 4")
        self.expect_error(*run, "--free-features", "1", "--solver", "sequential", says="free features")
        self.expect_error(*run, "--standardise", "yes", "--set", "trace", says="standardise")
        self.expect_error(*run, "--free-features", "1", "--set", "trace", says="free_features")
        self.expect_error(*run, "--penalty-weight", "-", says="a file")
        self.assertNotIn("x", self.files())

    def test_paths_and_cross_validation_take_them(self):
        options = ["--loss", "logistic", "--standardise", "yes", "--free-features", "2", "--intercept", "yes"]
        path = self.expect_json(0, "path", "data.txt", "--radii", "0.1,1", "--model", "m", *options)
        self.assertGreater(path["points"][1]["accuracy"], 0.6)
        self.assertTrue(self.expect_json(0, "certify", "data.txt", "m")["agrees"])
        self.expect_json(0, "cv", "data.txt", "n", "--radii", "0.1,1", *options)
        self.assertIn("standardise 1", self.read("n"))


class Liblinear(ToolTest):
    """By hand: |w|_1 + C sum_i loss_i is C n times our loss, plus alpha |w|_1 with alpha = 1 / (C n)."""

    def setUp(self):
        super().setUp()
        self.write("data.txt", uneven(60))

    def test_cost_is_the_penalty_said_otherwise(self):
        for kind, loss, factor in [("6", "logistic", 1), ("5", "squared_hinge", 2)]:
            own = self.expect_json(0, "train", "data.txt", "m", "--loss", loss, "--ridge", "0", "--tol", "1e-6",
                                   "--alpha", repr(1 / (factor * 0.5 * 60)))
            theirs = self.expect_json(0, "train", "-s", kind, "-c", "0.5", "--tol", "1e-6", "data.txt", "n")
            self.assertEqual(own["certificate"], theirs["certificate"])
            self.assertAlmostEqual(theirs["penalised"]["alpha"], 1 / (factor * 0.5 * 60), places=15)

    def test_weights_of_classes(self):
        own = self.expect_json(0, "train", "data.txt", "m", "--loss", "logistic", "--ridge", "0", "--class-weight", "1,3",
                               "--alpha", repr(1 / sum(3 if line[0] != "-" else 1 for line in
                                                       self.read("data.txt").splitlines())))
        theirs = self.expect_json(0, "train", "-s", "6", "-w1", "3", "-w-1", "1", "data.txt", "n")
        self.assertAlmostEqual(own["certificate"]["primal"], theirs["certificate"]["primal"], places=9)
        self.expect_error("train", "-s", "6", "-w7", "3", "data.txt", "x", says="label 7")

    def test_the_line_of_the_readme(self):
        out = self.run_tool("train", "-s", "5", "-c", "1", "-B", "1", "-v", "5", "-q", "data.txt")
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertRegex(out.stdout.decode(), r"^Cross Validation Accuracy = [0-9.]+%\n$")
        self.assertIn("not penalised", out.stderr.decode())
        with_r = self.run_tool("train", "-s", "5", "-c", "1", "-B", "1", "-R", "-v", "5", "-q", "data.txt")
        self.assertEqual(with_r.stderr, b"")
        self.assertEqual(with_r.stdout, out.stdout)

    def test_what_means_something_else_is_said(self):
        run = ["train", "data.txt", "x"]
        self.expect_error(*run, "-s", "1", says="l2 norm")
        self.expect_error(*run, "-c", "1", says="with -s")
        self.expect_error(*run, "-s", "5", "-c", "0", says="> 0")
        self.expect_error(*run, "-s", "5", "--radius", "3", says="one of the two")
        self.expect_error(*run, "-s", "5", "-C", says="pdbfw cv")
        self.expect_error(*run, "-s", "5", "-p", "0.1", says="huber")
        self.expect_error(*run, "-s", "5", "-v", "1", says="2 .. 1,000")
        self.expect_error(*run, "-s", "5", "-v", "5", says=["MODEL: 'x' breaks the rule: none", "which writes no model"])
        self.expect_error(*run, "-s", "5", "--set", "trace", says="trace")
        self.assertNotIn("x", self.files())
        out = self.run_tool("train", "data.txt", "y", "-s", "6", "-e", "0.1", "-n", "2")
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertIn("-e 0.1 has no say", out.stderr.decode())


if __name__ == "__main__":
    unittest.main()
