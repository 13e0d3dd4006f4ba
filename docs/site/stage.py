#!/usr/bin/env python3
"""Lays out the pages of the site for Sphinx, in a folder of its own: python stage.py FOLDER

Pages are written to be read in the tree too, so their links name files of the tree. Here the files get their places on
the site, and every link is changed to match; one that leads nowhere is an error. What is made rather than written (the
C++ and the Python reference, the pages of the C++ examples) is made here; the gallery of Python examples is Sphinx's.
"""

import os
import pathlib
import re
import shutil
import sys

import headers
import python_reference

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Pages that do not live under docs/.
ELSEWHERE = {
    "HACKING.md": "hacking.md",
    "CHANGELOG.md": "changelog.md",
    "bench/peers/README.md": "results/peers-how.md",
    "experiments/paper_l1/README.md": "results/paper-l1/how.md",
    "experiments/paper_trace/README.md": "results/paper-trace/how.md",
}

# Their titles are those of what they describe.
HOW = {"peers-how": "Other libraries: how to repeat it", "paper-l1/how": "l1 experiments: how to repeat them",
       "paper-trace/how": "Trace-norm experiment: how to repeat it"}

# Comments of sources write their links as a page in docs/ would.
LIKE_DOCS = "docs/"

LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
# [M5], [M4c], [M21b], but neither the text of a link nor a heading.
LABEL = re.compile(r"(?<![\[\w])\[M(\d+)([a-z]?)\](?![(\]])")
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)


def heading_slug(title):
    """The anchor of a heading: that of GitHub, but for the labelled equations, whose label it is."""
    label = re.match(r"\[M(\d+)\]", title)
    if label:
        return f"m{label[1]}"
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def places():
    """Where each file of the tree goes: {path in the tree: path on the site}, both relative."""
    table = dict(ELSEWHERE)
    for path in sorted((ROOT / "docs").rglob("*")):
        inside = path.relative_to(ROOT / "docs")
        if inside.parts[0] != "site" and path.suffix in (".md", ".svg", ".png"):
            table[f"docs/{inside}"] = str(inside)
    for path in sorted((ROOT / "examples" / "cpp").glob("*.cpp")):
        table[f"examples/cpp/{path.name}"] = f"examples-cpp/{path.stem}.md"
    for path in sorted((ROOT / "examples" / "python").glob("*.py")):
        table[f"examples/python/{path.name}"] = f"gallery/{path.stem}.rst"
    for path in sorted((ROOT / "include" / "pdbfw").glob("*.hpp")):
        table[f"include/pdbfw/{path.name}"] = f"reference/cpp/{path.stem}.md"
    table |= {"docs/results": "results/index.md", "examples/cpp": "examples-cpp/index.md", "examples/python": "gallery/index.rst",
              "include/pdbfw": "reference/cpp/index.md", "python/pdbfw": "reference/python/index.md"}
    return table


def outside_code(text, change):
    """Applies `change` to the prose of a Markdown page: not to fenced or indented blocks, nor to spans of code."""
    lines, prose, fence = [], [], None

    def flush():
        block = "".join(prose)
        prose.clear()
        # A link may have code in its text: it is hidden from `change`, not cut out.
        code = iter([span[0] for span in CODE_SPAN.finditer(block)])
        lines.append(re.sub("\0", lambda _: next(code), change(CODE_SPAN.sub("\0", block))))

    blank = True
    for line in text.splitlines(keepends=True):
        opening = re.match(r" *(```+|~~~+)", line)
        if opening and (fence is None or line.strip() == fence):
            flush()
            fence = None if fence else opening[1]
            lines.append(line)
        elif fence or (line.startswith("    ") and (blank or not prose)):
            flush()
            lines.append(line)
            continue
        else:
            prose.append(line)
        blank = not line.strip()
    flush()
    return "".join(lines)


def equation_anchor(text, anchor):
    """Of a link to math.md: GitHub's anchor of a labelled equation, or its label as the text, leads to heading_slug()."""
    label = re.match(r"m(\d+)-", anchor) if anchor else re.fullmatch(r"\[?M(\d+)[a-z]?\]?", text)
    return f"m{label[1]}" if label else anchor


