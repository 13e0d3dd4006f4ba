"""pdbfw predict."""

import json
import math
import unittest

from tool import TINY, ToolTest, random_data


class Predict(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.expect(0, "train", "data.txt", "m", "--loss", "logistic", "--quiet")

    def test_predictions_on_standard_output_and_accuracy_beside(self):
        done = self.run_tool("predict", "data.txt", "m")
        lines = done.stdout.decode().split()
        self.assertEqual(len(lines), 200)
        self.assertLessEqual(set(lines), {"1", "-1"})
        targets = [float(line.split()[0]) for line in self.read("data.txt").splitlines()]
        correct = sum(float(line) == target for line, target in zip(lines, targets))
        self.assertEqual(done.stderr.decode(), f"Accuracy = {correct / 2:.6g}% ({correct}/200)\n")

    def test_predictions_in_a_file_and_accuracy_on_standard_output(self):
        done = self.run_tool("predict", "data.txt", "m", "out")
        self.assertTrue(done.stdout.startswith(b"Accuracy = "))
        self.assertEqual(done.stderr, b"")
        self.assertEqual(self.read("out"), self.run_tool("predict", "data.txt", "m").stdout.decode())

    def test_scores_and_probabilities(self):
        labels = [float(line) for line in self.expect(0, "predict", "data.txt", "m").split()]
        scores = [float(line) for line in self.expect(0, "predict", "data.txt", "m", "--scores").split()]
        chances = [float(line) for line in self.expect(0, "predict", "data.txt", "m", "--probabilities").split()]
        for label, score, chance in zip(labels, scores, chances):
            self.assertEqual(label, 1 if score > 0 else -1)
            self.assertAlmostEqual(chance, 1 / (1 + math.exp(-score)), places=12)

    def test_probabilities_need_the_logistic_loss(self):
        self.expect(0, "train", "data.txt", "m", "--quiet")
        self.expect_error("predict", "data.txt", "m", "--probabilities", says=["smooth_hinge", "logistic"])

    def test_unknown_features_count_as_zero_and_are_reported(self):
        self.write("wide.txt", "1 1:1 51:7 90:1\n-1 90:2 1000:3\n")
        done = self.run_tool("predict", "wide.txt", "m")
        self.assertIn("3 features of the data are unknown to the model and count as zero weight", done.stderr.decode())
        self.write("narrow.txt", "1 1:1\n-1\n")
        scores = self.expect(0, "predict", "wide.txt", "m", "--scores")
        self.assertEqual(scores, self.expect(0, "predict", "narrow.txt", "m", "--scores"))
        self.assertEqual(self.expect_json(0, "predict", "wide.txt", "m")["unknown_features"], 3)

    def test_targets_that_are_no_labels_are_missed(self):
        self.write("other.txt", "5 1:1\n6.5 2:1\n")
        self.assertIn("Accuracy = 0% (0/2)", self.run_tool("predict", "other.txt", "m").stderr.decode())

    def test_json(self):
        report = self.expect_json(0, "predict", "data.txt", "m", "out")
        self.assertEqual(list(report), ["n", "accuracy", "correct", "unknown_features", "out"])
        self.assertEqual((report["n"], report["out"]), (200, "out"))
        self.assertEqual(report["correct"] / 200, report["accuracy"])
        self.assertIsNone(json.loads(self.expect(0, "predict", "data.txt", "m", "--json"))["out"])

    def test_data_or_model_on_standard_input(self):
        expected = self.expect(0, "predict", "data.txt", "m")
        self.assertEqual(self.expect(0, "predict", "-", "m", stdin=self.read("data.txt").encode()), expected)
        self.assertEqual(self.expect(0, "predict", "data.txt", "-", stdin=self.read("m").encode()), expected)

    def test_quiet(self):
        done = self.run_tool("predict", "data.txt", "m", "out", "--quiet")
        self.assertEqual((done.stdout, done.stderr), (b"", b""))

    def test_regression(self):
        self.write("numbers.txt", random_data(regression=True))
        self.expect(0, "train", "numbers.txt", "r", "--loss", "squared", "--radius", "20", "--tol", "1e-6", "--quiet")
        done = self.run_tool("predict", "numbers.txt", "r")
        self.assertRegex(done.stderr.decode(), r"^RMSE [0-9.]+, R2 0\.[0-9]+\n$")
        report = self.expect_json(0, "predict", "numbers.txt", "r")
        predicted = [float(line) for line in done.stdout.split()]
        targets = [float(line.split()[0]) for line in self.read("numbers.txt").splitlines()]
        error = math.sqrt(sum((p - t) ** 2 for p, t in zip(predicted, targets)) / len(targets))
        self.assertAlmostEqual(report["rmse"], error, places=12)

    def test_liblinear_model_with_bias(self):
        self.write("lib", "solver_type L2R_LR\nnr_class 2\nlabel 2 4\nnr_feature 2\nbias 1\nw\n1\n-1\n0.5\n")
        self.write("tiny.txt", TINY)
        self.assertEqual(self.expect(0, "predict", "tiny.txt", "lib", "--scores"), "1.5\n-0.5\n")
        self.assertEqual(self.expect(0, "predict", "tiny.txt", "lib"), "2\n4\n")

    def test_probabilities_are_those_of_the_larger_label_in_either_order(self):
        self.write("tiny.txt", "1 1:1\n0 2:1\n")
        chance = 1 / (1 + math.exp(-2))
        for labels, chances in [("1 0", [chance, 1 - chance]), ("0 1", [1 - chance, chance])]:
            self.write("lib", f"solver_type L2R_LR\nnr_class 2\nlabel {labels}\nnr_feature 2\nbias -1\nw\n2\n-2\n")
            found = [float(line) for line in self.expect(0, "predict", "tiny.txt", "lib", "--probabilities").split()]
            self.assertEqual([float(line) for line in self.expect(0, "predict", "tiny.txt", "lib").split()],
                             [1 if value > 0.5 else 0 for value in found])
            for value, expected in zip(found, chances):
                self.assertAlmostEqual(value, expected, places=12)


if __name__ == "__main__":
    unittest.main()
