#!/usr/bin/env bash
# Checks everything: code, book, catalogues, notebooks, pages. All checks run; the last lines count them.
source "$(dirname "$0")/env.sh"

reports=_build/reports
rm -rf "$reports"
mkdir -p "$reports"

check() { # name, command...
  echo
  echo "== $1"
  if "${@:2}"; then echo passed > "$reports/$1.result"; else echo failed > "$reports/$1.result"; fi
}

check lint ruff check .
check format ruff format --check .
check unit pytest -q -n auto --dist loadfile --junitxml="$reports/unit.xml" --ignore=tests/site tests
check book ./ci/book.sh
check messages ./ci/messages.sh
check catalogues python -m ci.check
check defects python -m ci.defects
check refresh python -m ci.notebooks --check
check notebooks pytest -q -n auto --dist loadscope --junitxml="$reports/notebooks.xml" --nbval notebooks/en
check pages pytest -q -rs -n auto --junitxml="$reports/pages.xml" tests/site

echo
python -m ci.summary "$reports"
