"""experiments/paper_l1 without a solver: reading curves, fitting slopes, choosing steps, the words of the page."""

import math
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
for folder in ("common", "paper_l1"):
    sys.path.insert(0, str(ROOT / "experiments" / folder))

import curves  # noqa: E402
import figures  # noqa: E402
import methods  # noqa: E402
import outcomes  # noqa: E402
import page  # noqa: E402
import problems  # noqa: E402
import records  # noqa: E402
import scaling  # noqa: E402
import sentences  # noqa: E402
import tables  # noqa: E402
from method import TUNED, suited  # noqa: E402


def row(iteration, primal, gap=1.0, seconds=None, adds=0.0):
    seconds = 0.1 * iteration if seconds is None else seconds
    return curves.Row(iteration, seconds, 2.0 * iteration, adds, primal, gap, 3, 0)


def record(primals, status="converged", optimum=1.0, tuning=0.0):
    """A record as records.Store keeps it: one row a value of the objective."""
    gap = primals[-1] - optimum
    return {"status": status, "rows": [row(t, p, p - optimum) for t, p in enumerate(primals)],
            "certificate": {"primal": primals[-1], "dual": optimum, "gap": gap, "relative_gap": gap, "violation": 0.0},
            "solution": {"nonzeros": 3, "l1_norm": 1.0, "multiplier": 0.1}, "work": {"iterations": len(primals), "data_passes": 2.0},
            "seconds": {"solve": 0.1 * len(primals)}, "problem": {"n": 10, "d": 30, "nonzeros": 100}}


class Curves(unittest.TestCase):
    def test_trace_of_the_tool_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.csv"
            trace.write_text("iteration,seconds,data_passes,multiply_adds,primal,dual,gap,relative_gap,nonzeros,is_certified\n"
                             "0,0.5,0,0,2,-inf,inf,inf,0,0\n7,1.5,3,60,1.25,1,0.25,0.2,4,1\n")
            rows = curves.read_trace(trace)
        self.assertEqual(rows[0].relative_gap, math.inf)
        self.assertEqual(rows[1], curves.Row(7, 1.5, 3, 60, 1.25, 0.2, 4, 1))

    def test_thinning_keeps_the_ends_the_order_and_the_limit(self):
        for count in (1, 2, 5, 50, 51, 3000):
            rows = [row(t, 1.0) for t in range(count)]
            for most in (2, 5, 50):
                thin = curves.thin(rows, most)
                self.assertLessEqual(len(thin), most)
                self.assertEqual((thin[0], thin[-1]), (rows[0], rows[-1]))
                self.assertEqual(thin, sorted(thin))
        self.assertGreater(len(curves.thin([row(t, 1.0) for t in range(3000)], 50)), 25)

    def test_thinning_survives_rows_of_one_time(self):
        rows = [row(t, 1.0, seconds=0.0) for t in range(100)]
        self.assertLessEqual(len(curves.thin(rows, 10)), 10)

    def test_best_so_far_never_rises_and_skips_what_is_no_number(self):
        points = curves.best_so_far([row(0, 3.0), row(1, 2.0, math.nan), row(2, math.nan), row(3, 2.5, 0.5), row(4, 1.0, 0.0)], 1.0)
        self.assertEqual([p.objective for p in points], [2.0, 1.0, 1.0, 1.0, curves.FLOOR])
        self.assertEqual([p.gap for p in points], [1.0, 1.0, 1.0, 0.5, curves.FLOOR])

    def test_first_at(self):
        points = curves.best_so_far([row(t, 1 + 10.0**-t) for t in range(8)], 1.0)
        self.assertEqual(curves.first_at(points, 1.5e-3).iteration, 3)
        self.assertIsNone(curves.first_at(points, 1e-9))

    def test_slopes_of_powers_are_their_exponents(self):
        xs = [10, 20, 40, 80]
        self.assertAlmostEqual(curves.slope(xs, [3 * x**1.5 for x in xs]), 1.5)
        self.assertAlmostEqual(curves.slope(xs, [7] * 4), 0)
        self.assertAlmostEqual(curves.slope(xs, [x**2 for x in xs[:3]] + [None]), 2)
        self.assertTrue(math.isnan(curves.slope([10, 10], [1, 2])))
        self.assertTrue(math.isnan(curves.slope([], [])))

    def test_rank_correlation(self):
        self.assertAlmostEqual(curves.rank_correlation([1, 2, 3, 4], [10, 20, 25, 1000]), 1)
        self.assertAlmostEqual(curves.rank_correlation([1, 2, 3], [9, 5, 1]), -1)
        self.assertTrue(math.isnan(curves.rank_correlation([1, 2, 3], [4, 4, 4])))
        self.assertTrue(math.isnan(curves.rank_correlation([1, 2], [3, 4])))

    def test_cost_of_an_iteration_is_a_median_without_certificates(self):
        rows = [row(t, 1.0, adds=100.0 * t + (1e6 if t > 5 else 0)) for t in range(12)]
        adds, seconds = curves.per_iteration(rows)
        self.assertAlmostEqual(adds, 100)
        self.assertAlmostEqual(seconds, 0.1)
        self.assertTrue(math.isnan(curves.per_iteration(rows[:2])[0]))


