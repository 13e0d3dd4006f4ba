"""Every command says little with --quiet: errors, and what it was asked for; every one of them is tried here."""

import random
import re
import unittest

from tool import ToolTest, random_data

# What these print is what they are for.
PRINTERS = {"weights", "info", "solvers", "demo", "reference"}

# A call of each of the others that prints something, or at least does something.
CALLS = {
    "train": ["data.txt", "m"],
    "path": ["data.txt", "--points", "2"],
    "cv": ["data.txt", "--radii", "1,3", "--folds", "2"],
    "predict": ["data.txt", "old.model", "out.txt"],
    "certify": ["data.txt", "old.model"],
    "complete": ["ratings.txt", "--radius", "3"],
    "rank-min": ["vectors.npy", "numbers.txt", "--shape", "2,2"],
    "phase": ["vectors.npy", "numbers.txt"],
    "convert": ["data.txt", "out.pdb"],
    "features random-binning": ["data.txt", "out.txt", "--grids", "2"],
    "features random-fourier": ["data.txt", "out.txt", "--features", "4"],
    "features polynomial": ["data.txt", "out.txt", "--hash", "16"],
    "features normalise": ["data.txt", "out.txt", "--rows", "l2"],
    "split": ["data.txt", "a.txt", "b.txt"],
    "generate": ["out.txt", "--rows", "10", "--features", "5"],
}


class Quiet(ToolTest):
    def commands(self, *above):
        """Those that the help lists, with their kinds."""
        listed = self.expect(0, *above, "--help").partition("Subcommands:\n")[2].partition("\n\n")[0]
        names = re.findall(r"^  ([a-z][\w-]*) ", listed, re.MULTILINE)
        return [" ".join([*above, name]) for name in names]

    def all_commands(self):
        found = []
        for command in self.commands():
            found += self.commands(command) or [command]
        return found

    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.write("ratings.txt", "".join(f"{i} {j} {1 + (i * j) % 5}\n" for i in range(1, 9) for j in range(1, 7)))
        rng = random.Random(0)
        vectors = [[rng.gauss(0, 1) for _ in range(4)] for _ in range(24)]
        self.write_npy("vectors.npy", vectors)
        self.write("numbers.txt", "".join(f"{sum(row) ** 2}\n" for row in vectors))
        self.expect(0, "train", "data.txt", "old.model", "--quiet")

    def test_every_command_is_known_here(self):
        self.assertEqual(sorted(self.all_commands()), sorted(PRINTERS | set(CALLS)))

    def test_nothing_is_printed(self):
        for command, arguments in CALLS.items():
            for flag in ["--quiet", "-q"]:
                with self.subTest(command=command, flag=flag):
                    done = self.run_tool(*command.split(), *arguments, flag)
                    self.assertIn(done.returncode, (0, 2), done.stderr.decode())
                    self.assertEqual((done.stdout, done.stderr), (b"", b""))

    def test_what_is_asked_for_is_printed_all_the_same(self):
        for command in [["predict", "data.txt", "old.model"], ["generate", "--rows", "3"], ["convert", "data.txt", "-"], ["train", "data.txt", "-"]]:
            with self.subTest(command):
                self.assertGreater(len(self.expect(0, *command, "--quiet")), 0)

    def test_an_option_with_another_meaning_is_told_all_the_same(self):
        done = self.run_tool("train", "data.txt", "m", "-s", "6", "-e", "0.1", "--quiet")
        self.assertEqual(done.stdout, b"")
        self.assertRegex(done.stderr.decode(), r"\A.*-e 0\.1 has no say.*\n\Z")


if __name__ == "__main__":
    unittest.main()
