#!/bin/sh
# The whole test suite under address + undefined behaviour; then, under thread, the tests that start threads or processes.
set -eu
cd "$(dirname "$0")/.."

# Clang 14's sanitizers cannot start on kernels that spread addresses over more bits than they expect. Where the
# container forbids to switch that off, they are run as they are.
fixed_addresses=
if setarch -R true 2>/dev/null; then fixed_addresses="setarch -R"; fi

build() {
  echo "sanitizers: $1"
  cmake --preset "$1"
  cmake --build --preset "$1"
}

build asan-ubsan
$fixed_addresses ctest --preset asan-ubsan -j "$(nproc)"

# Which tests start threads is seen by running them without a sanitizer (tests/support/started_threads.cpp). Those of the
# command line start processes.
cmake --preset dev
cmake --build --preset dev
threaded=$(scripts/threaded_tests.py build/dev)
build tsan
$fixed_addresses ctest --preset tsan -j "$(nproc)" -R "^(cli[.].*|$threaded)\$"
