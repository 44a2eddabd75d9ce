#!/usr/bin/env bash
# Builds the benchmark (preset release) and runs it with the arguments given; see --help.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
started_in=$PWD
log=$root/build/bench-build.log

mkdir -p "$root/build"
cd "$root"
build() {
  cmake --preset release && cmake --build --preset release --target sash_bench -j "$(nproc)"
}
if ! build >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "run: it does not build; the whole log is $log" >&2
  exit 1
fi
# Idle threads sleep, as in sashd: spinning threads would take the cores from working ones.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
# The caller's directory: --json may name a relative path.
cd "$started_in"
exec "$root/build/release/tests/bench/sash_bench" "$@"
