"""The options that all experiments take, and their defaults."""

import argparse
import pathlib


def parser_of(text, name, seconds, quick_seconds):
    """A parser and what completes its answer: the budget and the folders of the experiment `name`."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/release/pdbfw")
    parser.add_argument("--budget", type=float,
                        help=f"seconds per method and problem (default {seconds:g}, quick {quick_seconds:g})")
    parser.add_argument("--quick", action="store_true",
                        help="small or generated data, about a minute; fails if a method does or a certificate is wrong")
    parser.add_argument("--only", default="", help="a pattern that a problem's title must match")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)

    def completed(options):
        quick = pathlib.Path(f"build/{name}-quick")
        options.budget = options.budget or (quick_seconds if options.quick else seconds)
        options.cache = options.cache or (quick / "cache" if options.quick else pathlib.Path(f"build/{name}"))
        options.out = options.out or (quick / "results" if options.quick else pathlib.Path(f"docs/results/{name}"))
        return options

    return parser, completed
