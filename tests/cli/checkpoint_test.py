"""Checkpoints: killed at any moment, a run goes on from a whole file to the same certificate."""

import os
import random
import subprocess
import unittest

from tool import ENDLESS, ToolTest, random_data

# What the endless run comes to in a moment.
SOON = ["--tol", 1e-2, "--max-iterations", 10**6]


class Checkpoints(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data(rows=200, features=50, regression=True))

    def stop(self, *arguments):
        """A run that ends early, with a checkpoint."""
        self.expect(2, "train", "data.txt", "m", *ENDLESS, "--max-iterations", 30, "--checkpoint", "c", *arguments)

    def test_goes_on_from_there(self):
        self.stop()
        first = self.expect_json(0, "info", "c")
        self.assertEqual((first["iterations"], first["rows"], first["columns"]), (30, 200, 50))
        report = self.expect_json(0, "train", "--resume", "c", *SOON)
        self.assertEqual(report["resumed"], {"checkpoint": "c", "seconds": first["seconds"], "iterations": 30})
        self.assertEqual(report["model"], "m")
        self.assertEqual(report["settings"]["solver"], "fw")
        self.assertLessEqual(report["certificate"]["relative_gap"], 1e-2)
        last = self.expect_json(0, "info", "c")
        self.assertEqual(last["iterations"], 30 + report["work"]["iterations"])
        self.assertTrue(last["is_certified"])
        self.assertEqual(self.expect_json(0, "certify", "data.txt", "m", "--tol", 1e-2)["certificate"], report["certificate"])
        # What has converged is done at once.
        self.assertEqual(self.expect_json(0, "train", "--resume", "c", *SOON)["work"]["iterations"], 0)
        self.assertIn("resumed      c: after ", self.expect(0, "train", "--resume", "c", *SOON))

    def test_begins_where_it_stopped(self):
        """The gap of the first iteration is that of the last one before."""
        self.stop("--json")
        before = self.expect_json(0, "info", "c")["relative_gap"]
        self.expect(2, "train", "--resume", "c", "--max-iterations", 0, "--trace", "t.csv")
        header, first = self.read("t.csv").splitlines()[:2]
        gap = float(dict(zip(header.split(","), first.split(",")))["relative_gap"])
        self.assertAlmostEqual(gap / before, 1, places=6)

    def test_other_limits_threads_and_names(self):
        self.stop()
        os.rename(self.folder / "data.txt", self.folder / "moved.txt")
        report = self.expect_json(0, "train", "moved.txt", "other", "--resume", "c", "--checkpoint", "c2", "--threads", 2,
                                  "--max-seconds", 100, "--max-passes", 1e6, *SOON)
        self.assertEqual((report["model"], report["settings"]["threads"]), ("other", 2))
        self.assertEqual(self.expect_json(0, "info", "c")["iterations"], 30)
        self.assertGreater(self.expect_json(0, "info", "c2")["iterations"], 30)

    def test_the_same_options_again(self):
        self.stop()
        self.expect(0, "train", "data.txt", "m", "--radius", "5.0", "--loss", "squared", "--solver", "fw", "--resume", "c",
                    *SOON)

    def test_cache_of_the_same_data(self):
        self.stop()
        self.expect(0, "convert", "data.txt", "data.pdb")
        self.expect(0, "train", "data.pdb", "--resume", "c", *SOON)

    def test_every_set(self):
        atoms = self.write("atoms.txt", "".join(f"0 {j}:{s}\n" for j in range(1, 51) for s in (-1, 1)))
        weights = self.write("weights", "1\n2\n" * 100)
        for more in (["--set", "nonnegative"], ["--set", "simplex"], ["--set", "polytope", "--atoms", atoms],
                     ["--sample-weight", weights], ["--loss", "huber"]):
            with self.subTest(more=more):
                self.stop(*more)
                report = self.expect_json(0, "train", "--resume", "c", "--tol", 0.1, "--max-iterations", 10**6)
                self.assertGreater(report["resumed"]["iterations"], 0)

    def test_intercept_and_feature_rules(self):
        self.expect(2, "train", "data.txt", "m", "--radius", 5, "--loss", "squared", "--solver", "pg", "--intercept", "yes",
                    "--standardise", "yes", "--free-features", "3,4", "--max-iterations", 5, "--tol", 1e-9,
                    "--checkpoint", "c")
        self.expect(0, "train", "--resume", "c", "--max-iterations", 100000)
        self.expect(0, "certify", "data.txt", "m", "--tol", 1e-9)

    def test_matrices(self):
        rng = random.Random(0)
        self.write("labels.txt", "".join(
            f"{rng.randrange(4)} " + " ".join(f"{j}:{rng.uniform(-1, 1):.3f}" for j in range(1, 9)) + "\n" for _ in range(60)))
        self.expect(2, "train", "labels.txt", "m", "--set", "trace", "--radius", 5, "--tol", 1e-8, "--max-iterations", 3,
                    "--checkpoint", "c", "--checkpoint-every", 0)
        kept = self.expect_json(0, "info", "c")
        self.assertEqual((kept["kind"], kept["iterations"]), ("matrix checkpoint", 3))
        report = self.expect_json(0, "train", "--resume", "c", "--max-iterations", 100000)
        self.assertEqual(report["resumed"]["iterations"], 3)
        self.assertLessEqual(report["certificate"]["relative_gap"], 1e-8)
        self.assertIn("of rank", self.expect(0, "info", "c"))

    def test_other_data(self):
        self.stop()
        rows = self.read("data.txt").splitlines()
        target, first, *rest = rows[0].split()
        changed = {
            "199 rows": rows[:-1],
            "60 features": [rows[0] + " 60:1", *rows[1:]],
            "1999 entries": [" ".join([target, *rest]), *rows[1:]],
            "other contents": [" ".join([target, first + "1", *rest]), *rows[1:]],
        }
        for says, lines in changed.items():
            with self.subTest(says=says):
                self.write("data.txt", "\n".join(lines) + "\n")
                self.expect_error("train", "--resume", "c", says=["c: data: ", says, "checkpoint"])
        self.write("data.txt", "\n".join([rows[1], rows[0], *rows[2:]]) + "\n")
        self.expect_error("train", "--resume", "c", says="other contents")

    def test_other_options(self):
        self.stop()
        self.write("w", "1\n" * 200)
        for given, says in ((["--radius", 6], ["radius: '6' breaks the rule: as in the checkpoint 'c': '5'"]),
                            (["--loss", "huber"], ["loss: 'huber'", "'squared'"]),
                            (["--seed", 3], ["seed: '3'", "'0'"]),
                            (["--ridge", "2/n"], ["ridge: '2/n'", "'1/n'"]),
                            (["--free-features", "3"], ["free-features: '3'", "not given"]),
                            (["--set", "trace"], ["set: 'trace'", "'l1'"]),
                            (["--sample-weight", "w"], ["sample_weight", "other numbers"]),
                            (["--start", "m"], ["resume", "with --start"])):
            with self.subTest(given=given):
                self.expect_error("train", "--resume", "c", *given, says=says)

    def test_bad_usage(self):
        self.write("classes.txt", random_data(rows=30).replace("+1 ", "2 ", 3))
        c = ["--checkpoint", "c"]
        for arguments, says in ((["data.txt", *c, "--checkpoint-every", "5x"], "checkpoint_every: '5x'"),
                                (["data.txt", *c, "--checkpoint-every", "-1"], "checkpoint_every: '-1'"),
                                (["data.txt", *c, "--checkpoint-every", "inf"], "checkpoint_every: 'inf'"),
                                (["data.txt", "--checkpoint", "-"], "checkpoint: '-'"),
                                (["data.txt", "--checkpoint", "data.txt"], "not used for something else"),
                                (["data.txt", "m", "--checkpoint", "m"], "not used for something else"),
                                (["data.txt", "--checkpoint", "no/c"], "a folder that exists"),
                                (["data.txt", "--resume", "none"], "cannot open 'none'"),
                                (["data.txt", "--resume", "data.txt"], "data.txt: not a checkpoint"),
                                (["--resume", "-"], "resume: '-'"),
                                ([], "DATA is required"),
                                (["data.txt", *c, "--loss", "squared", "--alpha", 1], "a penalty"),
                                (["classes.txt", *c], "each of several classes against the rest"),
                                (["classes.txt", *c, "--loss", "softmax"], "learnt jointly")):
            with self.subTest(arguments=arguments):
                self.expect_error("train", *arguments, says=says)

    def test_times(self):
        for text in ("0.5", "60s", "10m", "2h", "+1s"):
            self.expect(2, "train", "data.txt", "m", *ENDLESS, "--max-iterations", 1, "--checkpoint", "c",
                        "--checkpoint-every", text)

    def test_damage_is_seen(self):
        self.stop()
        whole = (self.folder / "c").read_bytes()
        self.write("c", whole[:-1])
        self.expect_error("train", "--resume", "c", says="truncated")
        self.expect_error("info", "c", says="truncated")
        self.write("c", whole[:300] + bytes([whole[300] ^ 1]) + whole[301:])
        self.expect_error("train", "--resume", "c", says="checksum")

    def test_killed_two_hundred_times(self):
        """Every run resumes what the last one left, and is killed in its turn, when it has written a number of checkpoints."""
        rng = random.Random(1)
        checkpoint = self.folder / "c"
        last = 0
        for run in range(200):
            arguments = ["--resume", "c"] if run > 0 else ["data.txt", "m", *ENDLESS, "--checkpoint", "c"]
            before = self.version(checkpoint)
            tool = self.start("train", *arguments, "--checkpoint-every", 0, "--quiet", stderr=subprocess.DEVNULL)
            for _ in range(rng.randrange(run == 0, 4)):
                self.wait_until(lambda: self.version(checkpoint) != before, tool)
                before = self.version(checkpoint)
            self.assertIsNone(tool.poll(), f"run {run} ended by itself")
            tool.kill()
            tool.wait()
            left = [name for name in self.files() if name not in ("data.txt", "c")]
            self.assertIn(left, ([], ["c.tmp-0"]), f"run {run}")
            kept = self.expect_json(0, "info", "c")
            self.assertGreaterEqual(kept["iterations"], last)
            last = kept["iterations"]
            if run % 20 == 19:
                report = self.expect_json(0, "train", "--resume", "c", "--checkpoint", "end", *SOON)
                self.assertLessEqual(report["certificate"]["relative_gap"], 1e-2)
                (self.folder / "m").unlink()
                (self.folder / "end").unlink()
        self.assertGreater(last, 0)
        self.expect(0, "train", "--resume", "c", *SOON)
        self.assertEqual(self.files(), ["c", "data.txt", "m"])

    @staticmethod
    def version(path):
        """Another one whenever a whole file has taken the place of the last."""
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns


if __name__ == "__main__":
    unittest.main()
