#!/usr/bin/env bash
# Extracts the messages that translators see, if the English is newer: _build/gettext. Executes nothing.
source "$(dirname "$0")/env.sh"

python -m ci.words
if [ -e _build/gettext/complete ] &&
  [ -z "$(find book _toc.yml _config.yml "notebooks/$(python -m ci.names languages | sed -n 1p)" ci/messages.sh \
    -newer _build/gettext/complete -print -quit)" ]; then
  exit
fi
jupyter-book config sphinx . > /dev/null
sphinx-build -q -b gettext -D nb_execution_cache_path="$(python -m ci.stored)" \
  -d _build/gettext-doctrees . _build/gettext
touch _build/gettext/complete
