"""The tool from outside: how the tests call it, and small data for it."""

import json
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

PDBFW = os.environ["PDBFW"]

# Two rows, each with a feature of its own.
TINY = "1 1:1\n-1 2:1\n"


def random_data(rows=200, features=50, seed=0, regression=False):
    """LIBSVM text with a planted sparse model; the same text everywhere."""
    rng = random.Random(seed)
    planted = {j: rng.choice([-2.0, -1.0, 1.0, 2.0]) for j in range(1, 9)}
    lines = []
    for _ in range(rows):
        entries = {j: round(rng.uniform(-1, 1), 3) for j in sorted(rng.sample(range(1, features + 1), 10))}
        score = sum(planted.get(j, 0.0) * value for j, value in entries.items()) + 0.1 * rng.uniform(-1, 1)
        target = f"{score:.6f}" if regression else ("+1" if score > 0 else "-1")
        lines.append(" ".join([target] + [f"{j}:{value}" for j, value in entries.items()]))
    return "\n".join(lines) + "\n"


class ToolTest(unittest.TestCase):
    """Every test runs in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def write_npy(self, name, rows):
        """A matrix of float64, row after row."""
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}\n"
        numbers = [value for row in rows for value in row]
        return self.write(name, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}d", *numbers))

    def read(self, name):
        return (self.folder / name).read_text()

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def run_tool(self, *arguments, stdin=b"", **options):
        return subprocess.run([PDBFW, *map(str, arguments)], cwd=self.folder, input=stdin,
                              capture_output=True, timeout=300, check=False, **options)

    def expect(self, code, *arguments, **options):
        """Runs, checks the exit code, and gives what came on standard output."""
        done = self.run_tool(*arguments, **options)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout.decode()}{done.stderr.decode()}")
        return done.stdout.decode()

    def expect_json(self, code, *arguments, **options):
        return json.loads(self.expect(code, *arguments, "--json", **options))

    def expect_error(self, *arguments, says=(), **options):
        """Exit code 1, one line on standard error with these words, nothing on standard output or on disk."""
        before = self.files()
        done = self.run_tool(*arguments, **options)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, 1, f"{arguments}: {message}")
        self.assertEqual(done.stdout, b"")
        self.assertTrue(message.startswith("pdbfw: error: "), message)
        self.assertEqual(message.count("\n"), 1, message)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, message)
        self.assertEqual(self.files(), before)
        return message