class Plan(unittest.TestCase):
    def test_problems_are_those_of_the_paper_once(self):
        real = problems.real_problems()
        self.assertEqual(len({problem.key for problem in real}), len(real))
        self.assertEqual([len(problems.panels(figure, real)) for figure in ("1", "1a", "3")], [6, 3, 6])
        generated = problems.generated_problems()
        self.assertTrue(problems.panels("1", generated) and problems.panels("3", generated))
        self.assertEqual(problems.panels("1a", generated), [])

    def test_every_method_has_a_look_of_its_own(self):
        names = [method.name for method in methods.METHODS]
        self.assertEqual(set(names), set(figures.STYLES))
        self.assertEqual(len({(colour, str(style)) for colour, style, _ in figures.STYLES.values()}), len(names))
        self.assertLessEqual({claim.method for claim in scaling.CLAIMS}, set(names))

    def test_variants_follow_what_a_solver_reads(self):
        svrg = next(method for method in methods.METHODS if method.name == "svrg")
        self.assertEqual([v.name for v in suited(svrg, ["steps", "step_scale"]).variants], ["theory", "tuned", "adaptive"])
        self.assertEqual([v.name for v in suited(svrg, ["steps"]).variants], ["theory", "adaptive"])
        self.assertEqual([v.name for v in suited(svrg, []).variants], ["default"])

    def test_records_are_kept_and_failures_are_tried_again(self):
        class Tool:
            fingerprint = "one"
            calls = 0

            def train(self, data, options, max_seconds):
                self.calls += 1
                if self.calls == 1:
                    raise records.Failure("no")
                answer = record([2.0, 1.5])
                rows = answer.pop("rows")
                return answer | {"share_of_core": 1.0}, rows

        with tempfile.TemporaryDirectory() as folder:
            tool = Tool()
            store = records.Store(pathlib.Path(folder), tool)
            self.assertEqual(store.run("a+b c/d", "data", [], 1)["error"], "no")
            first = store.run("a+b c/d", "data", [], 1)
            again = store.run("a+b c/d", "data", [], 1)
            self.assertEqual((tool.calls, store.measured), (2, 2))
            self.assertEqual(first["rows"], again["rows"])
            self.assertEqual(store.other_builds, set())
            tool.fingerprint = "another"
            store.run("a+b c/d", "data", [], 1)
            self.assertEqual(len(store.other_builds), 1)

    def test_dense_data_has_unit_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "dense.txt"
            problems.write_dense(text, 5, 30)
            lines = text.read_text().splitlines()
        self.assertEqual(len(lines), 5)
        for line in lines:
            label, *entries = line.split()
            self.assertIn(label, ("1", "-1"))
            self.assertAlmostEqual(sum(float(entry.split(":")[1]) ** 2 for entry in entries), 1, places=4)


