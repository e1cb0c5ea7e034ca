#!/usr/bin/env bash
# manual.sh FOLDER: holds completions and manual pages against the help of every command. zsh, fish
# and groff are asked where they are.
set -euo pipefail

rm -rf "$1"
mkdir -p "$1"
cd "$1"
here() { command -v "$1" >/dev/null; }
problems=0
problem() {
  printf '%s\n' "$*"
  problems=$((problems + 1))
}

has_graphs() { rankveil --help | grep '^  graph ' >/dev/null; }

# "query", "graph attack": what runs.
commands() {
  rankveil --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' | grep -vx graph
  if has_graphs; then rankveil graph --help | sed -n 's/^  \(graph [a-z-]*\) .*/\1/p'; fi
}

# "-k", "--top" and all other spellings in the help of a command.
options_of() {
  # shellcheck disable=SC2086  # "graph attack" is two words
  rankveil $1 --help | sed -nE 's/^  (-[^ ,]+)(, (--[^ ]+))?.*/\1 \3/p' | tr ' ' '\n' | grep .
}

rankveil completions bash >rankveil.bash
rankveil completions zsh >_rankveil
rankveil completions fish >rankveil.fish
rankveil man --all .
bash -n rankveil.bash || problem "bash cannot read its completions"
# shellcheck disable=SC1091
source ./rankveil.bash
if here zsh; then zsh -n _rankveil || problem "zsh cannot read its completions"; fi
if here fish; then fish -n rankveil.fish || problem "fish cannot read its completions"; fi

# What bash offers for the last word of a line.
bash_offers() {
  COMP_WORDS=("$@")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _rankveil
  [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
}

# Fish offers long names after "--", and short ones after "-".
fish_offers() {
  local start
  for start in - --; do
    fish --no-config -c 'source rankveil.fish; complete -C "$argv"' "rankveil $1 $start"
  done | cut -f1
}

all_in() {  # NAME OFFERED WANTED...
  local name=$1 offered=$2 wanted
  shift 2
  for wanted; do
    grep -qxF -e "$wanted" <<<"$offered" || problem "$name lacks $wanted"
  done
}

count=0
while read -r -a words; do
  command=${words[*]}
  mapfile -t options < <(options_of "$command")
  [[ ${#options[@]} -ge 2 ]] || problem "the help of $command shows no options"
  all_in "bash, $command" "$(bash_offers rankveil "${words[@]}" -)" "${options[@]}"
  if here fish; then all_in "fish, $command" "$(fish_offers "$command")" "${options[@]}"; fi
  in_zsh=$(sed -n "/^    '$command')\$/,/^      ;;/p" _rankveil)
  page=rankveil-${command// /-}.1
  in_page=$(sed 's/\\-/-/g' "$page")
  for option in "${options[@]}"; do
    grep -qF -e "$option[" <<<"$in_zsh" || problem "zsh, $command lacks $option"
    grep -qE -e "^\\\\fB(.*, )?$option[ ,\\]" <<<"$in_page" || problem "$page lacks $option"
  done
  # The other way round: nothing is offered that is not there.
  while read -r offered; do
    [[ " ${options[*]} " == *" $offered "* ]] || problem "bash offers $offered for $command"
  done < <(bash_offers rankveil "${words[@]}" -)
  count=$((count + 1))
done < <(commands)
[[ $count -ge 20 ]] || problem "only $count commands were found"
[[ $(ls rankveil-*.1 | wc -l) -eq $count ]] || problem "there is not one page a command"

# Words that are no options.
all_in "bash" "$(bash_offers rankveil '')" query help --version
if has_graphs; then
  all_in "bash, graph" "$(bash_offers rankveil graph '')" attack evaluate
  all_in "bash, help graph" "$(bash_offers rankveil help graph a)" attack anonymize
fi
all_in "bash, completions" "$(bash_offers rankveil completions '')" bash zsh fish
all_in "bash, --scheme" "$(bash_offers rankveil protect --scheme '')" swap cluster drop
touch table.csv
all_in "bash, a table" "$(bash_offers rankveil inspect t)" table.csv
all_in "bash, a key" "$(bash_offers rankveil protect --key t)" table.csv
[[ -z $(bash_offers rankveil query --prefer t) ]] || problem "bash offers files for a wish"
if here fish; then
  if has_graphs; then
    offers=$(fish --no-config -c 'source rankveil.fish; complete -C "rankveil graph "' | cut -f1)
    all_in "fish, graph" "$offers" attack evaluate
  fi
  offers=$(fish --no-config -c 'source rankveil.fish; complete -C "rankveil protect --scheme "' |
    cut -f1)
  all_in "fish, --scheme" "$offers" swap cluster
fi

# Pages without a warning of troff, and with their words where readers look for them.
if here groff; then
  for page in rankveil*.1; do
    warnings=$(groff -ww -man -Tutf8 "$page" 2>&1 >/dev/null)
    [[ -z $warnings ]] || problem "$page: $warnings"
  done
  shown=$(groff -man -Tascii -P-c rankveil-query.1 | sed 's/.\x08//g')
  grep -qF -e '--prefer WISH' <<<"$shown" || problem "rankveil-query.1 shows no --prefer"
fi

[[ $problems -eq 0 ]]
