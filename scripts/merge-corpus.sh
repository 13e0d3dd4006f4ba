#!/bin/sh
# Adds to tests/fuzz/corpus/<subject> those inputs of fuzz-work/<subject> that reach code no other input reaches, if they are
# short. The corpus as a whole stays below a size that a clone does not notice.
set -eu
cd "$(dirname "$0")/.."
longest_bytes=256
most_kilobytes=200

# See check-sanitizers.sh.
fixed_addresses=
if setarch -R true 2>/dev/null; then fixed_addresses="setarch -R"; fi

cmake --preset asan-ubsan
cmake --build --preset asan-ubsan --target fuzzers
for source in tests/fuzz/*_reader_fuzz.cpp; do
  subject=$(basename "$source" _reader_fuzz.cpp)
  [ -d "fuzz-work/$subject" ] || continue
  # Longer ones are not cut but left out.
  short=$(mktemp -d)
  find "fuzz-work/$subject" -type f -size -"$((longest_bytes + 1))"c -exec cp {} "$short" \;
  $fixed_addresses "build/asan-ubsan/${subject}_reader_fuzz" -merge=1 "tests/fuzz/corpus/$subject" "$short" 2>&1 | grep 'MERGE-OUTER: [0-9]* new files' |
    sed "s/^/$subject: /" || true
  rm -r "$short"
done

kilobytes=$(cat tests/fuzz/corpus/*/* | wc -c | awk '{ print int($1 / 1000) }')
echo "the corpus has $kilobytes kB"
if [ "$kilobytes" -ge "$most_kilobytes" ]; then
  echo "that is $most_kilobytes kB or more: take some of it out" >&2
  exit 1
fi
