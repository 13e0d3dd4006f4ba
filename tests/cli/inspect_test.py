"""pdbfw weights, info, generate, solvers, demo, reference and the help."""

import subprocess
import unittest

from tool import PDBFW, ToolTest, random_data

COMMANDS = ["train", "predict", "certify", "weights", "info", "convert", "features", "split", "generate", "solvers", "demo",
            "reference"]
KINDS = ["features random-binning", "features random-fourier", "features polynomial", "features normalise"]


class Weights(ToolTest):
    def setUp(self):
        super().setUp()
        # Ties, both signs, and a number that needs all of its 17 digits.
        self.write("m", "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 6\nbias -1\nw\n"
                        "0.5\n-0.5\n0\n0.10000000000000002\n-3\n0.5\n")

    def test_largest_first_ties_by_index_17_digits(self):
        self.assertEqual(self.expect(0, "weights", "m"),
                         "5\t-3\n1\t0.5\n2\t-0.5\n6\t0.5\n4\t0.10000000000000002\n")

    def test_top(self):
        self.assertEqual(self.expect(0, "weights", "m", "--top", "2"), "5\t-3\n1\t0.5\n")

    def test_weights_are_those_of_the_model(self):
        self.write("data.txt", random_data())
        report = self.expect_json(0, "train", "data.txt", "n")
        rows = [line.split("\t") for line in self.expect(0, "weights", "n").splitlines()]
        self.assertEqual(len(rows), report["solution"]["nonzeros"])
        self.assertAlmostEqual(sum(abs(float(w)) for _, w in rows), report["solution"]["l1_norm"], places=10)

    def test_a_closed_pipe_ends_quietly(self):
        weights = "\n".join(["0.25"] * 200000)
        self.write("big", f"solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 200000\nbias -1\nw\n{weights}\n")
        for ignores_pipe in [False, True]:
            with subprocess.Popen([PDBFW, "weights", "big"], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, restore_signals=not ignores_pipe) as process:
                process.stdout.readline()
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")


class Info(ToolTest):
    def test_small_data(self):
        self.write("data.txt", "1 1:3 4:4\n-1\n1 2:1\n")
        report = self.expect_json(0, "info", "data.txt")
        self.assertEqual((report["rows"], report["features"], report["used_features"], report["nonzeros"]), (3, 4, 3, 3))
        self.assertEqual(report["density"], 0.25)
        self.assertEqual(report["row_nonzeros"], {"min": 0, "mean": 1, "max": 2})
        self.assertEqual(report["empty_rows"], 1)
        self.assertEqual(report["row_norm"], {"min": 0, "max": 5})
        self.assertEqual(report["targets"]["classes"], [{"value": -1, "rows": 1}, {"value": 1, "rows": 2}])
        self.assertEqual((report["index_bits"], report["value_bits"]), (32, 64))
        text = self.expect(0, "info", "data.txt", "--values", "float32")
        for words in ["3, 1 without features", "4, 3 occur", "density 0.25", "2 classes: -1 (1 x) 1 (2 x)", "float32"]:
            self.assertIn(words, text)

    def test_many_targets_are_a_range(self):
        self.write("data.txt", "".join(f"{k / 8} 1:1\n" for k in range(30)))
        report = self.expect_json(0, "info", "data.txt")
        self.assertEqual(report["targets"], {"min": 0, "max": 3.625})
        self.assertIn("0 to 3.625", self.expect(0, "info", "data.txt"))


class Generate(ToolTest):
    SMALL = ["--rows", "50", "--features", "300", "--row-nonzeros", "8", "--support", "5"]

    def test_shape_and_truth(self):
        self.expect(0, "generate", "data.txt", *self.SMALL, "--truth", "truth.txt")
        report = self.expect_json(0, "info", "data.txt")
        self.assertEqual(report["rows"], 50)
        self.assertLessEqual(report["features"], 300)
        self.assertAlmostEqual(report["row_norm"]["max"], 1, places=6)
        self.assertEqual(len(report["targets"]["classes"]), 2)
        truth = [line.split("\t") for line in self.read("truth.txt").splitlines()]
        self.assertEqual(len(truth), 5)
        sizes = [abs(float(weight)) for _, weight in truth]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_seed_decides_and_standard_output_is_the_default(self):
        first = self.expect(0, "generate", *self.SMALL, "--seed", "3")
        self.assertEqual(self.expect(0, "generate", "-", *self.SMALL, "--seed", "3"), first)
        self.assertNotEqual(self.expect(0, "generate", *self.SMALL, "--seed", "4"), first)

    def test_few_features_are_enough_for_what_was_not_asked_for(self):
        self.expect(0, "generate", "data.txt", "--rows", "20", "--features", "7", "--truth", "truth.txt")
        self.assertLessEqual(self.expect_json(0, "info", "data.txt")["features"], 7)
        self.assertEqual(len(self.read("truth.txt").splitlines()), 7)
        self.expect_error("generate", "data.txt", "--features", "7", "--support", "8")
        self.expect_error("generate", "data.txt", "--features", "7", "--row-nonzeros", "8")

    def test_pipe_into_train(self):
        data = self.expect(0, "generate", *self.SMALL)
        self.expect(0, "train", "-", "m", "--quiet", stdin=data.encode())

    def test_regression(self):
        self.expect(0, "generate", "data.txt", *self.SMALL, "--regression")
        self.assertNotIn("classes", self.expect_json(0, "info", "data.txt")["targets"])

    def test_bad_recipes(self):
        for flag, value in [("--rows", "0"), ("--rows", "-5"), ("--rows", "many"), ("--rows", "1e3"),
                            ("--rows", ""), ("--noise", "x"), ("--features", "0"),
                            ("--row-nonzeros", "nan"), ("--support", "-1"), ("--noise", "-1"), ("--seed", "-1")]:
            with self.subTest(flag=flag, value=value):
                message = self.expect_error("generate", "data.txt", flag, value)
                self.assertIn(flag.strip("-").replace("-", "_") + ": ", message)
                self.assertIn(" breaks the rule: ", message)


