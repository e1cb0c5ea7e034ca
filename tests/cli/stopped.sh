#!/usr/bin/env bash
# stopped.sh FOLDER: in an empty FOLDER, commands that are told to stop, or that run out of memory.
set -euo pipefail

rm -rf "$1"
mkdir -p "$1"
cd "$1"

fail() {
  echo "$1"
  exit 1
}

protect() {
  rankveil protect "$1.csv" --policy small.toml --key people.key -o people.rankveil "${@:2}"
}

# How a command ends that is told to stop after so many seconds: 0 when it was faster.
ends_with() {
  local code=0
  timeout --preserve-status -s INT "$1" "${@:2}" >/dev/null 2>&1 || code=$?
  echo "$code"
}
export -f protect

quiet() { "$@" >/dev/null 2>&1; }
quiet rankveil generate people -n 2000 --attributes 6 --seed 1 -o small.csv
quiet rankveil generate people -n 300000 --attributes 6 --seed 2 -o large.csv
quiet rankveil keygen people.key --seed 1
quiet protect small
cp people.rankveil old.rankveil

# The old index stays until the new one is whole, and nothing lies beside it.
stopped=0
for seconds in 0.05 0.2 0.4 0.7 1 1.5; do
  code=$(ends_with "$seconds" bash -c 'exec rankveil protect large.csv --policy small.toml \
    --key people.key -o people.rankveil --new-release')
  if [[ $code == 0 ]]; then break; fi
  [[ $code == 130 ]] || fail "Ctrl-C after $seconds s ended with $code"
  stopped=$((stopped + 1))
  quiet rankveil inspect people.rankveil || fail "after $seconds s there is no index"
  [[ -z $(find . -name '.*.tmp-*') ]] || fail "after $seconds s something half written stays"
done
[[ $stopped -gt 0 ]] || fail "nothing was stopped"
cmp -s people.rankveil old.rankveil || quiet rankveil query people.rankveil
quiet protect large --new-release || fail "the next build does not work"

# Not enough memory.
code=0
(ulimit -v 190000 && timeout 60 rankveil index large.csv --policy large.toml --unprotected -o out.rankveil) \
  >/dev/null 2>message || code=$?
[[ $code == 5 ]] || fail "without memory: code $code, $(cat message)"
[[ $(cat message) == "rankveil: there is not enough memory"* ]] || fail "$(cat message)"
[[ ! -e out.rankveil ]] || fail "an index without memory"

# A file that cannot be written whole costs neither the other one nor the summary.
if rankveil --help | grep '^  bound ' >/dev/null; then
  code=0
  (ulimit -f 1 && rankveil bound --theorem 4 --n 10000 --p 0.3 --k 10 --lambda2 0.2 --html page.html \
    -o rows.csv) >summary 2>message || code=$?
  [[ $code == 4 ]] || fail "a page without room: code $code, $(cat message)"
  grep -q '^epsilon' summary || fail "a page without room costs the summary"
  [[ -s rows.csv && ! -e page.html ]] || fail "a page without room costs the rows"
fi
