"""pdbfw train: what it prints, writes and returns."""

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import shutil
import subprocess
import unittest

from tool import TINY, ToolTest, random_data


class Train(ToolTest):
    def test_solves_a_problem_known_by_hand(self):
        # Each feature has its own row, so x = (t, -t) where t minimises (1/2) (1 - t)^2 / 2 + (1/4) t^2: the default
        # loss is (1 - t)^2 / 2 on [0, 1], n = 2, ridge 1/n. Hence t = 1/2 and the objective is 2 (1/16 + 1/16).
        self.write("tiny.txt", TINY)
        report = self.expect_json(0, "train", "tiny.txt", "--tol", "1e-9")
        self.assertEqual(report["status"], "converged")
        self.assertAlmostEqual(report["certificate"]["primal"], 0.25, places=8)
        self.assertAlmostEqual(report["solution"]["l1_norm"], 1.0, places=3)

    def test_json_has_every_key(self):
        self.write("data.txt", random_data())
        report = self.expect_json(0, "train", "data.txt", "out.model", "--radius", "5", "--ridge", "10/n")
        keys = {
            "problem": ["n", "d", "nonzeros", "loss", "set", "radius", "ridge"],
            "certificate": ["primal", "dual", "gap", "relative_gap", "violation"],
            "solution": ["nonzeros", "l1_norm", "multiplier"],
            "work": ["iterations", "data_passes", "oracle_calls", "multiply_adds"],
            "seconds": ["load", "solve", "pass_pair"],
            # All of the table of fields, which the reference prints, and how the data are kept.
            "settings": [*re.findall(r"(?m)^\| `(\w+)` \| `--[\w-]+` \|", self.expect(0, "reference")), "values"],
        }
        for name, inner in keys.items():
            self.assertEqual(list(report[name]), inner)
        self.assertEqual(report["problem"] | {"nonzeros": 0},
                         {"n": 200, "d": 50, "nonzeros": 0, "loss": "smooth_hinge", "set": "l1", "radius": 5,
                          "ridge": 0.05})
        self.assertTrue(report["solver"])
        self.assertTrue(report["message"])
        self.assertLessEqual(report["certificate"]["relative_gap"], 1e-4)
        self.assertEqual(report["model"], "out.model")
        settings = report["settings"]
        self.assertEqual((settings["radius"], settings["ridge"], settings["tol"]), (5, "10/n", 1e-4))
        self.assertIsNone(settings["max_seconds"])
        self.assertIsNone(settings["huber_width"])
        self.assertIn("out.model", self.files())

    def test_json_states_what_the_research_solver_chose(self):
        self.write("data.txt", random_data())
        report = self.expect_json(0, "train", "data.txt", "--radius", "5", "--solver", "pdbfw")
        self.assertEqual(report["solver"], "pdbfw")
        for name in ["block_primal", "block_dual", "eta", "delta"]:
            self.assertIsInstance(report["settings"][name], (int, float), name)
        sequential = self.expect_json(0, "train", "data.txt", "--radius", "5", "--solver", "sequential")
        self.assertIsNone(sequential["settings"]["block_primal"])

    def test_summary_tells_the_essentials(self):
        self.write("data.txt", random_data())
        text = self.expect(0, "train", "data.txt", "--radius", "5")
        for words in ["200 rows", "50 features", "converged", "relative gap", "non-zeros", "l1 norm", "accuracy",
                      "data passes", "pass pairs", "data.txt.model"]:
            self.assertIn(words, text)
        self.assertNotIn("does not bind", text)
        self.assertIn("does not bind", self.expect(0, "train", "data.txt", "--radius", "1e6"))

    def test_a_radius_that_binds_is_never_said_not_to(self):
        # The optimum lies on the boundary, but runs that stop early are still inside.
        self.write("data.txt", random_data())
        options = ["--radius", "20", "--ridge", "1e-6", "--set"]
        self.assertGreater(self.expect_json(0, "train", "data.txt", *options, "l1")["solution"]["l1_norm"], 19.9)
        early = [*options, "l1", "--solver", "pdbfw"]
        self.assertNotIn("does not bind", self.expect(2, "train", "data.txt", *early, "--max-iterations", "3"))
        self.assertNotIn("does not bind", self.expect(0, "train", "data.txt", "--radius", "1e6", "--set", "simplex"))

    def test_regression_reports_the_error(self):
        self.write("data.txt", random_data(regression=True))
        self.assertIn("RMSE", self.expect(0, "train", "data.txt", "--loss", "squared"))
        fit = self.expect_json(0, "train", "data.txt", "--loss", "huber")["fit"]
        self.assertLess(fit["rmse"], 0.5)
        self.assertRegex(self.expect(0, "train", "data.txt", "--loss", "squared"), r"(?m)^fit +RMSE .*, R2 0\.")

    def test_zero_has_no_sign(self):
        self.write("data.txt", "0 1:1\n0 2:1\n")
        for arguments in [["train", "data.txt", "m", "--loss", "squared"], ["certify", "data.txt", "m"]]:
            self.assertNotRegex(self.expect(0, *arguments), r" -0\b")
            self.assertNotRegex(self.expect(0, *arguments, "--json"), r"-0(\.0)?\b(?![.e])")

    def test_quiet_prints_nothing(self):
        self.write("data.txt", random_data())
        done = self.run_tool("train", "data.txt", "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertEqual(self.files(), ["data.txt", "data.txt.model"])

    def test_every_loss_and_set_of_the_table_is_certified_or_refused(self):
        table = dict(re.findall(r"(?m)^\| `(loss|set)` \| `--\w+` \| (.*?) \| `", self.expect(0, "reference")))
        losses, sets = ([name.strip() for name in table[field].split("\\|")] for field in ("loss", "set"))
        self.write("labels.txt", random_data(rows=80))
        self.write("numbers.txt", random_data(rows=40, regression=True))
        certified = set()
        for data in ["labels.txt", "numbers.txt"]:
            for loss in losses:
                for set_name in sets:
                    with self.subTest(data=data, loss=loss, set=set_name):
                        arguments = ["train", data, "m", "--loss", loss, "--set", set_name, "--radius", 3]
                        done = self.run_tool(*arguments, "--json")
                        if done.returncode == 1:
                            self.assertRegex(done.stderr.decode(), rf"\Apdbfw: error: (loss|atoms|{data}(:\d+:\d+)?): .*\n\Z")
                            continue
                        self.assertEqual(done.returncode, 0, done.stderr.decode())
                        self.assertLess(json.loads(done.stdout)["certificate"]["violation"], 3e-9)
                        self.expect(0, "certify", data, "m", "--tol", "1.0001e-4")
                        certified.add((data, loss, set_name))
        for set_name in ["l1", "simplex", "nonnegative"]:
            of_labels = {loss for loss in losses if ("labels.txt", loss, set_name) in certified}
            self.assertGreaterEqual(of_labels, {"smooth_hinge", "squared_hinge", "logistic", "squared", "huber"})
            self.assertGreaterEqual({loss for loss in losses if ("numbers.txt", loss, set_name) in certified}, {"squared", "huber"})

    def test_same_seed_same_bytes_for_any_number_of_threads(self):
        self.write("data.txt", random_data())
        for model, threads in [("a", 1), ("b", 1), ("c", 3)]:
            self.expect(0, "train", "data.txt", model, "--seed", "7", "--threads", threads)
        self.assertEqual(self.read("a"), self.read("b"))
        self.assertEqual(self.read("a"), self.read("c"))

    def test_float32_values(self):
        self.write("data.txt", random_data())
        report = self.expect_json(0, "train", "data.txt", "m", "--values", "float32")
        self.assertEqual(report["settings"]["values"], "float32")
        self.assertEqual(self.expect_json(0, "train", "data.txt", "n")["settings"]["values"], "float64")
        self.expect(0, "certify", "data.txt", "m", "--values", "float32", "--tol", "1e-4")

    def test_a_leading_plus(self):
        self.write("data.txt", TINY)
        report = self.expect_json(0, "train", "data.txt", "--radius", "+5", "--ridge", "+2/n", "--seed", "+3")
        self.assertEqual([report["settings"][name] for name in ["radius", "ridge", "seed"]], [5, "2/n", 3])
        for value in ["+-5", "++5", "+"]:
            self.expect_error("train", "data.txt", "--radius", value, says=f"radius: '{value}' breaks the rule")
            self.expect_error("train", "data.txt", "--ridge", value, says="ridge: ")

    def test_last_of_a_repeated_option_counts(self):
        self.write("data.txt", TINY)
        self.assertEqual(self.expect_json(0, "train", "data.txt", "--radius", "1", "--radius=2")["problem"]["radius"], 2)


class Names(ToolTest):
    def test_model_is_named_after_the_data(self):
        (self.folder / "sub").mkdir()
        packed = {"plain": TINY.encode(), "a.b.txt.gz": gzip.compress(TINY.encode()),
                  "c.bz2": bz2.compress(TINY.encode()), "sub/d.txt.xz": lzma.compress(TINY.encode())}
        for name, content in packed.items():
            self.write(name, content)
            self.expect(0, "train", name, "--quiet")
        for model in ["plain.model", "a.b.txt.model", "c.model", "d.txt.model"]:
            self.assertIn(model, self.files())

    def test_standard_input_becomes_pdbfw_model(self):
        self.expect(0, "train", "-", "--quiet", stdin=TINY.encode())
        self.assertEqual(self.files(), ["pdbfw.model"])

    def test_compressed_standard_input(self):
        self.expect(0, "train", "-", "m", "--quiet", stdin=lzma.compress(TINY.encode()))
        self.assertEqual(self.files(), ["m"])

    @unittest.skipUnless(shutil.which("zstd"), "the zstd tool is not installed")
    def test_zstd(self):
        packed = subprocess.run(["zstd", "-c"], input=TINY.encode(), capture_output=True, check=True).stdout
        self.write("data.txt.zst", packed)
        self.expect(0, "train", "data.txt.zst", "--quiet")
        self.assertIn("data.txt.model", self.files())

    def test_model_to_standard_output(self):
        self.write("data.txt", TINY)
        done = self.run_tool("train", "data.txt", "-")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith(b"pdbfw-model 2\n"))
        self.assertIn(b"converged", done.stderr)
        self.assertEqual(self.files(), ["data.txt"])
        self.expect_error("train", "data.txt", "-", "--json", says=["MODEL", "--json"])

    def test_a_data_file_may_have_the_name_of_a_command(self):
        self.write("info", TINY)
        self.expect(0, "train", "info", "--quiet")
        self.assertIn("info.model", self.files())


