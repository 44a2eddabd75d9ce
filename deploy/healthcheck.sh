#!/usr/bin/env bash
# Checks whether the sashd of this container responds: exit code 0 or 1. Needs only bash.
#
#   sash-healthcheck [PATH [PORT]]           PORT: that of $SASH_HEALTH_PORT, or 9640; without TLS
#
# PATH is /healthz unless it is given: whether the process lives. With /readyz, a container would be
# restarted while its broker is away.
set -euo pipefail

path=${1:-/healthz}
port=${2:-${SASH_HEALTH_PORT:-9640}}

if ! exec 3<>"/dev/tcp/127.0.0.1/$port"; then
  echo "healthcheck: nothing listens on port $port" >&2
  exit 1
fi
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$path" >&3
if ! read -r -t 4 _ status _ <&3; then
  echo "healthcheck: no answer on port $port" >&2
  exit 1
fi
if [[ $status != 200 ]]; then
  echo "healthcheck: $path answers $status" >&2
  exit 1
fi
