#!/bin/sh
# Runs every fuzz target for the given number of seconds, starting from tests/fuzz/corpus/<target>.
# New inputs are kept in fuzz-work/<target>, and what made a target fail in fuzz-work/<target>-failure-*.
set -eu
cd "$(dirname "$0")/.."
seconds="$1"

fixed_addresses=
if setarch -R true 2>/dev/null; then fixed_addresses="setarch -R"; fi

cmake --preset fuzz
cmake --build --preset fuzz
for source in tests/fuzz/*_fuzz.cpp; do
  target=$(basename "$source" _fuzz.cpp)
  echo "fuzz: $target for $seconds s"
  mkdir -p "fuzz-work/$target"
  $fixed_addresses "build/fuzz/${target}_fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="fuzz-work/$target-failure-" \
    "fuzz-work/$target" "tests/fuzz/corpus/$target"
done
