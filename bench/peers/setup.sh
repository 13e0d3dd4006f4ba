#!/bin/sh
# The virtual environment of bench/peers, build/peers-venv; nothing to do when it is younger than the list. A library
# that cannot be installed is left out, with a word about it; its cells in the tables then say so.
set -eu

list="$(dirname "$0")/requirements.txt"
venv="$(dirname "$0")/../../build/peers-venv"
[ "$venv/ready" -nt "$list" ] && exit 0
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
if ! "$venv/bin/pip" install --quiet --upgrade -r "$list"; then
  sed '/^#/d' "$list" | while read -r library; do
    "$venv/bin/pip" install --quiet --upgrade "$library" || echo "$library cannot be installed here and is left out" >&2
  done
fi
touch "$venv/ready"