class Formats(ToolTest):
    def test_odd_but_fine_text(self):
        self.write("data.txt", "# a comment\r\n\r\n+1 1:1 # one\r\n  \n-1\t2:1e0")
        self.assertEqual(self.expect_json(0, "train", "data.txt")["problem"]["n"], 2)

    def test_liblinear_model(self):
        self.write("data.txt", random_data())
        self.expect(0, "train", "data.txt", "native", "--loss", "logistic", "--quiet")
        self.expect(0, "train", "data.txt", "foreign", "--loss", "logistic", "--format", "liblinear", "--quiet")
        self.assertTrue(self.read("foreign").startswith("solver_type L2R_LR\n"))
        self.assertEqual(self.expect(0, "weights", "native"), self.expect(0, "weights", "foreign"))
        self.assertEqual(self.expect(0, "predict", "data.txt", "native"), self.expect(0, "predict", "data.txt", "foreign"))

    def test_model_without_proof_is_smaller_and_can_be_certified(self):
        self.write("data.txt", random_data())
        self.expect(0, "train", "data.txt", "with", "--tol", "1e-6", "--quiet")
        self.expect(0, "train", "data.txt", "without", "--tol", "1e-6", "--no-proof", "--quiet")
        self.assertLess(len(self.read("without")), len(self.read("with")))
        self.assertEqual(self.expect_json(0, "certify", "data.txt", "without")["proof"], "derived")

    def test_original_labels_come_back(self):
        self.write("data.txt", "7 1:1\n3 2:1\n")
        self.expect(0, "train", "data.txt", "m", "--quiet")
        self.assertEqual(self.expect(0, "predict", "data.txt", "m"), "7\n3\n")

    def test_trace_is_csv(self):
        self.write("data.txt", random_data())
        report = self.expect_json(0, "train", "data.txt", "--trace", "t.csv")
        rows = list(csv.DictReader(io.StringIO(self.read("t.csv"))))
        self.assertEqual(list(rows[0]), ["iteration", "seconds", "data_passes", "multiply_adds", "primal", "dual",
                                         "gap", "relative_gap", "nonzeros", "is_certified"])
        self.assertEqual(float(rows[-1]["relative_gap"]), report["certificate"]["relative_gap"])
        self.assertEqual(rows[-1]["is_certified"], "1")

    def test_json_is_one_object(self):
        self.write("data.txt", TINY)
        text = self.expect(0, "train", "data.txt", "--json")
        self.assertIsInstance(json.loads(text), dict)
        self.assertTrue(text.endswith("}\n"))


