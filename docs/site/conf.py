"""Sphinx's configuration. `make docs` lays out the pages with stage.py first."""

import pathlib
import re
import sys

import matplotlib
from docutils import nodes

matplotlib.use("agg")

SITE = pathlib.Path(__file__).resolve().parent
ROOT = SITE.parents[1]
sys.path.insert(0, str(SITE))

project = "pdbfw"
version = release = re.search(r'kVersion = "([0-9.]+)"', (ROOT / "include" / "pdbfw" / "version.hpp").read_text())[1]
copyright = "the authors of pdbfw; MIT licence"  # noqa: A001, the name is Sphinx's
language = "en"
smartquotes = False  # --option is no dash

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_gallery.gen_gallery", "mathml"]
exclude_patterns = ["gallery/*.ipynb", "gallery/*.py", "gallery/*.md5", "sg_execution_times.rst"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_heading_slug_func = "stage.heading_slug"

default_role = "py:obj"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False
# In this style several names that share a description stay together.
napoleon_custom_sections = [("Parameters", "params_style"), ("Attributes", "params_style")]
# Formulas in plain text, and output: nothing to colour.
highlight_language = "none"
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": [str(ROOT / "examples" / "python")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\.py$",
    "copyfile_regex": r"index\.rst",
    "within_subsection_order": "gallery_order.InOrder",
    "reset_modules": ("gallery_order.reset",),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "show_memory": False,
    "capture_repr": (),
    "min_reported_time": 10_000,
    "write_computation_times": False,
}

html_theme = "furo"
html_title = f"pdbfw {version}"
html_static_path = [str(SITE / "static")]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#7fb8e0", "color-brand-content": "#7fb8e0"},
}
pygments_style = "default"
pygments_dark_style = "github-dark"

SHELL = re.compile(r"\s*(\$ )?(pdbfw|make|scripts/|build/|pip|cmake|sudo|g\+\+|sed) ?\S")
DASHES = re.compile(r"^(\)?) -- ")
CPP = re.compile(r"\s*(pdbfw::|auto |const |#include|for \(|Result )")


def colour_blocks(app, doctree):
    """Blocks that are set in have no language: those that are commands or C++ are told by their first line."""
    for block in doctree.findall(nodes.literal_block):
        if block.get("language") == "file":  # as data-formats.md marks the files that its commands read
            block["language"] = "none"
        elif block.get("language") in (None, "none"):
            first = block.astext().lstrip("\n")
            if SHELL.match(first):
                block["language"] = "console" if first.lstrip().startswith("$ ") else "sh"
            elif CPP.match(first):
                block["language"] = "cpp"


def set_dashes(app, doctree):
    """Between a parameter and its meaning Sphinx writes two hyphens, which only smart quotes would make a dash."""
    for text in list(doctree.findall(nodes.Text)):
        if DASHES.match(text):
            text.parent.replace(text, nodes.Text(DASHES.sub("\\1 \N{EN DASH} ", text)))


def setup(app):
    app.connect("doctree-read", colour_blocks)
    app.connect("doctree-read", set_dashes)
