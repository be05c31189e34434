#!/usr/bin/env bash
# Extracts the messages that translators see: _build/gettext
source "$(dirname "$0")/env.sh"

jupyter-book config sphinx . > /dev/null
sphinx-build -q -b gettext -D nb_execution_cache_path="$(python -m ci.execute --path)" \
  -d _build/gettext-doctrees . _build/gettext
