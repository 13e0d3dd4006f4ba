#!/bin/sh
# Installs the Debian packages of the given levels (the words that packages.txt begins its lines with) that are missing.
# Does nothing when all are there. Without the right to install it names them and fails.
set -eu

list="$(dirname "$0")/packages.txt"
wanted=$(for level in "$@"; do sed -n "s/^$level //p" "$list"; done)

if ! command -v dpkg-query >/dev/null; then
  echo "This is not Debian, so packages are not checked. Needed, under your system's names:" $wanted
  exit 0
fi

missing=
for package in $wanted; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

give_up() {
  echo "These packages are missing and cannot be installed from here:$missing" >&2
  echo "Please run:" >&2
  echo "  sudo apt-get install --no-install-recommends$missing" >&2
  exit 1
}

# A password can be asked for only in a terminal.
if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
  as_root=sudo
else
  give_up
fi

echo "Installing:$missing"
$as_root apt-get update -qq || give_up
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing || give_up
