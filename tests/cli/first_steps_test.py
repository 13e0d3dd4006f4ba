"""What the README and docs/start/command-line.md tell a newcomer to type works, and prints what the pages show."""

import os
import pathlib
import re
import subprocess
import unittest

from tool import LONGEST_WAIT, PDBFW, ToolTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def without_numbers(text):
    """Times differ from run to run, last digits from one compiler to the next, and so does how wide a column is."""
    return re.sub(r" +", " ", re.sub(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", "#", text))


class FirstSteps(ToolTest):
    def check_page(self, page, least):
        blocks = BLOCK.findall((ROOT / page).read_text())
        steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
        self.assertGreaterEqual(len(steps), least)
        environment = os.environ | {"PATH": f"{pathlib.Path(PDBFW).parent}:{os.environ['PATH']}"}
        for step in steps:
            command, shown = step.split("\n", 1)
            done = subprocess.run(command, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True,
                                  timeout=LONGEST_WAIT, check=False)
            self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
            self.assertEqual(without_numbers(done.stdout), without_numbers(shown), command)

    def test_commands_print_what_the_first_steps_show(self):
        self.check_page("docs/start/command-line.md", 6)

    def test_commands_print_what_the_readme_shows(self):
        self.check_page("README.md", 2)


if __name__ == "__main__":
    unittest.main()
