"""Every option of `train`, with a value to try it with, on every way that `train` can go."""

import json
import re
from dataclasses import dataclass, field

from classes_test import class_data
from tool import ToolTest, random_data

ONE, REST, JOINT, MATRIX, FOLDS = "one model", "each against the rest", "jointly", "set trace", "cross-validation"
# The data of each way, and the options that lead there.
WAYS = {ONE: ("labels.txt", []), REST: ("classes.txt", []), JOINT: ("classes.txt", ["--set", "l1_per_class"]),
        MATRIX: ("classes.txt", ["--set", "trace", "--radius", "5"]), FOLDS: ("labels.txt", ["-s", "6", "-v", "3"])}


@dataclass
class Case:
    """One option as it is tried: `given`, on top of what it `needs` on that way, on these `data`.

    `seen` says where it shows that it was obeyed, against a run without it:
      model     in what was learnt
      works     without it there is an error
      told      in what is printed, numbers aside
      file F    a file appears
      nothing   nowhere
      =KEY      of the setting itself alone: it has this value in the JSON report
      KEY       in any other key of the report
    """

    given: list
    seen: str = "model"
    needs: dict = field(default_factory=dict)  # by way; the same for `by_way`, which takes the place of `given`
    data: str = ".txt"  # what the name of the data ends in
    by_way: dict = field(default_factory=dict)
    unseen: tuple = ()  # ways on which it cannot be seen

    def words(self, way):
        return [*self.needs.get(way, []), *self.by_way.get(way, self.given)]


def data_of(way, ending):
    return WAYS[way][0].removesuffix(".txt") + ending


def research(given, *needs, solver="pdbfw"):
    return Case(given, needs=dict.fromkeys([ONE, REST, MATRIX], ["--solver", solver, "--max-iterations", "5", *needs]))


CASES = {
    "--values": Case(["--values", "float32"]),
    "--data-format": Case(["--data-format", "csv"], "works", data=".table"),
    "--labels": Case(["--labels", "labels.targets"], "works", data=".npy",
                     by_way=dict.fromkeys([REST, JOINT, MATRIX], ["--labels", "classes.targets"])),
    "--label-column": Case(["--label-column", "kind"], data=".named.csv"),
    "--header": Case(["--header", "yes"], data=".csv"),
    "--classes": Case(["--classes", "1,-1"], by_way={way: ["--classes", "3,20"] for way in (REST, JOINT, MATRIX)}),
    "--memory": Case(["--memory", "1K"], data=".pdb"),
    "--targets": Case(["--targets", "labels"]),
    "--loss": Case(["--loss", "logistic"], by_way={JOINT: ["--loss", "multiclass_hinge"], MATRIX: ["--loss", "multiclass_hinge"]}),
    "--set": Case(["--set", "nonnegative"], by_way={JOINT: ["--set", "l1"]}),
    "--radius": Case(["--radius", "2"]),
    "--ridge": Case(["--ridge", "0.3"]),
    "--intercept": Case(["--intercept", "yes"]),
    "--standardise": Case(["--standardise", "yes"]),
    "--class-weight": Case(["--class-weight", "balanced"]),
    "--smoothing": Case(["--smoothing", "0.5"]),
    "--huber-width": Case(["--huber-width", "0.3"], needs={ONE: ["--loss", "huber"]}),
    "--tol": Case(["--tol", "0.1"]),
    "--solver": Case(["--solver", "apg"]),
    "--max-iterations": Case(["--max-iterations", "1"]),
    "--max-seconds": Case(["--max-seconds", "1e-9"]),
    "--max-passes": Case(["--max-passes", "0.5"]),
    "--threads": Case(["--threads", "2"], "=threads", unseen=(FOLDS,)),
    "--seed": Case(["--seed", "5"], "=seed", unseen=(FOLDS,)),
    "--steps": research(["--steps", "theory"]),
    "--block-primal": research(["--block-primal", "2"]),
    "--block-dual": research(["--block-dual", "10"]),
    "--block-rule": research(["--block-rule", "cyclic"], "--block-dual", "10"),
    "--eta": research(["--eta", "0.2"]),
    "--delta": research(["--delta", "0.5"]),
    "--step-scale": research(["--step-scale", "3"], solver="pg"),
    "--atoms": Case(["--atoms", "labels.atoms"], "works", needs=dict.fromkeys([ONE, REST], ["--set", "polytope"]),
                    by_way={REST: ["--atoms", "classes.atoms"]}),
    "--sample-weight": Case(["--sample-weight", "rows"]),
    "--penalty-weight": Case(["--penalty-weight", "columns"]),
    "--free-features": Case(["--free-features", "2"]),
    "--alpha": Case(["--alpha", "0.02"]),
    "--probabilities": Case(["--probabilities"]),
    "-s": Case(["-s", "6"], by_way={FOLDS: ["-s", "5"]}),
    "-c": Case(["-c", "0.3"], needs={ONE: ["-s", "6"]}),
    "-B": Case(["-B", "1"], needs={ONE: ["-s", "6"]}),
    "-R": Case(["-R"], "told", needs={ONE: ["-s", "6", "-B", "1"], FOLDS: ["-B", "1"]}),
    "-w": Case(["-w1", "3"], needs={ONE: ["-s", "6"]}),
    "-v": Case(["-v", "3"], needs={ONE: ["-s", "6"]}, by_way={FOLDS: ["-v", "2"]}),
    "-n": Case(["-n", "2"], "=threads", unseen=(FOLDS,)),
    "-e": Case(["-e", "0.1"], "told"),
    "--start": Case(["--start", "old.model"], "start"),
    "--checkpoint": Case(["--checkpoint", "new.checkpoint"], "file new.checkpoint"),
    "--checkpoint-every": Case(["--checkpoint-every", "0"], "nothing",
                               needs=dict.fromkeys([ONE, MATRIX], ["--checkpoint", "new.checkpoint"])),
    "--resume": Case(["--resume", "old.checkpoint"], "resumed"),
    "--patience": Case(["--patience", "60"], "nothing"),
    "--format": Case(["--format", "liblinear"], needs=dict.fromkeys([ONE, REST], ["--loss", "logistic"])),
    "--no-proof": Case(["--no-proof"]),
    "--trace": Case(["--trace", "t.csv"], "file t.csv"),
    "--json": Case(["--json"], "told"),
    "--quiet": Case(["--quiet"], "told", unseen=(FOLDS,)),  # which is asked for what it prints
}


