"""Data larger than memory: convert and generate with --memory, and what takes such files."""

import gzip
import json
import resource
import unittest

from tool import ToolTest, random_data


class LargeData(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.expect(0, "convert", "data.txt", "data.pdb", "--memory", "64M")

    def test_every_command_takes_it_for_the_data(self):
        for name in ["data.txt", "data.pdb"]:
            self.expect(0, "train", name, name + ".model", "--quiet", "--tol", "1e-6")
        self.assertEqual(self.read("data.txt.model"), self.read("data.pdb.model"))
        self.assertEqual(self.expect(0, "convert", "data.pdb", "-"), self.expect(0, "convert", "data.txt", "-"))
        whole = (self.folder / "data.pdb").read_bytes()
        self.assertEqual(self.expect(0, "info", "-", stdin=whole), self.expect(0, "info", "data.txt"))

    def test_several_files(self):
        lines = random_data().splitlines(keepends=True)
        self.write("part-1.txt", "".join(lines[:50]))
        self.write("part-2.txt.gz", gzip.compress("".join(lines[50:]).encode()))
        for files in [["part-*"], ["part-1.txt", "part-2.txt.gz"]]:
            self.expect(0, "convert", *files, "parts.pdb", "--memory", "64M", "--threads", "2")
            self.assertEqual((self.folder / "parts.pdb").read_bytes(), (self.folder / "data.pdb").read_bytes())
        self.expect(0, "convert", "-", "parts.pdb", "--memory", "64M", stdin=random_data().encode())
        self.assertEqual((self.folder / "parts.pdb").read_bytes(), (self.folder / "data.pdb").read_bytes())

    def test_streamed_training_gives_the_same_certificate(self):
        inside = self.expect_json(0, "train", "data.pdb", "inside.model", "--tol", "1e-4", "--ridge", "0.01")
        self.assertIsNone(inside["streamed"])
        outside = self.expect_json(0, "train", "data.pdb", "outside.model", "--tol", "1e-4", "--ridge", "0.01", "--memory", "1K", "--solver", "apg")
        self.assertGreater(outside["streamed"]["passes"], 2)
        self.assertGreater(outside["streamed"]["bytes"], 0)
        self.assertAlmostEqual(inside["certificate"]["primal"], outside["certificate"]["primal"], delta=2e-4)
        again = self.expect_json(0, "certify", "data.pdb", "outside.model", "--memory", "1K", "--tol", "1e-4")
        self.assertLessEqual(again["certificate"]["relative_gap"], 1.0001e-4)
        self.assertEqual(self.expect(0, "predict", "data.pdb", "outside.model", "--memory", "1K"), self.expect(0, "predict", "data.txt", "outside.model"))
        self.assertIn("streamed", self.expect(0, "train", "data.pdb", "m", "--tol", "1e-3", "--memory", "1K", "--solver", "apg"))

    def test_a_limit_of_the_system_is_enough(self):
        """An address space of 400 MB, and data that would take more with their copies."""
        self.expect(0, "generate", "large.pdb", "--rows", "220000", "--features", "3000", "--row-nonzeros", "100", "--memory", "64M", "--threads", "2")
        size = (self.folder / "large.pdb").stat().st_size
        limit = 400 << 20
        self.assertGreater(3 * size, limit)
        in_little = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}
        if self.run_tool("--version", **in_little).returncode != 0:
            self.skipTest("a sanitized tool needs more address space than this to start")
        done = self.expect_json(2, "train", "large.pdb", "m", "--solver", "apg", "--max-passes", "3", **in_little)
        self.assertGreater(done["streamed"]["passes"], 0)

    def test_generated_data_are_the_same_for_any_number_of_threads(self):
        for threads in ["1", "3"]:
            self.expect(0, "generate", threads + ".pdb", "--rows", "20000", "--features", "500", "--row-nonzeros", "10", "--memory", "64M",
                        "--threads", threads, "--truth", threads + ".txt")
        self.assertEqual((self.folder / "1.pdb").read_bytes(), (self.folder / "3.pdb").read_bytes())
        self.assertEqual(self.read("1.txt"), self.read("3.txt"))
        about = json.loads(self.expect(0, "info", "1.pdb", "--json"))
        self.assertEqual((about["rows"], about["features"]), (20000, 500))
        self.assertEqual([c["value"] for c in about["targets"]["classes"]], [-1, 1])

    def test_mistakes(self):
        self.expect_error("convert", "data.txt", "out.pdb", "--memory", "1K", says="memory: 1024 bytes breaks the rule: at least 64 MiB")
        self.expect_error("convert", "data.txt", "out.pdb", "--memory", "much", says=["memory: 'much'", "such as 500M or 1.5G"])
        self.expect_error("convert", "data.txt", "out.txt", "--memory", "1G", says="OUT: 'out.txt' breaks the rule: a cache file, *.pdb, with --memory")
        self.expect_error("convert", "data.txt", "data.txt", "out.pdb", says="DATA: 2 files breaks the rule: one file; with --memory several")
        self.expect_error("convert", "none-*", "out.pdb", "--memory", "1G", says="no file matches 'none-*'")
        self.expect_error("convert", "*.pdb", "data.pdb", "--memory", "1G", says="OUT: 'data.pdb'")
        self.expect_error("generate", "x.txt", "--memory", "1G", says="OUT: 'x.txt' breaks the rule: a cache file, *.pdb, with --memory")
        self.expect_error("generate", "x.pdb", "--memory", "1M", says="memory: '1M' breaks the rule: at least 64M")
        self.expect_error("train", "data.txt", "m", "--memory", "1G", says="memory: '1G' breaks the rule: only for cache files in blocks")
        self.expect_error("train", "data.pdb", "m", "--memory", "1K", "--solver", "working_set", says=["solver: working_set", "larger than memory"])
        self.expect_error("info", "data.txt", "data.txt", says="unexpected argument 'data.txt'")


if __name__ == "__main__":
    unittest.main()
