#!/usr/bin/env bash
# Validates the notebooks as other machines would: other instruction sets, cores, time zones, locales, hash seeds, a home
# that cannot be written. ./ci/matrix.sh [REPETITIONS]
source "$(dirname "$0")/env.sh"
export TFDS_DATA_DIR="${TFDS_DATA_DIR:-$HOME/tensorflow_datasets}"
python -m flaxbook
reports=_build/matrix
rm -rf "$reports"
mkdir -p "$reports"

failed=0
shape() { # name, last core, environment...
  local log="$reports/$1.log"
  if taskset -c "0-$2" env "${@:3}" pytest -q -n "$(($2 + 1))" --dist loadscope -p no:cacheprovider \
    --nbval notebooks/en > "$log" 2>&1; then
    echo "$1: $(tail -1 "$log")"
  else
    echo "$1: $(tail -1 "$log"), see $log"
    failed=$((failed + 1))
  fi
}

for run in $(seq "${1:-1}"); do
  for cores in 1 2; do
    last=$((cores - 1))
    shape "$run-native-$cores" $last PYTHONHASHSEED=0
    shape "$run-avx2-$cores" $last XLA_FLAGS=--xla_cpu_max_isa=AVX2 TZ=Asia/Seoul PYTHONHASHSEED=1
    shape "$run-avx-$cores" $last XLA_FLAGS=--xla_cpu_max_isa=AVX LC_ALL=C LANG=C
    shape "$run-sse4-$cores" $last XLA_FLAGS=--xla_cpu_max_isa=SSE4_2 LC_ALL=ko_KR.UTF-8 HOME=/dev/null
  done
done
echo "$failed failed"
[ "$failed" = 0 ]
