#!/usr/bin/env python3
"""Builds and runs all tests. Every part runs even if another one failed, and the last line is N passed, N failed, N skipped.

The packages of the Python tests are fetched while the compiler works. Where they cannot be had, those tests are skipped,
and the reason is told.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "dev"
PYTHON = ROOT / "build" / "python-venv" / "bin" / "python"
# They take long and seldom fail: `make check-shared` runs them.
ELSEWHERE = "^(packaging.shared|headers.compile_alone)$"
# The tests of several processes mostly wait for mpirun; beside these, the processors have room for others.
WAITING = 2


class Count:
    """What passed, failed and was skipped, with the names of what failed."""

    def __init__(self):
        self.passed, self.skipped, self.failed = 0, 0, []

    def add_report(self, path, part):
        """The results in a JUnit file; a part that left none has failed as a whole."""
        try:
            cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
        except (OSError, xml.etree.ElementTree.ParseError):
            cases = []
        if not cases:
            self.failed.append(f"{part}: no test was run")
        for case in cases:
            skipped = case.find("skipped")
            # CTest calls a program that was not built "skipped", too.
            is_missing = skipped is not None and "Unable to find" in skipped.get("message", "")
            if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail" or is_missing:
                self.failed.append(f"{part}: {case.get('name')}")
            elif skipped is not None:
                self.skipped += 1
            else:
                self.passed += 1


def run(*command, **environment):
    """Whether the command ended well; what it prints is shown as it comes."""
    print("+", *command, flush=True)
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=os.environ | environment, check=False).returncode == 0


class Environment(threading.Thread):
    """Python's packages, fetched beside the compiler's work."""

    def __init__(self):
        super().__init__()
        self.done = None

    def run(self):
        self.done = subprocess.run(["make", "--no-print-directory", "build/python-venv/ready"], cwd=ROOT, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def is_ready(self):
        self.join()
        return self.done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="tests at a time")
    jobs = parser.parse_args().jobs
    count = Count()
    seconds = {}

    def part(name, *command, report=None, **environment):
        start = time.monotonic()
        is_good = run(*command, **environment)
        seconds[name] = time.monotonic() - start
        if report:
            before = len(count.failed)
            count.add_report(report, name)
            if not is_good and len(count.failed) == before:
                count.failed.append(f"{name}: ended with an error")
            report.unlink(missing_ok=True)
        elif not is_good:
            count.failed.append(name)
        return is_good

    environment = Environment()
    environment.start()
    # What cannot be built is told by the compiler, and its tests fail as not found; all others are still run.
    if part("configure", "cmake", "--preset", "dev"):
        part("build", "cmake", "--build", "--preset", "dev", "--", "-k", "0")
        report = BUILD / "ctest.xml"
        part("C++ and command line", "ctest", "--preset", "dev", "-j", jobs + WAITING, "-E", ELSEWHERE, "--output-junit", report, report=report)
    if environment.is_ready():
        if (part("configure with Python", "cmake", "--preset", "dev", "-DPDBFW_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={PYTHON}")
                and part("build the Python module", "cmake", "--build", "--preset", "dev", "--target", "_core")):
            report = BUILD / "pytest.xml"
            part("Python", PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", jobs, "--junitxml", report, report=report,
                 PYTHONPATH=str(BUILD / "python"))
    else:
        print(environment.done.stdout)
        print("The Python tests did NOT run: the packages that they need could not be installed (the reason is above).")
        count.skipped += 1

    print("\n" + ", ".join(f"{name} {time_of:.0f} s" for name, time_of in seconds.items()))
    for name in count.failed:
        print("FAILED", name)
    print(f"{count.passed} passed, {len(count.failed)} failed, {count.skipped} skipped")
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
