#!/usr/bin/env bash
# Brings the catalogues up to date with the English: ./ci/locale.sh update
source "$(dirname "$0")/env.sh"

if [ "${1:-}" != update ]; then
  echo "usage: ./ci/locale.sh update" >&2
  exit 2
fi
if ! command -v msgmerge > /dev/null; then
  echo "error: msgmerge is needed to update catalogues (Debian: apt install gettext; macOS: brew install gettext)" >&2
  exit 1
fi
python -m flaxbook
python -m ci.execute
./ci/messages.sh
python -m ci.update
