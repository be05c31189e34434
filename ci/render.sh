#!/usr/bin/env bash
# Renders the executed chapters in all languages, side by side: _build/sphinx
source "$(dirname "$0")/env.sh"

languages=$(python -m ci.names languages)
cache=$(python -m ci.execute --path)
jupyter-book config sphinx . > /dev/null
python -m ci.site clean

pids=()
trap 'kill "${pids[@]}" 2> /dev/null || :' EXIT
for language in $languages; do
  sphinx-build -q -W -n --keep-going -b html -D language="$language" -D nb_execution_cache_path="$cache" \
    -d "_build/sphinx/doctrees/$language" . "_build/sphinx/$language" &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
exit $status
