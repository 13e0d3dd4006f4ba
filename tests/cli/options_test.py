"""Every option of `train` is obeyed, or refused by name, on every way that it can go; none is ever dropped.

The list of options is the tool's own: one that is new in the help fails here until CASES says how to try it. What
several processes do is in team_options_test.py.
"""

import re
import unittest

from train_cases import CASES, ONE, WAYS, OptionsTest, data_of


def options_in(text):
    """The options that a help lists, by their long names where they have one."""
    found = re.findall(r"^  (-[\w-]+)(?:,(--[\w-]+))?", text, re.MULTILINE)
    return [long or short for short, long in found if "--help" not in (short, long)]


class EveryOptionOfTrain(OptionsTest):
    def is_obeyed(self, way, case, run, without):
        if run["code"] not in (0, 2):
            return False
        if case.seen == "nothing" or way in case.unseen:
            return True
        if case.seen == "works":
            return without["code"] == 1
        if case.seen == "model":
            return run["learnt"] != without["learnt"]
        if case.seen == "told":
            return run["told"] != without["told"]
        if case.seen.startswith("file "):
            return case.seen[5:] in run["files"] - without["files"]
        if case.seen.startswith("="):
            return run["report"]["settings"][case.seen[1:]] == int(case.given[-1])
        return run["report"][case.seen] is not None and without["report"][case.seen] is None

    def tried(self, way, option, before):
        """'obeyed' or 'refused'; anything else is a failure. `before` keeps the runs without the option."""
        case = CASES[option]
        needs, data, is_told = case.needs.get(way, []), data_of(way, case.data), case.seen == "told"
        key = (way, *needs, data, is_told)
        if key not in before:
            before[key] = self.observe(way, needs, data, is_told)
        run = self.observe(way, case.words(way), data, is_told)
        if run["code"] == 1 and self.names(option, run["error"]):
            self.assertEqual(run["files"], set(), "what is refused writes nothing")
            return "refused"
        self.assertTrue(self.is_obeyed(way, case, run, before[key]), f"neither obeyed nor refused by name: {run['error'] or run['report']}")
        return "obeyed"

    def test_is_known_here(self):
        self.assertEqual(sorted(options_in(self.expect(0, "train", "--help"))), sorted(CASES))

    def test_is_obeyed_or_refused_on_every_way(self):
        found, before = {}, {}
        for way in WAYS:
            for option in CASES:
                with self.subTest(way=way, option=option):
                    found[way, option] = self.tried(way, option, before)
        # The plain way takes all of them but the one that it has no use for.
        self.assertEqual({option for option in CASES if found.get((ONE, option)) != "obeyed"}, {"--targets"})

    def test_those_of_liblinear_need_theirs(self):
        for words, named in [(["-c", "2"], "-c"), (["-s", "6", "--radius", "3"], "radius"), (["-s", "6", "--start", "labels.txt"], "start"),
                             (["-n", "2", "--threads", "2"], "-n"), (["-s", "6", "--set", "simplex"], "-s"), (["-C"], "-C"), (["-p", "1"], "-p"),
                             (["--checkpoint-every", "5"], "checkpoint_every"), (["--smoothing", "0.5", "--loss", "logistic"], "smoothing"),
                             (["--huber-width", "2"], "huber_width"), (["--set", "trace", "--smoothing", "0.5", "--loss", "softmax"], "smoothing")]:
            with self.subTest(words):
                self.expect_error("train", "labels.txt", "m", *words, says=f"pdbfw: error: {named}: ")


if __name__ == "__main__":
    unittest.main()
