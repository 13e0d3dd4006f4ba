#!/bin/sh
# Runs every tests/fuzz/<subject>_reader_fuzz.cpp for the given number of seconds, from tests/fuzz/corpus/<subject>.
# New inputs are kept in fuzz-work/<subject>, and what made a target fail in fuzz-work/<subject>-failure-*.
set -eu
cd "$(dirname "$0")/.."
seconds="$1"

# See check-sanitizers.sh.
fixed_addresses=
if setarch -R true 2>/dev/null; then fixed_addresses="setarch -R"; fi

cmake --preset fuzz
cmake --build --preset fuzz
for source in tests/fuzz/*_reader_fuzz.cpp; do
  subject=$(basename "$source" _reader_fuzz.cpp)
  echo "fuzz: the $subject reader for $seconds s"
  mkdir -p "fuzz-work/$subject"
  if ! $fixed_addresses "build/fuzz/${subject}_reader_fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="fuzz-work/$subject-failure-" \
    "fuzz-work/$subject" "tests/fuzz/corpus/$subject" >"fuzz-work/$subject.log" 2>&1; then
    tail -n 100 "fuzz-work/$subject.log"
    exit 1
  fi
  grep '^stat::' "fuzz-work/$subject.log"
done
