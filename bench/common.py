"""What the scripts of this folder share: asking bench_speed, numbers as text, and plots where matplotlib is there."""
import datetime
import json
import pathlib
import platform
import statistics
import subprocess
import sys

RESULTS = pathlib.Path("docs/results")


def add_options(parser, program="build/bench/bench_speed"):
    parser.add_argument("--program", default=program)
    parser.add_argument("--out", type=pathlib.Path, default=RESULTS)


def ask(program, question):
    """The answers of bench/speed.cpp or bench/screening.cpp, whose heads say what a question holds."""
    done = subprocess.run([program, json.dumps(question)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def pass_pairs(run, clock="cpu"):
    """One number a repeat: its time over that of the pass pair measured just before it."""
    time, pair = {"cpu": ("cpu", "cpu_pair"), "wall": ("seconds", "pass_pair")}[clock]
    return [t / p for t, p in zip(run[time], run[pair])]


def with_spread(values):
    """Median (least .. largest)."""
    return f"{statistics.median(values):.3g} ({min(values):.3g}..{max(values):.3g})"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def processor():
    """Its name as Linux knows it."""
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if pathlib.Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def heading(title, script):
    return (f"# {title}\n\nWritten by `bench/{script}` on {datetime.date.today().isoformat()} ({processor()}). A pass pair is the time of one "
            "`A x` and one `A'y` over the same data, one thread, measured just before each solve. Times are medians (least..largest) of "
            "processor time, which is the time on the clock when nothing else runs.\n\n")


def write(out, name, text, rows):
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.md").write_text(text)
    (out / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def pyplot():
    """matplotlib.pyplot, or None with a remark: tables do not need it."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is missing (bench/requirements.txt)", file=sys.stderr)
        return None
    matplotlib.use("svg")
    # The same numbers give the same file.
    matplotlib.rcParams.update({"svg.hashsalt": "pdbfw", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                                "figure.constrained_layout.use": True})
    from matplotlib import pyplot as plt
    return plt


def save(figure, path):
    figure.savefig(path, metadata={"Date": None})
