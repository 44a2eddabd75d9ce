#!/usr/bin/env bash
# Builds daemon/console/bundle from its sources; with --check, reports whether it matches them.
#
# Needs Node.js and npm; the build of sashd does not, since it uses the finished bundle. The
# packages are installed in build/console, outside the sources.
# Exit code 75: they could not be fetched.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
temporary_failure=75
work=${SASH_CONSOLE_WORK:-$here/../../build/console}

usage() {
  echo "usage: daemon/console/bundle.sh [--check]"
}

prepare() {
  mkdir -p "$work"
  exec 9>"$work.lock"  # tests that use the same packages wait
  flock 9
  for file in package.json package-lock.json .npmrc tsconfig.json bundle.mjs; do
    cp "$here/$file" "$work/"
  done
  rm -rf "$work/page" "$work/bundle"
  cp -r "$here/page" "$work/page"
  if ! cmp -s "$work/package-lock.json" "$work/node_modules/.installed"; then
    (cd "$work" && npm ci --no-fund --no-audit --loglevel=error) || exit "$temporary_failure"
    cp "$work/package-lock.json" "$work/node_modules/.installed"
  fi
}

main() {
  case ${1-} in
    '' | --check) ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  prepare
  (cd "$work" && npm run --silent check && npm run --silent bundle)
  if [[ ${1-} == --check ]]; then
    diff -r --brief "$work/bundle" "$here/bundle" && echo "the bundle is what its sources make"
  else
    rm -rf "$here/bundle"
    cp -r "$work/bundle" "$here/bundle"
    du -b "$here"/bundle/*
  fi
}

main "$@"
