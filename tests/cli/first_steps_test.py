"""What docs/start/command-line.md tells a newcomer to type works, and prints what the page shows."""

import os
import pathlib
import re
import subprocess
import unittest

from tool import LONGEST_WAIT, PDBFW, ToolTest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "start" / "command-line.md"
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def without_numbers(text):
    """Times differ from run to run, last digits from one compiler to the next, and so does how wide a column is."""
    return re.sub(r" +", " ", re.sub(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", "#", text))


class FirstSteps(ToolTest):
    def test_commands_print_what_the_page_shows(self):
        steps = [step for block in BLOCK.findall(PAGE.read_text()) for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
        self.assertGreater(len(steps), 5)
        environment = os.environ | {"PATH": f"{pathlib.Path(PDBFW).parent}:{os.environ['PATH']}"}
        for step in steps:
            command, shown = step.split("\n", 1)
            done = subprocess.run(command, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True,
                                  timeout=LONGEST_WAIT, check=False)
            self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
            self.assertEqual(without_numbers(done.stdout), without_numbers(shown), command)


if __name__ == "__main__":
    unittest.main()
