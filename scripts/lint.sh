#!/bin/sh
# Formatting of all sources, then clang-tidy on the library, the tool and the examples. The tests are only formatted: the
# macros of GoogleTest and RapidCheck make clang-tidy slow and loud there, and the compilers warn about the rest.
set -eu
cd "$(dirname "$0")/.."

echo "clang-format"
scripts/sources.sh | xargs clang-format --dry-run --Werror

# clang-tidy reads how each file is compiled from the build folder; nothing needs to be built.
cmake --preset dev-clang -DPDBFW_PRECOMPILE=OFF -DPDBFW_UNITY=OFF -B build/lint >/dev/null
cmake --preset dev-clang -DPDBFW_PRECOMPILE=OFF -B build/lint-together >/dev/null

# tidy FOLDER CHECKS: the files on standard input. On standard error clang-tidy counts what it suppressed in foreign
# headers; that is of interest only beside a failure.
tidy() {
  LC_ALL=C sort -u |
    xargs -P "$(nproc)" -n 1 clang-tidy -p "$1" --quiet --warnings-as-errors='*' --checks="$2" 2>"$1/clang-tidy.log" || {
    grep -v ' warnings\? generated' "$1/clang-tidy.log" || true
    exit 1
  }
}

# Most of its time goes into foreign headers. So each file is read alone only for what shows there: an include that is
# missing, what the compiler warns of, and the one check that looks at no included file.
echo "clang-tidy, each file"
find src cli -name '*.cpp' | tidy build/lint '-*,clang-diagnostic-*,misc-unused-using-decls'
# All other checks, on several files at a time.
echo "clang-tidy, all checks"
sed -n 's/^ *"file": "\(.*\)".*/\1/p' build/lint-together/compile_commands.json |
  grep -E "^$PWD/(src|cli|examples)/|/pdbfw_(library|tool)\.dir/Unity/" | tidy build/lint-together '-bugprone-suspicious-include'