def field_name(option):
    """As messages and model files call it."""
    return option.removeprefix("--").replace("-", "_") if option.startswith("--") else option


def learnt(model):
    """The lines of a model without those that repeat what was asked for."""
    asked = {field_name(option) for option in CASES} - {"intercept"}
    return [line for line in model.splitlines() if line.split(" ")[0] not in asked]


class OptionsTest(ToolTest):
    """A folder with data for all cases."""

    def setUp(self):
        super().setUp()
        self.write("labels.txt", random_data(rows=60, features=12))
        # Not equally many of each class.
        lines = class_data(72, classes=[3, 7, 20]).splitlines(keepends=True)
        self.write("classes.txt", "".join(line for i, line in enumerate(lines) if i % 6 != 0))
        for name in ["labels", "classes"]:
            self.write_other_formats(name)
        self.write("rows", "".join(f"{1 + i % 3}\n" for i in range(60)))
        self.write("columns", "".join(f"{1 + i % 2}\n" for i in range(12)))
        self.inputs = {*self.files(), "old.model", "old.checkpoint"}

    def write_other_formats(self, name):
        """The same rows in a cache file, and in tables without and with their labels; and atoms as wide as they are."""
        self.expect(0, "convert", f"{name}.txt", f"{name}.pdb", "--memory", "64M", "--quiet")
        rows = [line.split() for line in self.read(f"{name}.txt").splitlines()]
        entries = [{int(at): value for at, value in (entry.split(":") for entry in row[1:])} for row in rows]
        width = max(max(row) for row in entries)
        features = [[row.get(j, "0") for j in range(1, width + 1)] for row in entries]
        self.write_npy(f"{name}.npy", [list(map(float, row)) for row in features])
        self.write(f"{name}.targets", "".join(f"{row[0]}\n" for row in rows))
        table = "".join(",".join([row[0], *values]) + "\n" for row, values in zip(rows, features))
        self.write(f"{name}.table", table)
        self.write(f"{name}.csv", table)
        # A column of other labels comes first.
        names = ",".join(["other", *(f"f{j}" for j in range(width)), "kind"])
        self.write(f"{name}.named.csv", names + "\n" + "".join(
            ",".join([str(i % 2), *values, row[0]]) + "\n" for i, (row, values) in enumerate(zip(rows, features))))
        self.write(f"{name}.atoms", "".join(f"0 {j}:{value}\n" for j in range(1, width + 1) for value in (3, -3)))

    def command(self, way, data, words, model="m"):
        return ["train", data, *([] if "-v" in [*WAYS[way][1], *words] else [model]), *WAYS[way][1], *words]

    def clean(self):
        for name in self.written():
            (self.folder / name).unlink()

    def written(self):
        return set(self.files()) - self.inputs

    def make_old_files(self, way, data, words):
        """The files of an earlier run that --start and --resume go on from."""
        if "--start" in words:
            self.run_tool(*self.command(way, data, ["--quiet"], "old.model"))
        if "--resume" in words:
            way = way if way in (ONE, MATRIX) else ONE  # others have none
            self.expect(2, *self.command(way, data_of(way, ".txt"), ["--checkpoint", "old.checkpoint", "--max-iterations", "1", "--quiet"], "old.model"))

    def names(self, option, error):
        """Whether it is one line that begins with the name of the option, or tells of the checkpoint that is resumed."""
        lines = [line for line in error.splitlines() if line.startswith("pdbfw: error: ")]
        if len(lines) != 1:
            return False
        if option == "--resume" and "as in the checkpoint 'old.checkpoint'" in lines[0]:
            return True
        return re.match(rf"pdbfw: error: (process \d: )?{re.escape(field_name(option))}: ", lines[0]) is not None

    def observe(self, way, words, data, is_told):
        """Everything that can be seen of a run."""
        self.make_old_files(way, data, words)
        self.clean()
        # What limited the run that is resumed would limit this one too.
        words = [*words, "--max-iterations", "1000000"] if "--resume" in words else words
        has_report = not is_told
        done = self.run_tool(*self.command(way, data, words), *(["--json"] if has_report else []))
        report = json.loads(done.stdout) if has_report and done.returncode != 1 else {}
        output = (done.stdout + done.stderr).decode()
        learnt_here = [report.get("accuracy"), report.get("largest_relative_gap")]
        if "m" in self.files():
            learnt_here = learnt((self.folder / "m").read_text(errors="replace"))
        return {"code": done.returncode, "error": done.stderr.decode(), "report": report, "learnt": learnt_here,
                "told": re.sub(r"\d[\d.e+-]*", "#", output), "files": self.written()}
