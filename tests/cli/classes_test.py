"""Several classes with sparse weights from the command line: learnt jointly, and one against the rest."""

import random
import unittest

from tool import ToolTest, random_data

CLASSES = [3, 7.5, 20]


def class_data(rows, seed=0, classes=CLASSES):
    """Each class has features of its own that are mostly larger in its rows; 12 more are noise."""
    rng = random.Random(seed)
    lines = []
    for i in range(rows):
        place = i % len(classes)
        values = [round(rng.gauss(1.2 if j // 2 == place else 0, 1), 3) for j in range(2 * len(classes) + 12)]
        lines.append(" ".join([str(classes[place])] + [f"{j}:{value}" for j, value in enumerate(values, 1)]))
    return "\n".join(lines) + "\n"


class SeveralClasses(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("train.txt", class_data(240))
        self.write("test.txt", class_data(90, seed=1))

    def train(self, *options, code=0):
        return self.expect_json(code, "train", "train.txt", "m", "--radius", "5", *options)

    def pairs(self, *options):
        lines = self.expect(0, "predict", "test.txt", "m", "--quiet", *options).splitlines()
        return [[tuple(map(float, pair.split(":"))) for pair in line.split()] for line in lines]


class Joint(SeveralClasses):
    def test_train_predict_certify(self):
        for options in (["--loss", "softmax"], ["--loss", "multiclass_hinge", "--intercept", "yes"],
                        ["--set", "l1_per_class"], ["--loss", "softmax", "--ridge", "0", "--class-weight", "balanced"]):
            with self.subTest(options):
                made = self.train(*options, "--tol", "1e-5")
                self.assertEqual(made["status"], "converged")
                self.assertEqual(made["problem"]["strategy"], "joint")
                self.assertLessEqual(made["certificate"]["relative_gap"], 1e-5)
                self.assertEqual([entry["class"] for entry in made["classes"]], CLASSES)
                self.assertGreater(made["fit"]["accuracy"], 0.8)
                norm = made["solution"]["largest_l1_norm_of_a_class" if "--set" in options else "l1_norm"]
                self.assertLessEqual(norm, 5.000001)
                judged = self.expect_json(0, "certify", "train.txt", "m", "--tol", "1.1e-5")
                self.assertTrue(judged["agrees"])
                told = self.expect_json(0, "predict", "test.txt", "m", "out.txt")
                self.assertGreater(told["accuracy"], 0.7)
                self.assertLessEqual(set(self.read("out.txt").split()), {"3", "7.5", "20"})

    def test_scores_probabilities_and_the_best(self):
        self.train("--loss", "softmax")
        predicted = [float(line) for line in self.expect(0, "predict", "test.txt", "m", "--quiet").splitlines()]
        for row, best in zip(self.pairs("--probabilities"), predicted):
            self.assertEqual([label for label, _ in row], CLASSES)
            self.assertAlmostEqual(sum(p for _, p in row), 1)
            self.assertEqual(max(row, key=lambda pair: pair[1])[0], best)
        self.assertEqual([row[0][0] for row in self.pairs("--scores", "--top", "1")], predicted)
        self.train("--loss", "multiclass_hinge")
        self.expect_error("predict", "test.txt", "m", "--probabilities", says=["probabilities", "softmax"])

    def test_weights_are_listed_by_class(self):
        self.train("--loss", "softmax")
        lines = self.expect(0, "weights", "m").splitlines()
        sizes = [abs(float(line.split("\t")[2])) for line in lines]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertLessEqual({line.split("\t")[1] for line in lines}, {"3", "7.5", "20"})
        self.assertEqual(self.expect(0, "weights", "m", "--top", "2").splitlines(), lines[:2])

    def test_start_trace_and_no_proof(self):
        self.train("--loss", "softmax", "--tol", "1e-6", "--trace", "t.csv")
        self.assertIn("is_certified", self.read("t.csv"))
        again = self.expect_json(0, "train", "train.txt", "n", "--radius", "5", "--loss", "softmax", "--start", "m")
        self.assertEqual(again["work"]["iterations"], 0)
        self.assertEqual(again["start"], "m: weights and proof")
        self.train("--loss", "softmax", "--no-proof")
        self.assertNotIn("proof", self.read("m"))
        self.assertEqual(self.expect_json(0, "certify", "train.txt", "m", "--tol", "1e-2")["proof"], "derived")

    def test_threads_give_the_same_model(self):
        self.train("--loss", "softmax")
        one = self.read("m")
        self.train("--loss", "softmax", "--threads", "3")
        self.assertEqual(self.read("m"), one)

    def test_limits_and_the_summary(self):
        told = self.expect(2, "train", "train.txt", "m", "--loss", "softmax", "--ridge", "0", "--tol", "1e-12", "--max-iterations", "2")
        self.assertIn("iteration_limit", told)
        self.assertIn("all classes jointly", told)
        self.assertIn("3 classes", told)

    def test_sample_weights(self):
        self.write("w.txt", "".join(f"{i % 3}\n" for i in range(240)))
        self.train("--loss", "multiclass_hinge", "--sample-weight", "w.txt")
        self.expect_error("certify", "train.txt", "m", says=["sample_weight", "the file of weights"])
        self.assertTrue(self.expect_json(0, "certify", "train.txt", "m", "--sample-weight", "w.txt")["agrees"])

    def test_mistakes(self):
        for options, says in ((["--set", "l1_per_class", "--loss", "logistic"], ["loss", "softmax or multiclass_hinge"]),
                              (["--loss", "softmax", "--solver", "apg"], ["solver", "jointly"]),
                              (["--loss", "softmax", "--alpha", "0.1"], ["alpha", "radius"]),
                              (["--loss", "softmax", "--format", "liblinear"], ["format", "several classes"]),
                              (["--loss", "softmax", "--targets", "labels"], ["targets", "classes"]),
                              (["--loss", "softmax", "--class-weight", "1,2"], ["class_weight", "balanced"]),
                              (["--loss", "softmax", "--eta", "0.5"], ["eta", "jointly"]),
                              (["--loss", "softmax", "--probabilities"], ["probabilities", "jointly"])):
            with self.subTest(options):
                self.expect_error("train", "train.txt", "m", *options, says=says)
        self.train("--loss", "softmax")
        self.write("other.txt", class_data(60, classes=[3, 7.5, 21]))
        self.expect_error("certify", "other.txt", "m", says=["class 21", "the model knows"])
        self.expect_error("train", "other.txt", "n", "--loss", "softmax", "--start", "m", says=["other classes"])
        self.write("bad", self.read("m").replace("loss softmax", "loss hinge"))
        self.expect_error("predict", "test.txt", "bad", says=["bad", "softmax or multiclass_hinge"])


class OneAgainstTheRest(SeveralClasses):
    def test_train_predict_certify(self):
        for options in (["--loss", "logistic"], ["--loss", "squared_hinge", "--intercept", "yes"],
                        ["--class-weight", "1,2"]):
            with self.subTest(options):
                made = self.train(*options, "--tol", "1e-5")
                self.assertEqual(made["problem"]["strategy"], "one_vs_rest")
                for entry in made["classes"]:
                    self.assertEqual(entry["status"], "converged")
                    self.assertLessEqual(entry["certificate"]["relative_gap"], 1e-5)
                judged = self.expect_json(0, "certify", "train.txt", "m", "--tol", "1.1e-5")
                self.assertTrue(judged["agrees"])
                self.assertEqual(len(judged["classes"]), 3)
                self.assertGreater(self.expect_json(0, "predict", "test.txt", "m", "out.txt")["accuracy"], 0.7)

    def test_each_model_is_that_of_two_classes(self):
        self.train("--loss", "logistic")
        text = class_data(240).splitlines()
        self.write("two.txt", "".join(("1" if line.startswith("20 ") else "-1") + line[line.index(" "):] + "\n" for line in text))
        self.expect(0, "train", "two.txt", "single", "--loss", "logistic", "--radius", "5")
        single = dict(line.split("\t") for line in self.expect(0, "weights", "single").splitlines())
        third = {feature: weight for feature, name, weight in
                 (line.split("\t") for line in self.expect(0, "weights", "m").splitlines()) if name == "20"}
        self.assertEqual(single, third)

    def test_start(self):
        first = self.train("--loss", "logistic", "--tol", "1e-6")
        again = self.expect_json(0, "train", "train.txt", "n", "--radius", "5", "--loss", "logistic", "--start", "m")
        self.assertEqual(again["start"], "m: weights and proof")
        self.assertLess(again["work"]["data_passes"], first["work"]["data_passes"])
        self.write("binary.txt", random_data())
        self.expect(0, "train", "binary.txt", "two", "--quiet")
        self.expect_error("train", "train.txt", "n", "--start", "two", says="two: a model of the kind vector breaks the rule: of the kind one_vs_rest or joint")
        self.expect_error("train", "binary.txt", "n", "--start", "m", says="m: a model of the kind one_vs_rest breaks the rule: of the kind vector")

    def test_summary_and_limits(self):
        told = self.expect(2, "train", "train.txt", "m", "--tol", "1e-13", "--max-iterations", "1")
        self.assertIn("one class against the rest", told)
        self.assertIn("of 3 classes converged", told)
        told = self.expect(0, "certify", "train.txt", "m")
        self.assertIn("worst", told)
        self.expect(2, "certify", "train.txt", "m", "--tol", "1e-13")

    def test_mistakes(self):
        for options, says in ((["--alpha", "0.1"], ["alpha", "several classes"]),
                              (["--loss", "logistic", "--format", "liblinear"], ["format", "several classes"]),
                              (["--trace", "t.csv"], ["trace", "several classes"])):
            with self.subTest(options):
                self.expect_error("train", "train.txt", "m", *options, says=says)
        self.write("numbers.txt", random_data(regression=True))
        self.expect_error("train", "numbers.txt", says=["two classes for this loss", "squared"])


class Probabilities(SeveralClasses):
    def test_several_classes(self):
        self.train("--intercept", "yes")
        self.expect_error("predict", "test.txt", "m", "--probabilities", says=["probabilities", "trained with --probabilities"])
        self.train("--intercept", "yes", "--probabilities")
        rows = self.pairs("--probabilities")
        right = sum(max(row, key=lambda pair: pair[1])[0] == CLASSES[i % 3] for i, row in enumerate(rows))
        self.assertGreater(right, 60)
        for row in rows:
            self.assertAlmostEqual(sum(p for _, p in row), 1)

    def test_two_classes(self):
        self.write("binary.txt", random_data(rows=400))
        self.expect(0, "train", "binary.txt", "m", "--probabilities", "--radius", "20", "--quiet")
        self.assertIn("\nsigmoids 1\n", self.read("m"))
        scores = [float(s) for s in self.expect(0, "predict", "binary.txt", "m", "--scores", "--quiet").split()]
        shares = [float(p) for p in self.expect(0, "predict", "binary.txt", "m", "--probabilities", "--quiet").split()]
        order = sorted(range(400), key=lambda i: scores[i])
        ranked = [shares[i] for i in order]
        self.assertEqual(ranked, sorted(ranked))
        self.assertTrue(all(0 <= p <= 1 for p in shares))
        # On average they are what they say: half of the rows are of the larger label, more or less.
        positives = sum(line.startswith("+1") for line in self.read("binary.txt").splitlines())
        self.assertAlmostEqual(sum(shares) / 400, positives / 400, delta=0.05)

    def test_mistakes(self):
        self.write("binary.txt", random_data())
        for options, says in ((["--loss", "logistic"], "anyway"), (["--loss", "squared"], "smooth_hinge"),
                              (["--loss", "squared_hinge", "--format", "liblinear"], "format")):
            with self.subTest(options):
                self.expect_error("train", "binary.txt", "m", "--probabilities", *options, says=["probabilities", says])


if __name__ == "__main__":
    unittest.main()
