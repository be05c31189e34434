#!/usr/bin/env bash
# Builds the book, checks it, serves it: ./ci/book.sh [VERB]; ./ci/book.sh --help lists the verbs.
# This script does only what must be done before the packages are installed; ci/test.sh begins with it, too.
set -euo pipefail
export FLAXBOOK_FROM=$PWD
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."

for candidate in .venv/bin/python ${PYTHON:-} python3 python3.13 python3.12 python3.11 none; do
  if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
    break
  fi
done
if [ "$candidate" = none ]; then
  echo "error: the book needs Python 3.11, 3.12 or 3.13; found $(python3 --version 2>&1 || echo none)." \
    "Install one, or name it: PYTHON=/path/to/python3.12 $0" >&2
  exit 1
fi
"$candidate" ci/book/install.py

# Sphinx stops at a locale that is not installed. The commands still use its language.
if ! .venv/bin/python -c 'import locale; locale.setlocale(locale.LC_ALL, "")' 2> /dev/null; then
  export FLAXBOOK_LANG="${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" LC_ALL=C
fi

unset PYTHONDONTWRITEBYTECODE # otherwise every command and every kernel compiles all packages again
export PATH="$PWD/.venv/bin:$PATH" PYTHONPATH="$PWD" JUPYTER_PREFER_ENV_PATH=1
exec python -m "${module:-ci}" "$@"
