#!/bin/sh
# Prints every C++ file of the project, one a line.
cd "$(dirname "$0")/.."
find include src cli python/src tests bench examples -name '*.hpp' -o -name '*.cpp' | LC_ALL=C sort
