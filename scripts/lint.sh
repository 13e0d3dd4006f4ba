#!/bin/sh
# Formatting of all sources, then clang-tidy on the library and the tool. The tests are only formatted: the macros of
# GoogleTest and RapidCheck make clang-tidy slow and loud there, and the compilers warn about the rest.
set -eu
cd "$(dirname "$0")/.."

echo "clang-format"
scripts/sources.sh | xargs clang-format --dry-run --Werror

# clang-tidy reads how each file is compiled from the build folder; nothing needs to be built.
cmake --preset dev-clang -DPDBFW_PRECOMPILE=OFF -DPDBFW_UNITY=OFF -B build/lint >/dev/null
echo "clang-tidy"
# On standard error it counts what it suppressed in foreign headers; that is of interest only beside a failure.
find src cli examples -name '*.cpp' | LC_ALL=C sort |
  xargs -P "$(nproc)" -n 1 clang-tidy -p build/lint --quiet --warnings-as-errors='*' 2>build/lint/clang-tidy.log || {
  grep -v ' warnings\? generated' build/lint/clang-tidy.log || true
  exit 1
}
