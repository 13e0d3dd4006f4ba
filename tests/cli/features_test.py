"""pdbfw features."""

import gzip
import math
import os
import unittest

from tool import ToolTest, random_data

KIND = ("features", "random-binning")


def circle(offset):
    """A disc and what is around it: no linear model tells them apart."""
    points = [((k * 0.618034) % 1 * 4 - 2, (k * 0.754878) % 1 * 4 - 2) for k in range(offset, offset + 600)]
    return "".join(f"{1 if x * x + y * y < 1.6 else -1} 1:{x:.6f} 2:{y:.6f}\n" for x, y in points)


def dot(a, b):
    return sum(value * b.get(j, 0.0) for j, value in a.items())


class Features(ToolTest):
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

    def accuracy(self, kind, learnt, radius, *options):
        """On new points of the circle."""
        self.write("train.txt", circle(0))
        self.write("test.txt", circle(1000))
        self.expect(0, *kind, "train.txt", "train.made", *options, *(["--save-map", "circle.map"] if learnt else []))
        self.expect(0, *kind, "test.txt", "test.made", *(["--map", "circle.map"] if learnt else options))
        self.expect(0, "train", "train.made", "m", "--quiet", "--radius", radius)
        return self.expect_json(0, "predict", "test.made", "m", "out")["accuracy"]

    def check_bad_files(self, kind, magic, *options):
        """What every kind that learns a map says about files."""
        self.write("map", "x\n")
        self.write("empty", "")
        self.write("samples", "# none\n")
        for arguments, words in [
                (["data.txt"], "OUT is required"),
                (["data.txt", "-", "--json", *options], "OUT: '-' breaks the rule: a file, because --json"),
                (["data.txt", "data.txt", *options], "OUT: 'data.txt' breaks the rule: a file that is not used"),
                (["data.txt", "no/out", *options], "OUT: 'no/out' breaks the rule: a file in a folder that exists"),
                (["data.txt", "out", *options, "--save-map", "out"], "save_map: 'out' breaks the rule: a file that"),
                (["data.txt", "out", *options, "--save-map", "no/map"], "save_map: 'no/map' breaks the rule"),
                (["data.txt", "out", *options, "--save-map", "-"], "save_map: '-' breaks the rule: a file; it cannot be"),
                (["data.txt", "map", "--map", "map"], "OUT: 'map' breaks the rule: a file that is not used"),
                (["-", "out", "--map", "-"], "map: '-' breaks the rule: a file when the data come"),
                (["data.txt", "out", "--map", "map"], f"map:1:1: 'x' does not start {magic}"),
                (["data.txt", "out", "--map", "empty"], "empty: the file is empty"),
                (["data.txt", "out", "--map", "none"], "cannot open 'none'"),
                (["none", "out", *options], "cannot open 'none'"),
                (["empty", "out", *options], "empty: the file is empty"),
                (["samples", "out", *options], "samples: no samples"),
                (["data.txt", "out", *options, "--gama", "3"], "unknown option '--gama'")]:
            with self.subTest(arguments=arguments):
                self.expect_error(*kind, *arguments, says=words)
        self.expect(0, *kind, "data.txt", "out", *options, "--save-map", "map")
        text = self.read("map")
        self.write("cut", text[:len(text) * 2 // 3])
        self.expect_error(*kind, "data.txt", "out", "--map", "cut", says="cut:")
        self.expect_error(*kind, "data.txt", "out", "--map", "map", "--save-map", "other",
                          says="--save-map: with --map breaks the rule: only where a map is learnt")
        if os.geteuid() != 0:
            (self.folder / "locked").mkdir(mode=0o500)
            self.expect_error(*kind, "data.txt", "locked/out", *options, says="a folder that can be written")

    def check_streams(self, kind, *options):
        """Threads, compression, standard input and standard output change nothing."""
        self.expect(0, *kind, "data.txt", "out", *options)
        (self.folder / "data.gz").write_bytes(gzip.compress(self.read("data.txt").encode()))
        for data in ["data.txt", "data.gz"]:
            self.expect(0, *kind, data, "other", *options, "--threads", "3")
            self.assertEqual(self.read("other"), self.read("out"))
        self.expect(0, "convert", "data.txt", "data.pdb")
        self.expect(0, *kind, "data.pdb", "other", *options)
        self.assertEqual(self.read("other"), self.read("out"))
        self.write("data.csv", "".join(",".join([f"{target}"] + [str(row.get(j, 0)) for j in range(1, 13)]) + "\n"
                                       for target, row in self.rows("data.txt")))
        self.expect(0, *kind, "data.csv", "other", *options)
        self.assertEqual(self.read("other"), self.read("out"))
        done = self.run_tool(*kind, "-", "-", *options, stdin=self.read("data.txt").encode())
        self.assertEqual(done.stdout.decode(), self.read("out"))
        self.assertIn("standard input: 200 rows", done.stderr.decode())
        self.assertEqual(self.expect(0, *kind, "data.txt", "other", *options, "--quiet"), "")


class Memory(Features):
    """As many columns as the readers let through: too many for what is learnt of each."""

    def test_columns_that_do_not_fit_are_refused_first(self):
        columns = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") // 64
        self.write("wide.txt", f"1 1:1\n-1 {columns}:1\n")
        self.expect_error("features", "normalise", "wide.txt", "out", "--columns", "maximum",
                          says=[f"columns: {columns} of them breaks the rule", "they need"])
        self.expect_error(*KIND, "wide.txt", "out", "--grids", "1", "--gamma", "1",
                          says=[f"grids: 1 for 2 x {columns} data breaks the rule", "they need"])


class RandomBinning(Features):
    def test_every_row_has_an_entry_a_grid_and_its_target(self):
        report = self.expect_json(0, *KIND, "data.txt", "out", "--grids", "25")
        self.assertEqual(list(report), ["rows", "columns", "grids", "gamma", "unknown_bins", "features", "nonzeros",
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
        self.assertGreater(self.accuracy(KIND, True, 100), 0.93)

    def test_the_number_of_features_chooses_gamma(self):
        report = self.expect_json(0, *KIND, "data.txt", "out", "--grids", "20", "--features", "1000", "--save-map", "map")
        self.assertLess(abs(report["features"] - 1000), 20)
        self.assertIn(f"gamma {report['gamma']}\n", self.read("map"))
        again = self.expect_json(0, *KIND, "data.txt", "again", "--grids", "20", "--gamma", report["gamma"])
        self.assertEqual(again["features"], report["features"])
        self.assertEqual(self.read("again"), self.read("out"))

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
                ([*KIND, "data.txt", "out", "--features", "x"], "features: 'x' breaks the rule: an integer"),
                ([*KIND, "data.txt", "out", "--features", "99"], "features: 99 breaks the rule: from one a grid, here 100"),
                ([*KIND, "data.txt", "out", "--features", "300", "--gamma", "1"], "features: 300 with a gamma breaks"),
                ([*KIND, "data.txt", "out", "--features", "90000"], "features: 90000 breaks the rule: near what 100 grids"),
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
        for flag in [["--grids", "3"], ["--gamma", "1"], ["--features", "300"], ["--scale"], ["--seed", "1"], ["--save-map", "other"]]:
            self.expect_error(*KIND, "data.txt", "out", "--map", "map", *flag,
                              says=f"{flag[0]}: with --map breaks the rule: only where a map is learnt")

    def test_more_than_fits_into_memory(self):
        self.write("wide.txt", "1 1:1 900000000:1\n")
        self.expect_error(*KIND, "wide.txt", "out", "--grids", "100000",
                          says="fit into this machine's memory")

    def test_bad_files(self):
        self.check_bad_files(KIND, "a map of random binning")


class RandomFourier(Features):
    KIND = ("features", "random-fourier")

    def test_rows_are_dense_and_products_are_near_the_kernel(self):
        data = [row for _, row in self.rows("data.txt")]
        for kernel, power in [("gaussian", 2), ("laplacian", 1)]:
            report = self.expect_json(0, *self.KIND, "data.txt", "out", "--features", "2000", "--kernel", kernel)
            self.assertEqual(list(report), ["rows", "columns", "kernel", "gamma", "features", "nonzeros",
                                            "ignored_columns", "seconds", "out"])
            self.assertEqual((report["rows"], report["columns"], report["nonzeros"]), (200, 12, 400000))
            made = self.rows("out")
            self.assertEqual([target for target, _ in made], [target for target, _ in self.rows("data.txt")])
            for i in range(20):
                distance = sum(abs(data[0].get(j, 0) - data[i].get(j, 0)) ** power for j in range(1, 13))
                self.assertAlmostEqual(dot(made[0][1], made[i][1]), math.exp(-report["gamma"] * distance), delta=0.1)

    def test_summary(self):
        text = self.expect(0, *self.KIND, "data.txt", "out", "--gamma", "0.5", "--scale", "--features", "10")
        for words in ["data.txt: 200 rows, 12 columns", "gaussian kernel, gamma 0.5, columns scaled",
                      "10, 2000 non-zeros"]:
            self.assertIn(words, text)

    def test_streams(self):
        self.check_streams(self.KIND, "--features", "4")

    def test_a_saved_map_gives_the_same_features(self):
        self.expect(0, *self.KIND, "data.txt", "out", "--scale", "--features", "6", "--save-map", "map")
        self.expect(0, *self.KIND, "data.txt", "again", "--map", "map")
        self.assertEqual(self.read("again"), self.read("out"))
        first = self.read("data.txt").splitlines()[0]
        self.write("row.txt", first + " 13:5 15:1\n")
        report = self.expect_json(0, *self.KIND, "row.txt", "row", "--map", "map")
        self.assertEqual(self.read("row"), self.read("out").splitlines()[0] + "\n")
        self.assertEqual(report["ignored_columns"], 3)
        self.assertIn("3 columns beyond the 12 of the map", self.expect(0, *self.KIND, "row.txt", "row", "--map", "map"))

    def test_a_circle_is_learnt(self):
        self.assertGreater(self.accuracy(self.KIND, True, 300, "--features", "300"), 0.93)

    def test_bad_usage(self):
        for options, words in [
                (["--kernel", "gauss"], "kernel: 'gauss' breaks the rule: one of gaussian, laplacian"),
                (["--features", "3"], "features: 3 breaks the rule: an even number, 2 .. 1000000"),
                (["--features", "x"], "features: 'x' breaks the rule: an integer"),
                (["--gamma", "0"], "gamma: 0 breaks the rule: a finite number > 0, or auto"),
                (["--gamma", "x"], "gamma: 'x' breaks the rule: a finite number > 0, or auto")]:
            self.expect_error(*self.KIND, "data.txt", "out", *options, says=words)
        self.write("wide.txt", "1 1:1 90000000:1\n")
        self.expect_error(*self.KIND, "wide.txt", "out", "--features", "1000000",
                          says="features: 1000000 for 90000000 columns breaks the rule: so few that")
        self.write("huge.txt", "1 1:1e308 2:1e308\n")
        self.expect_error(*self.KIND, "huge.txt", "out", "--gamma", "1e300", says="beyond the largest double")

    def test_bad_files(self):
        self.check_bad_files(self.KIND, "a map of random Fourier features", "--features", "4")


class Polynomial(Features):
    KIND = ("features", "polynomial")

    def test_products_are_the_kernel(self):
        data = [row for _, row in self.rows("data.txt")]
        for degree in [2, 3]:
            report = self.expect_json(0, *self.KIND, "data.txt", "out", "--degree", degree, "--gamma", "0.5", "--coef0", "2")
            self.assertEqual(list(report), ["rows", "columns", "degree", "gamma", "coef0", "hash", "features", "nonzeros",
                                            "seconds", "out"])
            self.assertEqual(report["features"], math.comb(13 + degree - 1, degree))
            made = self.rows("out")
            self.assertEqual([target for target, _ in made], [target for target, _ in self.rows("data.txt")])
            self.assertEqual(report["nonzeros"], sum(len(row) for _, row in made))
            for i in range(20):
                self.assertAlmostEqual(dot(made[0][1], made[i][1]), (0.5 * dot(data[0], data[i]) + 2) ** degree)

    def test_a_row_by_hand(self):
        self.write("row.txt", "1 1:2 3:3\n")
        root = math.sqrt(2)
        self.expect(0, *self.KIND, "row.txt", "out")
        self.assertEqual(self.rows("out"), [(1, {1: 1, 2: root * 2, 3: 4, 7: root * 3, 8: root * 2 * 3, 10: 9})])
        self.expect(0, *self.KIND, "row.txt", "out", "--coef0", "0")
        self.assertEqual(self.rows("out"), [(1, {1: 4, 4: root * 2 * 3, 6: 9})])

    def test_streams(self):
        self.check_streams(self.KIND)
        self.check_streams(self.KIND, "--hash", "5", "--degree", "3")

    def test_hash(self):
        text = self.expect(0, *self.KIND, "data.txt", "out", "--hash", "5")
        for words in ["(1 x'y + 1)^2, hashed into 2^5", "32, "]:
            self.assertIn(words, text)
        self.assertLessEqual(max(max(row) for _, row in self.rows("out")), 32)
        self.expect(0, *self.KIND, "data.txt", "other", "--hash", "5", "--seed", "1")
        self.assertNotEqual(self.read("other"), self.read("out"))

    def test_a_circle_is_learnt(self):
        self.assertGreater(self.accuracy(self.KIND, False, 100), 0.97)

    def test_bad_usage(self):
        self.write("empty", "")
        for arguments, words in [
                (["data.txt", "out", "--degree", "4"], "degree: 4 breaks the rule: 2 or 3"),
                (["data.txt", "out", "--degree", "4294967298"], "degree: 4294967298 breaks the rule: 2 or 3"),
                (["data.txt", "out", "--degree", "x"], "degree: 'x' breaks the rule: an integer"),
                (["data.txt", "out", "--gamma", "0"], "gamma: 0 breaks the rule: a finite number > 0"),
                (["data.txt", "out", "--gamma", "auto"], "gamma: 'auto' breaks the rule: a number"),
                (["data.txt", "out", "--coef0", "-1"], "coef0: -1 breaks the rule: a finite number >= 0"),
                (["data.txt", "out", "--hash", "31"], "hash: 31 breaks the rule: a number of bits, 1 .. 30"),
                (["data.txt", "out", "--hash", "4294967298"], "hash: 4294967298 breaks the rule: a number of bits, 1 .. 30"),
                (["data.txt"], "see pdbfw features polynomial --help"),
                (["data.txt", "out", "--seed", "1"], "seed: 1 breaks the rule: only with --hash"),
                (["data.txt", "out", "--map", "x"], "unknown option '--map'"),
                (["data.txt", "data.txt"], "OUT: 'data.txt' breaks the rule: a file that is not used"),
                (["data.txt", "no/out"], "OUT: 'no/out' breaks the rule: a file in a folder that exists"),
                (["none", "out"], "cannot open 'none'"),
                (["empty", "out"], "empty: the file is empty")]:
            with self.subTest(arguments=arguments):
                self.expect_error(*self.KIND, *arguments, says=words)
        self.write("wide.txt", "1 1:1\n1 1:1 5000000:1\n")
        self.expect_error(*self.KIND, "wide.txt", "out",
                          says=["error: wide.txt: rows 1 .. 2: degree: 2 for 5000000 columns", "--hash 20"])
        self.expect(0, *self.KIND, "wide.txt", "out", "--hash", "20")
        self.write("long.txt", "1 " + " ".join(f"{j}:1" for j in range(1, 700)) + "\n")
        self.expect_error(*self.KIND, "long.txt", "out", "--degree", "3", "--hash", "20", says="products a row")
        self.write("huge.txt", "1 1:1e200\n")
        self.expect_error(*self.KIND, "huge.txt", "out", says="beyond the largest double")


class Normalise(Features):
    KIND = ("features", "normalise")

    def test_columns_and_rows(self):
        nonzeros = sum(value != 0 for _, row in self.rows("data.txt") for value in row.values())
        for rule in ["maximum", "deviation", "standardise"]:
            report = self.expect_json(0, *self.KIND, "data.txt", "out", "--columns", rule)
            self.assertEqual(list(report), ["rows", "columns", "row_rule", "column_rule", "features", "nonzeros",
                                            "ignored_columns", "seconds", "out"])
            self.assertEqual(report["nonzeros"], 2400 if rule == "standardise" else nonzeros)
            made = [row for _, row in self.rows("out")]
            for j in range(1, 13):
                column = [row.get(j, 0.0) for row in made]
                mean = sum(column) / 200
                deviation = math.sqrt(sum((x - mean) ** 2 for x in column) / 200)
                if rule == "maximum":
                    self.assertEqual(max(map(abs, column)), 1)
                else:
                    self.assertAlmostEqual(deviation, 1)
                if rule == "standardise":
                    self.assertAlmostEqual(mean, 0)
        self.expect(0, *self.KIND, "data.txt", "out", "--rows", "l2", "--columns", "maximum")
        for _, row in self.rows("out"):
            self.assertAlmostEqual(dot(row, row), 1)

    def test_a_row_by_hand(self):
        self.write("small.txt", "1 1:3 2:4\n-1 5:-2\n1\n")
        text = self.expect(0, *self.KIND, "small.txt", "out", "--rows", "l2")
        self.assertEqual(self.rows("out"), [(1, {1: 3 / 4 / 1.25, 2: 1 / 1.25}), (-1, {5: -1}), (1, {})])
        self.assertIn("columns none, rows l2", text)
        self.assertIn("zeros were filled in", self.expect(0, *self.KIND, "small.txt", "out", "--columns", "standardise"))

    def test_streams(self):
        self.check_streams(self.KIND, "--columns", "deviation", "--rows", "l2")

    def test_a_saved_map_treats_new_rows_the_same_way(self):
        for options in [["--columns", "maximum"], ["--columns", "standardise", "--rows", "l2"]]:
            self.expect(0, *self.KIND, "data.txt", "out", *options, "--save-map", "map")
            self.expect(0, *self.KIND, "data.txt", "again", "--map", "map")
            self.assertEqual(self.read("again"), self.read("out"))
            first = self.read("data.txt").splitlines()[0]
            self.write("row.txt", first + " 13:5 15:1\n")
            report = self.expect_json(0, *self.KIND, "row.txt", "row", "--map", "map")
            self.assertEqual(self.read("row"), self.read("out").splitlines()[0] + "\n")
            self.assertEqual(report["ignored_columns"], 3)

    def test_bad_usage(self):
        for options, words in [
                ([], "rows and columns: none breaks the rule: --rows l2, or --columns, or both, or --map"),
                (["--rows", "l1"], "rows: 'l1' breaks the rule: one of none, l2"),
                (["--columns", "scale"], "columns: 'scale' breaks the rule: one of none, maximum, deviation, standardise")]:
            self.expect_error(*self.KIND, "data.txt", "out", *options, says=words)

    def test_filling_in_too_much_is_refused(self):
        self.write("wide.txt", "1 1:1\n" * 2000 + "1 500001:1\n")
        self.expect(0, *self.KIND, "wide.txt", "out", "--columns", "deviation")
        says = ["columns: standardise for 2001 rows of 500001 columns breaks the rule: at most 1000000000 entries",
                "deviation keeps them"]
        self.expect_error(*self.KIND, "wide.txt", "out", "--columns", "standardise", says=says)
        self.write("map", "pdbfw-normalisation 1\nrows none\ncolumns standardise\nwidth 500001\n" + "0 1\n" * 500001 + "end\n")
        self.expect_error(*self.KIND, "wide.txt", "out", "--map", "map", says=says)

    def test_bad_files(self):
        self.check_bad_files(self.KIND, "a normalisation", "--columns", "maximum")


if __name__ == "__main__":
    unittest.main()
