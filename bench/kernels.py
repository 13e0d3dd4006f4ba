#!/usr/bin/env python3
"""Runs bench_kernels and bench_tried and makes tables of them: kernels.{md,jsonl} and tried.{md,jsonl} in the output folder.

    bench/kernels.py [--programs build/bench] [--out docs/results]
"""
import argparse
import json
import pathlib
import subprocess

import common


def medians(program):
    """One row a benchmark "kernel/data", medians of three. What Google Benchmark remarks on the machine is left out."""
    done = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.1", "--benchmark_repetitions=3",
                           "--benchmark_report_aggregates_only=true"], capture_output=True, text=True, check=True)
    for run in json.loads(done.stdout)["benchmarks"]:
        if run.get("aggregate_name") == "median":
            kernel, _, data = run["run_name"].partition("/")
            yield {"kernel": kernel, "data": data.replace("_", " "), "milliseconds": run["cpu_time"] / 1e6,
                   "gigabytes_per_second": run["bytes_per_second"] / 1e9, "of_stream": run.get("of_stream")}


def heading(title):
    return f"# {title}\n\nWritten by `bench/kernels.py` ({common.processor()}): one thread, processor time, medians of three. "


def kernels(program, out):
    rows = list(medians(program))
    cells = common.table(["kernel", "data", "ms", "GB/s", "of the bandwidth"],
                         [[row["kernel"], row["data"], f"{row['milliseconds']:.2f}", f"{row['gigabytes_per_second']:.1f}",
                           f"{100 * row['of_stream']:.0f} %"] for row in rows])
    text = heading("The kernels against the memory") + (
        "\"The bandwidth\" is that of a loop that only reads 128 MiB. The sparse data have 6 million non-zeros (100,000 x 100,000, text-like), the dense "
        "ones 8 million (2,000 x 4,000). `sweeps` is a run of 8 sweeps of the sequential solver with all that belongs to them, by the entries that it "
        "worked with; `threshold` is counted by the numbers it looks at, `read_text` by the bytes of the file.\n\n")
    common.write(out, "kernels", text + cells + "\n", rows)
    print(cells)


def tried(program, out):
    rows = list(medians(program))
    names = list(dict.fromkeys(row["kernel"] for row in rows))
    cells = common.table(["lines, their entries, d", *(f"{name}, ms" for name in names)],
                         [[data, *(f"{row['milliseconds']:.2f}" for row in rows if row["data"] == data)] for data in dict.fromkeys(row["data"] for row in rows)])
    text = heading("Products with sparse lines: what was tried") + "Values are float64, indices 32 bits wide, the data text-like.\n\n"
    common.write(out, "tried", text + cells + "\n", rows)
    print(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    options = parser.parse_args()
    kernels(options.programs / "bench_kernels", options.out)
    tried(options.programs / "bench_tried", options.out)


if __name__ == "__main__":
    main()
