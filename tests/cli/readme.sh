#!/usr/bin/env bash
# readme.sh README FOLDER: runs the commands of the page's console blocks in an empty FOLDER and
# compares what they print with the page. Times may differ.
set -euo pipefail

page=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
cd "$2"

# shellcheck disable=SC2016
console() { sed -n '/^```console$/,/^```$/{/^```/d;p}' "$page"; }
without_times() { sed -E 's/\b[0-9.]+ m?s\b/TIME/g; s/[0-9.]+ [MG]B of memory/MEMORY/'; }

run_all() {
  console | sed -n 's/^\$ //p' | while IFS= read -r command; do
    printf '$ %s\n' "$command"
    bash -c "$command" 2>&1 </dev/null
  done
}

[[ $(console | grep -c '^\$ ') -gt 0 ]] || { echo "$page has no console block"; exit 1; }
diff -u <(console | without_times) <(run_all | without_times)
