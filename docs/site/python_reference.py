"""The Python reference: a page for each public name of the package, whatever there is."""

import dataclasses
import importlib
import inspect

import pdbfw

# To be imported by name.
MODULES = ["mpi"]


def is_own(function):
    """Whether it is the package's, not one that scikit-learn's classes bring along."""
    return (getattr(function, "__module__", None) or "").startswith("pdbfw")


def members(kind):
    """(directive, name) for the public methods and properties that the package itself defines, in their own order."""
    in_order = dict.fromkeys(name for base in kind.__mro__ for name in vars(base))
    for name in sorted(in_order, key="fit".__ne__):
        member = inspect.getattr_static(kind, name)
        if name.startswith("_") or not inspect.getdoc(getattr(kind, name)):
            continue
        if isinstance(member, property) and is_own(member.fget):
            yield "autoproperty", name
        elif inspect.isfunction(member) and is_own(member):
            yield "automethod", name
        elif hasattr(member, "fn") and is_own(member.fn):  # available_if
            yield "automethod", name


def page(name):
    thing = getattr(pdbfw, name)
    lines = [name, "=" * len(name), "", ".. currentmodule:: pdbfw", ""]
    if not inspect.isclass(thing):
        return "\n".join([*lines, f".. autofunction:: {name}", ""])
    # The fields of a data class stand in its docstring; its constructor is not for callers.
    lines += [f".. autoclass:: {name}{'()' if dataclasses.is_dataclass(thing) else ''}", ""]
    documented_above = inspect.getdoc(thing) or ""
    for directive, member in members(thing):
        if directive == "autoproperty" and f"{member} :" in documented_above:
            continue
        lines += [f"   .. {directive}:: {name}.{member}", ""]
    return "\n".join(lines)


def theme(name):
    thing = getattr(pdbfw, name)
    if name.startswith("plot_"):
        return "Pictures"
    if inspect.isclass(thing):
        if hasattr(thing, "predict"):
            return "Estimators"
        if hasattr(thing, "transform"):
            return "Features"
        return "Results and errors"
    return "Functions"


def names():
    """All that is public."""
    return [name for name in pdbfw.__all__ if not name.startswith("__")]


def module_page(name):
    return "\n".join([f"pdbfw.{name}", "=" * (6 + len(name)), "", f".. automodule:: pdbfw.{name}", "   :members:", ""])


def pages():
    """(file name, text) of the index, of every name and of every public module."""
    order = ["Estimators", "Features", "Functions", "Pictures", "Results and errors"]
    out = ["# Python reference", "", inspect.getdoc(pdbfw), "",
           "Estimators also have what scikit-learn gives to all of its own: `get_params`, `set_params`, `score` and so on.", ""]
    for group in order:
        of_group = [name for name in names() if theme(name) == group]
        if not of_group:
            continue
        out += [f"## {group}", "", "| name | what it is |", "|---|---|"]
        for name in of_group:
            summary = (inspect.getdoc(getattr(pdbfw, name)) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
            out.append(f"| [`{name}`]({name}.rst) | {summary.replace('|', chr(92) + '|')} |")
        out += ["", "```{toctree}", ":hidden:", "", *of_group, "```", ""]
    out += ["## Modules", "", "| name | what it is |", "|---|---|"]
    for name in MODULES:
        summary = inspect.getdoc(importlib.import_module(f"pdbfw.{name}")).split("\n\n")[0]
        out.append(f"| [`pdbfw.{name}`]({name}.rst) | {summary} |")
    out += ["", "```{toctree}", ":hidden:", "", *MODULES, "```", ""]
    yield "index.md", "\n".join(out)
    for name in names():
        yield f"{name}.rst", page(name)
    for name in MODULES:
        yield f"{name}.rst", module_page(name)
