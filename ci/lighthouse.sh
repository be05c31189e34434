#!/usr/bin/env bash
# Measures every page of the built book with Lighthouse, as on a phone; needs npm and Chromium: ./ci/lighthouse.sh [runs]
source "$(dirname "$0")/env.sh"

npm install --silent --no-audit --no-fund --prefix _build/lighthouse lighthouse@12.8.2
exec python -m ci.lighthouse "${@:-1}"