class Tuning(unittest.TestCase):
    """A stand-in for the tool: the farther from the best step scale, the slower."""

    def tuned(self, best_scale):
        tried = []

        class Runner(outcomes.Runner):
            def variant(self, problem, data, method, variant, scale=1.0, seconds=None):
                tried.append((scale, seconds))
                return course(scale)

        def course(scale):
            rate = 0.5 + 0.08 * abs(math.log10(scale / best_scale))
            return record([1 + rate**t for t in range(20)])

        runner = Runner(None, 8.0, None, None)
        theory = outcomes.as_outcome("theory", 1.0, course(1.0), 1.0)
        return runner.tuned(None, None, None, TUNED, theory, 1.0), tried

    def test_grid_grows_where_its_end_is_best(self):
        found, tried = self.tuned(30.0)
        self.assertEqual(found.scale, 30.0)
        self.assertEqual(tried[-1], (30.0, None))  # the whole run
        self.assertIn((90.0, 2.0), tried)  # a quarter of the budget
        self.assertGreater(found.tuning_seconds, 0)

    def test_inner_point_ends_the_search(self):
        found, tried = self.tuned(3.0)
        self.assertEqual((found.scale, len(tried)), (3.0, 3))

    def test_untuned_run_may_be_best(self):
        found, tried = self.tuned(1.0)
        self.assertEqual((found.scale, found.variant, [scale for scale, _ in tried]), (1.0, "tuned", [3, 10, 1 / 3]))


def solved(title="toy", figure="1", **rates):
    """A solved problem; `rates`: the factor of P - P* an iteration, by method."""
    data = problems.Data(title, title, "", (), (30, 10, 100, 4), "made up")
    found = {}
    for name, rate in rates.items():
        failed = {"error": "no such thing"}
        one = record([1 + rate**t for t in range(200)]) if rate else failed
        found[name] = [outcomes.as_outcome("theory", 1.0, one, 1.0)]
    return outcomes.Solved(problems.Problem(data, 300, "10/n", figure), record([1.0]), found)


class Faults(unittest.TestCase):
    def test_honest_runs_have_none(self):
        self.assertEqual(outcomes.faults(solved(pdbfw=0.5, fw=0.9)), [])

    def test_running_values_below_the_optimum_are_told(self):
        one = solved(pdbfw=0.5)
        one.methods["pdbfw"][0].record["rows"].append(row(300, 0.999))
        self.assertIn("below the optimum", outcomes.faults(one)[0])

    def test_what_must_not_happen_is_told(self):
        one = solved(pdbfw=0.5, fw=0.9, apg=0.9, svrg=0.9, scgs=0)
        one.methods["pdbfw"][0].record["certificate"]["primal"] = 0.9
        one.methods["fw"][0].record["certificate"]["dual"] = 1.1
        one.methods["apg"][0].record["certificate"]["violation"] = 1.0
        one.methods["svrg"][0].record["certificate"]["relative_gap"] = 1e-3
        told = outcomes.faults(one)
        self.assertEqual(len(told), 5)
        for fault, words in zip(told, ("contradict", "contradict", "leaves the set", "converged with gap", "no such thing")):
            self.assertIn(words, fault)


