"""Every option of `train` under mpirun: several processes find what one finds, or refuse the option by name.

Starting several processes takes long. So what they refuse is asked of a single one that is told it is one of two and
has no MPI to start; and of what they take, as much as goes together is given at once. Each of these options changes
what one process does (options_test.py), so if one were dropped here, the models would differ.
"""

import json
import math
import os
import re
import shutil
import subprocess
import unittest

from mpi_test import ENVIRONMENT, LONGEST_WAIT, MISSING, mpirun
from tool import PDBFW
from train_cases import CASES, MATRIX, ONE, REST, WAYS, OptionsTest, data_of

TIGHT = ["--tol", "1e-7"]
CLOSE = 0.02  # of scores and numbers in a model file, at that tolerance; the options change more than that
TOGETHER = ["--values", "--radius", "--ridge", "--intercept", "--standardise", "--class-weight", "--smoothing", "--tol", "--threads",
            "--seed", "--sample-weight", "--penalty-weight", "--free-features", "--probabilities", "--start", "--checkpoint",
            "--checkpoint-every", "--patience", "--trace", "--json"]
# Options that are given together, and what the name of the data ends in.
GROUPS = [(TOGETHER, ".txt"),
          (["--data-format", "--header", "--label-column", "--quiet"], ".columns"),
          (["--labels"], ".npy"),
          (["--classes", "--loss", "--alpha", "--no-proof", "--format"], ".txt"), (["--set"], ".txt"), (["--targets"], ".txt"),
          (["--memory", "--huber-width"], ".pdb"),
          (["-s", "-c", "-B", "-R", "-w", "-n", "-e"], ".txt"),
          (["-v"], ".txt"), (["--atoms"], ".txt"), (["--solver"], ".txt"), (["--resume"], ".txt"),
          (["--max-iterations"], ".txt"), (["--max-seconds"], ".txt"), (["--max-passes"], ".txt"),
          (["--steps"], ".txt"), (["--step-scale"], ".txt"),
          (["--block-primal", "--block-dual", "--block-rule", "--eta", "--delta"], ".txt")]
# In place of the values of CASES: a tolerance that leaves one answer, and a column of these data.
VALUES = {"--tol": TIGHT, "--label-column": ["--label-column", "-1"]}
# What these need is a solver that several processes do not have on these ways: without it they are refused themselves.
RESEARCH = ("--steps", "--step-scale", "--block-primal", "--block-dual", "--block-rule", "--eta", "--delta")


