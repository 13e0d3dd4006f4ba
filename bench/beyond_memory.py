#!/usr/bin/env python3
"""Data larger than memory: makes a file in blocks, trains on it to a certified gap under a limit on the address space (ulimit -v), certifies
the model again under the same limit, and writes scale/beyond_memory.md and .jsonl. The file is removed in the end.

    bench/beyond_memory.py [--rows 20000000] [--features 1000000] [--row-nonzeros 130] [--limit-mib 2048] [--folder /tmp]
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

import common


def run(command, limit_bytes, code=(0,)):
    """Standard output, seconds, and the largest resident set in bytes of a command under a limit on its address space."""
    began = time.monotonic()
    limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))) if limit_bytes else None
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit) as process:
        output, errors = process.communicate()
    if process.returncode not in code:
        sys.exit(f"{' '.join(command)}: {errors}")
    return output, time.monotonic() - began


def measured(tool, arguments, limit_bytes, code=(0,)):
    """The same through a child of its own, so that its largest resident set is that of this command alone."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        output, seconds = run([tool, *arguments], limit_bytes, code)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        with os.fdopen(writer, "w") as pipe:
            json.dump({"output": output, "seconds": seconds, "peak": peak}, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    if not text:
        sys.exit(1)
    return json.loads(text)


def measure(options):
    """One row per step."""
    data, model = str(options.folder / "beyond_memory.pdb"), str(options.folder / "beyond_memory.model")
    limit = options.limit_mib << 20
    threads = ["--threads", str(options.threads)]
    try:
        made = measured(options.program, ["generate", data, "--rows", str(options.rows), "--features", str(options.features), "--row-nonzeros",
                                          str(options.row_nonzeros), "--support", "200", "--memory", "1G", *threads], limit)
        size = os.path.getsize(data)
        trained = measured(options.program, ["train", data, model, "--loss", "logistic", "--radius", str(options.radius), "--ridge", options.ridge, "--tol",
                                             str(options.tol), "--solver", options.solver, "--json", *threads], limit, (0, 2))
        judged = measured(options.program, ["certify", data, model, "--json", *threads], limit)
    finally:
        for path in [data, model]:
            pathlib.Path(path).unlink(missing_ok=True)
    train, judge = json.loads(trained["output"]), json.loads(judged["output"])
    about = {"rows": options.rows, "features": options.features, "nonzeros": train["problem"]["nonzeros"], "file_bytes": size, "limit_bytes": limit,
             "threads": options.threads}
    return [about | {"step": "generate", "seconds": made["seconds"], "peak_bytes": made["peak"]},
            about | {"step": "train", "seconds": trained["seconds"], "peak_bytes": trained["peak"], "status": train["status"], "solver": train["solver"],
                     "relative_gap": train["certificate"]["relative_gap"], "support": train["solution"]["nonzeros"], "accuracy": train["fit"]["accuracy"],
                     "streamed": train["streamed"], "data_passes": train["work"]["data_passes"], "solve_seconds": train["seconds"]["solve"]},
            about | {"step": "certify", "seconds": judged["seconds"], "peak_bytes": judged["peak"], "relative_gap": judge["certificate"]["relative_gap"]}]


def report(rows, options):
    giga, mega = 1e9, 1e6
    first, train, judge = rows[0], rows[1], rows[2]
    text = common.heading("Data larger than memory", "beyond_memory.py")
    text += (f"Generated data like text: {first['rows']:,} rows, {first['features']:,} features, {first['nonzeros']:,} non-zeros, a file of {first['file_bytes'] / giga:.3g} GB. "
             f"Every command runs under `ulimit -v {first['limit_bytes'] >> 10}` ({first['limit_bytes'] >> 20} MiB of address space) on {first['threads']} threads; loss logistic, radius "
             f"{options.radius:g}, ridge {options.ridge}, tol {options.tol:g}. The system may keep parts of the file in its own cache, which no limit on a process counts.\n\n")
    text += common.table(["command", "seconds", "peak memory, MiB"],
                         [[row["step"], f"{row['seconds']:.4g}", f"{row['peak_bytes'] / (1 << 20):.0f}"] for row in rows])
    traffic = train["streamed"] or {"passes": 0, "bytes": 0, "seconds": 0, "waited": 0}
    facts = [["status", train["status"]], ["solver", train["solver"]], ["relative gap, proven", f"{train['relative_gap']:.3g}"],
             ["relative gap, certified again from the files", f"{judge['relative_gap']:.3g}"], ["non-zeros of the model", train["support"]],
             ["accuracy on these data", f"{train['accuracy']:.4f}"], ["passes over the file", traffic["passes"]], ["GB read", f"{traffic['bytes'] / giga:.4g}"],
             ["MB/s while reading", f"{traffic['bytes'] / mega / max(traffic['seconds'], 1e-9):.0f}"], ["seconds that the solver waited for rows", f"{traffic['waited']:.3g}"],
             ["seconds of the solve", f"{train['solve_seconds']:.4g}"]]
    return text + "\n\nThe training:\n\n" + common.table(["what", "value"], facts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_options(parser, program="build/release/pdbfw")
    parser.set_defaults(out=common.RESULTS / "scale")
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--features", type=int, default=1_000_000)
    parser.add_argument("--row-nonzeros", type=float, default=130)
    parser.add_argument("--radius", type=float, default=100)
    parser.add_argument("--ridge", default="1e-4")
    parser.add_argument("--tol", type=float, default=1e-3)
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--limit-mib", type=int, default=2048)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = measure(options)
    text = report(rows, options)
    common.write(options.out, "beyond_memory", text, rows)
    print(text)


if __name__ == "__main__":
    main()
