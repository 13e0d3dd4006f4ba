"""Many processes at once on the same model and the same data."""

import subprocess
import unittest

from tool import LONGEST_WAIT, PDBFW, ToolTest, random_data

PROCESSES = 64


class Load(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.expect(0, "convert", "data.txt", "data.pdb")
        self.expect(0, "train", "data.txt", "m", "--loss", "logistic", "--quiet")

    def at_once(self, *arguments):
        """What each of the processes says, all of them started before the first is waited for."""
        running = [subprocess.Popen([PDBFW, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                   for _ in range(PROCESSES)]
        said = [process.communicate(timeout=LONGEST_WAIT) for process in running]
        self.assertEqual([process.returncode for process in running], [0] * PROCESSES, said[0][1].decode())
        return {output for output, _ in said}

    def test_all_predict_the_same(self):
        alone = self.run_tool("predict", "data.txt", "m", "--scores").stdout
        for data in ["data.txt", "data.pdb"]:
            self.assertEqual(self.at_once("predict", data, "m", "--scores"), {alone})

    def test_all_share_a_mapped_model(self):
        alone = self.run_tool("predict", "data.txt", "m", "--scores").stdout
        self.expect(0, "convert", "m", "m.pdbm")
        for data in ["data.txt", "data.pdb"]:
            self.assertEqual(self.at_once("predict", data, "m.pdbm", "--scores"), {alone})

    def test_writers_of_one_file_leave_one_whole_file(self):
        alone = self.run_tool("predict", "data.txt", "m").stdout.decode()
        self.at_once("predict", "data.txt", "m", "out", "--quiet")
        self.assertEqual(self.read("out"), alone)
        self.assertEqual(self.files(), ["data.pdb", "data.txt", "m", "out"])


if __name__ == "__main__":
    unittest.main()
