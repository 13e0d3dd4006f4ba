"""What the documentation says is still so."""

import json
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PDBFW = os.environ["PDBFW"]

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
CPP_BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.MULTILINE | re.DOTALL)


def pages():
    return sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))


class Documentation(unittest.TestCase):
    def test_links_lead_to_files(self):
        broken = []
        for page in pages():
            for target in LINK.findall(page.read_text()):
                if "://" not in target and not (page.parent / target).exists():
                    broken.append(f"{page.relative_to(ROOT)}: {target}")
        self.assertEqual(broken, [])

    def test_readme_shows_the_example_that_runs(self):
        example = (ROOT / "examples" / "cpp" / "sparse_classifier.cpp").read_text()
        program = example[example.index("#include"):]
        self.assertIn(program, CPP_BLOCK.findall((ROOT / "README.md").read_text()))

    def test_settings_page_is_what_the_tool_prints(self):
        reference = subprocess.run([PDBFW, "reference"], capture_output=True, text=True, check=True).stdout
        self.assertEqual((ROOT / "docs" / "settings.md").read_text(), reference, "run `make docs`")

    def test_solvers_page_has_a_row_for_every_solver(self):
        listed = subprocess.run([PDBFW, "solvers", "--json"], capture_output=True, text=True, check=True).stdout
        vectors, matrices = (ROOT / "docs" / "solvers.md").read_text().split("## Matrices")
        part = {"sparse": vectors, "low rank": matrices}
        for solver in json.loads(listed)["solvers"]:
            rows = [line for line in part[solver["family"]].splitlines()
                    if line.startswith("| `") and f"`{solver['name']}`" in line.split("|")[1]]
            self.assertEqual(len(rows), 1, solver["name"])
            for option in solver["options"]:
                self.assertIn(f"`{option}`", rows[0])
            self.assertEqual(solver["needs_ridge"], "ridge > 0" in rows[0], rows[0])


if __name__ == "__main__":
    unittest.main()
