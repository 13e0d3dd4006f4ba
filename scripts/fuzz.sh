#!/bin/sh
# Runs every tests/fuzz/<subject>_reader_fuzz.cpp for the given number of seconds, from tests/fuzz/corpus/<subject>.
# New inputs are kept in fuzz-work/<subject>, and what made a target fail in fuzz-work/<subject>-failure-*.
set -eu
cd "$(dirname "$0")/.."
seconds="$1"

# See check-sanitizers.sh.
fixed_addresses=
if setarch -R true 2>/dev/null; then fixed_addresses="setarch -R"; fi

cmake --preset asan-ubsan
cmake --build --preset asan-ubsan --target fuzzers

# One target: its own folder, log and exit code.
fuzz() {
  mkdir -p "fuzz-work/$1"
  $fixed_addresses "build/asan-ubsan/${1}_reader_fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="fuzz-work/$1-failure-" \
    "fuzz-work/$1" "tests/fuzz/corpus/$1" >"fuzz-work/$1.log" 2>&1
}

# Two at a time: each needs one core.
set -- $(for source in tests/fuzz/*_reader_fuzz.cpp; do basename "$source" _reader_fuzz.cpp; done)
while [ $# -gt 0 ]; do
  pair="$1${2:+ $2}"
  shift $(($# > 1 ? 2 : 1))
  echo "fuzz: $pair, $seconds s"
  jobs=
  for subject in $pair; do
    fuzz "$subject" &
    jobs="$jobs $subject:$!"
  done
  for job in $jobs; do
    if ! wait "${job#*:}"; then
      tail -n 100 "fuzz-work/${job%:*}.log"
      exit 1
    fi
    grep '^stat::' "fuzz-work/${job%:*}.log"
  done
done