class Demo(ToolTest):
    def test_shows_everything_and_writes_nothing(self):
        done = self.run_tool("demo")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        for words in ["minimise", "converged", "certificate", "non-zeros", "training rows", "never seen", "pass pairs",
                      "learnt", "planted", "pdbfw train"]:
            self.assertIn(words, done.stdout.decode())
        self.assertTrue(done.stdout.isascii())
        self.assertEqual(self.files(), [])


class Solvers(ToolTest):
    def test_json_describes_every_solver(self):
        solvers = self.expect_json(0, "solvers")["solvers"]
        names = [solver["name"] for solver in solvers]
        self.assertEqual(names[:5], ["auto", "sequential", "working_set", "sharded", "pdbfw"])
        for solver in solvers:
            self.assertEqual(list(solver),
                             ["name", "family", "summary", "reference", "losses", "sets", "takes_polytopes", "takes_intercept",
                              "takes_free_features", "takes_streamed", "takes_team", "needs_ridge",
                              "options"])
            for key in ["name", "summary", "reference", "losses", "sets"]:
                self.assertTrue(solver[key], solver)
        self.assertEqual({solver["family"] for solver in solvers}, {"sparse", "low rank"})
        by_name = {solver["name"]: solver for solver in solvers if solver["family"] == "sparse"}
        self.assertEqual(by_name["auto"]["options"], [])
        self.assertFalse(by_name["auto"]["needs_ridge"])
        self.assertEqual(by_name["pdbfw"]["options"], ["steps", "block_primal", "block_dual", "block_rule", "eta", "delta"])
        self.assertTrue(by_name["pdbfw"]["needs_ridge"])

    def test_table_has_a_line_for_every_solver(self):
        lines = self.expect(0, "solvers").splitlines()
        solvers = self.expect_json(0, "solvers")["solvers"]
        self.assertEqual([line.split()[0] for line in lines], ["solver"] + [solver["name"] for solver in solvers])
        for line, solver in zip(lines[1:], solvers):
            self.assertIn("  > 0 " if solver["needs_ridge"] else "  >= 0 ", line)
            self.assertIn(solver["reference"], line)
            self.assertTrue(line.endswith(solver["summary"]), line)

    def test_what_is_said_to_be_refused_is_refused(self):
        self.write("data.txt", random_data(rows=20))
        for solver in self.expect_json(0, "solvers")["solvers"]:
            arguments = ["train", "data.txt", "m", "--solver", solver["name"], "--max-iterations", "1", "--quiet",
                         *(["--set", "trace", "--loss", "multiclass_hinge"] if solver["family"] == "low rank" else [])]
            if solver["needs_ridge"]:
                self.expect_error(*arguments, "--ridge", "0", says=f"> 0 for the solver {solver['name']}")
            else:
                self.assertIn(self.run_tool(*arguments, "--ridge", "0").returncode, (0, 2))
            for option, value in [("steps", "theory"), ("block_primal", "3"), ("block_dual", "3"), ("block_rule", "cyclic"), ("eta", "0.5"),
                                  ("delta", "1"), ("step_scale", "2")]:
                flag = "--" + option.replace("_", "-")
                if option in solver["options"]:
                    # What belongs to the steps of a theorem is refused without them.
                    theory = ["--steps", "theory"] if solver["name"] == "pdfw" and option != "steps" else []
                    self.assertIn(self.run_tool(*arguments, flag, value, *theory).returncode, (0, 2), (solver, option))
                    if theory:
                        self.expect_error(*arguments, flag, value, says="only for the solver pdfw with theory's steps")
                else:
                    self.expect_error("train", "none.txt", *arguments[3:5], *arguments[8:], flag, value,
                                      says=f"{option}: '{value}' breaks the rule: only for --solver ")


class Help(ToolTest):
    def test_help_of_every_command_has_an_example(self):
        for command in [*COMMANDS, *KINDS]:
            for flag in ["--help", "-h"]:
                text = self.expect(0, *command.split(), flag)
                self.assertIn(f"Example:\n  pdbfw {command}", text)
        text = self.expect(0, "--help")
        for command in COMMANDS:
            self.assertIn(f"  {command} ", text)

    def test_version(self):
        self.assertRegex(self.expect(0, "--version"), r"^pdbfw \d+\.\d+\.\d+\n$")

    def test_reference_has_every_flag_of_the_help(self):
        reference = self.expect(0, "reference")
        for command in [*COMMANDS, *KINDS]:
            self.assertIn(f"### pdbfw {command}\n", reference)
            for word in self.expect(0, *command.split(), "--help").split():
                if word.startswith("--") and len(word) > 2 and word.strip("-").isalpha():
                    self.assertIn(word.split(",")[-1], reference + "--help")
        rows = [line for line in reference.splitlines() if line.startswith("| `radius`")]
        self.assertEqual(len(rows), 1)
        self.assertIn("`--radius`", rows[0])
        self.assertIn("`100`", rows[0])


if __name__ == "__main__":
    unittest.main()
