#!/usr/bin/env bash
# apt_get of scripts/lib.sh waits for another apt, whichever lock that holds. The apt-get is the real
# one, with folders of its own.
source "$1/scripts/lib.sh"
command -v apt-get python3 >/dev/null || {
  say "skipped: there is no apt-get, or no python3"
  exit 77
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,lists/partial,archives/partial,dpkg}
touch "$work/dpkg/status"
cat >"$work/bin/apt-get" <<END
#!/bin/sh
exec $(command -v apt-get) -o Dir::State::lists=$work/lists -o Dir::State::status=$work/dpkg/status \\
  -o Dir::Cache::archives=$work/archives -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \\
  -o Dir::State::extended_states=$work/extended -o Dir::Etc::sourcelist=/dev/null \\
  -o Dir::Etc::sourceparts=/dev/null -o APT::Update::Post-Invoke-Success= "\$@"
END
chmod +x "$work/bin/apt-get"
PATH=$work/bin:$PATH
as_root=()

# hold SECONDS FILE: another apt, for so long.
hold() {
  mkfifo "$work/held"
  python3 -c 'import fcntl, sys, time
file = open(sys.argv[2], "a")
fcntl.lockf(file, fcntl.LOCK_EX)
open(sys.argv[3], "w").write("held")
time.sleep(float(sys.argv[1]))' "$1" "$2" "$work/held" &
  read -r _ <"$work/held" || true
  rm "$work/held"
}

for case in "update lists/lock" "install dpkg/lock-frontend" "install dpkg/lock"; do
  read -r action lock <<<"$case"
  hold 2 "$work/$lock"
  began=$SECONDS
  apt_get "$action" >"$work/said" || die "apt-get $action gave up: $(cat "$work/said")"
  ((SECONDS - began >= 1)) || die "apt-get $action did not wait for $lock"
  wait
done

# What never ends is told of.
hold 4 "$work/lists/lock"
if apt_seconds=1 apt_get update >"$work/said"; then die "apt-get update did not mind a lock"; fi
grep -q 'Could not get lock' "$work/said" || die "the lock is not named: $(cat "$work/said")"
wait

# Every call goes this way.
calls=$(grep -nE '(^|[^_a-z`: ])  *apt-get |env .*apt-get' "$1"/scripts/* | grep -vE '#|die |lib\.sh' || true)
[[ -z $calls ]] || die "apt-get is called without waiting: $calls"
