#!/usr/bin/env bash
# Installs what the tests need, builds, runs every test that is neither slow nor long, and sums up.
#
# The last line is "N passed, N failed, N skipped"; the exit code is 0 when nothing failed. Logs and
# JUnit files are in build/logs.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/logs
venv=$root/build/venv
jobs=$(nproc)
suites=()
venv_maker=  # the process that makes venv
minutes=
tested=  # the suite whose tests run in the background
tester=  # their process group

usage() {
  cat <<'END'
usage: tests/run.sh [--fast | --slow] [--minutes N]
       tests/run.sh (--room ROOM ... | --changed)
  --fast       only the release preset, and no benchmark
  --slow       the tests labelled slow as well, and every file compiled by itself
  --minutes N  a suite that would end later, at the pace so far, is skipped; the summary says so
  --room ROOM  builds and runs only the unit tests of one room, in the debug preset; ROOM is a path
               (connectors/kafka), its last component (kafka: every room of that name), or a folder
               of rooms (windows); repeat the option for several rooms
  --changed    the same for the rooms whose files differ from the merge base with origin/main (or
               main); when none differs, for the rooms of the last commit
END
}

say() {
  echo "run: minute $((SECONDS / 60)): $*"
}

# record SUITE FILE: adds a suite to the summary. A suite without a JUnit file has failed as a
# whole.
record() {
  suites+=("$1=$2")
}

# The room that the builds and packages of an extent fill; that of slow is estimated.
declare -A takes_gb=([fast]=4 [normal]=12 [slow]=20)

# look_for_room EXTENT: warns if the disk has less room than the builds and the packages need.
look_for_room() {
  local needed=${takes_gb[$1]} built free
  built=$(du --summarize --block-size=1G build | cut -f1)
  free=$(df --block-size=1G --output=avail . | tail -n 1)
  if ((free + built < needed)); then
    say "warning: build/ needs about $needed GB, and has $((free + built)) GB (it fills $built" \
      "already)"
  fi
}

# Installs the packages of the integration tests, again only if the list has changed.
make_venv() {
  local requirements=$root/tests/integration/requirements.txt wanted
  wanted=$({ python3 -VV; cat "$requirements"; } | sha256sum)
  if [[ $(cat "$venv/wanted" 2>/dev/null) != "$wanted" ]]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile \
      --requirement "$requirements"
    echo "$wanted" >"$venv/wanted"
  fi
}

# build PRESET [TARGET ...]: all targets when none is named. Tests that run meanwhile come first.
build() {
  local preset=$1 log=$logs/$1-build.log
  shift
  say "building $preset"
  if ! { cmake --preset "$preset" &&
    nice cmake --build --preset "$preset" -j "$jobs" ${1+--target "$@"}; } >"$log" 2>&1; then
    tail -n 40 "$log"
    say "$preset does not build; the whole log is $log"
    return 1
  fi
}

# begin_tests SUITE PRESET CTEST_ARGUMENT...: begins the tests in the background. One test runs for
# each core; twice as many tests of whole programs, because these wait half of the time, and one
# more with a sanitizer, because tests with a broker or with threads wait.
begin_tests() {
  local suite=$1 preset=$2 junit=$logs/$1.xml at_once=$jobs
  shift 2
  case $suite in
    integration) at_once=$((2 * jobs)) ;;
    asan | tsan) at_once=$((jobs + 1)) ;;
  esac
  say "testing $suite"
  rm -f "$junit"
  set -m  # a group of its own: without one, the shell would let its tests ignore SIGINT
  ctest --preset "$preset" --no-tests=ignore -j "$at_once" --output-junit "$junit" \
    --test-output-size-passed 10000000 --test-output-size-failed 10000000 "$@" \
    >"$logs/$suite.log" 2>&1 </dev/null &
  set +m
  tester=$!
  tested=$suite
  record "$suite" "$junit"
}

