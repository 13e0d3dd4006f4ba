"""mpirun -n K pdbfw train: the rows divided among processes give what one process gives, and nothing ever hangs."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from classes_test import class_data
from tool import LONGEST_WAIT, PDBFW, Terminal, ToolTest, is_caught, random_data

MODULE = pathlib.Path(PDBFW).parent / "mpi" / "pdbfw_mpi.so"
MISSING = ("there is no mpirun" if not shutil.which("mpirun") else
           "pdbfw was built without MPI" if not MODULE.exists() else "")

# Open MPI makes a folder of one name for all jobs of a user, and one that ends removes it while another one begins: so
# every test program has a place of its own.
SESSIONS = tempfile.TemporaryDirectory(prefix="mpi-")

# Tests may run as root, and with fewer processors than processes.
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_orte_tmpdir_base": SESSIONS.name,
                            # Where /sys is missing hwloc would say so on a terminal that is held, and wait for ever.
                            "HWLOC_HIDE_ERRORS": "2",
                            # Open MPI frees little at its end, and its parts are gone when a sanitizer counts.
                            "ASAN_OPTIONS": "detect_leaks=0",
                            # Nor do its threads and locks concern us; ours are watched as ever.
                            "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:detect_deadlocks=0"}
OPTIONS = ["--radius", "20", "--ridge", "1/n", "--tol", "1e-5"]
# Not reached in the first iteration.
STRICT = ["--radius", "20", "--ridge", "1e-3/n", "--tol", "1e-15"]


def mpirun(processes, *arguments):
    return ["mpirun", "-n", str(processes), PDBFW, *map(str, arguments)]


def errors(text):
    return [line for line in text.splitlines() if line.startswith("pdbfw: error: ")]


@unittest.skipIf(MISSING, MISSING)
class MpiTest(ToolTest):
    options = OPTIONS

    def setUp(self):
        super().setUp()
        self.lines = random_data(rows=240, features=40).splitlines(keepends=True)
        self.write("data.txt", "".join(self.lines))

    def run_team(self, processes, *arguments):
        return subprocess.run(mpirun(processes, *arguments), cwd=self.folder, env=ENVIRONMENT, capture_output=True,
                              text=True, timeout=LONGEST_WAIT, check=False)

    def train(self, processes, data, model, *options):
        """The report of a run that converges."""
        done = self.run_team(processes, "train", data, model, *self.options, *options, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(errors(done.stderr), [])
        return json.loads(done.stdout)

    def train_alone(self, data, model, *options):
        return self.expect_json(0, "train", data, model, *self.options, *options)

    def expect_same_problem(self, report, alone):
        """Two certificates for one problem: each optimum lies between its dual and its primal value."""
        here, there = report["certificate"], alone["certificate"]
        self.assertLessEqual(here["relative_gap"], 1e-5)
        self.assertLessEqual(here["dual"], there["primal"] + 1e-12)
        self.assertLessEqual(there["dual"], here["primal"] + 1e-12)

    def expect_same_probabilities(self, *models):
        both = []
        for model in models:
            both.append(re.findall(r"[-+.e0-9]+", self.expect(0, "predict", "data.txt", model, "--probabilities", "--quiet")))
        self.assertGreaterEqual(len(both[0]), len(self.lines))
        for here, there in zip(*both, strict=True):
            self.assertAlmostEqual(float(here), float(there), delta=0.05)

    def shards(self, name, *sizes):
        """Uneven files, one for each process."""
        lines = iter(self.lines)
        for rank, size in enumerate(sizes):
            self.write(name.format(rank=rank), "".join(next(lines) for _ in range(size)))


class Agreement(MpiTest):
    def test_every_number_of_processes_solves_the_same_problem(self):
        alone = self.train_alone("data.txt", "alone.model")
        for processes in [1, 2, 4]:
            with self.subTest(processes=processes):
                report = self.train(processes, "data.txt", "team.model")
                self.expect_same_problem(report, alone)
                self.assertEqual(report["problem"], alone["problem"])
                self.assertEqual(report["solution"]["l1_norm"] <= 20 * (1 + 1e-9), True)
                # One process with all the data agrees, from the model file alone.
                proof = self.expect_json(0, "certify", "data.txt", "team.model")["certificate"]
                self.assertLessEqual(proof["relative_gap"], 1.001e-5)
                self.assertAlmostEqual(proof["primal"], report["certificate"]["primal"], places=12)
                if processes > 1:
                    self.assertEqual(report["team"]["processes"], processes)
                    for count in ["exchanges", "bytes_sent", "seconds_exchanging"]:
                        self.assertGreater(report["team"][count], 0, count)
                    self.assertLessEqual(report["team"]["long_exchanges"], report["team"]["exchanges"])
                else:
                    self.assertNotIn("team", report)

    def test_the_model_file_is_of_the_same_format(self):
        self.train_alone("data.txt", "alone.model")
        self.train(2, "data.txt", "team.model")
        alone, team = (self.read(f"{name}.model").splitlines() for name in ["alone", "team"])
        fields = [[line.split()[0] for line in lines if line[:1].isalpha()] for lines in [alone, team]]
        self.assertEqual(*fields)
        self.assertEqual(self.expect(0, "predict", "data.txt", "team.model", "-").count("\n"), len(self.lines))
        self.train(2, "data.txt", "foreign.model", "--loss", "logistic", "--format", "liblinear")
        self.assertTrue(self.read("foreign.model").startswith("solver_type"))

    def test_the_proof_may_be_left_out(self):
        with_proof = self.train(2, "data.txt", "with.model")
        without = self.train(2, "data.txt", "without.model", "--no-proof")
        self.assertEqual(with_proof["certificate"], without["certificate"])
        self.assertEqual(*(self.expect(0, "weights", model) for model in ["with.model", "without.model"]))
        self.assertNotIn("\nproof", self.read("without.model"))

    def test_the_same_number_of_processes_gives_the_same_bits(self):
        for model in ["once.model", "again.model"]:
            self.train(3, "data.txt", model)
        self.assertEqual(self.read("once.model"), self.read("again.model"))

    def test_the_summary_is_printed_once(self):
        done = self.run_team(3, "train", "data.txt", "team.model", *OPTIONS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("certificate"), 1)
        self.assertRegex(done.stdout, r"processes +3; .* bytes sent by each in \d+ exchanges")
        self.assertEqual(self.run_team(2, "train", "data.txt", "team.model", *OPTIONS, "--quiet").stdout, "")

    def test_what_stops_early_has_a_model_and_exit_code_2(self):
        done = self.run_team(2, "train", "data.txt", "team.model", *STRICT, "--max-iterations", "3", "--json")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(json.loads(done.stdout)["status"], "iteration_limit")
        self.expect(0, "certify", "data.txt", "team.model")


class Shards(MpiTest):
    def test_uneven_files_of_different_widths(self):
        # The second is two rows that have only the first few features.
        self.lines[100:102] = ["+1 1:0.5 3:-0.25\n", "-1 2:1\n"]
        self.write("data.txt", "".join(self.lines))
        self.shards("part-{rank}.txt", 100, 2, 138)
        alone = self.train_alone("data.txt", "alone.model")
        report = self.train(3, "part-{rank}.txt", "team.model")
        self.expect_same_problem(report, alone)
        self.assertEqual(report["problem"], alone["problem"])
        self.expect(0, "certify", "data.txt", "team.model")

    def test_one_class_a_file(self):
        self.lines.sort(key=lambda line: line[0])
        self.write("data.txt", "".join(self.lines))
        positive = sum(line.startswith("+") for line in self.lines)
        self.shards("part-{rank}.txt", positive, len(self.lines) - positive)
        alone = self.train_alone("data.txt", "alone.model", "--class-weight", "balanced")
        report = self.train(2, "part-{rank}.txt", "team.model", "--class-weight", "balanced")
        self.expect_same_problem(report, alone)
        self.expect(0, "certify", "data.txt", "team.model")

    def test_sample_weights_are_for_the_rows_of_all(self):
        self.write("weights.txt", "".join(f"{i % 3}\n" for i in range(len(self.lines))))
        weights = ["--sample-weight", "weights.txt"]
        self.shards("part-{rank}.txt", 30, 210)
        alone = self.train_alone("data.txt", "alone.model", *weights)
        for data in ["data.txt", "part-{rank}.txt"]:
            self.expect_same_problem(self.train(2, data, "team.model", *weights), alone)

    def test_numbers_as_targets(self):
        self.write("data.txt", random_data(rows=120, features=30, regression=True))
        alone = self.train_alone("data.txt", "alone.model", "--loss", "squared")
        report = self.train(2, "data.txt", "team.model", "--loss", "squared")
        self.expect_same_problem(report, alone)
        self.assertAlmostEqual(report["fit"]["rmse"], alone["fit"]["rmse"], places=3)

    def test_from_an_earlier_model(self):
        self.train_alone("data.txt", "old.model")
        report = self.train(2, "data.txt", "team.model", "--start", "old.model")
        self.assertIsNotNone(report["start"])
        self.assertLessEqual(report["work"]["iterations"], 5)


class SeveralClasses(MpiTest):
    # Strong enough a ridge for few sweeps: every one of them is an exchange, also where there is no processor for it.
    options = ["--radius", "3", "--ridge", "0.1", "--tol", "1e-5"]

    def setUp(self):
        super().setUp()
        self.lines = class_data(180).splitlines(keepends=True)
        self.write("data.txt", "".join(self.lines))

    def expect_same_classes(self, report, alone):
        self.assertEqual(report["problem"], alone["problem"])
        for here, there in zip(report["classes"], alone["classes"], strict=True):
            self.assertEqual((here["class"], here["status"]), (there["class"], "converged"))
            self.expect_same_problem(here, there)

    def test_each_against_the_rest(self):
        for options in [["--loss", "logistic"], ["--loss", "squared_hinge", "--intercept", "yes"], ["--class-weight", "1,2"]]:
            with self.subTest(options):
                alone = self.train_alone("data.txt", "alone.model", *options)
                report = self.train(3, "data.txt", "team.model", *options)
                self.expect_same_classes(report, alone)
                self.assertAlmostEqual(report["fit"]["accuracy"], alone["fit"]["accuracy"], delta=0.02)
                self.assertEqual(report["team"]["processes"], 3)
                self.assertTrue(self.expect_json(0, "certify", "data.txt", "team.model", "--tol", "1.1e-5")["agrees"])
                fields = [[line.split()[0] for line in self.read(name).splitlines() if line[:1].isalpha()]
                          for name in ["alone.model", "team.model"]]
                self.assertEqual(*fields)

    def test_a_file_need_not_have_every_class(self):
        self.lines.sort()
        self.write("data.txt", "".join(self.lines))
        self.shards("part-{rank}.txt", 55, 70, 55)
        alone = self.train_alone("data.txt", "alone.model")
        self.expect_same_classes(self.train(3, "part-{rank}.txt", "team.model"), alone)
        self.expect(0, "certify", "data.txt", "team.model")

    def test_from_an_earlier_model(self):
        self.train_alone("data.txt", "old.model")
        report = self.train(2, "data.txt", "team.model", "--start", "old.model")
        self.assertEqual(report["start"], "old.model: weights and proof")
        self.assertLessEqual(report["work"]["iterations"], 15)

    def test_the_summary_is_printed_once(self):
        done = self.run_team(2, "train", "data.txt", "team.model", *self.options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("converged: all 3 classes"), 1)
        self.assertRegex(done.stdout, r"processes +2; ")

    def test_probabilities(self):
        self.train_alone("data.txt", "alone.model", "--probabilities")
        self.train(2, "data.txt", "team.model", "--probabilities")
        self.expect_same_probabilities("alone.model", "team.model")


class Penalties(MpiTest):
    def expect_same_penalty(self, report, alone):
        self.assertEqual(report["penalised"]["alpha"], alone["penalised"]["alpha"])
        self.expect_same_problem(report["penalised"], alone["penalised"])
        self.assertAlmostEqual(report["problem"]["radius"] / alone["problem"]["radius"], 1, delta=0.05)
        self.expect(0, "certify", "data.txt", "team.model")

    def penalised(self, *options):
        done = self.run_team(3, "train", "data.txt", "team.model", "--tol", "1e-5", *options, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout), done.stderr, self.expect_json(0, "train", "data.txt", "alone.model", "--tol", "1e-5", *options)

    def test_alpha(self):
        for options in [["--ridge", "1/n"], ["--ridge", "0", "--loss", "logistic", "--intercept", "yes"], ["--set", "nonnegative"]]:
            with self.subTest(options):
                report, _, alone = self.penalised("--alpha", "0.01", *options)
                self.expect_same_penalty(report, alone)

    def test_the_options_of_liblinear(self):
        for options in [["-s", "5"], ["-s", "6", "-c", "2", "-B", "1", "-e", "0.1"], ["-s", "6", "-w-1", "2", "-w1", "0.5", "-n", "1"]]:
            with self.subTest(options):
                report, told, alone = self.penalised(*options)
                self.expect_same_penalty(report, alone)
                self.assertEqual(told.count("-e 0.1 has no say"), 1 if "-e" in options else 0)

    def test_probabilities(self):
        self.train_alone("data.txt", "alone.model", "--probabilities")
        self.train(3, "data.txt", "team.model", "--probabilities")
        self.expect_same_probabilities("alone.model", "team.model")


class Matrices(MpiTest):
    options = ["--set", "trace", "--radius", "5", "--tol", "1e-8"]

    def setUp(self):
        super().setUp()
        self.write("data.txt", class_data(90))

    def test_a_checkpoint_goes_on_with_any_number_of_processes(self):
        alone = self.expect_json(0, "train", "data.txt", "alone.model", *self.options)
        for first, then in [(3, 2), (2, 1), (1, 3)]:
            with self.subTest(first=first, then=then):
                done = self.run_team(first, "train", "data.txt", "team.model", *self.options, "--max-iterations", "3",
                                     "--checkpoint", "c", "--checkpoint-every", "0")
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertEqual(self.expect_json(0, "info", "c")["iterations"], 3)
                done = self.run_team(then, "train", "--resume", "c", "--max-iterations", "100000", "--json")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                report = json.loads(done.stdout)
                self.assertEqual(report["resumed"]["iterations"], 3)
                self.expect_same_problem(report, alone)
                self.expect(0, "certify", "data.txt", "team.model", "--tol", "1.1e-8")

    def test_checkpoints_on_the_way_change_nothing(self):
        for model, options in [("with", ["--checkpoint", "c", "--checkpoint-every", "0"]), ("without", [])]:
            done = self.run_team(2, "train", "data.txt", model, *self.options, *options)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.read("with"), self.read("without"))

    def test_the_proof_may_be_left_out(self):
        done = self.run_team(2, "train", "data.txt", "team.model", *self.options, "--no-proof")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertLess(len(self.read("team.model")), 10_000)


class Errors(MpiTest):
    def expect_team_error(self, *arguments, says):
        before = self.files()
        done = self.run_team(2, *arguments)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(errors(done.stderr)), 1, done.stderr)
        self.assertIn(says, errors(done.stderr)[0])
        self.assertEqual(self.files(), before)

    def test_each_is_told_once(self):
        self.shards("part-{rank}.txt", 100)
        self.write("few.txt", self.lines[0])
        self.write("classes.txt", "".join(f"{i % 3} 1:{i}\n" for i in range(12)))
        self.write("numbers.txt", "".join(f"{i} 1:{i}\n" for i in range(12)))
        self.write("one.txt", "".join(f"1 1:{i}\n" for i in range(12)))
        train = ["train", "data.txt", "team.model"]
        for arguments, says in [
                ([*train, "--radios", "3"], "unknown option '--radios' (did you mean '--radius'?)"),
                ([*train, "--patience", "0"], "patience: '0' breaks the rule: a finite number > 0"),
                ([*train, "--solver", "sequential"], "solver: sequential breaks the rule: one for several processes: auto, sharded"),
                (["train", "data.txt", "-s", "6", "-v", "5"], "-v: '5' breaks the rule: none for several processes"),
                ([*train, "-s", "6", "-w7", "2"], "-w: label 7 breaks the rule: one of the labels of the data, -1 and 1"),
                ([*train, "--loss", "softmax"], "loss: 'softmax' breaks the rule: not for several processes"),
                (["train", "no-such.txt", "team.model"], "cannot open 'no-such.txt'"),
                (["train", "part-{rank}.txt", "team.model"], "process 1: cannot open 'part-1.txt'"),
                (["train", "-", "team.model"], "DATA: '-' breaks the rule: a file, as several processes read it"),
                (["train", "few.txt", "team.model"], "few.txt: 1 rows breaks the rule: at least one for each of 2 processes"),
                (["train", "classes.txt", "team.model", "--alpha", "1"], "alpha: '1' breaks the rule: a radius for each of several classes against the rest"),
                (["train", "classes.txt", "team.model", "--checkpoint", "c"], "none for each of several classes against the rest"),
                (["train", "numbers.txt", "team.model"], "two classes for this loss; for numbers use the loss squared or huber"),
                (["train", "one.txt", "team.model"], "two classes; this data has one"),
                (["train", "data.txt", "no-such-folder/team.model"], "no-such-folder"),
                (["info", "data.txt"], "mpirun: info breaks the rule: train is what several processes can do together")]:
            with self.subTest(says):
                self.expect_team_error(*arguments, says=says)

    def test_weights_of_another_number_of_rows(self):
        self.write("weights.txt", "1\n2\n")
        self.expect_team_error("train", "data.txt", "team.model", "--sample-weight", "weights.txt",
                               says="sample_weight: 2 of them breaks the rule: one for each of 240 samples of all processes")


class Trouble(MpiTest):
    """Signals to one of three processes in the middle of a solve, or to mpirun.

    The first one has a terminal that is held, so that it stands still in its first iteration, and the others wait for it:
    nothing ends before the signal has come.
    """

    def begin(self, *options, may_end=False):
        self.terminal = Terminal(is_held=True)
        train = [PDBFW, "train", "data.txt", "team.model", *STRICT, *options]
        on_terminal = ["sh", "-c", f'exec "$@" 2>{self.terminal.name}', "sh", *train]
        job = subprocess.Popen(["mpirun", "-n", "1", *on_terminal, ":", "-n", "2", *train], cwd=self.folder, env=ENVIRONMENT,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.stderr.close)
        self.addCleanup(job.kill)
        ranks = {}

        def are_solving():
            ranks.update(self.solving_children(job.pid))
            return len(ranks) == 3 or (may_end and job.poll() is not None)

        self.wait_until(are_solving, None if may_end else job)
        return job, ranks

    @staticmethod
    def solving_children(pid):
        """Process numbers by rank, of those that catch Ctrl-C, as they do while they solve."""
        found = {}
        try:
            for child in map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
                if not is_caught(child, signal.SIGINT):
                    continue
                for entry in pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
                    if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                        found[int(entry.split(b"=")[1])] = child
        except (FileNotFoundError, ProcessLookupError):
            pass
        return found

    def end_of(self, job, ranks):
        """What it has said; all its processes are gone."""
        text, trouble = job.communicate(timeout=LONGEST_WAIT)
        trouble += self.terminal.read()
        self.wait_until(lambda: not any(self.is_running(pid) for pid in ranks.values()))
        return text, trouble

    @staticmethod
    def is_running(pid):
        """One that has ended may stay in the list until somebody asks for its exit code."""
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False

    def test_a_process_that_is_killed_ends_the_job(self):
        for rank in [0, 2]:
            with self.subTest(rank=rank):
                job, ranks = self.begin()
                os.kill(ranks[rank], signal.SIGKILL)
                text, _ = self.end_of(job, ranks)
                self.assertNotEqual(job.returncode, 0)
                self.assertEqual(text, "")
                self.assertEqual(self.files(), ["data.txt"])

    def expect_not_waited_for(self, rank):
        # On a machine that is slow enough, the others have given the first one up before this one is stopped.
        job, ranks = self.begin("--patience", "2", may_end=True)
        if rank in ranks:
            with contextlib.suppress(ProcessLookupError):
                os.kill(ranks[rank], signal.SIGSTOP)
        self.terminal.let_go()
        text, trouble = self.end_of(job, ranks)
        self.assertNotEqual(job.returncode, 0)
        self.assertEqual(text, "")
        self.assertIn("nothing was heard from the other processes for 2 s", trouble)
        self.assertIn("no model was written", trouble)
        self.assertEqual(self.files(), ["data.txt"])

    def test_a_process_that_stands_still_is_not_waited_for(self):
        for rank in [0, 2]:
            with self.subTest(rank=rank):
                self.expect_not_waited_for(rank)

    def expect_best_model(self):
        job, ranks = self.begin()
        os.kill(ranks[1], signal.SIGTERM)
        self.terminal.let_go()
        text, trouble = self.end_of(job, ranks)
        self.assertEqual(job.returncode, 2, trouble)
        self.assertIn("interrupted", text, trouble)
        self.expect(0, "certify", "data.txt", "team.model")

    def test_one_process_that_is_told_to_stop_ends_all_with_the_best_model(self):
        self.expect_best_model()

    def test_several_classes_end_together_too(self):
        self.write("data.txt", class_data(180))
        self.expect_best_model()
        (self.folder / "team.model").unlink()
        self.expect_not_waited_for(1)

    def test_ctrl_c_ends_all_with_the_best_model(self):
        # mpirun kills what has not ended a second later; on a busy machine that is not much.
        job, ranks = self.begin()
        os.kill(job.pid, signal.SIGINT)
        self.terminal.let_go()
        _, trouble = self.end_of(job, ranks)
        self.assertNotEqual(job.returncode, 0, trouble)
        if "team.model" in self.files():
            self.expect(0, "certify", "data.txt", "team.model")
        self.assertIn(self.files(), [["data.txt"], ["data.txt", "team.model"]])


if __name__ == "__main__":
    unittest.main()
