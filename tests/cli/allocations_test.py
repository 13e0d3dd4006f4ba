"""Out of memory at any moment: one line, no crash, no half-written file, and the old one stays."""

import os
import random
import unittest

from tool import ToolTest, random_data

LIBRARY = os.environ.get("PDBFW_FAILING_ALLOCATIONS", "")
# The number of calls of each command that are made to fail, and of ends of memory.
SAMPLES = 40


@unittest.skipUnless(LIBRARY, "the library that makes allocations fail needs glibc and no sanitizer")
class Allocations(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data(rows=60, features=20))
        self.expect(0, "convert", "data.txt", "data.pdb")
        self.expect(0, "train", "data.txt", "old.model", "--radius", 5)
        self.expect(2, "train", "data.txt", "old.model", "--radius", 5, "--max-iterations", 1, "--tol", 1e-14,
                    "--checkpoint", "old.checkpoint")

    def run_failing(self, arguments, at=0, is_rest=False, **more):
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, "FAIL_ALLOCATION": str(at), **more}
        if is_rest:
            environment["FAIL_REST"] = "1"
        return self.run_tool(*arguments, env=environment)

    def check(self, *arguments, out=None):
        """`out` is what the command writes; it is there before, with old contents."""
        done = self.run_failing(arguments, ALLOCATIONS_FILE=str(self.folder / "calls"))
        self.assertIn(done.returncode, (0, 2), done.stderr)
        calls = int(self.read("calls"))
        good = (self.folder / out).read_bytes() if out else b""
        others = self.files()
        rng = random.Random(0)
        moments = sorted(rng.sample(range(1, calls + 1), min(calls, SAMPLES)))
        refused = 0
        for at in moments:
            for is_rest in (False, True):
                if out:
                    self.write(out, "old")
                done = self.run_failing(arguments, at, is_rest)
                where = f"{arguments}: call {at} of {calls}{' and all after it' if is_rest else ''}: {done}"
                self.assertIn(done.returncode, (0, 1, 2), where)
                self.assertEqual(self.files(), others, where)
                if done.returncode == 1:
                    refused += 1
                    message = done.stderr.decode()
                    self.assertRegex(message, r"(?i)memory|not enough space|cannot", where)
                    self.assertEqual(message.count("pdbfw: error: "), 1, where)
                    if out and b"was written" not in done.stderr:
                        self.assertIn((self.folder / out).read_bytes(), (b"old", good), where)
                elif out:
                    self.assertEqual((self.folder / out).read_bytes(), good, where)
        self.assertGreater(refused, 0)

    def test_text(self):
        self.check("info", "data.txt")

    def test_cache(self):
        self.check("info", "data.pdb", "--threads", 2)

    def test_convert(self):
        self.check("convert", "data.txt", "new.pdb", out="new.pdb")

    def test_train(self):
        self.check("train", "data.pdb", "new.model", "--radius", 5, "--quiet", out="new.model")

    def test_train_on_threads(self):
        self.check("train", "data.txt", "new.model", "--radius", 5, "--threads", 2, out="new.model")

    def test_matrix(self):
        self.check("train", "data.txt", "new.model", "--set", "trace", "--radius", 5, out="new.model")

    def test_resume(self):
        self.check("train", "data.txt", "new.model", "--resume", "old.checkpoint", "--tol", 1e-4,
                   "--max-iterations", 100, "--checkpoint", "new.checkpoint", "--checkpoint-every", 0, out="new.model")

    def test_path(self):
        self.check("path", "data.txt", "path.csv", "--radii", "1,5", out="path.csv")

    def test_predict(self):
        self.check("predict", "data.txt", "old.model", "predictions.txt", out="predictions.txt")

    def test_certify(self):
        self.check("certify", "data.txt", "old.model")


if __name__ == "__main__":
    unittest.main()
