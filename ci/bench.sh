#!/usr/bin/env bash
# Prints what building costs on this machine: preparing the data, a build from nothing, a build with nothing changed.
source "$(dirname "$0")/env.sh"

timed() { # name, command...
  local start=$SECONDS
  "${@:2}" > _build/bench.log 2>&1 || { cat _build/bench.log; exit 1; }
  echo "$1: $((SECONDS - start)) s; $(grep -E 'cells executed|: ready in' _build/bench.log | tail -1)"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nproc | sed 's/$/ cores/'
timed "digits28 from nothing" env TFDS_DATA_DIR="$folder" python -m flaxbook
rm -rf _build/cache
echo "each chapter with the machine to itself:"
python -m ci.execute --alone | grep 'book/.*│'
rm -rf _build/cache _build/sphinx
timed "book from nothing" ./ci/book.sh
echo "all at once, as the build runs them:"
python -m ci.execute | grep 'book/.*│'
timed "book with nothing changed" ./ci/book.sh
