#!/usr/bin/env python3
"""Runs bench_dense_products and makes a table of it, beside OpenBLAS on one thread where libopenblas is installed:
dense_products.{md,jsonl} in the output folder.

    bench/dense_products.py [--programs build/bench] [--out docs/results] [--openblas libopenblas.so.0]
"""
import argparse
import array
import ctypes
import json
import pathlib
import statistics
import subprocess
import time

import common

SHAPES = {"product": [(1000, 800, 600), (1000, 800, 15), (50000, 50, 50)],
          "product_transposed": [(1000, 800, 600), (1000, 800, 15), (50, 50000, 50)]}


def ours(program):
    done = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.2", "--benchmark_repetitions=3",
                           "--benchmark_report_aggregates_only=true"], capture_output=True, text=True, check=True)
    for run in json.loads(done.stdout)["benchmarks"]:
        if run.get("aggregate_name") == "median":
            milliseconds = run["cpu_time"] / {"ns": 1e6, "us": 1e3, "ms": 1}[run["time_unit"]]
            yield {"what": run["run_name"].replace("/", " "), "milliseconds": milliseconds,
                   "gflops": run.get("GFlop/s"), "columns": run.get("columns")}


def openblas(name):
    """The same products by cblas_dgemm; nothing if there is no such library."""
    try:
        library = ctypes.CDLL(name)
    except OSError:
        return
    library.openblas_set_num_threads(1)
    row_major, plain, transposed = 101, 111, 112
    for kind, shapes in SHAPES.items():
        for rows, depth, columns in shapes:
            a, b, c = (array.array("d", [0.5]) * n for n in (rows * depth, depth * columns, rows * columns))
            pointers = [ctypes.c_void_p(part.buffer_info()[0]) for part in (a, b, c)]
            is_transposed = kind == "product_transposed"

            def once():
                library.cblas_dgemm(row_major, transposed if is_transposed else plain, plain, rows, columns, depth,
                                    ctypes.c_double(1), pointers[0], rows if is_transposed else depth, pointers[1],
                                    columns, ctypes.c_double(1), pointers[2], columns)
            once()
            taken, end = [], time.process_time() + 0.5
            while time.process_time() < end:
                start = time.process_time()
                once()
                taken.append(time.process_time() - start)
            seconds = statistics.median(taken)
            yield {"what": f"OpenBLAS {kind} {rows} {depth} {columns}", "milliseconds": 1e3 * seconds,
                   "gflops": 2e-9 * rows * depth * columns / seconds, "columns": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    parser.add_argument("--openblas", default="libopenblas.so.0")
    options = parser.parse_args()
    rows = [*ours(options.programs / "bench_dense_products"), *openblas(options.openblas)]
    cells = common.table(["what", "ms", "GFlop/s", "products with a column"],
                         [[row["what"], f"{row['milliseconds']:.2f}", f"{row['gflops']:.1f}" if row["gflops"] else "",
                           f"{row['columns']:.0f}" if row["columns"] else ""] for row in rows])
    text = (f"# Dense products and spectra\n\nWritten by `bench/dense_products.py` ({common.processor()}): one thread, processor time, "
            "medians. Sizes are rows, length of the sum, columns. The spectra are of a dense 800 x 600 matrix, of rank 15 and noise; "
            "warm starts alternate between two matrices that differ by 1 % of the noise.\n\n")
    common.write(options.out, "dense_products", text + cells + "\n", rows)
    print(cells)


if __name__ == "__main__":
    main()
