#!/usr/bin/env python3
"""pdbfw train by several processes, and a model of its time on many machines: tables, JSON lines and plots in docs/results/scale/.

    bench/scale.py [--data FOLDER] [--resume] [--quick] [--minutes 8] [--only sweeps] [--tool build/bench/pdbfw] [--out docs/results/scale]

sweeps      iterations, exchanges and bytes by the number of processes, on this machine
exchange    what one exchange costs in a network of given bandwidth and delay (bench/network.py; needs root)
network     a few sweeps in that network, beside what the model says
extrapolated  the model for data and machines that are not here

What was measured is kept after every run: --resume goes on from there. Where namespaces are not allowed, those rows are left out.
"""
import argparse
import json
import math
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import common
from network import AS_ROOT, LONGEST_RUN, Network, remove_leftovers, why_not

# (name, file of --data or what pdbfw generate is told, radius, ridge)
GENERATED = ("generated", ["--rows", "20000", "--features", "20000"], 30, "10/n")
SMALL = ("generated, small", ["--rows", "2000", "--features", "2000"], 30, "10/n")
REAL = [("rcv1", "rcv1_sample.binary.xz", 300, "10/n"), ("news20", "news20.binary.xz", 300, "10/n")]

TOLERANCES = [1e-4, 1e-6]
RANKS = [1, 2, 4, 8]
MANY_RANKS = [16, 32, 64]  # for the number of sweeps alone: far more than there are processors
NETWORK_RANKS = [2, 4, 8]
RATES = [1e9, 1e8]
DELAYS = [0, 1e-4, 1e-3, 1e-2]
NETWORK_SWEEPS = 12
SUMMED = [1, 5000, 100_000]  # numbers: one message, two short ones, two long ones (mpi/team.cpp)
REPEATS = 10

# What is not here: 10^9 rows of 100 entries, 10^8 features, 25 Gbit/s, and what a packet takes from program to program in such a room.
ROWS, FEATURES, ROW_ENTRIES, RATE, HOP = 1e9, 1e8, 100, 25e9, 20e-6
BYTES_OF_ENTRY = 12
D_VECTORS = 5  # u, x, the entries of each feature, and two that are made for a certificate
MACHINES = [64, 1024]


PARTS = ["sweeps", "exchange", "network"]


class OutOfTime(Exception):
    pass


