"""Ctrl-C, and the progress line that only a terminal sees."""

import json
import os
import signal
import subprocess
import unittest

from tool import ENDLESS, LONGEST_WAIT, Terminal, ToolTest, is_caught, random_data


class LongRun(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data(regression=True))

    def train(self, *arguments, **options):
        return self.start("train", "data.txt", "m", *ENDLESS, *arguments, **options)

    def interrupt(self, process, number):
        """The solve begins with a handler, and cannot end by itself."""
        self.wait_until(lambda: is_caught(process.pid, number), process)
        process.send_signal(number)


class Interrupt(LongRun):
    def check_polite(self, number):
        process = self.train("--json", "--trace", "t.csv", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.interrupt(process, number)
        output, errors = process.communicate(timeout=LONGEST_WAIT)
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
        process = self.train(stdout=subprocess.PIPE)
        self.interrupt(process, signal.SIGINT)
        output = process.communicate(timeout=LONGEST_WAIT)[0].decode()
        self.assertEqual(output.count("interrupted"), 1, output)

    def test_second_ctrl_c_ends_at_once_and_leaves_no_half_model(self):
        # The solve waits for its terminal, so that it cannot answer the first one.
        process = self.train(stdout=subprocess.DEVNULL, stderr=Terminal(is_held=True).tool_side)
        self.interrupt(process, signal.SIGINT)
        self.wait_until(lambda: not is_caught(process.pid, signal.SIGINT), process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=LONGEST_WAIT), -signal.SIGINT)
        self.assertEqual(self.files(), ["data.txt"])

    def test_ctrl_c_while_loading_ends_the_program(self):
        process = self.start("train", "-", "m", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # More than a pipe holds: when all is written, the tool is reading.
        process.stdin.write(b"1 1:1\n" * 100_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=LONGEST_WAIT), -signal.SIGINT)
        self.assertEqual((process.stdout.read(), process.stderr.read()), (b"", b""))
        self.assertEqual(self.files(), ["data.txt"])


class InterruptedWriting(ToolTest):
    """What makes files of data writes all of them or none."""

    def expect_nothing_written(self, process, before):
        output, errors = process.communicate(timeout=LONGEST_WAIT)
        self.assertEqual((process.returncode, output, errors),
                         (1, b"", b"pdbfw: error: interrupted; no file was written\n"))
        self.assertEqual(self.files(), before)

    def check(self, *command, pipe="out", number=signal.SIGTERM):
        """One of the files is a pipe that holds less than what is to be written: the command waits in the middle."""
        if not (self.folder / pipe).exists():
            os.mkfifo(self.folder / pipe)
        before = self.files()
        process = self.start(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(self.folder / pipe, "rb") as reader:
            process.send_signal(number)
            reader.read()
        self.expect_nothing_written(process, before)

    def test_features(self):
        # 35990 products a row.
        self.write("data.txt", ("1 " + " ".join(f"{j}:1" for j in range(1, 60)) + "\n") * 40)
        for number in [signal.SIGINT, signal.SIGTERM]:
            self.check("features", "polynomial", "data.txt", "out", "--degree", "3", number=number)

    def test_convert(self):
        self.write("data.txt", "1 1:1\n-1 2:1\n" * 400_000)
        self.check("convert", "data.txt", "out")

    def test_convert_in_pieces(self):
        before = self.files()
        process = self.start("convert", "-", "out.pdb", "--memory", "64M", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        self.wait_until(lambda: self.files() == ["out.pdb.tmp-0"], process)
        process.send_signal(signal.SIGTERM)
        process.stdin.write(b"1 1:1\n-1 2:1\n")
        self.expect_nothing_written(process, before)

    def test_split(self):
        self.write("data.txt", "1 1:1\n-1 2:1\n" * 400_000)
        self.check("split", "data.txt", "train", "test", "--test-fraction", "0.5", pipe="test")


class Progress(LongRun):
    def seen_on_terminal(self, *options):
        terminal = Terminal()
        process = self.train("--max-iterations", "50", *options, stdout=subprocess.DEVNULL, stderr=terminal.tool_side)
        seen = terminal.read()
        self.assertEqual(process.wait(timeout=LONGEST_WAIT), 2)
        return seen

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
        process = self.train("--max-iterations", "50", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(process.communicate(timeout=LONGEST_WAIT)[1], b"")


if __name__ == "__main__":
    unittest.main()
