#!/usr/bin/env bash
# Renders the executed chapters in all languages, side by side: _build/sphinx
source "$(dirname "$0")/env.sh"

python -m ci.catalogues --parse
jupyter-book config sphinx . > /dev/null
python -m ci.site clean
cache=$(python -m ci.execute --path)
pids=()
for language in $(python -m ci.languages); do
  sphinx-build -q -W -n --keep-going -b html -D language="$language" -D nb_execution_cache_path="$cache" \
    -d "_build/sphinx/doctrees/$language" . "_build/sphinx/$language" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
