"""Examples in docstrings and in the README run."""

import contextlib
import doctest
import importlib
import io
import pathlib
import pkgutil
import re

import pdbfw
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [module.name for module in pkgutil.iter_modules(pdbfw.__path__) if module.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(f"pdbfw.{name}"))
    assert failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "python/README.md"])
def test_blocks_of_code_run(page):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, page, "exec"), {})


def test_everything_public_is_documented():
    for name in pdbfw.__all__:
        assert name.startswith("__") or getattr(pdbfw, name).__doc__, name
