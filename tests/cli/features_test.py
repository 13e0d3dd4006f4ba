"""pdbfw features."""

import unittest

from tool import ToolTest, random_data

KIND = ("features", "random-binning")


class RandomBinning(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data(features=12))

    def rows(self, name):
        """(target, {feature: value}) of every row."""
        rows = []
        for line in self.read(name).splitlines():
            target, *entries = line.split()
            rows.append((float(target), {int(j): float(v) for j, v in (entry.split(":") for entry in entries)}))
        return rows

    def test_every_row_has_an_entry_a_grid_and_its_target(self):
        report = self.expect_json(0, *KIND, "data.txt", "out", "--grids", "25")
        self.assertEqual(list(report), ["rows", "columns", "grids", "gamma", "features", "nonzeros", "unknown_bins",
                                        "ignored_columns", "seconds", "out"])
        self.assertEqual((report["rows"], report["columns"], report["grids"]), (200, 12, 25))
        self.assertEqual((report["nonzeros"], report["unknown_bins"], report["ignored_columns"]), (5000, 0, 0))
        rows = self.rows("out")
        self.assertEqual([target for target, _ in rows], [target for target, _ in self.rows("data.txt")])
        for _, entries in rows:
            self.assertEqual(list(entries.values()), [0.2] * 25)
        used = set().union(*(entries for _, entries in rows))
        self.assertEqual(used, set(range(1, report["features"] + 1)))

    def test_summary(self):
        text = self.expect(0, *KIND, "data.txt", "out", "--gamma", "0.5", "--scale")
        for words in ["data.txt: 200 rows, 12 columns", "100 grids, gamma 0.5, columns scaled", "20000 non-zeros"]:
            self.assertIn(words, text)
        self.assertNotIn("unknown", text)
        self.assertEqual(self.expect(0, *KIND, "data.txt", "out", "--quiet"), "")

    def test_data_on_standard_output_and_the_summary_beside(self):
        self.expect(0, *KIND, "data.txt", "out", "--grids", "3")
        done = self.run_tool(*KIND, "-", "-", "--grids", "3", stdin=self.read("data.txt").encode())
        self.assertEqual(done.stdout.decode(), self.read("out"))
        self.assertIn("standard input: 200 rows", done.stderr.decode())

    def test_threads_change_nothing_and_the_seed_does(self):
        self.expect(0, *KIND, "data.txt", "out", "--grids", "9", "--save-map", "map")
        for threads in ["2", "8"]:
            self.expect(0, *KIND, "data.txt", "other", "--grids", "9", "--save-map", "map2", "--threads", threads)
            self.assertEqual(self.read("other"), self.read("out"))
            self.assertEqual(self.read("map2"), self.read("map"))
        self.expect(0, *KIND, "data.txt", "other", "--grids", "9", "--seed", "1")
        self.assertNotEqual(self.read("other"), self.read("out"))

    def test_a_saved_map_gives_the_same_features(self):
        self.expect(0, *KIND, "data.txt", "out", "--scale", "--save-map", "map")
        self.expect(0, *KIND, "data.txt", "again", "--map", "map")
        self.assertEqual(self.read("again"), self.read("out"))
        # Rows one by one are what they are together; columns beyond the map's have no say.
        first = self.read("data.txt").splitlines()[0]
        self.write("row.txt", first + " 13:5 15:1\n")
        report = self.expect_json(0, *KIND, "row.txt", "row", "--map", "map")
        self.assertEqual(self.read("row"), self.read("out").splitlines()[0] + "\n")
        self.assertEqual(report["ignored_columns"], 3)
        self.assertIn("3 columns beyond the 12 of the map", self.expect(0, *KIND, "row.txt", "row", "--map", "map"))

    def test_unseen_bins_have_no_entry(self):
        self.expect(0, *KIND, "data.txt", "out", "--save-map", "map")
        self.write("far.txt", "1 1:1e9\n-1 2:1e9\n")
        text = self.expect(0, *KIND, "far.txt", "f", "--map", "map")
        self.assertIn("100 % of the rows' bins are not in the map", text)
        self.assertEqual(self.read("f"), "1\n-1\n")

    def test_a_circle_is_learnt(self):
        """No linear model tells a disc from what is around it; binned features do."""
        def data(offset):
            points = [((k * 0.618034) % 1 * 4 - 2, (k * 0.754878) % 1 * 4 - 2) for k in range(offset, offset + 600)]
            return "".join(f"{1 if x * x + y * y < 1.6 else -1} 1:{x:.6f} 2:{y:.6f}\n" for x, y in points)
        self.write("train.txt", data(0))
        self.write("test.txt", data(1000))
        self.expect(0, *KIND, "train.txt", "train.bins", "--save-map", "map")
        self.expect(0, *KIND, "test.txt", "test.bins", "--map", "map")
        self.expect(0, "train", "train.bins", "m", "--quiet")
        self.assertGreater(self.expect_json(0, "predict", "test.bins", "m", "out")["accuracy"], 0.93)

    def test_bad_usage(self):
        self.write("map", "x\n")
        for arguments, words in [
                (["features"], "which features? see pdbfw features --help"),
                (["features", "random-bining"], "unknown features 'random-bining' (did you mean 'random-binning'?)"),
                ([*KIND, "data.txt"], "OUT is required"),
                ([*KIND, "data.txt", "out", "more"], "unexpected argument 'more'; see pdbfw features random-binning"),
                ([*KIND, "data.txt", "out", "--grid", "3"], "unknown option '--grid' (did you mean '--grids'?)"),
                ([*KIND, "data.txt", "out", "--grids", "x"], "grids: 'x' breaks the rule: an integer"),
                ([*KIND, "data.txt", "out", "--grids", "0"], "grids: 0 breaks the rule: an integer, 1 .. 100000"),
                ([*KIND, "data.txt", "out", "--gamma", "0"], "gamma: 0 breaks the rule: a finite number > 0, or auto"),
                ([*KIND, "data.txt", "out", "--gamma", "car"], "gamma: 'car' breaks the rule: a finite number > 0"),
                ([*KIND, "data.txt", "-", "--json"], "OUT: '-' breaks the rule: a file, because --json"),
                ([*KIND, "data.txt", "data.txt"], "OUT: 'data.txt' breaks the rule: a file that is not used"),
                ([*KIND, "data.txt", "no/out"], "OUT: 'no/out' breaks the rule: a file in a folder that exists"),
                ([*KIND, "data.txt", "out", "--save-map", "out"], "save_map: 'out' breaks the rule: a file that"),
                ([*KIND, "data.txt", "out", "--save-map", "-"], "save_map: '-' breaks the rule"),
                ([*KIND, "data.txt", "map", "--map", "map"], "OUT: 'map' breaks the rule: a file that is not used"),
                ([*KIND, "-", "out", "--map", "-"], "map: '-' breaks the rule: a file when the data come"),
                ([*KIND, "data.txt", "out", "--map", "map"], "map:1:1: 'x' does not start a map of random binning"),
                ([*KIND, "data.txt", "out", "--map", "none"], "cannot open 'none'"),
                ([*KIND, "data.txt", "out", "--map", ""], "cannot open ''"),
                ([*KIND, "data.txt", "out", "--save-map", ""], "save_map: '' breaks the rule: a file name"),
                ([*KIND, "none", "out"], "cannot open 'none'"),
                ([*KIND, "none", "out", "--grids", "0"], "grids: 0 breaks the rule")]:
            with self.subTest(arguments=arguments):
                self.expect_error(*arguments, says=words)
        for flag in [["--grids", "3"], ["--gamma", "1"], ["--scale"], ["--seed", "1"], ["--save-map", "other"]]:
            self.expect_error(*KIND, "data.txt", "out", "--map", "map", *flag,
                              says=f"{flag[0]}: with --map breaks the rule: only where a map is learnt")

    def test_more_than_fits_into_memory(self):
        self.write("wide.txt", "1 1:1 900000000:1\n")
        self.expect_error(*KIND, "wide.txt", "out", "--grids", "100000",
                          says="fit into this machine's memory")


if __name__ == "__main__":
    unittest.main()
