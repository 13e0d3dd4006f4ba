"""Low-rank models from the command line: several labels per row, many classes, several numbers, with a known truth."""

import random
import unittest

from tool import ToolTest, random_data

FEATURES = 30
LABELS = [3, 7, 8, 17, 40, 41, 90, 95]


def dense_row(rng):
    row = [rng.gauss(0, 1) for _ in range(FEATURES)]
    length = sum(value * value for value in row) ** 0.5
    return [round(value / length, 4) for value in row]


def planted(rng, columns, rank=2):
    """A matrix of this rank, as columns."""
    left = [[rng.gauss(0, 1) for _ in range(rank)] for _ in range(FEATURES)]
    right = [[rng.gauss(0, 1) for _ in range(rank)] for _ in range(columns)]
    return [[sum(u * v for u, v in zip(row, column)) for row in left] for column in right]


def line(target, row):
    entries = " ".join(f"{j}:{value}" for j, value in enumerate(row, 1))
    return f"{target} {entries}".lstrip() + "\n"


def label_data(rows, seed=0):
    """The labels are those whose score under a matrix of rank 2 is positive; some rows have none."""
    truth = planted(random.Random(1), len(LABELS))
    rng = random.Random(seed)
    text = ""
    for _ in range(rows):
        row = dense_row(rng)
        scores = [sum(x * a for x, a in zip(column, row)) for column in truth]
        labels = [label for label, score in zip(LABELS, scores) if score > 0]
        rng.shuffle(labels)
        text += line(",".join(map(str, labels)), row)
    return text


def class_data(rows, seed=0, classes=(-2, 0.5, 10, 11)):
    """Separable with a margin."""
    truth = planted(random.Random(2), len(classes), rank=3)
    rng = random.Random(seed)
    text = ""
    while text.count("\n") < rows:
        row = dense_row(rng)
        scores = sorted((sum(x * a for x, a in zip(column, row)), name) for column, name in zip(truth, classes))
        if scores[-1][0] - scores[-2][0] > 0.5:
            text += line(scores[-1][1], row)
    return text


