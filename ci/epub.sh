#!/usr/bin/env bash
# Makes the book as an EPUB in each language, or in those named: _build/epub/flaxbook-LANGUAGE.epub
source "$(dirname "$0")/env.sh"

python -m flaxbook
python -m ci.execute
jupyter-book config sphinx . > /dev/null
for language in ${*:-$(python -m ci.names languages)}; do
  rm -rf "_build/epub/$language"
  sphinx-build -q -W -n --keep-going -b epub -D language="$language" -D epub_basename="flaxbook-$language" \
    -D nb_execution_cache_path="$(python -m ci.execute --path)" \
    -d "_build/epub/doctrees/$language" . "_build/epub/$language"
  mv "_build/epub/$language/flaxbook-$language.epub" _build/epub/
  echo "written: _build/epub/flaxbook-$language.epub"
done