class Words(unittest.TestCase):
    def test_ratios(self):
        self.assertEqual(sentences.ratio_text(3.0, 1.5, 10), "2")
        self.assertEqual(sentences.ratio_text(None, 0.5, 10), "> 20")
        self.assertEqual(sentences.ratio_text(None, None, 10), "-")
        self.assertEqual(sentences.ratio_text(2.0, None, 10), "only it")

    def on_speed_up(self, ours, rivals):
        return sentences.on_speed_up("toy", 1e-4, sentences.speed_up(ours, rivals, 10), rivals, 10)

    def test_the_claim_of_ten_times_follows_the_numbers(self):
        self.assertIn("the claim holds: `pdbfw` is 8 times as fast as the next, `apg`", self.on_speed_up(1.0, {"fw": None, "apg": 8.0}))
        self.assertIn("first, but only 2 times", self.on_speed_up(1.0, {"fw": 2.0, "apg": 8.0}))
        self.assertIn("does not hold: `fw` takes 0.5", self.on_speed_up(1.0, {"fw": 0.5, "apg": 8.0}))
        self.assertIn("the claim holds: no baseline", self.on_speed_up(1.0, {"fw": None}))
        self.assertIn("not contradicted: no baseline", self.on_speed_up(9.0, {"fw": None}))
        self.assertIn("does not hold: `pdbfw` did not reach 0.0001 in 10 s; `fw` did in 1 s", self.on_speed_up(None, {"fw": 1.0, "apg": None}))
        self.assertIn("nor did any of them", self.on_speed_up(None, {"fw": None}))
        self.assertIn("none of the paper's baselines", self.on_speed_up(1.0, {}))

    def test_wins(self):
        self.assertIn("With care, `pdbfw` is ahead of all of them on 2 of 4 problems, by a factor of 5 or more on 1",
                      sentences.on_wins([7.0, 2.0, 0.5, None], "care"))
        self.assertIn("none", sentences.on_wins([], "care"))

    def test_margin(self):
        self.assertIn("so it is", sentences.on_margin([(0.1, 2), (0.01, 5), (0.001, 30)]))
        self.assertIn("not what was measured", sentences.on_margin([(0.1, 30), (0.01, 5), (0.001, 2)]))
        self.assertIn("Too few", sentences.on_margin([(0.1, 30)]))

    def test_exponents(self):
        self.assertEqual([sentences.on_exponent(value, 0, 1) for value in (-0.5, 0.1, 0.9, 1.5, math.nan)],
                         ["below", "agrees", "agrees", "above", "not measured"])

    def test_costs(self):
        claimed = {"n": 1, "d": 0, "s": 1}
        self.assertTrue(sentences.on_cost("m", claimed, claimed, claimed).endswith("grows as claimed."))
        text = sentences.on_cost("m", claimed, {"n": 2.0, "d": 0.0, "s": math.nan}, {"n": 1.9, "d": 0.6, "s": math.nan})
        self.assertIn("otherwise than claimed in n (2.00, not 1); its time grows faster than its work in d (0.60, work 0.00).", text)
        self.assertIn("not measured", sentences.on_cost("m", claimed, {"n": math.nan}, {"n": math.nan}))

    def test_optimum(self):
        self.assertIsNone(sentences.on_optimum("toy", 1e-13, 1e-12))
        self.assertIn("1.0e-10 only", sentences.on_optimum("toy", 1e-10, 1e-12))

    def test_auto(self):
        self.assertIn("10 times as long", sentences.on_auto("toy", 1e-4, 1.0, 0.1))
        self.assertIn("10 times as fast", sentences.on_auto("toy", 1e-4, 0.1, 1.0))
        self.assertIn("only `auto`", sentences.on_auto("toy", 1e-4, None, 1.0))
        self.assertIn("did not reach", sentences.on_auto("toy", 1e-4, 1.0, None))


class Page(unittest.TestCase):
    def page(self, **rates):
        one = [solved(**rates), solved("other", "3", **rates)]
        about = {"command": "make paper-l1", "budget": 30.0, "source": "made up", "runs": 2, "remarks": []}
        return page.write(one, [], ["`svrf`: gone"], about, False)

    def test_says_what_the_numbers_say(self):
        text = self.page(auto=0.1, pdbfw=0.3, fw=0.95, apg=0.9)
        self.assertIn("toy, radius 300, ridge 10/n: the claim holds", text)
        self.assertIn("`svrf`: gone", text)
        text = self.page(auto=0.1, pdbfw=0.9, fw=0.95, apg=0.3)
        self.assertIn("toy, radius 300, ridge 10/n: the claim does not hold: `apg`", text)

    def test_a_method_without_result_is_told_of(self):
        text = self.page(auto=0.1, pdbfw=0.3, fw=0)
        self.assertIn("`fw`: no such thing", text)
        self.assertIn("none of the paper's baselines was measured", text)

    def test_tables_and_files_have_a_line_a_method(self):
        one = solved(auto=0.1, pdbfw=0.3, fw=0.95, scgs=0)
        self.assertEqual(len(tables.of_problem(one, 30.0).splitlines()), 2 + 4)
        self.assertEqual(len(tables.runs_csv([one]).splitlines()), 1 + 4)
        columns = {line.count("|") for line in tables.of_problem(one, 30.0).splitlines()}
        self.assertEqual(len(columns), 1)
        for name in ("auto", "pdbfw", "fw"):
            points = [line for line in tables.curves_csv(one).splitlines() if line.startswith(name + ",")]
            self.assertTrue(0 < len(points) <= tables.MOST_POINTS)

    def test_table_1(self):
        claim = scaling.CLAIMS[0]
        costs = {name: [(m, (5.0 * m, 1e-6 * m)) for m in (10, 20, 40)] for name in ("n", "d")}
        measured = [{"claim": claim, "costs": costs, "kappa": [(10, 7), (100, None)], "epsilon": [(1e2, 100), (1e3, 1000)]}]
        text = tables.table_1(measured)
        self.assertIn("1.00 (agrees); 1.00", text)
        self.assertIn("1 of 2 not reached", text)
        self.assertEqual(len(tables.table_1_csv(measured).splitlines()), 1 + 6 + 4)


if __name__ == "__main__":
    unittest.main()
