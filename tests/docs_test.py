"""What the documentation says is still so."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "docs" / "site"), str(ROOT / "scripts")]

import census
import headers

PDBFW = os.environ["PDBFW"]

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
CPP_BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchors(page):
    """Those that GitHub gives to the headings of a page."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(page.read_text())}


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

    def test_links_into_pages_lead_to_headings(self):
        broken = []
        for page in pages():
            for target, anchor in ANCHOR.findall(page.read_text()):
                path = page.parent / target if target else page
                if "://" not in target and path.suffix == ".md" and anchor not in anchors(path):
                    broken.append(f"{page.relative_to(ROOT)}: {target}#{anchor}")
        self.assertEqual(broken, [])

    def test_readme_and_first_steps_show_the_example_that_runs(self):
        example = (ROOT / "examples" / "cpp" / "sparse_classifier.cpp").read_text()
        program = example[example.index("#include"):]
        for page in ("README.md", "docs/start/cpp.md"):
            self.assertIn(program, CPP_BLOCK.findall((ROOT / page).read_text()), page)

    def test_readme_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 110)

    def test_model_files_that_are_shown_can_be_read(self):
        shown = re.findall(r"(?:^    .*\n)+", (ROOT / "docs" / "model-file.md").read_text(), re.MULTILINE)
        models = [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in shown if block.startswith("    pdbfw-model")]
        self.assertEqual([re.search("kind (.*)", model)[1] for model in models], ["vector", "one_vs_rest", "matrix"])
        for model in models:
            done = subprocess.run([PDBFW, "weights", "-"], input=model, text=True, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), model)
            self.assertNotEqual(done.stdout, "")

    def test_first_steps_show_the_project_that_the_packaging_test_builds(self):
        project = (ROOT / "tests" / "packaging" / "outside" / "CMakeLists.txt").read_text()
        project = project[project.index("cmake_minimum"):].replace("outside", "first")
        self.assertIn(f"```cmake\n{project}```", (ROOT / "docs" / "start" / "cpp.md").read_text())

    def test_the_walk_through_a_training_run_names_functions_that_are_there(self):
        steps = list(census.walk())
        self.assertGreater(len(steps), 20)
        missing = []
        for file, functions in steps:
            if not (ROOT / file).is_file():
                missing.append(file)
                continue
            there = {function.name.split("::")[-1] for function in census.Reader(file).functions}
            missing += [f"{file}: {name}" for name in functions if name not in there]
        self.assertEqual(missing, [])

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


HEADER = """\
// What it is.  [M2]
//
//   auto a = make();
//
// More about it, in other.hpp.
#pragma once

#include <vector>

namespace pdbfw {

// A thing of f*(y).
class Thing {
 public:
  explicit Thing(int size) : size_(size) {}

  [[nodiscard]] int size() const { return size_; }  // how large

 private:
  int size_;
};

template <class Value>
Value make();
void spoil(Thing& thing) noexcept;

}  // namespace pdbfw
"""

PAGE = """\
# thing.hpp

What it is. [M2]

```cpp
auto a = make();
```

More about it, in [other.hpp](../include/pdbfw/other.hpp).

```cpp
#include <pdbfw/thing.hpp>
```

Namespace `pdbfw`.

## `Thing`

A thing of f\\*(y).

```cpp
class Thing {
 public:
  explicit Thing(int size);

  int size() const;  // how large
};
```

## `make`, `spoil`

```cpp
template <class Value>
Value make();
void spoil(Thing& thing) noexcept;
```
"""


class CppReference(unittest.TestCase):
    def test_a_page_has_the_comments_and_the_public_declarations(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "thing.hpp"
            path.write_text(HEADER)
            self.assertEqual(headers.page(path), PAGE)

    def test_every_header_has_a_page_that_names_what_it_declares(self):
        paths = sorted((ROOT / "include" / "pdbfw").glob("*.hpp"))
        index = headers.index(paths)
        for path in paths:
            self.assertIn(f"[{path.name}]", index)
            page = headers.page(path)
            self.assertNotIn("## More", page, path.name)
            self.assertNotIn("private:", page, path.name)
            for name in re.findall(r"^(?:class|struct|enum class|using) ([\w:]+)", path.read_text(), re.MULTILINE):
                self.assertIn(f"`{name}`", page, path.name)


if __name__ == "__main__":
    unittest.main()
