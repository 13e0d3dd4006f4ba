"""The stubs of the compiled part name what is there, with the same parameters."""

import ast
import inspect
import pathlib
import re

import pdbfw
from pdbfw import _core

STUBS = ast.parse((pathlib.Path(pdbfw.__file__).parent / "_core.pyi").read_text())


def test_names_are_those_of_the_module():
    there = {name for name in dir(_core) if not name.startswith("_")}
    declared = {node.name for node in STUBS.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))} | {"version"}
    assert declared == there


def test_parameters_are_those_of_the_module():
    for node in STUBS.body:
        if isinstance(node, ast.FunctionDef):
            # nanobind writes the signature into the first line of the documentation.
            signature = getattr(_core, node.name).__doc__.splitlines()[0]
            declared = [argument.arg for argument in node.args.args + node.args.kwonlyargs]
            found = re.findall(r"(?:[(,] )?\b(\w+): ", signature)
            assert declared == found, signature


def test_the_package_says_that_it_is_typed():
    assert (pathlib.Path(pdbfw.__file__).parent / "py.typed").exists()
    for name in ("solve", "solve_path", "solve_penalised", "solve_penalties", "largest_alpha", "path_alphas",
                 "cross_validate", "path_radii", "make_folds", "certify"):
        assert inspect.signature(getattr(pdbfw, name)).return_annotation is not inspect.Signature.empty
