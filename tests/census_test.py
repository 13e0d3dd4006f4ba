"""scripts/census.py counts what it says it counts, in a tree of a few small files."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import census

HEADER = """\
#pragma once
namespace pdbfw {
// not a function(); /* nor */ this
struct Point {
  double x{0};
  [[nodiscard]] double norm() const { return x; }
};
template <class T = int>
class Box : public Point {
 public:
  explicit Box(T value) : value_{value}, other_(value) {}

 private:
  T value_, other_;
};
enum class Kind { one, two };
inline constexpr int kTable[] = {1, 2};
Point make(double x = 1);
Point make(const Box<int>& box);
bool operator==(const Point& a, const Point& b);
namespace detail {
struct Hidden {};
void hidden();
}  // namespace detail
}  // namespace pdbfw
"""

SOURCE = """\
#include "pdbfw/point.hpp"
namespace pdbfw {
namespace {
const auto kLater = [](int i) { return i ? 1 : 2; };
}
Point make(double x) {
  const auto branch = [&](int i) { return i > 0 && x > 0 ? "if (" : "while"; };
  for (int i = 0; i < 3; ++i)
    if (branch(i)) return {};
  switch (int(x)) {
    case 1: break;
    default: break;
  }
  return {x};
}
}  // namespace pdbfw
"""

LINES = ["first = one(1)", "second = two[first]", "if first > second:", "    print('both')", "third = [first, second]",
         "return third"]


class Census(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(setattr, census, "ROOT", census.ROOT)
        census.ROOT = pathlib.Path(self.folder.name)
        subprocess.run(["git", "init", "-q", self.folder.name], check=True)
        self.write("include/pdbfw/point.hpp", HEADER)
        self.write("src/core/point.cpp", SOURCE)

    def write(self, name, text):
        path = census.ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_headers_types_and_functions(self):
        counted = census.census()
        self.assertEqual(counted["lines"], HEADER.count("\n") + SOURCE.count("\n"))
        self.assertEqual((counted["headers"], counted["types"], counted["free_functions"], counted["files"]), (1, 3, 3, 1))

    def test_length_and_branches_of_a_function(self):
        self.assertEqual([f.name for f in census.Reader("include/pdbfw/point.hpp").functions], ["norm", "Box"])
        (make,) = census.Reader("src/core/point.cpp").functions
        self.assertEqual((make.name, make.line, make.lines, make.branches), ("make", 6, 10, 6))

    def test_places_that_share_six_lines(self):
        def pairs():
            return [(f, a, g, b) for _, f, a, g, b in census.repeated_places()]

        self.write("a.py", "def a():\n" + "\n\n# why\n".join(LINES))
        self.write("b.py", "def b(x, y):\n" + "\n".join(LINES[:5]))
        self.assertEqual(pairs(), [])
        self.write("b.py", "def b(x, y):\n" + "\n".join(LINES).replace("first", "alpha").replace("1", "27"))
        self.assertEqual(pairs(), [("a.py", 2, "b.py", 2)])

    def test_the_walk_of_a_training_run(self):
        self.assertIsNone(census.training_run())
        self.write(census.WALK, "# A run\n\n| step | file | functions | why |\n|---|---|---|---|\n"
                                "| 1 | `cli/main.cpp` | `main`, `run` | it `begins` |\n| 2 | `src/apps/fit.cpp` | `fit` | |\n"
                                "| 3 | `src/apps/solve.cpp` | `solve` | |\n| 4 | `src/apps/fit.cpp` | `fit` | |\n")
        self.assertEqual(census.training_run(), (4, 3, 1))


if __name__ == "__main__":
    unittest.main()
