#!/usr/bin/env bash
# Builds the book in all languages: _build/html
source "$(dirname "$0")/env.sh"

python -m flaxbook
python -m ci.execute
./ci/render.sh
python -m ci.site publish
echo "The book is in _build/html; to read it: ./ci/serve.sh"
