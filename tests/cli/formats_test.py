"""Every format of data, wherever DATA is asked for; the files are made by the standard library alone."""

import bz2
import csv
import gzip
import io
import lzma
import pathlib
import random
import re
import shlex
import struct
import unittest
import zipfile

from tool import ToolTest

ROWS, COLUMNS = 60, 12

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "data-formats.md"
BLOCK = re.compile(r"^```(file|console) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def table(seed=3):
    """Labels -1 and +1 and a matrix, mostly zeros, that decides them; every number is exact in a float32."""
    rng = random.Random(seed)
    matrix = [[rng.choice([0, 0, 0, 0.5, -1.25, 3]) for _ in range(COLUMNS)] for _ in range(ROWS)]
    labels = [1 if 2 * row[0] - row[3] + row[7] > 0 else -1 for row in matrix]
    matrix[0][COLUMNS - 1] = 1  # so that LIBSVM's text is as wide
    return labels, matrix


def libsvm(labels, matrix):
    return "".join(f"{label}" + "".join(f" {j + 1}:{v}" for j, v in enumerate(row) if v != 0) + "\n"
                   for label, row in zip(labels, matrix))


def npy(values, code, shape, fortran=False):
    """A version 1.0 .npy file; `code` is that of the struct module."""
    types = {"d": "<f8", "f": "<f4", "q": "<i8", "i": "<i4", "B": "|u1"}
    header = f"{{'descr': '{types[code]}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(values)}{code}", *values)


