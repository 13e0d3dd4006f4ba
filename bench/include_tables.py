#!/usr/bin/env python3
"""Puts the tables of docs/results/ into docs/performance.md, between `<!-- table NAME -->` and `<!-- end -->`.

    bench/include_tables.py [--page docs/performance.md]
"""
import argparse
import pathlib
import re

PLACE = re.compile(r"(<!-- table ([\w/]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def first_table(page):
    """The first run of lines that begin with a bar."""
    return re.search(r"(?:^\|.*\n)+", page.read_text(), re.MULTILINE).group(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=pathlib.Path, default=pathlib.Path("docs/performance.md"))
    page = parser.parse_args().page

    def fill(place):
        source = page.parent / "results" / f"{place[2]}.md"
        return place[1] + first_table(source) + place[3] if source.exists() else place[0]

    page.write_text(PLACE.sub(fill, page.read_text()))


if __name__ == "__main__":
    main()