@unittest.skipIf(MISSING, MISSING)
class TeamOptions(OptionsTest):
    def setUp(self):
        super().setUp()
        # A line of numbers to be left out, then labels in the last column, under a name that says nothing.
        for name in ["labels", "classes"]:
            rows = [line.split(",") for line in self.read(f"{name}.table").splitlines()]
            self.write(f"{name}.columns", "".join(",".join([*row[1:], row[0]]) + "\n" for row in [["9"] * len(rows[0]), *rows]))
        self.inputs |= {"labels.columns", "classes.columns", "lonely"}
        try:  # without the folder of the module beside it
            os.link(PDBFW, self.folder / "lonely")
        except OSError:
            shutil.copy(PDBFW, self.folder / "lonely")

    def words(self, way, options):
        words = []
        for option in options:
            case = CASES[option]
            words += [] if option in RESEARCH and way != MATRIX else case.needs.get(way, [])
            words += VALUES.get(option) or case.by_way.get(way, case.given)
        return words

    def is_refused_early(self, way, option, data):
        self.make_old_files(way, data, self.words(way, [option]))
        environment = os.environ | {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
        done = subprocess.run([self.folder / "lonely", *self.command(way, data, self.words(way, [option]))], cwd=self.folder,
                              env=environment, capture_output=True, text=True, timeout=LONGEST_WAIT, check=False)
        self.assertEqual(done.returncode, 1)
        if self.names(option, done.stderr):
            return True
        self.assertIn("built without MPI", done.stderr)
        return False

    def run_here(self, processes, way, data, words):
        """The report and the model of a run; or its error."""
        self.make_old_files(way, data, words)
        self.clean()
        # Without a ridge several processes take long; but what LIBLINEAR's options ask for has none.
        words = [*(["--tol", "1e-4"] if "-s" in words else TIGHT), *words]
        if "--resume" in words:
            words += ["--max-iterations", "1000000"]
        command = self.command(way, data, words)
        command = mpirun(processes, *command) if processes else [PDBFW, *command]
        done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=LONGEST_WAIT, check=False)
        report = json.loads(done.stdout) if "--json" in words and done.returncode != 1 else {}
        run = {"code": done.returncode, "error": done.stderr, "out": done.stdout, "report": report, "files": self.written()}
        if "m" in run["files"]:
            run["kind"] = (self.folder / "m").read_bytes()[:12]
            run["head"] = self.head()
            run["scores"] = self.numbers(self.expect(0, "predict", WAYS[way][0], "m", "--quiet", "--scores"))
        return run

    def head(self):
        """What the model file says of the problem; proven numbers differ from run to run."""
        lines = (self.folder / "m").read_text(errors="replace").splitlines()
        words = [line.split() for line in lines if re.match(r"[a-z_]+ ", line)]
        return [line for line in words if line[0] not in ("primal", "dual", "gap", "relative_gap", "violation", "weights", "proof", "singular_values", "left", "right")]

    @staticmethod
    def numbers(text):
        return [float(word) for word in re.findall(r"-?\d[\d.]*(?:e[-+]?\d+)?", text)]

    def assert_close(self, here, there, what):
        self.assertEqual(len(here), len(there), what)
        for a, b in zip(here, there):
            self.assertTrue(math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE), f"{what}: {a} and {b}")

    def assert_same(self, team, alone):
        self.assertEqual((team["code"], team["files"]), (alone["code"], alone["files"]), team["error"])
        for key in ["start", "status"]:
            self.assertEqual(team["report"].get(key), alone["report"].get(key))
        settings = [dict(run["report"].get("settings", {})) for run in (team, alone)]
        # The radius that a penalty comes to is found, not given.
        self.assert_close(*([one.pop("radius", 0)] for one in settings), "the radius")
        self.assertEqual(*settings)
        for key in ["resumed", "streamed"]:
            self.assertEqual(team["report"].get(key) is None, alone["report"].get(key) is None, key)
        if alone["code"] == 2:  # stopped early, each where its solver was then
            return
        self.assertEqual(team.get("kind"), alone.get("kind"))
        self.assertEqual([line[0] for line in team["head"]], [line[0] for line in alone["head"]])
        self.assert_close(self.numbers(str(team["head"])), self.numbers(str(alone["head"])), "the model file")
        self.assert_close(team["scores"], alone["scores"], "scores")

    def check_group(self, way, options, data):
        """What of a group is refused, one after the other; the rest gives the same as one process."""
        left = [option for option in options if not self.is_refused_early(way, option, data)]
        refused = set(options) - set(left)
        while left:
            words = self.words(way, left)
            words += [] if "--quiet" in words or "--json" in words else ["--json"]
            alone = self.run_here(0, way, data, words)
            team = alone if alone["code"] == 1 else self.run_here(2, way, data, words)
            if team["code"] != 1:
                self.assert_same(team, alone)
                return refused
            named = [option for option in left if self.names(option, team["error"])]
            self.assertEqual(len(named), 1, f"{left}: {team['error']}")
            left.remove(named[0])
            refused.add(named[0])
        return refused

    def check(self, way):
        self.assertEqual(sorted(sum((options for options, _ in GROUPS), [])), sorted(CASES))
        refused = set()
        for options, data in GROUPS:
            with self.subTest(way=way, options=options):
                refused |= self.check_group(way, options, data_of(way, data))
        return refused

    def test_one_model(self):
        refused = self.check(ONE)
        self.assertLessEqual({"--free-features", "--penalty-weight", "--standardise", "--atoms", "-v"}, refused)
        # What the documents promise.
        self.assertFalse(refused & {"--sample-weight", "--class-weight", "--intercept", "--alpha", "-s", "-c", "-B", "-w", "-n", "--probabilities",
                                    "--start", "--checkpoint", "--resume", "--memory"})

    def test_each_class_against_the_rest(self):
        refused = self.check(REST)
        self.assertFalse(refused & {"--sample-weight", "--class-weight", "--intercept", "--probabilities", "--start"})

    def test_a_matrix(self):
        refused = self.check(MATRIX)
        self.assertFalse(refused & {"--start", "--checkpoint", "--resume", "--solver"})

    def test_values_are_kept_as_asked_for(self):
        """What float32 changes is far below what the models may differ by; but some numbers it cannot hold."""
        self.write("labels.txt", self.read("labels.txt").replace(" 12:", " 12:1e39 13:", 1))
        for way, data in [(ONE, "labels.txt"), (MATRIX, "labels.txt")]:
            for processes in (0, 2):
                run = self.run_here(processes, way, data, CASES["--values"].given)
                self.assertEqual(run["code"], 1)
                self.assertIn("beyond the largest float", run["error"])

    def test_mpirun_of_one_process_is_one_process(self):
        for way in [ONE, REST, MATRIX]:
            words = self.words(way, [option for option in TOGETHER if way == ONE or option in ("--radius", "--ridge", "--tol", "--start", "--json")])
            alone, one = (self.run_here(processes, way, WAYS[way][0], words) for processes in (0, 1))
            self.assertEqual(one["code"], 0, one["error"])
            for key in ["code", "files", "head", "scores"]:
                self.assertEqual(one[key], alone[key])


if __name__ == "__main__":
    unittest.main()
