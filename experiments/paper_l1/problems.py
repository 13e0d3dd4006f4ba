"""The data sets and problems of the paper, and how the data are prepared. Prepared data are kept as cache files."""

import os
import pathlib
import random
import subprocess
from typing import NamedTuple


class Data(NamedTuple):
    name: str  # of the cache file
    title: str
    file: str  # in the data folder
    recipe: tuple  # options of `pdbfw features random-binning`, if any
    paper: tuple = None  # features, samples, non-zeros and support in the paper's table 2
    remark: str = ""  # how it differs from the paper's data


class Problem(NamedTuple):
    data: Data
    radius: float
    ridge: str
    figure: str  # "1", "1a" (the authors' settings) or "3"

    @property
    def key(self):
        return f"{self.data.name}-{self.radius:g}-{self.ridge.replace('/', '')}"

    @property
    def options(self):
        """Of the tool."""
        return ["--radius", self.radius, "--ridge", self.ridge, "--loss", "smooth_hinge"]

    @property
    def title(self):
        return f"{self.data.title}, radius {self.radius:g}, ridge {self.ridge}"


def binning(grids, gamma, *more):
    return ("--grids", str(grids), "--gamma", str(gamma), *more)


DUKE = Data("duke", "duke", "duke.bz2", (), (7129, 44, 313676, 423), "as handed out: its columns have mean 0 and deviation 1")
RCV1 = Data("rcv1_sample", "RCV1 sample", "rcv1_sample.binary.xz", (), (47236, 20242, 1498952, 1169),
            "a stand-in of the same size and kind: RCV1-v2 documents, not those of rcv1_train.binary")
NEWS20 = Data("news20", "news20", "news20.binary.xz", (), (1355191, 19996, 9097916, 1365),
              "rebuilt from the 20 Newsgroups articles; same shape as the published file")
MNIST = Data("mnist09", "MNIST 0 against 9, binned", "mnist/train-images-idx3-ubyte.gz", binning(100, 3.7e-4, "--classes", "0,9"), (894499, 11872, 1187200, 8450),
             "raw pixels; the bins are drawn anew, so the features differ")
IJCNN1 = Data("ijcnn1", "ijcnn1, binned", "ijcnn1.xz", binning(300, 0.515), (58699, 49990, 14997000, 715),
              "columns 1 to 10 reconstructed in arbitrary order; the bins are drawn anew")
COD_RNA = Data("cod-rna", "cod-rna, binned", "cod-rna.xz", binning(100, 0.541, "--scale"), (81398, 59535, 5953500, 958),
               "scale recovered from a standardised copy; the bins are drawn anew")

# What the paper's text says, what its authors used where that differs, and its figure 3.
PAPER = [Problem(data, 300, "10/n", "1") for data in (DUKE, RCV1, NEWS20, MNIST, IJCNN1, COD_RNA)]
AUTHORS = [Problem(DUKE, 0.5, "10/n", "1a"), Problem(IJCNN1, 50, "100/n", "1a"), Problem(COD_RNA, 100, "100/n", "1a")]
RIDGES = [Problem(data, 300, ridge, "3") for data in (RCV1, NEWS20) for ridge in ("1/n", "10/n", "100/n")]

# Title of a figure and what it shows.
REAL_FIGURES = {
    "1": ("Figure 1", "Radius 300 and ridge 10/n, as the paper's text has it."),
    "1a": ("Figure 1, the authors' settings", "Where the authors used another radius or ridge than the text says."),
    "3": ("Figure 3", "Other condition numbers: ridge 1/n, 10/n, 100/n."),
}
GENERATED_FIGURES = {
    "1": ("Figure 1, on generated data", "Not the paper's data: what the figure looks like on generated ones."),
    "3": ("Figure 3, on generated data", "Other condition numbers, on generated data."),
}

# Generated data, for a quick run and where the real data are not at hand: (rows, features, non-zeros of a row, support).
GENERATED_SIZES = {"wide": (400, 4000, 40, 20), "square": (1500, 1500, 30, 20), "tall": (4000, 500, 20, 15)}
GENERATED = {name: Data(f"generated-{name}", f"generated, {size[0]} x {size[1]}", "", size, None, "generated")
             for name, size in GENERATED_SIZES.items()}


def real_problems():
    """Figures 1 and 3; problems of both are there once, under the first."""
    seen, out = set(), []
    for problem in PAPER + AUTHORS + RIDGES:
        if problem.key not in seen:
            seen.add(problem.key)
            out.append(problem)
    return out


def generated_problems():
    return [Problem(data, 30, "10/n", "1") for data in GENERATED.values()] + [
        Problem(GENERATED["wide"], 30, ridge, "3") for ridge in ("1/n", "100/n")]


def panels(figure, problems):
    """The problems of a figure in the paper's order; figure 3 shares its middle column with figure 1."""
    here = {problem.key: problem for problem in problems}
    wanted = {"1": PAPER, "1a": AUTHORS, "3": RIDGES}[figure]
    real = [problem for problem in wanted if problem.key in here]
    return real or [problem for problem in problems if problem.figure == figure]


def call(tool, *arguments):
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"pdbfw {arguments[0]}: {done.stderr.strip()}")


def write_dense(out, rows, features, support=20, flips=0.05, seed=1):
    """Rows drawn evenly from the unit sphere, labels from a planted sparse model: the dense case that table 1 speaks of."""
    draw = random.Random(seed)
    signs = [draw.choice((-1, 1)) for _ in range(support)]
    with open(out, "w", encoding="ascii") as text:
        for _ in range(rows):
            row = [draw.gauss(0, 1) for _ in range(features)]
            length = sum(v * v for v in row) ** 0.5
            label = 1 if sum(sign * v for sign, v in zip(signs, row)) > 0 else -1
            label = -label if draw.random() < flips else label
            text.write(f"{label} " + " ".join(f"{j}:{v / length:.6g}" for j, v in enumerate(row, 1)) + "\n")


def prepared(tool, cache, name, write_text):
    """The cache file of that name; made once, from the text or data file that write_text(path) makes or returns."""
    path = cache / f"{name}.pdb"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        text, unfinished = cache / f"{name}.txt", cache / f"{name}.unfinished.pdb"
        call(tool, "convert", write_text(text) or text, unfinished)
        os.replace(unfinished, path)
        text.unlink(missing_ok=True)
    return path


def prepare(tool, data, folder, cache):
    """The cache file of one of the data sets above."""
    def write(text):
        if data.name.startswith("generated-"):
            rows, features, row_nonzeros, support = data.recipe
            call(tool, "generate", text, "--rows", rows, "--features", features, "--row-nonzeros", row_nonzeros, "--support", support)
            return text
        source = pathlib.Path(folder) / data.file
        if not source.exists():
            raise RuntimeError(f"{source} is missing")
        if not data.recipe:
            return source
        call(tool, "features", "random-binning", source, text, *data.recipe)
        return text

    return prepared(tool, cache, data.name, write)


def prepare_dense(tool, cache, rows, features):
    return prepared(tool, cache, f"dense-{rows}x{features}", lambda text: write_dense(text, rows, features))
