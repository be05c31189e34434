#!/usr/bin/env bash
# Renews requirements.txt from pyproject.toml: ./ci/lock.sh [--upgrade]
source "$(dirname "$0")/env.sh"
uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --generate-hashes --no-header \
  --group book --group check --output-file requirements.txt "$@" pyproject.toml
