"""pdbfw rank-min: recovery of a matrix that is known, from dense, sparse and rank-one measurements."""

import random
import unittest

from arrays import flat, low_rank, normal_rows, norm, npy, read_npy, read_rows, times, transposed
from tool import ToolTest

D, C, RANK, N = 10, 8, 1, 70
KEYS = ["status", "message", "solver", "problem", "certificate", "solution", "work", "steps", "misfit", "error", "seconds",
        "factors"]


def inner(A, X):
    return sum(a * x for a, x in zip(A, flat(X)))


class RankMin(ToolTest):
    def setUp(self):
        super().setUp()
        self.X = low_rank(D, C, RANK, 3)
        self.A = normal_rows(N, D * C, 5)
        self.b = [inner(A, self.X) for A in self.A]
        self.write("A.npy", npy(flat(self.A), (N, D * C)))
        self.write("b.npy", npy(self.b, (N,)))
        self.write("X.npy", npy(flat(self.X), (D, C)))
        self.size = norm(flat(self.X))  # of rank one: the trace norm as well

    def test_the_matrix_is_found_from_fewer_numbers_than_it_has(self):
        report = self.expect_json(0, "rank-min", "A.npy", "b.npy", "--shape", f"{D},{C}", "--truth", "X.npy", "--factors", "f")
        self.assertEqual(list(report), KEYS)
        self.assertLess(N, D * C)
        self.assertLess(report["error"], 1e-4)
        self.assertLessEqual(report["misfit"], 1e-6)
        # The smallest trace norm is that of the truth.
        self.assertAlmostEqual(report["problem"]["radius"] / self.size, 1, places=4)
        radii = [step["radius"] for step in report["steps"]]
        self.assertEqual(radii, sorted(radii))
        U, V = (read_rows((self.folder / f"f.{name}.npy").read_bytes()) for name in "UV")
        s, _ = read_npy((self.folder / "f.s.npy").read_bytes())
        found = times([[u * value for u, value in zip(row, s)] for row in U], transposed(V))
        error = norm([a - b for a, b in zip(flat(found), flat(self.X))]) / self.size
        self.assertAlmostEqual(error, report["error"], delta=1e-9)

    def test_a_given_radius_is_kept(self):
        report = self.expect_json(0, "rank-min", "A.npy", "b.npy", "--shape", f"{D},{C}", "--radius", self.size / 2)
        self.assertAlmostEqual(report["solution"]["trace_norm"], self.size / 2, places=6)
        self.assertGreater(report["misfit"], 0.3)

    def test_all_ways_to_write_measurements_agree(self):
        self.write("three.npy", npy(flat(self.A), (N, D, C)))
        self.write("A.txt", "".join(" ".join(["0"] + [f"{j + 1}:{v!r}" for j, v in enumerate(A)]) + "\n" for A in self.A))
        self.write("b.txt", "".join(f"{value!r}\n" for value in self.b))
        options = ["--shape", f"{D},{C}", "--radius", "2"]
        reports = [self.expect_json(0, "rank-min", *files, *options)
                   for files in [("A.npy", "b.npy"), ("three.npy", "b.npy"), ("A.txt", "b.txt")]]
        for report in reports[1:]:
            self.assertAlmostEqual(report["certificate"]["primal"], reports[0]["certificate"]["primal"], places=8)

    def test_rank_one_measurements(self):
        L, R = normal_rows(N, D, 7), normal_rows(N, C, 8)
        b = [inner([x * y for x in left for y in right], self.X) for left, right in zip(L, R)]
        self.write("L.npy", npy(flat(L), (N, D)))
        self.write("R.npy", npy(flat(R), (N, C)))
        self.write("lr.npy", npy(b, (N,)))
        report = self.expect_json(0, "rank-min", "lr.npy", "--left", "L.npy", "--right", "R.npy", "--truth", "X.npy")
        self.assertLess(report["error"], 1e-4)

    def test_noise_is_not_explained(self):
        rng = random.Random(9)
        size = norm(self.b) / N ** 0.5
        self.write("noisy.npy", npy([value + 0.01 * size * rng.gauss(0, 1) for value in self.b], (N,)))
        report = self.expect_json(0, "rank-min", "A.npy", "noisy.npy", "--shape", f"{D},{C}", "--misfit", "0.01", "--truth",
                                  "X.npy")
        self.assertLess(report["error"], 0.05)
        self.assertLessEqual(report["misfit"], 0.01)

    def test_measurements_that_contradict_each_other_are_told(self):
        self.write("twice.npy", npy([1, 0, 1, 0], (2, 2)))
        self.write("both.npy", npy([1, 2], (2,)))
        report = self.expect_json(2, "rank-min", "twice.npy", "both.npy", "--shape", "1,2")
        self.assertGreater(report["misfit"], 0.1)

    def test_summary_tells_the_essentials(self):
        text = self.expect(0, "rank-min", "A.npy", "b.npy", "--shape", f"{D},{C}", "--truth", "X.npy")
        for words in ["70 measurements of 10 x 8 matrices", "the smallest that explains", "relative gap", "singular values",
                      "|X - truth|", "misfit"]:
            self.assertIn(words, text)

    def test_bad_input(self):
        shape = ["--shape", f"{D},{C}"]
        self.expect_error("rank-min", "A.npy", "b.npy", says="shape")
        self.expect_error("rank-min", "A.npy", says="two files are needed")
        self.expect_error("rank-min", "A.npy", "b.npy", "--left", "A.npy", says="right")
        self.expect_error("rank-min", "A.npy", "b.npy", "--left", "A.npy", "--right", "A.npy", says="one file is needed")
        for wrong in ["10", "10,", "10,0", "-1,8", "10,8,2", "99999999999,99999999999"]:
            self.expect_error("rank-min", "A.npy", "b.npy", "--shape", wrong, says="shape")
        self.expect_error("rank-min", "A.npy", "b.npy", "--shape", "10,9", says="80 numbers a measurement")
        self.expect_error("rank-min", "A.npy", "A.npy", *shape, says="A.npy")
        self.write("short.txt", "1\n2\n")
        self.expect_error("rank-min", "A.npy", "short.txt", *shape, "--factors", "f", says="2 targets")
        self.write("nan.txt", "nan\n" * N)
        self.expect_error("rank-min", "A.npy", "nan.txt", *shape, says="nan.txt:1")
        self.write("complex.npy", npy([1j] * N, (N,)))
        self.expect_error("rank-min", "A.npy", "complex.npy", *shape, says="complex.npy")
        self.write("empty.npy", npy([], (0, D * C)))
        self.expect_error("rank-min", "empty.npy", "b.npy", *shape, says="empty.npy")
        self.expect_error("rank-min", "A.npy", "b.npy", *shape, "--radius", "0", says="radius")
        self.expect_error("rank-min", "A.npy", "b.npy", *shape, "--misfit", "0", says="misfit")
        self.expect_error("rank-min", "A.npy", "b.npy", *shape, "--misfit", "0.1", "--radius", "1", says="misfit")
        self.expect_error("rank-min", "A.npy", "b.npy", *shape, "--truth", "b.npy", says="b.npy")
        self.write("R.npy", npy([1.0] * C, (1, C)))
        self.expect_error("rank-min", "b.npy", "--left", "A.npy", "--right", "R.npy", says="70")


if __name__ == "__main__":
    unittest.main()
