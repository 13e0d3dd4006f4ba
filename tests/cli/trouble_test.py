"""Trouble on the way: a full disk, a folder that cannot be written, a file that is cut while it is read."""

import os
import resource
import signal
import subprocess
import unittest

from tool import ENDLESS, LONGEST_WAIT, ToolTest, random_data


class Trouble(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data(rows=400, features=60, regression=True))

    def limited(self, size):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    def test_checkpoints_on_a_full_disk_do_not_end_the_run(self):
        """The model fits, the checkpoint does not: one remark, and the model is there."""
        self.write("c", "old")
        done = self.run_tool("train", "data.txt", "m", *ENDLESS, "--max-iterations", 20, "--no-proof", "--checkpoint", "c",
                             "--checkpoint-every", 0, preexec_fn=self.limited(2500))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.decode(), "pdbfw: no checkpoint: cannot write 'c': File too large; the run goes on\n")
        self.assertEqual(self.files(), ["c", "data.txt", "m"])
        self.assertEqual(self.read("c"), "old")
        self.expect(0, "weights", "m")

    def test_a_model_that_does_not_fit_is_not_lost(self):
        """The other way round: the model cannot be written, the checkpoint has it all."""
        self.write("m", "old")
        self.expect_error("train", "data.txt", "/dev/full", *ENDLESS, "--max-iterations", 20, says="No space left")
        done = self.run_tool("train", "data.txt", "/dev/full", *ENDLESS, "--max-iterations", 20, "--checkpoint", "c")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"No space left", done.stderr)
        report = self.expect_json(2, "train", "data.txt", "m", "--resume", "c", "--max-iterations", 0)
        self.assertEqual(report["resumed"]["iterations"], 20)

    def test_a_disk_without_space(self):
        """A file system of 64 kB, where this user may mount one."""
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", small], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no file system can be mounted")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        (small / "c").write_text("old")
        (small / "filler").write_bytes(b"x" * 60 * 1024)
        done = self.run_tool("train", "data.txt", "m", *ENDLESS, "--max-iterations", 20, "--checkpoint", "small/c",
                             "--checkpoint-every", 0)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"No space left on device; the run goes on\n", done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertEqual((small / "c").read_text(), "old")
        self.assertEqual(sorted(os.listdir(small)), ["c", "filler"])
        self.expect_error("convert", "data.txt", "small/c", says="No space left on device")
        self.assertEqual((small / "c").read_text(), "old")

    def test_a_folder_that_cannot_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        (self.folder / "fixed").mkdir(mode=0o555)
        for option in ("--checkpoint", "--trace"):
            self.expect_error("train", "data.txt", "m", option, "fixed/file", says="a folder that can be written")
        self.expect_error("train", "data.txt", "fixed/m", says="a folder that can be written")

    def test_a_folder_that_is_gone(self):
        """Removed while the run goes on."""
        (self.folder / "sub").mkdir()
        tool = self.start("train", "data.txt", "m", *ENDLESS, "--checkpoint", "sub/c", "--checkpoint-every", "0",
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.wait_until((self.folder / "sub" / "c").exists, tool)
        os.rename(self.folder / "sub", self.folder / "gone")
        self.assertEqual(tool.stderr.readline(),
                         b"pdbfw: no checkpoint: cannot write 'sub/c': No such file or directory; the run goes on\n")
        tool.send_signal(signal.SIGINT)
        self.assertEqual(tool.wait(timeout=LONGEST_WAIT), 2)
        self.expect(0, "weights", "m")

    def test_a_cache_file_that_is_cut_while_it_is_used(self):
        self.expect(0, "convert", "data.txt", "data.pdb")
        self.write("m", "old")
        tool = self.start("train", "data.pdb", "m", *ENDLESS, "--checkpoint", "c", "--checkpoint-every", "0.01",
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.wait_until((self.folder / "c").exists, tool)
        os.truncate(self.folder / "data.pdb", 4096)
        message = tool.communicate(timeout=LONGEST_WAIT)[1].decode()
        self.assertEqual(tool.returncode, 1, message)
        self.assertRegex(message, r"^pdbfw: error: cannot read '.*/data.pdb': it was cut while it was in use, or its disk failed\n$")
        self.assertEqual(self.read("m"), "old")
        self.expect(0, "info", "c")
        # With the file back in place nothing was lost.
        self.expect(0, "convert", "data.txt", "data.pdb")
        self.expect(0, "train", "--resume", "c", "--tol", 1e-2)

    def test_left_over_files_of_models_are_taken_over(self):
        for _ in range(2):
            self.write("m.tmp-0", "half of a model")
            self.expect(2, "train", "data.txt", "m", *ENDLESS, "--max-iterations", 1)
            self.assertEqual(self.files(), ["data.txt", "m"])


if __name__ == "__main__":
    unittest.main()
