"""An intercept, class weights, sample weights and a penalty from the command line, and through model files."""

import random
import unittest

from tool import ToolTest


def uncentred(rows=120, seed=1):
    """Two features around 10, labels by their difference and a shift; one label is rare."""
    rng = random.Random(seed)
    lines = []
    for _ in range(rows):
        a, b = 10 + rng.gauss(0, 1), 10 + rng.gauss(0, 1)
        lines.append(f"{1 if a - b > 1 else -1} 1:{a:.6f} 2:{b:.6f}")
    return "\n".join(lines) + "\n"


class Intercept(ToolTest):
    def setUp(self):
        super().setUp()
        self.text = uncentred()
        self.write("data.txt", self.text)

    def test_is_learnt_stored_certified_and_used(self):
        report = self.expect_json(0, "train", "data.txt", "m", "--intercept", "yes", "--loss", "logistic", "--tol", "1e-8")
        self.assertEqual(report["settings"]["intercept"], "yes")
        self.assertLess(report["solution"]["intercept"], -0.1)
        without = self.expect_json(0, "train", "data.txt", "n", "--loss", "logistic", "--tol", "1e-8")
        self.assertLess(report["certificate"]["primal"], without["certificate"]["primal"])
        self.assertNotIn("intercept", without["solution"])
        again = self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-8")
        self.assertAlmostEqual(again["certificate"]["primal"], report["certificate"]["primal"], places=12)
        self.assertIn("learns_intercept 1", self.read("m"))
        self.assertIn("an intercept", self.run_tool("train", "data.txt", "o", "--intercept", "yes").stdout.decode())
        scores = self.run_tool("predict", "data.txt", "m", "scores", "--scores")
        self.assertEqual(scores.returncode, 0, scores.stderr)

    def test_weights_of_two_are_rows_twice_and_of_zero_are_rows_left_out(self):
        lines = self.text.splitlines()
        weights = [index % 3 for index in range(len(lines))]
        self.write("weights", "".join(f"{weight}\n" for weight in weights))
        self.write("copies.txt", "".join((line + "\n") * weight for line, weight in zip(lines, weights)))
        options = ["--intercept", "yes", "--ridge", "5/n", "--tol", "1e-9"]
        by_weight = self.expect_json(0, "train", "data.txt", "m", "--sample-weight", "weights", *options)
        by_copies = self.expect_json(0, "train", "copies.txt", "n", *options)
        for place in [("certificate", "primal"), ("problem", "ridge")]:
            self.assertAlmostEqual(by_weight[place[0]][place[1]], by_copies[place[0]][place[1]], places=9)
        self.assertAlmostEqual(by_weight["solution"]["intercept"], by_copies["solution"]["intercept"], places=3)
        self.expect_error("certify", "data.txt", "m", says="the file of weights")
        again = self.expect_json(0, "certify", "data.txt", "m", "--sample-weight", "weights", "--tol", "1e-9")
        self.assertAlmostEqual(again["certificate"]["primal"], by_weight["certificate"]["primal"], places=12)

    def test_balanced_classes_weigh_the_same(self):
        labels = [line.split()[0] for line in self.text.splitlines()]
        ones = labels.count("1")
        balanced = self.expect_json(0, "train", "data.txt", "m", "--class-weight", "balanced", "--tol", "1e-9")
        weights = f"{len(labels) / (2 * (len(labels) - ones))},{len(labels) / (2 * ones)}"
        by_hand = self.expect_json(0, "train", "data.txt", "n", "--class-weight", weights, "--tol", "1e-9")
        self.assertAlmostEqual(balanced["certificate"]["primal"], by_hand["certificate"]["primal"], places=9)
        self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-9")
        self.expect_json(0, "certify", "data.txt", "n", "--tol", "1e-9")

    def test_a_penalty_has_its_radius_and_its_proof(self):
        options = ["--loss", "logistic", "--ridge", "0.01", "--tol", "1e-6"]
        report = self.expect_json(0, "train", "data.txt", "m", "--alpha", "0.05", "--intercept", "yes", *options)
        self.assertLessEqual(report["penalised"]["certificate"]["relative_gap"], 1e-6)
        self.assertAlmostEqual(report["solution"]["multiplier"], 0.05, places=3)
        radius = report["problem"]["radius"]
        ball = self.expect_json(0, "train", "data.txt", "n", "--radius", repr(radius), "--intercept", "yes", *options)
        self.assertAlmostEqual(ball["certificate"]["primal"], report["certificate"]["primal"], places=6)
        self.assertIn(f"radius {radius}", self.read("m"))
        self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-4")
        self.assertIn("penalised", self.run_tool("train", "data.txt", "o", "--alpha", "0.05").stdout.decode())
        run = ["train", "data.txt", "x.model"]
        self.expect_error(*run, "--alpha", "0", says="alpha")
        self.expect_error(*run, "--alpha", "1", "--radius", "2", says="one of the two")
        self.expect_error(*run, "--alpha", "1", "--set", "simplex", says="alpha")
        self.expect_error(*run, "--alpha", "1", "--set", "trace", says="alpha")

    def test_what_is_wrong_is_said(self):
        self.write("few", "1\n2\n")
        self.write("below", "-1\n" * 120)
        self.write("words", "one\n")
        self.write("numbers.txt", "1.5 1:1\n2.5 1:2\n")
        self.write("one.txt", "1 1:1\n1 1:2\n")
        run = ["train", "data.txt", "x.model"]
        self.expect_error(*run, "--intercept", "maybe", says="yes")
        self.expect_error(*run, "--intercept", "yes", "--solver", "sequential", says="learns an intercept")
        self.expect_error(*run, "--intercept", "yes", "--set", "trace", says="intercept")
        self.expect_error(*run, "--class-weight", "1", says="two finite numbers")
        self.expect_error(*run, "--class-weight", "1,-2", says="two finite numbers")
        self.expect_error("train", "numbers.txt", "x.model", "--loss", "squared", "--class-weight", "balanced", says="class_weight")
        self.expect_error(*run, "--sample-weight", "few", says="120 samples")
        self.expect_error(*run, "--sample-weight", "below", says="sample 1")
        self.expect_error(*run, "--sample-weight", "words", says="words:1:1")
        self.expect_error(*run, "--sample-weight", "nowhere", says="nowhere")
        self.expect_error(*run, "--sample-weight", "-", says="standard input")
        self.expect_error("train", "one.txt", "x.model", "--intercept", "yes", says="one.txt")
        self.assertNotIn("x.model", self.files())


if __name__ == "__main__":
    unittest.main()
