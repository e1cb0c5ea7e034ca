"""check_goldens.py CASES: holds the JSON that transcripts show against the schemas of the program,
with python3-jsonschema, and prints what does not fit. A step counts that calls one command with
--json and shows all of its output; of a line or two behind grep or head nothing can be said."""

import json
import re
import subprocess
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

KINDS = {"inspect": {"table": "inspect-table", "index": "inspect-index"}}


def steps(text):
    command, shown = None, []
    for line in text.splitlines() + ["$ "]:
        if line.startswith("$ "):
            if command:
                yield command, "\n".join(shown)
            command, shown = line[2:], []
        elif line.startswith("|"):
            shown.append(line[2:])


def without_patterns(text):
    """A pattern stands for a number or for a part of a text."""
    return re.sub(r"\{\{.*?\}\}", "1", text)


def values(text):
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def schema_name(command, value):
    if isinstance(value, dict) and set(value) == {"error"}:
        return "error"
    words = re.match(r"(?:\w+=\S+ )*rankveil ((?:graph |generate )?\S+)", command).group(1)
    if words.startswith("generate "):
        return "generate-ranking" if words.endswith("ranking") else "generate"
    return KINDS.get(words, {}).get(value.get("kind") if isinstance(value, dict) else "", words)


def validator_of(name, known={}):
    if name not in known:
        told = subprocess.run(["rankveil", "schema", name], capture_output=True, check=True, text=True)
        known[name] = Draft202012Validator(json.loads(told.stdout))
    return known[name]


checked = 0
for path in sorted(Path(sys.argv[1]).glob("*.txt")):
    for command, shown in steps(path.read_text(encoding="utf-8")):
        piped = re.search(r"\| ?(head|tail|grep|sed)", command)
        cut = re.search(r"^ *\.\.\.$", shown, re.M)
        is_json = "--json" in command and shown.startswith(("{", "["))
        if not is_json or piped or cut or not command.startswith("rankveil "):
            continue
        for value in values(without_patterns(shown)):
            checked += 1
            name = schema_name(command, value).replace(" ", "-").lstrip("-")
            for error in validator_of(name).iter_errors(value):
                print(f"{path.name}: {command}: {error.json_path}: {error.message[:200]}")
if checked < 12:
    print(f"only {checked} values were found")
