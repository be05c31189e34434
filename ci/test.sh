#!/usr/bin/env bash
# Runs all checks: ./ci/test.sh; those of some chapters: ./ci/test.sh CHAPTER...
module=ci.checks.checks
. "$(dirname "${BASH_SOURCE[0]}")/book.sh"