class Limits(ToolTest):
    """Stopped early: exit code 2, the model is written, the status says why, the certificate holds."""

    def check(self, status, *options):
        self.write("data.txt", random_data(rows=400))
        report = self.expect_json(2, "train", "data.txt", "m", "--tol", "1e-15", "--radius", "3", "--solver",
                                  "pdbfw", *options)
        self.assertEqual(report["status"], status)
        self.assertGreater(report["certificate"]["relative_gap"], 1e-15)
        again = self.expect_json(0, "certify", "data.txt", "m")
        self.assertTrue(again["agrees"])
        self.assertEqual(self.expect(2, "certify", "data.txt", "m", "--tol", "1e-15", "--quiet"), "")

    def test_iteration_limit(self):
        self.check("iteration_limit", "--max-iterations", "2")

    def test_pass_limit(self):
        self.check("pass_limit", "--max-passes", "3")

    def test_time_limit(self):
        self.check("time_limit", "--max-seconds", "1e-9")

    def test_stalled(self):
        self.write("data.txt", random_data())
        # One feature a step is too few for a model of several.
        report = self.expect_json(2, "train", "data.txt", "--solver", "pdbfw", "--block-primal", "1", "--tol", "1e-9")
        self.assertEqual(report["status"], "stalled")


if __name__ == "__main__":
    unittest.main()
