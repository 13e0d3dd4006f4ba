"""The tool from outside: how the tests call it, and small data for it."""

import json
import os
import pathlib
import pty
import random
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

PDBFW = os.environ["PDBFW"]

# Only a hang lasts as long as this, and becomes a failure.
LONGEST_WAIT = 600

# Two rows, each with a feature of its own.
TINY = "1 1:1\n-1 2:1\n"

# For random_data(regression=True), whose optimum lies inside a face of the ball: there the gap of Frank-Wolfe with exact
# steps falls about as 1/t (Wolfe 1970), so that such a run neither comes to its tolerance nor stalls. It has to be stopped.
ENDLESS = ["--radius", "5", "--loss", "squared", "--solver", "fw", "--tol", "1e-300", "--max-iterations", str(10**18)]


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


def is_caught(pid, number):
    """Whether the process has a handler for this signal, as the tool has from before a solve until its model is written."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


class Terminal:
    """A terminal for the tool to write to. One that is held, as by Ctrl-S, stops a solve at its first line of progress."""

    def __init__(self, is_held=False):
        try:
            self.screen, self.tool_side = pty.openpty()
        except OSError as error:  # /dev/pts is not mounted in every container
            raise unittest.SkipTest(f"no terminal can be had: {error}") from error
        self.name = os.ttyname(self.tool_side)
        if is_held:
            termios.tcflow(self.tool_side, termios.TCOOFF)

    def let_go(self):
        termios.tcflow(self.tool_side, termios.TCOON)

    def read(self, until=b""):
        """What comes until these bytes have come; all, until no process has the terminal any more, if there are none."""
        if not until:
            os.close(self.tool_side)
        seen = b""
        try:
            while not until or until not in seen:
                seen += os.read(self.screen, 65536)
        except OSError:  # the other side is closed
            os.close(self.screen)
        return seen.decode()


class ToolTest(unittest.TestCase):
    """Every test runs in an empty folder of its own."""

    def setUp(self):
        # A shell's background jobs ignore it, and what they start does too.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
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

    def wait_until(self, is_so, process=None):
        """Looks again and again. The process, if one is given, must not end before it is so."""
        deadline = time.monotonic() + LONGEST_WAIT
        while not is_so():
            self.assertTrue(process is None or process.poll() is None, "ended early")
            self.assertLess(time.monotonic(), deadline, "waited in vain")
            time.sleep(0.001)

    def start(self, *arguments, **options):
        process = subprocess.Popen([PDBFW, *map(str, arguments)], cwd=self.folder, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                self.addCleanup(stream.close)
        return process

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def run_tool(self, *arguments, stdin=b"", **options):
        return subprocess.run([PDBFW, *map(str, arguments)], cwd=self.folder, input=stdin,
                              capture_output=True, timeout=LONGEST_WAIT, check=False, **options)

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