class Bench:
    def __init__(self, options):
        self.options = options
        self.deadline = time.monotonic() + 60 * options.minutes
        self.folder = tempfile.TemporaryDirectory(prefix="pdbfw-scale-")
        self.files = {}
        measured = {"sweeps": ["sweeps"], "networks": ["exchange", "network"]}.get(options.only, PARTS)
        self.rows = {part: [] if part in measured and not options.resume else self.read(part) for part in PARTS}

    def read(self, part):
        path = self.options.out / f"{part}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def keep(self, part, key, measure):
        """One row, unless it is there already."""
        if any(all(row.get(name) == value for name, value in key.items()) for row in self.rows[part]):
            return
        if time.monotonic() > self.deadline:
            raise OutOfTime
        found = measure()
        for row in found if isinstance(found, list) else [found]:
            self.rows[part].append(key | row)
        print(part, *key.values(), file=sys.stderr)
        self.options.out.mkdir(parents=True, exist_ok=True)
        (self.options.out / f"{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in self.rows[part]))

    def problems(self):
        real = [problem for problem in REAL if self.options.data and (self.options.data / problem[1]).exists()]
        return [SMALL] if self.options.quick else [GENERATED, *real]

    def cache(self, problem):
        """The data as a cache file, which every process reads at once."""
        name, source, _, _ = problem
        if name not in self.files:
            self.files[name] = str(pathlib.Path(self.folder.name) / f"{name.replace(' ', '-')}.pdb")
            text = str(pathlib.Path(self.folder.name) / "generated.txt")
            if isinstance(source, list):
                self.call([self.options.tool, "generate", text, *source])
            self.call([self.options.tool, "convert", text if isinstance(source, list) else str(self.options.data / source), self.files[name]])
        return self.files[name]

    @staticmethod
    def call(words):
        done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST_RUN, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: {done.stderr}")

    def train(self, problem, launch, *options):
        """The report of pdbfw train, and how many certificates it has made."""
        _, _, radius, ridge = problem
        trace = pathlib.Path(self.folder.name) / "trace.csv"
        words = [self.options.tool, "train", self.cache(problem), str(pathlib.Path(self.folder.name) / "model"), "--radius", str(radius), "--ridge", ridge,
                 "--solver", "sharded", "--trace", str(trace), "--json", *options]
        done = launch(words)
        if done.returncode not in (0, 2):
            sys.exit(f"{' '.join(words)}: {done.stderr}")
        report = json.loads(done.stdout)
        head, *lines = [line.split(",") for line in trace.read_text().splitlines()]
        certified = sum(line[head.index("is_certified")] == "1" for line in lines)
        team = report.get("team", {"exchanges": 0, "long_exchanges": 0, "bytes_sent": 0, "seconds_exchanging": 0})
        return {"status": report["status"], "sweeps": report["work"]["iterations"], "seconds": report["seconds"]["solve"],
                "multiply_adds": report["work"]["multiply_adds"], "n": report["problem"]["n"], "d": report["problem"]["d"],
                "nonzeros": report["problem"]["nonzeros"], "gap": report["certificate"]["relative_gap"], "certificates": certified,
                "exchanges": team["exchanges"], "long": team["long_exchanges"], "bytes": team["bytes_sent"], "exchanging": team["seconds_exchanging"]}

    def measure_sweeps(self):
        for problem in self.problems():
            many = [] if isinstance(problem[1], str) or self.options.quick else MANY_RANKS
            for tolerance in TOLERANCES:
                for ranks in RANKS + (many if tolerance == TOLERANCES[0] else []):
                    self.keep("sweeps", {"data": problem[0], "tol": tolerance, "ranks": ranks},
                              lambda: self.train(problem, lambda words: here(ranks, words), "--tol", str(tolerance)))

    def measure_networks(self):
        trouble = why_not(self.options.relay)
        if trouble:
            print(f"no networks: {trouble}; those rows are left out", file=sys.stderr)
            return
        remove_leftovers()
        problem = self.problems()[0]
        for ranks in NETWORK_RANKS:
            # The same sweeps without a network: what they cost in multiplications.
            self.keep("network", {"data": problem[0], "ranks": ranks, "rate": None, "delay": None},
                      lambda: self.train(problem, lambda words: here(ranks, words), "--tol", "1e-12", "--max-iterations", str(NETWORK_SWEEPS)))
            for rate in RATES:
                for delay in DELAYS[::3] if self.options.quick else DELAYS:
                    self.measure_network(problem, ranks, rate, delay)

    def measure_network(self, problem, ranks, rate, delay):
        at = {"ranks": ranks, "rate": rate, "delay": delay}

        def exchange():
            with Network(ranks, rate, delay, self.options.relay) as network:
                done = network.mpirun([self.options.exchange, str(REPEATS), *map(str, SUMMED)])
            if done.returncode != 0:
                sys.exit(f"{self.options.exchange}: {done.stderr}")
            return [json.loads(line) for line in done.stdout.splitlines()]

        def sweep():
            with Network(ranks, rate, delay, self.options.relay) as network:
                return self.train(problem, network.mpirun, "--tol", "1e-12", "--max-iterations", str(NETWORK_SWEEPS))

        self.keep("exchange", at, exchange)
        self.keep("network", {"data": problem[0]} | at, sweep)


def here(ranks, words):
    """On this machine; alone without mpirun."""
    launch = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run([*launch, *words], env=os.environ | AS_ROOT, capture_output=True, text=True, timeout=LONGEST_RUN, check=False)


class Model:
    """seconds of a sweep = multiply-adds of a rank / speed + short exchanges + long exchanges, each by the bytes it carries"""

    def __init__(self, rows):
        self.rows = rows
        # Alone there is nothing but computing.
        self.speed = statistics.median(row["multiply_adds"] / row["seconds"] for row in rows["sweeps"] if row["ranks"] == 1)

    def exchange(self, ranks, rate, delay):
        """(bytes, seconds) of the exchanges that were measured in that network, short ones first."""
        points = sorted((row["bytes"], row["sum"]) for row in self.rows["exchange"] if (row["ranks"], row["rate"], row["delay"]) == (ranks, rate, delay))
        return points if len(points) == len(SUMMED) else None

    def seconds(self, row, processors):
        """Of a measured run: computing, short exchanges, long ones. Ranks that share a processor compute one after the other."""
        points = self.exchange(row["ranks"], row["rate"], row["delay"])
        if points is None:
            return None
        computing = row["multiply_adds"] / self.speed / min(row["ranks"], processors)
        mean = row["bytes"] / max(1, row["long"])
        return computing, (row["exchanges"] - row["long"]) * points[0][1], row["long"] * between(points, mean)

    def shape(self):
        """Hops of a short and of a long exchange, and how often each byte crosses a link, all as a + b log2(ranks): from the longest delay and the slowest network."""
        short, long, copies = [], [], []
        for ranks in NETWORK_RANKS:
            slow, narrow = self.exchange(ranks, RATES[0], DELAYS[-1]), self.exchange(ranks, RATES[-1], DELAYS[0])
            if slow and narrow:
                short.append((math.log2(ranks), slow[0][1] / DELAYS[-1]))
                long.append((math.log2(ranks), slow[1][1] / DELAYS[-1]))
                (some, fast), (most, slowest) = narrow[1:]
                copies.append((math.log2(ranks), (slowest - fast) / (most - some) * RATES[-1] / 8))
        if len(short) < 2:
            return None
        return [statistics.linear_regression(*zip(*points)) for points in (short, long, copies)]

    def growth(self):
        """sweeps = first ranks^power, from the data set with the most ranks."""
        rows = [row for row in self.rows["sweeps"] if row["tol"] == TOLERANCES[0]]
        name = max(rows, key=lambda row: row["ranks"])["data"]
        points = [(math.log(row["ranks"]), math.log(row["sweeps"])) for row in rows if row["data"] == name and row["ranks"] > 1]
        line = statistics.linear_regression(*zip(*points))
        return name, math.exp(line.intercept), line.slope

    def shares(self):
        """Of the widest data: multiply-adds per sweep by non-zeros, features in play by features, certificates per sweep, exchanges per sweep."""
        rows = [row for row in self.rows["sweeps"] if row["ranks"] == max(RANKS) and row["tol"] == TOLERANCES[0]]
        row = max(rows, key=lambda row: row["d"])
        vectors = row["certificates"] + 1  # each sums a number for every feature, and so does the beginning
        in_play = max(0.0, row["bytes"] - 8 * row["d"] * vectors) / row["sweeps"] / 8 / row["d"]
        return {"data": row["data"], "work": row["multiply_adds"] / row["sweeps"] / row["nonzeros"], "in_play": in_play,
                "certificates": vectors, "exchanges": row["exchanges"] / row["sweeps"], "long": row["long"] / row["sweeps"]}


def between(points, at):
    """The broken line through the points, straight on beyond the last one."""
    (x0, y0), (x1, y1) = next(((a, b) for a, b in zip(points, points[1:]) if at <= b[0]), points[-2:])
    return max(0.0, y0 + (y1 - y0) * (at - x0) / (x1 - x0))


def bytes_text(number):
    return next((f"{number / unit:.3g} {name}" for unit, name in [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")] if number >= unit), f"{number:.0f} B")


def seconds_text(seconds):
    return next((f"{seconds / unit:.3g} {name}" for unit, name in [(3600, "h"), (60, "min"), (1, "s"), (1e-3, "ms")] if seconds >= unit), f"{1e6 * seconds:.3g} us")


def title(text):
    return f"# {text}\n\nWritten by `bench/scale.py` ({common.processor()}, {os.cpu_count()} processors). Numbers beside these: [docs/scaling.md](../../scaling.md).\n\n"


def sweeps_report(rows):
    lines = []
    for row in sorted(rows, key=lambda row: (row["data"], -row["tol"], row["ranks"])):
        sweeps, team = max(1, row["sweeps"]), row["ranks"] > 1
        lines.append([row["data"], f"{row['tol']:g}", row["ranks"], row["status"], row["sweeps"], row["certificates"], f"{row['multiply_adds'] / row['nonzeros'] / sweeps:.2f}",
                      f"{row['exchanges'] / sweeps:.1f}" if team else "", f"{row['long'] / sweeps:.1f}" if team else "", bytes_text(row["bytes"] / sweeps) if team else "",
                      f"{row['seconds']:.3g}", f"{100 * min(1, row['exchanging'] / row['seconds']):.0f}%" if team else ""])
    return common.table(["data", "tol", "processes", "status", "sweeps", "certificates", "multiply-adds per sweep / non-zeros", "exchanges per sweep", "of these, long",
                         "bytes per sweep, each", "seconds", "of these, exchanging and waiting"], lines)


def network_text(row):
    return f"{row['rate'] / 1e6:g} Mbit/s", f"{1000 * row['delay']:g} ms"


def exchange_report(rows):
    head = ["processes", "bandwidth", "delay", *(f"sum of {bytes_text(8 * count)}" for count in SUMMED)]
    found = {}
    for row in rows:
        found.setdefault((row["ranks"], -row["rate"], row["delay"]), []).append(row)
    return common.table(head, [[some[0]["ranks"], *network_text(some[0]), *(seconds_text(row["sum"]) for row in some)]
                               for _, some in sorted(found.items())])


def network_rows(model, processors):
    """Measured runs in a network with what the model says about them."""
    out = []
    for row in model.rows["network"]:
        parts = model.seconds(row, processors) if row["rate"] else None
        if parts:
            out.append(row | dict(zip(["computing", "short", "long_ones"], parts)) | {"predicted": sum(parts)})
    return sorted(out, key=lambda row: (row["ranks"], -row["rate"], row["delay"]))


def network_report(rows):
    per = [(row, max(1, row["sweeps"])) for row in rows]
    ratios = sorted(row["predicted"] / row["seconds"] for row in rows)
    return common.table(["data", "processes", "bandwidth", "delay", "computing", "short exchanges", "long ones", "a sweep, predicted", "measured", "predicted / measured"],
                        [[row["data"], row["ranks"], *network_text(row), *(seconds_text(row[part] / sweeps) for part in ["computing", "short", "long_ones", "predicted", "seconds"]),
                          f"{row['predicted'] / row['seconds']:.2f}"] for row, sweeps in per]) + (
        f"\n\nPredicted / measured: {ratios[0]:.2f} to {ratios[-1]:.2f}, median {statistics.median(ratios):.2f}.\n" if ratios else "")


def extrapolate(model):
    """A row for each number of machines, one rank and one processor each."""
    shape, (grown_on, first, power), shares = model.shape(), model.growth(), model.shares()
    if shape is None:
        return []
    out = []
    for machines in MACHINES:
        short, long, copies = (max(1.0, line.intercept + line.slope * math.log2(machines)) for line in shape)
        sweeps = first * machines ** power
        entries = ROWS * ROW_ENTRIES / machines
        vector = 8 * FEATURES
        row = {"machines": machines, "computing": shares["work"] * entries / model.speed, "latency": ((shares["exchanges"] - shares["long"]) * short + shares["long"] * long) * HOP,
               "transfer": copies * shares["in_play"] * vector * 8 / RATE, "certificate": copies * vector * 8 / RATE, "sweeps": sweeps, "short": short, "long": long, "copies": copies,
               "memory": BYTES_OF_ENTRY * entries + 3 * 8 * ROWS / machines + D_VECTORS * vector, "gathered": 8 * ROWS,
               "shares": shares, "sweeps_from": grown_on, "power": power, "speed": model.speed}
        row["sweep"] = row["computing"] + row["latency"] + row["transfer"]
        row["total"] = sweeps * row["sweep"] + shares["certificates"] * row["certificate"]
        out.append(row)
    return out


def extrapolated_report(rows):
    return common.table(["machines", "computing per sweep", "latency per sweep", "bytes per sweep", "a sweep", "sum for a certificate", "sweeps", "in all", "memory of each", "y at one"],
                        [[row["machines"], *(seconds_text(row[part]) for part in ["computing", "latency", "transfer", "sweep", "certificate"]), f"{row['sweeps']:.0f}",
                          seconds_text(row["total"]), bytes_text(row["memory"]), bytes_text(row["gathered"])] for row in rows])


def assumptions(row):
    shares = row["shares"]
    return (f"\n\nOne rank a machine, one processor each. Measured: {row['speed']:.3g} multiply-adds a second; sweeps to 1e-4 grow like the number of processes to the power "
            f"{row['power']:.2f} ({row['sweeps_from']}); a sweep has {shares['exchanges']:.1f} exchanges, {shares['long']:.1f} of them long, {shares['work']:.2f} multiply-adds for each non-zero of the data, and sends "
            f"as many numbers as {100 * shares['in_play']:.2g}% of the features ({shares['data']}), with {shares['certificates']} sums over all features in a run. Assumed: {ROWS:g} rows of {ROW_ENTRIES} entries, "
            f"{FEATURES:g} features, {RATE / 1e9:g} Gbit/s, {1e6 * HOP:g} us for each hop.\n")


def plot_sweeps(plt, rows, path):
    figure, panel = plt.subplots(figsize=(4.5, 3))
    for data, tolerance in sorted({(row["data"], row["tol"]) for row in rows}):
        line = sorted((row["ranks"], row["sweeps"]) for row in rows if (row["data"], row["tol"]) == (data, tolerance))
        panel.loglog(*zip(*line), "o-", markersize=3, label=f"{data}, {tolerance:g}", base=2)
    panel.set_xlabel("processes")
    panel.set_ylabel("sweeps")
    panel.legend(fontsize=7)
    common.save(figure, path)
    plt.close(figure)


def plot_network(plt, rows, path):
    figure, panel = plt.subplots(figsize=(3.6, 3.4))
    for ranks in sorted({row["ranks"] for row in rows}):
        some = [row for row in rows if row["ranks"] == ranks]
        panel.loglog([row["seconds"] / row["sweeps"] for row in some], [row["predicted"] / row["sweeps"] for row in some], "o", markersize=4, label=f"{ranks} processes")
    ends = [min(row["seconds"] / row["sweeps"] for row in rows), max(row["seconds"] / row["sweeps"] for row in rows)]
    panel.loglog(ends, ends, "k-", linewidth=0.7)
    panel.set_xlabel("seconds of a sweep, measured")
    panel.set_ylabel("predicted")
    panel.legend(fontsize=7)
    common.save(figure, path)
    plt.close(figure)


def report(bench, plt):
    rows, out = bench.rows, bench.options.out
    pages = [("sweeps", "Sweeps, exchanges and bytes by the number of processes", sweeps_report(rows["sweeps"]), rows["sweeps"], plot_sweeps)]
    if rows["exchange"] and rows["sweeps"]:
        model = Model(rows)
        in_network, far = network_rows(model, os.cpu_count()), extrapolate(model)
        pages.append(("exchange", "What an exchange costs", exchange_report(rows["exchange"]), rows["exchange"], None))
        pages.append(("network", "Sweeps in a network, predicted and measured", network_report(in_network), rows["network"],
                      lambda plt, _, path: plot_network(plt, in_network, path)))
        if far:
            pages.append(("extrapolated", "The model on many machines", extrapolated_report(far) + assumptions(far[0]), far, None))
    for name, heading, text, lines, plot in pages:
        if not lines:
            continue
        text = title(heading) + text + "\n"
        if plt and plot:
            out.mkdir(parents=True, exist_ok=True)
            plot(plt, lines, out / f"{name}.svg")
            text += f"\n![{heading}]({name}.svg)\n"
        common.write(out, name, text, lines)
        print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, help="folder with the paper's data sets")
    parser.add_argument("--tool", default="build/bench/pdbfw")
    parser.add_argument("--relay", default="build/bench/bench_network")
    parser.add_argument("--exchange", default="build/bench/mpi/bench_exchange")
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS / "scale")
    parser.add_argument("--only", choices=["sweeps", "networks"], help="measure only this, and make the tables of all that is there")
    parser.add_argument("--minutes", type=float, default=8, help="begin no run later than this")
    parser.add_argument("--resume", action="store_true", help="keep what was measured before")
    parser.add_argument("--quick", action="store_true", help="small generated data and fewer networks")
    options = parser.parse_args()
    # Namespaces are removed on the way out, and so also when this is told to stop.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for name in ["tool", "relay", "exchange"]:
        setattr(options, name, str(pathlib.Path(getattr(options, name)).absolute()))
    bench = Bench(options)
    try:
        if options.only != "networks":
            bench.measure_sweeps()
        if options.only != "sweeps":
            bench.measure_networks()
    except OutOfTime:
        print(f"{options.minutes:g} minutes are over; run again with --resume for the rest", file=sys.stderr)
    report(bench, common.pyplot())


if __name__ == "__main__":
    main()
