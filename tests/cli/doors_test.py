"""One door against another: whatever learns, predicts or scores gives a row the same class and counts the same way.

What `predict` writes, line by line, is counted here; all others have to agree with that.
"""

import random
import unittest

from tool import ToolTest, random_data

SMALLER, LARGER = 3, 7


def rare_words(rows=120, seed=0, classes=(SMALLER, LARGER), shares=(1, 2)):
    """Text-like data: two telling words for each class, which few rows have, and words that hardly ever come twice.

    A small radius chooses none but the telling words, so most rows have a score of exactly 0. The classes are not
    equally frequent: which of them such a row counts for shows in every score.
    """
    rng = random.Random(seed)
    lines = []
    for _ in range(rows):
        place = rng.choices(range(len(classes)), weights=shares)[0]
        words = {rng.randrange(20, 20 + 2 * rows) for _ in range(3)}
        if rng.random() < 0.3:
            words.add(2 * place + rng.randrange(1, 3))
        lines.append(f"{classes[place]} " + " ".join(f"{word}:1" for word in sorted(words)))
    return "\n".join(lines) + "\n"


def rmse_of(predicted, actual):
    return (sum((p - a) ** 2 for p, a in zip(predicted, actual, strict=True)) / len(actual)) ** 0.5


def r2_of(predicted, actual):
    mean = sum(actual) / len(actual)
    return 1 - rmse_of(predicted, actual) ** 2 / rmse_of([mean] * len(actual), actual) ** 2


def accuracy_of(predicted, actual):
    return sum(p == a for p, a in zip(predicted, actual, strict=True)) / len(actual)


def f1_of(predicted, actual):
    right = sum(p == a == LARGER for p, a in zip(predicted, actual, strict=True))
    return 2 * right / (predicted.count(LARGER) + actual.count(LARGER)) if right else 0


COUNTED = {"accuracy": accuracy_of, "f1": f1_of, "rmse": rmse_of, "r2": r2_of}


class Doors(ToolTest):
    def targets(self, data):
        return [float(line.split()[0]) for line in self.read(data).splitlines()]

    def predicted(self, data, model, *options):
        return [float(line) for line in self.expect(0, "predict", data, model, "--quiet", *options).splitlines()]

    def expect_zero_scores(self, data, model):
        """More than half of them; else the rule for 0 is not tested at all."""
        scores = self.predicted(data, model, "--scores")
        self.assertGreater(scores.count(0), len(scores) / 2)

    def folds(self, data, count, seed):
        """Files train.txt and test.txt, for one fold after the other: the folds of `cv` and of `train -v`."""
        for fold in range(1, count + 1):
            self.expect(0, "split", data, "train.txt", "test.txt", "--folds", count, "--fold", fold, "--seed", seed, "--quiet")
            yield fold - 1


class CrossValidation(Doors):
    OPTIONS = ["--ridge", "0.01", "--tol", "1e-10"]

    def expect_cv_to_count(self, score, radii, *options):
        cv = self.expect_json(0, "cv", "data.txt", "--folds", "3", "--seed", "5", "--radii", ",".join(radii), "--score", score,
                              *self.OPTIONS, *options)
        self.assertEqual(cv["score"], score)
        for fold in self.folds("data.txt", 3, seed=5):
            for place, radius in enumerate(radii):
                self.expect(0, "train", "train.txt", "m", "--radius", radius, "--quiet", *self.OPTIONS, *options)
                counted = COUNTED[score](self.predicted("test.txt", "m"), self.targets("test.txt"))
                self.assertAlmostEqual(cv["of_fold"][fold][place], counted, delta=1e-5, msg=f"{score}, fold {fold}, radius {radius}")

    def test_scores_are_what_predict_gives_on_each_fold(self):
        self.write("data.txt", rare_words())
        for score in ["accuracy", "f1"]:
            self.expect_cv_to_count(score, ["0.1", "2"])
        self.expect(0, "train", "data.txt", "m", "--radius", "0.1", "--quiet", *self.OPTIONS)
        self.expect_zero_scores("data.txt", "m")

    def test_scores_of_numbers(self):
        self.write("data.txt", random_data(regression=True))
        for score in ["rmse", "r2"]:
            self.expect_cv_to_count(score, ["3"], "--loss", "squared")

    def test_liblinear_validation_is_what_predict_gives_on_each_fold(self):
        self.write("data.txt", rare_words())
        # With this cost no word comes just so often that its weight may be zero or not.
        options = ["-s", "6", "-c", "0.45", "--tol", "1e-9"]
        report = self.expect_json(0, "train", "data.txt", "-v", "3", "--seed", "5", *options)
        correct = 0
        for _ in self.folds("data.txt", 3, seed=5):
            self.expect(0, "train", "train.txt", "m", "--quiet", *options)
            correct += sum(p == t for p, t in zip(self.predicted("test.txt", "m"), self.targets("test.txt"), strict=True))
            self.expect_zero_scores("test.txt", "m")
        self.assertEqual(report["correct"], correct)
        self.assertAlmostEqual(report["accuracy"], correct / 120, places=12)


