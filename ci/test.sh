#!/usr/bin/env bash
# Runs all checks: ./ci/test.sh; those of some chapters: ./ci/test.sh CHAPTER...; those of a change: ./ci/test.sh --changed
exec "$(dirname "$0")/book.sh" test "$@"
