"""Ctrl-C, and the progress line that only a terminal sees."""

import json
import os
import pathlib
import pty
import signal
import subprocess
import time
import unittest

from tool import PDBFW, ToolTest

# The theorem's steps on an ill-conditioned problem: linear convergence, but for minutes.
LONG = ["--solver", "pdbfw", "--steps", "theory", "--radius", "50", "--tol", "1e-300"]


def is_caught(pid, number):
    """Whether the process has a handler for this signal."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


class LongRun(ToolTest):
    def setUp(self):
        super().setUp()
        self.expect(0, "generate", "data.txt", "--rows", "2000", "--features", "2000")

    def start(self, *arguments, **options):
        process = subprocess.Popen([PDBFW, "train", "data.txt", "m", *LONG, *arguments], cwd=self.folder, **options)
        self.addCleanup(process.kill)
        return process

    def wait_for_handler(self, process, number, is_set=True):
        while process.poll() is None and is_caught(process.pid, number) != is_set:
            time.sleep(0.001)


class Interrupt(LongRun):
    def check_polite(self, number):
        process = self.start("--json", "--trace", "t.csv", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_handler(process, number)
        process.send_signal(number)
        output, errors = process.communicate(timeout=300)
        self.assertEqual((process.returncode, errors), (2, b""))
        report = json.loads(output)
        self.assertEqual(report["status"], "interrupted")
        self.assertGreater(report["certificate"]["relative_gap"], 0)
        self.assertEqual(self.files(), ["data.txt", "m", "t.csv"])
        self.assertTrue(self.expect_json(0, "certify", "data.txt", "m")["agrees"])

    def test_ctrl_c_gives_the_best_model_so_far(self):
        self.check_polite(signal.SIGINT)

    def test_sigterm_too(self):
        self.check_polite(signal.SIGTERM)

    def test_the_summary_says_interrupted_once(self):
        process = self.start(stdout=subprocess.PIPE)
        self.wait_for_handler(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=300)[0].decode()
        self.assertEqual(output.count("interrupted"), 1, output)

    def test_second_ctrl_c_ends_at_once_and_leaves_no_half_model(self):
        process = self.start("--quiet")
        self.wait_for_handler(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.wait_for_handler(process, signal.SIGINT, is_set=False)
        process.send_signal(signal.SIGINT)
        # Where the first one was answered in time there was nothing left to kill.
        self.assertIn(process.wait(timeout=300), [-signal.SIGINT, 2])
        if "m" in self.files():
            self.expect(0, "certify", "data.txt", "m", "--quiet")

    def test_ctrl_c_while_loading_ends_the_program(self):
        reader, writer = os.pipe()
        with subprocess.Popen([PDBFW, "train", "-", "m"], cwd=self.folder, stdin=reader, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            os.close(reader)
            os.write(writer, b"1 1:1\n")
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=300)
            os.close(writer)
        self.assertEqual((process.returncode, output, errors), (-signal.SIGINT, b"", b""))
        self.assertEqual(self.files(), ["data.txt"])


class InterruptedWriting(ToolTest):
    """What makes files of data writes all of them or none."""

    def check(self, *command, number=signal.SIGTERM):
        before = self.files()
        with subprocess.Popen([PDBFW, *command], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            self.addCleanup(process.kill)
            while process.poll() is None and not is_caught(process.pid, number):
                time.sleep(0.001)
            process.send_signal(number)
            output, errors = process.communicate(timeout=300)
        self.assertEqual((process.returncode, output, errors),
                         (1, b"", b"pdbfw: error: interrupted; no file was written\n"))
        self.assertEqual(self.files(), before)

    def test_features(self):
        # A million products a row.
        self.write("data.txt", ("1 " + " ".join(f"{j}:1" for j in range(1, 200)) + "\n") * 40)
        for number in [signal.SIGINT, signal.SIGTERM]:
            self.check("features", "polynomial", "data.txt", "out", "--degree", "3", number=number)

    def test_convert(self):
        zeros = "".join(f" {j}:0" for j in range(1, 1001))
        self.write("data.txt", f"1{zeros}\n" * 5000)
        self.check("convert", "data.txt", "out")

    def test_split(self):
        self.write("data.txt", "1 1:1\n-1 2:1\n" * 400_000)
        os.mkfifo(self.folder / "test")  # which nobody reads, so that the command waits in the middle
        before = self.files()
        command = [PDBFW, "split", "data.txt", "train", "test", "--test-fraction", "0.5"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            self.addCleanup(process.kill)
            with open(self.folder / "test", "rb") as reader:
                process.send_signal(signal.SIGTERM)
                reader.read()
            output, errors = process.communicate(timeout=300)
        self.assertEqual((process.returncode, output, errors),
                         (1, b"", b"pdbfw: error: interrupted; no file was written\n"))
        self.assertEqual(self.files(), before)


class Progress(LongRun):
    def seen_on_terminal(self, *options):
        terminal, tool_side = pty.openpty()
        process = self.start("--max-seconds", "0.5", *options, stdout=subprocess.DEVNULL, stderr=tool_side)
        os.close(tool_side)
        seen = b""
        try:
            while chunk := os.read(terminal, 65536):
                seen += chunk
        except OSError:  # the other side is closed
            pass
        os.close(terminal)
        self.assertEqual(process.wait(timeout=300), 2)
        return seen.decode()

    def test_a_terminal_sees_one_line_that_is_cleared_at_the_end(self):
        seen = self.seen_on_terminal()
        self.assertTrue(seen.startswith("\riteration "), seen[:80])
        for words in ["gap ", "non-zeros ", "passes ", "left "]:
            self.assertIn(words, seen)
        self.assertNotIn("\n", seen)
        self.assertTrue(seen.endswith("\r\x1b[K"), seen[-80:])

    def test_nothing_of_the_kind_when_quiet_or_for_programs(self):
        self.assertEqual(self.seen_on_terminal("--quiet"), "")
        self.assertEqual(self.seen_on_terminal("--json"), "")

    def test_nothing_of_the_kind_in_a_pipe(self):
        process = self.start("--max-seconds", "0.3", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(process.communicate(timeout=300)[1], b"")


if __name__ == "__main__":
    unittest.main()