# end_tests: waits for the tests that have begun.
end_tests() {
  [[ -n $tested ]] || return 0
  wait "$tester" || grep -A 200 'tests passed,' "$logs/$tested.log" | head -n 60 || true
  tested=
}
trap '[[ -z $tested ]] || kill -- "-$tester"' EXIT

main() {
  local extent=normal
  [[ ${1-} != --room && ${1-} != --changed ]] || exec python3 "$root/tests/rooms.py" "$@"
  while (($#)); do
    case $1 in
      --fast) extent=fast ;;
      --slow) extent=slow ;;
      --minutes)
        minutes=${2-}
        [[ $minutes =~ ^[0-9]{1,6}$ ]] || { usage >&2; exit 2; }
        shift ;;
      -h | --help) usage; exit 0 ;;
      *) usage >&2; exit 2 ;;
    esac
    shift
  done
  cd "$root"
  mkdir -p "$logs"
  look_for_room "$extent"

  if deploy/install-dependencies.sh --tests; then
    make_venv &  # mostly waits for the network
    venv_maker=$!
    run_presets "$extent"
    end_tests
  else
    record preparation none
  fi
  exec python3 tests/summary.py "${suites[@]}"
}

# The minutes that a suite takes on two usual cores, with its build.
declare -A usual=([engine]=11 [integration]=13 [bench]=2 [asan]=11 [tsan]=16)
usual_so_far=0

# fits SUITE: whether the suite would end before --minutes. A machine that was slower than usual so
# far is expected to stay so.
fits() {
  local takes=$((${usual[$1]-0} * 60)) pace=100
  if ((usual_so_far > 0 && SECONDS > usual_so_far)); then
    pace=$((100 * SECONDS / usual_so_far))
  fi
  [[ -z $minutes ]] || ((SECONDS + takes * pace / 100 <= minutes * 60)) || return 1
  usual_so_far=$((usual_so_far + takes))
}

# suite SUITE PRESET "TARGET ..." CTEST_ARGUMENT...: builds beside the tests of the suite before,
# then begins its own.
suite() {
  local name=$1 preset=$2 targets=$3
  shift 3
  # shellcheck disable=SC2086  # targets are words
  if ! fits "$name"; then
    say "no time is left for $name"
    record "$name" late
  elif build "$preset" $targets; then
    end_tests
    begin_tests "$name" "$preset" "$@"
  else
    record "$name" none
  fi
}

# With optimisation: the engine's tests, those that no sanitizer can run, the whole programs and the
# benchmark. With AddressSanitizer
# and UndefinedBehaviorSanitizer: every room, and the fuzzer with each target for its share of three
# minutes, which begins with the inputs that earlier runs found. With ThreadSanitizer: the engine,
# without tests that take long and start no thread, and the rooms that have their own threads.
run_presets() {
  local extent=$1
  local programs='sashd sashctl sash-generate filter_answers kill_points wrong_clock config_test'
  programs+=' parquet_tables engine_tests unsanitized_tests'
  local rooms='engine_tests room_tests' not='slow|long'
  if [[ $extent == slow ]]; then
    rooms+=' slow_tests'
    not=long
    export SASH_ALL_ROUNDS=1
  fi
  suite engine release "$programs" -L 'engine|lint|unsanitized'
  wait "$venv_maker" || { record preparation none; return 0; }
  suite integration release "$programs" -L integration -LE "$not"
  end_tests  # tests with a browser take half as long again beside a build
  [[ $extent != fast ]] || return 0
  suite bench release 'sash_bench bench_test' -L bench
  suite asan asan "$rooms fuzzer" -L 'engine|room|slow|fuzz' -LE "$not|integration|mutants"
  suite tsan tsan 'engine_tests threaded_room_tests' -L 'engine|threaded_room' -LE one_thread
  [[ $extent == slow ]] || return 0
  suite mutants release kill_points -L mutants
  suite each-file each-file '' -L 'engine|room|unsanitized'
}

main "$@"
