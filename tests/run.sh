#!/usr/bin/env bash
# Installs what the tests need, builds every preset, runs every test, and sums up.
#
# The last line is "N passed, N failed, N skipped"; the exit code is 0 when nothing failed. Logs and
# JUnit files are in build/logs.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/logs
venv=$root/build/venv
jobs=$(nproc)
suites=()

usage() {
  echo "usage: tests/run.sh [--fast]"
  echo "  --fast  only the release preset, without the tests labelled slow and bench"
}

say() {
  echo "run: $*"
}

# record SUITE FILE: what the summary reads. A suite without a JUnit file has failed as a whole.
record() {
  suites+=("$1=$2")
}

# The packages of the integration tests, installed again only when what is wanted has changed.
make_venv() {
  local requirements=$root/tests/integration/requirements.txt wanted
  wanted=$({ python3 -VV; cat "$requirements"; } | sha256sum)
  if [[ $(cat "$venv/wanted" 2>/dev/null) != "$wanted" ]]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
    echo "$wanted" >"$venv/wanted"
  fi
}

build() {
  local preset=$1 log=$logs/$1-build.log
  say "building $preset"
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" -j "$jobs"; } \
    >"$log" 2>&1; then
    tail -n 40 "$log"
    say "$preset does not build; the whole log is $log"
    return 1
  fi
}

# run_suite SUITE PRESET CTEST_ARGUMENT...
run_suite() {
  local suite=$1 preset=$2 junit=$logs/$1.xml
  shift 2
  say "testing $suite"
  rm -f "$junit"
  ctest --preset "$preset" --no-tests=ignore -j "$jobs" --output-junit "$junit" "$@" \
    >"$logs/$suite.log" 2>&1 || grep -A 200 'tests passed,' "$logs/$suite.log" | head -n 60 || true
  record "$suite" "$junit"
}

main() {
  local fast=
  case ${1-} in
    '') ;;
    --fast) fast=1 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  cd "$root"
  mkdir -p "$logs"

  if deploy/install-dependencies.sh --tests && make_venv; then
    run_presets "$fast"
  else
    record preparation none
  fi
  exec python3 tests/summary.py "${suites[@]}"
}

run_presets() {
  local fast=$1 unit='integration|bench' preset
  if build release; then
    run_suite release release -LE "$unit"
    if [[ -n $fast ]]; then
      run_suite integration release -L integration -LE 'slow|bench'
    else
      run_suite integration release -L integration -LE bench
      run_suite bench release -L bench
    fi
  else
    record release none
  fi
  [[ -z $fast ]] || return 0
  for preset in asan tsan engine; do
    if build "$preset"; then
      run_suite "$preset" "$preset" -LE "$unit"
    else
      record "$preset" none
    fi
  done
}

main "$@"
