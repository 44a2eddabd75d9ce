#!/usr/bin/env bash
# run_fuzzer.sh PROGRAM TARGET SECONDS MOST_BYTES DIRECTORY: fuzzes a target for this time, or for
# SASH_FUZZ_SECONDS, with seed 1 or SASH_FUZZ_SEED: runs in new directories are alike.
#
# It starts with the kept inputs of the target and with the inputs found earlier, in
# DIRECTORY/corpus. Inputs that end the program, take longer than 20 s or need more than 2 GiB go to
# DIRECTORY/findings. They are also printed as lines for `base64 -d | gunzip`, because the folder
# may be lost with the machine.
set -euo pipefail

program=$1 target=$2 seconds=${SASH_FUZZ_SECONDS:-$3} most_bytes=$4 directory=$5
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
learned=$directory/corpus/$target
findings=$directory/findings/$target
# With a mutator of the program's own, libFuzzer has no -len_control by default.
options=(-max_total_time="$seconds" -max_len="$most_bytes" -timeout=20 -rss_limit_mb=2048
  -len_control=100 -verbosity=0 -print_funcs=0 -seed="${SASH_FUZZ_SEED:-1}" -print_final_stats=1
  -artifact_prefix="$findings/")
words=$here/dictionaries/$target.txt
regressions=$here/regressions/$target
kept=("$here/corpus/$target")

[[ ! -e $words ]] || options+=(-dict="$words")
[[ ! -d $regressions ]] || kept+=("$regressions")
mkdir -p "$learned" "$findings"
touch "$findings/.begun"
export UBSAN_OPTIONS=print_stacktrace=1 SASH_FUZZ_TARGET=$target
"$program" "${options[@]}" "$learned" "${kept[@]}" </dev/null && exit

status=$?
for finding in "$findings"/*; do
  [[ $finding -nt $findings/.begun ]] || continue
  echo "finding ${finding##*/}:"
  gzip --best --stdout "$finding" | base64
done
exit "$status"
