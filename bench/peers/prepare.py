"""FILE OUT: a data file as plain text (OUT.txt, for LIBLINEAR's tool and ours) and as CSR arrays (OUT.npz).

Runs in the virtual environment.
"""

import bz2
import lzma
import pathlib
import shutil
import sys

import numpy
from sklearn.datasets import load_svmlight_file

OPENERS = {".xz": lzma.open, ".bz2": bz2.open}


def main():
    source, out = pathlib.Path(sys.argv[1]), sys.argv[2]
    text, arrays = pathlib.Path(out + ".txt"), pathlib.Path(out + ".npz")
    part = pathlib.Path(out + ".part.npz")
    with OPENERS.get(source.suffix, open)(source, "rb") as packed, open(part, "wb") as plain:
        shutil.copyfileobj(packed, plain)
    part.rename(text)
    X, y = load_svmlight_file(str(text), zero_based=False)
    numpy.savez(
        part,
        data=X.data,
        indices=X.indices.astype(numpy.int32),
        indptr=X.indptr.astype(numpy.int32),
        shape=X.shape,
        y=y,
    )
    part.rename(arrays)


if __name__ == "__main__":
    main()
