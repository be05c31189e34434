#!/usr/bin/env bash
# Writes the chapters, their executed outputs and their translations into notebooks/; changes only what has changed.
source "$(dirname "$0")/env.sh"

chapters=$(python -m ci.names chapters)
python -m ci.notebooks --discard-broken
python -m ci.pair
jupytext --quiet --sync $chapters
python -m flaxbook
python -m ci.execute
python -m ci.notebooks
