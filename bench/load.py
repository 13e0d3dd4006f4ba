#!/usr/bin/env python3
"""64 processes `pdbfw predict` at once, on one model and one data file: all must end well and say the same. Writes scale/load.md and
scale/load.jsonl: the time until the last one has ended, the most memory that all had at one moment, and what the model alone costs each of
them; for a model as text, and for the same one mapped.

    bench/load.py [--program build/release/pdbfw] [--processes 64] [--out docs/results]
"""
import argparse
import hashlib
import itertools
import os
import pathlib
import random
import subprocess
import tempfile
import threading
import time

import common

ROWS, FEATURES, ROW_NONZEROS = 20_000, 1_000_000, 60
WEIGHTS = [1_000, 1_000_000]


def write_model(path, weights):
    """A model file with this number of non-zeros, evenly spread; the same file everywhere."""
    rng = random.Random(1)
    step = FEATURES // weights
    with path.open("w") as file:
        file.write(f"pdbfw-model 2\nkind vector\nloss logistic\nset l1\nradius 100\nridge 0.001\nsamples {ROWS}\nfeatures {FEATURES}\nclasses 2\n-1\n1\n"
                   f"weights {weights}\n")
        file.writelines(f"1 {1 + k * step} {rng.uniform(-1, 1)!r}\n" for k in range(weights))
        file.write("end\n")


def memory(pid):
    """Bytes of one process: what it holds resident, and its share of that, where a page that k processes share counts 1/k."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has just ended
        return 0, 0
    value = {words[0]: int(words[1]) * 1024 for words in map(str.split, lines) if len(words) == 3 and words[2] == "kB"}
    return value.get("Rss:", 0), value.get("Pss:", 0)


class Watch(threading.Thread):
    """The largest sums over the processes while they run."""

    def __init__(self, processes):
        super().__init__(daemon=True)
        self.processes, self.resident, self.shared, self.is_over = processes, 0, 0, False

    def run(self):
        while not self.is_over:
            each = [memory(process.pid) for process in self.processes]
            self.resident = max(self.resident, sum(rss for rss, _ in each))
            self.shared = max(self.shared, sum(pss for _, pss in each))
            time.sleep(0.02)


def at_once(command, count, folder):
    """(seconds, peak resident, peak with shared pages once); ends the script if one process fails or says something else."""
    outputs = [(folder / f"out{k}").open("w+b") for k in range(count)]
    begin = time.perf_counter()
    running = [subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL) for output in outputs]
    watch = Watch(running)
    watch.start()
    # With WNOWAIT a process stays readable under /proc, empty, until all are done; nothing takes its number.
    for process in running:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.perf_counter() - begin
    watch.is_over = True
    watch.join()
    codes = {process.wait() for process in running}
    said = set()
    for output in outputs:
        output.seek(0)
        said.add(hashlib.sha256(output.read()).hexdigest())
        output.close()
    if codes != {0} or len(said) != 1:
        raise SystemExit(f"{' '.join(command)}: exit codes {codes}, {len(said)} different outputs")
    return seconds, watch.resident, watch.shared, said.pop()


def is_waiting(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def with_the_model(program, model, count):
    """Bytes a process, shared pages by shares, while all have the model and wait for their data on a pipe that stays silent."""
    running = [subprocess.Popen([program, "predict", "-", str(model)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for _ in range(count)]
    calm = 0
    while calm < 10:
        time.sleep(0.05)
        calm = calm + 1 if all(is_waiting(process.pid) for process in running) else 0
    shared = sum(memory(process.pid)[1] for process in running)
    for process in running:
        process.communicate(b"1 1:1\n")
    if {process.returncode for process in running} != {0}:
        raise SystemExit(f"{model}: a process failed")
    return shared / count


def measure(options, folder):
    text, cache = folder / "data.txt", folder / "data.pdb"
    subprocess.run([options.program, "generate", text, "--rows", str(ROWS), "--features", str(FEATURES), "--row-nonzeros", str(ROW_NONZEROS)], check=True)
    subprocess.run([options.program, "convert", text, cache], check=True)
    rows = []
    for weights in WEIGHTS:
        model, mapped = folder / f"{weights}.model", folder / f"{weights}.pdbm"
        write_model(model, weights)
        subprocess.run([options.program, "convert", model, mapped], check=True)
        said = set()
        for kind, data, count in itertools.product([model, mapped], [text, cache], [1, options.processes]):
            seconds, resident, shared, output = at_once([options.program, "predict", str(data), str(kind), "--scores"], count, folder)
            said.add(output)
            rows.append({"weights": weights, "model": kind.suffix, "model_bytes": kind.stat().st_size, "data": data.suffix,
                         "data_bytes": data.stat().st_size, "processes": count, "seconds": seconds, "resident_bytes": resident,
                         "shared_once_bytes": shared, "with_model_bytes": with_the_model(options.program, kind, count)})
        if len(said) != 1:
            raise SystemExit("the predictions differ between model files, data files or numbers of processes")
    return rows


def report(rows, options):
    text = (f"# Many processes on one model\n\nWritten by `bench/load.py` with `{options.program}` ({common.processor()}, {os.cpu_count()} cores). "
            f"{options.processes} processes `pdbfw predict` start at once on one model file, text (`.model`) or mapped (`.pdbm`), and one data file of {ROWS:,} rows, {FEATURES:,} features "
            f"and {ROW_NONZEROS} non-zeros a row. All ended well and wrote the same bytes. Memory is the largest sum over all processes at one moment; "
            "where it says so, a page that several processes share counts once. All processes are never at their largest together, so the last column "
            "is another run, in which each has loaded the model and waits for its data: what it then holds, the program included.\n\n")
    mega = 1 << 20
    return text + common.table(
        ["weights of the model", "model", "model file, MiB", "data", "data file, MiB", "processes", "seconds", "resident, MiB", "shared once, MiB",
         "the same a process", "a process with the model, MiB"],
        [[f"{row['weights']:,}", row["model"], f"{row['model_bytes'] / mega:.1f}", row["data"], f"{row['data_bytes'] / mega:.1f}", row["processes"],
          f"{row['seconds']:.2f}", f"{row['resident_bytes'] / mega:.0f}", f"{row['shared_once_bytes'] / mega:.0f}",
          f"{row['shared_once_bytes'] / mega / row['processes']:.1f}", f"{row['with_model_bytes'] / mega:.2f}"] for row in rows]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser, program="build/release/pdbfw")
    parser.add_argument("--processes", type=int, default=64)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(options, pathlib.Path(folder))
    text = report(rows, options)
    common.write(options.out / "scale", "load", text, rows)
    print(text)


if __name__ == "__main__":
    main()
