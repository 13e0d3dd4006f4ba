#!/usr/bin/env python3
"""Counts what the tree is made of: lines, headers, files, functions, and places that repeat each other.

    scripts/census.py                  the table
    scripts/census.py --json           the same numbers as one JSON object
    scripts/census.py --list           the table, and every file, function and pair behind its numbers

What is counted, and how:

- C++ outside tests is src, include, cli, mpi and python/src; a line is a line of a file, whatever it holds.
- Types and functions of the public headers are those declared in a namespace, not in a class; names of namespace
  `detail` and `using` names are not counted, and overloads are counted one by one.
- A function is as long as the lines from its name to its closing brace. Its cyclomatic number is 1 plus its `if`,
  `for`, `while`, `case`, `catch`, `&&`, `||` and `?`; lambdas count for the function they stand in.
- A pair is two files, or two places of one file, that share a run of six or more lines. Blank lines, comments, lone
  punctuation and imports are passed over. Lines are the same to the letter, or have the same shape, that is, they
  differ only in names, strings and numbers. Six lines that stand in more than eight places are too common to count. All
  C++, Python, shell and CMake files of the tree are read.
- One `train` is what docs/a-training-run.md walks through: the functions and files it names in its table, and how often
  one step stands in another room (a folder of src/, cli, or mpi) than the step before it.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP = {".cpp", ".hpp", ".inc", ".h"}
CODE = CPP | {".py", ".pyi", ".sh", ".cmake"}
PRODUCT = ("src/", "include/", "cli/", "mpi/", "python/src/")
LONGEST_FILE, LONGEST_FUNCTION, MOST_BRANCHES, SHARED_LINES, COMMON = 400, 60, 20, 6, 8

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/                                   # comments
      |^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*                         # preprocessor lines
      |R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"                  # raw strings
      |"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'
      |[A-Za-z_]\w*|\.?\d(?:[\w.']|[eEpP][+-])*
      |::|->|&&|\|\||[-+*/%&|^<>=!]=|\S|\n""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
BRANCHES = {"if", "for", "while", "case", "catch", "&&", "||", "?"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}

Function = collections.namedtuple("Function", "file line name lines branches")


def tracked(endings):
    """Files of the tree with one of the endings, as git sees them: known to it or new, and not ignored."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    return sorted(n for n in set(names) if pathlib.PurePath(n).suffix in endings and (ROOT / n).is_file())


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def tokens_of(text):
    """(token, line) of C++ without comments and preprocessor lines."""
    tokens, line = [], 1
    for match in TOKEN.finditer(text):
        token = match.group()
        if token.strip() and not token.startswith(("//", "/*")) and not token.lstrip().startswith("#"):
            tokens.append((token, line))
        line += token.count("\n")
    return tokens


