"""check_schemas.py SCHEMA.json INSTANCE...: holds files of JSON (or of a JSON value a line), or of
TOML, against a schema with python3-jsonschema, and prints what does not fit."""

import json
import sys
import tomllib
from pathlib import Path

from jsonschema import Draft202012Validator


def instances(path):
    text = Path(path).read_text(encoding="utf-8")
    if path.endswith(".toml"):
        return [json.loads(json.dumps(tomllib.loads(text), default=str))]
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line]


schema = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for path in sys.argv[2:]:
    for instance in instances(path):
        for error in validator.iter_errors(instance):
            print(f"{path}: {error.json_path}: {error.message[:300]}")
