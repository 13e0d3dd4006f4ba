"""--set polytope: a model over the hull of the rows of a file, and its proof once more."""

import unittest

from tool import ToolTest, random_data

# The vertices of the l1 ball in 50 dimensions, without targets.
BALL = "".join(f"{j}:1\n{j}:-1\n" for j in range(1, 51))


class Polytope(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.write("ball.txt", BALL)
        self.polytope = ["--set", "polytope", "--atoms", "ball.txt"]

    def test_the_hull_of_the_balls_vertices_is_the_ball(self):
        options = ["--radius", "5", "--tol", "1e-7"]
        hull = self.expect_json(0, "train", "data.txt", "hull", *self.polytope, *options)
        ball = self.expect_json(0, "train", "data.txt", "ball", *options)
        self.assertEqual(hull["solver"], "pdfw")
        for one, other in [(hull, ball), (ball, hull)]:
            self.assertLessEqual(one["certificate"]["dual"], other["certificate"]["primal"] * (1 + 1e-12))
        self.assertAlmostEqual(hull["certificate"]["primal"], ball["certificate"]["primal"], delta=2e-7)

    def test_certify_proves_it_again(self):
        trained = self.expect_json(0, "train", "data.txt", "m", *self.polytope, "--radius", "5", "--tol", "1e-6")
        again = self.expect_json(0, "certify", "data.txt", "m", "--atoms", "ball.txt", "--tol", "1e-6")
        self.assertTrue(again["agrees"])
        self.assertTrue(again["is_in_set"])
        self.assertAlmostEqual(again["certificate"]["dual"], trained["certificate"]["dual"], places=12)
        self.expect_error("certify", "data.txt", "m", says="atoms: none breaks the rule: a file of them")
        self.write("half.txt", "1:1\n1:-1\n2:1\n2:-1\n")
        self.assertFalse(self.expect_json(2, "certify", "data.txt", "m", "--atoms", "half.txt")["is_in_set"])
        self.expect(0, "predict", "data.txt", "m", "scores")

    def test_a_weight_that_leaves_the_hull_is_noticed(self):
        self.expect(0, "train", "data.txt", "m", *self.polytope, "--radius", "5")
        lines = self.read("m").splitlines()
        at = next(k for k, line in enumerate(lines) if line.startswith("weights ")) + 1
        lines[at] = " ".join(lines[at].split()[:2]) + " 400"
        self.write("m", "\n".join(lines) + "\n")
        self.assertIn("NOT in the set", self.expect(2, "certify", "data.txt", "m", "--atoms", "ball.txt"))

    def test_the_radius_is_1_unless_given(self):
        report = self.expect_json(0, "train", "data.txt", "m", *self.polytope)
        self.assertEqual(report["settings"]["radius"], 1)
        self.assertIn("\nradius 1\n", self.read("m"))
        self.assertIn("\nset polytope\n", self.read("m"))

    def test_atoms_are_never_overwritten(self):
        for arguments, says in [(["ball.txt"], "MODEL: 'ball.txt' breaks the rule"),
                                (["m", "--trace", "ball.txt"], "trace: 'ball.txt' breaks the rule")]:
            self.expect_error("train", "data.txt", *arguments, *self.polytope, says=says)
        self.assertEqual(self.read("ball.txt"), BALL)

    def test_atoms_of_formats_that_hold_no_targets(self):
        self.expect(0, "train", "data.txt", "plain", *self.polytope, "--radius", "5")
        entries = "".join(f"{2 * j - 1} {j} 1\n{2 * j} {j} -1\n" for j in range(1, 51))
        self.write("ball.mtx", "%%MatrixMarket matrix coordinate real general\n100 50 100\n" + entries)
        self.expect(0, "train", "data.txt", "market", "--set", "polytope", "--atoms", "ball.mtx", "--radius", "5")
        self.assertEqual(self.read("plain"), self.read("market"))
        self.write("huge.mtx", "%%MatrixMarket matrix coordinate real general\n200000000000000 50 0\n")
        self.expect_error("train", "data.txt", "m", "--set", "polytope", "--atoms", "huge.mtx",
                          says="huge.mtx: 200000000000000 rows do not fit into this machine's memory")

    def test_targets_in_the_file_of_atoms_are_not_looked_at(self):
        self.expect(0, "train", "data.txt", "plain", *self.polytope, "--radius", "5")
        self.write("ball.txt", "".join(f"7 {line}\n" for line in BALL.splitlines()))
        self.expect(0, "train", "data.txt", "labelled", *self.polytope, "--radius", "5")
        self.assertEqual(self.read("plain"), self.read("labelled"))

    def test_theory_steps_and_a_start(self):
        options = [*self.polytope, "--radius", "5"]
        report = self.expect_json(0, "train", "data.txt", "rough", *options, "--solver", "pdfw", "--steps", "theory",
                                  "--tol", "0.1")
        self.assertEqual(report["settings"]["block_dual"], 200)
        self.expect(0, "train", "data.txt", "fine", *options, "--start", "rough", "--tol", "1e-6")

    def test_mistakes(self):
        train = ["train", "data.txt", "m", "--set", "polytope"]
        self.expect_error(*train, says="atoms: none breaks the rule: a file of them for the set polytope")
        self.expect_error(*train, "--atoms", "-", says="atoms: '-' breaks the rule")
        self.expect_error(*train, "--atoms", "none.txt", says="none.txt")
        self.expect_error("train", "data.txt", "m", "--atoms", "ball.txt", says="only for --set polytope")
        self.expect_error("train", "data.txt", "m", *self.polytope, "--solver", "sequential",
                          says=["solver: sequential breaks the rule", "for the set polytope: auto, "])
        self.expect_error("train", "data.txt", "m", "--set", "polytop", says="did you mean 'polytope'?")
        for content, says in [("", "bad.txt"), ("# nothing\n\n", "bad.txt"), ("1:1\n2:nan\n", "bad.txt:2:3: value 'nan'"),
                              ("1:1 1:2\n", "bad.txt:1:5: index 1 is repeated"), ("51:1\n", "atoms: 51 columns"),
                              ("1:1\nx\n", "bad.txt:2:1: target 'x'")]:
            self.write("bad.txt", content)
            self.expect_error(*train, "--atoms", "bad.txt", says=says)


if __name__ == "__main__":
    unittest.main()
