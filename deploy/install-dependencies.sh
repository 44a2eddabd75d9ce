#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages needed to build Sash; with --tests, also those for its
# tests.
#
# Does nothing, and needs no rights, if all of them are installed. Otherwise it calls sudo once, or
# reports what is missing.
set -euo pipefail

build_packages=(
  g++ cmake ninja-build ccache pkg-config python3 curl
  librdkafka-dev prometheus-cpp-dev libyaml-cpp-dev libjemalloc-dev libsimdjson-dev
  libre2-dev nlohmann-json3-dev libisal-dev libmicrohttpd-dev libgnutls28-dev zlib1g-dev libzstd-dev
  libcurl4-openssl-dev libcli11-dev libspdlog-dev libfmt-dev libhowardhinnant-date-dev tzdata
  libgtest-dev libgmock-dev libavro-dev libxxhash-dev)
test_packages=(python3-venv kcat prometheus prometheus-alertmanager maven shellcheck strace
  docker-compose clang-format chromium clang-19 libclang-rt-19-dev libomp-19-dev mold)

usage() {
  echo "usage: deploy/install-dependencies.sh [--tests]"
}

fail() {
  echo "install-dependencies: $*" >&2
  exit 1
}

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Kafka needs Java 17 of any vendor.
has_java() {
  local version
  version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
  [[ -n $version && $version -ge 17 ]]
}

install_packages() {
  local -a as_root=() apt=(apt-get -o DPkg::Lock::Timeout=120)
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "these packages are missing, and there is no sudo to install them with: $*"
    as_root=(sudo)
    [[ -t 0 ]] || as_root+=(--non-interactive)
  fi
  echo "install-dependencies: installing $*"
  # shellcheck disable=SC2016  # the inner shell expands: one sudo for both commands
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive bash -c '
    set -e
    count=$1; shift
    "${@:1:count}" update
    "${@:1:count}" install --yes --no-install-recommends "${@:count+1}"' \
    bash "${#apt[@]}" "${apt[@]}" "$@" ||
    fail "could not install: $*"
}

check_version() {
  local name=$1 needed=$2 found=$3
  [[ $(printf '%s\n' "$needed" "$found" | sort -V | head -n 1) == "$needed" ]] ||
    fail "$name $needed or newer is needed, not $found (Debian 12, Ubuntu 24.04 or newer)"
}

main() {
  local -a wanted=("${build_packages[@]}") missing=()
  case ${1-} in
    '') ;;
    --tests)
      wanted+=("${test_packages[@]}")
      has_java || wanted+=(default-jre-headless)
      ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac

  command -v dpkg-query apt-get >/dev/null ||
    fail "this is not Debian or Ubuntu; the equivalents of these packages are needed: ${wanted[*]}"
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  if [[ ${#missing[@]} -gt 0 ]]; then
    install_packages "${missing[@]}"
  fi
  check_version cmake 3.25 "$(cmake --version | sed -n '1s/[^0-9]*//p')"
  check_version g++ 12 "$(g++ -dumpfullversion)"
}

main "$@"
