"""The C++ reference: a page for each public header, made of its declarations and of the comments above them."""

import itertools
import re
import textwrap

# What the index shows together; a header that is in none of these is shown at the end.
THEMES = {
    "Solve and prove": ["pdbfw", "formulation", "problem", "settings", "solve", "result", "cross_validation", "joint", "joint_problem",
                        "checkpoint", "errors"],
    "Data": ["matrix", "eigen", "dataset", "data_file", "features", "metrics"],
    "Models": ["model", "predict"],
    "Low rank": ["low_rank", "low_rank_problem", "recovery", "phase", "factors"],
    "To extend": ["loss", "separable", "set", "row_loss", "linear_map", "team"],
    "About the library": ["fields", "version"],
}


def leading_comment(lines):
    """The lines of the comment at the top, without the slashes, and how many there are."""
    count = 0
    while count < len(lines) and lines[count].startswith("//"):
        count += 1
    return [line[2:] for line in lines[:count]], count


def prose(comment):
    """A comment as Markdown: what is set in by two more blanks is a formula or code, the rest is running text."""
    text = "\n".join(line[1:] if line.startswith(" ") else line for line in comment)
    out = []
    for is_code, lines in itertools.groupby(text.split("\n"), lambda line: line.startswith("  ")):
        block = "\n".join(lines)
        if is_code:
            language = "cpp" if re.search(r"[;{]\s*(//|$)|::", block) else "text"
            out.append(f"```{language}\n{textwrap.dedent(block)}\n```")
        elif block.strip():
            # Outside of `code`, nothing in a comment is markup.
            spans = re.split(r"(`[^`]*`)", block.strip("\n"))
            out.append("".join(span if span.startswith("`") else with_links(re.sub(r"([*<>$\\~])", r"\\\1", span)) for span in spans))
    return re.sub(r" {2,}(?=\[M)", " ", "\n\n".join(out))


def with_links(text):
    """Files that a comment names become links, as a page under docs/ would write them."""
    text = re.sub(r"\bdocs/([\w./-]+\.md)", r"[\1](\1)", text)
    text = re.sub(r"\bexamples/cpp/(\w+\.cpp)", r"[\1](../examples/cpp/\1)", text)
    return re.sub(r"(?<![\w/\[])(?:pdbfw/)?(\w+\.hpp)", r"[\1](../include/pdbfw/\1)", text)


def without_private(code):
    """A class as its users see it: what follows `private:` is left out."""
    return re.sub(r"\n\s*private:\n.*?(?=\n\};)", "", code, flags=re.DOTALL)


def without_nodiscard(code):
    """The attribute says nothing to a reader; what stood below a parameter still does."""
    declaration = re.compile(r"\[\[nodiscard\]\] ([^\n]*(?:\n {14,}[^\n]*)*)")
    return declaration.sub(lambda match: match[1].replace("\n" + " " * 14, "\n"), code)


def without_bodies(code):
    """Functions without what is between their braces."""
    out, at = [], 0
    # After the parameters: qualifiers, and the initialisers of a constructor.
    body = re.compile(r"\)((?:\s*(?:const|override|noexcept|final))*)(?:\s*:\s*\w+[({](?:[^{}]|\{[^{}]*\})*?)?\s*\{")
    while match := body.search(code, at):
        end, depth = match.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        out += [code[at:match.start()], ")", match[1].rstrip(), ";"]
        at = end
    return "".join([*out, code[at:]])


def names(code):
    """What a piece of code declares."""
    found = []
    outer = re.sub(r"//[^\n]*", "", code)
    while (inner := re.sub(r"\{[^{}]*\}", "", outer)) != outer:
        outer = inner
    for statement in outer.split(";"):
        statement = re.sub(r"\[\[.*?\]\]|template\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>", " ", statement, flags=re.DOTALL).strip()
        match = (re.match(r"(?:struct|class|enum class|using)\s+([\w:]+)", statement)
                 or re.search(r"\b(operator\S+|\w+)\s*\(", statement)
                 or re.search(r"(\w+)\s*=", statement))
        if match and match[1] not in found:
            found.append(match[1])
    return found


def pieces(lines):
    """(comment, code) of what stands in the namespaces: a piece ends at an empty line, or at the next comment."""
    comment, code, depth = [], [], 0
    for line in [*lines, ""]:
        ends = not line.strip() or (line.startswith("//") and code)
        if depth == 0 and ends:
            if comment or code:
                yield comment, "\n".join(code)
            comment, code = [], []
        if depth == 0 and line.startswith("//"):
            comment.append(line[2:])
        elif line.strip() or depth:
            code.append(line)
            plain = re.sub(r"//.*|\"(?:\\.|[^\"])*\"|'[{}()]'", "", line)
            depth += sum(plain.count(c) for c in "{(") - sum(plain.count(c) for c in "})")


def page(path):
    """The Markdown of one header."""
    lines = path.read_text().splitlines()
    comment, count = leading_comment(lines)
    out = [f"# {path.name}", "", prose(comment), "", "```cpp", f"#include <pdbfw/{path.name}>", "```", ""]
    included = [line for line in lines[count:] if line.startswith('#include "')]
    body, namespace = [], None
    for line in lines[count:]:
        if line.startswith("namespace"):
            namespace = namespace or line.split()[1]  # a nested one only declares
        elif not re.match(r"#|\}  // namespace", line):
            body.append(line)
    if namespace:
        out += [f"Namespace `{namespace}`.", ""]
    elif included:
        out += ["It includes:", ""] + [f"- [{name}](../include/pdbfw/{name})"
                                       for name in (line.split("/")[1].rstrip('"') for line in included)] + [""]
    for comment, code in pieces(body):
        code = without_bodies(without_private(without_nodiscard(code))).strip()
        if code:
            title = ", ".join(f"`{name}`" for name in names(code)) or "More"
            out += [f"## {title}", ""]
        if comment:
            out += [prose(comment), ""]
        if code:
            out += ["```cpp", code, "```", ""]
    return "\n".join(out)


def first_sentence(path):
    """Of the comment at the top, up to the first formula; two of them where the first is no more than a title."""
    comment, _ = leading_comment(path.read_text().splitlines())
    running = list(itertools.takewhile(lambda line: line.strip() and not line.startswith("   "), comment))
    text = re.sub(r"\s*\[M\w+\]", "", re.sub(r"\s+", " ", " ".join(running)).strip())
    sentences = re.split(r"(?<=[^.][.?])\s+", text)
    text = " ".join(sentences[:2 if len(sentences[0]) < 30 else 1]).rstrip(",:")
    return re.sub(r"([*<>$|])", r"\\\1", re.sub(r"docs/(?=[\w-]+\.md)", "", text))


def index(paths):
    """The page that leads to the headers."""
    stems = {path.stem: path for path in paths}
    missing = [name for names in THEMES.values() for name in names if name not in stems]
    if missing:
        raise SystemExit(f"headers.py: no such header: {', '.join(missing)}")
    others = [stem for stem in stems if not any(stem in names for names in THEMES.values())]
    out = ["# C++ reference", "", "A page a header, made of the header itself: its comments are the documentation. "
           "`#include <pdbfw/pdbfw.hpp>` has all of it.", ""]
    for theme, members in [*THEMES.items(), ("More", others)]:
        if not members:
            continue
        out += [f"## {theme}", "", "| header | what it has |", "|---|---|"]
        out += [f"| [{stem}.hpp]({stem}.md) | {first_sentence(stems[stem])} |" for stem in members]
        out += ["", "```{toctree}", ":hidden:", "", *members, "```", ""]
    return "\n".join(out)