class Labels(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("train.txt", label_data(400))
        self.write("test.txt", label_data(200, seed=5))

    def train(self, *options, code=0):
        return self.expect_json(code, "train", "train.txt", "m", "--set", "trace", *options)

    def test_the_truth_is_found(self):
        report = self.train("--radius", "20", "--ridge", "0")
        self.assertEqual(report["problem"]["targets"], "labels")
        self.assertEqual((report["problem"]["n"], report["problem"]["d"], report["problem"]["c"]), (400, 30, 8))
        self.assertEqual(report["problem"]["loss"], "multilabel_smooth_hinge")
        self.assertLessEqual(report["certificate"]["relative_gap"], 1e-4)
        self.assertLessEqual(report["solution"]["trace_norm"], 20 * (1 + 1e-9))
        self.assertLessEqual(report["solution"]["rank"], 3)
        self.assertGreater(report["fit"]["micro_f1"], 0.95)
        held_out = self.expect_json(0, "predict", "test.txt", "m")
        self.assertGreater(held_out["micro_f1"], 0.9)
        self.assertGreater(held_out["macro_f1"], 0.85)
        self.assertGreater(held_out["precision_at_1"], 0.9)

    def test_the_summary_tells_labels_rank_and_fit(self):
        text = self.expect(0, "train", "train.txt", "m", "--set", "trace")
        for words in ("8 labels", "set trace of radius 100", "rank ", "of at most 8", "micro F1", "precision@5"):
            self.assertIn(words, text)

    def test_a_radius_that_does_not_bind_is_told(self):
        self.assertIn("the radius 1000 does not bind",
                      self.expect(0, "train", "train.txt", "m", "--set", "trace", "--radius", "1000"))
        self.assertNotIn("does not bind", self.expect(0, "train", "train.txt", "m", "--set", "trace", "--radius", "5"))

    def test_every_multilabel_loss_converges_and_certifies(self):
        for loss in ("multilabel_smooth_hinge", "multilabel_logistic", "squared", "huber"):
            report = self.train("--loss", loss, "--radius", "10", "--targets", "labels")
            self.assertEqual(report["status"], "converged", report["message"])
            again = self.expect_json(0, "certify", "train.txt", "m", "--tol", "1e-4")
            self.assertTrue(again["agrees"], loss)
            self.assertTrue(again["is_in_set"])
            self.assertAlmostEqual(again["certificate"]["primal"], report["certificate"]["primal"], places=12)

    def test_the_proof_can_be_left_out(self):
        self.train("--radius", "10", "--no-proof")
        again = self.expect_json(0, "certify", "train.txt", "m")
        self.assertEqual(again["proof"], "derived")
        self.assertLess(again["certificate"]["relative_gap"], 0.1)

    def test_predictions_are_the_labels_with_positive_scores(self):
        self.train("--radius", "30")
        lines = self.expect(0, "predict", "test.txt", "m", "--quiet").splitlines()
        scores = self.expect(0, "predict", "test.txt", "m", "--scores", "--quiet").splitlines()
        self.assertEqual(len(lines), 200)
        for labels, pairs in zip(lines, scores):
            by_label = {int(name): float(score) for name, score in (pair.split(":") for pair in pairs.split())}
            self.assertEqual(sorted(by_label), LABELS)
            positive = [str(label) for label in LABELS if by_label[label] > 0]
            self.assertEqual(labels, ",".join(positive))

    def test_the_best_labels_can_be_asked_for(self):
        self.train("--radius", "30")
        lines = self.expect(0, "predict", "test.txt", "m", "--top", "3", "--quiet").splitlines()
        scores = self.expect(0, "predict", "test.txt", "m", "--top", "3", "--scores", "--quiet").splitlines()
        for labels, pairs in zip(lines, scores):
            pairs = [pair.split(":") for pair in pairs.split()]
            self.assertEqual(labels.split(","), [name for name, _ in pairs])
            values = [float(score) for _, score in pairs]
            self.assertEqual(values, sorted(values, reverse=True))

    def test_probabilities_of_the_logistic_loss(self):
        self.train("--radius", "30", "--loss", "multilabel_logistic")
        for line_ in self.expect(0, "predict", "test.txt", "m", "--probabilities", "--quiet").splitlines():
            for pair in line_.split():
                self.assertTrue(0 < float(pair.split(":")[1]) < 1)

    def test_a_start_needs_fewer_iterations(self):
        first = self.train("--radius", "30")
        again = self.expect_json(0, "train", "train.txt", "again", "--set", "trace", "--radius", "30", "--start", "m")
        self.assertEqual(again["start"], "m: weights and proof")
        self.assertLess(again["work"]["data_passes"], first["work"]["data_passes"])

    def test_the_trace_counts_ranks(self):
        report = self.train("--radius", "30", "--trace", "t.csv")
        lines = self.read("t.csv").splitlines()
        self.assertTrue(lines[0].startswith("iteration,seconds,"))
        self.assertLessEqual(int(lines[-1].split(",")[8]), 8)
        self.assertEqual(int(lines[-1].split(",")[8]), report["solution"]["rank"])

    def test_unknown_labels_and_features_count_as_missed(self):
        self.train("--radius", "30")
        self.write("new.txt", "3,5000 1:1 31:2\n3 2:1\n")
        report = self.expect_json(0, "predict", "new.txt", "m")
        self.assertEqual(report["unknown_features"], 1)
        self.assertLess(report["micro_f1"], 1)
        self.expect_error("certify", "new.txt", "m", says="label 5000")

    def test_threads_give_the_same_model(self):
        self.expect(0, "train", "train.txt", "one", "--set", "trace", "--threads", "1")
        self.expect(0, "train", "train.txt", "three", "--set", "trace", "--threads", "3")
        self.assertEqual(self.read("one"), self.read("three"))

    def test_weights_are_entries_of_the_matrix(self):
        self.train("--radius", "30")
        strongest = [row.split("\t") for row in self.expect(0, "weights", "m", "--top", "5").splitlines()]
        self.assertEqual(len(strongest), 5)
        for feature, label, _ in strongest:
            self.assertIn(int(label), LABELS)
            self.assertTrue(1 <= int(feature) <= FEATURES)
        sizes = [abs(float(weight)) for _, _, weight in strongest]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        # The score of a row is the sum of its weights.
        self.write("unit.txt", f"3 {strongest[0][0]}:1\n")
        scores = dict(pair.split(":") for pair in self.expect(0, "predict", "unit.txt", "m", "--scores", "--quiet").split())
        self.assertAlmostEqual(float(scores[strongest[0][1]]), float(strongest[0][2]), places=12)

    def test_info_counts_labels(self):
        report = self.expect_json(0, "info", "train.txt")
        self.assertEqual(report["targets"]["labels"], 8)
        self.assertIn("8 labels", self.expect(0, "info", "train.txt"))


class Classes(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("train.txt", class_data(400))
        self.write("test.txt", class_data(200, seed=5))

    def test_separable_classes_are_told_apart(self):
        for loss in ("softmax", "multiclass_hinge"):
            report = self.expect_json(0, "train", "train.txt", "m", "--set", "trace", "--loss", loss, "--ridge", "0")
            self.assertEqual(report["problem"]["targets"], "classes")
            self.assertEqual(report["problem"]["c"], 4)
            self.assertEqual(report["fit"]["accuracy"], 1)
            self.assertGreater(self.expect_json(0, "predict", "test.txt", "m")["accuracy"], 0.95)
            again = self.expect_json(0, "certify", "train.txt", "m", "--tol", "1e-4")
            self.assertTrue(again["agrees"])

    def test_softmax_is_the_default_and_predictions_are_classes(self):
        report = self.expect_json(0, "train", "train.txt", "m", "--set", "trace", "--ridge", "0")
        self.assertEqual(report["problem"]["loss"], "softmax")
        lines = self.expect(0, "predict", "test.txt", "m", "--quiet").splitlines()
        truth = [row.split()[0] for row in self.read("test.txt").splitlines()]
        right = sum(found == true for found, true in zip(lines, truth))
        self.assertGreater(right, 185)
        self.assertAlmostEqual(self.expect_json(0, "predict", "test.txt", "m")["accuracy"], right / 200)

    def test_probabilities_sum_to_one(self):
        self.expect(0, "train", "train.txt", "m", "--set", "trace")
        for row in self.expect(0, "predict", "test.txt", "m", "--probabilities", "--quiet").splitlines():
            values = [float(pair.split(":")[1]) for pair in row.split()]
            self.assertEqual(len(values), 4)
            self.assertAlmostEqual(sum(values), 1, places=12)

    def test_two_classes_do_as_well(self):
        self.write("two.txt", random_data())
        report = self.expect_json(0, "train", "two.txt", "m", "--set", "trace", "--radius", "10")
        self.assertEqual(report["problem"]["c"], 2)
        self.assertGreater(report["fit"]["accuracy"], 0.9)

    def test_other_formats_hold_classes(self):
        rows = [row.split() for row in self.read("train.txt").splitlines()]
        self.write("train.csv", "".join(",".join([row[0]] + [e.split(":")[1] for e in row[1:]]) + "\n" for row in rows))
        csv = self.expect_json(0, "train", "train.csv", "m", "--set", "trace")
        text = self.expect_json(0, "train", "train.txt", "m", "--set", "trace")
        self.assertAlmostEqual(csv["certificate"]["primal"], text["certificate"]["primal"], places=4)

    def test_one_against_all_by_a_loss_of_numbers(self):
        report = self.expect_json(0, "train", "train.txt", "m", "--set", "trace", "--loss", "squared", "--ridge", "0")
        self.assertEqual(report["problem"]["targets"], "classes")
        self.assertGreater(self.expect_json(0, "predict", "test.txt", "m")["accuracy"], 0.9)


class Numbers(ToolTest):
    """Several numbers per row: A X = B with X of rank 2 and no noise."""

    def setUp(self):
        super().setUp()
        truth = planted(random.Random(3), 5)
        rng = random.Random(4)
        rows = [dense_row(rng) for _ in range(80)]
        numbers = [[sum(x * a for x, a in zip(column, row)) for column in truth] for row in rows]
        self.write_npy("A.npy", rows)
        self.write_npy("B.npy", numbers)
        self.model = ("--set", "trace", "--targets", "numbers", "--radius", "1000", "--ridge", "0")

    def test_the_truth_is_found_and_certified(self):
        report = self.expect_json(0, "train", "A.npy", "m", "--labels", "B.npy", *self.model, "--tol", "1e-6")
        self.assertEqual(report["problem"]["targets"], "numbers")
        self.assertEqual(report["problem"]["loss"], "squared")
        self.assertLess(report["fit"]["rmse"], 1e-4)
        self.assertLess(self.expect_json(0, "predict", "A.npy", "m", "--labels", "B.npy")["rmse"], 1e-4)
        self.expect_json(0, "certify", "A.npy", "m", "--labels", "B.npy", "--tol", "1e-6")

    def test_weights_count_the_numbers_from_one(self):
        self.expect_json(0, "train", "A.npy", "m", "--labels", "B.npy", *self.model)
        outputs = [line.split("\t")[1] for line in self.expect(0, "weights", "m").splitlines()]
        self.assertEqual(set(outputs), {"1", "2", "3", "4", "5"})

    def test_predictions_are_rows_of_numbers(self):
        self.expect_json(0, "train", "A.npy", "m", "--labels", "B.npy", *self.model)
        self.expect_json(0, "predict", "A.npy", "m", "out.txt")
        lines = self.read("out.txt").splitlines()
        self.assertEqual([len(line.split()) for line in lines], [5] * 80)

    def test_mistakes(self):
        self.expect_error("train", "A.npy", "m", *self.model, says="labels: none")
        self.write_npy("short.npy", [[1.0, 2.0]])
        self.expect_error("train", "A.npy", "m", "--labels", "short.npy", *self.model, says="short.npy: 1 rows")
        self.expect_error("train", "A.npy", "m", "--labels", "B.npy", *self.model, "--loss", "softmax", says="targets: 'numbers'")
        self.write_npy("nan.npy", [[float("nan")]] * 80)
        self.expect_error("train", "A.npy", "m", "--labels", "nan.npy", *self.model, says="nan.npy")


class Mistakes(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("labels.txt", "3,17 1:1\n17 2:1\n")
        self.write("classes.txt", "1 1:1\n2 2:1\n")

    def test_options_that_do_not_fit_together(self):
        trace = ("--set", "trace")
        for options, says in [
            ((*trace, "--loss", "smooth_hinge"), ("loss: 'smooth_hinge'", "for the set trace")),
            (("--loss", "multilabel_logistic"), ("loss: 'multilabel_logistic'", "for the set l1")),
            ((*trace, "--solver", "sequential"), ("solver: 'sequential'", "for the set trace")),
            ((*trace, "--format", "liblinear"), "format: 'liblinear'"),
            ((*trace, "--targets", "some"), "targets: 'some'"),
            ((*trace, "--targets", "classes", "--loss", "multilabel_logistic"), "targets: 'classes'"),
            ((*trace, "--targets", "labels", "--loss", "softmax"), "targets: 'labels'"),
            (("--targets", "labels"), ("targets: 'labels'", "only for --set trace")),
            ((*trace, "--atoms", "a.txt"), "only for --set polytope"),
            ((*trace, "--radius", "0"), "radius: '0'"),
            ((*trace, "--smoothing", "2"), "smoothing: '2'"),
        ]:
            self.expect_error("train", "labels.txt", "m", *options, says=says)

    def test_targets_that_do_not_fit(self):
        self.expect_error("train", "labels.txt", "m", "--set", "trace", "--loss", "softmax", says="several labels")
        self.expect_error("train", "labels.txt", "m", "--set", "trace", "--targets", "classes", says="several labels")
        self.expect_error("train", "labels.txt", "m", says="several labels")
        self.write("one.txt", "1 1:1\n1 2:1\n")
        self.expect_error("train", "one.txt", "m", "--set", "trace", says="one.txt")
        self.write("minus.txt", "-1 1:1\n2 2:1\n")
        self.expect_error("train", "minus.txt", "m", "--set", "trace", "--loss", "multilabel_logistic", says="minus.txt:1:1")
        self.write("late.txt", "3,17 1:1\n17 2:x\n")
        self.expect_error("train", "late.txt", "m", "--set", "trace", says="late.txt:2:")
        self.write("empty.txt", "1\n2\n")
        self.expect_error("train", "empty.txt", "m", "--set", "trace", says="no features")

    def test_a_model_of_the_other_family(self):
        self.expect(0, "train", "classes.txt", "vector")
        self.expect(0, "train", "classes.txt", "matrix", "--set", "trace")
        self.expect_error("train", "classes.txt", "m", "--set", "trace", "--start", "vector", says="vector")
        self.expect_error("train", "classes.txt", "m", "--start", "matrix", says="matrix")
        self.expect_error("predict", "classes.txt", "vector", "--top", "2", says="top")

    def test_probabilities_need_a_loss_that_has_them(self):
        self.expect(0, "train", "labels.txt", "m", "--set", "trace")
        self.expect_error("predict", "labels.txt", "m", "--probabilities", says="only for the losses")

    def test_a_start_with_other_labels(self):
        self.expect(0, "train", "labels.txt", "m", "--set", "trace")
        self.expect_error("train", "classes.txt", "n", "--set", "trace", "--start", "m", says=("m", "labels"))


if __name__ == "__main__":
    unittest.main()