def npz(members, compression=zipfile.ZIP_DEFLATED):
    """As numpy.savez does it: every member announced as if it could need zip64."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in members.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as member:
                member.write(content)
    return out.getvalue()


def csr_members(matrix, columns=COLUMNS):
    indptr, indices, data = [0], [], []
    for row in matrix:
        for j, value in enumerate(row):
            if value != 0:
                indices.append(j)
                data.append(value)
        indptr.append(len(data))
    text = b"\x93NUMPY\x01\x00\x36\x00{'descr': '|S3', 'fortran_order': False, 'shape': ()}\ncsr"
    return {"indices": npy(indices, "i", f"({len(data)},)"), "indptr": npy(indptr, "i", f"({len(indptr)},)"),
            "format": text, "shape": npy([len(matrix), columns], "q", "(2,)"), "data": npy(data, "d", f"({len(data)},)")}


def comma_separated(labels, matrix, separator=",", label_column=0):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_NONNUMERIC)
    names = [f"feature \"{j}\"" for j in range(COLUMNS)]
    writer.writerow(names[:label_column] + ["class"] + names[label_column:])
    for label, row in zip(labels, matrix):
        writer.writerow(row[:label_column] + [label] + row[label_column:])
    return out.getvalue()


def matrix_market(matrix):
    entries = [(i + 1, j + 1, v) for j in range(COLUMNS) for i, row in enumerate(matrix) if (v := row[j]) != 0]
    return (f"%%MatrixMarket matrix coordinate real general\n% made here\n{len(matrix)} {COLUMNS} {len(entries)}\n"
            + "".join(f"{i} {j} {v}\n" for i, j, v in entries))


class Formats(ToolTest):
    def setUp(self):
        super().setUp()
        self.labels, self.matrix = table()
        self.flat = [v for row in self.matrix for v in row]
        self.write("data.svm", libsvm(self.labels, self.matrix))
        self.write("labels.txt", "".join(f"{label}\n" for label in self.labels))
        self.write("labels.npy", npy(self.labels, "q", f"({ROWS},)"))
        self.text = self.expect(0, "convert", "data.svm", "-")

    def sparse_text(self, *arguments):
        """What the tool reads, as LIBSVM's text without entries that are 0."""
        lines = self.expect(0, "convert", *arguments[:1], "-", *arguments[1:]).splitlines()
        return "".join(" ".join(w for w in line.split(" ") if not w.endswith(":0")) + "\n" for line in lines)

    def test_all_formats_are_the_same_data(self):
        columns = [row[j] for j in range(COLUMNS) for row in self.matrix]
        shape = f"({ROWS}, {COLUMNS})"
        given = ["--labels", "labels.npy"]
        for name, content, options in [
                ("a.csv", comma_separated(self.labels, self.matrix), []),
                ("b.csv", comma_separated(self.labels, self.matrix, ";", 4), ["--label-column", "class"]),
                ("c.csv", comma_separated(self.labels, self.matrix, ",", COLUMNS), ["--label-column", "-1"]),
                ("d.tsv", comma_separated(self.labels, self.matrix, "\t"), ["--header", "yes"]),
                ("e.mtx", matrix_market(self.matrix), given),
                ("f.npy", npy(self.flat, "d", shape), given),
                ("g.npy", npy(self.flat, "f", shape), ["--labels", "labels.txt"]),
                ("h.npy", npy(columns, "d", shape, fortran=True), given),
                ("i.npz", npz(csr_members(self.matrix)), given),
                ("j.npz", npz(csr_members(self.matrix), zipfile.ZIP_STORED), given),
                ("l.npz", npz(csr_members(self.matrix) | {"y": npy(self.labels, "q", f"({ROWS},)")}), []),
                ("k.npz", npz({"X": npy(self.flat, "d", shape), "y": npy(self.labels, "q", f"({ROWS},)")}), []),
        ]:
            with self.subTest(name):
                content = content if isinstance(content, bytes) else content.encode()
                self.write(name, content)
                self.assertEqual(self.sparse_text(name, *options), self.text)
                for ending, pack in [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]:
                    self.write(name + ending, pack(content))
                    self.assertEqual(self.sparse_text(name + ending, *options), self.text)
                if name.endswith("sv"):
                    options = options + ["--data-format", "csv"]
                self.assertEqual(self.expect(0, "convert", "-", "-", *options, stdin=content),
                                 self.expect(0, "convert", name, "-", *options), "standard input")

    def test_every_command_takes_them(self):
        self.write("data.npz", npz(csr_members(self.matrix)))
        given = ["--labels", "labels.txt"]
        self.expect(0, "train", "data.svm", "a.model", "--quiet", "--tol", "1e-6")
        self.expect(0, "train", "data.npz", "b.model", "--quiet", "--tol", "1e-6", *given)
        self.assertEqual(self.read("a.model"), self.read("b.model"))
        for command in [["predict", "{}", "a.model"], ["certify", "{}", "a.model"], ["info", "{}"],
                        ["info", "{}", "--values", "float32"], ["features", "random-binning", "{}", "-", "--quiet"]]:
            text, archive = ([word.format(name) for word in command] for name in ("data.svm", "data.npz"))
            self.assertEqual(self.expect(0, *text), self.expect(0, *archive, *given))
        self.expect(0, "convert", "data.npz", "data.pdb", *given)
        self.assertEqual(self.expect(0, "convert", "data.pdb", "-"), self.text)

    def test_mnist(self):
        pixels = bytes([0, 0, 9, 0, 0, 0, 0, 200, 0, 1, 0, 0])
        images = struct.pack(">BBBBIII", 0, 0, 8, 3, 3, 2, 2) + pixels
        labels = struct.pack(">BBBBI", 0, 0, 8, 1, 3) + bytes([9, 4, 0])
        self.write("t-images-idx3-ubyte.gz", gzip.compress(images))
        self.expect_error("info", "t-images-idx3-ubyte.gz", says=["t-images-idx3-ubyte.gz: ", "no labels"])
        self.write("t-labels-idx1-ubyte.gz", gzip.compress(labels))
        self.assertEqual(self.expect(0, "convert", "t-images-idx3-ubyte.gz", "-"), "9 3:9\n4 4:200\n0 2:1\n")
        self.assertEqual(self.expect(0, "convert", "t-images-idx3-ubyte.gz", "-", "--classes", "0,9"),
                         "1 3:9\n-1 2:1\n")
        self.write("plain", images)
        self.write("zeros.txt", "5\n6\n7\n")
        self.assertEqual(self.expect(0, "convert", "plain", "-", "--labels", "zeros.txt"), "5 3:9\n6 4:200\n7 2:1\n")
        self.assertEqual(self.expect_json(0, "info", "t-images-idx3-ubyte.gz", "--values", "float32")["value_bits"], 32)

    def test_classes_of_any_format(self):
        self.write("many.svm", "1 1:1\n2 1:2\n3 1:3\n-1 1:4\n")
        self.assertEqual(self.expect(0, "convert", "many.svm", "-", "--classes", "3,-1"), "-1 1:3\n1 1:4\n")
        self.expect(0, "convert", "many.svm", "many.pdb")
        self.assertEqual(self.expect(0, "convert", "many.pdb", "-", "--classes", "-1,2"), "1 1:2\n-1 1:4\n")
        for classes in ["3", "3,3", "3,x", "3,", "1,2,3", "nan,1"]:
            self.expect_error("info", "many.svm", "--classes", classes, says=["classes", "two different numbers"])
        self.expect_error("info", "many.svm", "--classes", "1,7", says="no row has 7")

    def test_options_that_have_no_say(self):
        self.write("a.csv", "1,2\n3,4\n")
        for arguments, says in [(["data.svm", "--labels", "labels.txt"], "hold no labels themselves"),
                                (["data.svm", "--label-column", "1"], "only for CSV"),
                                (["data.svm", "--header", "no"], "only for CSV"),
                                (["a.csv", "--header", "maybe"], "header"),
                                (["a.csv", "--data-format", "npzz"], "npz"),
                                (["a.csv", "--data-format", "npy"], "does not begin like a .npy file"),
                                (["a.csv", "--data-format", "npz"], "zip"),
                                (["a.csv", "--data-format", "idx"], "idx"),
                                (["a.csv", "--data-format", "cache"], "cache"),
                                (["a.csv", "--data-format", "matrix_market"], "MatrixMarket"),
                                (["a.csv", "--labels", "-"], "labels"),
                                (["a.csv", "--labels", "absent"], "cannot open 'absent'"),
                                (["a.csv", "--labels", ""], "labels: '' breaks the rule: a file"),
                                (["a.csv", "--label-column", ""], "label_column: '' breaks the rule: a name or"),
                                (["a.csv", "--classes", ""], "classes: '' breaks the rule: two different numbers"),
                                (["a.csv", "--label-column", "x"], "label_column")]:
            self.expect_error("info", *arguments, says=says)

    def test_labels_are_never_overwritten(self):
        self.write("f.npy", npy(self.flat, "d", f"({ROWS}, {COLUMNS})"))
        self.expect_error("convert", "f.npy", "labels.txt", "--labels", "labels.txt", says="labels.txt")
        self.expect_error("train", "f.npy", "labels.txt", "--labels", "labels.txt", says="labels.txt")
        self.write("train-images-idx3-ubyte", struct.pack(">BBBBIII", 0, 0, 8, 3, 2, 1, 1) + bytes([3, 4]))
        self.write("train-labels-idx1-ubyte", struct.pack(">BBBBI", 0, 0, 8, 1, 2) + bytes([0, 1]))
        for command in ["convert", "train"]:
            self.expect_error(command, "train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                              says="'train-labels-idx1-ubyte' breaks the rule: a file that is not used")
        self.assertEqual((self.folder / "train-labels-idx1-ubyte").stat().st_size, 10)

    def test_mistakes_name_the_place(self):
        self.write("a.csv", "y,a,b\n1,2,3\n1,,3\n")
        self.expect_error("info", "a.csv", says="error: a.csv:3:3: column 2 ('a'): the cell is empty")
        self.write("a.csv", "1,,3\n4,5,6\n")
        self.expect_error("info", "a.csv", says="error: a.csv:1:3: column 2: the cell is empty; if this line holds names")
        self.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 9 1\n")
        self.write("two", "1\n2\n")
        self.expect_error("info", "a.mtx", "--labels", "two", says="error: a.mtx:3:1: column 9 is not in 1 .. 2")
        whole = npz(csr_members(self.matrix))
        for cut in range(0, len(whole), 97):
            self.write("cut.npz", whole[:cut])
            self.expect_error("info", "cut.npz", "--labels", "labels.txt", says="error: cut.npz: ")


class Page(ToolTest):
    """docs/data-formats.md shows files and what the tool says about them."""

    def test_examples(self):
        dense = npy([1, 2.5, 0, -4], "d", "(2, 2)")
        self.write("X.npy", dense)
        self.write("both.npz", npz({"X": dense, "y": npy([1, -1], "q", "(2,)")}))
        self.write("sparse.npz", npz(csr_members([[1, 2.5], [0, -4]], 2)))
        images = struct.pack(">BBBBIII", 0, 0, 8, 3, 3, 2, 2) + bytes([0, 0, 9, 0, 0, 0, 0, 200, 0, 1, 0, 0])
        self.write("train-images-idx3-ubyte.gz", gzip.compress(images))
        self.write("train-labels-idx1-ubyte.gz", gzip.compress(struct.pack(">BBBBI", 0, 0, 8, 1, 3) + bytes([9, 4, 0])))
        commands = 0
        for kind, name, content in BLOCK.findall(PAGE.read_text()):
            if kind == "file":
                self.write(name, content)
                continue
            for example in content.split("$ pdbfw ")[1:]:
                command, said = example.split("\n", 1)
                done = self.run_tool(*shlex.split(command))
                self.assertEqual((done.stdout + done.stderr).decode(), said, command)
                commands += 1
        self.assertEqual(commands, 9)


if __name__ == "__main__":
    unittest.main()
