#!/usr/bin/env python3
"""Phase retrieval with `pdbfw phase`: random measurements, and a picture from coded diffraction patterns.

    bench/phase.py [--tool build/release/pdbfw] [--out docs/results] [--threads 2] [--only PATTERN]

Writes phase.md, phase.jsonl and phase.png. Needs NumPy and, for the picture, Matplotlib (bench/requirements.txt).
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

import numpy as np

import common

SIDE = 32
MASKS = 4


def gaussian(d, ratio, is_complex, seed):
    """Vectors with independent normal entries, and a signal of the same kind."""
    rng = np.random.default_rng(seed)
    draw = lambda *shape: rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if is_complex else 0)
    return draw(ratio * d, d), draw(d)


def picture():
    """Grey values in [0, 1], 32 x 32: a bright disc with a darker one inside, a bar and a slope."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / (SIDE - 1)
    image = 0.25 * x + 0.1
    image[(x - 0.4) ** 2 + (y - 0.45) ** 2 < 0.09] = 0.9
    image[(x - 0.47) ** 2 + (y - 0.4) ** 2 < 0.015] = 0.35
    image[(y > 0.82) & (y < 0.92) & (x > 0.15) & (x < 0.85)] = 1.0
    image[(x > 0.82) & (x < 0.88) & (y > 0.1) & (y < 0.7)] = 0.0
    return image


def diffraction(seed):
    """Coded diffraction patterns (Candes, Li, Soltanolkotabi 2015): the Fourier transform of the picture behind random
    masks with entries 1, -1, i, -i. One vector a measurement; |a'x|^2 is what a detector sees."""
    rng = np.random.default_rng(seed)
    transform = np.fft.fft(np.eye(SIDE), norm="ortho")
    fourier = np.kron(transform, transform)
    masks = rng.choice([1, -1, 1j, -1j], size=(MASKS, SIDE * SIDE))
    return np.conj(np.concatenate([fourier * mask for mask in masks]))


def intensities(vectors, signal):
    return np.abs(vectors.conj() @ signal) ** 2


def solve(tool, folder, vectors, signal, arguments):
    for name, array in [("a", vectors), ("b", intensities(vectors, signal)), ("x", signal)]:
        np.save(folder / f"{name}.npy", array)
    command = [tool, "phase", "a.npy", "b.npy", "--truth", "x.npy", "--output", "found.npy", "--json", *arguments]
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout), np.load(folder / "found.npy")


def draw(before, after, path):
    plt = common.pyplot()
    if plt is None:
        return
    figure, axes = plt.subplots(1, 3, figsize=(8, 3))
    worst = np.abs(after - before).max()
    for axis, (title, image, top) in zip(axes, [("the picture", before, 1), ("recovered from intensities", after, 1),
                                                (f"difference, at most {worst:.1e}", np.abs(after - before), worst)]):
        axis.imshow(image, cmap="gray", vmin=0, vmax=top, interpolation="nearest")
        axis.set(title=title, xticks=[], yticks=[])
        axis.grid(False)
    figure.savefig(path, dpi=120, metadata={"Software": None})


def cases():
    """(name, vectors, signal, arguments)"""
    for d, is_complex in [(128, False), (128, True)]:
        vectors, signal = gaussian(d, 6, is_complex, seed=1)
        yield f"Gaussian, d = {d}, 6 d {'complex' if is_complex else 'real'} measurements", vectors, signal, []
    yield f"picture, {SIDE} x {SIDE}, {MASKS} masks", diffraction(seed=1), picture().ravel(), ["--signal", "real"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=pathlib.Path("build/release/pdbfw"))
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    lines, rows = [], []
    for name, vectors, signal, arguments in cases():
        if not re.search(given.only, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            report, found = solve(given.tool.resolve(), pathlib.Path(folder), vectors, signal,
                                  [*arguments, "--threads", given.threads])
        lines.append([name, len(vectors), f"{report['error']:.1e}", f"{report['misfit']:.1e}", report["solution"]["rank"],
                      f"{report['certificate']['relative_gap']:.1e}", f"{report['seconds']['all_solves']:.3g}", report["solver"]])
        rows.append({"case": name, **report})
        print(" | ".join(map(str, lines[-1])), flush=True)
        if name.startswith("picture"):
            draw(picture(), found.reshape(SIDE, SIDE), given.out / "phase.png")
    head = ["problem", "measurements", "relative error of the signal", "misfit", "rank of X", "relative gap", "seconds", "solver"]
    text = (f"# Phase retrieval\n\nWritten by `bench/phase.py` ({common.processor()}, {given.threads} thread(s)). The signal is known "
            "by the squared magnitudes of its products with the measurement vectors alone; the error is what is left after "
            "the sign or the global phase, which no such measurement can tell, is resolved.\n\n" + common.table(head, lines)
            + "\n\nThe picture and what was recovered from its coded diffraction patterns:\n\n![before and after](phase.png)\n")
    common.write(given.out, "phase", text, rows)


if __name__ == "__main__":
    main()
