#!/usr/bin/env python3
"""Prints, as a pattern for ctest -R, the names of the C++ tests that start threads: each program of a build folder is run and watched."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MARK = "starts_threads"  # the property that tests/support/started_threads.cpp records


def threaded_tests(program):
    """The CTest names of the tests of one program that start threads."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([str(program), f"--gtest_output=json:{report}"], cwd=folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        suites = json.loads(report.read_text())["testsuites"]
    room = program.name.removesuffix("_tests")
    return [f"{room}.{suite['name']}.{test['name']}" for suite in suites for test in suite["testsuite"] if MARK in test]


def main():
    programs = sorted(pathlib.Path(sys.argv[1], "tests").resolve().glob("*_tests"))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        names = [name for names in pool.map(threaded_tests, programs) for name in names]
    if not names:
        sys.exit(f"{sys.argv[1]}: no test starts a thread, which cannot be")
    print("|".join(name.replace(".", "[.]") for name in names))


if __name__ == "__main__":
    main()
