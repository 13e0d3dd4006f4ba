"""Mapped models wherever MODEL is asked for."""

import os
import subprocess
import unittest

from tool import LONGEST_WAIT, ToolTest, random_data


class MappedModel(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.expect(0, "train", "data.txt", "m", "--loss", "logistic", "--intercept", "yes", "--tol", "1e-6", "--quiet")
        self.expect(0, "convert", "m", "m.pdbm")

    def test_there_and_back(self):
        self.expect(0, "convert", "m.pdbm", "back")
        self.assertEqual(self.read("back"), self.read("m"))
        self.assertEqual(self.expect(0, "convert", "m.pdbm", "-"), self.read("m"))
        self.expect(0, "convert", "-", "other.pdbm", stdin=self.read("m").encode())
        self.expect(0, "convert", "m.pdbm", "again.pdbm")
        for name in ["other.pdbm", "again.pdbm"]:
            self.assertEqual((self.folder / name).read_bytes(), (self.folder / "m.pdbm").read_bytes())

    def test_every_command_takes_it_for_the_model(self):
        for command in [["predict", "data.txt", "{}"], ["predict", "data.txt", "{}", "--scores"],
                        ["predict", "data.txt", "{}", "--probabilities"], ["certify", "data.txt", "{}", "--tol", "1e-5"],
                        ["weights", "{}"]]:
            text, mapped = (self.expect(0, *[word.format(name) for word in command]) for name in ("m", "m.pdbm"))
            self.assertEqual(text, mapped.replace("m.pdbm", "m"), command)
        (self.folder / "m.pdbm").rename(self.folder / "renamed")
        expected = self.expect(0, "predict", "data.txt", "m")
        self.assertEqual(self.expect(0, "predict", "data.txt", "renamed"), expected)
        model = (self.folder / "renamed").read_bytes()
        self.assertEqual(self.expect(0, "predict", "data.txt", "-", stdin=model), expected)
        self.expect(0, "train", "data.txt", "next", "--loss", "logistic", "--start", "renamed", "--quiet")

    def test_through_a_pipe(self):
        """A pipe has no second reading, so nothing of it may be lost on finding out what it is."""
        expected = self.expect(0, "predict", "data.txt", "m")
        os.mkfifo(self.folder / "pipe")
        for model in ["m", "m.pdbm"]:
            tool = self.start("predict", "data.txt", "pipe", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            (self.folder / "pipe").write_bytes((self.folder / model).read_bytes())
            self.assertEqual(tool.communicate(timeout=LONGEST_WAIT)[0].decode(), expected)

    def test_data_wider_than_the_model(self):
        self.write("wide.txt", "1 1:0.1 2:0.7 900:5\n-1 3:1 901:1\n")
        self.assertEqual(self.expect(0, "predict", "wide.txt", "m.pdbm", "--scores"), self.expect(0, "predict", "wide.txt", "m", "--scores"))
        self.assertEqual(self.expect_json(0, "predict", "wide.txt", "m.pdbm")["unknown_features"], 2)

    def test_training_writes_it(self):
        options = ["--loss", "logistic", "--intercept", "yes", "--tol", "1e-6", "--quiet"]
        self.expect(0, "train", "data.txt", "new.pdbm", *options)
        self.expect(0, "train", "data.txt", "new", "--format", "mapped", *options)
        for name in ["new.pdbm", "new"]:
            self.assertEqual((self.folder / name).read_bytes(), (self.folder / "m.pdbm").read_bytes())
        self.expect(0, "train", "data.txt", "text.pdbm", "--format", "pdbfw", *options)
        self.assertEqual(self.read("text.pdbm"), self.read("m"))
        self.expect(0, "cv", "data.txt", "cv.pdbm", "--quiet")
        self.expect(0, "path", "data.txt", "--model", "path.pdbm", "--quiet")
        for name in ["cv.pdbm", "path.pdbm"]:
            self.assertEqual(self.expect_json(0, "info", name)["kind"], "mapped model")

    def test_info(self):
        about = self.expect_json(0, "info", "m.pdbm")
        self.assertEqual((about["features"], about["samples"], about["status"], about["has_proof"]), (50, 200, "converged", True))
        self.assertEqual(about["nonzeros"], len(self.expect(0, "weights", "m").splitlines()))
        self.assertIn("mapped model", self.expect(0, "info", "m.pdbm"))

    def test_damage_is_one_line(self):
        model = (self.folder / "m.pdbm").read_bytes()
        for name, damaged, says in [("cut", model[:-8], "truncated"), ("short", model[:20], "truncated"), ("longer", model + b"\0", "by its header"),
                                    ("changed", model[:-30] + bytes([model[-30] ^ 1]) + model[-29:], "checksum"),
                                    ("newer", model[:8] + b"\3" + model[9:], "version 3")]:
            self.write(name, damaged)
            for command in [["predict", "data.txt", name], ["certify", "data.txt", name], ["weights", name], ["info", name], ["convert", name, "out"]]:
                self.expect_error(*command, says=[f"error: {name}: ", says])

    def test_cut_while_it_is_used(self):
        """The tool has mapped and checked the model when it begins to read the data."""
        self.write("wide", "pdbfw-model 2\nkind vector\nloss squared\nset l1\nradius 1\nridge 0\nfeatures 100000\nsamples 1\nweights 1\n1 90000 1\nend\n")
        self.expect(0, "convert", "wide", "wide.pdbm")
        tool = self.start("predict", "-", "wide.pdbm", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # More than a pipe holds: when all is written, the tool is reading.
        tool.stdin.write(b"1 1:1\n" * 100_000)
        tool.stdin.flush()
        os.truncate(self.folder / "wide.pdbm", 4096)
        message = tool.communicate(b"1 90000:1\n", timeout=LONGEST_WAIT)[1].decode()
        self.assertEqual(tool.returncode, 1, message)
        self.assertRegex(message, r"^pdbfw: error: cannot read '.*/wide.pdbm': it was cut while it was in use, or its disk failed\n$")

    def test_mistakes(self):
        self.write("classes.txt", 10 * "1 1:1\n2 2:1\n3 3:1\n")
        self.expect_error("train", "classes.txt", "c.pdbm", says="MODEL: 'c.pdbm' breaks the rule: not *.pdbm for several classes")
        self.expect_error("train", "classes.txt", "c", "--set", "trace", "--format", "mapped", says="format: 'mapped' breaks the rule: pdbfw for the set trace")
        self.expect(0, "train", "classes.txt", "c", "--quiet")
        self.expect_error("convert", "c", "c.pdbm", says="kind: one_vs_rest breaks the rule: vector: a mapped model has one vector of weights")
        self.expect_error("convert", "data.txt", "d.pdbm", says="data.txt:1:1")
        self.expect_error("convert", "m", "o.pdbm", "--values", "float32", says="values: 'float32' breaks the rule: float64 for a model")
        self.write("huge", self.read("m").replace("features 50", "features 4611686018427387904"))
        self.expect_error("convert", "huge", "o.pdbm", says=["features: 4611686018427387904", "memory"])


if __name__ == "__main__":
    unittest.main()
