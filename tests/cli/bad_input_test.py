"""Bad input: one line that names file or field, value and rule; exit code 1; nothing written."""

import bz2
import gzip
import lzma
import resource
import shutil
import subprocess
import unittest

from tool import PDBFW, TINY, ToolTest, random_data


class BadData(ToolTest):
    def check(self, text, *says, options=()):
        self.write("bad.txt", text)
        for command in [("train", "bad.txt", "out"), ("info", "bad.txt")]:
            with self.subTest(text=text[:40], command=command[0]):
                self.expect_error(*command, *(options if command[0] == "train" else ()), says=["bad.txt", *says])

    def test_missing_file(self):
        self.expect_error("train", "none.txt", says=["none.txt", "No such file"])

    def test_a_folder(self):
        (self.folder / "sub").mkdir()
        self.expect_error("train", "sub", says=["sub", "directory"])

    def test_empty(self):
        self.check("", "empty")
        self.check("\n# only a comment\n", "no samples")

    def test_truncated_compression(self):
        text = random_data().encode()
        for name, packed in [("gzip", gzip.compress(text)), ("bzip2", bz2.compress(text)), ("xz", lzma.compress(text))]:
            self.write("bad.txt", packed[:len(packed) // 2])
            self.expect_error("train", "bad.txt", says=["bad.txt", name, "ends early"])

    @unittest.skipUnless(shutil.which("zstd"), "the zstd tool is not installed")
    def test_truncated_zstd(self):
        packed = subprocess.run(["zstd", "-c"], input=random_data().encode(), capture_output=True, check=True).stdout
        self.write("bad.txt", packed[:len(packed) // 2])
        self.expect_error("train", "bad.txt", says=["bad.txt", "zstd", "ends early"])

    def test_corrupt_compression(self):
        packed = bytearray(lzma.compress(random_data().encode()))
        packed[len(packed) // 2] ^= 0xFF
        self.write("bad.txt", bytes(packed))
        self.expect_error("train", "bad.txt", says="bad.txt")

    def test_indices(self):
        self.check("1 0:1\n", "bad.txt:1:3", "'0'", "start at 1")
        self.check("1 1:1\n-1 1:2 -3:1\n", "bad.txt:2:8", "'-3'")
        self.check("1 3:1 2:1\n", "bad.txt:1:7", "index 2 after 3", "ascend")
        self.check("1 3:1 3:1\n", "bad.txt:1:7", "3", "repeated")
        self.check("1 9223372036854775808:1\n", "bad.txt:1:3", "2^63")
        self.check("1 99999999999999999999999:1\n", "bad.txt:1:3", "2^63")
        self.check("1 x:1\n", "bad.txt:1:3", "'x'")

    def test_values(self):
        self.check("1 1:nan\n", "bad.txt:1:5", "'nan'", "finite")
        self.check("1 1:-inf\n", "bad.txt:1:5", "'-inf'", "finite")
        self.check("1 1:1.5.2\n", "bad.txt:1:5", "'1.5.2'", "not a number")
        self.check("1 1:\n", "bad.txt:1:5")
        self.check("1 1 2:3\n", "bad.txt:1:3", "'1'", "colon")

    def test_targets(self):
        self.check("spam 1:1\n", "bad.txt:1:1", "'spam'", "not a number")
        self.check("nan 1:1\n", "bad.txt:1:1", "'nan'", "finite")

    def test_binary_noise_is_one_printable_line(self):
        self.write("bad.txt", bytes(range(256)) * 4)
        message = self.expect_error("train", "bad.txt", says="bad.txt:1:1")
        self.assertTrue(message[:-1].isprintable(), message)

    def test_classes(self):
        self.write("one.txt", "1 1:1\n1 2:1\n")
        self.expect_error("train", "one.txt", says=["one.txt", "targets", "only 1", "two classes"])
        self.write("three.txt", "1 1:1\n2 2:1\n3 1:1\n")
        self.expect_error("train", "three.txt", "--loss", "logistic", says=["three.txt", "1, 2, 3", "squared"])
        self.write("real.txt", "0.5 1:1\n1.5 2:1\n-0.25 1:1\n")
        self.expect_error("train", "real.txt", says=["real.txt", "two classes", "squared"])

    def test_rows_without_any_feature(self):
        self.write("bare.txt", "1\n-1\n")
        self.expect_error("train", "bare.txt", says=["bare.txt", "no features"])


class BadOptions(ToolTest):
    """Judged before the data are even opened."""

    def check(self, option, value, *says):
        with self.subTest(option=option, value=value):
            self.expect_error("train", "none.txt", f"--{option}", value,
                              says=[f"{option.replace('-', '_')}: '{value}' breaks the rule: ", *says])

    def test_numbers(self):
        for value in ["0", "-1", "inf", "nan", "ten", "1e999"]:
            self.check("radius", value, "a finite number > 0")
        for value in ["-1", "-1/n", "1/m", "x/n", "inf"]:
            self.check("ridge", value, "a finite number >= 0")
        for value in ["0", "-1e-4", "nan"]:
            self.check("tol", value, "a finite number > 0")
        self.check("smoothing", "2", "(0, 1]")
        self.check("huber-width", "0")
        self.check("max-iterations", "-1")
        self.check("max-iterations", "1.5")
        self.check("max-seconds", "soon")
        self.check("max-passes", "-1")
        self.check("threads", "0")
        self.check("seed", "-1")
        self.check("eta", "2")
        self.check("delta", "0")
        self.check("block-primal", "0")

    def test_names_suggest_the_nearest(self):
        self.check("loss", "logisitc", "did you mean 'logistic'?")
        self.check("set", "simplx", "did you mean 'simplex'?")
        self.check("solver", "sequental", "did you mean 'sequential'?")
        self.check("steps", "theorie", "did you mean 'theory'?")
        self.check("values", "flot32", "did you mean 'float32'?")
        self.check("format", "liblin", "did you mean 'liblinear'?")

    def test_options_without_a_say_are_not_ignored(self):
        for option, value in [("eta", "0.5"), ("delta", "1"), ("steps", "theory"), ("steps", "adaptive"),
                              ("block-primal", "3"), ("block-dual", "auto")]:
            self.check(option, value, "only for --solver pdbfw")
        self.check("step-scale", "2", "only for --solver fw, fw_away")
        self.expect_error("train", "none.txt", "--solver", "sequential", "--eta", "1", says=["eta", "--solver pdbfw"])
        self.expect_error("train", "none.txt", "--solver", "pdbfw", "--eta", "1", says="No such file")

    def test_unknown_options_and_commands(self):
        self.expect_error("train", "none.txt", "--raduis", "3", says=["'--raduis'", "did you mean '--radius'?"])
        self.expect_error("train", "none.txt", "--max_seconds=3", says=["'--max_seconds'", "'--max-seconds'"])
        self.expect_error("trian", "none.txt", says=["'trian'", "did you mean 'train'?"])
        self.expect_error("--jsn", says="'--jsn'")
        self.expect_error(says="--help")

    def test_missing_and_superfluous_arguments(self):
        self.expect_error("train", says=["DATA", "pdbfw train --help"])
        self.expect_error("certify", "none.txt", says="MODEL")
        self.expect_error("train", "a", "b", "c", says="'c'")
        self.expect_error("train", "none.txt", "--radius", says="--radius")
        for count in ["x", "0", "1e3"]:
            self.expect_error("weights", "m", "--top", count, says=f"top: '{count}' breaks the rule: an integer >= 1")
        self.expect_error("predict", "d", "m", "--scores", "--probabilities", says="--scores")
        self.expect_error("predict", "-", "-", says=["MODEL", "standard input"])

    def test_an_error_is_one_line_whatever_was_typed(self):
        self.expect_error("train", "no\nsuch\x1b[31mfile", says="no?such?[31mfile")

    def test_a_format_that_cannot_hold_the_model(self):
        self.expect_error("train", "none.txt", "--format", "liblinear", says=["loss", "'smooth_hinge'", "LIBLINEAR"])
        self.write("half.txt", "0.5 1:1\n1 2:1\n")
        self.expect_error("train", "half.txt", "--format", "liblinear", "--loss", "logistic", says=["classes", "0.5"])


class BadPlaces(ToolTest):
    """Where nothing can be written; found out before the work where that is possible."""

    def test_folder_that_is_missing(self):
        self.expect_error("train", "none.txt", "no/such/model", says=["MODEL", "no/such/model", "folder that exists"])
        self.expect_error("train", "none.txt", "m", "--trace", "no/t.csv", says=["trace", "no/t.csv"])
        self.expect_error("generate", "no/data.txt", says=["OUT", "no/data.txt"])
        self.expect_error("predict", "none.txt", "m", "no/out", says=["OUT", "no/out"])

    def test_a_folder_instead_of_a_file(self):
        (self.folder / "sub").mkdir()
        self.expect_error("train", "none.txt", "sub", says=["MODEL", "'sub'", "folder"])

    def test_an_output_never_replaces_an_input(self):
        self.write("data.txt", TINY)
        (self.folder / "link").symlink_to("data.txt")
        self.expect_error("train", "data.txt", "data.txt", says=["MODEL", "'data.txt'"])
        self.expect_error("train", "data.txt", "./link", says=["MODEL", "'./link'"])
        self.expect_error("train", "data.txt", "m", "--trace", "m", says=["trace", "'m'"])
        self.expect_error("train", "data.txt", "m", "--trace", "-", says=["trace", "'-'"])
        self.expect_error("predict", "data.txt", "m", "data.txt", says=["OUT", "'data.txt'"])
        self.expect_error("generate", "x", "--truth", "x", says=["truth", "'x'"])
        self.assertEqual(self.read("data.txt"), TINY)

    def test_disk_full(self):
        self.write("data.txt", TINY)
        self.expect_error("train", "data.txt", "/dev/full", says=["/dev/full", "No space left"])
        self.expect_error("train", "data.txt", "m", "--trace", "/dev/full", says=["/dev/full", "No space left"])
        self.expect_error("train", "data.txt", "/dev/full", "--trace", "t", says=["/dev/full", "No space left"])

    def test_a_report_that_fails_says_what_was_written(self):
        self.write("data.txt", TINY)
        for arguments, written in [(["train", "data.txt", "m"], "the model 'm' was written"),
                                   (["train", "data.txt", "n", "--json"], "the model 'n' was written"),
                                   (["predict", "data.txt", "m", "p"], "'p' was written")]:
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PDBFW, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                      check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("standard output: cannot write", done.stderr.decode())
            self.assertIn(written, done.stderr.decode())
            self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertEqual(self.files(), ["data.txt", "m", "n", "p"])

    def test_old_model_stays_when_the_new_one_does_not_fit(self):
        self.write("data.txt", random_data())
        self.expect(0, "train", "data.txt", "m", "--quiet")
        old = self.read("m")

        def small_files_only():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

        self.expect_error("train", "data.txt", "m", "--radius", "2", says="'m'", preexec_fn=small_files_only)
        self.assertEqual(self.read("m"), old)

    def test_out_of_memory_is_one_line(self):
        self.write("data.txt", "1 1:1\n-1 400000000:1\n")

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        if self.run_tool("--version", preexec_fn=little_memory).returncode != 0:
            self.skipTest("a sanitized tool needs more address space than this to start")
        self.expect_error("train", "data.txt", says="memory", preexec_fn=little_memory)


class BadModels(ToolTest):
    def test_not_a_model(self):
        self.write("data.txt", TINY)
        for command in [("weights", "data.txt"), ("predict", "data.txt", "data.txt"), ("certify", "data.txt", "data.txt")]:
            self.expect_error(*command, says=["data.txt:1:1", "pdbfw-model"])
        self.expect_error("weights", "none", says=["none", "No such file"])

    def test_truncated_model(self):
        self.write("data.txt", random_data())
        self.expect(0, "train", "data.txt", "m", "--quiet")
        lines = self.read("m").splitlines(keepends=True)
        self.write("m", "".join(lines[:len(lines) // 2]))
        self.expect_error("weights", "m", says="m:")

    def test_huge_claims_allocate_nothing(self):
        self.write("data.txt", TINY)
        self.write("m", "pdbfw-model 2\nkind vector\nloss squared\nset l1\nradius 1\nridge 1\nfeatures 9000000000000000000\n"
                        "samples 9000000000000000000\nweights 8000000000000000000\n1 1 1\n")
        self.expect_error("weights", "m", says="m:")

    def test_models_that_no_training_writes(self):
        self.write("data.txt", TINY)
        self.expect(0, "train", "data.txt", "m", "--loss", "logistic", "--quiet")
        good = self.read("m")
        radius = next(line for line in good.splitlines() if line.startswith("radius"))
        ridge = next(line for line in good.splitlines() if line.startswith("ridge"))
        for old, new, says in [("loss logistic", "loss xx", ["loss", "'xx'", "one of"]),
                               ("loss logistic", "loss logisitc", ["did you mean 'logistic'?"]),
                               ("set l1", "set l2", ["set", "'l2'"]),
                               (radius, "radius -1", ["radius", "-1", "> 0"]),
                               (radius, "radius 0", ["radius", "> 0"]),
                               (ridge, "ridge -0.1", ["ridge", "-0.1", ">= 0"]),
                               ("set l1", "set l1\nsmoothing 2", ["smoothing", "(0, 1]"]),
                               ("set l1", "set l1\nhuber_width 0", ["huber_width", "> 0"]),
                               ("end", "ridge_scale 2\n1\n-1\nend", ["ridge_scale", "-1"]),
                               ("classes 2\n-1\n1\n", "", ["classes", "none", "logistic"]),
                               ("loss logistic", "loss squared", ["classes", "-1 1", "squared"])]:
            self.assertIn(old, good)
            self.write("bad", good.replace(old, new))
            for command in [("predict", "data.txt", "bad"), ("certify", "data.txt", "bad"), ("weights", "bad")]:
                with self.subTest(new=new, command=command[0]):
                    self.expect_error(*command, says=["error: bad: ", *says])

    def test_labels_of_other_data(self):
        self.write("data.txt", TINY)
        self.expect(0, "train", "data.txt", "m", "--quiet")
        self.write("other.txt", "1 1:1\n0 2:1\n")
        self.expect_error("certify", "other.txt", "m", says=["other.txt", "row 2", "0", "-1 and 1"])


if __name__ == "__main__":
    unittest.main()
