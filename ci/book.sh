#!/usr/bin/env bash
# Builds the book, and does all else there is to do with it: ./ci/book.sh [VERB]; ./ci/book.sh --help lists the verbs.
# Here stands only what must run before there is an environment, which it makes from requirements.txt.
set -euo pipefail
export FLAXBOOK_FROM=$PWD
cd -P "$(dirname "${BASH_SOURCE[0]}")/.."

python=
for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
  if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo "error: flaxbook needs Python 3.11, 3.12 or 3.13; found $(python3 --version 2>&1 || echo none)." \
    "Install one, or name it: PYTHON=/path/to/python3.12 $0" >&2
  exit 1
fi

# A locale that is wanted and not installed would stop Sphinx. The commands still speak its language.
if ! "$python" -c 'import locale; locale.setlocale(locale.LC_ALL, "")' 2> /dev/null; then
  export FLAXBOOK_LANG="${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" LC_ALL=C
fi

needed=$([ -f .venv/installed ] && echo 500 || echo 4000) # MiB
free=$(df -Pm . | awk 'NR == 2 {print $4}')
if [ "$free" -lt "$needed" ]; then
  echo "error: not enough disk space: $free MiB free in $PWD, $needed needed" >&2
  exit 1
fi

stamp=$(cksum < requirements.txt)
if [ "$(cat .venv/installed 2>/dev/null)" != "$stamp" ] || ! .venv/bin/python -c '' 2>/dev/null; then
  # Under the lock this script starts again, and finds the work done if another one has done it meanwhile.
  if [ -z "${FLAXBOOK_LOCK:-}" ]; then
    "$python" ci/book/lock.py bash ci/book.sh --install
  else
    echo "Installing the packages of requirements.txt into .venv"
    if ! "$python" -m venv --clear .venv; then
      echo "error: $python cannot make a virtual environment (on Debian: apt install python3-venv)" >&2
      exit 1
    fi
    awk '/^[a-z]/ {own = /^uv==/} own' requirements.txt > .venv/uv.txt
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement .venv/uv.txt
    .venv/bin/uv pip sync --quiet --python .venv/bin/python --require-hashes requirements.txt
    .venv/bin/uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
    echo "$stamp" > .venv/installed
  fi
fi
[ "${1:-}" != --install ] || exit 0

export PATH="$PWD/.venv/bin:$PATH" PYTHONPATH="$PWD" JUPYTER_PREFER_ENV_PATH=1
exec python -m ci "$@"
