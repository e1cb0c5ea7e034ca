# Shared by the scripts beside it: `source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"`.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
readonly root

# Talk goes to stderr, so that stdout holds results only.
say() { printf '%s\n' "$*" >&2; }
die() {
  say "${0##*/}: $*"
  exit 1
}

# Prints the comment at the head of the running script, without its marks.
usage() { sed -n '2,/^[^#]/{/^#/{s/^# \{0,1\}//;p}}' "$0"; }

# Runs a command quietly; shows what it printed only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if ((status != 0)); then
    say "This failed (exit code $status): $*"
    cat "$log" >&2
  fi
  rm -f "$log"
  return "$status"
}

# configure PRESET [ARGUMENT OF CMAKE...]: quiet when all is well. RANKVEIL_WERROR=ON makes warnings
# errors.
configure() {
  local preset=$1
  shift
  (cd "$root" && quietly cmake --preset "$preset" "$@" \
    ${RANKVEIL_WERROR:+-DRANKVEIL_WERROR="$RANKVEIL_WERROR"})
}

# build PRESET [TARGET...]: configures, then builds the targets, or everything.
build() {
  local preset=$1
  shift
  configure "$preset"
  (cd "$root" && cmake --build --preset "$preset" ${1:+--target "$@"} >&2)
}

# run_tests PRESET [ARGUMENT OF CTEST...]
run_tests() {
  local preset=$1
  shift
  (cd "$root" && ctest --preset "$preset" "$@")
}
