"""The rooms of the tree depend on each other one way only (see HACKING.md), and the library keeps quiet."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A room may include only rooms of a lower level; rooms of one level never see each other.
LEVEL = {
    "base": 0,
    "linalg": 1,
    "core": 2, "data": 2,
    "steps": 3,
    "baselines": 4,
    "losses": 5, "maps": 5, "regularisers": 5, "sets": 5, "solvers": 5, "low_rank": 5, "joint": 5, "io": 5,
    "apps": 6,
    "cli": 7, "python": 7,
}

# The room that each public header speaks for.
PUBLIC = {
    "base": ["errors", "team", "version"],
    "linalg": ["matrix", "pairwise_sum", "eigen", "factors"],
    "core": ["loss", "quadratic_conjugate", "separable", "set", "problem", "settings", "result", "formulation", "linear_map", "row_loss",
             "low_rank_problem", "joint_problem"],
    "data": ["dataset", "metrics", "low_rank_data", "features"],
    "io": ["data_file", "checkpoint", "model"],
    "apps": ["fit", "samples", "fields", "solve", "pdbfw", "low_rank", "joint", "recovery", "cross_validation", "predict"],
}
ROOM_OF_HEADER = {header: room for room, headers in PUBLIC.items() for header in headers}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)

# The library reports through results and exceptions; it neither prints, ends the program nor reads the environment.
# std::printf is matched as printf; snprintf, which only fills a buffer, is not.
FORBIDDEN = re.compile(
    r"std::(cout|cerr|clog)\b|\b(f?printf|puts|exit|_exit|quick_exit|abort|terminate|(secure_)?getenv)\s*\(")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

SOURCE_FOLDERS = ["include", "src", "cli", "python", "tests", "bench", "examples", "cmake", "scripts"]
SOURCE_ENDINGS = {".hpp", ".cpp", ".py", ".pyi", ".cmake", ".in", ".sh"}


def room_of(path):
    """The room of a file, given relative to the root; None when it has none."""
    parts = path.parts
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    if parts[0] == "include":
        return ROOM_OF_HEADER.get(path.stem)
    return parts[0] if parts[0] in ("cli", "python") else None


def target_of(name, source):
    """The file, relative to the root, that #include "name" in `source` means; None for a foreign header."""
    for base in (source.parent, pathlib.Path("include"), pathlib.Path("src"), pathlib.Path(".")):
        if (ROOT / base / name).is_file():
            return (ROOT / base / name).resolve().relative_to(ROOT)
    return None


def sources(*folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SOURCE_ENDINGS and path.is_file():
                yield path.relative_to(ROOT)


def forbidden_edges(edges):
    """Those (source, target) pairs that do not lead downwards."""
    bad = []
    for source, target in edges:
        above, below = room_of(source), room_of(target)
        if above != below and LEVEL[below] >= LEVEL[above]:
            bad.append(f"{source} ({above}) includes {target} ({below})")
    return bad


class Layering(unittest.TestCase):
    def test_every_source_has_a_room(self):
        homeless = [str(p) for p in sources("include", "src", "cli", "python") if room_of(p) not in LEVEL]
        self.assertEqual(homeless, [], "add the file's room or header to the tables in this test and to HACKING.md")

    def test_includes_lead_downwards(self):
        edges = []
        for source in sources("include", "src", "cli", "python"):
            for name in INCLUDE.findall((ROOT / source).read_text()):
                target = target_of(name, source)
                self.assertIsNotNone(target, f'{source}: "{name}" is not a file of this project; use <> for others')
                edges.append((source, target))
        self.assertGreater(len(edges), 0)
        self.assertEqual(forbidden_edges(edges), [])

    def test_upward_and_sideways_edges_are_seen(self):
        up = (pathlib.Path("src/base/a.hpp"), pathlib.Path("src/linalg/b.hpp"))
        sideways = (pathlib.Path("src/losses/a.hpp"), pathlib.Path("src/sets/b.hpp"))
        public_up = (pathlib.Path("src/core/a.cpp"), pathlib.Path("include/pdbfw/solve.hpp"))
        down = (pathlib.Path("src/solvers/a.cpp"), pathlib.Path("include/pdbfw/matrix.hpp"))
        own = (pathlib.Path("src/io/a.cpp"), pathlib.Path("include/pdbfw/model.hpp"))
        self.assertEqual(len(forbidden_edges([up, sideways, public_up])), 3)
        self.assertEqual(forbidden_edges([down, own]), [])


class Manners(unittest.TestCase):
    def test_sources_are_ascii(self):
        bad = [str(p) for p in sources(*SOURCE_FOLDERS) if not (ROOT / p).read_bytes().isascii()]
        self.assertEqual(bad, [])

    def test_library_is_quiet(self):
        bad = []
        for path in sources("include", "src"):
            code = COMMENT_OR_STRING.sub(lambda m: "\n" * m.group().count("\n"), (ROOT / path).read_text())
            for number, line in enumerate(code.splitlines(), 1):
                if FORBIDDEN.search(line):
                    bad.append(f"{path}:{number}: {line.strip()}")
        self.assertEqual(bad, [])


if __name__ == "__main__":
    unittest.main()
