"""pdbfw split."""

import gzip
import unittest

from tool import ToolTest, random_data


class Split(ToolTest):
    def setUp(self):
        super().setUp()
        # Odd spelling, comments, Windows line ends: all of it must come through as it is.
        lines = [line + [" # row", "\t", "\r", ""][i % 4] for i, line in enumerate(random_data(rows=300).splitlines())]
        self.lines = [line + "\n" for line in lines]
        self.write("data.txt", "# head\n\n" + "".join(self.lines) + "   \n")

    def parts(self):
        # read_text would turn \\r\\n into \\n.
        return [[line + "\n" for line in (self.folder / name).read_bytes().decode().split("\n")[:-1]]
                for name in ["train", "test"]]

    def labels(self, lines):
        return [float(line.split()[0]) for line in lines]

    def test_lines_are_copied_in_order_and_labels_have_their_share(self):
        for fraction in [0.2, 0.5]:
            report = self.expect_json(0, "split", "data.txt", "train", "test", "--test-fraction", fraction)
            train, test = self.parts()
            self.assertEqual(report, {"rows": 300, "train_rows": len(train), "test_rows": len(test), "stratified": True,
                                      "train": "train", "test": "test"})
            self.assertEqual(sorted(train + test), sorted(self.lines))
            for part in [train, test]:
                places = [self.lines.index(line) for line in part]
                self.assertEqual(places, sorted(places))
            for label in [-1, 1]:
                self.assertAlmostEqual(self.labels(test).count(label),
                                       fraction * self.labels(self.lines).count(label), delta=0.51)

    def test_compression_and_threads_change_nothing(self):
        self.expect(0, "split", "data.txt", "train", "test")
        parts = self.parts()
        self.write("data.gz", gzip.compress((self.folder / "data.txt").read_bytes()))
        self.expect(0, "split", "data.gz", "train", "test", "--threads", "3")
        self.assertEqual(self.parts(), parts)
        self.expect(0, "split", "data.txt", "train", "test", "--seed", "1")
        self.assertNotEqual(self.parts(), parts)

    def test_other_formats_and_pipes_are_written_as_text(self):
        self.expect(0, "convert", "data.txt", "data.pdb")
        self.expect(0, "convert", "data.txt", "data.norm")
        self.expect(0, "split", "data.norm", "train", "test")
        parts = self.parts()
        self.expect(0, "split", "data.pdb", "train", "test")
        self.assertEqual(self.parts(), parts)
        self.expect(0, "split", "-", "train", "test", stdin=(self.folder / "data.txt").read_bytes())
        self.assertEqual(self.parts(), parts)

    def test_folds_are_a_partition(self):
        tests = []
        for fold in range(1, 8):
            self.expect(0, "split", "data.txt", "train", "test", "--folds", "7", "--fold", fold, "--quiet")
            train, test = self.parts()
            self.assertEqual(sorted(train + test), sorted(self.lines))
            self.assertIn(len(test), [42, 43])
            tests += test
        self.assertEqual(sorted(tests), sorted(self.lines))

    def test_numbers_and_the_switch(self):
        self.assertIn("each has its share in both", self.expect(0, "split", "data.txt", "train", "test"))
        text = self.expect(0, "split", "data.txt", "train", "test", "--no-stratify")
        for words in ["data.txt: 300 rows", "train: 240 rows", "test: 60 rows", "have no say"]:
            self.assertIn(words, text)
        self.write("numbers.txt", random_data(regression=True))
        self.assertFalse(self.expect_json(0, "split", "numbers.txt", "train", "test")["stratified"])

    def test_bad_usage(self):
        self.write("empty", "")
        self.write("samples", "# nothing\n")
        self.write("one", "1 1:1\n")
        self.write("bad", "1 1:1\n1 2:1 1:1\n")
        for arguments, words in [
                (["data.txt", "train"], "OUT_TEST is required"),
                (["data.txt", "train", "test", "--test-fraction", "1"], "test_fraction: 1 breaks the rule: a number > 0"),
                (["data.txt", "train", "test", "--test-fraction", "x"], "test_fraction: 'x' breaks the rule: a number"),
                (["data.txt", "train", "test", "--folds", "1", "--fold", "1"], "folds: 1 breaks the rule: an integer, 2 .."),
                (["data.txt", "train", "test", "--folds", "5", "--fold", "6"], "fold: 6 breaks the rule: an integer, 1 .. 5"),
                (["data.txt", "train", "test", "--folds", "5"], "folds: without --fold breaks the rule: both or none"),
                (["data.txt", "train", "test", "--fold", "1"], "fold: without --folds breaks the rule: both or none"),
                (["data.txt", "train", "test", "--folds", "5", "--fold", "1", "--test-fraction", "0.5"],
                 "test_fraction: with --folds breaks the rule: one of the two"),
                (["data.txt", "train", "train"], "OUT_TEST: 'train' breaks the rule: a file that is not used"),
                (["data.txt", "data.txt", "test"], "OUT_TRAIN: 'data.txt' breaks the rule: a file that is not used"),
                (["data.txt", "train", "data.txt"], "OUT_TEST: 'data.txt' breaks the rule: a file that is not used"),
                (["data.txt", "-", "test"], "OUT_TRAIN: '-' breaks the rule"),
                (["data.txt", "no/train", "test"], "OUT_TRAIN: 'no/train' breaks the rule: a file in a folder that exists"),
                (["none", "train", "test"], "cannot open 'none'"),
                (["empty", "train", "test"], "empty: the file is empty"),
                (["samples", "train", "test"], "samples: no samples"),
                (["bad", "train", "test"], "bad:2:7: "),
                (["one", "train", "test"], "DATA: 1 rows, 0 of them to test breaks the rule: so many rows")]:
            with self.subTest(arguments=arguments):
                self.expect_error("split", *arguments, says=words)


if __name__ == "__main__":
    unittest.main()
