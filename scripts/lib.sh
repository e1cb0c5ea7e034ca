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

# What stands before a command that needs root.
as_root=()

# apt_get ARGUMENT...: waits up to ten minutes while another apt runs.
# DPkg::Lock::Timeout lets apt wait for dpkg's lock. It does not wait for that of its lists (apt 2.6),
# which `apt-get update` takes, so that is tried again.
apt_get() {
  local log status end=$((SECONDS + ${apt_seconds:-600}))
  log=$(mktemp)
  while
    status=0
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q \
      -o DPkg::Lock::Timeout="${apt_seconds:-600}" "$@" >"$log" 2>&1 </dev/null || status=$?
    ((status != 0 && SECONDS < end)) && grep -q 'Could not get lock' "$log"
  do
    sleep 1
  done
  cat "$log"
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