class Reader:
    """Reads the declarations of one C++ file: its functions, and the names of its types and free functions."""

    def __init__(self, name):
        self.name, self.tokens, self.at = name, tokens_of(text_of(name)), 0
        self.functions, self.types, self.free = [], [], []
        self.read_scope(is_namespace=True, is_detail=False)

    def read_scope(self, is_namespace, is_detail):
        """Declarations up to the brace that closes this scope."""
        while self.at < len(self.tokens):
            if self.tokens[self.at][0] == "}":
                self.at += 1
                return
            self.read_declaration(is_namespace, is_detail)

    def read_declaration(self, is_namespace, is_detail):
        """One declaration: its tokens outside parentheses and braces are its head, and decide what it is."""
        head, begin = [], self.at
        while self.at < len(self.tokens):
            token, line = self.tokens[self.at]
            if token == "}":
                return
            if token == ";":
                self.at += 1
                self.note(head, is_namespace and not is_detail, has_body=False)
                return
            if token == ":" and len(head) == 1 and head[0][0] in ("public", "private", "protected"):
                self.at += 1
                return
            if token == "{":
                kind = self.kind_of(head)
                if kind == "initialiser":
                    head.append(("{}", line))
                    self.skip()
                    continue
                self.at += 1
                if kind == "function":
                    self.note(head, is_namespace and not is_detail, has_body=True)
                    self.read_body(head, begin)
                    return
                if kind == "namespace":
                    self.read_scope(True, is_detail or any(t == "detail" for t, _ in head) or self.is_unnamed(head))
                    return
                if is_namespace and not is_detail:
                    self.types.append(self.type_name(head))
                self.read_scope(False, is_detail)
                head.append(("{}", line))
                continue
            head.append((token, line))
            if token in OPENING:
                self.skip()
                head.append((OPENING[token], line))
            else:
                self.at += 1

    @staticmethod
    def is_unnamed(head):
        return [t for t, _ in head] == ["namespace"]

    @staticmethod
    def plain(head):
        """The words of a head without `template <...>`, attributes and `alignas(...)`."""
        words, depth = [], 0
        for k, (token, _) in enumerate(head):
            before = head[k - 1][0] if k else ""
            if depth or (token == "<" and before == "template"):
                depth += {"<": 1, ">": -1}.get(token, 0)
            elif token != "template":
                words.append(token)
        while words[:2] == ["[", "]"]:
            words = words[2:]
        return words

    def kind_of(self, head):
        """What the brace after this head opens: a namespace, a type, a function, or an initialiser."""
        words = self.plain(head)
        if "namespace" in words or words[:1] == ["extern"] and len(words) == 2:
            return "namespace"
        if "(" not in words or words[:1] == ["enum"]:
            return "type" if {"class", "struct", "union", "enum"} & set(words) and "=" not in words else "initialiser"
        if words[0] in ("class", "struct", "union") and words[1:4] in (["alignas", "(", ")"], ["PDBFW_EXPORT", "(", ")"]):
            return "type"
        if "=" in words and "operator" not in words:
            return "initialiser"
        after = words[words.index(")") + 1 :]
        if ":" in after and words[-1] not in (")", "}", "{}"):
            return "initialiser"  # of a member, in the list before a constructor's body
        return "function"

    def type_name(self, head):
        words = self.plain(head)
        for k, word in enumerate(words):
            if word in ("class", "struct", "union", "enum"):
                rest = [w for w in words[k + 1 :] if w not in ("class", "struct", "[", "]", "alignas", "(", ")")]
                return rest[0] if rest else "?"
        return "?"

    def note(self, head, is_public, has_body):
        """Notes a free function that is declared or defined here."""
        words = self.plain(head)
        if not is_public or "(" not in words or words[0] in ("using", "typedef", "static_assert", "friend", "extern"):
            return
        k = words.index("(")
        name = words[k - 1] if "operator" not in words[:k] else "operator"
        is_call = "=" in words[:k] or k == 0
        if not is_call and re.fullmatch(r"[A-Za-z_]\w*|operator", name) and (k < 3 or words[k - 2] != "::"):
            self.free.append(name)

    def skip(self):
        """Passes over what stands in the brackets that open here."""
        depth = 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at][0]
            depth += (token in OPENING) - (token in CLOSING)
            self.at += 1
            if depth == 0:
                return

    def read_body(self, head, begin):
        """The body of a function, whose head began at token number `begin`."""
        self.at -= 1
        self.skip()
        last = self.tokens[self.at - 1][1]
        words = [t for t, _ in head]
        k = words.index("(")
        start = k - 1
        while start >= 2 and words[start - 1] == "::":
            start -= 2
        branches = 1 + sum(t in BRANCHES for t, _ in self.tokens[begin : self.at])
        first = head[max(start, 0)][1]
        self.functions.append(Function(self.name, first, "".join(words[max(start, 0) : k]), last - first + 1, branches))


# --- places that repeat each other -------------------------------------------------------------------------------------

IMPORT = re.compile(r"\s*(#\s*(include|pragma)|import\b|from\s+\S+\s+import\b|using\s+(namespace\s|[\w:]+;))")
KEYWORDS = set(
    "alignas auto bool break case catch char class const constexpr continue def default delete do double elif else enum except explicit "
    "false False final finally float for friend from if import in inline int is lambda long namespace new noexcept None not nullptr "
    "operator or and override pass private public protected raise return self short signed sizeof static std struct switch template this "
    "throw true True try typename union unsigned using virtual void while with yield".split()
)
PIECE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|\d[\w.]*|\S")


def shape_of(line):
    """The line with every name, string and number replaced by a sign for its kind."""
    shape = []
    for piece in PIECE.findall(line):
        if piece[0] in "\"'":
            shape.append("s")
        elif piece[0].isdigit():
            shape.append("0")
        elif (piece[0].isalpha() or piece[0] == "_") and piece not in KEYWORDS:
            shape.append("x")
        else:
            shape.append(piece)
    return " ".join(shape)


def code_lines(name):
    """(line number, line, shape) of the lines that say something."""
    text = text_of(name)
    if pathlib.PurePath(name).suffix in CPP:
        text = re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.DOTALL)
        comment = "//"
    else:
        comment = "#"
    for number, line in enumerate(text.split("\n"), 1):
        line = " ".join(line.split())
        if line and not line.startswith(comment) and not IMPORT.match(line) and re.search(r"\w", line):
            yield number, line, shape_of(line)


