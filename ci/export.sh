#!/usr/bin/env bash
# Writes a chapter as a post for a Jekyll blog: ./ci/export.sh LANGUAGE CHAPTER [FOLDER]
[[ ${3:-/} == [/-]* ]] || set -- "$1" "$2" "$PWD/$3" "${@:4}" # env.sh leaves the folder the user stands in
source "$(dirname "$0")/env.sh"
exec python -m ci.export "$@"
