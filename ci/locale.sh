#!/usr/bin/env bash
# For translators. Nothing here executes a chapter.
#   ./ci/locale.sh update [LANGUAGE ...]                  bring catalogues and translated notebooks into step with English
#   ./ci/locale.sh check [--format F] [FILE ...]          say what is wrong with the catalogues, with file and line
#   ./ci/locale.sh status                                 say how far each page is in each language
#   ./ci/locale.sh preview LANGUAGE [CHAPTER] [--port N]  show the book while a catalogue is edited
#   ./ci/locale.sh new LANGUAGE                           begin another language, such as ja
verb=${1:-}
case $verb in
  update | check | status | preview | new) ;;
  *)
    sed -n '3,7s/^#   //p' "$0" >&2
    exit 2
    ;;
esac
source "$(dirname "$0")/env.sh"
shift

needs_gettext() {
  if ! command -v msgmerge > /dev/null; then
    echo "error: msgmerge is needed to update catalogues (Debian: apt install gettext; macOS: brew install gettext)" >&2
    exit 1
  fi
}

update() {
  ./ci/messages.sh
  python -m ci.update "$@"
  python -m ci.notebooks --stored
}

case $verb in
  update)
    needs_gettext
    update "$@"
    ;;
  check)
    ./ci/messages.sh
    python -m ci.check "$@"
    ;;
  status) python -m ci.progress ;;
  preview)
    ./ci/messages.sh
    exec python -m ci.preview "$@"
    ;;
  new)
    needs_gettext
    python -m ci.new_language "$@"
    update "$@"
    ;;
esac