class Fits(Doors):
    def test_of_two_classes(self):
        self.write("data.txt", rare_words())
        options = ["--radius", "0.1", "--tol", "1e-9"]
        train = self.expect_json(0, "train", "data.txt", "m", *options)
        counted = accuracy_of(self.predicted("data.txt", "m"), self.targets("data.txt"))
        self.expect_zero_scores("data.txt", "m")
        self.assertNotEqual(counted, 0.5)
        self.assertEqual(train["fit"], {"accuracy": counted, "correct": round(120 * counted)})
        predict = self.expect_json(0, "predict", "data.txt", "m")
        self.assertEqual({key: predict[key] for key in train["fit"]}, train["fit"])
        path = self.expect_json(0, "path", "data.txt", "--radii", "0.1", "--tol", "1e-9")
        self.assertEqual([point["accuracy"] for point in path["points"]], [counted])

    def test_a_score_of_zero_is_of_the_smaller_label(self):
        self.write("data.txt", rare_words())
        self.expect(0, "train", "data.txt", "m", "--radius", "0.1", "--quiet")
        for score, label in zip(self.predicted("data.txt", "m", "--scores"), self.predicted("data.txt", "m"), strict=True):
            self.assertEqual(label, LARGER if score > 0 else SMALLER)

    def test_of_several_classes(self):
        self.write("data.txt", rare_words(classes=(1, 2, 5), shares=(1, 3, 1)))
        for options in [[], ["--loss", "softmax"], ["--set", "l1_per_class"], ["--set", "trace"]]:
            with self.subTest(options):
                train = self.expect_json(0, "train", "data.txt", "m", "--radius", "0.5", *options)
                counted = accuracy_of(self.predicted("data.txt", "m"), self.targets("data.txt"))
                self.assertAlmostEqual(train["fit"]["accuracy"], counted, places=12)
                self.assertAlmostEqual(self.expect_json(0, "predict", "data.txt", "m")["accuracy"], counted, places=12)

    def test_of_several_labels(self):
        lines = rare_words(classes=("1,2", "2", "5"), shares=(1, 1, 1))
        self.write("data.txt", lines)
        train = self.expect_json(0, "train", "data.txt", "m", "--set", "trace", "--radius", "2")
        told = self.expect(0, "predict", "data.txt", "m", "--quiet").splitlines()
        right = guessed = there = 0
        for line, predicted in zip(lines.splitlines(), told, strict=True):
            actual, chosen = set(line.split()[0].split(",")), set(filter(None, predicted.split(",")))
            right, guessed, there = right + len(actual & chosen), guessed + len(chosen), there + len(actual)
        self.assertAlmostEqual(train["fit"]["micro_f1"], 2 * right / (guessed + there), places=12)
        self.assertEqual(self.expect_json(0, "predict", "data.txt", "m")["micro_f1"], train["fit"]["micro_f1"])

    def test_of_numbers(self):
        self.write("data.txt", random_data(regression=True))
        train = self.expect_json(0, "train", "data.txt", "m", "--loss", "squared")
        predict = self.expect_json(0, "predict", "data.txt", "m")
        for name, counted in [("rmse", rmse_of), ("r_squared", r2_of)]:
            self.assertEqual(predict[name], train["fit"][name])
            self.assertAlmostEqual(train["fit"][name], counted(self.predicted("data.txt", "m"), self.targets("data.txt")), places=9)

    def test_equal_targets_have_an_r_squared_of_one_if_they_are_met_else_of_zero(self):
        for data, met in [("0 1:1\n0 2:1\n", 1), ("0.1 1:1\n0.1 2:1\n0.1 3:1\n", 0)]:
            self.write("data.txt", data)
            fit = self.expect_json(0, "train", "data.txt", "m", "--loss", "squared")["fit"]
            self.assertEqual(fit["r_squared"], met)
            self.assertEqual(self.expect_json(0, "predict", "data.txt", "m")["r_squared"], met)
            self.assertIn(f", R2 {met}", self.expect(0, "predict", "data.txt", "m", "out"))


class Models(Doors):
    def test_every_kind_is_proven_again_as_it_was_stated(self):
        self.write("two.txt", rare_words())
        self.write("several.txt", rare_words(classes=(1, 2, 5), shares=(1, 3, 1)))
        self.write("lists.txt", rare_words(classes=("1,2", "2", "5"), shares=(1, 1, 1)))
        for data, options in [("two.txt", []), ("two.txt", ["--loss", "logistic", "--intercept", "yes", "--alpha", "0.01"]),
                              ("two.txt", ["--loss", "squared", "--standardise", "yes"]), ("several.txt", []),
                              ("several.txt", ["--loss", "softmax"]), ("several.txt", ["--set", "l1_per_class"]),
                              ("several.txt", ["--set", "trace"]), ("lists.txt", ["--set", "trace"])]:
            with self.subTest(data=data, options=options):
                radius = [] if "--alpha" in options else ["--radius", "0.5"]
                train = self.expect_json(0, "train", data, "m", *radius, *options)
                proven = self.expect_json(0, "certify", data, "m")
                self.assertIs(proven["agrees"], True)
                self.assertIs(proven["is_in_set"], True)
                self.assertAlmostEqual(proven["certificate"]["primal"], train["certificate"]["primal"], places=9)

    def test_path_and_cv_write_the_model_that_train_writes(self):
        self.write("data.txt", rare_words())
        options = ["--loss", "logistic", "--intercept", "yes", "--ridge", "0.01", "--tol", "1e-9"]
        self.expect(0, "train", "data.txt", "train.model", "--radius", "2", "--quiet", *options)
        self.expect(0, "path", "data.txt", "--radii", "2", "--model", "path.model", "--quiet", *options)
        self.expect(0, "cv", "data.txt", "cv.model", "--radii", "2", "--folds", "2", "--quiet", *options)
        self.assertEqual(self.read("cv.model"), self.read("train.model"))
        self.assertEqual(self.read("path.model"), self.read("train.model"))


if __name__ == "__main__":
    unittest.main()
