"""bench/population.py without any fit: the plan of its problems, the search for a tolerance, and the page of results."""

import json
import math
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import population  # noqa: E402
import population_report as report  # noqa: E402


class Plan(unittest.TestCase):
    cases = list(population.cases())

    def test_names_differ(self):
        self.assertEqual(len(self.cases), len({case.name for case in self.cases}))

    def test_is_large_and_the_same_every_time(self):
        self.assertGreaterEqual(len(population.FORMS) * len(self.cases), 300)
        self.assertGreaterEqual(len({case.family for case in self.cases}), 15)
        self.assertEqual(self.cases, list(population.cases()))

    def test_both_halves_have_every_family_with_every_loss(self):
        for half in population.HALVES:
            found = {(case.family, case.loss) for case in self.cases if case.half == half}
            self.assertEqual(len(found), len(population.LOSSES) * sum(map(len, population.KINDS.values())))

    def test_every_choice_occurs_with_every_loss_in_both_halves(self):
        for half in population.HALVES:
            own = [case for case in self.cases if case.half == half]
            for field, values in [
                ("share", population.SHARES),
                ("ridge", set(population.RIDGES)),
                ("intercept", [False, True]),
            ]:
                for loss in population.LOSSES:
                    found = {getattr(case, field) for case in own if case.loss == loss}
                    self.assertEqual(found, set(values))

    def test_peers_are_only_asked_for_what_they_offer(self):
        for case in self.cases:
            for method in population.methods_for(case, 1000, 100):
                self.assertIn(case.loss, method.losses)
                self.assertTrue(method.takes_intercept or not case.intercept)


class Search(unittest.TestCase):
    """Rungs 0 .. 9; a fit of rung k is accurate from `good` on, and does not end from `slow` on."""

    def found(self, first, good, slow):
        tried = []

        def try_rung(rung):
            tried.append(rung)
            return {"why": "over 10 s"} if rung >= slow else {"good": rung >= good}

        rung, answer = population.search(first, 10, try_rung)
        self.assertEqual(len(tried), len(set(tried)), "no fit is made twice")
        self.assertEqual(bool(answer.get("good")), rung is not None)
        return rung

    def test_finds_the_loosest_good_rung_if_there_is_one(self):
        for first in range(10):
            for good in range(11):
                for slow in range(11):
                    expected = good if good < min(slow, 10) else None
                    self.assertEqual(self.found(first, good, slow), expected, (first, good, slow))


def case_row(name, **fields):
    return {
        "kind": "case",
        "case": name,
        "half": "tune",
        "family": "tiny",
        "seed": 0,
        "loss": "squared",
        "share": 0.3,
        "ridge": "0",
        "intercept": False,
        "pass_pair": 0.01,
        **fields,
    }


def fit_row(name, method, seconds, **fields):
    outcome = {"why": "over 10 s"} if math.isinf(seconds) else {"seconds": seconds, "gap": 1e-7}
    return {"kind": "fit", "case": name, "method": method, **outcome, **fields}


class Page(unittest.TestCase):
    rows = [
        {"kind": "machine", "cpu": "a processor", "cores": 2, "date": "2026-01-01"},
        case_row("first"),
        case_row("second", half="report", loss="logistic", intercept=True),
        fit_row("first", "pdbfw", 0.5, form="penalty"),
        fit_row("first", "pdbfw", math.inf, form="radius"),
        fit_row("first", "celer: working sets", 0.1),
        fit_row("first", "scikit-learn: Gram", 0.2),
        fit_row("first", "scikit-learn: cyclic", 0.05),
        fit_row("second", "pdbfw", 0.1, form="penalty"),
        fit_row("second", "skglm: prox-Newton", math.inf),
    ]

    def test_ratios_are_to_the_best_method_of_the_best_peer(self):
        first, failed, second = report.problems(self.rows)
        self.assertEqual((first.ratio, first.best_peer, first.quickest_peer()), (10, 0.05, "scikit-learn: cyclic"))
        self.assertEqual((failed.ratio, failed.why()), (math.inf, "over 10 s"))
        self.assertEqual((second.ratio, second.best, second.pass_pairs), (None, 0.1, 10))

    def test_counts(self):
        group = list(report.problems(self.rows))
        self.assertEqual(report.line("all", group)[:5], ["all", 3, "66.7 %", 2, "0.0 %"])
        self.assertEqual(report.profile(group, "pdbfw"), [(1, 1 / 3), (10, 2 / 3)])
        self.assertEqual(report.profile(group, "skglm"), [])

    def test_page_names_the_worst_and_what_failed(self):
        with tempfile.TemporaryDirectory() as folder:
            report.write(self.rows, pathlib.Path(folder))
            page = (pathlib.Path(folder) / "population.md").read_text()
            picture = xml.etree.ElementTree.fromstring((pathlib.Path(folder) / "population.svg").read_text())
        self.assertIn("| first, by penalty | 10 | 0.5 | 0.05 | scikit-learn: cyclic | 50 |", page)
        self.assertIn("- first, by radius: over 10 s", page)
        words = [element.text for element in picture.iter() if element.tag.endswith("text")]
        self.assertIn("celer", words)

    def test_results_that_are_kept_make_the_page_that_is_kept(self):
        folder = ROOT / "docs" / "results"
        rows = [json.loads(line) for line in (folder / "population.jsonl").read_text().splitlines()]
        page = (folder / "population.md").read_text()
        self.assertEqual(report.page(rows), page, "run bench/population_report.py docs/results")


if __name__ == "__main__":
    unittest.main()
