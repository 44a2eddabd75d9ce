#!/usr/bin/env bash
# From a fresh clone to PageRank and BFS of a sliding window, shown in the browser, on the terminal
# and over HTTP.
#
# Installs what is missing, builds, and runs sashd with its embedded Kafka broker, fed by
# sash-generate. Ctrl-C stops both.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
url=http://127.0.0.1:9640
sashd=${SASHD:-$root/build/release/daemon/sashd}
generate=${SASH_GENERATE:-$root/build/release/daemon/generate/sash-generate}
start_seconds=30
stop_seconds=15
sashd_pid=
generate_pid=
folder=

usage() {
  echo "usage: deploy/quickstart.sh [--no-build]"
  echo "  --no-build  run the programs of an earlier build"
}

say() {
  echo "quickstart: $*"
}

fail() {
  echo "quickstart: $*" >&2
  exit 1
}

build() {
  "$root/deploy/install-dependencies.sh"
  say "building (the first time takes some minutes); then the console is at $url"
  cd "$root"
  cmake --preset release >/dev/null
  cmake --build --preset release --target sashd sashctl sash-generate
}

# In a new session, so that Ctrl-C reaches only this script, which then stops everything in order;
# the kernel ends the programs when this script ends, for whatever reason.
start() {
  setsid setpriv --pdeathsig TERM -- "$@" </dev/null &
}

# stop PID: sends SIGTERM, waits, and finally kills.
stop() {
  local pid=$1 tenths=$((stop_seconds * 10))
  kill -TERM "$pid" 2>/dev/null || return 0
  while kill -0 "$pid" 2>/dev/null; do
    if ((tenths-- == 0)); then
      kill -KILL "$pid" 2>/dev/null || true
    fi
    sleep 0.1
  done
}

stop_all() {
  trap '' INT TERM HUP
  [[ -z $generate_pid ]] || stop "$generate_pid"
  [[ -z $sashd_pid ]] || stop "$sashd_pid"
  [[ -z $folder ]] || rm -rf -- "$folder"
}

check_port() {
  if (exec 3<>/dev/tcp/127.0.0.1/9640) 2>/dev/null; then
    fail "port 9640 is taken (by another sashd?); stop what listens there and try again"
  fi
}

# The address of the embedded broker, once sashd has logged it.
wait_for_broker() {
  local tenths=$((start_seconds * 10)) address
  while ((tenths-- > 0)); do
    kill -0 "$sashd_pid" 2>/dev/null || fail "sashd ended before it was ready; its log is above"
    address=$(curl --silent --max-time 2 "$url/api/v1/source" |
      sed -n 's/.*"address": *"\([^"]*\)".*/\1/p') || true
    if [[ -n $address ]]; then
      echo "$address"
      return
    fi
    sleep 0.1
  done
  fail "sashd did not answer at $url/api/v1/source within $start_seconds seconds"
}

invite() {
  cat <<END

Sash is running. See it move: $url
Or, in another terminal:
  $root/build/release/daemon/control/sashctl top influencers
  curl $url/api/v1/windows
  curl "$url/api/v1/jobs/influencers/results/latest?top=5"
  curl "$url/api/v1/jobs/reach/results/latest?top=5"
  curl $url/api/v1/windows/last-1m/vertices/v2565
  curl $url/metrics
Ctrl-C stops it.

END
}

main() {
  case ${1-} in
    '') build ;;
    --no-build) ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  check_port
  trap stop_all EXIT
  trap 'say "stopping"; exit 0' INT TERM HUP

  # The file of dead letters is in the current folder.
  folder=$(mktemp -d)
  cd "$folder"
  start "$sashd" --config "$root/configs/quickstart.yaml"
  sashd_pid=$!
  local broker
  broker=$(wait_for_broker)
  start "$generate" --to kafka --brokers "$broker" --topic interactions --seed 1 --rate 2000 \
    --start now --graph rmat --scale 12 --episodes-every 60s --format json
  generate_pid=$!
  invite

  local status=0 ended=sashd
  wait -n "$sashd_pid" "$generate_pid" || status=$?
  if kill -0 "$sashd_pid" 2>/dev/null; then
    ended=sash-generate
  fi
  say "$ended ended with $status" >&2
  return 1
}

main "$@"
