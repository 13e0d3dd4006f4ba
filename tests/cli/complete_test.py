"""pdbfw complete: recovery of a matrix that is known, what is printed and written, and what is refused."""

import random
import unittest

from arrays import low_rank, read_npy, read_rows
from tool import ToolTest

ROWS, COLUMNS, RANK = 50, 40, 2
KEYS = ["status", "message", "solver", "problem", "certificate", "solution", "work", "means", "trials", "fit", "held_out",
        "test", "seconds", "model", "factors", "output"]


def rating_lines(matrix, share, seed=0, separator=" "):
    """Some of the entries as text, and those that were left out, as (row, column, value)."""
    rng = random.Random(seed)
    seen, hidden = [], []
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            (seen if rng.random() < share else hidden).append((f"user{i}", f"item {j}", value))
    if separator == " ":
        seen = [(i, j.replace(" ", "_"), v) for i, j, v in seen]
        hidden = [(i, j.replace(" ", "_"), v) for i, j, v in hidden]
    return "".join(separator.join([i, j, repr(v)]) + "\n" for i, j, v in seen), hidden


class Complete(ToolTest):
    def setUp(self):
        super().setUp()
        self.matrix = [[3 + 0.2 * (i % 5) + value for value in row] for i, row in enumerate(low_rank(ROWS, COLUMNS, RANK, 1))]
        text, self.hidden = rating_lines(self.matrix, 0.6)
        self.write("ratings.txt", text)
        self.write("hidden.txt", "".join(f"{i} {j} {v!r}\n" for i, j, v in self.hidden))

    def test_a_matrix_of_low_rank_is_found(self):
        # The spread of the entries is about 1; those that were not seen are found again to a tenth of it. The shrunk means
        # leave a little of themselves to the matrix, so its rank is 2 and up to 2 more, and some small ones.
        report = self.expect_json(0, "complete", "ratings.txt", "--test", "hidden.txt", "--tol", "1e-6")
        self.assertEqual(list(report), KEYS)
        self.assertLess(report["test"]["rmse"], 0.12)
        self.assertEqual(report["test"]["unknown"], 0)
        self.assertEqual(report["test"]["ratings"], len(self.hidden))
        self.assertLessEqual(report["certificate"]["relative_gap"], 1e-6)
        self.assertLess(report["solution"]["rank"], 12)
        self.assertGreater(len(report["trials"]), 5)
        best = min(report["trials"], key=lambda trial: trial["error"])
        self.assertEqual(best["radius"], report["problem"]["radius"])
        self.assertEqual(best["error"], report["held_out"]["rmse"])

    def test_a_given_radius_is_kept(self):
        report = self.expect_json(0, "complete", "ratings.txt", "--radius", "10")
        self.assertEqual(report["problem"]["radius"], 10)
        self.assertEqual(report["trials"], [])
        self.assertLessEqual(report["solution"]["trace_norm"], 10 * (1 + 1e-9))
        self.assertGreater(report["held_out"]["ratings"], 0)
        alone = self.expect_json(0, "complete", "ratings.txt", "--radius", "10", "--holdout", "0")
        self.assertIsNone(alone["held_out"])
        self.assertEqual(alone["fit"]["ratings"], report["fit"]["ratings"])
        self.assertAlmostEqual(alone["certificate"]["primal"], report["certificate"]["primal"], delta=1e-3)

    def test_factors_means_and_guesses_are_the_same_model(self):
        self.write("pairs.txt", "user3 item_4\nuser0 item_24\n")
        self.expect(0, "complete", "ratings.txt", "--radius", "20", "--predict", "pairs.txt", "--output", "out.txt",
                    "--factors", "found")
        names = [f"found.{name}" for name in ["U.npy", "V.npy", "column_means.npy", "columns.txt", "row_means.npy",
                                              "rows.txt", "s.npy"]]
        self.assertEqual([name for name in self.files() if name.startswith("found")], sorted(names))
        load = {name: (self.folder / f"found.{name}").read_bytes() for name in ["U.npy", "V.npy"]}
        U, V = read_rows(load["U.npy"]), read_rows(load["V.npy"])
        s, row_means, column_means = (read_npy((self.folder / f"found.{name}.npy").read_bytes())[0]
                                      for name in ["s", "row_means", "column_means"])
        rows, columns = self.read("found.rows.txt").splitlines(), self.read("found.columns.txt").splitlines()
        self.assertEqual((len(U), len(V)), (ROWS, COLUMNS))
        lines = [line.split("\t") for line in self.read("out.txt").splitlines()]
        self.assertEqual([line[:2] for line in lines], [["user3", "item_4"], ["user0", "item_24"]])
        for row, column, guess in lines:
            i, j = rows.index(row), columns.index(column)
            expected = row_means[i] + column_means[j] + sum(a * b * c for a, b, c in zip(U[i], s, V[j]))
            self.assertAlmostEqual(float(guess), expected, places=10)

    def test_a_model_file_has_it_all(self):
        self.expect(0, "complete", "ratings.txt", "--radius", "20", "--model", "m.model")
        text = self.read("m.model")
        for words in ["entries", "user3", "item_4"]:
            self.assertIn(words, text)
        self.expect(0, "complete", "ratings.txt", "--radius", "20", "--model", "small.model", "--no-proof")
        self.assertLess(len(self.read("small.model")), len(text) - 1000)

    def test_guesses_go_to_standard_output_and_can_be_clipped(self):
        self.write("pairs.txt", "user3 item_4\n")
        done = self.run_tool("complete", "ratings.txt", "--radius", "20", "--predict", "pairs.txt", "--clip", "9,10")
        self.assertEqual(done.stdout, b"user3\titem_4\t9\n")
        self.assertIn(b"certificate", done.stderr)

    def test_csv_and_matrix_market_are_the_same_ratings(self):
        text, _ = rating_lines(self.matrix, 0.6, separator=",")
        self.write("ratings.csv", "user,item,rating\n" + text)
        ids = {}, {}
        entries = []
        for line in text.splitlines():
            row, column, value = line.split(",")
            entries.append(f"{ids[0].setdefault(row, len(ids[0]) + 1)} {ids[1].setdefault(column, len(ids[1]) + 1)} {value}")
        self.write("ratings.mtx", f"%%MatrixMarket matrix coordinate real general\n{ROWS} {COLUMNS} {len(entries)}\n"
                   + "\n".join(entries) + "\n")
        values = [self.expect_json(0, "complete", name, "--radius", "8")["certificate"]["primal"]
                  for name in ["ratings.txt", "ratings.csv", "ratings.mtx"]]
        self.assertEqual(values[0], values[1])
        self.assertAlmostEqual(values[0], values[2], delta=1e-4 * abs(values[0]))

    def test_means_have_a_say(self):
        # Radius nearly 0: the guesses are the means alone. Of two rows with 4 ratings each, 1 and 3 about the mean 2,
        # shrunk by 5 entries: 2 -+ 4/9.
        self.write("two.txt", "".join(f"{row} {column} {value}\n" for row, value in [("a", 1), ("b", 3)] for column in "wxyz"))
        self.write("pairs.txt", "a w\nb z\n")
        options = ["complete", "two.txt", "--radius", "1e-9", "--holdout", "0", "--predict", "pairs.txt", "--quiet"]
        for means, expected in [("both", [2 - 4 / 9, 2 + 4 / 9]), ("rows", [2 - 4 / 9, 2 + 4 / 9]), ("columns", [2, 2]),
                                ("none", [0, 0])]:
            lines = self.expect(0, *options, "--means", means).splitlines()
            for line, value in zip(lines, expected):
                self.assertAlmostEqual(float(line.split("\t")[2]), value, places=6)

    def test_ids_that_are_new_in_a_test_get_the_means(self):
        self.write("later.txt", "user1 item_2 3\nnobody item_2 3\nuser1 nothing 3\n")
        report = self.expect_json(0, "complete", "ratings.txt", "--radius", "8", "--test", "later.txt")
        self.assertEqual((report["test"]["ratings"], report["test"]["unknown"]), (3, 2))

    def test_huber_is_not_led_astray(self):
        text, hidden = rating_lines(self.matrix, 0.6)
        lines = text.splitlines()
        wrong = random.Random(1).sample(range(len(lines)), 20)
        for k in wrong:
            lines[k] = " ".join(lines[k].split()[:2] + ["10"])
        self.write("wrong.txt", "\n".join(lines) + "\n")
        options = ["complete", "wrong.txt", "--test", "hidden.txt", "--radius", "60"]
        squared = self.expect_json(0, *options)["test"]["mae"]
        huber = self.expect_json(0, *options, "--loss", "huber", "--huber-width", "0.2")["test"]["mae"]
        self.assertLess(huber, 0.5 * squared)

    def test_the_same_bits_for_any_threads(self):
        one, two = (self.expect_json(0, "complete", "ratings.txt", "--radius", "8", "--threads", threads)
                    for threads in ["1", "2"])
        self.assertEqual(one["certificate"], two["certificate"])

    def test_a_limit_is_told_by_the_exit_code(self):
        report = self.expect_json(2, "complete", "ratings.txt", "--max-iterations", "1", "--tol", "1e-12", "--radius", "8")
        self.assertEqual(report["status"], "iteration_limit")

    def test_summary_tells_the_essentials(self):
        text = self.expect(0, "complete", "ratings.txt", "--radius", "8")
        for words in ["ratings.txt: ", " ratings, 50 rows, 40 columns", "set trace of radius 8", "relative gap", "singular values",
                      "held out", "RMSE", "MAE", "solver"]:
            self.assertIn(words, text)


