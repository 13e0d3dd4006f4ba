"""pdbfw train --start: a model as the place to begin."""

import unittest

from tool import TINY, ToolTest, random_data


class Start(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.first = self.expect_json(0, "train", "data.txt", "old", "--radius", "5", "--tol", "1e-8")

    def test_at_the_optimum_there_is_almost_nothing_to_do(self):
        again = self.expect_json(0, "train", "data.txt", "new", "--radius", "5", "--start", "old")
        self.assertEqual(again["start"], "old: weights and proof")
        self.assertLessEqual(again["work"]["iterations"], 1)
        self.assertIsNone(self.first["start"])

    def test_another_radius_or_ridge_gives_the_same_answer_as_from_nothing(self):
        for solver in ["auto", "sequential", "working_set", "pdbfw"]:
            for options in [["--radius", "3"], ["--radius", "8"], ["--radius", "5", "--ridge", "10/n"]]:
                options = [*options, "--tol", "1e-7", "--solver", solver]
                cold = self.expect_json(0, "train", "data.txt", "cold", *options)["certificate"]
                warm = self.expect_json(0, "train", "data.txt", "warm", *options, "--start", "old")["certificate"]
                self.assertAlmostEqual(warm["primal"], cold["primal"], delta=2e-7 * cold["primal"])
                self.expect(0, "certify", "data.txt", "warm", "--tol", "1e-7", "--quiet")

    def test_the_summary_tells(self):
        self.assertRegex(self.expect(0, "train", "data.txt", "new", "--start", "old"),
                         r"(?m)^start +old: weights and proof$")
        self.assertNotIn("start", self.expect(0, "train", "data.txt", "new"))

    def test_a_model_may_be_replaced_by_its_successor(self):
        self.expect(0, "train", "data.txt", "old", "--radius", "4", "--start", "old", "--quiet")
        self.assertIn("radius 4\n", self.read("old"))

    def test_the_proof_is_of_use_only_for_as_many_rows(self):
        self.write("more.txt", random_data(rows=300))
        more = self.expect_json(0, "train", "more.txt", "new", "--radius", "5", "--start", "old")
        self.assertEqual(more["start"], "old: weights")
        self.expect(0, "train", "data.txt", "bare", "--radius", "5", "--no-proof", "--quiet")
        self.assertEqual(self.expect_json(0, "train", "data.txt", "new", "--start", "bare")["start"], "bare: weights")

    def test_a_narrower_model_is_padded_with_zeros(self):
        self.write("wide.txt", random_data(features=80))
        wide = self.expect_json(0, "train", "wide.txt", "new", "--radius", "5", "--tol", "1e-6", "--start", "old")
        self.assertEqual(wide["problem"]["d"], 80)
        cold = self.expect_json(0, "train", "wide.txt", "cold", "--radius", "5", "--tol", "1e-6")
        self.assertAlmostEqual(wide["certificate"]["primal"], cold["certificate"]["primal"], delta=1e-6)

    def test_a_wider_model_fits_if_its_weights_do(self):
        self.write("tiny.txt", TINY)
        model = self.read("old")
        narrow = model[:model.index("weights ")] + "weights 1\n1 2 0.5\nend\n"
        self.write("narrow", narrow.replace("features 50", "features 1000000000000"))
        self.assertEqual(self.expect_json(0, "train", "tiny.txt", "new", "--start", "narrow")["start"],
                         "narrow: weights")
        self.write("far", narrow.replace("1 2 0.5", "1 3 0.5"))
        self.expect_error("train", "tiny.txt", "other", "--start", "far",
                          says="far: a weight for feature 3 breaks the rule: none beyond the 2 features of the data")

    def test_labels_must_be_those_of_the_data(self):
        self.write("seven.txt", "7 1:1\n3 2:1\n")
        self.expect_error("train", "seven.txt", "--start", "old",
                          says="old: labels -1 and 1 breaks the rule: labels 3 and 7, as the data have them")
        self.expect_error("train", "data.txt", "--loss", "squared", "--start", "old",
                          says="old: labels -1 and 1 breaks the rule: no labels, as the data have them")
        self.expect(0, "train", "data.txt", "numbers", "--loss", "squared", "--quiet")
        self.expect_error("train", "data.txt", "--start", "numbers",
                          says="numbers: no labels breaks the rule: labels -1 and 1, as the data have them")
        self.expect(0, "train", "data.txt", "new", "--loss", "huber", "--start", "numbers", "--quiet")

    def test_liblinear_models_will_do(self):
        self.expect(0, "train", "data.txt", "foreign", "--loss", "logistic", "--format", "liblinear", "--quiet")
        report = self.expect_json(0, "train", "data.txt", "new", "--loss", "logistic", "--start", "foreign")
        self.assertEqual(report["start"], "foreign: weights")

    def test_standard_input(self):
        model = self.read("old").encode()
        self.assertEqual(self.expect_json(0, "train", "data.txt", "new", "--start", "-", stdin=model)["start"],
                         "standard input: weights and proof")
        self.expect_error("train", "-", "--start", "-", stdin=model,
                          says="start: '-' breaks the rule: a file when the data come from standard input")
        self.expect_error("train", "data.txt", "--start", "-", stdin=b"nonsense\n", says="standard input")

    def test_bad_files(self):
        self.expect_error("train", "data.txt", "--start", "missing", says="missing")
        self.expect_error("train", "data.txt", "--start", "data.txt", says="data.txt:1:1")
        self.write("short", self.read("old")[:-5])
        self.expect_error("train", "data.txt", "--start", "short", says="short:")
        self.expect_error("train", "data.txt", "--start", "old", "--trace", "old", says="trace")


class Multiplier(ToolTest):
    def test_is_positive_where_the_radius_binds_and_zero_where_it_does_not(self):
        self.write("data.txt", random_data())
        self.assertGreater(self.expect_json(0, "train", "data.txt", "--radius", "5")["solution"]["multiplier"], 0)
        self.assertEqual(self.expect_json(0, "train", "data.txt", "--radius", "1e6")["solution"]["multiplier"], 0)

    def test_is_how_fast_the_optimum_falls(self):
        self.write("data.txt", random_data())
        low, middle, high = (self.expect_json(0, "train", "data.txt", "--radius", radius, "--tol", "1e-10")
                             for radius in ["4.99", "5", "5.01"])
        fall = (low["certificate"]["primal"] - high["certificate"]["primal"]) / 0.02
        self.assertAlmostEqual(fall, middle["solution"]["multiplier"], delta=1e-2 * fall)


if __name__ == "__main__":
    unittest.main()
