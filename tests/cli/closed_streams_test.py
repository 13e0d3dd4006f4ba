"""Standard input, output or error that are closed, as `>&-` does it."""

import os
import unittest

from tool import TINY, ToolTest, random_data


def closed(*streams):
    def close():
        for stream in streams:
            os.close(stream)
    return close


class ClosedStreams(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.expect(0, "train", "data.txt", "m", "--quiet")

    def test_the_model_is_written_all_the_same(self):
        for name, streams in [("a", [1]), ("b", [0, 1]), ("c", [0, 1, 2])]:
            self.expect(0, "train", "data.txt", name, "--quiet", preexec_fn=closed(*streams))
            self.assertEqual(self.read(name), self.read("m"))

    def test_predictions_and_data_too(self):
        self.expect(0, "predict", "data.txt", "m", "p", "--quiet", preexec_fn=closed(1))
        self.assertEqual(self.read("p"), self.expect(0, "predict", "data.txt", "m"))
        self.expect(0, "generate", "g", "--rows", "5", preexec_fn=closed(1))
        self.assertEqual(self.read("g"), self.expect(0, "generate", "--rows", "5"))

    def test_a_summary_never_goes_into_the_model(self):
        done = self.run_tool("train", "data.txt", "a", preexec_fn=closed(1))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"standard output: cannot write", done.stderr)
        self.assertEqual(self.read("a"), self.read("m"))

    def test_what_should_go_to_a_closed_stream_is_an_error(self):
        self.expect_error("train", "data.txt", "-", "--quiet", says="standard output", preexec_fn=closed(1))
        self.expect_error("train", "-", says="standard input", preexec_fn=closed(0), stdin=TINY.encode())

    def test_an_error_that_cannot_be_told_is_still_an_exit_code(self):
        self.assertEqual(self.run_tool("train", "none.txt", preexec_fn=closed(2)).returncode, 1)
        with open("/dev/full", "wb") as full:
            done = self.run_tool("train", "none.txt", preexec_fn=lambda: os.dup2(full.fileno(), 2))
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
