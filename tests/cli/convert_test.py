"""pdbfw convert, and cache files wherever DATA is asked for."""

import lzma
import resource
import struct
import unittest

from tool import TINY, ToolTest, random_data

HEADER_BYTES = 192


class Convert(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.txt", random_data())
        self.expect(0, "convert", "data.txt", "data.pdb")

    def same_model(self, *options):
        self.expect(0, "train", "data.txt", "from_text", "--quiet", *options)
        self.expect(0, "train", "data.pdb", "from_cache", "--quiet", *options)
        self.assertEqual(self.read("from_text"), self.read("from_cache"))

    def test_says_nothing_and_leaves_one_file(self):
        self.assertEqual(self.expect(0, "convert", "data.txt", "again.pdb"), "")
        self.assertEqual(self.files(), ["again.pdb", "data.pdb", "data.txt"])

    def test_every_command_takes_it_for_the_data(self):
        self.same_model("--tol", "1e-6")
        self.same_model("--threads", "2", "--solver", "working_set")
        for command in [["info", "{}"], ["predict", "{}", "from_text"], ["certify", "{}", "from_text"],
                        ["info", "{}", "--values", "float32"]]:
            text, cache = ([word.format(name) for word in command] for name in ("data.txt", "data.pdb"))
            self.assertEqual(self.expect(0, *text).replace("data.txt", "data.pdb"), self.expect(0, *cache))

    def test_the_name_does_not_matter_for_reading(self):
        (self.folder / "data.pdb").rename(self.folder / "renamed")
        self.assertEqual(self.expect(0, "info", "renamed"), self.expect(0, "info", "data.txt"))

    def test_from_anything_that_can_be_read(self):
        cache = (self.folder / "data.pdb").read_bytes()
        self.write("data.xz", lzma.compress(random_data().encode()))
        self.expect(0, "convert", "data.xz", "other.pdb", "--threads", "2")
        self.assertEqual((self.folder / "other.pdb").read_bytes(), cache)
        self.expect(0, "convert", "-", "other.pdb", stdin=random_data().encode())
        self.assertEqual((self.folder / "other.pdb").read_bytes(), cache)
        self.expect(0, "convert", "data.pdb", "other.pdb")
        self.assertEqual((self.folder / "other.pdb").read_bytes(), cache)

    def test_from_standard_input(self):
        cache = (self.folder / "data.pdb").read_bytes()
        expected = self.expect(0, "info", "data.txt")
        self.assertEqual(self.expect(0, "info", "-", stdin=cache), expected)
        self.expect_error("info", "-", stdin=cache[:-1], says=["standard input", "truncated"])
        self.expect_error("info", "-", stdin=cache + b"x", says=["standard input", "longer"])

    def test_back_to_text(self):
        text = self.expect(0, "convert", "data.txt", "-")
        self.assertEqual(self.expect(0, "convert", "data.pdb", "-"), text)
        self.expect(0, "convert", "data.pdb", "back.svm")
        self.assertEqual(self.read("back.svm"), text)

    def test_float32(self):
        self.expect(0, "convert", "data.txt", "small.pdb", "--values", "float32")
        self.assertEqual(self.expect_json(0, "info", "small.pdb")["value_bits"], 32)
        self.assertEqual(self.expect(0, "info", "small.pdb"), self.expect(0, "info", "data.txt", "--values", "float32"))
        size = {name: (self.folder / name).stat().st_size for name in ("data.pdb", "small.pdb")}
        self.assertLess(size["small.pdb"], size["data.pdb"])

    def test_damage_is_one_line(self):
        cache = (self.folder / "data.pdb").read_bytes()
        for name, damaged, says in [("cut", cache[:-64], "truncated"), ("short", cache[:50], "truncated"),
                                    ("longer", cache + b"\0", "longer"),
                                    ("header", cache[:40] + b"?" + cache[41:], "header is damaged"),
                                    ("data", cache[:-100] + b"?" + cache[-99:], "data are damaged"),
                                    ("newer", cache[:8] + b"\3" + cache[9:], "newer pdbfw")]:
            self.write(name, damaged)
            for command in ["info", "train"]:
                self.expect_error(command, name, says=[f"error: {name}: ", says])
            self.expect_error("convert", name, "out.pdb", says=[f"error: {name}: ", says])

    def test_a_failed_write_leaves_no_file(self):
        def small_files_only():
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

        self.expect_error("convert", "data.txt", "new.pdb", says=["'new.pdb'", "File too large"],
                          preexec_fn=small_files_only)
        old = (self.folder / "data.pdb").read_bytes()
        self.expect_error("convert", "data.txt", "data.pdb", says="'data.pdb'", preexec_fn=small_files_only)
        self.assertEqual((self.folder / "data.pdb").read_bytes(), old)

    def test_bad_usage(self):
        self.expect_error("convert", "data.txt", says="OUT")
        self.expect_error("convert", "none.txt", "out.pdb", says=["none.txt", "No such file"])
        self.expect_error("convert", "data.txt", "no/out.pdb", says=["OUT", "folder that exists"])
        self.expect_error("convert", "data.txt", "data.txt", says=["OUT", "'data.txt'", "used for something else"])
        self.expect_error("convert", "data.txt", "out.pdb", "--values", "float16", says=["values", "'float16'"])

    def test_a_cache_is_no_model(self):
        self.expect_error("weights", "data.pdb", says="data.pdb:1:1")


class Format(ToolTest):
    """docs/cache-file.md, byte by byte."""

    def cache(self, text, *options):
        self.write("data.txt", text)
        self.expect(0, "convert", "data.txt", "data.pdb", *options)
        return (self.folder / "data.pdb").read_bytes()

    def sections(self, cache):
        table = struct.unpack_from("<14Q", cache, 64)
        for begin in table[::2]:
            self.assertEqual(begin % 64, 0)
        return [cache[begin:begin + size] for begin, size in zip(table[::2], table[1::2])]

    def test_sparse(self):
        cache = self.cache("1 1:0.5 4:-2\n-1\n1 2:3 4:0\n")
        self.assertEqual(cache[:8], b"\x89PDB\r\n\x1a\n")
        self.assertEqual(struct.unpack_from("<2I3qQ4BI", cache, 8), (1, HEADER_BYTES, 3, 4, 4, len(cache), 0, 8, 4, 4, 0))
        self.assertEqual(struct.unpack_from("<Q", cache, 176), (0,))
        row_offsets, row_indices, row_values, column_offsets, column_indices, column_values, targets = self.sections(cache)
        self.assertEqual(row_offsets, struct.pack("<4q", 0, 2, 2, 4))
        self.assertEqual(row_indices, struct.pack("<4i", 0, 3, 1, 3))
        self.assertEqual(row_values, struct.pack("<4d", 0.5, -2, 3, 0))
        self.assertEqual(column_offsets, struct.pack("<5q", 0, 1, 2, 2, 4))
        self.assertEqual(column_indices, struct.pack("<4i", 0, 2, 0, 2))
        self.assertEqual(column_values, struct.pack("<4d", 0.5, 3, -2, 0))
        self.assertEqual(targets, struct.pack("<3d", 1, -1, 1))

    def test_dense(self):
        cache = self.cache("1 1:1 2:2 3:3\n-1 1:4 2:5 3:6\n", "--values", "float32")
        self.assertEqual(struct.unpack_from("<2I3qQ4BI", cache, 8), (1, HEADER_BYTES, 2, 3, 6, len(cache), 1, 4, 0, 0, 0))
        sections = self.sections(cache)
        self.assertEqual(sections[2], struct.pack("<6f", 1, 2, 3, 4, 5, 6))
        self.assertEqual(sections[5], struct.pack("<6f", 1, 4, 2, 5, 3, 6))
        self.assertEqual(sections[6], struct.pack("<2d", 1, -1))
        self.assertEqual([len(sections[k]) for k in (0, 1, 3, 4)], [0, 0, 0, 0])

    def test_the_same_data_give_the_same_bytes(self):
        self.assertEqual(self.cache(TINY), self.cache(TINY, "--threads", "2"))


if __name__ == "__main__":
    unittest.main()
