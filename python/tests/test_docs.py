"""Examples in docstrings and on pages run, and print what the pages show."""

import contextlib
import doctest
import importlib
import inspect
import io
import os
import pathlib
import pkgutil
import re
import shlex
import subprocess
import sys

import pdbfw
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [module.name for module in pkgutil.iter_modules(pdbfw.__path__) if module.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(f"pdbfw.{name}"))
    assert failed == 0


PAGES = ["README.md", "python/README.md", "docs/python.md", "docs/start/python.md"]
PAGES += [f"docs/guide/{path.name}" for path in sorted((ROOT / "docs" / "guide").glob("*.md")) if path.stem != "index"]
# A block of code and, where there is one, the block of text below it: what it prints.
BLOCK = re.compile(r"^```python\n(.*?)^```(?:\n+```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def without_numbers(text):
    """The last digits may differ from one compiler to the next."""
    return re.sub(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", "#", text)


@pytest.mark.parametrize("page", PAGES)
def test_blocks_of_code_run(page, monkeypatch, tmp_path):
    if "plot_" in (ROOT / page).read_text():
        pytest.importorskip("matplotlib").use("Agg")
    blocks = BLOCK.findall((ROOT / page).read_text())
    assert blocks
    # What a block writes stays out of the tree, and it may go on from the ones above it.
    monkeypatch.chdir(tmp_path)
    names = {}
    for block, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(block, page, "exec"), names)
        if shown:
            assert without_numbers(printed.getvalue()) == without_numbers(shown)


def one_liners(page):
    """Lines of indented blocks that begin with `python -c`."""
    return re.findall(r"^ +(python -c .*)$", (ROOT / page).read_text(), re.MULTILINE)


@pytest.mark.parametrize("line", one_liners("docs/python.md"))
def test_one_liners_run(line, tmp_path):
    assert line.startswith("python ")
    package = pathlib.Path(os.path.abspath(pdbfw.__file__)).parents[1]
    run = subprocess.run(line.replace("python", shlex.quote(sys.executable), 1), shell=True, cwd=tmp_path,
                         capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(package)})
    assert run.returncode == 0 and run.stdout, run.stderr


def test_there_are_one_liners():
    assert len(one_liners("docs/python.md")) >= 3


def test_everything_public_is_documented():
    for name in pdbfw.__all__:
        assert name.startswith("__") or getattr(pdbfw, name).__doc__, name


def public_functions():
    """Every public function, estimator and method of an estimator that the package itself defines."""
    for name in pdbfw.__all__:
        thing = getattr(pdbfw, name)
        if inspect.isfunction(thing):
            yield name, thing, thing
        elif hasattr(thing, "fit"):
            yield name, thing, thing.__init__
            for method in ("fit", "predict", "predict_proba", "decision_function", "transform", "save"):
                made = inspect.getattr_static(thing, method, None)
                made = getattr(made, "fn", made)  # available_if
                if made is not None and made.__module__.startswith("pdbfw"):
                    yield f"{name}.{method}", made, made


@pytest.mark.parametrize("thing, called", [pytest.param(*rest, id=name) for name, *rest in public_functions()])
def test_every_parameter_is_described_once(thing, called):
    doc = inspect.getdoc(thing)
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n\S|\Z)", doc, re.MULTILINE | re.DOTALL)
    entries = re.findall(r"^(\S.*)$", section.group(1), re.MULTILINE) if section else []
    described = [part.strip(" *") for entry in entries for part in entry.split(" : ")[0].split(",")]
    assert sorted(described) == sorted(p for p in inspect.signature(called).parameters if p != "self")
    for part, default in re.findall(r"^(\w+) : .*default=(.*)$", section.group(1) if section else "", re.MULTILINE):
        stated = inspect.signature(called).parameters[part].default
        assert eval(default, {"inf": float("inf")}) == stated, part