class BadInput(ToolTest):
    def refuse(self, content, *options, says):
        self.write("r.txt", content)
        self.expect_error("complete", "r.txt", *options, "--factors", "f", says=says)

    def test_files(self):
        self.refuse("", says="r.txt")
        self.refuse("a b\n", says="r.txt:1")
        self.refuse("a b 1\na c 1 2\n", says="r.txt:2")
        self.refuse("a b 1\na c nan\n", says="r.txt:2")
        self.refuse("a b 1\na b 2\n", says="r.txt:2")
        self.refuse("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", says="r.txt:3")
        self.expect_error("complete", "missing.txt", says="missing.txt")

    def test_numbers(self):
        good = "a b 1\na c 2\nd b 3\nd c 4\n"
        for option, value, says in [("--radius", "0", "radius: '0' breaks the rule: auto, or a finite number > 0"),
                                    ("--radius", "-1", "radius"), ("--radius", "nan", "radius"), ("--radius", "inf", "radius"),
                                    ("--ridge", "-1", "ridge"), ("--holdout", "1", "holdout"), ("--holdout", "-0.1", "holdout"),
                                    ("--holdout", "nan", "holdout"), ("--tol", "0", "tol"), ("--means", "row", "did you mean 'rows'"),
                                    ("--loss", "logistic", "loss"), ("--clip", "5,1", "clip"), ("--clip", "5", "clip"),
                                    ("--repeated", "first", "repeated"), ("--solver", "simplex", "solver"),
                                    ("--huber-width", "2", "only for --loss huber"), ("--output", "x", "only with --predict")]:
            self.refuse(good, option, value, says=says)
        self.refuse(good, "--holdout", "0", says="holdout")
        self.refuse(good, "--holdout", "0.01", says="holdout: 0 of 4 entries")

    def test_files_beside(self):
        good = "a b 1\na c 2\nd b 3\nd c 4\n"
        self.write("pairs.txt", "a x\n")
        self.refuse(good, "--predict", "pairs.txt", "--output", "o", says="pairs.txt:1")
        self.refuse(good, "--predict", "pairs.txt", "--json", says="--json")
        self.refuse(good, "--test", "missing.txt", says="missing.txt")
        self.refuse(good, "--predict", "pairs.txt", "--output", "r.txt", says="not used for something else")
        self.refuse(good, "--model", "no/folder/m", says="folder")
        self.expect_error("complete", "-", "--test", "-", says="standard input")


if __name__ == "__main__":
    unittest.main()