def with_site_links(text, source, place, table):
    """The Markdown of the file `source` (relative to the root) as it must read at `place`."""
    here = os.path.dirname(place)

    def link(match):
        target, _, anchor = match["target"].partition("#")
        if "://" in target or not target:
            return match[0]
        path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        if not (ROOT / path).exists():
            raise SystemExit(f"{source}: the link {match['target']} leads nowhere")
        if path not in table:
            return match["text"]
        if path == "docs/math.md":
            anchor = equation_anchor(match["text"], anchor)
        target = os.path.relpath(table[path], here or ".") + (f"#{anchor}" if anchor else "")
        return f"{match['image']}[{match['text']}]({target})"

    def prose(block):
        return LABEL.sub(lambda match: label_link(match, here), LINK.sub(link, block))

    return outside_code(text, lambda block: "".join(
        line if line.startswith("#") else piece
        for line, piece in zip(block.splitlines(keepends=True), prose(block).splitlines(keepends=True))))


def with_python_links(text, place):
    """Public names of the package, where they stand as code in running text, lead to their pages."""
    here = os.path.dirname(place) or "."
    # A word that is all small letters may as well be a command or a setting.
    names = "|".join(name for name in python_reference.names() if re.search(r"[A-Z_]", name))
    code = re.compile(rf"(?<![\[`])`({names})(?:\(\))?`(?![\]`])")

    def link(match):
        return f"[{match[0]}]({os.path.relpath(f'reference/python/{match[1]}.rst', here)})"

    return "".join(line if line.startswith(("#", "    ")) else code.sub(link, line) for line in text.splitlines(keepends=True))


def label_link(match, here):
    return f"[\\[M{match[1]}{match[2]}\\]]({os.path.relpath('math.md', here or '.')}#m{match[1]})"


def example_page(path, table, place):
    """A C++ example: its first comment as prose, then the program."""
    lines = path.read_text().splitlines()
    comment, count = headers.leading_comment(lines)
    prose = with_site_links(headers.prose(comment), LIKE_DOCS, place, table)
    program = "\n".join(lines[count:])
    return f"# {example_title(path)}\n\n{prose}\n\n```cpp\n{program}\n```\n\n`examples/cpp/{path.name}`\n"


def example_title(path):
    return path.stem.replace("_", " ").capitalize().replace("Eigen data", "Eigen's matrices")


def example_index(paths):
    rows = [f"| [{example_title(path)}]({path.stem}.md) | {headers.first_sentence(path)} |" for path in paths]
    stems = [path.stem for path in paths]
    return "\n".join(["# C++ examples", "", "Whole programs. All of them are built and run by the tests.", "",
                      "| program | what it does |", "|---|---|", *rows, "", "```{toctree}", ":hidden:", "", *stems, "```", ""])


def contents(title, text, pages):
    toctree = "\n".join(pages)
    return f"# {title}\n\n{text}\n\n```{{toctree}}\n:maxdepth: 1\n\n{toctree}\n```\n"


def write(folder, place, text):
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    # Unchanged pages keep their time, so that Sphinx need not read them again.
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    folder = pathlib.Path(sys.argv[1])
    table = places()
    written = set()

    def add(place, text):
        write(folder, place, text)
        written.add(pathlib.Path(place))

    for source, place in table.items():
        path = ROOT / source
        if source.startswith("examples/cpp/"):
            add(place, example_page(path, table, place))
        elif source.startswith("include/pdbfw/"):
            add(place, with_site_links(headers.page(path), LIKE_DOCS, place, table))
        elif path.suffix == ".md":
            text = with_site_links(path.read_text(), source, place, table)
            is_python = place == "python.md" or place.startswith(("guide/", "start/python"))
            add(place, with_python_links(text, place) if is_python else text)
        elif path.suffix in (".svg", ".png"):
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / place)
            written.add(pathlib.Path(place))

    add("examples-cpp/index.md", example_index(sorted((ROOT / "examples" / "cpp").glob("*.cpp"))))
    results = sorted(place[len("results/"):-len(".md")] for place in table.values()
                     if place.startswith("results/") and place.endswith(".md") and place != "results/index.md")
    results = [f"{HOW[page]} <{page}>" if page in HOW else page for page in results]
    add("results/index.md", contents(
        "Results", "What was measured, on which data, beside what. Every table and every figure is written by a script of the tree; the pages say which.",
        results))
    add("reference/cpp/index.md", headers.index(sorted((ROOT / "include" / "pdbfw").glob("*.hpp"))))
    for place, text in python_reference.pages():
        add(f"reference/python/{place}", text)

    # What an earlier run wrote and this one did not; the gallery is not ours.
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and inside.parts[0] != "gallery" and inside not in written:
            path.unlink()


if __name__ == "__main__":
    main()
