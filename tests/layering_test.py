"""The rooms of the tree depend on each other one way only (see HACKING.md), and the library keeps quiet."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A room may include only rooms of a lower level; rooms of one level never see each other. A folder inside a room of src/
# that stands here is a room of its own.
LEVEL = {
    "base": 0,
    "linalg": 1,
    "core": 2, "data": 2,
    "steps": 3,
    "baselines": 4,
    "losses": 5, "maps": 5, "regularisers": 5, "sets": 5, "solvers": 5, "low_rank": 5, "joint": 5, "io/bytes": 5,
    "io/data": 6, "io/models": 6,
    "io/cache": 7, "io/checkpoints": 7,
    "io": 8,
    "io/features": 9,
    "apps": 10,
    "cli": 11, "python": 11, "mpi": 11,
}

# The room that each public header speaks for: what it declares is defined there ...
PUBLIC = {
    "base": ["errors", "team", "version"],
    "linalg": ["matrix", "pairwise_sum", "eigen", "factors"],
    "core": ["loss", "quadratic_conjugate", "separable", "set", "problem", "settings", "result", "formulation", "linear_map", "row_loss",
             "low_rank_problem", "joint_problem"],
    "data": ["dataset", "metrics", "phase", "features"],
    "io/data": ["data_file"],
    "io/checkpoints": ["checkpoint"],
    "io/models": ["model"],
    "apps": ["fit", "samples", "fields", "solve", "pdbfw", "low_rank", "joint", "recovery", "cross_validation", "predict"],
    "mpi": ["mpi"],
}
# ... or in one of these rooms, where the header has an interface and the functions that make or keep what answers to it.
DEFINED_ABOVE = {"set": ["sets"], "linear_map": ["maps"], "features": ["io/features"], "data_file": ["io/cache", "io"]}
ROOM_OF_HEADER = {header: room for room, headers in PUBLIC.items() for header in headers}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)

# The library reports through results and exceptions; it neither prints, ends the program nor reads the environment.
# std::printf is matched as printf; snprintf, which only fills a buffer, is not.
FORBIDDEN = re.compile(
    r"std::(cout|cerr|clog)\b|\b(f?printf|puts|exit|_exit|quick_exit|abort|terminate|(secure_)?getenv)\s*\(")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

ROOMS = ["include", "src", "cli", "python", "mpi"]
SOURCE_FOLDERS = [*ROOMS, "tests", "bench", "examples", "experiments", "cmake", "scripts"]
SOURCE_ENDINGS = {".hpp", ".cpp", ".py", ".pyi", ".cmake", ".in", ".sh"}


def room_of(path):
    """The room of a file, given relative to the root; None when it has none."""
    parts = path.parts
    if parts[0] == "src":
        inner = "/".join(parts[1:3])
        return inner if len(parts) > 3 and inner in LEVEL else parts[1] if len(parts) > 2 else None
    if parts[0] == "include":
        return ROOM_OF_HEADER.get(path.stem)
    return parts[0] if parts[0] in ("cli", "python", "mpi") else None


def target_of(name, source):
    """The file, relative to the root, that #include "name" in `source` means; None for a foreign header."""
    for base in (source.parent, pathlib.Path("include"), pathlib.Path("mpi/include"), pathlib.Path("src"), pathlib.Path(".")):
        if (ROOT / base / name).is_file():
            return (ROOT / base / name).resolve().relative_to(ROOT)
    return None


def sources(*folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SOURCE_ENDINGS and path.is_file():
                yield path.relative_to(ROOT)


BODY = "\x01"


def outside_of_braces(code):
    """C++ without comments and strings, and BODY for all that stands in braces but namespaces."""
    code = COMMENT_OR_STRING.sub("", code)
    code = re.sub(r"^#.*$", "", code, flags=re.MULTILINE)
    code = re.sub(r"\bnamespace\s*[\w:]*\s*\{", "namespace;", code)
    while (shorter := re.sub(r"\{[^{}]*\}", BODY, code)) != code:
        code = shorter
    return code


def functions_in(code, are_defined):
    """(name, type of the first parameter) of the functions that a text declares only, or defines, in namespaces."""
    ending = BODY if are_defined else ";"
    pattern = re.compile(r"(?<![\w:.>~])(\w+)\(((?:[^;(){}]|\([^()]*\)|" + BODY + r")*)\)\s*(?:noexcept\s*)?" + ending)
    found = set()
    for match in pattern.finditer(outside_of_braces(code)):
        first = re.split(r",(?![^<]*>)", match[2])[0]
        first = re.sub(r"=.*|\bconst\b|[&*]", " ", first, flags=re.DOTALL)
        words = re.findall(r"[\w:]+(?:<.*>)?", first)
        found.add((match[1], words[0].split("::")[-1] if words else ""))
    return found


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
        homeless = [str(p) for p in sources(*ROOMS) if room_of(p) not in LEVEL]
        self.assertEqual(homeless, [], "add the file's room or header to the tables in this test and to HACKING.md")

    def test_includes_lead_downwards(self):
        edges = []
        for source in sources(*ROOMS):
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


class Definitions(unittest.TestCase):
    def test_functions_of_public_headers_are_defined_in_their_rooms(self):
        rooms_of = {}
        for path in sources("src"):
            for function in functions_in((ROOT / path).read_text(), True):
                rooms_of.setdefault(function, set()).add(room_of(path))
        elsewhere, count = [], 0
        for header, room in ROOM_OF_HEADER.items():
            path = ROOT / "include" / "pdbfw" / f"{header}.hpp"
            for function in sorted(functions_in(path.read_text(), False) if path.is_file() else []):
                count += 1
                if not rooms_of.get(function, set()) & {room, *DEFINED_ABOVE.get(header, [])}:
                    elsewhere.append(f"{header}.hpp ({room}): {function} is defined in {rooms_of.get(function)}")
        self.assertGreater(count, 50)
        self.assertEqual(elsewhere, [])

    def test_a_function_is_told_from_another_one(self):
        code = "namespace a {\n[[nodiscard]] int f(const X& x, int y = g(1));\nvoid f(Y& y) { if (h(y)) f(y); }\nstruct S { void k(); };\n}"
        self.assertEqual(functions_in(code, False), {("f", "X")})
        self.assertEqual(functions_in(code, True), {("f", "Y")})


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
