"""pdbfw path and pdbfw cv."""

import csv
import io
import unittest

from tool import ToolTest, random_data


class Path(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())

    def test_every_point_is_certified_and_as_good_as_a_solve_of_its_own(self):
        report = self.expect_json(0, "path", "data.txt", "out.csv", "--points", "5", "--ridge", "5/n", "--tol", "1e-6")
        self.assertEqual(len(report["points"]), 5)
        rows = list(csv.DictReader(io.StringIO(self.read("out.csv"))))
        self.assertEqual([float(row["radius"]) for row in rows], [point["radius"] for point in report["points"]])
        for point in report["points"]:
            self.assertLessEqual(point["certificate"]["relative_gap"], 1e-6)
            alone = self.expect_json(0, "train", "data.txt", "m", "--radius", repr(point["radius"]), "--ridge", "5/n", "--tol", "1e-6")
            self.assertAlmostEqual(alone["certificate"]["primal"], point["certificate"]["primal"], places=5)
        nonzeros = [point["nonzeros"] for point in report["points"]]
        self.assertLess(nonzeros[0], nonzeros[-1])

    def test_radii_may_be_given(self):
        report = self.expect_json(0, "path", "data.txt", "--radii", "3,1,0.5")
        self.assertEqual([point["radius"] for point in report["points"]], [3, 1, 0.5])
        self.assertIn("3 points", self.run_tool("path", "data.txt", "--radii", "3,1,0.5").stdout.decode())

    def test_penalties_from_the_data_or_given(self):
        options = ["--loss", "logistic", "--intercept", "yes", "--tol", "1e-5"]
        report = self.expect_json(0, "path", "data.txt", "--by", "alpha", "--points", "6", "--smallest", "0.05", *options)
        self.assertEqual(report["points"][0]["nonzeros"], 0)
        alphas = [point["multiplier"] for point in report["points"]]
        self.assertEqual(alphas, sorted(alphas, reverse=True))
        for point in report["points"]:
            self.assertLessEqual(point["certificate"]["relative_gap"], 1e-5)
        alone = self.expect_json(0, "train", "data.txt", "m", "--alpha", repr(alphas[3]), *options)
        self.assertAlmostEqual(alone["penalised"]["certificate"]["primal"],
                               report["points"][3]["certificate"]["primal"], places=4)
        given = self.expect_json(0, "path", "data.txt", "--alphas", f"{alphas[3]!r},{alphas[1]!r}", *options)
        self.assertEqual([point["multiplier"] for point in given["points"]], [alphas[1], alphas[3]])

    def test_a_path_of_penalties_ends_where_nothing_is_gained(self):
        run = ["path", "data.txt", "--by", "alpha", "--points", "16", "--smallest", "1e-9", "--loss", "logistic"]
        short, whole = self.expect_json(0, *run), self.expect_json(0, *run, "--early-stop", "no")
        self.assertEqual(len(whole["points"]), 16)
        self.assertLess(len(short["points"]), 16)

    def test_at_most_so_many_features(self):
        self.expect(0, "path", "data.txt", "--model", "m", "--most-features", "4", "--quiet")
        count = next(line for line in self.read("m").splitlines() if line.startswith("weights"))
        self.assertLessEqual(int(count.split()[1]), 4)
        self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-4")

    def test_cv_finds_a_radius_and_learns_with_it(self):
        report = self.expect_json(0, "cv", "data.txt", "m", "--points", "6", "--folds", "4", "--intercept", "yes")
        self.assertEqual(report["score"], "accuracy")
        self.assertEqual(len(report["of_fold"]), 4)
        self.assertEqual(report["radius"], report["best"])
        self.assertLessEqual(report["one_standard_error"], report["best"])
        self.assertIn(f"radius {report['radius']}", self.read("m"))
        again = self.expect_json(0, "certify", "data.txt", "m", "--tol", "1e-4")
        self.assertAlmostEqual(again["certificate"]["primal"], report["certificate"]["primal"], places=12)
        smaller = self.expect_json(0, "cv", "data.txt", "--points", "6", "--folds", "4", "--intercept", "yes", "--rule", "one_standard_error")
        self.assertEqual(smaller["radius"], report["one_standard_error"])
        text = self.run_tool("cv", "data.txt", "--points", "3").stdout.decode()
        self.assertIn("best", text)

    def test_cv_finds_a_penalty_and_learns_with_it(self):
        run = ["cv", "data.txt", "m", "--loss", "logistic", "--ridge", "0", "--folds", "4"]
        report = self.expect_json(0, *run, "--by", "alpha", "--points", "6", "--smallest", "0.01")
        self.assertEqual(len(report["alphas"]), 6)
        self.assertEqual(report["alphas"], sorted(report["alphas"], reverse=True))
        self.assertNotIn("radii", report)
        self.assertEqual(report["alpha"], report["best"])
        self.assertGreaterEqual(report["one_standard_error"], report["best"])
        self.assertLessEqual(report["largest_relative_gap"], 1e-4)
        alone = self.expect_json(0, "train", "data.txt", "m", "--loss", "logistic", "--ridge", "0", "--alpha", repr(report["alpha"]))
        self.assertEqual(alone["penalised"]["certificate"]["primal"], report["certificate"]["primal"])
        given = self.expect_json(0, *run, "--alphas", ",".join(map(repr, report["alphas"])))
        self.assertEqual(given["of_fold"], report["of_fold"])
        self.assertIn("every alpha of every fold", self.run_tool(*run, "--by", "alpha", "--points", "3").stdout.decode())

    def test_cv_of_numbers_and_of_groups(self):
        self.write("numbers.txt", random_data(regression=True))
        self.write("groups", "".join(f"{row // 10}\n" for row in range(200)))
        report = self.expect_json(0, "cv", "numbers.txt", "--loss", "squared", "--score", "r2", "--groups", "groups", "--points", "4")
        self.assertGreater(max(report["mean"]), 0)

    def test_what_is_wrong_is_said(self):
        self.write("few", "1\n2\n")
        for command in ("path", "cv"):
            self.expect_error(command, "data.txt", "--alphas", "1,0", says="> 0")
            self.expect_error(command, "data.txt", "--alphas", "1", "--radii", "3", says="one of the two")
            self.expect_error(command, "data.txt", "--alphas", "1", "--radius", "3", says="one of the two")
            self.expect_error(command, "data.txt", "--by", "alfa", says="alpha")
            self.expect_error(command, "data.txt", "--by", "alpha", "--set", "simplex", says="nonnegative")
            run = [command, "data.txt", "out"]
            self.expect_error(*run, "--points", "0", says="points")
            self.expect_error(*run, "--smallest", "2", says="smallest")
            self.expect_error(*run, "--radii", "1,-1", says="radii")
            self.expect_error(*run, "--radii", "1,", says="radii")
            self.expect_error(*run, "--radii", "x", says="radii")
            self.expect_error(*run, "--set", "trace", says="set")
        self.expect_error("path", "data.txt", "--most-features", "3", says="--model")
        self.expect_error("path", "data.txt", "--model", "m", "--most-features", "-1", says="most_features")
        self.expect_error("path", "data.txt", "data.txt", says="data.txt")
        self.expect_error("cv", "data.txt", "--folds", "1", says="folds")
        self.expect_error("cv", "data.txt", "--score", "beauty", says="score")
        self.expect_error("cv", "data.txt", "--rule", "worst", says="rule")
        self.expect_error("cv", "data.txt", "--groups", "few", says="groups")
        self.assertNotIn("out", self.files())


if __name__ == "__main__":
    unittest.main()