def repeated_places():
    """Pairs (file, line, file, line, lines) with the longest run that the two share."""
    files = {name: list(code_lines(name)) for name in tracked(CODE)}
    places = collections.defaultdict(list)
    for name, lines in files.items():
        for k in range(len(lines) - SHARED_LINES + 1):
            for kind in (1, 2):  # to the letter, and by shape
                places[kind, *(line[kind] for line in lines[k : k + SHARED_LINES])].append((name, k))
    runs = collections.defaultdict(set)  # (file, file, shift) -> where windows begin in the first file
    for where in places.values():
        if 2 <= len(where) <= COMMON:
            for i, (first, k) in enumerate(where):
                for second, m in where[i + 1 :]:
                    if first != second or m - k >= SHARED_LINES:
                        runs[first, second, m - k].add(k)
    pairs = {}
    for (first, second, shift), begins in runs.items():
        for k in sorted(begins):
            if k - 1 in begins:
                continue
            length = SHARED_LINES
            while k + length - SHARED_LINES + 1 in begins:
                length += 1
            a, b = files[first][k][0], files[second][k + shift][0]
            if length > pairs.get((first, second), (0,))[0]:
                pairs[first, second] = (length, a, b)
    return sorted((-length, f, a, g, b) for (f, g), (length, a, b) in pairs.items())


# --- one training run --------------------------------------------------------------------------------------------------

WALK = "docs/a-training-run.md"


def walk():
    """(file, functions) of every row of the walk's table."""
    for file, called in re.findall(r"^\| *\d+ *\| *`([\w/.]+)` *\|([^|]*)\|", text_of(WALK), re.MULTILINE):
        yield file, re.findall(r"`([\w:~]+)`", called)


def training_run():
    """(functions, files, changes of room) of the walk, or None while it is not written."""
    if not (ROOT / WALK).is_file():
        return None
    steps = list(walk())
    functions = {(file, name) for file, names in steps for name in names}
    rooms = [parts[1] if parts[0] == "src" else parts[0] for parts in (file.split("/") for file, _ in steps)]
    return len(functions), len({file for file, _ in steps}), sum(a != b for a, b in zip(rooms, rooms[1:]))


# --- the table ---------------------------------------------------------------------------------------------------------


def census():
    cpp = [name for name in tracked(CPP) if name.startswith(PRODUCT)]
    lines = {name: text_of(name).count("\n") for name in cpp}
    readers = [Reader(name) for name in cpp]
    public = [r for r in readers if r.name.startswith("include/")]
    functions = [f for r in readers for f in r.functions]
    pairs = repeated_places()
    return {
        "lines": sum(lines.values()),
        "headers": len(public),
        "types": sum(len(r.types) for r in public),
        "free_functions": sum(len(r.free) for r in public),
        "files": sum(name.startswith(("src/", "cli/")) for name in cpp),
        "functions": len(functions),
        "long_files": sorted(((n, name) for name, n in lines.items() if n > LONGEST_FILE), reverse=True),
        "long_functions": sorted((f for f in functions if f.lines > LONGEST_FUNCTION), key=lambda f: -f.lines),
        "branching_functions": sorted((f for f in functions if f.branches > MOST_BRANCHES), key=lambda f: -f.branches),
        "train": training_run(),
        "pairs": pairs,
    }


def show(counted, is_listed):
    train = counted["train"]
    rows = [
        ("C++ outside tests, lines", f"{counted['lines']:,}"),
        ("public headers; types; free functions", f"{counted['headers']}; {counted['types']}; {counted['free_functions']}"),
        ("files in src/ and cli/", counted["files"]),
        (f"source files above {LONGEST_FILE} lines", len(counted["long_files"])),
        (f"functions above {LONGEST_FUNCTION} lines", len(counted["long_functions"])),
        (f"functions with cyclomatic number above {MOST_BRANCHES}", len(counted["branching_functions"])),
        ("one `train`: functions; files; changes of room", "; ".join(map(str, train)) if train else "not walked"),
        (f"pairs of places with {SHARED_LINES} or more shared lines", len(counted["pairs"])),
    ]
    wide = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"| {name:{wide}} | {value!s:>12} |")
    if is_listed:
        print()
        for n, name in counted["long_files"]:
            print(f"file      {n:5} lines  {name}")
        for f in counted["long_functions"]:
            print(f"function  {f.lines:5} lines  {f.file}:{f.line} {f.name}")
        for f in counted["branching_functions"]:
            print(f"branches  {f.branches:5}        {f.file}:{f.line} {f.name}")
        for length, f, a, g, b in counted["pairs"]:
            print(f"pair      {-length:5} lines  {f}:{a} ~ {g}:{b}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="the numbers as one JSON object")
    parser.add_argument("--list", action="store_true", help="also what stands behind the numbers")
    args = parser.parse_args()
    counted = census()
    if args.json:
        numbers = {k: v if isinstance(v, int) or v is None else len(v) for k, v in counted.items() if k != "train"}
        keys = ("train_functions", "train_files", "train_changes_of_room")
        print(json.dumps(numbers | dict(zip(keys, counted["train"] or (None,) * 3))))
    else:
        show(counted, args.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
