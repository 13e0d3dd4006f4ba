"""pdbfw certify: the proof once more, from data and model alone."""

import resource
import unittest

from tool import TINY, ToolTest, random_data


class Certify(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.trained = self.expect_json(0, "train", "data.txt", "m", "--tol", "1e-6", "--radius", "5")

    def test_agrees_with_the_training(self):
        report = self.expect_json(0, "certify", "data.txt", "m")
        self.assertEqual(list(report), ["certificate", "proof", "is_in_set", "stored", "agrees"])
        self.assertTrue(report["is_in_set"])
        self.assertEqual(report["stored"], self.trained["certificate"])
        self.assertTrue(report["agrees"])
        self.assertAlmostEqual(report["certificate"]["primal"], self.trained["certificate"]["primal"], places=12)
        self.assertLessEqual(report["certificate"]["relative_gap"], 1e-6)

    def test_text(self):
        text = self.expect(0, "certify", "data.txt", "m")
        for words in ["primal", "dual", "gap", "relative gap", "violation", "agrees"]:
            self.assertIn(words, text)

    def test_tol_decides_the_exit_code(self):
        self.expect(0, "certify", "data.txt", "m", "--tol", "1e-6")
        self.expect_json(0, "train", "data.txt", "rough", "--tol", "0.1", "--radius", "5", "--solver", "pdbfw")
        self.expect(2, "certify", "data.txt", "rough", "--tol", "1e-9")

    def test_other_data_are_noticed(self):
        self.write("other.txt", random_data(seed=1))
        report = self.expect_json(0, "certify", "other.txt", "m")
        self.assertFalse(report["agrees"])
        self.assertGreater(report["certificate"]["relative_gap"], 1e-6)
        self.assertIn("differs", self.expect(0, "certify", "other.txt", "m"))

    def test_a_tampered_weight_is_noticed(self):
        lines = self.read("m").splitlines()
        at = next(k for k, line in enumerate(lines) if line.startswith("weights ")) + 1
        lines[at] = " ".join(lines[at].split()[:2]) + " 400"
        self.write("m", "\n".join(lines) + "\n")
        report = self.expect_json(2, "certify", "data.txt", "m", "--tol", "1e-3")
        self.assertFalse(report["agrees"])
        self.assertGreater(report["certificate"]["violation"], 1)

    def test_a_point_outside_the_set_is_not_proven(self):
        for tol in [[], ["--tol", "1e-3"]]:
            report = self.expect_json(2, "certify", "data.txt", "m", "--radius", "1", *tol)
            self.assertGreater(report["certificate"]["violation"], 3)
            self.assertFalse(report["is_in_set"])
            self.assertIsNone(report["agrees"])
        text = self.expect(2, "certify", "data.txt", "m", "--radius", "1", "--tol", "1e-3")
        for words in ["NOT in the set of radius 1", "proves nothing", "not compared"]:
            self.assertIn(words, text)

    def test_a_violation_that_the_model_does_not_state_differs(self):
        # A smaller radius and the same weights: the objective is the same, and the gap is smaller than stated.
        self.write("m", self.read("m").replace("radius 5\n", "radius 1\n"))
        report = self.expect_json(2, "certify", "data.txt", "m")
        self.assertFalse(report["agrees"])

    def test_what_the_model_states_is_not_compared_with_another_problem(self):
        for option in [["--loss", "logistic"], ["--radius", "50"], ["--ridge", "1"], ["--smoothing", "0.5"]]:
            self.assertIsNone(self.expect_json(0, "certify", "data.txt", "m", *option)["agrees"])
            self.assertIn("not compared", self.expect(0, "certify", "data.txt", "m", *option))

    def test_infinite_values_never_agree(self):
        # The square of such a weight overflows, and an infinite slack would allow anything.
        lines = self.read("m").replace("radius 5\n", "radius 1e201\n").splitlines()
        at = next(k for k, line in enumerate(lines) if line.startswith("weights ")) + 1
        lines[at] = " ".join(lines[at].split()[:2]) + " 1e200"
        self.write("m", "\n".join(lines) + "\n")
        self.assertFalse(self.expect_json(0, "certify", "data.txt", "m")["agrees"])

    def test_width_of_the_data_may_differ(self):
        # A column of zeros more changes nothing; a model that is wider than the data neither.
        text = self.read("data.txt").splitlines()
        text[0] += " 70:0"
        self.write("wide.txt", "\n".join(text))
        self.assertTrue(self.expect_json(0, "certify", "wide.txt", "m")["agrees"])
        self.expect(0, "train", "wide.txt", "w", "--tol", "1e-6", "--radius", "5", "--quiet")
        self.assertTrue(self.expect_json(0, "certify", "data.txt", "w", "--tol", "1e-6")["agrees"])

    def test_fewer_rows_cannot_use_the_stored_proof(self):
        self.write("half.txt", "\n".join(self.read("data.txt").splitlines()[:100]))
        report = self.expect_json(0, "certify", "half.txt", "m")
        self.assertEqual(report["proof"], "derived")

    def test_regression(self):
        self.write("numbers.txt", random_data(regression=True))
        self.expect(0, "train", "numbers.txt", "r", "--loss", "huber", "--huber-width", "0.3", "--quiet")
        self.assertTrue(self.expect_json(0, "certify", "numbers.txt", "r", "--tol", "1e-4")["agrees"])

    def test_liblinear_model_needs_radius_and_ridge(self):
        options = ["--loss", "squared_hinge", "--radius", "5", "--ridge", "1/n", "--tol", "1e-8"]
        self.expect(0, "train", "data.txt", "lib", *options, "--format", "liblinear", "--quiet")
        self.expect_error("certify", "data.txt", "lib", says=["lib", "--radius", "--ridge"])
        report = self.expect_json(0, "certify", "data.txt", "lib", "--radius", "5", "--ridge", "1/n", "--tol", "1e-3")
        self.assertIsNone(report["stored"])
        self.assertIsNone(report["agrees"])

    def test_a_model_that_states_no_certificate(self):
        lines = self.read("m").splitlines()
        at = lines.index("certificates 1")
        del lines[at:at + 2]
        self.write("bare", "\n".join(lines) + "\n")
        report = self.expect_json(0, "certify", "data.txt", "bare", "--tol", "1e-6")
        self.assertIsNone(report["stored"])
        self.assertAlmostEqual(report["certificate"]["primal"], self.trained["certificate"]["primal"], places=12)
        self.assertIn("states none", self.expect(0, "certify", "data.txt", "bare"))

    def test_features_that_nothing_uses_cost_nothing(self):
        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        if self.run_tool("--version", preexec_fn=little_memory).returncode != 0:
            self.skipTest("a sanitized tool needs more address space than this to start")
        for features in [300000000, 10**15]:
            self.write("wide", self.read("m").replace("features 50\n", f"features {features}\n"))
            report = self.expect_json(0, "certify", "data.txt", "wide", "--tol", "1e-6", preexec_fn=little_memory)
            self.assertTrue(report["agrees"])

    def test_features_beyond_memory_name_the_model(self):
        wide = self.read("m").replace("features 50\n", f"features {10**15}\n")
        self.write("wide", wide.replace("set l1\n", "set simplex\n"))
        self.expect_error("certify", "data.txt", "wide", says=["wide", f"{10**15} features", "memory"])
        self.write("wide", wide[:wide.index("weights ")] + f"weights 1\n1 {10**15} 1\nend\n")
        self.expect_error("certify", "data.txt", "wide", says=["wide", f"{10**15} features", "memory"])

    def test_bias_cannot_be_certified(self):
        self.write("lib", "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n1\n-1\n0.5\n")
        self.write("tiny.txt", TINY)
        self.expect_error("certify", "tiny.txt", "lib", "--radius", "5", "--ridge", "1", says=["lib", "bias"])

    def test_quiet(self):
        self.assertEqual(self.expect(0, "certify", "data.txt", "m", "--quiet"), "")


if __name__ == "__main__":
    unittest.main()
