#!/usr/bin/env bash
# Writes the chapters, their executed outputs and their translations into notebooks/; changes only what has changed.
source "$(dirname "$0")/env.sh"

jupytext --quiet --sync $(python -m ci.chapters)
python -m flaxbook
python -m ci.execute
python -m ci.notebooks
